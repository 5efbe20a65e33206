//! Refined weights: linear support vector machines, fitted to documents as rows of distinct terms.
//!
//!     term_rows  documents as rows, each of length 1; terms that few documents have are left out
//!     descent    one support vector machine, by dual coordinate descent
//!     fitting    one label against the rest, for all labels and folds, on several threads
//!
//! Every sum is made in one order by one thread, so the bits of a result do not depend on the number of threads.

pub mod descent;
pub mod fitting;
pub mod term_rows;
#[cfg(test)]
mod tests;
