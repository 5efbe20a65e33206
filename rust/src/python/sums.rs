//! Sums without any rounding.

use crate::sums::sums;
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// For each label, over the rows whose number is not NaN: the sum of the weights; of weight · number, times 2^1074; of
/// weight · number², times 2^2148. The last two are whole numbers as `int.from_bytes(…, "little", signed=True)` reads them.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn exact_sums<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, f64>,
    labels: PyReadonlyArray1<'py, u32>,
    weights: Option<PyReadonlyArray1<'py, u64>>,
    label_count: usize,
) -> PyResult<Vec<(u128, Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let (numbers, labels) = (numbers.as_slice()?, labels.as_slice()?);
    let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
    let found = py.detach(|| sums(numbers, labels, weights, label_count)).map_err(PyValueError::new_err)?;
    let bytes = |number: &[u8]| PyBytes::new(py, number);
    Ok(found.iter().map(|sums| (sums.weight, bytes(&sums.numbers), bytes(&sums.squares))).collect())
}
