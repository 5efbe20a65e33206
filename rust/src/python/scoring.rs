//! Counts as postings, and scores from weights in that form.

use super::py_analysis::Analysis;
use super::py_table::Table;
use super::strings::{Texts, each_chunk};
use super::{Array, Matrix, weighting};
use crate::analyze::batch::{Part, side_by_side};
use crate::score::dense::{Base, Scores};
use crate::score::sparse::{Columns, SparseWeights, Statistic, postings as of_terms, score, term_sums};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Sums<'py> = (Matrix<'py, f64>, Array<'py, u32>, Array<'py, u32>, Array<'py, u32>, Array<'py, f64>);

/// Scores as arrays: sums; known, unknown and distinct unknown terms; the sum of `weigh` over the unknown ones.
pub fn as_arrays(py: Python<'_>, all: Scores, labels: usize) -> Sums<'_> {
    let sums = Array2::from_shape_vec((all.known.len(), labels), all.sums).expect("labels per text");
    let (unknown, distinct) = (all.unknown.into_pyarray(py), all.unknown_distinct.into_pyarray(py));
    let (known, weighed) = (all.known.into_pyarray(py), all.unknown_weighed.into_pyarray(py));
    (sums.into_pyarray(py), known, unknown, distinct, weighed)
}

pub fn statistic(name: &str) -> PyResult<Statistic> {
    Statistic::named(name)
        .ok_or_else(|| PyValueError::new_err(format!("a statistic is tf, df or weighted, not {name:?}")))
}

fn no_such_label() -> PyErr {
    PyValueError::new_err("there is no such label")
}

/// One number of some ids under some labels, as (ids, labels).
pub fn rows<'py>(py: Python<'py>, table: &Table, ids: &[u32], labels: &[u32], of: &str) -> PyResult<Matrix<'py, u64>> {
    let of = statistic(of)?;
    let found = table.look(py, |table| {
        let columns = Columns::new(table, labels)?;
        let mut rows = Array2::zeros((ids.len(), labels.len()));
        for (index, id) in ids.iter().enumerate() {
            for (column, number) in columns.numbers(table, *id, of) {
                rows[(index, column as usize)] = number;
            }
        }
        Some(rows)
    })?;
    Ok(found.ok_or_else(no_such_label)?.into_pyarray(py))
}

/// The same where it is not 0: where each id ends; then columns and numbers of all ids, end to end.
pub fn postings<'py>(
    py: Python<'py>,
    table: &Table,
    ids: &[u32],
    labels: &[u32],
    of: &str,
) -> PyResult<(Array<'py, u64>, Array<'py, u32>, Array<'py, u64>)> {
    let of = statistic(of)?;
    let found = table.look(py, |table| Some(of_terms(table, ids, &Columns::new(table, labels)?, of)))?;
    let found = found.ok_or_else(no_such_label)?;
    Ok((found.ends.into_pyarray(py), found.columns.into_pyarray(py), found.numbers.into_pyarray(py)))
}

/// The sums of some ids over all labels.
pub fn sums_of_terms<'py>(py: Python<'py>, table: &Table, ids: &[u32], of: &str) -> PyResult<Array<'py, u64>> {
    let of = statistic(of)?;
    Ok(table.look(py, |table| term_sums(table, ids, of))?.into_pyarray(py))
}

/// As `Table.score`, with weights that say what a term adds where it was never seen, and a correction for each posting.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub fn score_postings<'py>(
    table: &Table,
    texts: Texts<'py>,
    analysis: &Analysis,
    terms: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    labels: (PyReadonlyArray1<'py, f64>, PyReadonlyArray1<'py, f64>),
    postings: (PyReadonlyArray1<'py, u64>, PyReadonlyArray1<'py, u32>, PyReadonlyArray1<'py, f64>),
    kept: PyReadonlyArray1<'py, u8>,
    base: PyReadonlyArray2<'py, f64>,
    scale: &str,
    threads: usize,
) -> PyResult<Sums<'py>> {
    let (count, alike) = (base.shape()[1], base.shape()[0] == 1);
    let weights = SparseWeights {
        of_term: terms.0.as_slice()?,
        factor: terms.1.as_slice()?,
        by_label: labels.0.as_slice()?,
        of_label: labels.1.as_slice()?,
        ends: postings.0.as_slice()?,
        columns: postings.1.as_slice()?,
        corrections: postings.2.as_slice()?,
        kept: kept.as_slice()?,
        base: Base { values: base.as_slice()?, labels: count, each: !alike },
        scale: weighting::checked(scale)?,
    };
    if !(alike || base.shape()[0] == texts.len()) || !weights.fits() {
        return Err(PyValueError::new_err("terms, labels and postings must fit together"));
    }
    let (py, mut all) = (texts.py(), Scores::default());
    each_chunk(&texts, |chunk, start| {
        let parts = table.look(py, |table| -> PyResult<Vec<Scores>> {
            let parts = analysis.read(&chunk, &table.terms, threads)?;
            Ok(side_by_side(parts, |part: Part| score(&part.found, part.ids, start + part.documents.start, &weights)))
        })??;
        parts.into_iter().for_each(|part| all.append(part));
        Ok(())
    })?;
    Ok(as_arrays(py, all, count))
}
