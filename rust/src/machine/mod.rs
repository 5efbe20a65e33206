//! What the machine offers.
//!
//!     processor  instructions that some processors have; prefetching
//!     threads    the same work on several threads
//!     gate       a lock: many may read at a time, or one may write

pub mod gate;
pub mod processor;
pub mod threads;
