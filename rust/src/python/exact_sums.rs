//! Sums without any rounding.

use super::Array;
use super::errors::detached;
use crate::exact::moments::moments;
use crate::exact::rounded_sum::RoundedSum;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// For each label, over the rows whose number is not NaN: the sum of the weights; of weight · number, times 2^1074; of
/// weight · number², times 2^2148. The last two are integers as `int.from_bytes(…, "little", signed=True)` reads them.
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
    let found = detached(py, || moments(numbers, labels, weights, label_count))?.map_err(PyValueError::new_err)?;
    let bytes = |number: &[u8]| PyBytes::new(py, number);
    Ok(found.iter().map(|sums| (sums.weight, bytes(&sums.numbers), bytes(&sums.squares))).collect())
}

/// `count` sums of numbers, each rounded once: `which` is the sum that a number belongs to, in rising order, and
/// `times` how often it is added. The numbers are finite.
#[pyfunction]
pub fn rounded_sums<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, f64>,
    which: PyReadonlyArray1<'py, u32>,
    times: PyReadonlyArray1<'py, u64>,
    count: usize,
) -> PyResult<Array<'py, f64>> {
    let (numbers, which, times) = (numbers.as_slice()?, which.as_slice()?, times.as_slice()?);
    if which.len() != numbers.len() || times.len() != numbers.len() {
        return Err(PyValueError::new_err("numbers, which and times must have the same length"));
    }
    let fits = numbers.iter().all(|number| number.is_finite()) && times.iter().all(|times| *times <= u32::MAX as u64);
    if !fits || !which.is_sorted() || which.last().is_some_and(|last| *last as usize >= count) {
        return Err(PyValueError::new_err("numbers are finite, times below 2^32, and sums one after the other"));
    }
    let found = detached(py, || {
        let (mut sum, mut sums, mut row) = (RoundedSum::default(), vec![0.0; count], 0);
        for run in which.chunk_by(|a, b| a == b) {
            for place in row..row + run.len() {
                sum.add(numbers[place], times[place] as u32);
            }
            row += run.len();
            sums[run[0] as usize] = sum.finish();
        }
        sums
    })?;
    Ok(found.into_pyarray(py))
}
