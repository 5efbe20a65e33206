//! One text learned or forgotten.

use super::py_analysis::PyAnalysis;
use super::py_ledger::PyLedger;
use super::py_table::PyTable;
use super::strings::Text;
use crate::count::ledger::fingerprint;
use crate::table::Table;
use crate::table::learn::Documents;
use pyo3::prelude::*;
use pyo3::types::PyString;

/// A text with its label and weight, and the ledger that notes it.
struct OneText<'a> {
    text: Text,
    label: u32,
    weight: u64,
    analysis: &'a PyAnalysis,
    ledger: Option<&'a PyLedger>,
    fingerprint: u128,
}

impl OneText<'_> {
    /// Whether the ledger had it.
    fn learn(&self, table: &mut Table) -> PyResult<bool> {
        let (texts, labels, weights) = ([self.text.as_str()], [self.label], [self.weight]);
        let documents = Documents { texts: &texts, labels: &labels, weights: Some(&weights), ..Documents::default() };
        self.analysis.learn(table, documents, 1)?;
        let noted = |ledger: &PyLedger| {
            ledger.change(|ledger| {
                let known = ledger.times(self.fingerprint) > 0;
                ledger.add(self.fingerprint, 1);
                known
            })
        };
        Ok(self.ledger.is_some_and(noted))
    }

    /// None: it is gone; true: the ledger does not have it; false: the table does not.
    fn forget(&self, table: &mut Table) -> PyResult<Option<bool>> {
        if self.ledger.is_some_and(|ledger| ledger.change(|ledger| ledger.times(self.fingerprint) == 0)) {
            return Ok(Some(true));
        }
        let parts = self.analysis.analyze(&[self.text.as_str()], &table.terms, 1)?;
        if table.forget(&parts[0], self.label, self.weight, self.analysis.weighting()).is_err() {
            return Ok(Some(false));
        }
        self.ledger.into_iter().for_each(|ledger| ledger.change(|ledger| ledger.remove(self.fingerprint)));
        Ok(None)
    }
}

/// A function of Python that changes a table by one text. All of them have the same arguments.
macro_rules! by_one_text {
    ($(#[$doc:meta])* $name:ident -> $answer:ty, $change:path) => {
        $(#[$doc])*
        #[pyfunction]
        #[allow(clippy::too_many_arguments)]
        pub fn $name(
            table: &PyTable,
            text: &Bound<'_, PyString>,
            label: u32,
            weight: u64,
            analysis: &PyAnalysis,
            ledger: Option<&PyLedger>,
            name: &str,
            millionths: u64,
        ) -> PyResult<$answer> {
            let (py, text) = (text.py(), Text::of(text)?);
            table.change(py, |table| {
                let fingerprint = fingerprint(text.as_str(), name, weight * millionths);
                $change(&OneText { text, label, weight, analysis, ledger, fingerprint }, table)
            })?
        }
    };
}

by_one_text! {
    /// Counts one text, or raises OverflowError, and notes it in the ledger as `Table.count` does; whether the ledger
    /// had it.
    learn_one -> bool, OneText::learn
}

by_one_text! {
    /// Takes one text out. None: it is gone; True: the ledger does not have it; False: the table does not. Then
    /// nothing has changed.
    forget_one -> Option<bool>, OneText::forget
}
