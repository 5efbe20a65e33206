//! The counts of a term: a cell for each label under which it was seen.

use crate::count::term_weights::UNIT;
use smallvec::SmallVec;

/// How often a term occurs under a label, and in how many documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(4))] // 20 bytes in place of 24: where there are many labels, these are the model
pub struct Cell {
    pub label: u32,
    pub tf: u64,
    pub df: u64,
}

impl Cell {
    /// Whether documents can have such counts: each that has the term has it at least once, and no occurrence weighs
    /// more than 1.
    #[inline]
    pub fn is_possible(&self, weighted: u64) -> bool {
        self.df <= self.tf && weighted.div_ceil(UNIT) <= self.tf
    }
}

/// The cells of a term, sorted by label.
pub type Row = SmallVec<[Cell; 1]>; // most terms are seen under one label only

/// Where the label is, or would be. Labels often come in rising order, so the last is looked at first.
#[inline]
fn place(row: &[Cell], label: u32) -> Result<usize, usize> {
    match row.last() {
        Some(last) if last.label >= label => row.binary_search_by_key(&label, |cell| cell.label),
        _ => Err(row.len()),
    }
}

/// Makes room for one more. Long rows grow by a quarter: twice their length would be too much of a model's memory.
#[inline]
fn make_room(row: &mut Row) {
    if row.len() == row.capacity() && row.len() >= 16 {
        row.reserve_exact(row.len() / 4);
    }
}

/// Adds a cell to those of a term. True if its label is new there.
#[inline(always)]
pub(super) fn add_to_row(row: &mut Row, cell: Cell) -> bool {
    let place = place(row, cell.label);
    match place {
        Ok(at) => {
            row[at].tf += cell.tf;
            row[at].df += cell.df;
        }
        Err(at) => {
            make_room(row);
            row.insert(at, cell);
        }
    }
    place.is_err()
}
