//! A table as arrays, as they are read from a file and written to one.

use super::Array;
use super::errors::detached;
use crate::count::totals::Totals;
use crate::table::arrays::{Arrays, ArraysView, Unsigned, check};
use numpy::{IntoPyArray, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// One array, held while it is read.
#[derive(FromPyObject)]
pub enum UnsignedArray<'py> {
    U8(PyReadonlyArray1<'py, u8>),
    U16(PyReadonlyArray1<'py, u16>),
    U32(PyReadonlyArray1<'py, u32>),
    U64(PyReadonlyArray1<'py, u64>),
}

impl UnsignedArray<'_> {
    fn numbers(&self) -> PyResult<Unsigned<'_>> {
        Ok(match self {
            UnsignedArray::U8(array) => Unsigned::U8(array.as_slice()?),
            UnsignedArray::U16(array) => Unsigned::U16(array.as_slice()?),
            UnsignedArray::U32(array) => Unsigned::U32(array.as_slice()?),
            UnsignedArray::U64(array) => Unsigned::U64(array.as_slice()?),
        })
    }
}

/// The arrays of a table, held while they are read.
pub struct HeldArrays<'py> {
    pub terms: PyReadonlyArray1<'py, u8>,
    pub term_ends: UnsignedArray<'py>,
    pub cell_ends: UnsignedArray<'py>,
    pub cell_labels: UnsignedArray<'py>,
    pub cell_tf: UnsignedArray<'py>,
    pub cell_df: UnsignedArray<'py>,
    pub cell_weights: Option<UnsignedArray<'py>>,
}

impl HeldArrays<'_> {
    pub fn view(&self) -> PyResult<ArraysView<'_>> {
        Ok(ArraysView {
            terms: self.terms.as_slice()?,
            term_ends: self.term_ends.numbers()?,
            cell_ends: self.cell_ends.numbers()?,
            cell_labels: self.cell_labels.numbers()?,
            cell_tf: self.cell_tf.numbers()?,
            cell_df: self.cell_df.numbers()?,
            cell_weights: self.cell_weights.as_ref().map_or(Ok(Unsigned::U64(&[])), |weights| weights.numbers())?,
        })
    }
}

/// `Arrays`, in the order in which they are declared.
pub type Exported<'py> = (
    Array<'py, u8>,
    Array<'py, u64>,
    Array<'py, u64>,
    Array<'py, u32>,
    Array<'py, u64>,
    Array<'py, u64>,
    Array<'py, u64>,
);

pub fn exported(py: Python<'_>, arrays: Arrays) -> Exported<'_> {
    (
        arrays.terms.into_pyarray(py),
        arrays.term_ends.into_pyarray(py),
        arrays.cell_ends.into_pyarray(py),
        arrays.cell_labels.into_pyarray(py),
        arrays.cell_tf.into_pyarray(py),
        arrays.cell_df.into_pyarray(py),
        arrays.cell_weights.into_pyarray(py),
    )
}

/// By label: sum of tf, sum of df, distinct terms, sum of weighted. ValueError says what is wrong with the arrays.
#[pyfunction]
#[pyo3(signature = (documents, terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights=None))]
#[allow(clippy::too_many_arguments, clippy::type_complexity)]
pub fn check_arrays<'py>(
    py: Python<'py>,
    documents: PyReadonlyArray1<'py, u64>,
    terms: PyReadonlyArray1<'py, u8>,
    term_ends: UnsignedArray<'py>,
    cell_ends: UnsignedArray<'py>,
    cell_labels: UnsignedArray<'py>,
    cell_tf: UnsignedArray<'py>,
    cell_df: UnsignedArray<'py>,
    cell_weights: Option<UnsignedArray<'py>>,
) -> PyResult<(Array<'py, u64>, Array<'py, u64>, Array<'py, u64>, Array<'py, u64>)> {
    let held = HeldArrays { terms, term_ends, cell_ends, cell_labels, cell_tf, cell_df, cell_weights };
    let (arrays, documents) = (held.view()?, documents.as_slice()?);
    let totals = detached(py, || check(&arrays, documents))?.map_err(PyValueError::new_err)?;
    let column = |field: fn(&Totals) -> u64| totals.iter().map(field).collect::<Vec<_>>().into_pyarray(py);
    Ok((column(|t| t.tf), column(|t| t.df), column(|t| t.distinct), column(|t| t.weighted)))
}
