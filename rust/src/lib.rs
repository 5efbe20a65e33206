//! The kernel of likelier: it turns batches of UTF-8 into integers and sums. It knows no formula.
//!
//!     words      text → words (UAX #29); spans: most of them, 64 bytes at a time; letters: which are plain
//!     processor  what some processors do faster
//!     intern     words and n-grams → ids; scope: on top of a vocabulary that is only read
//!     documents  what is read and how; tokens: texts → token ids; terms: token ids → term ids; answers: what tokens became
//!     batch      all that on one thread or several
//!     bag        the terms of one document, counted
//!     bags       the terms of many documents, as a sparse matrix
//!     groups     the sums of a batch, label by label
//!     count      all that, and the sums into a table
//!     weighting  what a term weighs in its document
//!     table      the counts; add, subtract, merge; totals: by label
//!     tallies    numbers about the whole vocabulary, kept up while the table changes
//!     weights    the sums of what is weighed, beside the counts; arrays: as plain arrays, and back
//!     score      term ids and weights → sums
//!     memory     the same for one text, whose terms' weights are asked for once
//!     postings   counts where they are not 0; the same sums where most are
//!     ledger     which documents were learnt
//!     sums       numbers and their squares, summed without rounding
//!     rounded    sums that are rounded once
//!     gate       many may read at a time, or one may write
//!     reading    columns of text out of CSV, JSON Lines and Arrow
//!     python     the only folder that knows Python

pub mod answers;
pub mod arrays;
pub mod bag;
pub mod bags;
pub mod batch;
pub mod count;
pub mod documents;
pub mod gate;
pub mod groups;
pub mod intern;
pub mod ledger;
pub mod letters;
pub mod memory;
pub mod postings;
pub mod processor;
pub mod reading;
pub mod rounded;
pub mod scope;
pub mod score;
pub mod spans;
pub mod sums;
pub mod table;
pub mod tallies;
pub mod terms;
pub mod tokens;
pub mod totals;
pub mod weighting;
pub mod weights;
pub mod words;

#[cfg(feature = "python")]
mod python;

/// A table is millions of small pieces of memory. With this allocator training on pairs of words takes a quarter less time
/// than with the system's.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
