//! Term ids and weights to scores.

pub mod dense;
pub mod sparse;
pub mod weight_cache;
