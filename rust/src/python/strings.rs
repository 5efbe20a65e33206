//! Strings of Python: single ones, lists of them, and columns of texts.

use super::Array;
use super::py_column::PyColumn;
use crate::machine::processor::prefetch;
use numpy::IntoPyArray;
use pyo3::Borrowed;
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyDict, PyList, PyString};

const CHUNK: usize = 64 << 20; // bytes of text that are read between two looks for Ctrl-C
const FEW: usize = 8; // strings that are compared one by one

/// A text that is held while the interpreter is released. ASCII is read in place; anything else is encoded into
/// a copy, because asking Python for UTF-8 in place would leave a second copy inside the user's string for good.
pub enum Text {
    InPlace(PyBackedStr),
    Copied(PyBackedBytes),
}

impl Text {
    pub fn of(text: &Bound<'_, PyString>) -> PyResult<Text> {
        match is_ascii(text)? {
            true => Ok(Text::InPlace(PyBackedStr::try_from(text.clone())?)),
            false => Ok(Text::Copied(text.encode_utf8()?.into())),
        }
    }

    pub fn as_str(&self) -> &str {
        match self {
            Text::InPlace(text) => text,
            // SAFETY: Python encoded it as UTF-8.
            Text::Copied(text) => unsafe { std::str::from_utf8_unchecked(text) },
        }
    }
}

fn is_ascii(text: &Bound<'_, PyString>) -> PyResult<bool> {
    text.call_method0(intern!(text.py(), "isascii"))?.extract()
}

/// A text of a list that holds it.
enum Listed<'a> {
    InPlace(&'a str),
    Copied(Text),
}

impl<'a> Listed<'a> {
    fn of(list: &'a Bound<'_, PyList>, row: usize) -> PyResult<Listed<'a>> {
        fetch_ahead(list, row);
        // SAFETY: the row is inside the list, which is ours alone and holds the object as long as it is borrowed.
        let item = unsafe {
            let item = ffi::PyList_GetItem(list.as_ptr(), row as ffi::Py_ssize_t);
            Borrowed::<'a, '_, PyAny>::from_ptr(list.py(), item)
        };
        let text = item.cast::<PyString>()?;
        if !is_ascii(&text)? {
            return Ok(Listed::Copied(Text::of(&text)?));
        }
        let mut bytes = 0;
        // SAFETY: it is a string.
        let start = unsafe { ffi::PyUnicode_AsUTF8AndSize(item.as_ptr(), &mut bytes) };
        if start.is_null() {
            return Err(PyErr::fetch(list.py()));
        }
        // SAFETY: ASCII is UTF-8 in place, for as long as the list holds the object.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast(), bytes as usize) };
        Ok(Listed::InPlace(unsafe { std::str::from_utf8_unchecked(bytes) }))
    }

    fn as_str(&self) -> &str {
        match self {
            Listed::InPlace(text) => text,
            Listed::Copied(text) => text.as_str(),
        }
    }
}

/// The texts of a batch. A list is a copy of the user's, which others may change while the interpreter is released.
pub enum Texts<'py> {
    List(Bound<'py, PyList>),
    Column(Bound<'py, PyColumn>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Texts<'py> {
    type Error = PyErr;

    fn extract(texts: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(column) = texts.cast::<PyColumn>() {
            return Ok(Texts::Column(column.to_owned()));
        }
        let list = texts.cast::<PyList>()?;
        Ok(Texts::List(list.get_slice(0, list.len())))
    }
}

impl<'py> Texts<'py> {
    pub fn py(&self) -> Python<'py> {
        match self {
            Texts::List(texts) => texts.py(),
            Texts::Column(texts) => texts.py(),
        }
    }

    /// Whether nothing else than texts is in it.
    pub fn complete(&self) -> PyResult<()> {
        match self {
            Texts::List(_) => Ok(()), // each is looked at when its turn comes
            Texts::Column(texts) => texts.get().all_texts(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Texts::List(texts) => texts.len(),
            Texts::Column(texts) => texts.get().inner.len(),
        }
    }
}

/// Calls `work` with one chunk of the texts after the other and the number of texts before it; Ctrl-C is heard between
/// chunks.
pub fn each_chunk(texts: &Texts, mut work: impl FnMut(Vec<&str>, usize) -> PyResult<()>) -> PyResult<()> {
    texts.complete()?; // before anything is counted
    let mut start = 0;
    while start < texts.len() {
        let taken = match texts {
            Texts::List(list) => {
                let taken = chunk(start..list.len(), |row| Listed::of(list, row), Listed::as_str)?;
                work(taken.iter().map(Listed::as_str).collect(), start)?;
                taken.len()
            }
            Texts::Column(texts) => {
                let column = texts.get();
                let taken = chunk(start..column.inner.len(), |row| column.text(row), |text| text)?;
                let len = taken.len();
                work(taken, start)?;
                len
            }
        };
        start += taken;
        texts.py().check_signals()?;
    }
    Ok(())
}

/// The texts of these rows, until there are enough of them.
fn chunk<T>(
    rows: std::ops::Range<usize>,
    get: impl Fn(usize) -> PyResult<T>,
    text: impl Fn(&T) -> &str,
) -> PyResult<Vec<T>> {
    let (mut taken, mut bytes) = (Vec::new(), 0);
    for row in rows {
        let item = get(row)?;
        bytes += text(&item).len();
        taken.push(item);
        if bytes >= CHUNK {
            break;
        }
    }
    Ok(taken)
}

/// Python's objects lie anywhere in memory: the one a few places ahead is fetched while this one is read.
#[inline(always)]
pub fn fetch_ahead(list: &Bound<'_, PyList>, place: usize) {
    if place + FEW < list.len() {
        // SAFETY: the place is inside the list, which holds the object while the interpreter is held.
        unsafe { prefetch(&*ffi::PyList_GetItem(list.as_ptr(), (place + FEW) as ffi::Py_ssize_t)) };
    }
}

/// Whether everything in the list is a `str`, and of no class derived from it.
#[pyfunction]
pub fn all_str(list: &Bound<'_, PyList>) -> bool {
    list.iter().enumerate().all(|(place, item)| {
        fetch_ahead(list, place);
        item.is_exact_instance_of::<PyString>()
    })
}

/// The different strings of a list in order of first sight, and for each place which of them; None if something else is
/// in it.
#[pyfunction]
pub fn distinct_str<'py>(list: &Bound<'py, PyList>) -> PyResult<Option<(Bound<'py, PyList>, Array<'py, u32>)>> {
    let (mut distinct, numbers) = (Vec::new(), PyDict::new(list.py()));
    let mut which: Vec<u32> = Vec::with_capacity(list.len());
    for (place, item) in list.iter().enumerate() {
        fetch_ahead(list, place);
        if !item.is_exact_instance_of::<PyString>() {
            return Ok(None);
        }
        if let Some(number) = distinct.iter().take(FEW).position(|other| same(other, &item)) {
            which.push(number as u32);
            continue;
        }
        let known = if distinct.len() > FEW { numbers.get_item(&item)? } else { None };
        which.push(match known {
            Some(number) => number.extract()?,
            None => {
                let number = distinct.len() as u32;
                if distinct.len() >= FEW {
                    numbers.set_item(&item, number)?;
                }
                distinct.push(item);
                number
            }
        });
    }
    Ok(Some((PyList::new(list.py(), distinct)?, which.into_pyarray(list.py()))))
}

#[inline(always)]
fn same(one: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    // SAFETY: both are strings, which are compared without calling anything that could fail.
    one.is(other) || unsafe { ffi::PyUnicode_Compare(one.as_ptr(), other.as_ptr()) } == 0
}
