//! The kernel of likelier: it turns batches of UTF-8 into integers and sums. Only `judge` and `refine` know formulas.
//!
//! A folder is a stage of the pipeline, and imports only from those above it:
//!
//!     machine     fast instructions of some processors, threads, a lock
//!     text        text → words
//!     vocabulary  words and n-grams ↔ ids
//!     analyze     texts → term ids: tokens, then terms, a batch on one thread or several
//!     count       term ids → sums by label; the weight of a term in its document; which documents were learned
//!     table       the counts of a text column: learn, forget, merge, subtract, prune, export
//!     judge       bags of ids, and what settings score on each document without it
//!     refine      documents as rows of distinct terms, and the linear support vector machines that are fitted to them
//!     score       term ids and weights → scores
//!     exact       sums of floating-point numbers that do not depend on the order
//!     reading     CSV, JSON Lines and Arrow → columns
//!     python      the only folder that knows Python

pub mod analyze;
pub mod count;
pub mod exact;
pub mod judge;
pub mod machine;
pub mod reading;
pub mod refine;
pub mod score;
pub mod table;
pub mod text;
pub mod vocabulary;

#[cfg(feature = "python")]
mod python;

/// A table is millions of small pieces of memory. With this allocator training on pairs of words takes a quarter less
/// time than with the system's.
#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
