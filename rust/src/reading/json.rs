//! JSON Lines: an object on each line. Wanted values are taken as they are spelled, the others are passed over.

use super::blocks::Blocks;
use super::json_object::{Broken, WantedKeys};
use super::rows::{Fault, Rows, RowsBuilder, not_utf8, place, raw, valid, without_line_end};
use memchr::memchr;

pub struct JsonReader {
    blocks: Blocks,
    state: State,
    reading: RowsBuilder,
}

struct State {
    line: u64,
    limit: usize,   // bytes a line may have
    skipping: bool, // the rest of a line that was too long
    keys: WantedKeys,
}

impl JsonReader {
    /// With `raw` there is one more column, with the lines themselves. A line may have `limit` bytes.
    pub fn new(wanted: Vec<String>, raw: bool, line: u64, limit: usize) -> JsonReader {
        let state = State { line, limit, skipping: false, keys: WantedKeys::new(wanted) };
        let reading = RowsBuilder::new(state.keys.wanted() + raw as usize);
        JsonReader { blocks: Blocks::default(), state, reading }
    }

    /// Reads the rows that are complete with this block, and keeps them.
    pub fn feed(&mut self, block: &[u8], last: bool) -> &RowsBuilder {
        self.blocks.push(block, last, |data, _| self.state.read(data, &mut self.reading));
        self.reading.bytes += block.len();
        &self.reading
    }

    /// The rows that were kept.
    pub fn take(&mut self) -> Rows {
        self.reading.take()
    }

    /// All keys seen so far, in order of first sight.
    pub fn keys(&self) -> &[String] {
        self.state.keys.seen()
    }
}

impl State {
    /// Reads complete lines and returns how many bytes they have.
    fn read(&mut self, data: &[u8], into: &mut RowsBuilder) -> usize {
        let (mut at, mut clean) = (0, valid(data)); // up to there it is UTF-8
        while at < data.len() {
            let newline = memchr(b'\n', &data[at..]);
            let end = newline.map_or(data.len(), |newline| at + newline + 1);
            let line = &data[at..end];
            let long = line.len() - newline.is_some() as usize > self.limit;
            if newline.is_none() && !long && !self.skipping {
                return at;
            }
            if !self.skipping {
                self.take(line, long, clean - at, into);
            }
            self.skipping = newline.is_none();
            self.line += newline.is_some() as u64;
            at = end;
            if clean < at {
                clean = at + valid(&data[at..]);
            }
        }
        at
    }

    /// A line becomes a row or a fault, if it is not blank; `clean` of its bytes are UTF-8.
    fn take(&mut self, line: &[u8], long: bool, clean: usize, into: &mut RowsBuilder) {
        if long {
            let (kind, detail) = ("record-too-long", self.limit.to_string());
            into.faults.push(Fault { line: self.line, column: 0, kind, detail, raw: raw(line) });
            return;
        }
        if clean < line.len() {
            into.faults.push(not_utf8(line, clean, self.line));
            return;
        }
        // SAFETY: it was just checked, and a line end is a character of its own.
        let text = unsafe { std::str::from_utf8_unchecked(without_line_end(line)) };
        if text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
            return;
        }
        match self.keys.parse(text) {
            Ok(values) => {
                let values = values.into_iter().chain([Some(text.into())]); // the line itself, if there is a column
                for (column, value) in into.columns.iter_mut().zip(values) {
                    match value {
                        Some(text) => column.push(text.as_bytes()),
                        None => column.push_missing(),
                    }
                }
                into.lines.push(self.line);
            }
            Err(Broken { at, kind, detail }) => {
                let (line_number, column) = place(line, at, self.line);
                into.faults.push(Fault { line: line_number, column, kind, detail, raw: raw(line) });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::column::Value;

    type Seen = (Vec<(u64, Vec<Option<String>>)>, Vec<(u64, u64, &'static str)>);

    fn read(data: &[u8], block: usize, limit: usize) -> Seen {
        let mut reader = JsonReader::new(vec!["a".into(), "b".into()], true, 1, limit);
        let (mut rows, mut faults) = (Vec::new(), Vec::new());
        let blocks: Vec<&[u8]> = data.chunks(block).collect();
        for (index, block) in blocks.iter().enumerate() {
            reader.feed(block, index + 1 == blocks.len());
            if index % 3 == 1 && index + 1 < blocks.len() {
                continue; // rows of several blocks may be taken at once
            }
            let read = reader.take();
            let value = |value| match value {
                Some(Value::Text(text)) => Some(text.to_owned()),
                _ => None,
            };
            let row = |row: usize| read.columns.iter().map(|column| value(column.get(row))).collect();
            rows.extend(read.lines.iter().enumerate().map(|(index, line)| (*line, row(index))));
            faults.extend(read.faults.iter().map(|fault| (fault.line, fault.column, fault.kind)));
        }
        (rows, faults)
    }

    #[test]
    fn values_are_taken_as_they_are_spelled() {
        let data = "{\"a\": \"x\\n\\u00e9\", \"c\": [1], \"b\": 1.50}\r\n\n {\"b\": true, \"a\": null}";
        let (rows, faults) = read(data.as_bytes(), 1000, 1000);
        assert_eq!(faults, []);
        assert_eq!(rows[0].0, 1);
        assert_eq!(rows[0].1[..2], [Some("x\né".into()), Some("1.50".into())]);
        assert_eq!(rows[1], (3, vec![None, Some("true".into()), Some(" {\"b\": true, \"a\": null}".into())]));
    }

    #[test]
    fn blocks_may_be_cut_anywhere() {
        let data = b"{\"a\": \"x\"}\r\n\n{\"a\": [1]}\n[]\n{\"a\": \"\xff\"}\n{\"a\": \"long enough to be too long\"}\n{\"a\":1}";
        for limit in [8, 20, 1000] {
            let whole = read(data, 1000, limit);
            for block in (1..data.len()).step_by(if cfg!(miri) { 13 } else { 1 }) {
                assert_eq!(read(data, block, limit), whole, "block {block}, limit {limit}");
            }
        }
        let faults = [(3, 7, "json-nested"), (4, 1, "json-object"), (5, 8, "utf8"), (6, 0, "record-too-long")];
        assert_eq!(read(data, 7, 20).1, faults);
    }
}
