//! The columns of documents that have several, as the ledger notes them.

use super::errors::detached;
use super::strings::{Text, Texts};
use crate::count::ledger::{DocumentBytes, Field};
use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyList;

const ROWS: usize = 1 << 14; // that are held at once, and noted between two looks for Ctrl-C

/// One column: ("text", texts, rows that are missing), ("choices", values, which of them each row has; -1: none), or
/// numbers.
#[derive(FromPyObject)]
pub enum Values<'py> {
    Named(PyBackedStr, Bound<'py, PyAny>, PyReadonlyArray1<'py, i64>),
    Numbers(PyReadonlyArray1<'py, f64>),
}

/// A column that was checked.
enum Checked<'a, 'py> {
    Texts(Texts<'py>, Vec<bool>), // for each row whether it is missing
    Choices(&'a [i64], Vec<Text>),
    Numbers(&'a [f64]),
}

/// Some rows of a column, for a time without the interpreter.
enum Rows<'a> {
    Texts(Vec<Text>, &'a [bool]),
    InColumn(&'a super::py_column::PyColumn, usize, &'a [bool]),
    Choices(&'a [i64], &'a [Text]),
    Numbers(&'a [f64]),
}

/// The fingerprint of each row. `seeds` are by row.
pub fn fingerprints(py: Python<'_>, columns: &[Values], seeds: &[u64]) -> PyResult<Vec<u128>> {
    let checked = columns.iter().map(|column| column.checked(seeds.len())).collect::<PyResult<Vec<_>>>()?;
    let mut found = Vec::with_capacity(seeds.len());
    for start in (0..seeds.len()).step_by(ROWS) {
        let seeds = &seeds[start..seeds.len().min(start + ROWS)];
        let rows = checked.iter().map(|column| column.rows(start, seeds.len())).collect::<PyResult<Vec<_>>>()?;
        detached(py, || {
            let mut document = DocumentBytes::default();
            found.extend(seeds.iter().enumerate().map(|(row, seed)| {
                rows.iter().for_each(|column| document.push(column.field(row)));
                document.fingerprint(*seed)
            }));
        })?;
        py.check_signals()?;
    }
    Ok(found)
}

impl<'py> Values<'py> {
    fn checked(&self, len: usize) -> PyResult<Checked<'_, 'py>> {
        let (own, checked) = match self {
            Values::Named(kind, texts, missing) if **kind == *"text" => {
                let texts: Texts<'py> = texts.extract()?;
                texts.complete()?;
                (texts.len(), Checked::Texts(texts, mask(missing.as_slice()?, len)?))
            }
            Values::Named(kind, values, which) if **kind == *"choices" => {
                let (which, values) = (which.as_slice()?, texts(values.cast()?)?);
                if !which.iter().all(|place| (-1..values.len() as i64).contains(place)) {
                    return Err(PyValueError::new_err("there is no such value"));
                }
                (which.len(), Checked::Choices(which, values))
            }
            Values::Named(kind, ..) => {
                return Err(PyValueError::new_err(format!("a column is \"text\" or \"choices\", not {:?}", &**kind)));
            }
            Values::Numbers(numbers) => {
                let numbers = numbers.as_slice()?;
                (numbers.len(), Checked::Numbers(numbers))
            }
        };
        match own == len {
            true => Ok(checked),
            false => Err(PyValueError::new_err("columns, labels and weights must have the same length")),
        }
    }
}

fn texts(values: &Bound<'_, PyList>) -> PyResult<Vec<Text>> {
    values.iter().map(|value| Text::of(value.cast()?)).collect()
}

fn mask(rows: &[i64], len: usize) -> PyResult<Vec<bool>> {
    let mut mask = vec![false; len];
    for row in rows {
        let place = usize::try_from(*row).ok().and_then(|row| mask.get_mut(row));
        *place.ok_or_else(|| PyValueError::new_err("a row that is missing does not exist"))? = true;
    }
    Ok(mask)
}

impl Checked<'_, '_> {
    fn rows(&self, start: usize, len: usize) -> PyResult<Rows<'_>> {
        let range = start..start + len;
        Ok(match self {
            Checked::Texts(Texts::List(list), missing) => {
                let held = range.clone().map(|row| Text::of(list.get_item(row)?.cast()?));
                Rows::Texts(held.collect::<PyResult<Vec<_>>>()?, &missing[range])
            }
            Checked::Texts(Texts::Column(column), missing) => Rows::InColumn(column.get(), start, &missing[range]),
            Checked::Choices(which, values) => Rows::Choices(&which[range], values),
            Checked::Numbers(numbers) => Rows::Numbers(&numbers[range]),
        })
    }
}

impl Rows<'_> {
    #[inline]
    fn field(&self, row: usize) -> Field<'_> {
        match self {
            Rows::Texts(_, missing) | Rows::InColumn(_, _, missing) if missing[row] => Field::Missing,
            Rows::Texts(texts, _) => Field::Text(texts[row].as_str()),
            Rows::InColumn(column, start, _) => column.text(start + row).map_or(Field::Missing, Field::Text),
            Rows::Choices(which, values) => match which[row] {
                -1 => Field::Missing,
                place => Field::Text(values[place as usize].as_str()),
            },
            Rows::Numbers(numbers) => Field::Number(numbers[row]),
        }
    }
}
