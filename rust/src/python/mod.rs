//! The only folder that knows Python. It moves strings and arrays across and calls the rest.
//!
//! Locks are taken only while the interpreter is released: a thread that waits for a lock must not keep the others,
//! one of which may hold the lock and want the interpreter to ask what tokens become.

mod arrow_import;
mod exact_sums;
mod file_readers;
mod lists;
mod one_text;
mod panics;
mod py_analysis;
mod py_column;
mod py_gate;
mod py_ledger;
mod py_memory;
mod py_table;
mod row_fingerprints;
mod scoring;
mod strings;
mod table_arrays;
mod vocabulary_numbers;
mod weighting;

use numpy::{PyArray1, PyArray2};
use pyo3::panic::PanicException;
use pyo3::prelude::*;

type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

// Without the interpreter's lock it was never tried, so it does not say that it can do without.
#[pymodule(gil_used = true)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<py_analysis::Analysis>()?;
    module.add_class::<py_table::Table>()?;
    module.add_class::<py_ledger::Ledger>()?;
    module.add("PanicException", module.py().get_type::<PanicException>())?;
    module.add_class::<py_gate::Gate>()?;
    module.add_class::<py_gate::Reading>()?;
    module.add_class::<py_gate::Writing>()?;
    module.add_class::<py_memory::Memory>()?;
    module.add_class::<py_column::Column>()?;
    module.add_class::<file_readers::Rows>()?;
    module.add_class::<file_readers::CsvReader>()?;
    module.add_class::<file_readers::JsonReader>()?;
    module.add_class::<arrow_import::ArrowReader>()?;
    module.add_function(wrap_pyfunction!(py_analysis::words, module)?)?;
    module.add_function(wrap_pyfunction!(table_arrays::check_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(py_gate::before_fork, module)?)?;
    module.add_function(wrap_pyfunction!(py_gate::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(one_text::learn_one, module)?)?;
    module.add_function(wrap_pyfunction!(one_text::forget_one, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary_numbers::find_all, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary_numbers::vocabulary_sums, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary_numbers::vocabulary_spread, module)?)?;
    module.add_function(wrap_pyfunction!(vocabulary_numbers::vocabulary_frequencies, module)?)?;
    module.add_function(wrap_pyfunction!(lists::all_str, module)?)?;
    module.add_function(wrap_pyfunction!(lists::distinct_str, module)?)?;
    module.add_function(wrap_pyfunction!(scoring::score_postings, module)?)?;
    module.add_function(wrap_pyfunction!(exact_sums::exact_sums, module)?)?;
    module.add_function(wrap_pyfunction!(exact_sums::rounded_sums, module)?)?;
    module.add_function(wrap_pyfunction!(weighting::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(file_readers::csv_record, module)?)
}
