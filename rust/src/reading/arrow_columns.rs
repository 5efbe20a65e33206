//! Columns out of Arrow arrays. Strings are read in place; numbers are copied.

use super::column::{Column, Values};
use super::text_column::Texts;
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType, Float16Type,
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait, StringViewArray};
use arrow_schema::DataType;

/// The kind of a column of this type.
pub fn kind(data_type: &DataType) -> String {
    match data_type {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => "text".to_owned(),
        DataType::Dictionary(_, values) if kind(values) == "text" => "text".to_owned(),
        DataType::Null => "null".to_owned(),
        DataType::Boolean => "bool".to_owned(),
        integer if integer.is_integer() => "int".to_owned(),
        number if number.is_numeric() => "float".to_owned(),
        other => name(other),
    }
}

/// The first word of the type's name: `binary`, `list`, `timestamp`.
fn name(data_type: &DataType) -> String {
    let name = format!("{data_type:?}");
    name.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default().to_ascii_lowercase()
}

/// The arrays, which all have this type, as one column; or what is wrong with them.
pub fn column(data_type: &DataType, arrays: &[ArrayRef]) -> Result<Column, String> {
    let len = arrays.iter().map(|array| array.len()).sum();
    if u32::try_from(len).is_err() {
        return Err(format!("a column has less than 2^32 rows, this one has {len}"));
    }
    for array in arrays {
        // Rust's strings must be UTF-8, and foreign offsets may point anywhere.
        array.to_data().validate_full().map_err(|error| error.to_string())?;
    }
    Ok(match data_type {
        DataType::Null => Column::Null(len),
        DataType::Boolean => Column::Boolean(arrays.iter().flat_map(|array| array.as_boolean().iter()).collect()),
        DataType::Int8 => integers::<Int8Type>(arrays),
        DataType::Int16 => integers::<Int16Type>(arrays),
        DataType::Int32 => integers::<Int32Type>(arrays),
        DataType::Int64 => integers::<Int64Type>(arrays),
        DataType::UInt8 => integers::<UInt8Type>(arrays),
        DataType::UInt16 => integers::<UInt16Type>(arrays),
        DataType::UInt32 => integers::<UInt32Type>(arrays),
        DataType::UInt64 => Column::Unsigned(values::<UInt64Type, u64>(arrays)),
        DataType::Float16 => floats::<Float16Type>(arrays),
        DataType::Float32 => floats::<Float32Type>(arrays),
        DataType::Float64 => floats::<Float64Type>(arrays),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(arrays),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(arrays),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(arrays),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(arrays),
        other if kind(other) == "text" => {
            let mut texts = Texts::default();
            texts.reserve(len);
            arrays.iter().for_each(|array| add_texts(array, &mut texts));
            Column::Text(texts)
        }
        other => Column::Other { kind: kind(other), len },
    })
}

fn integers<T: ArrowPrimitiveType>(arrays: &[ArrayRef]) -> Column
where
    T::Native: Into<i64>,
{
    Column::Integer(values::<T, i64>(arrays))
}

fn floats<T: ArrowPrimitiveType>(arrays: &[ArrayRef]) -> Column
where
    T::Native: Into<f64>,
{
    let values = |array: &'_ ArrayRef| -> Vec<f64> {
        array.as_primitive::<T>().iter().map(|value| value.map_or(f64::NAN, Into::into)).collect()
    };
    Column::Float(arrays.iter().flat_map(values).collect())
}

/// The nearest floats.
fn decimals<T: DecimalType + ArrowPrimitiveType>(arrays: &[ArrayRef]) -> Column {
    let value = |array: &ArrayRef, row: usize| match array.is_valid(row) {
        true => array.as_primitive::<T>().value_as_string(row).parse().expect("a decimal is a number"),
        false => f64::NAN,
    };
    Column::Float(arrays.iter().flat_map(|array| (0..array.len()).map(move |row| value(array, row))).collect())
}

fn values<T: ArrowPrimitiveType, V>(arrays: &[ArrayRef]) -> Values<V>
where
    T::Native: Into<V>,
{
    arrays.iter().flat_map(|array| array.as_primitive::<T>().iter().map(|value| value.map(Into::into))).collect()
}

fn add_texts(array: &ArrayRef, texts: &mut Texts) {
    match array.data_type() {
        DataType::Utf8 => add_strings(array.as_string::<i32>(), texts),
        DataType::LargeUtf8 => add_strings(array.as_string::<i64>(), texts),
        DataType::Utf8View => add_views(array.as_string_view(), texts),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let mut distinct = Texts::default();
            add_texts(dictionary.values(), &mut distinct);
            let keys = dictionary.keys();
            let places = if distinct.is_empty() { vec![0; keys.len()] } else { dictionary.normalized_keys() };
            texts.extend(&distinct, places.iter().enumerate().map(|(row, place)| keys.is_valid(row).then_some(*place)));
        }
        other => unreachable!("{other} is no type of text"),
    }
}

fn add_strings<O: OffsetSizeTrait>(array: &GenericStringArray<O>, texts: &mut Texts) {
    let buffer = texts.add_buffer(array.values().clone());
    for text in array.iter() {
        match text {
            Some(text) => texts.push(buffer, text),
            None => texts.push_missing(),
        }
    }
}

/// Up to twelve bytes are in the view itself, longer strings in one of the buffers.
fn add_views(array: &StringViewArray, texts: &mut Texts) {
    let inline = texts.add_buffer(array.views().inner().clone());
    let buffers: Vec<u32> = array.data_buffers().iter().map(|buffer| texts.add_buffer(buffer.clone())).collect();
    for (text, view) in array.iter().zip(array.views()) {
        match text {
            Some(text) if text.len() <= 12 => texts.push(inline, text),
            Some(text) => texts.push(buffers[(view >> 64) as u32 as usize], text),
            None => texts.push_missing(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::column::Value;
    use arrow_array::{Decimal128Array, DictionaryArray, Float32Array, Int8Array, LargeStringArray, StringArray};
    use std::sync::Arc;

    const LONG: &str = "longer than twelve bytes";

    fn texts(arrays: &[ArrayRef]) -> Vec<Option<String>> {
        let column = column(arrays[0].data_type(), arrays).unwrap();
        let text = |value| match value {
            Value::Text(text) => String::from(text),
            other => panic!("{other:?}"),
        };
        (0..column.len()).map(|row| column.get(row).map(text)).collect()
    }

    #[test]
    fn strings_of_every_layout_are_read_sliced_and_in_pieces() {
        let values = vec![Some("dropped"), Some("a"), None, Some(""), Some(LONG)];
        let keys = Int8Array::from(vec![Some(1), Some(0), None, Some(2), Some(3)]);
        let dictionary = DictionaryArray::new(keys, Arc::new(StringArray::from(vec!["a", "dropped", "", LONG])));
        let arrays: [ArrayRef; 4] = [
            Arc::new(StringArray::from(values.clone())),
            Arc::new(LargeStringArray::from(values.clone())),
            Arc::new(StringViewArray::from(values)),
            Arc::new(dictionary),
        ];
        let expected = [Some("a".to_owned()), None, Some(String::new()), Some(LONG.to_owned())];
        for array in arrays {
            let sliced = array.slice(1, 4);
            assert_eq!(texts(&[sliced.clone(), sliced]), [expected.clone(), expected.clone()].concat());
        }
    }

    #[test]
    fn floats_and_decimals_are_floats_and_nan_is_missing() {
        let floats: ArrayRef = Arc::new(Float32Array::from(vec![Some(9.0), Some(0.5), None, Some(f32::NAN)]));
        let decimals = Decimal128Array::from(vec![Some(900), Some(50), None, None]).with_precision_and_scale(10, 2);
        for array in [floats, Arc::new(decimals.unwrap())] {
            let column = column(array.data_type(), &[array.slice(1, 3), array.slice(0, 1)]).unwrap();
            assert_eq!((column.kind(), kind(array.data_type()).as_str()), ("float", "float"));
            let values: Vec<_> = (0..4).map(|row| column.get(row)).collect();
            assert_eq!(values, [Some(Value::Float(0.5)), None, None, Some(Value::Float(9.0))]);
        }
    }

    #[test]
    fn a_type_that_is_not_read_has_its_name() {
        assert_eq!(kind(&DataType::Date32), "date32");
        assert_eq!(kind(&DataType::new_list(DataType::Int8, true)), "list");
        assert_eq!(kind(&DataType::Dictionary(DataType::Int8.into(), DataType::Int8.into())), "dictionary");
    }
}
