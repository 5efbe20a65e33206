//! CSV as RFC 4180 has it, with `\n` or `\r\n`; TSV is the same with a tab and no quotes.
//!
//! A quote is special at the start of a field only. Blank lines are skipped. A record that cannot be read becomes a
//! fault: with a wrong number of fields, or bytes that are not UTF-8, it is dropped; if its quotes are wrong only its
//! first line is, because its end is unknown.

use super::blocks::Blocks;
use super::csv_fields::{Dialect, Ending, FieldSpan, blank};
use super::rows::{Fault, Rows, RowsBuilder, not_utf8, place, raw, valid, without_line_end};
use memchr::memchr;

pub struct CsvReader {
    shape: Shape,
    blocks: Blocks,
    state: State,
    reading: RowsBuilder,
}

struct Shape {
    dialect: Dialect,
    width: usize,
    wanted: Vec<usize>,
}

struct State {
    line: u64,
    limit: usize,   // bytes a record may have
    skipping: bool, // the rest of a line that was too long
    spans: Vec<FieldSpan>,
}

impl CsvReader {
    /// The wanted columns must be below the width. A record may have `limit` bytes.
    pub fn new(dialect: Dialect, width: usize, wanted: Vec<usize>, line: u64, limit: usize) -> CsvReader {
        let (state, reading) = (State::new(line, limit), RowsBuilder::new(wanted.len()));
        CsvReader { shape: Shape { dialect, width, wanted }, blocks: Blocks::default(), state, reading }
    }

    /// Reads the rows that are complete with this block, and keeps them.
    pub fn feed(&mut self, block: &[u8], last: bool) -> &RowsBuilder {
        self.blocks.push(block, last, |data, last| self.state.read(&self.shape, data, last, &mut self.reading));
        self.reading.bytes += block.len();
        &self.reading
    }

    /// The rows that were kept.
    pub fn take(&mut self) -> Rows {
        self.reading.take()
    }
}

/// The first record of a block: its fields, how many bytes it took, and the line on which the next one begins. None if
/// the block does not hold it as a whole.
#[allow(clippy::type_complexity)]
pub fn first(
    dialect: Dialect,
    block: &[u8],
    last: bool,
    limit: usize,
) -> Option<Result<(Vec<String>, usize, u64), Fault>> {
    let (at, lines) = blank(block);
    let (mut state, rest) = (State::new(lines + 1, limit), &block[at..]);
    if rest.is_empty() {
        return None;
    }
    match dialect.cut(state.within(rest), &mut state.spans) {
        Ending::Complete { end, newlines } => {
            let record = &rest[..end];
            let clean = valid(record);
            if clean < end {
                return Some(Err(not_utf8(record, clean, state.line)));
            }
            let fields = state.spans.iter().map(|span| {
                let mut text = Vec::new();
                dialect.write(record, *span, &mut text);
                String::from_utf8(text).expect("checked before")
            });
            Some(Ok((fields.collect(), at + end, state.line + newlines + 1)))
        }
        Ending::Open { .. } if last && rest.last() != Some(&b'\n') => {
            let first = first(dialect, &[block, b"\n"].concat(), last, limit)?;
            Some(first.map(|(fields, used, line)| (fields, used.min(block.len()), line)))
        }
        broken => state.broken(rest, broken, last).map(Err),
    }
}

impl State {
    fn new(line: u64, limit: usize) -> State {
        State { line, limit, skipping: false, spans: Vec::new() }
    }

    /// As much as the longest record takes with its line end.
    fn within<'a>(&self, rest: &'a [u8]) -> &'a [u8] {
        &rest[..rest.len().min(self.limit + 1)]
    }

    /// Reads complete records and returns how many bytes they have.
    fn read(&mut self, shape: &Shape, data: &[u8], last: bool, into: &mut RowsBuilder) -> usize {
        let mut at = if self.skipping { self.skip(data, 0) } else { 0 };
        let mut clean = at + valid(&data[at..]); // up to here it is UTF-8
        while at < data.len() {
            let (bytes, lines) = blank(&data[at..]);
            (at, self.line) = (at + bytes, self.line + lines);
            let rest = &data[at..];
            match shape.dialect.cut(self.within(rest), &mut self.spans) {
                Ending::Complete { end, newlines } => {
                    self.take(shape, &rest[..end], clean - at, into);
                    (at, self.line) = (at + end, self.line + newlines + 1);
                }
                _ if rest.is_empty() => return at,
                broken => match self.broken(rest, broken, last) {
                    None => return at,
                    Some(fault) => {
                        into.faults.push(fault);
                        at = self.skip(data, at);
                    }
                },
            }
            if clean < at {
                clean = at + valid(&data[at..]);
            }
        }
        at
    }

    /// A complete record becomes a row or a fault; `clean` of its bytes are UTF-8.
    #[inline]
    fn take(&self, shape: &Shape, record: &[u8], clean: usize, into: &mut RowsBuilder) {
        if clean < record.len() {
            into.faults.push(not_utf8(record, clean, self.line));
        } else if self.spans.len() != shape.width {
            into.faults.push(self.miscounted(record, shape.width));
        } else {
            into.lines.push(self.line);
            for (column, index) in into.columns.iter_mut().zip(&shape.wanted) {
                column.push_with(|text| shape.dialect.write(record, self.spans[*index], text));
            }
        }
    }

    /// Past the end of the line, or of the bytes.
    fn skip(&mut self, data: &[u8], at: usize) -> usize {
        let newline = memchr(b'\n', &data[at..]);
        self.skipping = newline.is_none();
        self.line += !self.skipping as u64;
        newline.map_or(data.len(), |newline| at + newline + 1)
    }

    /// The fault of a record whose end is unknown, unless more bytes may make it good or complete what is dropped.
    fn broken(&self, rest: &[u8], ending: Ending, last: bool) -> Option<Fault> {
        let final_word = last || rest.len() > self.limit;
        let (at, kind, detail) = match ending {
            Ending::Text { at } if final_word || memchr(b'\n', &rest[at..]).is_some() => {
                (at, "quote-text", first_character(&rest[at..]))
            }
            _ if !final_word => return None,
            Ending::Open { quote: Some(at) } if rest.len() <= self.limit => {
                (at, "quote-unclosed", "the file ends".to_owned())
            }
            Ending::Open { quote: Some(at) } => (at, "quote-unclosed", self.limit.to_string()),
            _ => (0, "record-too-long", self.limit.to_string()),
        };
        let (line, column) = place(rest, at, self.line);
        let dropped = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
        let column = if kind == "record-too-long" { 0 } else { column };
        Some(Fault { line, column, kind, detail, raw: raw(dropped) })
    }

    fn miscounted(&self, record: &[u8], width: usize) -> Fault {
        let fields = self.spans.len();
        let at = self.spans.get(width).map_or(without_line_end(record).len(), FieldSpan::outset);
        let (line, column) = place(record, at, self.line);
        let detail = format!("{fields} field{}, expected {width}", if fields == 1 { "" } else { "s" });
        Fault { line, column, kind: "fields", detail, raw: raw(record) }
    }
}

fn first_character(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(4)]).chars().take(1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::column::{Column, Value};

    const CSV: Dialect = Dialect { delimiter: b',', quote: Some(b'"') };

    type Seen = (Vec<(u64, Vec<String>)>, Vec<(u64, u64, &'static str)>);

    fn text(column: &Column, row: usize) -> String {
        match column.get(row) {
            Some(Value::Text(text)) => text.to_owned(),
            other => panic!("{other:?}"),
        }
    }

    fn read(data: &[u8], block: usize, limit: usize) -> Seen {
        let mut reader = CsvReader::new(CSV, 2, vec![0, 1], 1, limit);
        let (mut rows, mut faults) = (Vec::new(), Vec::new());
        let blocks: Vec<&[u8]> = data.chunks(block).collect();
        for (index, block) in blocks.iter().enumerate() {
            reader.feed(block, index + 1 == blocks.len());
            if index % 3 == 1 && index + 1 < blocks.len() {
                continue; // rows of several blocks may be taken at once
            }
            let read = reader.take();
            let row = |row: usize| read.columns.iter().map(|column| text(column, row)).collect();
            rows.extend(read.lines.iter().enumerate().map(|(index, line)| (*line, row(index))));
            faults.extend(read.faults.iter().map(|fault| (fault.line, fault.column, fault.kind)));
        }
        (rows, faults)
    }

    #[test]
    fn faults_have_a_place_and_reading_goes_on() {
        let data = b"a,b\n\nc\n\"d\"e,f\ng,\"h\ni,\xe9\nj,\"k\nl\",m\nn,\"\"";
        let (rows, faults) = read(data, 1000, 1000);
        assert_eq!(rows, [(1, vec!["a".into(), "b".into()]), (9, vec!["n".into(), String::new()])]);
        let expected = [(3, 2, "fields"), (4, 4, "quote-text"), (5, 3, "quote-text"), (6, 3, "utf8"), (8, 4, "fields")];
        assert_eq!(faults[..2], expected[..2]);
        assert_eq!(faults[3..], expected[3..]);
    }

    #[test]
    fn blocks_may_be_cut_anywhere() {
        let data = "a,b\r\n\r\n\"c\r\n\",\"\"\"d\"\nж,\"ж\"ж\nab,\"cdefghijklmnopqrstuvwxyz\n\nc,d\nabcdefghijklmnopqrstuvwxyzabcd,\n1,2";
        for limit in [8, 20, 30, 1000] {
            let whole = read(data.as_bytes(), 1000, limit);
            for block in 1..data.len() {
                assert_eq!(read(data.as_bytes(), block, limit), whole, "block {block}, limit {limit}");
            }
        }
    }

    #[test]
    fn a_quote_that_is_never_closed_costs_one_line() {
        let (rows, faults) = read(b"a,\"b\nc,d\ne,f\n", 1000, 1000);
        assert_eq!(rows, [(2, vec!["c".into(), "d".into()]), (3, vec!["e".into(), "f".into()])]);
        assert_eq!(faults, [(1, 3, "quote-unclosed")]);
    }

    #[test]
    fn a_line_that_is_too_long_costs_one_line() {
        let (rows, faults) = read(b"abcdefghijkl,b\nc,d\n", 3, 10);
        assert_eq!((rows, faults), (vec![(2, vec!["c".into(), "d".into()])], vec![(1, 0, "record-too-long")]));
    }

    #[test]
    fn the_first_record_is_found_behind_blank_lines() {
        let (fields, used, line) = first(CSV, b"\n\r\na,\"b\nc\"\nd", false, 1000).unwrap().unwrap();
        assert_eq!((fields, used, line), (vec!["a".into(), "b\nc".into()], 11, 5));
        assert!(first(CSV, b"a,b", false, 1000).is_none());
        assert_eq!(first(CSV, b"a,b", true, 1000).unwrap().unwrap().1, 3);
        assert_eq!(first(CSV, b"a,\"b", true, 1000).unwrap().unwrap_err().kind, "quote-unclosed");
        assert!(first(CSV, b"\n\n", true, 1000).is_none());
    }
}
