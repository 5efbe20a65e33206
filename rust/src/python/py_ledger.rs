//! Which documents were learned.

use super::Array;
use super::errors::detached;
use super::row_fingerprints::{Values, fingerprints};
use crate::count::ledger::{Ledger, seed};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::RwLock;

/// Which documents were learned, by fingerprint.
#[pyclass(frozen, name = "Ledger")]
#[derive(Default)]
pub struct PyLedger {
    inner: RwLock<Ledger>,
}

impl PyLedger {
    pub fn note(&self, py: Python<'_>, fingerprints: &[u128]) -> PyResult<()> {
        let add = |ledger: &mut Ledger| fingerprints.iter().for_each(|fingerprint| ledger.add(*fingerprint, 1));
        detached(py, || self.change(add))
    }

    /// To be called while the interpreter is released.
    pub fn change<T>(&self, work: impl FnOnce(&mut Ledger) -> T) -> T {
        work(&mut self.inner.write().expect("no thread panicked"))
    }

    fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Ledger) -> T + Send) -> PyResult<T> {
        detached(py, || work(&self.inner.read().expect("no thread panicked")))
    }

    fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &PyLedger,
        work: impl FnOnce(&mut Ledger, &Ledger) -> T + Send,
    ) -> PyResult<T> {
        let other = other.look(py, Ledger::clone)?;
        detached(py, || self.change(|mine| work(mine, &other)))
    }
}

#[pymethods]
impl PyLedger {
    #[new]
    fn new() -> Self {
        PyLedger::default()
    }

    /// Notes documents that have several columns. `labels` and `weights` (in units of `millionths`) are by document,
    /// `names` are the labels' names.
    fn add(
        &self,
        py: Python<'_>,
        columns: Vec<Values<'_>>,
        labels: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, u64>>,
        names: Vec<String>,
        millionths: u64,
    ) -> PyResult<()> {
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        if weights.is_some_and(|weights| weights.len() != labels.len()) {
            return Err(PyValueError::new_err("columns, labels and weights must have the same length"));
        }
        let seeds = labels.iter().enumerate().map(|(row, label)| {
            let name = names.get(*label as usize)?;
            Some(seed(name, weights.map_or(1, |weights| weights[row]) * millionths))
        });
        let seeds =
            seeds.collect::<Option<Vec<u64>>>().ok_or_else(|| PyValueError::new_err("every label needs a name"))?;
        let found = fingerprints(py, &columns, &seeds)?;
        self.note(py, &found)
    }

    fn merge(&self, py: Python<'_>, other: &PyLedger) -> PyResult<()> {
        self.with_other(py, other, |ledger, other| ledger.merge(other))
    }

    /// Subtracts another ledger; False, and nothing changed, if it is not held.
    fn subtract(&self, py: Python<'_>, other: &PyLedger) -> PyResult<bool> {
        self.with_other(py, other, |ledger, other| {
            let held = ledger.holds(other);
            if held {
                ledger.subtract(other);
            }
            held
        })
    }

    fn holds(&self, py: Python<'_>, other: &PyLedger) -> PyResult<bool> {
        self.with_other(py, other, |ledger, other| ledger.holds(other))
    }

    /// How many documents of another ledger have a fingerprint that this one holds.
    fn common(&self, py: Python<'_>, other: &PyLedger) -> PyResult<u64> {
        self.with_other(py, other, |ledger, other| ledger.common(other))
    }

    fn copy(&self, py: Python<'_>) -> PyResult<PyLedger> {
        Ok(PyLedger { inner: RwLock::new(self.look(py, Ledger::clone)?) })
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, |ledger| ledger.len() as usize)
    }

    /// A ledger with these fingerprints, as `sorted` gives them.
    #[staticmethod]
    fn load(halves: PyReadonlyArray1<'_, u64>, times: PyReadonlyArray1<'_, u32>) -> PyResult<PyLedger> {
        let (halves, times) = (halves.as_slice()?, times.as_slice()?);
        if halves.len() != times.len() * 2 || times.contains(&0) {
            return Err(PyValueError::new_err("a ledger has two halves for each number of times, and no 0"));
        }
        let mut ledger = Ledger::default();
        for (pair, times) in halves.chunks_exact(2).zip(times) {
            ledger.add((pair[0] as u128) << 64 | pair[1] as u128, *times);
        }
        Ok(PyLedger { inner: RwLock::new(ledger) })
    }

    /// Fingerprints (high and low 64 bits, end to end) and how often each, sorted.
    fn sorted<'py>(&self, py: Python<'py>) -> PyResult<(Array<'py, u64>, Array<'py, u32>)> {
        let (halves, times) = self.look(py, Ledger::sorted)?;
        Ok((halves.into_pyarray(py), times.into_pyarray(py)))
    }
}
