//! Documents as bags of ids, on which settings are judged.

use super::Array;
use super::errors::detached;
use super::py_analysis::PyAnalysis;
use super::py_ledger::PyLedger;
use super::py_table::PyTable;
use super::scoring::scale_named;
use super::strings::{Texts, each_chunk};
use crate::count::ledger::fingerprint;
use crate::count::term_weights::Scale;
use crate::judge::bags::{Bags, Gathering};
use crate::judge::copies::repeated;
use crate::judge::leave_one_out::{Event, Judged, LANES, Wanted};
use crate::judge::reduction::Weigher;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::RwLock;

/// Documents as bags of ids. Each counts 1.
#[pyclass(frozen, name = "Bags")]
pub struct PyBags {
    inner: RwLock<Option<Bags>>, // None: they were used up
    names: Vec<String>,
    fingerprints: Vec<u128>, // by document as it was given
    threads: usize,
}

/// A document that counts 1, as the ledger notes it.
const WEIGHT: u64 = 1_000_000;

#[pymethods]
impl PyBags {
    /// `names` are those of the labels, as the ledger notes them; `own` the n-grams that the analyzer itself makes: the
    /// first layer. The second has the other n-grams of the analysis, the third pieces of words.
    #[new]
    fn new(
        texts: Texts<'_>,
        labels: PyReadonlyArray1<'_, u32>,
        names: Vec<String>,
        analysis: &PyAnalysis,
        own: (usize, usize),
        threads: usize,
    ) -> PyResult<Self> {
        let labels = labels.as_slice()?;
        if labels.len() != texts.len() || labels.iter().any(|label| *label as usize >= names.len()) {
            return Err(PyValueError::new_err("every text needs a label, and every label a name"));
        }
        let (mut gathering, mut fingerprints) = (Gathering::default(), Vec::with_capacity(labels.len()));
        let py = texts.py();
        each_chunk(&texts, |chunk, start| {
            detached(py, || {
                let named = chunk.iter().zip(&labels[start..]);
                fingerprints.extend(named.map(|(text, label)| fingerprint(text, &names[*label as usize], WEIGHT)));
                let parts = analysis.analyze(&chunk, gathering.terms(), threads)?;
                gathering.take(parts);
                Ok(())
            })?
        })?;
        let inner = detached(py, || gathering.finish(labels, own, threads))?;
        Ok(PyBags { inner: RwLock::new(Some(inner)), names, fingerprints, threads })
    }

    /// By layer: how many terms there are, and how many sums by term and label a document looks at, on average.
    fn layers(&self, py: Python<'_>) -> PyResult<Vec<(usize, f64)>> {
        self.look(py, |bags| {
            let layers = bags.layers.iter().enumerate();
            layers.map(|(place, layer)| (layer.size(), bags.cells(&[place]))).collect()
        })
    }

    /// How much an occurrence of a term in these layers weighs on average. `length` are the layers that the length of
    /// a document is made of; None: weights are not divided by it.
    #[pyo3(signature = (layers, scale, length=None))]
    fn mean_weight(
        &self,
        py: Python<'_>,
        layers: Vec<usize>,
        scale: &str,
        length: Option<Vec<usize>>,
    ) -> PyResult<f64> {
        let scale = scale_named(scale)?;
        self.check_layers(py, layers.iter().chain(length.iter().flatten()))?;
        self.look(py, |bags| bags.mean_weight(&weigher(bags, scale, length.as_deref()), &layers))
    }

    /// Leaves out each of some rows, alone. Flat arrays: scores without a prior (rows, combinations of layers, alphas,
    /// labels), but for a number that is the same for all labels; known tokens (rows, combinations). Or in place of the
    /// scores whether the highest is that of the row's own label (rows, combinations, alphas, 2): under a uniform
    /// prior, and by the number of documents.
    #[allow(clippy::too_many_arguments)]
    fn leave_one_out<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, u32>,
        event: &str,
        scale: &str,
        length: Option<Vec<usize>>,
        alphas: [f64; LANES],
        together: Vec<Vec<usize>>,
        right: bool,
    ) -> PyResult<(Array<'py, f64>, Array<'py, u32>, Array<'py, u8>)> {
        let event = match event {
            "multinomial" => Event::Multinomial,
            "complement" => Event::Complement,
            _ => return Err(PyValueError::new_err("an event model is multinomial or complement")),
        };
        let (scale, rows) = (scale_named(scale)?, rows.as_slice()?);
        self.check_layers(py, together.iter().flatten().chain(length.iter().flatten()))?;
        self.check_rows(rows)?;
        if alphas.iter().any(|alpha| !(*alpha > 0.0 && *alpha < f64::INFINITY)) {
            return Err(PyValueError::new_err("there is no such alpha"));
        }
        let left = self.look(py, |bags| {
            let weigher = weigher(bags, scale, length.as_deref());
            let (labels, threads) = (self.names.len(), self.threads);
            let wanted = if right { Wanted::Right } else { Wanted::Scores };
            Judged { bags, labels, event, alphas, weigher, together: &together, wanted, threads }.leave_one_out(rows)
        })?;
        Ok((left.scores.into_pyarray(py), left.known.into_pyarray(py), left.right.into_pyarray(py)))
    }

    /// For each of some rows: how many distinct terms of a layer it has; how many of those that at most `rare`
    /// documents have are also in the document that shares most of them; whether it is there more than once.
    fn shared<'py>(
        &self,
        py: Python<'py>,
        rows: PyReadonlyArray1<'py, u32>,
        layer: usize,
        rare: usize,
    ) -> PyResult<(Array<'py, u32>, Array<'py, u32>, Array<'py, bool>)> {
        let rows = rows.as_slice()?;
        self.check_layers(py, [layer].iter())?;
        self.check_rows(rows)?;
        let found = self.look(py, |bags| {
            let (terms, shared): (Vec<u32>, Vec<u32>) =
                bags.shared(rows, layer, rare, self.threads).into_iter().unzip();
            (terms, shared, repeated(&self.fingerprints, rows))
        })?;
        Ok((found.0.into_pyarray(py), found.1.into_pyarray(py), found.2.into_pyarray(py)))
    }

    /// The counts of all documents as a table, noted in the ledger; the bags are used up. `labels[l]` is the number of
    /// the label `l` there. `length` as for `mean_weight`.
    #[pyo3(signature = (labels, weighting=None, length=None, ledger=None))]
    fn table(
        &self,
        py: Python<'_>,
        labels: Vec<u32>,
        weighting: Option<&str>,
        length: Option<Vec<usize>>,
        ledger: Option<&PyLedger>,
    ) -> PyResult<PyTable> {
        if labels.len() != self.names.len() {
            return Err(PyValueError::new_err("every label needs a number"));
        }
        self.check_layers(py, length.iter().flatten())?;
        let scale = weighting.map(scale_named).transpose()?;
        let taken = detached(py, || self.inner.write().expect("no thread panicked").take())?;
        let bags = taken.ok_or_else(used_up)?;
        let table = detached(py, || {
            let weigher = scale.map(|scale| weigher(&bags, scale, length.as_deref()));
            bags.into_table(weigher.as_ref(), &labels)
        })?;
        ledger.map_or(Ok(()), |ledger| ledger.note(py, &self.fingerprints))?;
        Ok(PyTable::of(table))
    }
}

impl PyBags {
    fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Bags) -> T + Send) -> PyResult<T> {
        detached(py, || self.inner.read().expect("no thread panicked").as_ref().map(work))?.ok_or_else(used_up)
    }

    fn check_rows(&self, rows: &[u32]) -> PyResult<()> {
        match rows.iter().all(|row| (*row as usize) < self.fingerprints.len()) {
            true => Ok(()),
            false => Err(PyValueError::new_err("there is no such row")),
        }
    }

    fn check_layers<'a>(&self, py: Python<'_>, layers: impl Iterator<Item = &'a usize>) -> PyResult<()> {
        let most = layers.copied().max().unwrap_or(0);
        match self.look(py, |bags| most < bags.layers.len())? {
            true => Ok(()),
            false => Err(PyValueError::new_err("there is no such layer")),
        }
    }
}

/// The rows in an order that depends on the documents alone, and not on where they stand.
#[pyfunction]
pub fn mixed_rows<'py>(
    texts: Texts<'py>,
    labels: PyReadonlyArray1<'py, u32>,
    names: Vec<String>,
) -> PyResult<Array<'py, u32>> {
    let (py, labels) = (texts.py(), labels.as_slice()?);
    if labels.len() != texts.len() || labels.iter().any(|label| *label as usize >= names.len()) {
        return Err(PyValueError::new_err("every text needs a label, and every label a name"));
    }
    let mut fingerprints = Vec::with_capacity(labels.len());
    each_chunk(&texts, |chunk, start| {
        let named = chunk.iter().zip(&labels[start..]);
        fingerprints.extend(named.map(|(text, label)| fingerprint(text, &names[*label as usize], WEIGHT)));
        Ok(())
    })?;
    let mut rows: Vec<u32> = (0..labels.len() as u32).collect();
    rows.sort_by_key(|row| fingerprints[*row as usize]);
    Ok(rows.into_pyarray(py))
}

fn weigher(bags: &Bags, scale: Scale, length: Option<&[usize]>) -> Weigher {
    Weigher { scale, lengths: length.map(|layers| bags.lengths(layers, scale)) }
}

fn used_up() -> PyErr {
    PyValueError::new_err("the bags were used up for a table")
}
