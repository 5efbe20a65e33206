//! A column of values that may be missing. It never changes, so threads share it.
//!
//! Text is held as views: where in which buffer each value stands. So Arrow's strings are read in place, and choosing
//! rows copies no text.

use arrow_buffer::Buffer;
use hashbrown::HashMap;
use std::hash::Hash;

const NOWHERE: u32 = u32::MAX; // the buffer of a value that is missing

#[derive(Clone)]
pub enum Column {
    Text(Texts),
    Whole(Values<i64>),
    Unsigned(Values<u64>), // what does not fit into i64
    Float(Vec<f64>),       // NaN: missing
    Truth(Values<bool>),
    Null(usize),
    Other { kind: String, len: usize },
}

/// One value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    Whole(i64),
    Unsigned(u64),
    Float(f64),
    Truth(bool),
}

pub type Values<T> = Vec<Option<T>>;

#[derive(Clone, Copy)]
struct View {
    start: u64,
    len: u32,
    buffer: u32,
}

/// Strings in buffers that they may share. What a view points at was checked to be UTF-8.
#[derive(Clone, Default)]
pub struct Texts {
    buffers: Vec<Buffer>,
    views: Vec<View>,
}

impl Texts {
    pub fn len(&self) -> usize {
        self.views.len()
    }

    pub fn is_empty(&self) -> bool {
        self.views.is_empty()
    }

    #[inline]
    pub fn get(&self, row: usize) -> Option<&str> {
        let View { start, len, buffer } = self.views[row];
        let bytes = &self.buffers.get(buffer as usize)?[start as usize..start as usize + len as usize];
        // SAFETY: views come from `Texts::push` and `Filling::texts` only, and these check; buffers never change.
        Some(unsafe { std::str::from_utf8_unchecked(bytes) })
    }

    pub fn bytes(&self) -> u64 {
        self.views.iter().map(|view| view.len as u64).sum()
    }

    /// The bytes of each text; 0 if it is missing.
    pub fn sizes(&self) -> Vec<u64> {
        self.views.iter().map(|view| view.len as u64).collect()
    }

    pub fn complete(&self) -> bool {
        self.views.iter().all(|view| view.buffer != NOWHERE)
    }

    pub fn reserve(&mut self, rows: usize) {
        self.views.reserve(rows);
    }

    pub fn push_missing(&mut self) {
        self.views.push(View { start: 0, len: 0, buffer: NOWHERE });
    }

    /// The buffer's number for `push`.
    pub fn add_buffer(&mut self, buffer: Buffer) -> u32 {
        self.buffers.push(buffer);
        self.buffers.len() as u32 - 1
    }

    /// A string that stands in a buffer of this column; whether it does is checked, so that a view cannot point at
    /// anything else.
    pub fn push(&mut self, buffer: u32, text: &str) {
        let held = &self.buffers[buffer as usize];
        let start = (text.as_ptr() as usize).wrapping_sub(held.as_ptr() as usize);
        let inside = text.is_empty() || start.checked_add(text.len()).is_some_and(|end| end <= held.len());
        assert!(inside, "a text stands in its buffer");
        let len = u32::try_from(text.len()).expect("a text has less than 4 GB");
        self.views.push(View { start: if len == 0 { 0 } else { start as u64 }, len, buffer });
    }

    /// Adds texts of another column, by their rows there.
    pub fn extend(&mut self, other: &Texts, rows: impl Iterator<Item = Option<usize>>) {
        let offset = self.buffers.len() as u32;
        self.buffers.extend_from_slice(&other.buffers);
        for row in rows {
            match row.map(|row| other.views[row]).filter(|view| view.buffer != NOWHERE) {
                Some(view) => self.views.push(View { buffer: view.buffer + offset, ..view }),
                None => self.push_missing(),
            }
        }
    }

    /// Some of the texts, where they stand; or copied, if that frees more than half of the memory.
    fn keep(&self, rows: &[u32]) -> Texts {
        let views = rows.iter().map(|row| self.views[*row as usize]).collect();
        let kept = Texts { buffers: self.buffers.clone(), views };
        let held: usize = self.buffers.iter().map(|buffer| buffer.len()).sum();
        if kept.bytes() as usize * 2 < held { kept.copied() } else { kept }
    }

    fn copied(&self) -> Texts {
        let mut filling = Filling::default();
        for row in 0..self.len() {
            match self.get(row) {
                Some(text) => filling.push(text.as_bytes()),
                None => filling.push_missing(),
            }
        }
        filling.texts()
    }
}

/// Texts while they are read, end to end.
#[derive(Default)]
pub struct Filling {
    text: Vec<u8>,
    views: Vec<View>,
}

impl Filling {
    /// Adds what `write` appends. The bytes are checked all at once, at the end.
    #[inline]
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.text.len();
        write(&mut self.text);
        let len = u32::try_from(self.text.len() - start).expect("a text has less than 4 GB");
        self.views.push(View { start: start as u64, len, buffer: 0 });
    }

    #[inline]
    pub fn push(&mut self, text: &[u8]) {
        self.push_with(|all| all.extend_from_slice(text));
    }

    pub fn push_missing(&mut self) {
        self.views.push(View { start: 0, len: 0, buffer: NOWHERE });
    }

    /// The column. What was pushed must have been UTF-8, each for itself.
    pub fn finish(self) -> Column {
        Column::Text(self.texts())
    }

    fn texts(self) -> Texts {
        let text = simdutf8::basic::from_utf8(&self.text).expect("what is pushed is UTF-8");
        let whole = |view: &View| text.is_char_boundary(view.start as usize);
        assert!(self.views.iter().all(whole), "each text is UTF-8"); // where one starts the one before it ends
        Texts { buffers: vec![Buffer::from_vec(self.text)], views: self.views }
    }
}

impl Column {
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Column {
        let mut filling = Filling::default();
        for text in texts {
            match text {
                Some(text) => filling.push(text.as_bytes()),
                None => filling.push_missing(),
            }
        }
        filling.finish()
    }

    pub fn len(&self) -> usize {
        match self {
            Column::Text(texts) => texts.len(),
            Column::Whole(values) => values.len(),
            Column::Unsigned(values) => values.len(),
            Column::Float(values) => values.len(),
            Column::Truth(values) => values.len(),
            Column::Null(len) | Column::Other { len, .. } => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn kind(&self) -> &str {
        match self {
            Column::Text(_) => "text",
            Column::Whole(_) | Column::Unsigned(_) => "int",
            Column::Float(_) => "float",
            Column::Truth(_) => "bool",
            Column::Null(_) => "null",
            Column::Other { kind, .. } => kind,
        }
    }

    /// A value, if it is not missing. There is none in a column of another kind.
    #[inline]
    pub fn get(&self, row: usize) -> Option<Value<'_>> {
        match self {
            Column::Text(texts) => texts.get(row).map(Value::Text),
            Column::Whole(values) => values[row].map(Value::Whole),
            Column::Unsigned(values) => values[row].map(Value::Unsigned),
            Column::Float(values) => Some(values[row]).filter(|value| !value.is_nan()).map(Value::Float),
            Column::Truth(values) => values[row].map(Value::Truth),
            Column::Null(_) | Column::Other { .. } => None,
        }
    }

    /// The column of these rows, in this order, if there are such rows.
    pub fn keep(&self, rows: &[u32]) -> Option<Column> {
        if rows.iter().any(|row| *row as usize >= self.len()) {
            return None;
        }
        Some(match self {
            Column::Text(texts) => Column::Text(texts.keep(rows)),
            Column::Whole(values) => Column::Whole(chosen(values, rows)),
            Column::Unsigned(values) => Column::Unsigned(chosen(values, rows)),
            Column::Float(values) => Column::Float(chosen(values, rows)),
            Column::Truth(values) => Column::Truth(chosen(values, rows)),
            Column::Null(_) => Column::Null(rows.len()),
            Column::Other { kind, .. } => Column::Other { kind: kind.clone(), len: rows.len() },
        })
    }

    pub fn missing(&self) -> Vec<u32> {
        (0..self.len() as u32).filter(|row| self.get(*row as usize).is_none()).collect()
    }

    /// The rows of the distinct values in order of first sight, and for each row which of them.
    pub fn distinct(&self) -> (Vec<u32>, Vec<u32>) {
        match self {
            Column::Text(texts) => distinct((0..texts.len()).map(|row| texts.get(row))),
            Column::Whole(values) => distinct(values.iter().copied()),
            Column::Unsigned(values) => distinct(values.iter().copied()),
            Column::Float(values) => distinct(values.iter().map(|value| pattern(*value))),
            Column::Truth(values) => distinct(values.iter().copied()),
            Column::Null(len) | Column::Other { len, .. } => distinct((0..*len).map(|_| None::<bool>)),
        }
    }
}

/// Numbers that are equal have the same; NaN has none.
fn pattern(value: f64) -> Option<u64> {
    (!value.is_nan()).then(|| (value + 0.0).to_bits()) // -0.0 becomes 0.0
}

fn chosen<T: Copy>(values: &[T], rows: &[u32]) -> Vec<T> {
    rows.iter().map(|row| values[*row as usize]).collect()
}

fn distinct<T: Hash + Eq + Copy>(values: impl Iterator<Item = T>) -> (Vec<u32>, Vec<u32>) {
    let mut known: HashMap<T, u32> = HashMap::new();
    let mut firsts = Vec::new();
    let which = values.enumerate().map(|(row, value)| {
        *known.entry(value).or_insert_with(|| {
            firsts.push(row as u32);
            firsts.len() as u32 - 1
        })
    });
    let which = which.collect();
    (firsts, which)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Column {
        Column::of_texts([Some("a"), None, Some("ж"), Some(""), Some("a"), None])
    }

    fn texts(column: &Column) -> Vec<Option<Value<'_>>> {
        (0..column.len()).map(|row| column.get(row)).collect()
    }

    #[test]
    fn an_empty_text_is_not_missing() {
        let column = example();
        assert_eq!(texts(&column)[2..4], [Some(Value::Text("ж")), Some(Value::Text(""))]);
        assert_eq!(column.missing(), [1, 5]);
    }

    #[test]
    fn distinct_values_come_in_order_of_first_sight() {
        assert_eq!(example().distinct(), (vec![0, 1, 2, 3], vec![0, 1, 2, 3, 0, 1]));
    }

    #[test]
    fn nan_is_missing_and_minus_zero_is_zero() {
        let column = Column::Float(vec![f64::NAN, 0.0, -f64::NAN, -0.0, 0.5]);
        assert_eq!((column.kind(), column.missing()), ("float", vec![0, 2]));
        assert_eq!(column.distinct(), (vec![0, 1, 4], vec![0, 1, 0, 1, 2]));
        assert_eq!(texts(&column.keep(&[4, 0]).unwrap()), [Some(Value::Float(0.5)), None]);
    }

    #[test]
    fn rows_can_be_chosen_twice_and_in_any_order() {
        let kept = example().keep(&[4, 2, 2]).unwrap();
        assert_eq!(texts(&kept), [Some(Value::Text("a")), Some(Value::Text("ж")), Some(Value::Text("ж"))]);
        assert!(example().keep(&[6]).is_none());
    }

    #[test]
    fn few_rows_of_a_large_column_do_not_hold_all_of_it() {
        let Column::Text(all) = Column::of_texts([Some("long enough"), None, Some("a")]) else { unreachable!() };
        let few = all.keep(&[2, 1]);
        assert_eq!((few.get(0), few.get(1), few.buffers[0].len()), (Some("a"), None, 1));
        assert_eq!(all.keep(&[0, 0]).buffers[0].as_ptr(), all.buffers[0].as_ptr());
    }

    #[test]
    #[should_panic(expected = "each text is UTF-8")]
    fn halves_of_a_character_are_no_texts() {
        let mut filling = Filling::default();
        filling.push(&"ж".as_bytes()[..1]);
        filling.push(&"ж".as_bytes()[1..]);
        filling.finish();
    }
}
