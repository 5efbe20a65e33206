//! The only file that knows Python. It moves strings and arrays across and calls the rest.
//!
//! Locks are taken only while the interpreter is released: a thread that waits for a lock must not keep the others,
//! one of which may hold the lock and want the interpreter to ask what tokens become.

use crate::arrays::{ArraysView, export, import};
use crate::bag::Bag;
use crate::batch::{Fingerprint, Part, read, side_by_side};
use crate::documents::{Rules, composed, spelling};
use crate::intern::Interner;
use crate::ledger::{Ledger as CoreLedger, fingerprint};
use crate::scope::Scope;
use crate::score::{Scores, Weights, score};
use crate::table::{Cell, Table as CoreTable};
use crate::terms::{Mapping, terms_of};
use crate::words::{Cut, each_word};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};
use std::sync::RwLock;

const CHUNK: usize = 64 << 20; // bytes of text that are read between two looks for Ctrl-C

type Array<'py, T> = Bound<'py, PyArray1<T>>;
type Matrix<'py, T> = Bound<'py, PyArray2<T>>;

// ---- analysis ----------------------------------------------------------------------------------------------------

/// How text becomes terms.
#[pyclass(frozen)]
struct Analysis {
    rules: Rules,
    map_tokens: Option<Py<PyAny>>,
}

fn cut(keep_punctuation: bool) -> Cut {
    if keep_punctuation { Cut::KeepPunctuation } else { Cut::DropPunctuation }
}

#[pymethods]
impl Analysis {
    #[new]
    #[pyo3(signature = (*, lowercase, keep_punctuation, words, ngrams, char_ngrams, phrases, map_tokens))]
    fn new(
        lowercase: bool,
        keep_punctuation: bool,
        words: bool,
        ngrams: (usize, usize),
        char_ngrams: Option<(usize, usize)>,
        phrases: Vec<(Vec<String>, String)>,
        map_tokens: Option<Py<PyAny>>,
    ) -> PyResult<Self> {
        if ngrams.0 == 0 || char_ngrams.is_some_and(|(low, _)| low == 0) {
            return Err(PyValueError::new_err("n-grams have at least one part"));
        }
        let mapped = map_tokens.is_some();
        let cut = cut(keep_punctuation);
        Ok(Analysis { rules: Rules { lowercase, cut, words, ngrams, char_ngrams, phrases, mapped }, map_tokens })
    }

    /// The text in composed form, and each term in reading order with where it starts and ends there (in characters).
    #[allow(clippy::type_complexity)]
    fn locate(&self, text: &Bound<'_, PyString>) -> PyResult<(String, Vec<(String, usize, usize)>)> {
        let text = composed(Text::of(text)?.as_str()).0.into_owned();
        let (mut tokens, mut ids, mut spans) = (Scope::into(Interner::default()), Vec::new(), Vec::new());
        each_word(&text, self.rules.cut, |range, _| {
            ids.push(tokens.intern(spelling(&text[range.clone()], self.rules.lowercase).as_bytes()));
            spans.push(range);
        });
        let distinct = (0..tokens.len() as u32).map(|id| tokens.text(id)).collect();
        let becomes = self.map_tokens.as_ref().map(|_| self.ask(distinct)).transpose()?;
        let mut scope = Scope::into(Interner::default());
        let mapping = Mapping::new(&tokens.own, becomes.as_deref(), &self.rules, &mut scope);
        let mut found = Vec::new();
        terms_of(&ids, Some(&mapping), &self.rules, &mut scope, &mut found);
        let place = characters(&text);
        let located = found.iter().map(|term| {
            (scope.text(term.id), place[spans[term.first].start] as usize, place[spans[term.last].end] as usize)
        });
        let located = located.collect();
        Ok((text, located))
    }
}

/// For each byte of the text, and its end, the character it belongs to.
fn characters(text: &str) -> Vec<u32> {
    let mut place = Vec::with_capacity(text.len() + 1);
    for (index, c) in text.chars().enumerate() {
        place.resize(place.len() + c.len_utf8(), index as u32);
    }
    place.push(text.chars().count() as u32);
    place
}

impl Analysis {
    fn ask(&self, tokens: Vec<String>) -> PyResult<Vec<Option<String>>> {
        let map_tokens = self.map_tokens.as_ref().expect("asked only when tokens are mapped");
        Python::attach(|py| {
            let wanted = tokens.len();
            let terms: Vec<Option<String>> = map_tokens.call1(py, (tokens,))?.extract(py)?;
            match terms.len() == wanted {
                true => Ok(terms),
                false => Err(PyValueError::new_err("map_tokens must give one answer for each token")),
            }
        })
    }

    fn read(&self, texts: &[&str], base: &Interner, threads: usize, fingerprint: Fingerprint) -> PyResult<Vec<Part>> {
        read(texts, &self.rules, base, threads, fingerprint, |tokens| self.ask(tokens))
    }
}

/// The words of a text, as the analysis cuts them.
#[pyfunction]
fn words(text: &Bound<'_, PyString>, lowercase: bool, keep_punctuation: bool) -> PyResult<Vec<String>> {
    let text = Text::of(text)?;
    let (text, _) = composed(text.as_str());
    let mut found = Vec::new();
    each_word(&text, cut(keep_punctuation), |range, _| found.push(spelling(&text[range], lowercase).into_owned()));
    Ok(found)
}

// ---- strings out of Python ---------------------------------------------------------------------------------------

/// A text that is held while the interpreter is released. ASCII is read where it stands; anything else is encoded into
/// a copy, because asking Python for UTF-8 in place would leave a second copy inside the user's string for good.
enum Text {
    InPlace(PyBackedStr),
    Copied(String),
}

impl Text {
    fn of(text: &Bound<'_, PyString>) -> PyResult<Text> {
        if text.call_method0(intern!(text.py(), "isascii"))?.extract()? {
            return Ok(Text::InPlace(PyBackedStr::try_from(text.clone())?));
        }
        let encoded = text.encode_utf8()?;
        Ok(Text::Copied(std::str::from_utf8(encoded.as_bytes()).expect("Python encodes UTF-8").to_owned()))
    }

    fn as_str(&self) -> &str {
        match self {
            Text::InPlace(text) => text,
            Text::Copied(text) => text,
        }
    }
}

fn strs(texts: &[Text]) -> Vec<&str> {
    texts.iter().map(Text::as_str).collect()
}

/// The texts of a list from `start` on, until there are enough of them.
fn chunk(texts: &Bound<'_, PyList>, start: usize) -> PyResult<Vec<Text>> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    for index in start..texts.len() {
        let text = Text::of(texts.get_item(index)?.cast::<PyString>()?)?;
        bytes += text.as_str().len();
        taken.push(text);
        if bytes >= CHUNK {
            break;
        }
    }
    Ok(taken)
}

/// Calls `work` with one chunk of the list after the other and the number of texts before it; Ctrl-C is heard between
/// chunks.
fn each_chunk(texts: &Bound<'_, PyList>, mut work: impl FnMut(Vec<&str>, usize) -> PyResult<()>) -> PyResult<()> {
    let mut start = 0;
    while start < texts.len() {
        let taken = chunk(texts, start)?;
        work(strs(&taken), start)?;
        start += taken.len();
        texts.py().check_signals()?;
    }
    Ok(())
}

// ---- table -------------------------------------------------------------------------------------------------------

/// The counts of a text column.
#[pyclass(frozen)]
#[derive(Default)]
struct Table {
    inner: RwLock<CoreTable>,
}

impl Table {
    fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&CoreTable) -> T + Send) -> T {
        py.detach(|| work(&self.inner.read().expect("no thread panicked")))
    }

    fn change<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut CoreTable) -> T + Send) -> T {
        py.detach(|| work(&mut self.inner.write().expect("no thread panicked")))
    }
}

#[pymethods]
impl Table {
    #[new]
    fn new() -> Self {
        Table::default()
    }

    /// Counts texts: `labels` and `weights` (in units) are by text. The ledger notes them by the names of their labels
    /// and their weights, where a unit is so many millionths.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(signature = (texts, labels, weights, analysis, threads, ledger=None, names=Vec::new(), millionths=1))]
    fn count(
        &self,
        texts: &Bound<'_, PyList>,
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
        each_chunk(texts, |chunk, start| {
            let end = start + chunk.len();
            let (labels, weights) = (&labels[start..end], weights.map(|weights| &weights[start..end]));
            let weight = |document: usize| weights.map_or(1, |weights| weights[document]) * millionths;
            let noted =
                |document: usize, text: &str| fingerprint(text, &names[labels[document] as usize], weight(document));
            self.change(texts.py(), |table| {
                let parts = analysis.read(&chunk, &table.terms, threads, ledger.map(|_| &noted as _))?;
                ledger.into_iter().for_each(|ledger| ledger.note(&parts));
                table.count(parts, labels, weights);
                Ok(())
            })
        })
    }

    /// Adds counts that are known already, a cell each.
    fn put(&self, py: Python<'_>, terms: Vec<String>, label: u32, tf: Vec<u64>, df: Vec<u64>) -> PyResult<()> {
        if tf.len() != terms.len() || df.len() != terms.len() {
            return Err(PyValueError::new_err("terms, tf and df must have the same length"));
        }
        self.change(py, |table| {
            let mut scope = Scope::into(std::mem::take(&mut table.terms));
            let ids: Vec<u32> = terms.iter().map(|term| scope.intern_text(term)).collect();
            table.terms = scope.own;
            for ((id, tf), df) in ids.into_iter().zip(tf).zip(df) {
                table.add_cell(id, Cell { label, tf, df });
            }
        });
        Ok(())
    }

    fn put_documents(&self, py: Python<'_>, label: u32, documents: u64) {
        self.change(py, |table| table.add_documents(label, documents));
    }

    /// Adds another table; `labels[l]` is what its label `l` is called here.
    fn merge(&self, py: Python<'_>, other: &Table, labels: Vec<u32>) -> PyResult<()> {
        self.with_other(py, other, labels.len(), |table, other| table.merge(other, &labels))
    }

    /// Subtracts another table; False, and nothing changed, if it is not held.
    fn subtract(&self, py: Python<'_>, other: &Table, labels: Vec<u32>) -> PyResult<bool> {
        self.with_other(py, other, labels.len(), |table, other| table.subtract(other, &labels).is_ok())
    }

    /// Multiplies every number.
    fn scale(&self, py: Python<'_>, factor: u64) {
        self.change(py, |table| table.scale(factor));
    }

    fn copy(&self, py: Python<'_>) -> Table {
        Table { inner: RwLock::new(self.look(py, CoreTable::clone)) }
    }

    /// How many terms are in the vocabulary.
    fn size(&self, py: Python<'_>) -> usize {
        self.look(py, CoreTable::live)
    }

    /// How many ids there are; some may stand for no term of the vocabulary.
    fn ids(&self, py: Python<'_>) -> usize {
        self.look(py, CoreTable::ids)
    }

    /// By label: documents, sum of tf, sum of df, distinct terms.
    #[allow(clippy::type_complexity)]
    fn totals<'py>(&self, py: Python<'py>) -> (Array<'py, u64>, Array<'py, u64>, Array<'py, u64>, Array<'py, u64>) {
        let all = self.look(py, |table| table.totals().to_vec());
        let column =
            |field: fn(&crate::table::Totals) -> u64| all.iter().map(field).collect::<Vec<_>>().into_pyarray(py);
        (column(|t| t.documents), column(|t| t.tf), column(|t| t.df), column(|t| t.distinct))
    }

    /// The id of a term of the vocabulary.
    fn find(&self, py: Python<'_>, term: String) -> Option<u32> {
        self.look(py, |table| table.terms.find_text(&term).filter(|id| !table.row(*id).is_empty()))
    }

    fn texts(&self, py: Python<'_>, ids: PyReadonlyArray1<'_, u32>) -> PyResult<Vec<String>> {
        let ids = ids.as_slice()?;
        let texts = self.look(py, |table| {
            let known = |id: &u32| ((*id as usize) < table.ids()).then(|| table.terms.text(*id));
            ids.iter().map(known).collect::<Option<Vec<String>>>()
        });
        texts.ok_or_else(|| PyValueError::new_err("there is no term with such an id"))
    }

    /// tf, or df, of some ids under some labels, as (ids, labels).
    fn rows<'py>(
        &self,
        py: Python<'py>,
        ids: PyReadonlyArray1<'_, u32>,
        labels: Vec<u32>,
        documents: bool,
    ) -> PyResult<Matrix<'py, u64>> {
        let ids = ids.as_slice()?;
        let rows = self.look(py, |table| {
            let mut column = vec![None; table.totals().len()];
            for (place, label) in labels.iter().enumerate() {
                *column.get_mut(*label as usize)? = Some(place);
            }
            let mut rows = Array2::zeros((ids.len(), labels.len()));
            for (index, id) in ids.iter().enumerate() {
                for cell in table.row(*id) {
                    if let Some(place) = column[cell.label as usize] {
                        rows[(index, place)] = if documents { cell.df } else { cell.tf };
                    }
                }
            }
            Some(rows)
        });
        Ok(rows.ok_or_else(|| PyValueError::new_err("there is no such label"))?.into_pyarray(py))
    }

    /// The counts as arrays; `places[label]` is where a label stands among those that have counts.
    #[allow(clippy::type_complexity)]
    fn export<'py>(
        &self,
        py: Python<'py>,
        places: Vec<u32>,
    ) -> PyResult<(Array<'py, u8>, Array<'py, u64>, Array<'py, u64>, Array<'py, u32>, Array<'py, u64>, Array<'py, u64>)>
    {
        if self.look(py, |table| table.totals().len()) > places.len() {
            return Err(PyValueError::new_err("every label needs a place"));
        }
        let arrays = self.look(py, |table| export(table, &places));
        Ok((
            arrays.terms.into_pyarray(py),
            arrays.term_ends.into_pyarray(py),
            arrays.cell_ends.into_pyarray(py),
            arrays.cell_labels.into_pyarray(py),
            arrays.cell_tf.into_pyarray(py),
            arrays.cell_df.into_pyarray(py),
        ))
    }

    /// A table with these counts and documents by label; ValueError says what is wrong with the arrays.
    #[staticmethod]
    #[allow(clippy::too_many_arguments)]
    fn load(
        py: Python<'_>,
        documents: PyReadonlyArray1<'_, u64>,
        terms: PyReadonlyArray1<'_, u8>,
        term_ends: PyReadonlyArray1<'_, u64>,
        cell_ends: PyReadonlyArray1<'_, u64>,
        cell_labels: PyReadonlyArray1<'_, u32>,
        cell_tf: PyReadonlyArray1<'_, u64>,
        cell_df: PyReadonlyArray1<'_, u64>,
    ) -> PyResult<Table> {
        let documents = documents.as_slice()?;
        let arrays = ArraysView {
            terms: terms.as_slice()?,
            term_ends: term_ends.as_slice()?,
            cell_ends: cell_ends.as_slice()?,
            cell_labels: cell_labels.as_slice()?,
            cell_tf: cell_tf.as_slice()?,
            cell_df: cell_df.as_slice()?,
        };
        let table = py.detach(|| import(&arrays, documents)).map_err(PyValueError::new_err)?;
        Ok(Table { inner: RwLock::new(table) })
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
            let part = analysis.read(&[text.as_str()], &table.terms, 1, None)?.pop().expect("one part for one text");
            let mut bag = Bag::new(part.ids, part.lists.ids.len());
            let items = bag.fill(part.lists.get(0)).to_vec();
            let mut scope = Scope::over(&table.terms);
            scope.own = part.own;
            let known = table.ids() as u32;
            let new = items.iter().filter(|(id, _)| *id >= known).map(|(id, _)| scope.text(*id)).collect();
            Ok((items, new))
        })?;
        let (ids, times): (Vec<u32>, Vec<u32>) = items.into_iter().unzip();
        Ok((ids.into_pyarray(py), times.into_pyarray(py), new))
    }

    /// For each text base + the sum of its terms' weights, with how many known, unknown and distinct unknown terms.
    /// `rows` is (ids, labels), `kept` is 0 where an id counts as unknown.
    #[allow(clippy::type_complexity, clippy::too_many_arguments)]
    #[pyo3(signature = (texts, analysis, rows, kept, base, once, threads))]
    fn score<'py>(
        &self,
        texts: &Bound<'py, PyList>,
        analysis: &Analysis,
        rows: PyReadonlyArray2<'_, f64>,
        kept: PyReadonlyArray1<'_, u8>,
        base: PyReadonlyArray1<'_, f64>,
        once: bool,
        threads: usize,
    ) -> PyResult<(Matrix<'py, f64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u32>)> {
        let weights = Weights { rows: rows.as_slice()?, kept: kept.as_slice()?, base: base.as_slice()?, once };
        if weights.rows.len() != weights.kept.len() * weights.base.len() {
            return Err(PyValueError::new_err("rows must be (ids, labels), kept (ids,) and base (labels,)"));
        }
        let py = texts.py();
        let mut all = Scores::default();
        each_chunk(texts, |chunk, _| {
            let parts = self.look(py, |table| -> PyResult<Vec<Scores>> {
                let parts = analysis.read(&chunk, &table.terms, threads, None)?;
                Ok(side_by_side(parts, |part| score(&part.lists, part.ids, &weights)))
            })?;
            parts.into_iter().for_each(|part| all.append(part));
            Ok(())
        })?;
        let sums = Array2::from_shape_vec((all.known.len(), weights.base.len()), all.sums).expect("labels per text");
        let (known, unknown, distinct) = (all.known, all.unknown, all.unknown_distinct);
        Ok((sums.into_pyarray(py), known.into_pyarray(py), unknown.into_pyarray(py), distinct.into_pyarray(py)))
    }
}

impl Table {
    fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &Table,
        labels: usize,
        work: impl FnOnce(&mut CoreTable, &CoreTable) -> T + Send,
    ) -> PyResult<T> {
        if other.look(py, |table| table.totals().len()) > labels {
            return Err(PyValueError::new_err("every label of the other table needs a name here"));
        }
        if std::ptr::eq(self, other) {
            return Err(PyValueError::new_err("a table cannot be changed by itself; copy it first"));
        }
        Ok(self.change(py, |table| work(table, &other.inner.read().expect("no thread panicked"))))
    }
}

// ---- ledger ------------------------------------------------------------------------------------------------------

/// Which documents were learnt, by fingerprint.
#[pyclass(frozen)]
#[derive(Default)]
struct Ledger {
    inner: RwLock<CoreLedger>,
}

impl Ledger {
    fn note(&self, parts: &[Part]) {
        let mut ledger = self.inner.write().expect("no thread panicked");
        parts.iter().flat_map(|part| &part.fingerprints).for_each(|fingerprint| ledger.add(*fingerprint, 1));
    }

    fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&CoreLedger) -> T + Send) -> T {
        py.detach(|| work(&self.inner.read().expect("no thread panicked")))
    }

    fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &Ledger,
        work: impl FnOnce(&mut CoreLedger, &CoreLedger) -> T + Send,
    ) -> T {
        let other = other.look(py, CoreLedger::clone);
        py.detach(|| work(&mut self.inner.write().expect("no thread panicked"), &other))
    }
}

#[pymethods]
impl Ledger {
    #[new]
    fn new() -> Self {
        Ledger::default()
    }

    fn merge(&self, py: Python<'_>, other: &Ledger) {
        self.with_other(py, other, |ledger, other| ledger.merge(other));
    }

    /// Subtracts another ledger; False, and nothing changed, if it is not held.
    fn subtract(&self, py: Python<'_>, other: &Ledger) -> bool {
        self.with_other(py, other, |ledger, other| {
            let held = ledger.holds(other);
            if held {
                ledger.subtract(other);
            }
            held
        })
    }

    fn holds(&self, py: Python<'_>, other: &Ledger) -> bool {
        self.with_other(py, other, |ledger, other| ledger.holds(other))
    }

    fn copy(&self, py: Python<'_>) -> Ledger {
        Ledger { inner: RwLock::new(self.look(py, CoreLedger::clone)) }
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.look(py, |ledger| ledger.len() as usize)
    }

    /// A ledger with these fingerprints, as `sorted` gives them.
    #[staticmethod]
    fn load(halves: PyReadonlyArray1<'_, u64>, times: PyReadonlyArray1<'_, u32>) -> PyResult<Ledger> {
        let (halves, times) = (halves.as_slice()?, times.as_slice()?);
        if halves.len() != times.len() * 2 || times.contains(&0) {
            return Err(PyValueError::new_err("a ledger has two halves for each number of times, and no 0"));
        }
        let mut ledger = CoreLedger::default();
        for (pair, times) in halves.chunks_exact(2).zip(times) {
            ledger.add((pair[0] as u128) << 64 | pair[1] as u128, *times);
        }
        Ok(Ledger { inner: RwLock::new(ledger) })
    }

    /// Fingerprints (high and low 64 bits, end to end) and how often each, sorted.
    fn sorted<'py>(&self, py: Python<'py>) -> (Array<'py, u64>, Array<'py, u32>) {
        let all = self.look(py, CoreLedger::sorted);
        let halves = all.iter().flat_map(|(fingerprint, _)| [(fingerprint >> 64) as u64, *fingerprint as u64]);
        let times = all.iter().map(|(_, times)| *times).collect::<Vec<_>>();
        (halves.collect::<Vec<_>>().into_pyarray(py), times.into_pyarray(py))
    }
}

#[pymodule]
fn _kernel(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Analysis>()?;
    module.add_class::<Table>()?;
    module.add_class::<Ledger>()?;
    module.add_function(wrap_pyfunction!(words, module)?)
}
