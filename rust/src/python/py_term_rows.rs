//! Documents as rows of distinct terms, and support vector machines that are fitted to them.

use super::errors::detached;
use super::py_analysis::PyAnalysis;
use super::strings::{Texts, each_chunk};
use super::{Array, Matrix};
use crate::judge::bags::Gathering;
use crate::refine::descent::Effort;
use crate::refine::fitting::{Fitted, Fitting, Progress};
use crate::refine::term_rows::Rows;
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::atomic::Ordering;
use std::time::Duration;

const LOOK: Duration = Duration::from_millis(50); // how often it is looked whether somebody wants to stop

/// Documents as rows of distinct terms.
#[pyclass(frozen, name = "TermRows")]
pub struct PyTermRows {
    inner: Rows,
}

/// Margins (documents, machines), weights (terms, machines), biases (machines,), scales (terms,).
type FittedArrays<'py> = (Matrix<'py, f64>, Matrix<'py, f32>, Array<'py, f64>, Array<'py, f32>);

#[pymethods]
impl PyTermRows {
    /// The terms that at least `least` of the texts have, and at most `most` terms.
    #[new]
    fn new(texts: Texts<'_>, analysis: &PyAnalysis, least: u32, most: usize, threads: usize) -> PyResult<Self> {
        let (py, mut gathering) = (texts.py(), Gathering::default());
        each_chunk(&texts, |chunk, _| {
            detached(py, || {
                let parts = analysis.analyze(&chunk, gathering.terms(), threads)?;
                gathering.take(parts);
                Ok(())
            })?
        })?;
        Ok(PyTermRows { inner: detached(py, || Rows::of(gathering, least, most))? })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// How many terms all rows have together.
    fn entries(&self) -> usize {
        self.inner.items.len()
    }

    fn names(&self) -> Vec<String> {
        self.inner.names.clone()
    }

    /// Fits machines of squared hinge loss, each label against the rest; of two labels one machine, for the second.
    /// `folds[d]` is the fold of a document. Below `judged`, its margin is that of machines that have not seen its fold;
    /// documents of other folds have none.
    /// `costs` multiply `cost`, document by document. `report` is called with how many machines are done, of how many.
    #[pyo3(signature = (labels, count, *, folds=None, judged=0, costs=None, cost=1.0, tolerance=0.05, epochs=30, whole=true, threads=1, report=None))]
    #[allow(clippy::too_many_arguments)]
    fn fit<'py>(
        &self,
        py: Python<'py>,
        labels: PyReadonlyArray1<'py, u32>,
        count: usize,
        folds: Option<PyReadonlyArray1<'py, u32>>,
        judged: usize,
        costs: Option<PyReadonlyArray1<'py, f64>>,
        cost: f64,
        tolerance: f64,
        epochs: usize,
        whole: bool,
        threads: usize,
        report: Option<Bound<'py, PyAny>>,
    ) -> PyResult<FittedArrays<'py>> {
        let (labels, rows) = (labels.as_slice()?, &self.inner);
        let folds = folds.as_ref().map(|folds| folds.as_slice()).transpose()?;
        let costs = costs.as_ref().map(|costs| costs.as_slice()).transpose()?;
        let has_length = |length: usize| length == rows.len();
        if !has_length(labels.len()) || (judged > 0 && !has_length(folds.map_or(0, <[u32]>::len))) {
            return Err(PyValueError::new_err("every document needs a label and a fold"));
        }
        if count < 2 || labels.iter().any(|label| *label as usize >= count) {
            return Err(PyValueError::new_err("there are at least two labels, and no others"));
        }
        let is_cost = |cost: f64| cost > 0.0 && cost < f64::INFINITY;
        let are_costs =
            costs.is_none_or(|costs| has_length(costs.len()) && costs.iter().all(|one| is_cost(one * cost)));
        if !is_cost(cost) || !are_costs {
            return Err(PyValueError::new_err("costs must be above 0"));
        }
        let machines = if count == 2 { 1 } else { count };
        let effort = Effort { tolerance, epochs };
        let folds = folds.unwrap_or_default();
        let fitting = Fitting { rows, labels, machines, folds, judged, whole, costs, cost, effort, threads };
        let found = fitted(py, &fitting, report.as_ref())?;
        let (documents, terms) = (found.margins.len() / machines, found.scales.len());
        let margins = Array2::from_shape_vec((documents, machines), found.margins).expect("one for each machine");
        let weights = Array2::from_shape_vec((terms, machines), found.weights).expect("one for each machine");
        Ok((
            margins.into_pyarray(py),
            weights.into_pyarray(py),
            found.biases.into_pyarray(py),
            found.scales.into_pyarray(py),
        ))
    }
}

/// Fits on other threads, and meanwhile looks whether the user wants to stop.
fn fitted(py: Python<'_>, fitting: &Fitting<'_>, report: Option<&Bound<'_, PyAny>>) -> PyResult<Fitted> {
    let progress = Progress::default();
    let report = report.map(|report| report.clone().unbind());
    let found = detached(py, || {
        let caller = std::thread::current();
        std::thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let found = fitting.fit(&progress);
                caller.unpark();
                found
            });
            let (mut said, mut failure) = (0, None);
            while !worker.is_finished() {
                std::thread::park_timeout(LOOK);
                let done = progress.done.load(Ordering::Relaxed);
                let told = Python::attach(|py| {
                    py.check_signals()?;
                    match &report {
                        Some(report) if done > said => report.call1(py, (done, fitting.jobs())).map(drop),
                        _ => Ok(()),
                    }
                });
                said = done;
                if let Err(error) = told {
                    progress.stop.store(true, Ordering::Relaxed);
                    failure = failure.or(Some(error));
                }
            }
            let found = worker.join().expect("a worker does not panic");
            failure.map_or(Ok(found), Err)
        })
    })??;
    found.ok_or_else(|| PyValueError::new_err("it was stopped"))
}
