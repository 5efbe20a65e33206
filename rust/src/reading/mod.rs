//! Columns of values, and what makes them out of bytes: CSV and TSV, JSON Lines, Arrow. No Python here.
//!
//!     column  values that may be missing, held without copies
//!     blocks  records out of blocks that are cut anywhere
//!     fields  where the fields of a record stand; csv: records of fields
//!     json    an object on each line; object: one of them
//!     rows    what was read, and what could not be
//!     arrow   columns out of Arrow arrays
//!     numbers what the values of a column are as numbers

pub mod arrow;
pub mod blocks;
pub mod column;
pub mod csv;
pub mod fields;
pub mod json;
pub mod numbers;
pub mod object;
pub mod rows;
