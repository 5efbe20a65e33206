//! Arrow data out of Python, by the Arrow PyCapsule protocol.

use super::errors::detached;
use super::py_column::PyColumn;
use crate::reading::arrow_columns::{column, kind};
use crate::reading::column::Column;
use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayIterator, ArrayReader, ArrayRef, cast::AsArray, make_array};
use arrow_schema::{ArrowError, DataType, Field};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use std::ffi::CStr;
use std::sync::{Arc, Mutex};

type Source = Box<dyn ArrayReader + Send>;

fn refused(error: ArrowError) -> PyErr {
    match error {
        ArrowError::CDataInterface(message) => PyValueError::new_err(message),
        other => PyValueError::new_err(other.to_string()),
    }
}

/// The arrays of an object.
fn source(object: &Bound<'_, PyAny>) -> PyResult<Source> {
    if object.hasattr("__arrow_c_stream__")? {
        let capsule = object.call_method0("__arrow_c_stream__")?;
        let stream = pointer::<FFI_ArrowArrayStream>(&capsule, c"arrow_array_stream")?;
        // SAFETY: a capsule of this name holds such a struct. It is moved out, so the capsule releases nothing later.
        let stream = unsafe { FFI_ArrowArrayStream::from_raw(stream) };
        return Ok(Box::new(detached(object.py(), || ArrayStreamReader::try_new(stream))?.map_err(refused)?));
    }
    if object.hasattr("__arrow_c_array__")? {
        let pair = object.call_method0("__arrow_c_array__")?;
        let pair = pair.cast::<PyTuple>()?;
        let schema = pointer::<FFI_ArrowSchema>(&pair.get_item(0)?, c"arrow_schema")?;
        let array = pointer::<FFI_ArrowArray>(&pair.get_item(1)?, c"arrow_array")?;
        // SAFETY: capsules of these names hold such structs. Both are moved out, so the capsules release nothing later.
        let (schema, array) = unsafe { (FFI_ArrowSchema::from_raw(schema), FFI_ArrowArray::from_raw(array)) };
        let field = Arc::new(Field::try_from(&schema).map_err(refused)?);
        // SAFETY: the producer gave the two together, as the protocol demands.
        let array = make_array(unsafe { from_ffi(array, &schema) }.map_err(refused)?);
        return Ok(Box::new(ArrayIterator::new([Ok(array)], field)));
    }
    let name = object.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "{name} does not speak the Arrow PyCapsule protocol (__arrow_c_stream__ or __arrow_c_array__)"
    )))
}

fn pointer<T>(capsule: &Bound<'_, PyAny>, name: &CStr) -> PyResult<*mut T> {
    Ok(capsule.cast::<PyCapsule>()?.pointer_checked(Some(name))?.as_ptr().cast())
}

/// The column that an object holds.
pub fn imported(object: &Bound<'_, PyAny>) -> PyResult<Column> {
    let source = source(object)?;
    let data_type = source.field().data_type().clone();
    if matches!(data_type, DataType::Struct(_)) {
        return Err(PyValueError::new_err("this is a table (an Arrow struct), not one column of it"));
    }
    let py = object.py();
    let arrays = detached(py, || source.collect::<Result<Vec<ArrayRef>, ArrowError>>())?.map_err(refused)?;
    detached(py, || column(&data_type, &arrays))?.map_err(PyValueError::new_err)
}

/// Reads a table batch by batch.
///
/// The interpreter is released while a batch is made: a producer may want it on another thread, as DuckDB does for a
/// query over pandas, and would wait forever. Producers take it themselves, because pyarrow releases it too.
#[pyclass(frozen, name = "ArrowReader")]
pub struct PyArrowReader {
    source: Mutex<Source>,
    names: Vec<String>,
    types: Vec<DataType>,
}

#[pymethods]
impl PyArrowReader {
    #[new]
    fn new(source: &Bound<'_, PyAny>) -> PyResult<PyArrowReader> {
        let source = self::source(source)?;
        let DataType::Struct(fields) = source.field().data_type() else {
            return Err(PyValueError::new_err("this is one column (of Arrow), not a table"));
        };
        let names = fields.iter().map(|field| field.name().clone()).collect();
        let types = fields.iter().map(|field| field.data_type().clone()).collect();
        Ok(PyArrowReader { source: Mutex::new(source), names, types })
    }

    #[getter]
    fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// For each column what `Column.kind` will be.
    #[getter]
    fn kinds(&self) -> Vec<String> {
        self.types.iter().map(kind).collect()
    }

    /// The wanted columns of the next batch; None after the last one.
    fn next(&self, py: Python<'_>, wanted: Vec<usize>) -> PyResult<Option<Vec<PyColumn>>> {
        if wanted.iter().any(|index| *index >= self.types.len()) {
            return Err(PyValueError::new_err("there is no such column"));
        }
        let Some(batch) = detached(py, || self.source.lock().expect("no thread panicked").next())? else {
            return Ok(None);
        };
        let batch = batch.map_err(refused)?;
        let table = batch.as_struct();
        if table.null_count() > 0 {
            return Err(PyValueError::new_err("a row as a whole is null"));
        }
        let columns = wanted.iter().map(|index| {
            let inner = detached(py, || column(&self.types[*index], &[table.column(*index).clone()]))?;
            Ok(PyColumn { inner: inner.map_err(PyValueError::new_err)? })
        });
        columns.collect::<PyResult<Vec<PyColumn>>>().map(Some)
    }
}
