//! Long lists of strings, looked through quickly.

use super::Array;
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};
use std::collections::HashMap;

/// Whether everything in the list is a `str`, and of no class derived from it.
#[pyfunction]
pub fn all_str(list: &Bound<'_, PyList>) -> bool {
    list.iter().all(|item| item.is_exact_instance_of::<PyString>())
}

/// The different strings of a list in order of first sight, and for each place which of them; None if something else is
/// in it.
#[pyfunction]
pub fn distinct_str<'py>(list: &Bound<'py, PyList>) -> PyResult<Option<(Bound<'py, PyList>, Array<'py, u32>)>> {
    let (distinct, numbers) = (PyList::empty(list.py()), PyDict::new(list.py()));
    let (mut by_object, mut which) = (HashMap::new(), Vec::with_capacity(list.len()));
    for item in list {
        // The list keeps every object, so an address means one string. Many lists repeat a few objects.
        if let Some(number) = by_object.get(&item.as_ptr()) {
            which.push(*number);
            continue;
        }
        if !item.is_exact_instance_of::<PyString>() {
            return Ok(None);
        }
        let number = match numbers.get_item(&item)? {
            Some(number) => number.extract()?,
            None => {
                let number = distinct.len() as u32;
                numbers.set_item(&item, number)?;
                distinct.append(&item)?;
                number
            }
        };
        if by_object.len() < 256 {
            by_object.insert(item.as_ptr(), number);
        }
        which.push(number);
    }
    Ok(Some((distinct, which.into_pyarray(list.py()))))
}
