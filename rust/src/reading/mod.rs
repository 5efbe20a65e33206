//! Columns of values, and what makes them out of bytes: CSV and TSV, JSON Lines, Arrow.
//!
//!     column          values that may be missing; text_column: those that are texts, held without copies
//!     column_numbers  the values of a column as numbers
//!     blocks          records out of blocks that are cut anywhere
//!     rows            the rows that were read, and the records that could not be
//!     csv             records of fields; csv_fields: where the fields of a record are
//!     json            an object on each line; json_object: one of them
//!     arrow_columns   columns out of Arrow arrays

pub mod arrow_columns;
pub mod blocks;
pub mod column;
pub mod column_numbers;
pub mod csv;
pub mod csv_fields;
pub mod json;
pub mod json_object;
pub mod rows;
pub mod text_column;
