//! Tables as plain arrays, for files and for other processes: the same arrays for the same counts, however they came.

use crate::intern::Interner;
use crate::scope::Scope;
use crate::table::{Cell, Row, Table};
use std::ops::Range;

/// Terms as UTF-8 end to end, sorted by bytes; for each term its cells, sorted by label, end to end.
#[derive(Default, Debug, PartialEq, Eq, Clone)]
pub struct Arrays {
    pub terms: Vec<u8>,
    pub term_ends: Vec<u64>,
    pub cell_ends: Vec<u64>,
    pub cell_labels: Vec<u32>,
    pub cell_tf: Vec<u64>,
    pub cell_df: Vec<u64>,
}

/// The same, read where they stand.
pub struct ArraysView<'a> {
    pub terms: &'a [u8],
    pub term_ends: &'a [u64],
    pub cell_ends: &'a [u64],
    pub cell_labels: &'a [u32],
    pub cell_tf: &'a [u64],
    pub cell_df: &'a [u64],
}

/// The table's counts; `places[label]` is where a label stands among those that have counts.
pub fn export(table: &Table, places: &[u32]) -> Arrays {
    let (names, sorted) = sorted(table);
    let (terms, cells) = (sorted.len(), sorted.iter().map(|name| table.row(name.id).len()).sum());
    let mut arrays = Arrays {
        terms: Vec::with_capacity(names.len()),
        term_ends: Vec::with_capacity(terms),
        cell_ends: Vec::with_capacity(terms),
        cell_labels: Vec::with_capacity(cells),
        cell_tf: Vec::with_capacity(cells),
        cell_df: Vec::with_capacity(cells),
    };
    for name in sorted {
        let id = name.id;
        arrays.terms.extend_from_slice(name.of(&names));
        arrays.term_ends.push(arrays.terms.len() as u64);
        let mut cells: Row =
            table.row(id).iter().map(|cell| Cell { label: places[cell.label as usize], ..*cell }).collect();
        cells.sort_unstable_by_key(|cell| cell.label);
        for cell in cells {
            arrays.cell_labels.push(cell.label);
            arrays.cell_tf.push(cell.tf);
            arrays.cell_df.push(cell.df);
        }
        arrays.cell_ends.push(arrays.cell_labels.len() as u64);
    }
    arrays
}

/// A term while terms are sorted: its first bytes decide most comparisons, without a look at the others.
struct Name {
    first: u64,
    start: usize,
    len: u32,
    id: u32,
}

impl Name {
    fn of<'a>(&self, names: &'a str) -> &'a [u8] {
        &names.as_bytes()[self.start..self.start + self.len as usize]
    }
}

/// The terms of the vocabulary end to end, and sorted.
fn sorted(table: &Table) -> (String, Vec<Name>) {
    let (mut names, mut all) = (String::new(), Vec::with_capacity(table.live()));
    for id in (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty()) {
        let start = names.len();
        table.terms.write_text(id, &mut names);
        let (mut first, bytes) = ([0; 8], &names.as_bytes()[start..]);
        let short = bytes.len().min(8);
        first[..short].copy_from_slice(&bytes[..short]);
        let len = u32::try_from(bytes.len()).expect("a term has less than 4 GB");
        all.push(Name { first: u64::from_be_bytes(first), start, len, id });
    }
    all.sort_unstable_by(|a, b| a.first.cmp(&b.first).then_with(|| a.of(&names).cmp(b.of(&names))));
    (names, all)
}

/// A table with these counts and documents by label, or what is wrong with the arrays. Nothing about them is trusted.
pub fn import(arrays: &ArraysView, documents: &[u64]) -> Result<Table, &'static str> {
    let cells = arrays.cell_labels.len();
    if arrays.cell_tf.len() != cells
        || arrays.cell_df.len() != cells
        || arrays.cell_ends.len() != arrays.term_ends.len()
    {
        return Err("arrays that belong together have different lengths");
    }
    let terms = std::str::from_utf8(arrays.terms).map_err(|_| "the terms are not UTF-8")?;
    let mut vocabulary = Interner::default();
    vocabulary.reserve(arrays.term_ends.len(), terms.len());
    let (mut scope, mut table, mut before) = (Scope::into(vocabulary), Table::default(), None);
    table.reserve(arrays.term_ends.len());
    for (label, number) in documents.iter().enumerate() {
        table.add_documents(label as u32, *number);
    }
    let (mut from, mut first) = (0, 0);
    for (index, (term_end, cell_end)) in arrays.term_ends.iter().zip(arrays.cell_ends).enumerate() {
        let (to, last) = (*term_end as usize, *cell_end as usize);
        let name = terms.get(from..to).ok_or("a term ends outside of the terms")?;
        if first >= last || last > cells || before.is_some_and(|before| before >= name) {
            return Err("the terms are not sorted, or one has no counts");
        }
        announce(&scope, arrays, index + AHEAD);
        let id = scope.intern_text(name);
        table.add_row(id, row(&table, arrays, first..last, documents.len())?);
        (from, first, before) = (to, last, Some(name));
    }
    table.terms = scope.own;
    match from == terms.len() && first == cells {
        true => Ok(table),
        false => Err("there is more than the terms account for"),
    }
}

const AHEAD: usize = 12; // terms; the index is far larger than the caches, so each of them waits for memory

/// Tells the processor that a term will be looked up soon.
#[inline]
fn announce(scope: &Scope, arrays: &ArraysView, index: usize) {
    let Some(ends) = arrays.term_ends.get(index - 1..=index) else { return };
    if let Some(name) = arrays.terms.get(ends[0] as usize..ends[1] as usize) {
        scope.own.prefetch_text(name);
    }
}

/// The cells of a term.
fn row(table: &Table, arrays: &ArraysView, cells: Range<usize>, labels: usize) -> Result<Row, &'static str> {
    let mut row = Row::with_capacity(cells.len());
    for at in cells {
        let cell = Cell { label: arrays.cell_labels[at], tf: arrays.cell_tf[at], df: arrays.cell_df[at] };
        let misplaced = row.last().is_some_and(|before| before.label >= cell.label);
        if cell.label as usize >= labels || misplaced || cell.tf == 0 {
            return Err("a count is 0, or its label is unknown or stands twice");
        }
        if cell.df > cell.tf || !table.can_take(&cell) {
            return Err("a count is larger than it can be");
        }
        row.push(cell);
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(arrays: &Arrays) -> ArraysView<'_> {
        ArraysView {
            terms: &arrays.terms,
            term_ends: &arrays.term_ends,
            cell_ends: &arrays.cell_ends,
            cell_labels: &arrays.cell_labels,
            cell_tf: &arrays.cell_tf,
            cell_df: &arrays.cell_df,
        }
    }

    fn example() -> Arrays {
        Arrays {
            terms: b"anew york".to_vec(),
            term_ends: vec![1, 9],
            cell_ends: vec![2, 3],
            cell_labels: vec![0, 1, 1],
            cell_tf: vec![3, 1, 2],
            cell_df: vec![2, 1, 1],
        }
    }

    #[test]
    fn what_is_exported_can_be_imported_and_is_the_same() {
        let table = import(&view(&example()), &[2, 1]).unwrap();
        assert_eq!(table.live(), 2);
        assert_eq!(table.row(table.terms.find_text("new york").unwrap()), [Cell { label: 1, tf: 2, df: 1 }]);
        assert_eq!(export(&table, &[0, 1]), example());
    }

    #[test]
    fn arrays_that_make_no_sense_are_refused() {
        let broken: [fn(&mut Arrays); 10] = [
            |a| a.term_ends.swap(0, 1),
            |a| a.term_ends[1] = 99,
            |a| a.terms[0] = 0xff,
            |a| a.terms.push(b'x'),
            |a| a.cell_ends[0] = 0,
            |a| a.cell_ends[1] = u64::MAX,
            |a| a.cell_labels[1] = 0,
            |a| a.cell_labels[2] = 7,
            |a| a.cell_tf[0] = 0,
            |a| a.cell_tf[0] = u64::MAX,
        ];
        for (index, spoil) in broken.iter().enumerate() {
            let mut arrays = example();
            spoil(&mut arrays);
            assert!(import(&view(&arrays), &[2, 1]).is_err(), "case {index}");
        }
    }
}
