//! The counts of a text column.

use super::panics::{detached, error};
use super::py_analysis::Analysis;
use super::py_ledger::Ledger;
use super::scoring as postings;
use super::strings::{Text, Texts, each_chunk};
use super::table_arrays::{Held, Whole};
use super::{Array, Matrix, weighting};
use crate::count::ledger::fingerprint;
use crate::count::term_counter::Bag;
use crate::count::totals::{Full, Totals};
use crate::score::dense::{Base, Scores, Scoring, Weights};
use crate::table::arrays::{export, import};
use crate::table::document_term_matrix::{Bags, known, learn as learn_bags};
use crate::table::learn::Documents;
use crate::table::{Cell, Error, Table as CoreTable};
use crate::vocabulary::overlay::Scope;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

/// The counts of a text column.
#[pyclass(frozen)]
#[derive(Default)]
pub struct Table {
    inner: RwLock<CoreTable>,
    is_half_changed: AtomicBool, // something panicked in the middle of a change
}

impl Table {
    fn of(table: CoreTable) -> Table {
        Table { inner: RwLock::new(table), ..Table::default() }
    }

    pub fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&CoreTable) -> T + Send) -> PyResult<T> {
        detached(py, || {
            let table = self.read();
            self.is_whole().then(|| work(&table))
        })?
        .ok_or_else(|| half_changed(py))
    }

    /// A panic leaves the table as it was if nothing had changed yet; else it cannot be used any more.
    pub fn change<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreTable) -> T + Send) -> PyResult<T> {
        detached(py, || {
            let mut table = self.inner.write().unwrap_or_else(PoisonError::into_inner);
            let changes = table.changes();
            let done = self.is_whole().then(|| catch_unwind(AssertUnwindSafe(|| work(&mut table))))?;
            Some(done.unwrap_or_else(|cause| {
                self.is_half_changed.store(table.changes() != changes, Ordering::Relaxed);
                resume_unwind(cause)
            }))
        })?
        .ok_or_else(|| half_changed(py))
    }

    fn read(&self) -> RwLockReadGuard<'_, CoreTable> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner) // `is_half_changed` tells more
    }

    fn is_whole(&self) -> bool {
        !self.is_half_changed.load(Ordering::Relaxed)
    }
}

fn half_changed(py: Python<'_>) -> PyErr {
    error(py, "half_changed", ())
}

#[pymethods]
impl Table {
    #[new]
    fn new() -> Self {
        Table::default()
    }

    /// Counts texts, or raises OverflowError: `labels` and `weights` (in units) are by text. The ledger notes them by the names of their labels
    /// and their weights, where a unit is so many millionths.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (texts, labels, weights, analysis, threads, ledger=None, names=Vec::new(), millionths=1))]
    fn count(
        &self,
        texts: Texts<'_>,
        labels: PyReadonlyArray1<'_, u32>,
        weights: Option<PyReadonlyArray1<'_, u64>>,
        analysis: &Analysis,
        threads: usize,
        ledger: Option<&Ledger>,
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
            let documents = Documents { texts: &chunk, labels, weights, fingerprint: ledger.map(|_| &noted as _) };
            let fingerprints = self.change(texts.py(), |table| analysis.count(table, &documents, threads))??;
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
        if cells.iter().any(|(cell, weighted)| *weighted > 0 && !cell.can_be(*weighted)) {
            return Err(PyValueError::new_err("a term weighs at most 65536 for each time that it stands there"));
        }
        self.change(py, |table| table.put(&terms, label, &cells))?.map_err(full)
    }

    fn put_documents(&self, py: Python<'_>, label: u32, documents: u64) -> PyResult<()> {
        let more = Totals { documents, ..Totals::default() };
        self.change(py, |table| {
            table.has_room([(label, &more)].into_iter())?;
            table.add_documents(label, documents);
            Ok(())
        })?
        .map_err(full)
    }

    /// Adds another table; `labels[l]` is what its label `l` is called here. OverflowError, and nothing changed, if a sum
    /// would be too large.
    fn merge(&self, py: Python<'_>, other: &Table, labels: Vec<u32>) -> PyResult<()> {
        self.with_other(py, other, labels.len(), |table, other| table.merge(other, &labels))?.map_err(full)
    }

    /// Subtracts another table; False, and nothing changed, if it is not held.
    fn subtract(&self, py: Python<'_>, other: &Table, labels: Vec<u32>) -> PyResult<bool> {
        self.with_other(py, other, labels.len(), |table, other| table.subtract(other, &labels).is_ok())
    }

    /// Multiplies every number. OverflowError, and nothing changed, if a sum would be too large.
    fn scale(&self, py: Python<'_>, factor: u64) -> PyResult<()> {
        self.change(py, |table| table.scale(factor))?.map_err(full)
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Table> {
        Ok(Table::of(self.look(py, CoreTable::clone)?))
    }

    /// Keeps so many terms, the most frequent ones. Ids are given anew. `errors` are pairs (from which id on, by how much
    /// a count may be too low), sorted. Gives how many terms and tokens were dropped, and the errors by the new ids; the
    /// last is that of terms to come, and says how often a term that is not there stood in the texts at most.
    #[allow(clippy::type_complexity)]
    fn prune(&self, py: Python<'_>, keep: usize, errors: Vec<(u32, u64)>) -> PyResult<(u64, u64, Vec<(u32, u64)>)> {
        let errors: Vec<Error> = errors.into_iter().map(|(from, most)| Error { from, most }).collect();
        let rising = errors.windows(2).all(|pair| pair[0].from < pair[1].from);
        let first = errors.first().is_some_and(|error| error.from == 0);
        let dropped = self.change(py, |table| {
            let last = errors.last().is_some_and(|error| error.from as usize <= table.ids());
            (rising && first && last).then(|| table.prune(keep, &errors))
        })?;
        let dropped = dropped.ok_or_else(|| PyValueError::new_err("errors are of rising ids, the first of 0"))?;
        let errors = dropped.errors.iter().map(|error| (error.from, error.most)).collect();
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
        self.look(py, CoreTable::live)
    }

    /// How many ids there are; some may stand for no term of the vocabulary.
    fn ids(&self, py: Python<'_>) -> PyResult<usize> {
        self.look(py, CoreTable::ids)
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
        postings::rows(py, self, ids.as_slice()?, &labels, statistic)
    }

    /// The same where it is not 0: where each id ends; then columns and numbers of all ids, end to end.
    #[allow(clippy::type_complexity)]
    fn postings<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        labels: Vec<u32>,
        statistic: &str,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u32>, Array<'py, u64>)> {
        postings::postings(py, self, ids.as_slice()?, &labels, statistic)
    }

    /// The sums of some ids over all labels.
    fn sums_of_terms<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        statistic: &str,
    ) -> PyResult<Array<'py, u64>> {
        postings::sums_of_terms(py, self, ids.as_slice()?, statistic)
    }

    /// The counts as arrays; `places[label]` is where a label stands among those that have counts.
    #[allow(clippy::type_complexity)]
    fn export<'py>(
        &self,
        py: Python<'py>,
        places: Vec<u32>,
    ) -> PyResult<(
        Array<'py, u8>,
        Array<'py, u64>,
        Array<'py, u64>,
        Array<'py, u32>,
        Array<'py, u64>,
        Array<'py, u64>,
        Array<'py, u64>,
    )> {
        if self.look(py, |table| table.totals().len())? > places.len() {
            return Err(PyValueError::new_err("every label needs a place"));
        }
        let arrays = self.look(py, |table| export(table, &places))?;
        Ok((
            arrays.terms.into_pyarray(py),
            arrays.term_ends.into_pyarray(py),
            arrays.cell_ends.into_pyarray(py),
            arrays.cell_labels.into_pyarray(py),
            arrays.cell_tf.into_pyarray(py),
            arrays.cell_df.into_pyarray(py),
            arrays.cell_weights.into_pyarray(py),
        ))
    }

    /// A table with these counts and documents by label; ValueError says what is wrong with the arrays.
    #[staticmethod]
    #[pyo3(signature = (documents, terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights=None))]
    #[allow(clippy::too_many_arguments)]
    fn load<'py>(
        py: Python<'py>,
        documents: PyReadonlyArray1<'py, u64>,
        terms: PyReadonlyArray1<'py, u8>,
        term_ends: Whole<'py>,
        cell_ends: Whole<'py>,
        cell_labels: Whole<'py>,
        cell_tf: Whole<'py>,
        cell_df: Whole<'py>,
        cell_weights: Option<Whole<'py>>,
    ) -> PyResult<Table> {
        let held = Held { terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights };
        let (arrays, documents) = (held.view()?, documents.as_slice()?);
        let table = detached(py, || import(&arrays, documents))?.map_err(PyValueError::new_err)?;
        Ok(Table::of(table))
    }

    /// One text as ids and how often, in order of first sight. Ids from `ids()` on are new; their texts stand last.
    #[allow(clippy::type_complexity)]
    fn bag<'py>(
        &self,
        text: &Bound<'py, PyString>,
        analysis: &Analysis,
    ) -> PyResult<(Array<'py, u32>, Array<'py, u32>, Vec<String>)> {
        let (py, text) = (text.py(), Text::of(text)?);
        let (items, new) = self.look(py, |table| -> PyResult<_> {
            let part = analysis.read(&[text.as_str()], &table.terms, 1)?.pop().expect("one part for one text");
            let mut bag = Bag::new(part.ids, part.found.ids.len());
            let items = bag.fill(part.found.get(0)).to_vec();
            let mut scope = Scope::over(&table.terms);
            scope.own = part.own;
            let known = table.ids() as u32;
            let new = items.iter().filter(|(id, _)| *id >= known).map(|(id, _)| scope.text(*id)).collect();
            Ok((items, new))
        })??;
        let (ids, times): (Vec<u32>, Vec<u32>) = items.into_iter().unzip();
        Ok((ids.into_pyarray(py), times.into_pyarray(py), new))
    }

    /// Where each text ends; then its terms as ids and how often, in order of first sight, end to end; then what `count`
    /// would add to `weighted` for each of them if the text has the weight 1, or nothing if the analysis does not weigh. If they are learnt, they are counted under label 0; if not, terms that are not in the vocabulary are left out,
    /// or have the highest id if they are to be marked.
    #[allow(clippy::type_complexity)]
    #[pyo3(signature = (texts, analysis, threads, learn, marked=false))]
    fn bags<'py>(
        &self,
        texts: Texts<'py>,
        analysis: &Analysis,
        threads: usize,
        learn: bool,
        marked: bool,
    ) -> PyResult<(Array<'py, u64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u64>)> {
        let (py, mut all) = (texts.py(), Bags::default());
        each_chunk(&texts, |chunk, _| {
            let read = |table: &CoreTable| analysis.read(&chunk, &table.terms, threads);
            let weighting = analysis.weighting();
            let learnt = |table: &mut CoreTable| learn_bags(table, read(table)?, weighting).map_err(full);
            all.append(match learn {
                true => self.change(py, learnt)??,
                false => self.look(py, |table| read(table).map(|parts| known(table, parts, marked, weighting)))??,
            });
            Ok(())
        })?;
        let (ends, ids, times) = (all.ends.into_pyarray(py), all.ids.into_pyarray(py), all.times.into_pyarray(py));
        Ok((ends, ids, times, all.weights.into_pyarray(py)))
    }

    /// For each text base + the sum of its terms' weights, each times what `weigh` says; with how many known, unknown and
    /// distinct unknown terms, and the sum of what `weigh` says of these. `rows` is (ids, labels), `kept` is 0 where an id
    /// counts as unknown and 2 where it is skipped; `base` is (1, labels) for all texts alike, or (texts, labels).
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    #[pyo3(signature = (texts, analysis, rows, kept, base, scale, threads))]
    fn score<'py>(
        &self,
        texts: Texts<'py>,
        analysis: &Analysis,
        rows: PyReadonlyArray2<'_, f64>,
        kept: PyReadonlyArray1<'_, u8>,
        base: PyReadonlyArray2<'_, f64>,
        scale: &str,
        threads: usize,
    ) -> PyResult<(Matrix<'py, f64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u32>, Array<'py, f64>)> {
        let (labels, alike) = (base.shape()[1], base.shape()[0] == 1);
        if rows.shape() != [kept.len(), labels] || !(alike || base.shape()[0] == texts.len()) {
            return Err(PyValueError::new_err(
                "rows must be (ids, labels), kept (ids,) and base (1, labels) or (texts, labels)",
            ));
        }
        let base = Base { values: base.as_slice()?, labels, each: !alike };
        let weights =
            Weights { rows: rows.as_slice()?, kept: kept.as_slice()?, base, scale: weighting::checked(scale)? };
        let py = texts.py();
        let mut all = Scores::default();
        each_chunk(&texts, |chunk, start| {
            let bytes: usize = chunk.iter().map(|text| text.len()).sum();
            let scoring = |documents: Range<usize>| {
                Scoring::new(&weights, start + documents.start, Bag::new(weights.kept.len(), bytes / 5 / threads))
            };
            let parts = self.look(py, |table| analysis.read_into(&chunk, &table.terms, threads, scoring))??;
            parts.into_iter().for_each(|part| all.append(part.found.scores));
            Ok(())
        })?;
        Ok(postings::as_arrays(py, all, labels))
    }
}

fn full(_: Full) -> PyErr {
    PyOverflowError::new_err("a sum would be larger than 2^62")
}

impl Table {
    fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &Table,
        labels: usize,
        work: impl FnOnce(&mut CoreTable, &CoreTable) -> T + Send,
    ) -> PyResult<T> {
        if other.look(py, |table| table.totals().len())? > labels {
            return Err(PyValueError::new_err("every label of the other table needs a name here"));
        }
        if std::ptr::eq(self, other) {
            return Err(PyValueError::new_err("a table cannot be changed by itself; copy it first"));
        }
        self.change(py, |table| work(table, &other.read()))
    }
}
