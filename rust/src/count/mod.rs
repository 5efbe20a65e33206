//! Term ids to sums by label.

pub mod label_sums;
pub mod ledger;
pub mod term_counter;
pub mod term_weights;
pub mod totals;
