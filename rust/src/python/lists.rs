//! Long lists of strings, looked through quickly.

use super::Array;
use crate::machine::processor::prefetch;
use numpy::IntoPyArray;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

const FEW: usize = 8; // strings that are compared one by one

/// Python's objects lie anywhere in memory: what stands a few places on in the list is on its way while this one is read.
#[inline(always)]
pub fn fetch_ahead(list: &Bound<'_, PyList>, place: usize) {
    if place + FEW < list.len() {
        // SAFETY: the place is inside the list, which holds the object while the interpreter is held.
        unsafe { prefetch(&*ffi::PyList_GetItem(list.as_ptr(), (place + FEW) as ffi::Py_ssize_t)) };
    }
}

/// Whether everything in the list is a `str`, and of no class derived from it.
#[pyfunction]
pub fn all_str(list: &Bound<'_, PyList>) -> bool {
    list.iter().enumerate().all(|(place, item)| {
        fetch_ahead(list, place);
        item.is_exact_instance_of::<PyString>()
    })
}

/// The different strings of a list in order of first sight, and for each place which of them; None if something else is
/// in it.
#[pyfunction]
pub fn distinct_str<'py>(list: &Bound<'py, PyList>) -> PyResult<Option<(Bound<'py, PyList>, Array<'py, u32>)>> {
    let (mut distinct, numbers) = (Vec::new(), PyDict::new(list.py()));
    let mut which: Vec<u32> = Vec::with_capacity(list.len());
    for (place, item) in list.iter().enumerate() {
        fetch_ahead(list, place);
        if !item.is_exact_instance_of::<PyString>() {
            return Ok(None);
        }
        if let Some(number) = distinct.iter().take(FEW).position(|other| same(other, &item)) {
            which.push(number as u32);
            continue;
        }
        let known = if distinct.len() > FEW { numbers.get_item(&item)? } else { None };
        which.push(match known {
            Some(number) => number.extract()?,
            None => {
                let number = distinct.len() as u32;
                if distinct.len() >= FEW {
                    numbers.set_item(&item, number)?;
                }
                distinct.push(item);
                number
            }
        });
    }
    Ok(Some((PyList::new(list.py(), distinct)?, which.into_pyarray(list.py()))))
}

#[inline(always)]
fn same(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are strings, which are compared without calling anything that could fail.
    one.is(other) || unsafe { ffi::PyUnicode_Compare(one.as_ptr(), other.as_ptr()) } == 0
}
