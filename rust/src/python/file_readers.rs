//! Readers of CSV and JSON Lines for Python.

use super::Array;
use super::errors::detached;
use super::py_column::PyColumn;
use crate::reading::csv::{CsvReader, first};
use crate::reading::csv_fields::Dialect;
use crate::reading::json::JsonReader;
use crate::reading::rows::{Fault, Rows, RowsBuilder};
use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyList;
use std::sync::Mutex;

type FaultTuple = (u64, u64, &'static str, String, String);

/// What was read.
#[pyclass(frozen, name = "Rows")]
pub struct PyRows {
    columns: Vec<Py<PyColumn>>,
    lines: Vec<u64>,
    faults: Vec<Fault>,
}

fn tuple(fault: &Fault) -> FaultTuple {
    (fault.line, fault.column, fault.kind, fault.detail.clone(), fault.raw.clone())
}

impl PyRows {
    fn new(py: Python<'_>, rows: Rows) -> PyResult<PyRows> {
        let columns = rows.columns.into_iter().map(|inner| Py::new(py, PyColumn { inner }));
        Ok(PyRows { columns: columns.collect::<PyResult<_>>()?, lines: rows.lines, faults: rows.faults })
    }
}

#[pymethods]
impl PyRows {
    #[getter]
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.columns.iter().map(|column| column.clone_ref(py)))
    }

    /// The line on which each row begins, from 1.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        self.lines.clone().into_pyarray(py)
    }

    /// (line, column, kind, detail, raw) of each record that could not be read.
    #[getter]
    fn faults(&self) -> Vec<FaultTuple> {
        self.faults.iter().map(tuple).collect()
    }
}

fn kept(reading: &RowsBuilder) -> (usize, usize) {
    (reading.bytes, reading.faults.len())
}

fn dialect(delimiter: u8, quote: Option<u8>) -> PyResult<Dialect> {
    let usable = |byte: u8| byte.is_ascii() && !matches!(byte, b'\n' | b'\r');
    if !usable(delimiter) || quote.is_some_and(|quote| !usable(quote) || quote == delimiter) {
        return Err(PyValueError::new_err("delimiter and quote must be two ASCII characters, and no line ends"));
    }
    Ok(Dialect { delimiter, quote })
}

/// Reads CSV from blocks of bytes.
#[pyclass(frozen, name = "CsvReader")]
pub struct PyCsvReader {
    inner: Mutex<CsvReader>,
}

#[pymethods]
impl PyCsvReader {
    #[new]
    #[pyo3(signature = (*, delimiter, quote, width, wanted, limit, line=1))]
    fn new(
        delimiter: u8,
        quote: Option<u8>,
        width: usize,
        wanted: Vec<usize>,
        limit: u32,
        line: u64,
    ) -> PyResult<PyCsvReader> {
        if wanted.iter().any(|column| *column >= width) {
            return Err(PyValueError::new_err("the wanted columns must be below the width"));
        }
        let inner = Mutex::new(CsvReader::new(dialect(delimiter, quote)?, width, wanted, line, limit as usize));
        Ok(PyCsvReader { inner })
    }

    /// Reads the rows that are complete with this block, and keeps them: the bytes of all blocks since rows were
    /// taken, and how many records could not be read. Where blocks are cut does not matter.
    fn feed(&self, py: Python<'_>, block: PyBackedBytes, last: bool) -> PyResult<(usize, usize)> {
        detached(py, || kept(self.inner.lock().expect("no thread panicked").feed(&block, last)))
    }

    /// The rows that were kept.
    fn take(&self, py: Python<'_>) -> PyResult<PyRows> {
        PyRows::new(py, detached(py, || self.inner.lock().expect("no thread panicked").take())?)
    }

    /// Both at once.
    fn push(&self, py: Python<'_>, block: PyBackedBytes, last: bool) -> PyResult<PyRows> {
        self.feed(py, block, last)?;
        self.take(py)
    }
}

/// Reads JSON Lines from blocks of bytes.
#[pyclass(frozen, name = "JsonReader")]
pub struct PyJsonReader {
    inner: Mutex<JsonReader>,
}

#[pymethods]
impl PyJsonReader {
    #[new]
    #[pyo3(signature = (*, wanted, raw, limit, line=1))]
    fn new(wanted: Vec<String>, raw: bool, limit: u32, line: u64) -> PyJsonReader {
        PyJsonReader { inner: Mutex::new(JsonReader::new(wanted, raw, line, limit as usize)) }
    }

    /// Reads the rows that are complete with this block, and keeps them: the bytes of all blocks since rows were
    /// taken, and how many records could not be read. Where blocks are cut does not matter.
    fn feed(&self, py: Python<'_>, block: PyBackedBytes, last: bool) -> PyResult<(usize, usize)> {
        detached(py, || kept(self.inner.lock().expect("no thread panicked").feed(&block, last)))
    }

    /// The rows that were kept.
    fn take(&self, py: Python<'_>) -> PyResult<PyRows> {
        PyRows::new(py, detached(py, || self.inner.lock().expect("no thread panicked").take())?)
    }

    /// Both at once.
    fn push(&self, py: Python<'_>, block: PyBackedBytes, last: bool) -> PyResult<PyRows> {
        self.feed(py, block, last)?;
        self.take(py)
    }

    /// The keys seen so far, in order of first sight; a thousand at most.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        detached(py, || self.inner.lock().expect("no thread panicked").keys().to_vec())
    }
}

/// The first record of a block that is not blank: (fields, bytes used, line of the next record), or the fault
/// (line, column, kind, detail, raw); None if the block holds no complete record.
#[pyfunction]
#[pyo3(signature = (block, delimiter, quote, last, limit))]
pub fn csv_record<'py>(
    py: Python<'py>,
    block: PyBackedBytes,
    delimiter: u8,
    quote: Option<u8>,
    last: bool,
    limit: u32,
) -> PyResult<Bound<'py, PyAny>> {
    let dialect = dialect(delimiter, quote)?;
    match detached(py, || first(dialect, &block, last, limit as usize))? {
        None => Ok(py.None().into_bound(py)),
        Some(Ok(record)) => Ok(record.into_pyobject(py)?.into_any()),
        Some(Err(fault)) => Ok(tuple(&fault).into_pyobject(py)?.into_any()),
    }
}
