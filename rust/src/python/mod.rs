//! The only folder that knows Python. It moves strings and arrays across and calls the rest.
//!
//! Locks are taken only while the interpreter is released: a thread that waits for a lock must not keep the others,
//! one of which may hold the lock and want the interpreter to ask what tokens become.

mod analysis;
mod arrays;
mod arrow;
mod changing;
mod column;
mod gate;
mod guard;
mod ledger;
mod lists;
mod memory;
mod postings;
mod reading;
mod sums;
mod table;
mod tallies;
mod text;
mod values;
mod weighting;

use numpy::{PyArray1, PyArray2};
use pyo3::panic::PanicException;
use pyo3::prelude::*;

type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

// Without the interpreter's lock it was never tried, so it does not say that it can do without.
#[pymodule(gil_used = true)]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<analysis::Analysis>()?;
    module.add_class::<table::Table>()?;
    module.add_class::<ledger::Ledger>()?;
    module.add("PanicException", module.py().get_type::<PanicException>())?;
    module.add_class::<gate::Gate>()?;
    module.add_class::<gate::Reading>()?;
    module.add_class::<gate::Writing>()?;
    module.add_class::<memory::Memory>()?;
    module.add_class::<column::Column>()?;
    module.add_class::<reading::Rows>()?;
    module.add_class::<reading::CsvReader>()?;
    module.add_class::<reading::JsonReader>()?;
    module.add_class::<arrow::ArrowReader>()?;
    module.add_function(wrap_pyfunction!(analysis::words, module)?)?;
    module.add_function(wrap_pyfunction!(arrays::check_arrays, module)?)?;
    module.add_function(wrap_pyfunction!(gate::before_fork, module)?)?;
    module.add_function(wrap_pyfunction!(gate::after_fork, module)?)?;
    module.add_function(wrap_pyfunction!(changing::learn_one, module)?)?;
    module.add_function(wrap_pyfunction!(changing::forget_one, module)?)?;
    module.add_function(wrap_pyfunction!(tallies::find_all, module)?)?;
    module.add_function(wrap_pyfunction!(tallies::vocabulary_sums, module)?)?;
    module.add_function(wrap_pyfunction!(tallies::vocabulary_spread, module)?)?;
    module.add_function(wrap_pyfunction!(tallies::vocabulary_frequencies, module)?)?;
    module.add_function(wrap_pyfunction!(lists::all_str, module)?)?;
    module.add_function(wrap_pyfunction!(lists::distinct_str, module)?)?;
    module.add_function(wrap_pyfunction!(postings::score_postings, module)?)?;
    module.add_function(wrap_pyfunction!(sums::exact_sums, module)?)?;
    module.add_function(wrap_pyfunction!(sums::rounded_sums, module)?)?;
    module.add_function(wrap_pyfunction!(weighting::weigh, module)?)?;
    module.add_function(wrap_pyfunction!(reading::csv_record, module)?)
}
