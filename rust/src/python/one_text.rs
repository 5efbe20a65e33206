//! One text learnt or forgotten.

use super::py_analysis::Analysis;
use super::py_ledger::Ledger;
use super::py_table::Table;
use super::strings::Text;
use crate::count::ledger::fingerprint;
use crate::table::learn::Documents;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// Counts one text, or raises OverflowError, and notes it in the ledger as `Table.count` does; whether the ledger had it.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(signature = (table, text, label, weight, analysis, ledger, name, millionths))]
pub fn learn_one(
    table: &Table,
    text: &Bound<'_, PyString>,
    label: u32,
    weight: u64,
    analysis: &Analysis,
    ledger: Option<&Ledger>,
    name: &str,
    millionths: u64,
) -> PyResult<bool> {
    let (py, text) = (text.py(), Text::of(text)?);
    table.change(py, |table| {
        let documents =
            Documents { texts: &[text.as_str()], labels: &[label], weights: Some(&[weight]), fingerprint: None };
        analysis.count(table, &documents, 1)?;
        let noted = |ledger: &Ledger| {
            let mine = fingerprint(text.as_str(), name, weight * millionths);
            ledger.change(|ledger| {
                let known = ledger.times(mine) > 0;
                ledger.add(mine, 1);
                known
            })
        };
        Ok(ledger.is_some_and(noted))
    })?
}

/// Takes one text out. None: it is gone; True: the ledger does not have it; False: the table does not. Then nothing has
/// changed.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
#[pyo3(signature = (table, text, label, weight, analysis, ledger, name, millionths))]
pub fn forget_one(
    table: &Table,
    text: &Bound<'_, PyString>,
    label: u32,
    weight: u64,
    analysis: &Analysis,
    ledger: Option<&Ledger>,
    name: &str,
    millionths: u64,
) -> PyResult<Option<bool>> {
    let (py, text) = (text.py(), Text::of(text)?);
    table.change(py, |table| {
        let mine = fingerprint(text.as_str(), name, weight * millionths);
        if ledger.is_some_and(|ledger| ledger.change(|ledger| ledger.times(mine) == 0)) {
            return Ok(Some(true));
        }
        let parts = analysis.read(&[text.as_str()], &table.terms, 1)?;
        if table.forget(&parts[0], label, weight, analysis.weighting()).is_err() {
            return Ok(Some(false));
        }
        ledger.into_iter().for_each(|ledger| ledger.change(|ledger| ledger.remove(mine)));
        Ok(None)
    })?
}
