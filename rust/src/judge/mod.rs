//! Leave-one-out over bags: documents are cut and numbered once, and any number of settings are judged on them.
//!
//!     logarithm      many logarithms at once
//!     bags           documents as bags of ids, in layers of terms that settings take or leave
//!     reduction      bags → sums by term and label under one weighting
//!     counted        bags → the counts of a model
//!     leave_one_out  what the terms of each document add, by the sums without the document
//!     copies         documents that share passages with another one
//!
//! A document's score is a sum over its terms less what divides all probabilities of a label. The first part is the sum
//! of what each layer adds, so it is made once for all combinations of layers; only the second depends on which are
//! taken together. A term that no other document has is unknown where this one is left out, and adds nothing.

pub mod bags;
pub mod copies;
mod counted;
pub mod leave_one_out;
pub mod logarithm;
pub mod reduction;
#[cfg(test)]
mod tests;
