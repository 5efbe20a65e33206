//! Numbers out of columns of any kind.

use super::column::{Column, Value};

/// A number for each row, NaN where there is none, and the rows whose value is something else than a finite number.
///
/// Missing are the rows without a value and those with one of these words, or with a number that one of them spells.
/// White space around a text does not count.
pub fn numbers(column: &Column, missing: &[String]) -> (Vec<f64>, Vec<u32>) {
    let missing: Vec<&str> = missing.iter().map(|word| word.trim_ascii()).collect();
    let spelled: Vec<f64> = missing.iter().filter_map(|word| finite(word)).collect();
    let known = |number: f64| if spelled.contains(&number) { Some(f64::NAN) } else { Some(number) };
    let mut bad = Vec::new();
    let number = |row: usize| {
        let number = match column.get(row) {
            None => Some(f64::NAN),
            Some(Value::Text(text)) => match text.trim_ascii() {
                text if missing.contains(&text) => Some(f64::NAN),
                text => finite(text),
            },
            Some(Value::Integer(number)) => known(number as f64),
            Some(Value::Unsigned(number)) => known(number as f64),
            Some(Value::Float(number)) if number.is_finite() => known(number),
            Some(Value::Float(_) | Value::Boolean(_)) => None,
        };
        number.unwrap_or_else(|| {
            bad.push(row as u32);
            f64::NAN
        })
    };
    let numbers = (0..column.len()).map(number).collect();
    (numbers, bad)
}

/// What a text spells, if that is a finite number with a decimal point.
fn finite(text: &str) -> Option<f64> {
    text.parse().ok().filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(column: &Column, missing: &[&str]) -> (Vec<Option<f64>>, Vec<u32>) {
        let missing: Vec<String> = missing.iter().map(|word| word.to_string()).collect();
        let (numbers, bad) = numbers(column, &missing);
        (numbers.into_iter().map(|number| Some(number).filter(|number| !number.is_nan())).collect(), bad)
    }

    #[test]
    fn texts_are_stripped_compared_and_then_read() {
        let texts = [" 1.5\n", "-2e3", ".5", "?", " NA ", "", "7"].map(Some);
        let expected = [Some(1.5), Some(-2000.0), Some(0.5), None, None, None, None];
        assert_eq!(read(&Column::of_texts(texts), &["?", "NA", "", "7"]), (expected.to_vec(), vec![]));
        assert_eq!(read(&Column::of_texts([None]), &[]), (vec![None], vec![]));
    }

    #[test]
    fn what_is_no_finite_number_is_bad() {
        let texts = ["nan", "Inf", "-infinity", "1e999", "1,5", "1_000", "0x10", "", "١"].map(Some);
        assert_eq!(read(&Column::of_texts(texts), &[]), (vec![None; 9], (0..9).collect()));
        assert_eq!(read(&Column::Float(vec![f64::INFINITY, f64::NAN]), &[]), (vec![None; 2], vec![0]));
        assert_eq!(read(&Column::Boolean(vec![Some(true), None]), &[]), (vec![None; 2], vec![0]));
    }

    #[test]
    fn numbers_that_a_word_spells_are_missing_too() {
        let expected = (vec![Some(1.0), None, None], vec![]);
        assert_eq!(read(&Column::Integer(vec![Some(1), Some(-999), None]), &["-999"]), expected);
        assert_eq!(read(&Column::Float(vec![1.0, -999.0, f64::NAN]), &["-999"]), expected);
        assert_eq!(read(&Column::Unsigned(vec![Some(u64::MAX)]), &[]).0, [Some(2f64.powi(64))]);
        assert_eq!(read(&Column::Null(2), &[]), (vec![None; 2], vec![]));
    }
}
