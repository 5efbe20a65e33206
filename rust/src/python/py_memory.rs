//! One text and the weights of its terms.

use super::Array;
use super::errors::detached;
use super::py_analysis::PyAnalysis;
use super::py_gate::PyReading;
use super::py_table::PyTable;
use super::scoring::scale_named;
use super::strings::Text;
use crate::count::term_counter::TermCounter;
use crate::count::term_weights::Scale;
use crate::score::weight_cache::{WeightCache, two_highest};
use crate::score::{Coverage, KEPT};
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::{RwLock, RwLockWriteGuard};

/// The weights of the terms that were looked up, for one state of a table.
#[pyclass(frozen, name = "Memory")]
pub struct PyMemory {
    inner: RwLock<WeightCache>,
    columns: usize,
    scale: Scale,
    changes: u64, // those of the table whose weights these are
}

/// What a text adds up to: the sums, then known, unknown and distinct unknown terms and what the unknown ones weigh;
/// then the place of the highest sum, that sum, and the highest of the others.
type Sums<'py> = (Array<'py, f64>, u32, u32, u32, f64, usize, f64, f64);

#[derive(IntoPyObject)]
enum Found<'py> {
    Sums(Sums<'py>),
    Missing(Array<'py, u32>),
}

impl PyMemory {
    /// What was remembered when something panicked is worth nothing, and is forgotten.
    fn write(&self) -> RwLockWriteGuard<'_, WeightCache> {
        self.inner.write().unwrap_or_else(|poisoned| {
            let mut cache = poisoned.into_inner();
            *cache = WeightCache::new(cache.ids(), self.columns);
            self.inner.clear_poison();
            cache
        })
    }
}

#[pymethods]
impl PyMemory {
    /// For the terms that the table has now; `scale` is that of `weigh`.
    #[new]
    fn new(py: Python<'_>, table: &PyTable, columns: usize, scale: &str) -> PyResult<Self> {
        if columns == 0 {
            return Err(PyValueError::new_err("weights have at least one column"));
        }
        let scale = scale_named(scale)?;
        let (ids, changes) = table.look(py, |table| (table.ids() as u32, table.changes()))?;
        Ok(PyMemory { inner: RwLock::new(WeightCache::new(ids, columns)), columns, scale, changes })
    }

    /// Makes room for all terms.
    fn open(&self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.write().open())
    }

    /// Remembers terms: 0 in `states` is unknown, 2 skipped; `rows` is (kept, columns).
    fn put(
        &self,
        py: Python<'_>,
        ids: PyReadonlyArray1<'_, u32>,
        states: PyReadonlyArray1<'_, u8>,
        rows: PyReadonlyArray2<'_, f64>,
    ) -> PyResult<()> {
        let kept = states.as_slice()?.iter().filter(|state| **state == KEPT).count();
        if ids.len() != states.len() || rows.shape() != [kept, self.columns] {
            return Err(PyValueError::new_err("there must be a state for each id, and a row for each that is kept"));
        }
        let (ids, states, rows) = (ids.as_slice()?, states.as_slice()?, rows.as_slice()?);
        detached(py, || {
            let mut cache = self.write();
            let below = cache.ids();
            let fits = ids.iter().all(|id| *id < below);
            fits.then(|| cache.put(ids, states, rows))
        })?
        .ok_or_else(|| PyValueError::new_err("there is no term with such an id"))
    }

    /// How many numbers are remembered.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        detached(py, || self.inner.read().map_or(0, |cache| cache.len()))
    }

    /// What the text's terms add to `base`, and unknown ones if they have weights; or the ids that are not remembered
    /// yet. None if the table is not as it was, or the gate cannot be entered at once.
    #[pyo3(signature = (table, text, analysis, base, unknown, gate))]
    fn score<'py>(
        &self,
        table: &PyTable,
        text: &Bound<'py, PyString>,
        analysis: &PyAnalysis,
        base: PyReadonlyArray1<'_, f64>,
        unknown: Option<PyReadonlyArray1<'_, f64>>,
        gate: &PyReading,
    ) -> PyResult<Option<Found<'py>>> {
        let (py, text, base) = (text.py(), Text::of(text)?, base.as_slice()?);
        let unknown = unknown.as_ref().map(|unknown| unknown.as_slice()).transpose()?;
        if base.len() != self.columns || unknown.is_some_and(|unknown| unknown.len() != self.columns) {
            return Err(PyValueError::new_err("base and unknown must be (columns,)"));
        }
        let Some(_inside) = gate.at_once() else { return Ok(None) };
        let found = table.look(py, |table| -> PyResult<_> {
            if table.changes() != self.changes {
                return Ok(None);
            }
            let part = analysis.analyze(&[text.as_str()], &table.terms, 1)?.pop().expect("one part for one text");
            let mut counter = TermCounter::new(part.ids, part.found.ids.len());
            let items = counter.count(part.found.get(0));
            Ok(Some(match self.inner.read() {
                Ok(cache) => cache.score(items, base, self.scale),
                Err(_) => self.write().score(items, base, self.scale),
            }))
        })??;
        Ok(found.map(|found| match found {
            Ok(mut scores) => {
                unknown.into_iter().for_each(|weights| scores.add_unknown(weights));
                let (place, highest, next) = two_highest(&scores.sums);
                let Coverage { known, unknown, unknown_distinct, unknown_weighed } = scores.coverage;
                let sums = scores.sums.into_pyarray(py);
                Found::Sums((sums, known, unknown, unknown_distinct, unknown_weighed, place, highest, next))
            }
            Err(missing) => Found::Missing(missing.into_pyarray(py)),
        }))
    }
}
