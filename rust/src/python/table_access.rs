//! Reading and changing a table that several threads share.

use super::errors::{detached, error};
use super::py_table::PyTable;
use crate::table::Table;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::Ordering;
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

impl PyTable {
    pub(super) fn of(table: Table) -> PyTable {
        PyTable { inner: RwLock::new(table), ..PyTable::default() }
    }

    /// Reads the table while the interpreter is released.
    pub fn look<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&Table) -> T + Send) -> PyResult<T> {
        detached(py, || {
            let table = self.read();
            self.is_whole().then(|| work(&table))
        })?
        .ok_or_else(|| half_changed(py))
    }

    /// Changes the table while the interpreter is released. A panic leaves the table as it was if nothing had changed
    /// yet; else it cannot be used any more.
    pub fn change<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Table) -> T + Send) -> PyResult<T> {
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

    fn read(&self) -> RwLockReadGuard<'_, Table> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner) // `is_half_changed` tells more
    }

    fn is_whole(&self) -> bool {
        !self.is_half_changed.load(Ordering::Relaxed)
    }

    /// Changes the table by another one; `labels` is how many labels of that one have a number here.
    pub(super) fn with_other<T: Send>(
        &self,
        py: Python<'_>,
        other: &PyTable,
        labels: usize,
        work: impl FnOnce(&mut Table, &Table) -> T + Send,
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

fn half_changed(py: Python<'_>) -> PyErr {
    error(py, "half_changed", ())
}
