//! The counts of a term, a cell for each label under which it was seen, and beside them the sums of its weights.

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

/// The sums of the weights of terms, by term and label. Most tables have none, and then these cost nothing.
#[derive(Default, Clone)]
pub struct WeightedSums {
    by_id: Vec<SmallVec<[(u32, u64); 1]>>, // label and sum, sorted by label; other sums are 0
}

impl WeightedSums {
    #[inline]
    pub fn get(&self, id: u32, label: u32) -> u64 {
        let Some(row) = self.by_id.get(id as usize) else { return 0 };
        row.binary_search_by_key(&label, |(label, _)| *label).map_or(0, |at| row[at].1)
    }

    pub fn add(&mut self, id: u32, label: u32, weighted: u64) {
        if self.by_id.len() <= id as usize {
            self.by_id.resize(id as usize + 1, SmallVec::new());
        }
        let row = &mut self.by_id[id as usize];
        match row.binary_search_by_key(&label, |(label, _)| *label) {
            Ok(at) => row[at].1 += weighted,
            Err(at) => row.insert(at, (label, weighted)),
        }
    }

    /// id, label and sum of all that is not 0.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32, u64)> {
        let rows = self.by_id.iter().enumerate();
        rows.flat_map(|(id, row)| row.iter().map(move |(label, weighted)| (id as u32, *label, *weighted)))
    }

    /// The sum must be at least that.
    pub fn subtract(&mut self, id: u32, label: u32, weighted: u64) {
        let row = &mut self.by_id[id as usize];
        let at = row.binary_search_by_key(&label, |(label, _)| *label).expect("checked before");
        row[at].1 -= weighted;
        if row[at].1 == 0 {
            row.remove(at);
        }
    }

    /// Keeps the sums of these ids, which are renumbered in the same order.
    pub fn retain(&mut self, kept: &[bool]) {
        let mut stays = kept.iter();
        self.by_id.retain(|_| *stays.next().expect("every sum has an id"));
        self.by_id.shrink_to_fit();
    }

    pub fn scale(&mut self, factor: u64) {
        self.by_id.iter_mut().flatten().for_each(|(_, weighted)| *weighted *= factor);
    }
}
