//! Term ids to sums by label.
//!
//!     term_counter  how often each term occurs in one document
//!     term_weights  how much each term weighs in its document
//!     label_sums    the sums of a batch, label by label
//!     totals        totals of a label over all terms, and how large they may get
//!     ledger        which documents were learned

pub mod label_sums;
pub mod ledger;
pub mod term_counter;
pub mod term_weights;
pub mod totals;
