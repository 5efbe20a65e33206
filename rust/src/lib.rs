//! The kernel of likelier: it turns batches of UTF-8 into integers and sums. It knows no formula.
//!
//!     words      text → words (UAX #29)
//!     intern     words and n-grams → ids
//!     documents  texts → lists of term ids
//!     table      lists of term ids → counts; add, subtract, merge
//!     arrays     counts → plain arrays, and back
//!     score      lists of term ids and weights → sums
//!     ledger     which documents were learnt
//!     python     the only file that knows Python

pub mod arrays;
pub mod batch;
pub mod documents;
pub mod intern;
pub mod ledger;
pub mod score;
pub mod table;
pub mod words;

#[cfg(feature = "python")]
mod python;
