//! Words and n-grams to ids.

pub mod interner;
pub mod overlay;
