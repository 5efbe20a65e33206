//! Columns of values, and what makes them out of bytes: CSV and TSV, JSON Lines, Arrow. No Python here.

pub mod arrow_columns;
pub mod blocks;
pub mod column;
pub mod column_numbers;
pub mod csv;
pub mod csv_fields;
pub mod json;
pub mod json_object;
pub mod rows;
