//! Tables as plain arrays, for files and for other processes: the same arrays for the same counts, however they came.

use super::Table;
use super::row::{Cell, Row};
use crate::count::totals::Totals;
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Overlay;
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
    pub cell_weights: Vec<u64>, // empty if nothing is weighted
}

/// Unsigned integers of any width, read in place.
#[derive(Clone, Copy)]
pub enum Unsigned<'a> {
    U8(&'a [u8]),
    U16(&'a [u16]),
    U32(&'a [u32]),
    U64(&'a [u64]),
}

impl Unsigned<'_> {
    pub fn len(&self) -> usize {
        match self {
            Unsigned::U8(numbers) => numbers.len(),
            Unsigned::U16(numbers) => numbers.len(),
            Unsigned::U32(numbers) => numbers.len(),
            Unsigned::U64(numbers) => numbers.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub fn at(&self, index: usize) -> u64 {
        match self {
            Unsigned::U8(numbers) => numbers[index] as u64,
            Unsigned::U16(numbers) => numbers[index] as u64,
            Unsigned::U32(numbers) => numbers[index] as u64,
            Unsigned::U64(numbers) => numbers[index],
        }
    }
}

/// The same arrays, read in place.
pub struct ArraysView<'a> {
    pub terms: &'a [u8],
    pub term_ends: Unsigned<'a>,
    pub cell_ends: Unsigned<'a>,
    pub cell_labels: Unsigned<'a>,
    pub cell_tf: Unsigned<'a>,
    pub cell_df: Unsigned<'a>,
    pub cell_weights: Unsigned<'a>,
}

impl ArraysView<'_> {
    /// Where a term is; both ends are inside once the arrays are checked.
    fn term(&self, index: usize) -> Range<usize> {
        Self::range(&self.term_ends, index)
    }

    fn cells(&self, index: usize) -> Range<usize> {
        Self::range(&self.cell_ends, index)
    }

    #[inline(always)]
    fn cell(&self, at: usize) -> Cell {
        Cell { label: self.cell_labels.at(at) as u32, tf: self.cell_tf.at(at), df: self.cell_df.at(at) }
    }

    #[inline(always)]
    fn weighted(&self, at: usize) -> u64 {
        if self.cell_weights.is_empty() { 0 } else { self.cell_weights.at(at) }
    }

    fn range(ends: &Unsigned, index: usize) -> Range<usize> {
        let start = if index == 0 { 0 } else { ends.at(index - 1) as usize };
        start..ends.at(index) as usize
    }
}

/// The table's counts; `places[label]` is the place of a label among those that have counts.
pub fn export(table: &Table, places: &[u32]) -> Arrays {
    let (names, sorted) = sorted(table);
    let (terms, cells) = (sorted.len(), sorted.iter().map(|name| table.row(name.id).len()).sum());
    let weighted = table.totals().iter().any(|totals| totals.weighted > 0);
    let mut arrays = Arrays {
        terms: Vec::with_capacity(names.len()),
        term_ends: Vec::with_capacity(terms),
        cell_ends: Vec::with_capacity(terms),
        cell_labels: Vec::with_capacity(cells),
        cell_tf: Vec::with_capacity(cells),
        cell_df: Vec::with_capacity(cells),
        cell_weights: Vec::with_capacity(if weighted { cells } else { 0 }),
    };
    for name in sorted {
        let id = name.id;
        arrays.terms.extend_from_slice(name.of(&names));
        arrays.term_ends.push(arrays.terms.len() as u64);
        let mut cells = Row::from(table.row(id));
        cells.sort_unstable_by_key(|cell| places[cell.label as usize]);
        for cell in cells {
            arrays.cell_labels.push(places[cell.label as usize]);
            arrays.cell_tf.push(cell.tf);
            arrays.cell_df.push(cell.df);
            if weighted {
                arrays.cell_weights.push(table.weighted(id, cell.label));
            }
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

/// The totals by label, or what is wrong with the arrays. Nothing about them is trusted.
pub fn check(arrays: &ArraysView, documents: &[u64]) -> Result<Vec<Totals>, &'static str> {
    let (terms, cells) = (arrays.term_ends.len(), arrays.cell_labels.len());
    if arrays.cell_tf.len() != cells || arrays.cell_df.len() != cells || arrays.cell_ends.len() != terms {
        return Err("arrays that belong together have different lengths");
    }
    if ![0, cells].contains(&arrays.cell_weights.len()) {
        return Err("there is not one weight for each count");
    }
    if terms > u32::MAX as usize {
        return Err("there are more terms than can be numbered");
    }
    let text = simdutf8::basic::from_utf8(arrays.terms).map_err(|_| "the terms are not UTF-8")?;
    let mut totals: Vec<Totals> =
        documents.iter().map(|number| Totals { documents: *number, ..Totals::default() }).collect();
    let (mut from, mut first, mut before) = (0, 0, None);
    for index in 0..terms {
        let (to, last) = (arrays.term_ends.at(index) as usize, arrays.cell_ends.at(index) as usize);
        let name = text.get(from..to).ok_or("a term ends outside of the terms")?;
        if first >= last || last > cells || before.is_some_and(|before| before >= name) {
            return Err("the terms are not sorted, or one has no counts");
        }
        check_cells(arrays, first..last, &mut totals)?;
        (from, first, before) = (to, last, Some(name));
    }
    match from == text.len() && first == cells {
        true => Ok(totals),
        false => Err("there is more than the terms account for"),
    }
}

/// The cells of one term: sorted by label, with numbers that can be.
#[inline]
fn check_cells(arrays: &ArraysView, cells: Range<usize>, totals: &mut [Totals]) -> Result<(), &'static str> {
    let mut before = None;
    for at in cells {
        let (label, cell, weighted) = (arrays.cell_labels.at(at), arrays.cell(at), arrays.weighted(at));
        let Some(total) = totals.get_mut(label as usize).filter(|_| before < Some(label) && cell.tf > 0) else {
            return Err("a count is 0, or its label is unknown or occurs twice");
        };
        if !cell.is_possible(weighted) || total.add_term(cell.tf, cell.df, weighted).is_err() {
            return Err("a count is larger than it can be");
        }
        before = Some(label);
    }
    Ok(())
}

/// A table with these counts and documents by label, or what is wrong with the arrays.
pub fn import(arrays: &ArraysView, documents: &[u64]) -> Result<Table, &'static str> {
    check(arrays, documents)?;
    let text = std::str::from_utf8(arrays.terms).expect("checked");
    let mut vocabulary = Interner::default();
    vocabulary.reserve(arrays.term_ends.len());
    let (mut overlay, mut table) = (Overlay::growing(vocabulary), Table::default());
    table.reserve(arrays.term_ends.len());
    for (label, number) in documents.iter().enumerate() {
        table.add_documents(label as u32, *number);
    }
    for index in 0..arrays.term_ends.len() {
        if index + AHEAD < arrays.term_ends.len() {
            overlay.own.prefetch_text(&arrays.terms[arrays.term(index + AHEAD)]);
        }
        let id = overlay.intern_text(&text[arrays.term(index)]);
        table.add_row(id, arrays.cells(index).map(|at| arrays.cell(at)).collect());
        if !arrays.cell_weights.is_empty() {
            let weigh = |at| table.add_weight(id, arrays.cell_labels.at(at) as u32, arrays.cell_weights.at(at));
            arrays.cells(index).for_each(weigh);
        }
    }
    table.terms = overlay.own;
    Ok(table)
}

const AHEAD: usize = 12; // terms; the index is far larger than the caches, so each of them waits for memory

#[cfg(test)]
mod tests {
    use super::*;

    fn view(arrays: &Arrays) -> ArraysView<'_> {
        ArraysView {
            terms: &arrays.terms,
            term_ends: Unsigned::U64(&arrays.term_ends),
            cell_ends: Unsigned::U64(&arrays.cell_ends),
            cell_labels: Unsigned::U32(&arrays.cell_labels),
            cell_tf: Unsigned::U64(&arrays.cell_tf),
            cell_df: Unsigned::U64(&arrays.cell_df),
            cell_weights: Unsigned::U64(&arrays.cell_weights),
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
            cell_weights: Vec::new(),
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
    fn weights_are_exported_where_there_are_some() {
        let weighted = Arrays { cell_weights: vec![3 * 65_536, 0, 1], ..example() };
        let table = import(&view(&weighted), &[2, 1]).unwrap();
        let new_york = table.terms.find_text("new york").unwrap();
        assert_eq!((table.weighted(new_york, 0), table.weighted(new_york, 1)), (0, 1));
        assert_eq!(table.totals().iter().map(|totals| totals.weighted).collect::<Vec<_>>(), [3 * 65_536, 1]);
        assert_eq!(check(&view(&weighted), &[2, 1]).unwrap(), table.totals());
        assert_eq!(export(&table, &[0, 1]), weighted);
        assert_eq!(export(&table, &[1, 0]).cell_weights, [0, 3 * 65_536, 1]);
        let without = Arrays { cell_weights: vec![0; 3], ..example() };
        assert_eq!(export(&import(&view(&without), &[2, 1]).unwrap(), &[0, 1]), example());
    }

    #[test]
    fn arrays_that_make_no_sense_are_refused() {
        let broken: [fn(&mut Arrays); 12] = [
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
            |a| a.cell_weights = vec![1, 1],
            |a| a.cell_weights = vec![1, 65_537, 1], // its term occurs once
        ];
        for (index, spoil) in broken.iter().enumerate() {
            let mut arrays = example();
            spoil(&mut arrays);
            assert!(import(&view(&arrays), &[2, 1]).is_err(), "case {index}");
        }
    }
}
