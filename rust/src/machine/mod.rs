//! What the machine offers: fast instructions of some processors, threads, and a lock.

pub mod gate;
pub mod processor;
