//! Texts to term ids.

pub mod batch;
pub mod mapping_cache;
pub mod rules;
pub mod terms;
pub mod tokenize;
