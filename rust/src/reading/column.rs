//! A column of values that may be missing. It never changes, so threads share it.

use super::text_column::Texts;
use hashbrown::HashMap;
use std::hash::Hash;

#[derive(Clone)]
pub enum Column {
    Text(Texts),
    Integer(Values<i64>),
    Unsigned(Values<u64>), // what does not fit into i64
    Float(Vec<f64>),       // NaN: missing
    Boolean(Values<bool>),
    Null(usize),
    Other { kind: String, len: usize },
}

/// One value of a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    Text(&'a str),
    Integer(i64),
    Unsigned(u64),
    Float(f64),
    Boolean(bool),
}

pub type Values<T> = Vec<Option<T>>;

impl Column {
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = Option<&'a str>>) -> Column {
        Column::Text(Texts::of(texts))
    }

    pub fn len(&self) -> usize {
        match self {
            Column::Text(texts) => texts.len(),
            Column::Integer(values) => values.len(),
            Column::Unsigned(values) => values.len(),
            Column::Float(values) => values.len(),
            Column::Boolean(values) => values.len(),
            Column::Null(len) | Column::Other { len, .. } => *len,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn kind(&self) -> &str {
        match self {
            Column::Text(_) => "text",
            Column::Integer(_) | Column::Unsigned(_) => "int",
            Column::Float(_) => "float",
            Column::Boolean(_) => "bool",
            Column::Null(_) => "null",
            Column::Other { kind, .. } => kind,
        }
    }

    /// A value, if it is not missing. There is none in a column of another kind.
    #[inline]
    pub fn get(&self, row: usize) -> Option<Value<'_>> {
        match self {
            Column::Text(texts) => texts.get(row).map(Value::Text),
            Column::Integer(values) => values[row].map(Value::Integer),
            Column::Unsigned(values) => values[row].map(Value::Unsigned),
            Column::Float(values) => Some(values[row]).filter(|value| !value.is_nan()).map(Value::Float),
            Column::Boolean(values) => values[row].map(Value::Boolean),
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
            Column::Integer(values) => Column::Integer(chosen(values, rows)),
            Column::Unsigned(values) => Column::Unsigned(chosen(values, rows)),
            Column::Float(values) => Column::Float(chosen(values, rows)),
            Column::Boolean(values) => Column::Boolean(chosen(values, rows)),
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
            Column::Integer(values) => distinct(values.iter().copied()),
            Column::Unsigned(values) => distinct(values.iter().copied()),
            Column::Float(values) => distinct(values.iter().map(|value| pattern(*value))),
            Column::Boolean(values) => distinct(values.iter().copied()),
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
}
