//! Scores of texts, from dense and from sparse weights.

use super::py_analysis::PyAnalysis;
use super::py_table::PyTable;
use super::strings::{Texts, each_chunk};
use super::{Array, Matrix};
use crate::count::term_counter::TermCounter;
use crate::count::term_weights::Scale;
use crate::score::dense::DenseWeights;
use crate::score::sparse::SparseWeights;
use crate::score::{Base, Coverage, Scorer, Scores, Weights};
use numpy::ndarray::Array2;
use numpy::{Element, IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::ops::Range;

/// Sums; known, unknown and distinct unknown terms; the sum of `weigh` over the unknown ones.
pub type ScoreArrays<'py> = (Matrix<'py, f64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u32>, Array<'py, f64>);

/// The factors of terms that occur this often in a question: bit for bit as in `Table.score`.
#[pyfunction]
pub fn weigh<'py>(py: Python<'py>, times: PyReadonlyArray1<'py, u32>, scale: &str) -> PyResult<Array<'py, f64>> {
    let scale = scale_named(scale)?;
    Ok(times.as_slice()?.iter().map(|times| scale.factor(*times)).collect::<Vec<f64>>().into_pyarray(py))
}

pub fn scale_named(scale: &str) -> PyResult<Scale> {
    let message = || format!("a scale is count, once or log, not {scale:?}");
    Scale::named(scale).ok_or_else(|| PyValueError::new_err(message()))
}

/// The texts to be scored, and how they are analyzed.
pub struct Questions<'a, 'py> {
    pub table: &'a PyTable,
    pub texts: Texts<'py>,
    pub analysis: &'a PyAnalysis,
    pub threads: usize,
}

impl<'py> Questions<'_, 'py> {
    /// `Table.score`.
    pub fn score_dense(
        &self,
        rows: PyReadonlyArray2<'_, f64>,
        kept: PyReadonlyArray1<'_, u8>,
        base: PyReadonlyArray2<'_, f64>,
        scale: &str,
    ) -> PyResult<ScoreArrays<'py>> {
        let (base, fits) = self.base(&base)?;
        if !fits || rows.shape() != [kept.len(), base.labels] {
            return Err(PyValueError::new_err(
                "rows must be (ids, labels), kept (ids,) and base (1, labels) or (texts, labels)",
            ));
        }
        let weights = DenseWeights::new(rows.as_slice()?, kept.as_slice()?, base, scale_named(scale)?);
        self.score(&weights, kept.len(), base.labels)
    }

    /// Where the sums start, and whether that is one row for all texts, or one for each.
    fn base<'a>(&self, base: &'a PyReadonlyArray2<'_, f64>) -> PyResult<(Base<'a>, bool)> {
        let (rows, labels) = (base.shape()[0], base.shape()[1]);
        Ok((Base { values: base.as_slice()?, labels, each: rows != 1 }, rows == 1 || rows == self.texts.len()))
    }

    /// `ids` is about how many ids the table has.
    fn score(&self, weights: &impl Weights, ids: usize, labels: usize) -> PyResult<ScoreArrays<'py>> {
        let (py, threads, mut all) = (self.texts.py(), self.threads.max(1), Scores::default());
        each_chunk(&self.texts, |chunk, start| {
            let bytes: usize = chunk.iter().map(|text| text.len()).sum();
            let scorer = |documents: Range<usize>| {
                Scorer::new(weights, start + documents.start, TermCounter::new(ids, bytes / 5 / threads))
            };
            let parts =
                self.table.look(py, |table| self.analysis.analyze_into(&chunk, &table.terms, threads, scorer))??;
            parts.into_iter().for_each(|part| all.append(part.found.scores));
            Ok(())
        })?;
        Ok(as_arrays(py, all, labels))
    }
}

fn as_arrays(py: Python<'_>, all: Scores, labels: usize) -> ScoreArrays<'_> {
    fn column<'py, T: Element>(py: Python<'py>, all: &Scores, of: fn(&Coverage) -> T) -> Array<'py, T> {
        all.coverage.iter().map(of).collect::<Vec<T>>().into_pyarray(py)
    }
    let (known, unknown) = (column(py, &all, |text| text.known), column(py, &all, |text| text.unknown));
    let distinct = column(py, &all, |text| text.unknown_distinct);
    let weighed = column(py, &all, |text| text.unknown_weighed);
    let sums = Array2::from_shape_vec((all.coverage.len(), labels), all.sums).expect("labels per text");
    (sums.into_pyarray(py), known, unknown, distinct, weighed)
}

/// As `Table.score`, with weights that say what a term adds where it was never seen, and a correction for each posting.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn score_postings<'py>(
    table: &PyTable,
    texts: Texts<'py>,
    analysis: &PyAnalysis,
    terms: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    labels: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    postings: (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, f64>),
    kept: PyReadonlyArray1<'py, u8>,
    base: PyReadonlyArray2<'py, f64>,
    scale: &str,
    threads: usize,
) -> PyResult<ScoreArrays<'py>> {
    let questions = Questions { table, texts, analysis, threads };
    let (base, fits) = questions.base(&base)?;
    let weights = SparseWeights {
        of_term: terms.0.as_slice()?,
        factor: terms.1.as_slice()?,
        by_label: labels.0.as_slice()?,
        of_label: labels.1.as_slice()?,
        ends: postings.0.as_slice()?,
        columns: postings.1.as_slice()?,
        corrections: postings.2.as_slice()?,
        kept: kept.as_slice()?,
        base,
        scale: scale_named(scale)?,
    };
    if !fits || !weights.fits() {
        return Err(PyValueError::new_err("terms, labels and postings must fit together"));
    }
    questions.score(&weights, weights.kept.len(), base.labels)
}
