//! Texts out of Python: strings, lists of them, and columns.

use super::column::Column;
use super::lists::fetch_ahead;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyList, PyString};

const CHUNK: usize = 64 << 20; // bytes of text that are read between two looks for Ctrl-C

/// A text that is held while the interpreter is released. ASCII is read where it stands; anything else is encoded into
/// a copy, because asking Python for UTF-8 in place would leave a second copy inside the user's string for good.
pub enum Text {
    InPlace(PyBackedStr),
    Copied(String),
}

impl Text {
    pub fn of(text: &Bound<'_, PyString>) -> PyResult<Text> {
        if text.call_method0(intern!(text.py(), "isascii"))?.extract()? {
            return Ok(Text::InPlace(PyBackedStr::try_from(text.clone())?));
        }
        let encoded = text.encode_utf8()?;
        Ok(Text::Copied(std::str::from_utf8(encoded.as_bytes()).expect("Python encodes UTF-8").to_owned()))
    }

    pub fn as_str(&self) -> &str {
        match self {
            Text::InPlace(text) => text,
            Text::Copied(text) => text,
        }
    }
}

/// The texts of a batch.
#[derive(FromPyObject)]
pub enum Texts<'py> {
    List(Bound<'py, PyList>),
    Column(Bound<'py, Column>),
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
            Texts::List(texts) => {
                let text = |row| {
                    fetch_ahead(texts, row);
                    Text::of(texts.get_item(row)?.cast()?)
                };
                let taken = chunk(start..texts.len(), text, Text::as_str)?;
                work(taken.iter().map(Text::as_str).collect(), start)?;
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
