//! The only folder that knows Python. It moves strings and arrays across and calls the rest.
//!
//! Locks are taken only while the interpreter is released: a thread that waits for a lock must not block the others,
//! one of which may hold the lock and need the interpreter to ask what tokens become.
//!
//!     py_analysis         how text becomes terms
//!     py_bags             documents as bags, on which settings are judged
//!     py_term_rows        documents as rows, to which refined weights are fitted
//!     py_table            the counts of a text column; table_access: read and changed by several threads
//!     one_text            one text learned or forgotten
//!     scoring             scores of texts; py_memory: of one text, from remembered weights
//!     vocabulary_numbers  the numbers of some terms, and those about a whole vocabulary
//!     table_arrays        a table as arrays, for files
//!     py_ledger           which documents were learned; row_fingerprints: of those with several columns
//!     exact_sums          sums of numbers that do not depend on the order
//!     py_column           a column of values; file_readers, arrow_import: where it comes from
//!     py_gate             the lock of a model
//!     strings             strings and lists of them out of Python
//!     errors              errors of Python, also for a panic

mod arrow_import;
mod errors;
mod exact_sums;
mod file_readers;
mod one_text;
mod py_analysis;
mod py_bags;
mod py_column;
mod py_gate;
mod py_ledger;
mod py_memory;
mod py_table;
mod py_term_rows;
mod row_fingerprints;
mod scoring;
mod strings;
mod table_access;
mod table_arrays;
mod vocabulary_numbers;

use numpy::{PyArray1, PyArray2};
use pyo3::panic::PanicException;
use pyo3::prelude::*;

type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

// Without the interpreter's lock it was never tried, so it does not say that it can do without.
#[pymodule(gil_used = true)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<py_analysis::PyAnalysis>()?;
    module.add_class::<py_table::PyTable>()?;
    module.add_class::<py_ledger::PyLedger>()?;
    module.add("PanicException", module.py().get_type::<PanicException>())?;
    module.add_class::<py_gate::PyGate>()?;
    module.add_class::<py_gate::PyReading>()?;
    module.add_class::<py_gate::PyWriting>()?;
    module.add_class::<py_memory::PyMemory>()?;
    module.add_class::<py_column::PyColumn>()?;
    module.add_class::<py_bags::PyBags>()?;
    module.add_class::<py_term_rows::PyTermRows>()?;
    module.add_class::<file_readers::PyRows>()?;
    module.add_class::<file_readers::PyCsvReader>()?;
    module.add_class::<file_readers::PyJsonReader>()?;
    module.add_class::<arrow_import::PyArrowReader>()?;
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
    module.add_function(wrap_pyfunction!(strings::all_str, module)?)?;
    module.add_function(wrap_pyfunction!(strings::distinct_str, module)?)?;
    module.add_function(wrap_pyfunction!(py_bags::mixed_rows, module)?)?;
    module.add_function(wrap_pyfunction!(scoring::score_postings, module)?)?;
    module.add_function(wrap_pyfunction!(exact_sums::exact_sums, module)?)?;
    module.add_function(wrap_pyfunction!(exact_sums::rounded_sums, module)?)?;
    module.add_function(wrap_pyfunction!(scoring::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(file_readers::csv_record, module)?)
}
