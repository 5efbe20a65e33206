//! The numbers of some terms, and those about a whole vocabulary, which a table keeps up to date.

use super::py_table::PyTable;
use super::{Array, Matrix};
use crate::table::Table;
use crate::table::postings::{Columns, Statistic, postings as postings_of, term_sums};
use crate::table::tallies::{Tally, Wanted};
use crate::table::tally_numbers::{SpreadBy, TallyKind, TallyNumbers};
use numpy::ndarray::Array2;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

type Orders = Option<(usize, usize)>;

fn statistic_named(name: &str) -> PyResult<Statistic> {
    Statistic::named(name)
        .ok_or_else(|| PyValueError::new_err(format!("a statistic is tf, df or weighted, not {name:?}")))
}

fn no_such_label() -> PyErr {
    PyValueError::new_err("there is no such label")
}

/// `Table.rows`.
pub fn rows<'py>(
    py: Python<'py>,
    table: &PyTable,
    ids: &[u32],
    labels: &[u32],
    statistic: &str,
) -> PyResult<Matrix<'py, u64>> {
    let statistic = statistic_named(statistic)?;
    let found = table.look(py, |table| {
        let columns = Columns::new(table, labels)?;
        let mut rows = Array2::zeros((ids.len(), labels.len()));
        for (index, id) in ids.iter().enumerate() {
            for (column, number) in columns.numbers(table, *id, statistic) {
                rows[(index, column as usize)] = number;
            }
        }
        Some(rows)
    })?;
    Ok(found.ok_or_else(no_such_label)?.into_pyarray(py))
}

/// Where each id ends; then columns and numbers of all ids, end to end.
pub type PostingArrays<'py> = (Array<'py, u64>, Array<'py, u32>, Array<'py, u64>);

/// `Table.postings`.
pub fn postings<'py>(
    py: Python<'py>,
    table: &PyTable,
    ids: &[u32],
    labels: &[u32],
    statistic: &str,
) -> PyResult<PostingArrays<'py>> {
    let statistic = statistic_named(statistic)?;
    let found = table.look(py, |table| Some(postings_of(table, ids, &Columns::new(table, labels)?, statistic)))?;
    let found = found.ok_or_else(no_such_label)?;
    Ok((found.ends.into_pyarray(py), found.columns.into_pyarray(py), found.numbers.into_pyarray(py)))
}

/// `Table.sums_of_terms`.
pub fn sums_of_terms<'py>(py: Python<'py>, table: &PyTable, ids: &[u32], statistic: &str) -> PyResult<Array<'py, u64>> {
    let statistic = statistic_named(statistic)?;
    Ok(table.look(py, |table| term_sums(table, ids, statistic))?.into_pyarray(py))
}

fn spread_named(name: &str) -> PyResult<SpreadBy> {
    match name {
        "own" => Ok(SpreadBy::Own),
        "elsewhere" => Ok(SpreadBy::Elsewhere),
        "both" => Ok(SpreadBy::Both),
        _ => Err(PyValueError::new_err(format!("terms are spread by own, elsewhere or both, not {name:?}"))),
    }
}

/// Reads a tally. Terms that are to be left out are taken out of a copy.
fn tallied<T: Send>(
    py: Python<'_>,
    table: &PyTable,
    wanted: Wanted,
    without: &[u32],
    read: impl Fn(&TallyNumbers) -> T + Send + Sync,
) -> PyResult<T> {
    let found = |table: &Table, tally: &Tally| {
        if without.is_empty() {
            return read(&tally.numbers);
        }
        let mut rest = tally.clone();
        without.iter().for_each(|id| rest.change(&table.term(*id, wanted.statistic), -1));
        read(&rest.numbers)
    };
    let kept = table.look(py, |table| table.kept_tally(&wanted).map(|tally| found(table, tally)))?;
    kept.map_or_else(
        || {
            table.change(py, |table| {
                table.keep_tally(wanted);
                found(table, table.kept_tally(&wanted).expect("it was just made"))
            })
        },
        Ok,
    )
}

/// The ids of those terms that are in the vocabulary.
#[pyfunction]
pub fn find_all<'py>(py: Python<'py>, table: &PyTable, terms: Vec<String>) -> PyResult<Array<'py, u32>> {
    let known = |table: &Table, term: &str| table.terms.find_text(term).filter(|id| !table.row(*id).is_empty());
    let found: Vec<u32> = table.look(py, |table| terms.iter().filter_map(|term| known(table, term)).collect())?;
    Ok(found.into_pyarray(py))
}

/// How many terms there are; by label the sums of their counts, how many of them are seen, how many elsewhere; and the
/// sums of terms that are too rare. `labels` are those that are wanted, `without` are different terms to be left out.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn vocabulary_sums<'py>(
    py: Python<'py>,
    table: &PyTable,
    statistic: &str,
    least: u64,
    orders: Orders,
    without: PyReadonlyArray1<'_, u32>,
    labels: Vec<u32>,
) -> PyResult<(i64, Array<'py, u64>, Array<'py, i64>, Array<'py, i64>, Array<'py, u64>)> {
    let wanted = Wanted { kind: TallyKind::Sums, statistic: statistic_named(statistic)?, least, orders };
    let (size, counted, found) = tallied(py, table, wanted, without.as_slice()?, |numbers| match numbers {
        TallyNumbers::Sums(sums) => {
            (sums.size, sums.counted, labels.iter().map(|label| sums.label(*label)).collect::<Vec<_>>())
        }
        _ => unreachable!("that is what was wanted"),
    })?;
    let sums: Vec<u64> = found.iter().map(|label| label.sum as u64).collect();
    let seen: Vec<i64> = found.iter().map(|label| label.seen).collect();
    let elsewhere: Vec<i64> = found.iter().map(|label| counted - label.only).collect();
    let rare: Vec<u64> = found.iter().map(|label| label.rare as u64).collect();
    let (sums, rare) = (sums.into_pyarray(py), rare.into_pyarray(py));
    Ok((size, sums, seen.into_pyarray(py), elsewhere.into_pyarray(py), rare))
}

/// Place of the label, count, total and how many terms have these, label by label, but in no order otherwise. A count
/// is that under the label, or that elsewhere, or both: then the total is the count in all, else 0.
#[pyfunction]
#[allow(clippy::type_complexity, clippy::too_many_arguments)]
pub fn vocabulary_spread<'py>(
    py: Python<'py>,
    table: &PyTable,
    statistic: &str,
    by: &str,
    least: u64,
    orders: Orders,
    without: PyReadonlyArray1<'_, u32>,
    labels: Vec<u32>,
) -> PyResult<(Array<'py, u32>, Array<'py, u64>, Array<'py, u64>, Array<'py, u64>)> {
    let kind = TallyKind::Spread(spread_named(by)?);
    let wanted = Wanted { kind, statistic: statistic_named(statistic)?, least, orders };
    let found = tallied(py, table, wanted, without.as_slice()?, |numbers| match numbers {
        TallyNumbers::Spread(_, spread) => labels.iter().map(|label| spread.of(*label)).collect::<Vec<_>>(),
        _ => unreachable!("that is what was wanted"),
    })?;
    let labels = found.iter().enumerate().flat_map(|(place, counts)| std::iter::repeat_n(place as u32, counts.len()));
    let which: Vec<u32> = labels.collect();
    let counts: Vec<u64> = found.iter().flatten().map(|((count, _), _)| *count).collect();
    let totals: Vec<u64> = found.iter().flatten().map(|((_, total), _)| *total).collect();
    let times: Vec<u64> = found.iter().flatten().map(|(_, times)| *times as u64).collect();
    Ok((which.into_pyarray(py), counts.into_pyarray(py), totals.into_pyarray(py), times.into_pyarray(py)))
}

/// The document frequencies of terms, rising, and by label the sums of the counts of the terms that have each.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub fn vocabulary_frequencies<'py>(
    py: Python<'py>,
    table: &PyTable,
    statistic: &str,
    least: u64,
    orders: Orders,
    without: PyReadonlyArray1<'_, u32>,
    labels: Vec<u32>,
) -> PyResult<(Array<'py, u64>, Matrix<'py, u64>)> {
    let wanted = Wanted { kind: TallyKind::Frequencies, statistic: statistic_named(statistic)?, least, orders };
    let (frequencies, sums) = tallied(py, table, wanted, without.as_slice()?, |numbers| match numbers {
        TallyNumbers::Frequencies(found) => {
            let mut column = vec![None; labels.iter().max().map_or(0, |most| *most as usize + 1)];
            labels.iter().enumerate().for_each(|(place, label)| column[*label as usize] = Some(place));
            let mut sums = Array2::zeros((found.groups.len(), labels.len()));
            for (row, group) in found.groups.values().enumerate() {
                for (label, sum) in &group.sums {
                    if let Some(place) = column.get(*label as usize).copied().flatten() {
                        sums[(row, place)] = *sum as u64;
                    }
                }
            }
            (found.groups.keys().copied().collect::<Vec<u64>>(), sums)
        }
        _ => unreachable!("that is what was wanted"),
    })?;
    Ok((frequencies.into_pyarray(py), sums.into_pyarray(py)))
}
