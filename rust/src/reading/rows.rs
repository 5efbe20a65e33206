//! What was read, and what could not be.

use super::column::Column;
use super::text_column::TextBuilder;

const RAW: usize = 1000; // characters of a faulty record that are kept

/// A record that could not be read. The column is counted in characters from 1; 0 if there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub line: u64,
    pub column: u64,
    pub kind: &'static str,
    pub detail: String,
    pub raw: String,
}

/// Rows that were read, column by column.
#[derive(Default)]
pub struct Rows {
    pub columns: Vec<Column>,
    pub lines: Vec<u64>, // on which each row begins
    pub faults: Vec<Fault>,
}

/// Rows while they are read.
#[derive(Default)]
pub struct RowsBuilder {
    pub columns: Vec<TextBuilder>,
    pub lines: Vec<u64>,
    pub faults: Vec<Fault>,
    pub bytes: usize, // of the blocks that were read
}

impl RowsBuilder {
    pub fn new(columns: usize) -> RowsBuilder {
        RowsBuilder { columns: (0..columns).map(|_| TextBuilder::default()).collect(), ..RowsBuilder::default() }
    }

    /// What was read; then all is empty again.
    pub fn take(&mut self) -> Rows {
        let empty = RowsBuilder::new(self.columns.len());
        let RowsBuilder { columns, lines, faults, .. } = std::mem::replace(self, empty);
        Rows { columns: columns.into_iter().map(|column| Column::Text(column.finish())).collect(), lines, faults }
    }
}

/// A record as text, without its line end.
pub fn raw(record: &[u8]) -> String {
    let record = without_line_end(record);
    let enough = &record[..record.len().min(RAW * 4)];
    String::from_utf8_lossy(enough).chars().take(RAW).collect()
}

pub fn without_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Line and column of a byte of a record that begins on a line.
pub fn place(record: &[u8], at: usize, line: u64) -> (u64, u64) {
    let before = &record[..at.min(record.len())];
    let start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
    let lines = memchr::memchr_iter(b'\n', before).count() as u64;
    (line + lines, String::from_utf8_lossy(&before[start..]).chars().count() as u64 + 1)
}

/// How far the bytes are UTF-8; a character that is cut off at the end does not count against them.
pub fn valid(bytes: &[u8]) -> usize {
    match simdutf8::compat::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() => error.valid_up_to(),
        _ => bytes.len(),
    }
}

/// The fault of a record that is not UTF-8 from `at` on.
pub fn not_utf8(record: &[u8], at: usize, line: u64) -> Fault {
    let (line, column) = place(record, at, line);
    Fault { line, column, kind: "utf8", detail: format!("byte 0x{:02x}", record[at]), raw: raw(record) }
}
