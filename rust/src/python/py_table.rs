//! The counts of a text column.

use super::errors::{detached, too_large};
use super::py_analysis::PyAnalysis;
use super::py_ledger::PyLedger;
use super::scoring::{Questions, ScoreArrays};
use super::strings::{Text, Texts, each_chunk};
use super::table_arrays::{Exported, HeldArrays, UnsignedArray, exported};
use super::vocabulary_numbers::{self, PostingArrays};
use super::{Array, Matrix};
use crate::analyze::batch::Fingerprint;
use crate::count::ledger::fingerprint;
use crate::count::term_counter::TermCounter;
use crate::count::totals::Totals;
use crate::table::Table;
use crate::table::arrays::{export, import};
use crate::table::document_term_matrix::DocumentTermMatrix;
use crate::table::learn::Documents;
use crate::table::prune::Undercount;
use crate::table::row::Cell;
use crate::vocabulary::overlay::Overlay;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::sync::RwLock;
use std::sync::atomic::AtomicBool;

/// The counts of a text column.
#[pyclass(frozen, name = "Table")]
#[derive(Default)]
pub struct PyTable {
    pub(super) inner: RwLock<Table>,
    pub(super) is_half_changed: AtomicBool, // something panicked in the middle of a change
}

#[pymethods]
impl PyTable {
    #[new]
    fn new() -> Self {
        PyTable::default()
    }

    /// Counts texts, or raises OverflowError: `labels` and `weights` (in units) are by text. The ledger notes them by
    /// the names of their labels and their weights; a unit is `millionths` millionths.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (texts, labels, weights, analysis, threads, ledger=None, names=Vec::new(), millionths=1))]
    fn count(
        &self,
        texts: Texts<'_>,
        labels: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, u64>>,
        analysis: &PyAnalysis,
        threads: usize,
        ledger: Option<&PyLedger>,
        names: Vec<String>,
        millionths: u64,
    ) -> PyResult<()> {
        let labels = labels.as_slice()?;
        let weights = weights.as_ref().map(|weights| weights.as_slice()).transpose()?;
        if labels.len() != texts.len() || weights.is_some_and(|weights| weights.len() != texts.len()) {
            return Err(PyValueError::new_err("texts, labels and weights must have the same length"));
        }
        if ledger.is_some() && labels.iter().any(|label| *label as usize >= names.len()) {
            return Err(PyValueError::new_err("every label needs a name"));
        }
        each_chunk(&texts, |chunk, start| {
            let end = start + chunk.len();
            let (labels, weights) = (&labels[start..end], weights.map(|weights| &weights[start..end]));
            let weight = |document: usize| weights.map_or(1, |weights| weights[document]) * millionths;
            let noted =
                |document: usize, text: &str| fingerprint(text, &names[labels[document] as usize], weight(document));
            let fingerprint: Fingerprint = ledger.map(|_| &noted as _);
            let documents = Documents { texts: &chunk, labels, weights, fingerprint, ..Documents::default() };
            let fingerprints = self.change(texts.py(), |table| analysis.learn(table, documents, threads))??;
            ledger.map_or(Ok(()), |ledger| ledger.note(texts.py(), &fingerprints))
        })
    }

    /// Adds counts that are known already, a cell each.
    #[pyo3(signature = (terms, label, tf, df, weighted=None))]
    fn put(
        &self,
        py: Python<'_>,
        terms: Vec<String>,
        label: u32,
        tf: Vec<u64>,
        df: Vec<u64>,
        weighted: Option<Vec<u64>>,
    ) -> PyResult<()> {
        let weighted = weighted.unwrap_or_else(|| vec![0; terms.len()]);
        if [tf.len(), df.len(), weighted.len()] != [terms.len(); 3] {
            return Err(PyValueError::new_err("terms, tf, df and weighted must have the same length"));
        }
        let numbers = tf.into_iter().zip(df).zip(weighted);
        let cells: Vec<_> = numbers.map(|((tf, df), weighted)| (Cell { label, tf, df }, weighted)).collect();
        if cells.iter().any(|(cell, weighted)| *weighted > 0 && !cell.is_possible(*weighted)) {
            return Err(PyValueError::new_err("a term weighs at most 65536 for each of its occurrences"));
        }
        self.change(py, |table| table.put(&terms, label, &cells))?.map_err(too_large)
    }

    fn put_documents(&self, py: Python<'_>, label: u32, documents: u64) -> PyResult<()> {
        let more = Totals { documents, ..Totals::default() };
        self.change(py, |table| {
            table.has_room([(label, &more)].into_iter())?;
            table.add_documents(label, documents);
            Ok(())
        })?
        .map_err(too_large)
    }

    /// Adds another table; `labels[l]` is the number of its label `l` here. OverflowError, and nothing changed, if a
    /// sum would be too large.
    fn merge(&self, py: Python<'_>, other: &PyTable, labels: Vec<u32>) -> PyResult<()> {
        self.with_other(py, other, labels.len(), |table, other| table.merge(other, &labels))?.map_err(too_large)
    }

    /// Subtracts another table; False, and nothing changed, if it is not held.
    fn subtract(&self, py: Python<'_>, other: &PyTable, labels: Vec<u32>) -> PyResult<bool> {
        self.with_other(py, other, labels.len(), |table, other| table.subtract(other, &labels).is_ok())
    }

    /// Multiplies every number. OverflowError, and nothing changed, if a sum would be too large.
    fn scale(&self, py: Python<'_>, factor: u64) -> PyResult<()> {
        self.change(py, |table| table.scale(factor))?.map_err(too_large)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<PyTable> {
        Ok(PyTable::of(self.look(py, Table::clone)?))
    }

    /// Keeps the `keep` most frequent terms. Ids are renumbered. `errors` are pairs (from which id on, by how much a
    /// count may be too low), sorted. Gives how many terms and tokens were dropped, and the errors by the new ids;
    /// the last is that of terms to come: how often a term that is not in the vocabulary occurred at most.
    #[allow(clippy::type_complexity)]
    fn prune(&self, py: Python<'_>, keep: usize, errors: Vec<(u32, u64)>) -> PyResult<(u64, u64, Vec<(u32, u64)>)> {
        let before: Vec<Undercount> = errors.into_iter().map(|(from, most)| Undercount { from, most }).collect();
        let rising = before.windows(2).all(|pair| pair[0].from < pair[1].from);
        let first = before.first().is_some_and(|undercount| undercount.from == 0);
        let dropped = self.change(py, |table| {
            let last = before.last().is_some_and(|undercount| undercount.from as usize <= table.ids());
            (rising && first && last).then(|| table.prune(keep, &before))
        })?;
        let dropped = dropped.ok_or_else(|| PyValueError::new_err("errors are of rising ids, the first of 0"))?;
        let errors = dropped.undercounts.iter().map(|undercount| (undercount.from, undercount.most)).collect();
        Ok((dropped.terms, dropped.tf, errors))
    }

    /// Panics, as a defect in the kernel would, when the table is "read", "before" it is changed, or "during" a change.
    fn fail(&self, py: Python<'_>, when: &str) -> PyResult<()> {
        match when {
            "read" => self.look(py, |_| panic!("on purpose")),
            _ => self.change(py, |table| {
                (when == "during").then(|| table.add_documents(0, 0));
                panic!("on purpose")
            }),
        }
    }

    /// How many terms are in the vocabulary.
    fn size(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, Table::live)
    }

    /// How many ids there are; some may be of no term of the vocabulary.
    fn ids(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, Table::ids)
    }

    /// By label: documents, sum of tf, sum of df, distinct terms, sum of weighted.
    #[allow(clippy::type_complexity)]
    fn totals<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u64>, Array<'py, u64>, Array<'py, u64>, Array<'py, u64>)> {
        let all = self.look(py, |table| table.totals().to_vec())?;
        let column = |field: fn(&Totals) -> u64| all.iter().map(field).collect::<Vec<_>>().into_pyarray(py);
        let (documents, distinct) = (column(|t| t.documents), column(|t| t.distinct));
        Ok((documents, column(|t| t.tf), column(|t| t.df), distinct, column(|t| t.weighted)))
    }

    /// The id of a term of the vocabulary.
    fn find(&self, py: Python<'_>, term: String) -> PyResult<Option<u32>> {
        self.look(py, |table| table.terms.find_text(&term).filter(|id| !table.row(*id).is_empty()))
    }

    fn texts(&self, py: Python<'_>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Vec<String>> {
        let ids = ids.as_slice()?;
        let texts = self.look(py, |table| {
            let known = |id: &u32| ((*id as usize) < table.ids()).then(|| table.terms.text(*id));
            ids.iter().map(known).collect::<Option<Vec<String>>>()
        })?;
        texts.ok_or_else(|| PyValueError::new_err("there is no term with such an id"))
    }

    /// How many words each term has: 1 + its spaces; 255 if there are more.
    fn orders<'py>(&self, py: Python<'py>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Array<'py, u8>> {
        let ids = ids.as_slice()?;
        let orders = self.look(py, |table| {
            let known = |id: &u32| ((*id as usize) < table.ids()).then(|| table.terms.order(*id).min(255) as u8);
            ids.iter().map(known).collect::<Option<Vec<u8>>>()
        })?;
        Ok(orders.ok_or_else(|| PyValueError::new_err("there is no term with such an id"))?.into_pyarray(py))
    }

    /// tf, df or weighted of some ids under some labels, as (ids, labels).
    fn rows<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        labels: Vec<u32>,
        statistic: &str,
    ) -> PyResult<Matrix<'py, u64>> {
        vocabulary_numbers::rows(py, self, ids.as_slice()?, &labels, statistic)
    }

    /// The same where it is not 0: where each id ends; then columns and numbers of all ids, end to end.
    fn postings<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        labels: Vec<u32>,
        statistic: &str,
    ) -> PyResult<PostingArrays<'py>> {
        vocabulary_numbers::postings(py, self, ids.as_slice()?, &labels, statistic)
    }

    /// The sums of some ids over all labels.
    fn sums_of_terms<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        statistic: &str,
    ) -> PyResult<Array<'py, u64>> {
        vocabulary_numbers::sums_of_terms(py, self, ids.as_slice()?, statistic)
    }

    /// The counts as arrays; `places[label]` is the place of a label among those that have counts.
    fn export<'py>(&self, py: Python<'py>, places: Vec<u32>) -> PyResult<Exported<'py>> {
        if self.look(py, |table| table.totals().len())? > places.len() {
            return Err(PyValueError::new_err("every label needs a place"));
        }
        Ok(exported(py, self.look(py, |table| export(table, &places))?))
    }

    /// A table with these counts and documents by label; ValueError says what is wrong with the arrays.
    #[staticmethod]
    #[pyo3(signature = (documents, terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights=None))]
    #[allow(clippy::too_many_arguments)]
    fn load<'py>(
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u64>,
        terms: PyReadonlyArray1<'py, u8>,
        term_ends: UnsignedArray<'py>,
        cell_ends: UnsignedArray<'py>,
        cell_labels: UnsignedArray<'py>,
        cell_tf: UnsignedArray<'py>,
        cell_df: UnsignedArray<'py>,
        cell_weights: Option<UnsignedArray<'py>>,
    ) -> PyResult<PyTable> {
        let held = HeldArrays { terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights };
        let (arrays, documents) = (held.view()?, documents.as_slice()?);
        let table = detached(py, || import(&arrays, documents))?.map_err(PyValueError::new_err)?;
        Ok(PyTable::of(table))
    }

    /// The terms of one text as ids and how often each occurs, in order of first sight. Ids from `ids()` on are new;
    /// their texts come last.
    #[allow(clippy::type_complexity)]
    fn bag<'py>(
        &self,
        text: &Bound<'py, PyString>,
        analysis: &PyAnalysis,
    ) -> PyResult<(Array<'py, u32>, Array<'py, u32>, Vec<String>)> {
        let (py, text) = (text.py(), Text::of(text)?);
        let (items, new) = self.look(py, |table| -> PyResult<_> {
            let part = analysis.analyze(&[text.as_str()], &table.terms, 1)?.pop().expect("one part for one text");
            let mut counter = TermCounter::new(part.ids, part.found.ids.len());
            let items = counter.count(part.found.get(0)).to_vec();
            let mut overlay = Overlay::over(&table.terms);
            overlay.own = part.own;
            let known = table.ids() as u32;
            let new = items.iter().filter(|(id, _)| *id >= known).map(|(id, _)| overlay.text(*id)).collect();
            Ok((items, new))
        })??;
        let (ids, times): (Vec<u32>, Vec<u32>) = items.into_iter().unzip();
        Ok((ids.into_pyarray(py), times.into_pyarray(py), new))
    }

    /// The document-term matrix: where each text ends; then the ids of its terms and how often each occurs, in order
    /// of first sight, end to end; then what `count` would add to `weighted` for each of them if the text has the
    /// weight 1, or nothing if the analysis has no weighting. If texts are learned, they are counted under label 0;
    /// if not, terms outside the vocabulary are left out, or have the highest id if they are to be marked.
    #[allow(clippy::type_complexity)]
    #[pyo3(signature = (texts, analysis, threads, learn, marked=false))]
    fn bags<'py>(
        &self,
        texts: Texts<'py>,
        analysis: &PyAnalysis,
        threads: usize,
        learn: bool,
        marked: bool,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u64>)> {
        let (py, mut all) = (texts.py(), DocumentTermMatrix::default());
        each_chunk(&texts, |chunk, _| {
            let (chunk, weighting) = (&chunk, analysis.weighting());
            let analyze = |table: &Table| analysis.analyze(chunk, &table.terms, threads);
            let learned = |table: &mut Table| {
                let parts = analyze(table)?;
                table.learn_matrix(parts, weighting).map_err(too_large)
            };
            all.append(match learn {
                true => self.change(py, learned)??,
                false => self.look(py, |table| Ok::<_, PyErr>(table.matrix(analyze(table)?, marked, weighting)))??,
            });
            Ok(())
        })?;
        let (ends, ids, times) = (all.ends.into_pyarray(py), all.ids.into_pyarray(py), all.times.into_pyarray(py));
        Ok((ends, ids, times, all.weights.into_pyarray(py)))
    }

    /// For each text base + the sum of its terms' weights, each times its factor by `weigh`; with how many known,
    /// unknown and distinct unknown terms, and the sum of the factors of these. `rows` is (ids, labels), `kept` is 0
    /// where an id counts as unknown and 2 where it is skipped; `base` is (1, labels) for all texts alike, or (texts,
    /// labels).
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (texts, analysis, rows, kept, base, scale, threads))]
    fn score<'py>(
        &self,
        texts: Texts<'py>,
        analysis: &PyAnalysis,
        rows: PyReadonlyArray2<'_, f64>,
        kept: PyReadonlyArray1<'_, u8>,
        base: PyReadonlyArray2<'_, f64>,
        scale: &str,
        threads: usize,
    ) -> PyResult<ScoreArrays<'py>> {
        Questions { table: self, texts, analysis, threads }.score_dense(rows, kept, base, scale)
    }
}
