//! The counts: for each term and label, how often (`tf`), in how many documents (`df`), and the sum of what it weighs in
//! them (`weighted`; 0 where nothing is weighed).
//!
//! All numbers are whole, in units that the caller chooses, so sums are exact in any order. Rows hold only the labels
//! under which a term was seen. A term whose row is empty is not in the vocabulary, whatever id it still has.

use crate::analyze::batch::side_by_side;
use crate::count::label_sums::Group;
use crate::count::term_weights::UNIT;
use crate::count::totals::{Full, Totals};
use crate::table::tally_numbers::Tallies;
use crate::table::weighted_sums::Weights;
use crate::vocabulary::interner::{Entry, Interner};
use crate::vocabulary::overlay::{Scope, merge, merge_all};
use smallvec::SmallVec;

pub mod arrays;
pub mod document_term_matrix;
pub mod learn;
mod prune;
mod subtract;
mod tallies;
pub mod tally_numbers;
pub mod weighted_sums;

pub use prune::{Dropped, Error};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(Rust, packed(4))] // 20 bytes in place of 24: where there are many labels, these are the model
pub struct Cell {
    pub label: u32,
    pub tf: u64,
    pub df: u64,
}

impl Cell {
    /// Whether documents can have such counts: each that has the term has it at least once, and it never weighs more
    /// than it stands there.
    #[inline]
    pub fn can_be(&self, weighted: u64) -> bool {
        self.df <= self.tf && weighted.div_ceil(UNIT) <= self.tf
    }
}

pub type Row = SmallVec<[Cell; 1]>; // most terms are seen under one label only

#[derive(Default, Clone)]
pub struct Table {
    pub terms: Interner,
    rows: Vec<Row>,
    weights: Weights,
    totals: Vec<Totals>, // by label
    live: usize,         // terms with a row that is not empty
    tallies: Tallies,    // what readers of the table asked for once
    changes: u64,        // how often a change of the counts was begun
    tidied: usize,       // ids that there were when ids without a term were last dropped
}

/// Where the label stands, or would. Labels often come in rising order, so the last is looked at first.
#[inline]
fn place(row: &[Cell], label: u32) -> Result<usize, usize> {
    match row.last() {
        Some(last) if last.label >= label => row.binary_search_by_key(&label, |cell| cell.label),
        _ => Err(row.len()),
    }
}

/// Room for one more. Long rows grow by a quarter: twice their length would be too much of what a model takes.
#[inline]
fn make_room(row: &mut Row) {
    if row.len() == row.capacity() && row.len() >= 16 {
        row.reserve_exact(row.len() / 4);
    }
}

/// What a table lacks to have another one subtracted.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing;

impl Table {
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// Goes up when a change of the counts begins, and not before it is known that it can be made.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    pub fn live(&self) -> usize {
        self.live
    }

    pub fn ids(&self) -> usize {
        self.terms.len()
    }

    pub fn row(&self, id: u32) -> &[Cell] {
        self.rows.get(id as usize).map_or(&[], |row| row.as_slice())
    }

    /// The sum of what a term weighs in the documents of a label.
    #[inline]
    pub fn weighted(&self, id: u32, label: u32) -> u64 {
        self.weights.get(id, label)
    }

    fn label(&mut self, label: u32) -> &mut Totals {
        if self.totals.len() <= label as usize {
            self.totals.resize(label as usize + 1, Totals::default());
        }
        &mut self.totals[label as usize]
    }

    pub fn add_documents(&mut self, label: u32, documents: u64) {
        self.changes += 1;
        self.label(label).documents += documents;
    }

    pub fn add_cell(&mut self, id: u32, cell: Cell) {
        let Cell { label, tf, df } = cell;
        if tf == 0 && df == 0 {
            return;
        }
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, Row::new());
        }
        self.tally(id, -1);
        let row = &mut self.rows[id as usize];
        self.live += row.is_empty() as usize;
        let new = add_to_row(row, cell);
        let totals = self.label(label);
        totals.tf += tf;
        totals.df += df;
        totals.distinct += new as u64;
        self.tally(id, 1);
    }

    /// Adds to the sum of what a term weighs; its counts are added apart.
    #[inline]
    pub fn add_weight(&mut self, id: u32, label: u32, weighted: u64) {
        if weighted > 0 {
            self.tally(id, -1);
            self.weights.add(id, label, weighted);
            self.label(label).weighted += weighted;
            self.tally(id, 1);
        }
    }

    /// Adds counts of a label that are known already, a cell for each term, or changes nothing.
    pub fn put(&mut self, terms: &[String], label: u32, cells: &[(Cell, u64)]) -> Result<(), Full> {
        let mut sums = Totals::default();
        cells.iter().try_for_each(|(cell, weighted)| sums.take(cell, *weighted))?;
        self.has_room([(label, &sums)].into_iter())?;
        self.changes += 1;
        let mut scope = Scope::into(std::mem::take(&mut self.terms));
        let ids: Vec<u32> = terms.iter().map(|term| scope.intern_text(term)).collect();
        self.terms = scope.own;
        for (id, (cell, weighted)) in ids.into_iter().zip(cells) {
            self.add_cell(id, *cell);
            self.add_weight(id, label, *weighted);
        }
        Ok(())
    }

    /// Room for so many terms.
    pub fn reserve(&mut self, terms: usize) {
        self.rows.reserve(terms);
    }

    /// The cells of a term that has none yet, sorted by label.
    pub fn add_row(&mut self, id: u32, row: Row) {
        self.tallies.clear();
        for cell in &row {
            let totals = self.label(cell.label);
            totals.tf += cell.tf;
            totals.df += cell.df;
            totals.distinct += 1;
        }
        self.live += !row.is_empty() as usize;
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, Row::new());
        }
        self.rows[id as usize] = row;
    }

    fn holds(&self, id: u32, cell: &Cell, weighted: u64) -> bool {
        let row = self.row(id);
        let Ok(at) = row.binary_search_by_key(&cell.label, |held| held.label) else { return false };
        let left = || {
            let (tf, df) = (row[at].tf.checked_sub(cell.tf)?, row[at].df.checked_sub(cell.df)?);
            Some((Cell { label: cell.label, tf, df }, self.weighted(id, cell.label).checked_sub(weighted)?))
        };
        // What is left must be counts of documents.
        left().is_some_and(|(left, weighted)| left.can_be(weighted) && (left.df > 0 || left.tf == 0 || row[at].df == 0))
    }

    /// The cell must be held.
    fn remove_cell(&mut self, id: u32, cell: &Cell) {
        self.tally(id, -1);
        let row = &mut self.rows[id as usize];
        let at = row.binary_search_by_key(&cell.label, |held| held.label).expect("checked before");
        row[at].tf -= cell.tf;
        row[at].df -= cell.df;
        let gone = row[at].tf == 0 && row[at].df == 0;
        if gone {
            row.remove(at);
            self.live -= row.is_empty() as usize;
        }
        let totals = &mut self.totals[cell.label as usize];
        totals.tf -= cell.tf;
        totals.df -= cell.df;
        totals.distinct -= gone as u64;
        self.tally(id, 1);
    }

    /// So much must be held.
    fn remove_weight(&mut self, id: u32, label: u32, weighted: u64) {
        self.tally(id, -1);
        self.weights.subtract(id, label, weighted);
        self.totals[label as usize].weighted -= weighted;
        self.tally(id, 1);
    }

    /// Adds the sums of a batch that was read over this table's terms, or changes nothing: the new terms of each stretch, and
    /// its sums. There are as many threads as stretches.
    pub fn add_parts(&mut self, parts: Vec<(Interner, Vec<Group>)>) -> Result<(), Full> {
        let offset = self.terms.len() as u32;
        self.has_room(parts.iter().flat_map(|(_, groups)| groups).map(|group| (group.label, &group.totals)))?;
        self.changes += 1;
        let moved = |(own, groups)| Moved { groups, offset, ids: merge(&mut self.terms, own, offset) };
        let moved = parts.into_iter().map(moved).collect();
        self.add_groups(moved);
        Ok(())
    }

    /// Whether these sums can be added to those of their labels.
    pub fn has_room<'a>(&self, more: impl Iterator<Item = (u32, &'a Totals)>) -> Result<(), Full> {
        let mut sums = self.totals.clone();
        for (label, totals) in more {
            if sums.len() <= label as usize {
                sums.resize(label as usize + 1, Totals::default());
            }
            sums[label as usize].take_all(totals)?;
        }
        Ok(())
    }

    /// Adds sums for which there is room, label by label, so that rows grow at their ends. Each thread adds to its own
    /// stretch of rows.
    pub fn add_groups(&mut self, moved: Vec<Moved>) {
        self.rows.resize(self.rows.len().max(self.terms.len()), Row::new());
        let changing = self.changing(&moved);
        changing.iter().for_each(|id| self.tally(*id, -1));
        let each = self.rows.len().div_ceil(moved.len()).max(1);
        let mut groups: Vec<(&Group, &Moved)> =
            moved.iter().flat_map(|part| part.groups.iter().map(move |group| (group, part))).collect();
        groups.sort_by_key(|(group, _)| group.label);
        let stretches: Vec<_> = self.rows.chunks_mut(each).enumerate().collect();
        let added = side_by_side(stretches, |(stretch, rows)| add_to_rows(rows, stretch * each, &groups));
        for (new_terms, by_group) in added {
            self.live += new_terms;
            for ((group, _), (df, new_cells)) in groups.iter().zip(by_group) {
                let totals = self.label(group.label);
                totals.df += df;
                totals.distinct += new_cells;
            }
        }
        changing.iter().for_each(|id| self.tally(*id, 1));
        for part in &moved {
            for group in &part.groups {
                let totals = self.label(group.label);
                totals.documents += group.totals.documents;
                totals.tf += group.totals.tf;
                for ((id, ..), weighted) in group.cells.iter().zip(&group.weighted) {
                    self.add_weight(part.called(*id), group.label, *weighted);
                }
            }
        }
    }

    /// Adds another table, or changes nothing. `labels[l]` is what the other table's label `l` is called here.
    pub fn merge(&mut self, other: &Table, labels: &[u32]) -> Result<(), Full> {
        self.has_room(labels.iter().copied().zip(&other.totals))?;
        self.changes += 1;
        self.expect_changes(other.live);
        let moved = merge_all(&mut self.terms, &other.terms, 0);
        for (label, totals) in other.totals.iter().enumerate() {
            self.add_documents(labels[label], totals.documents);
        }
        for (id, row) in other.rows.iter().enumerate() {
            for cell in row {
                self.add_cell(moved[id], Cell { label: labels[cell.label as usize], ..*cell });
            }
        }
        for (id, label, weighted) in other.weights.iter() {
            self.add_weight(moved[id as usize], labels[label as usize], weighted);
        }
        Ok(())
    }

    /// Subtracts another table, or changes nothing if it does not hold it.
    pub fn subtract(&mut self, other: &Table, labels: &[u32]) -> Result<(), Missing> {
        let mut here: Vec<Option<u32>> = Vec::with_capacity(other.ids()); // what the other table's terms are called here
        for id in 0..other.ids() as u32 {
            here.push(match other.terms.entry(id) {
                Entry::Word(bytes) => self.terms.find(&bytes),
                Entry::Pair(a, b) => {
                    here[a as usize].zip(here[b as usize]).and_then(|(a, b)| self.terms.find_pair(a, b))
                }
            });
        }
        for (label, totals) in other.totals.iter().enumerate() {
            let held = self.totals.get(labels[label] as usize).map_or(0, |totals| totals.documents);
            if held < totals.documents {
                return Err(Missing);
            }
        }
        let mut removals = Vec::new();
        for (id, row) in other.rows.iter().enumerate() {
            for cell in row {
                let weighted = other.weighted(id as u32, cell.label);
                let cell = Cell { label: labels[cell.label as usize], ..*cell };
                match here[id] {
                    Some(id) if self.holds(id, &cell, weighted) => removals.push((id, cell)),
                    _ => return Err(Missing),
                }
            }
        }
        self.changes += 1;
        self.expect_changes(other.live);
        for (id, cell) in removals {
            self.remove_cell(id, &cell);
        }
        for (id, label, weighted) in other.weights.iter() {
            self.remove_weight(here[id as usize].expect("held"), labels[label as usize], weighted);
        }
        for (label, totals) in other.totals.iter().enumerate() {
            self.label(labels[label]).documents -= totals.documents;
        }
        self.tidy();
        Ok(())
    }

    /// Multiplies every number, or changes nothing: the unit becomes smaller.
    pub fn scale(&mut self, factor: u64) -> Result<(), Full> {
        let totals = self.totals.iter().map(|totals| totals.times(factor)).collect::<Result<Vec<_>, Full>>()?;
        self.changes += 1;
        self.tallies.clear();
        for cell in self.rows.iter_mut().flatten() {
            cell.tf *= factor;
            cell.df *= factor;
        }
        self.weights.scale(factor);
        self.totals = totals;
        Ok(())
    }
}

/// Sums whose ids from `offset` on are called otherwise here.
pub struct Moved {
    pub groups: Vec<Group>,
    pub offset: u32,
    pub ids: Vec<u32>,
}

impl Moved {
    /// What an id is called here.
    #[inline(always)]
    fn called(&self, id: u32) -> u32 {
        if id < self.offset { id } else { self.ids[(id - self.offset) as usize] }
    }
}

/// Adds what belongs to some rows, the first of which is that of the id `from`: how many terms are new, and for each group
/// its sum of df and how many cells are new.
fn add_to_rows(rows: &mut [Row], from: usize, groups: &[(&Group, &Moved)]) -> (usize, Vec<(u64, u64)>) {
    let (mut new_terms, mut by_group) = (0, Vec::with_capacity(groups.len()));
    for (group, part) in groups {
        let (mut df_of_all, mut new_cells) = (0, 0);
        for (id, tf, df) in &group.cells {
            let here = (part.called(*id) as usize).wrapping_sub(from);
            let Some(row) = rows.get_mut(here).filter(|_| *tf > 0) else { continue };
            new_terms += row.is_empty() as usize;
            new_cells += add_to_row(row, Cell { label: group.label, tf: *tf, df: *df }) as u64;
            df_of_all += df;
        }
        by_group.push((df_of_all, new_cells));
    }
    (new_terms, by_group)
}

/// Adds a cell to those of a term; whether its label is new there.
#[inline(always)]
fn add_to_row(row: &mut Row, cell: Cell) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::rules::Rules;
    use crate::count::term_weights::{Own, Weighting};
    use crate::table::learn::{Documents, Stopped, count};
    use std::convert::Infallible;

    /// Counts documents with pairs of words, or says why not.
    fn count_on(
        threads: usize,
        table: &mut Table,
        (texts, labels, weights): (&[&str], &[u32], Option<&[u64]>),
        weighting: Option<Weighting>,
    ) -> Result<(), Full> {
        let rules = Rules { ngrams: (1, 2), weighting, ..Rules::default() };
        let documents = Documents { texts, labels, weights, fingerprint: None };
        match count(table, &documents, &rules, threads, |_| Ok::<_, Infallible>(Vec::new())) {
            Ok(_) => Ok(()),
            Err(Stopped::Full) => Err(Full),
        }
    }

    /// The words' own weights, divided by their length; pairs of words stand beside them.
    fn weighting() -> Option<Weighting> {
        let own = Some(Own { words: (1, 1), pieces: false });
        Weighting::named("log-length").map(|weighting| Weighting { own, ..weighting })
    }

    fn counted(texts: &[&str], labels: &[u32], weighting: Option<Weighting>) -> Table {
        counted_on(1, texts, labels, None, weighting)
    }

    fn counted_on(
        threads: usize,
        texts: &[&str],
        labels: &[u32],
        weights: Option<&[u64]>,
        weighting: Option<Weighting>,
    ) -> Table {
        let mut table = Table::default();
        count_on(threads, &mut table, (texts, labels, weights), weighting).unwrap();
        table
    }

    type Content = (Vec<(String, Vec<(Cell, u64)>)>, Vec<Totals>);

    fn content(table: &Table) -> Content {
        let cells = |id| table.row(id).iter().map(|cell| (*cell, table.weighted(id, cell.label))).collect();
        let ids = (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty());
        let mut all: Vec<_> = ids.map(|id| (table.terms.text(id), cells(id))).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        (all, table.totals().iter().copied().filter(|totals| *totals != Totals::default()).collect())
    }

    #[test]
    fn repeats_count_in_tf_and_documents_in_df() {
        let table = counted(&["a b a", "a"], &[0, 0], None);
        let a = table.terms.find(b"a").unwrap();
        assert_eq!(table.row(a), [Cell { label: 0, tf: 3, df: 2 }]);
        assert_eq!(table.totals()[0], Totals { documents: 2, tf: 6, df: 5, distinct: 4, weighted: 0 });
        assert_eq!(table.weighted(a, 0), 0);
    }

    #[test]
    fn what_a_term_weighs_is_summed_over_documents_times_their_weight() {
        let table = counted_on(1, &["a a", "a", "b"], &[0, 0, 0], Some(&[1, 3, 0]), Weighting::named("log"));
        let weighted = |term| table.weighted(table.terms.find_text(term).unwrap(), 0);
        assert_eq!((weighted("a"), weighted("a a")), (71_999 + 3 * 45_426, 45_426)); // ln 3 and ln 2
        assert_eq!(table.terms.find(b"b").map(|id| table.weighted(id, 0)), Some(0));
        assert_eq!(table.totals()[0].weighted, 71_999 + 4 * 45_426);
    }

    #[test]
    fn threads_give_the_same_counts_in_the_same_order() {
        let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 700, n % 13).repeat(20)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let labels: Vec<u32> = (0..4000).map(|n| n % 3).collect();
        let weights: Vec<u64> = (0..4000).map(|n| n % 5).collect();
        for weighting in [None, weighting()] {
            let [one, many] = [1, 4].map(|threads| counted_on(threads, &texts, &labels, Some(&weights), weighting));
            assert_eq!(content(&one), content(&many));
            assert_eq!(one.totals()[0].weighted > 0, weighting.is_some());
        }
    }

    #[test]
    fn documents_one_by_one_are_the_same_as_all_at_once() {
        let (texts, labels) = (["a b a c", "b b", "c a"], [1, 0, 1]);
        let mut table = Table::default();
        for (text, label) in texts.iter().zip(labels) {
            count_on(1, &mut table, (&[text], &[label], None), weighting()).unwrap();
        }
        assert_eq!(content(&table), content(&counted(&texts, &labels, weighting())));
    }

    #[test]
    fn subtracting_what_was_merged_is_the_identity_and_empties_the_vocabulary() {
        for weighting in [None, weighting()] {
            let mut whole = counted(&["a b", "b c"], &[0, 1], weighting);
            let before = content(&whole);
            let extra = counted(&["c d d"], &[0], weighting);
            for label in [1, 2] {
                whole.merge(&extra, &[label]).unwrap();
                assert_eq!(whole.live(), before.0.len() + 3); // "d", "c d" and "d d" are new
                whole.subtract(&extra, &[label]).unwrap();
                assert_eq!(content(&whole), before);
                assert_eq!(whole.live(), before.0.len());
            }
        }
    }

    #[test]
    fn merged_parts_are_the_whole() {
        let whole = counted(&["a b a", "b c", "a"], &[0, 1, 1], weighting());
        let mut parts = counted(&["a b a"], &[0], weighting());
        parts.merge(&counted(&["b c", "a"], &[0, 0], weighting()), &[1]).unwrap();
        assert_eq!(content(&parts), content(&whole));
    }

    #[test]
    fn subtracting_what_is_not_held_changes_nothing() {
        let mut whole = counted(&["a b"], &[0], None);
        let before = content(&whole);
        let others = [(vec!["a a"], vec![0]), (vec!["z"], vec![0]), (vec!["a", "b"], vec![0, 0])];
        for (texts, labels) in others {
            assert_eq!(whole.subtract(&counted(&texts, &labels, None), &[0]), Err(Missing));
            assert_eq!(content(&whole), before);
        }
    }

    #[test]
    fn weights_must_be_held_too() {
        for (weighting, held) in [(None, Ok(())), (Weighting::named("once-length"), Err(Missing))] {
            let mut two = counted(&["a b"], &[0], weighting); // each weighs √½
            assert_eq!(two.subtract(&counted(&["a"], &[0], weighting), &[0]), held);
        }
        let mut one = counted(&["a"], &[0], Weighting::named("once-length"));
        let before = content(&one);
        for weighted in [UNIT - 1, UNIT + 1] {
            let mut other = Table::default();
            other.put(&["a".to_string()], 0, &[(Cell { label: 0, tf: 1, df: 1 }, weighted)]).unwrap();
            assert_eq!(one.subtract(&other, &[0]), Err(Missing));
            assert_eq!(content(&one), before);
        }
    }

    #[test]
    fn a_smaller_unit_is_the_same_as_larger_weights() {
        let (texts, labels) = (["a b a", "b", "b"], [0, 1, 1]);
        let mut table = counted(&texts, &labels, weighting());
        table.scale(10).unwrap();
        assert_eq!(content(&table), content(&counted_on(1, &texts, &labels, Some(&[10, 10, 10]), weighting())));
    }

    #[test]
    fn sums_that_would_be_too_large_are_refused_and_change_nothing() {
        let weighting = Weighting::named("log");
        let mut table = counted_on(1, &["a"], &[0], Some(&[1 << 46]), weighting); // ln 2 · 2^62
        let (before, twin) = (content(&table), table.clone());
        assert_eq!(table.merge(&twin, &[0]), Err(Full));
        assert_eq!(table.scale(2), Err(Full));
        for (text, weight) in [("a", 1 << 46), ("b", 1 << 46), ("b", u64::MAX), ("", 1 << 62)] {
            assert_eq!(count_on(1, &mut table, (&[text], &[0], Some(&[weight])), weighting), Err(Full));
        }
        assert_eq!((content(&table), table.ids()), (before, 1));
        table.merge(&twin, &[1]).unwrap();
        assert_eq!(table.totals()[1], twin.totals()[0]);
    }
}
