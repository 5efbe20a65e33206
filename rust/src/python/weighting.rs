//! What the terms of questions weigh.

use super::Array;
use crate::count::term_weights::Scale;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What a term that stands so often in a question is multiplied by: bit for bit as in `Table.score`.
#[pyfunction]
pub fn weigh<'py>(py: Python<'py>, times: PyReadonlyArray1<'py, u32>, scale: &str) -> PyResult<Array<'py, f64>> {
    let scale = checked(scale)?;
    Ok(times.as_slice()?.iter().map(|times| scale.factor(*times)).collect::<Vec<f64>>().into_pyarray(py))
}

pub fn checked(scale: &str) -> PyResult<Scale> {
    let message = || format!("a scale is count, once or log, not {scale:?}");
    Scale::named(scale).ok_or_else(|| PyValueError::new_err(message()))
}
