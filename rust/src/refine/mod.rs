//! Refined weights: linear support vector machines, fitted to documents as rows of distinct terms.
//!
//!     term_rows  documents as rows of distinct terms; terms that few documents have are left out
//!     scaled     how much each term counts in a row, and how long the rows are
//!     descent    one support vector machine, by dual coordinate descent
//!     fitting    one label against the rest, for all labels and folds, on several threads
//!
//! Every sum is made in one order by one thread, so the bits of a result do not depend on the number of threads.

pub mod descent;
pub mod fitting;
pub mod scaled;
pub mod term_rows;
#[cfg(test)]
mod tests;
