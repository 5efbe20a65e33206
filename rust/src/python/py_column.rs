//! Columns for Python.

use super::Array;
use super::arrow_import::imported;
use super::errors::detached;
use super::strings::Text;
use crate::reading::column::{Column, Value};
use crate::reading::column_numbers::numbers;
use crate::reading::text_column::TextBuilder;
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

/// A column of values that may be missing.
#[pyclass(frozen, name = "Column")]
pub struct PyColumn {
    pub inner: Column,
}

impl PyColumn {
    /// A text of a column that has nothing else.
    pub fn text(&self, row: usize) -> PyResult<&str> {
        match self.inner.get(row) {
            Some(Value::Text(text)) => Ok(text),
            _ => Err(PyValueError::new_err(format!("row {row} is missing"))),
        }
    }

    pub fn all_texts(&self) -> PyResult<()> {
        match &self.inner {
            Column::Text(texts) if texts.complete() => Ok(()),
            Column::Text(_) => Err(PyValueError::new_err("a text is missing")),
            other => Err(PyValueError::new_err(format!("texts are needed, not a column of kind {}", other.kind()))),
        }
    }

    fn readable(&self) -> PyResult<&Column> {
        match &self.inner {
            Column::Other { kind, .. } => {
                Err(PyValueError::new_err(format!("values of the Arrow type {kind} are not read")))
            }
            readable => Ok(readable),
        }
    }

    fn object<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        Ok(match self.inner.get(row) {
            Some(Value::Text(text)) => text.into_pyobject(py)?.into_any(),
            Some(Value::Integer(number)) => number.into_pyobject(py)?.into_any(),
            Some(Value::Unsigned(number)) => number.into_pyobject(py)?.into_any(),
            Some(Value::Float(number)) => number.into_pyobject(py)?.into_any(),
            Some(Value::Boolean(value)) => value.into_pyobject(py)?.to_owned().into_any(),
            None => py.None().into_bound(py),
        })
    }
}

#[pymethods]
impl PyColumn {
    /// A column of texts; None is a missing one.
    #[staticmethod]
    fn from_list(values: &Bound<'_, PyList>) -> PyResult<PyColumn> {
        let mut builder = TextBuilder::default();
        for value in values {
            match value.is_none() {
                true => builder.push_missing(),
                false => builder.push(Text::of(value.cast::<PyString>()?)?.as_str().as_bytes()),
            }
        }
        Ok(PyColumn { inner: Column::Text(builder.finish()) })
    }

    /// The column of an object that speaks the Arrow PyCapsule protocol.
    #[staticmethod]
    fn from_arrow(source: &Bound<'_, PyAny>) -> PyResult<PyColumn> {
        Ok(PyColumn { inner: imported(source)? })
    }

    /// "text", "int", "float", "bool", "null", or the name of an Arrow type that is not read.
    #[getter]
    fn kind(&self) -> &str {
        self.inner.kind()
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// The rows that are missing.
    fn missing<'py>(&self, py: Python<'py>) -> PyResult<Array<'py, u32>> {
        let column = self.readable()?;
        Ok(detached(py, || column.missing())?.into_pyarray(py))
    }

    /// The distinct values in order of first sight, and for each row which of them.
    fn distinct<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyList>, Array<'py, u32>)> {
        let column = self.readable()?;
        let (firsts, which) = detached(py, || column.distinct())?;
        let values = firsts.iter().map(|row| self.object(py, *row as usize)).collect::<PyResult<Vec<_>>>()?;
        Ok((PyList::new(py, values)?, which.into_pyarray(py)))
    }

    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let column = self.readable()?;
        let values = (0..column.len()).map(|row| self.object(py, row)).collect::<PyResult<Vec<_>>>()?;
        PyList::new(py, values)
    }

    /// A number for each row, NaN where it is missing or one of these words; and the rows with anything else.
    #[allow(clippy::type_complexity)]
    fn numbers<'py>(&self, py: Python<'py>, missing: Vec<String>) -> PyResult<(Array<'py, f64>, Array<'py, u32>)> {
        let column = self.readable()?;
        let (numbers, bad) = detached(py, || numbers(column, &missing))?;
        Ok((numbers.into_pyarray(py), bad.into_pyarray(py)))
    }

    /// These rows, in this order. No text is copied.
    fn keep(&self, py: Python<'_>, rows: PyReadonlyArray1<'_, u32>) -> PyResult<PyColumn> {
        let (column, rows) = (self.readable()?, rows.as_slice()?);
        let inner = detached(py, || column.keep(rows))?.ok_or_else(|| PyValueError::new_err("there is no such row"))?;
        Ok(PyColumn { inner })
    }

    /// How many bytes of text each row has.
    fn text_sizes<'py>(&self, py: Python<'py>) -> Array<'py, u64> {
        match &self.inner {
            Column::Text(texts) => texts.sizes().into_pyarray(py),
            other => vec![0; other.len()].into_pyarray(py),
        }
    }

    /// How many bytes of text it holds.
    fn text_bytes(&self) -> u64 {
        match &self.inner {
            Column::Text(texts) => texts.bytes(),
            _ => 0,
        }
    }
}
