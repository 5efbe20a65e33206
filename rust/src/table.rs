//! The counts: for each term and label, how often (`tf`) and in how many documents (`df`).
//!
//! All numbers are whole, in units that the caller chooses, so sums are exact in any order. Rows hold only the labels
//! under which a term was seen. A term whose row is empty is not in the vocabulary, whatever id it still has.

use crate::bag::Bag;
use crate::batch::{Part, side_by_side};
use crate::documents::Lists;
use crate::intern::{Entry, Interner};
use crate::scope::{merge, merge_all};
use smallvec::SmallVec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    pub label: u32,
    pub tf: u64,
    pub df: u64,
}

pub type Row = SmallVec<[Cell; 1]>; // most terms are seen under one label only

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub documents: u64,
    pub tf: u64,       // sum of tf over all terms
    pub df: u64,       // sum of df over all terms
    pub distinct: u64, // terms seen under this label
}

impl Totals {
    /// Whether the sums stay below a limit that leaves room for everything that may be added later.
    pub fn can_take(&self, tf: u64) -> bool {
        self.tf.checked_add(tf).is_some_and(|sum| sum <= 1 << 62)
    }
}

#[derive(Default, Clone)]
pub struct Table {
    pub terms: Interner,
    rows: Vec<Row>,
    totals: Vec<Totals>, // by label
    live: usize,         // terms with a row that is not empty
}

/// What a table lacks to have another one subtracted.
#[derive(Debug, PartialEq, Eq)]
pub struct Missing;

impl Table {
    pub fn totals(&self) -> &[Totals] {
        &self.totals
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

    fn label(&mut self, label: u32) -> &mut Totals {
        if self.totals.len() <= label as usize {
            self.totals.resize(label as usize + 1, Totals::default());
        }
        &mut self.totals[label as usize]
    }

    pub fn add_documents(&mut self, label: u32, documents: u64) {
        self.label(label).documents += documents;
    }

    pub fn add_cell(&mut self, id: u32, Cell { label, tf, df }: Cell) {
        if tf == 0 && df == 0 {
            return;
        }
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, Row::new());
        }
        let row = &mut self.rows[id as usize];
        self.live += row.is_empty() as usize;
        let new = match row.binary_search_by_key(&label, |cell| cell.label) {
            Ok(at) => {
                row[at].tf += tf;
                row[at].df += df;
                false
            }
            Err(at) => {
                row.insert(at, Cell { label, tf, df });
                true
            }
        };
        let totals = self.label(label);
        totals.tf += tf;
        totals.df += df;
        totals.distinct += new as u64;
    }

    /// Room for so many terms.
    pub fn reserve(&mut self, terms: usize) {
        self.rows.reserve(terms);
    }

    /// The cells of a term that has none yet, sorted by label.
    pub fn add_row(&mut self, id: u32, row: Row) {
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

    fn holds(&self, id: u32, cell: &Cell) -> bool {
        let row = self.row(id);
        let Ok(at) = row.binary_search_by_key(&cell.label, |held| held.label) else { return false };
        let (Some(tf), Some(df)) = (row[at].tf.checked_sub(cell.tf), row[at].df.checked_sub(cell.df)) else {
            return false;
        };
        // What is left must be counts of documents: each that has the term has it at least once.
        df <= tf && (df > 0 || tf == 0 || row[at].df == 0)
    }

    /// The cell must be held.
    fn remove_cell(&mut self, id: u32, cell: &Cell) {
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
    }

    /// Counts the documents of a batch that was read over this table's terms. `labels` and `weights` are by document
    /// of the batch.
    pub fn count(&mut self, mut parts: Vec<Part>, labels: &[u32], weights: Option<&[u64]>) {
        let offset = self.terms.len() as u32;
        let groups = side_by_side(parts.iter().collect(), |part: &Part| {
            let weights = weights.map(|weights| &weights[part.documents.clone()]);
            sums(&part.lists, part.ids, &labels[part.documents.clone()], weights)
        });
        for (part, groups) in parts.iter_mut().zip(groups) {
            let moved = merge(&mut self.terms, std::mem::take(&mut part.own), offset);
            self.add_groups(groups, offset, &moved);
        }
    }

    /// Adds sums; `moved` is what the ids from `offset` on are called here.
    pub fn add_groups(&mut self, groups: Vec<Group>, offset: u32, moved: &[u32]) {
        for group in groups {
            self.add_documents(group.label, group.documents);
            for (id, tf, df) in group.cells {
                let id = if id < offset { id } else { moved[(id - offset) as usize] };
                self.add_cell(id, Cell { label: group.label, tf, df });
            }
        }
    }

    /// Adds another table. `labels[l]` is what the other table's label `l` is called here.
    pub fn merge(&mut self, other: &Table, labels: &[u32]) {
        let moved = merge_all(&mut self.terms, &other.terms, 0);
        for (label, totals) in other.totals.iter().enumerate() {
            self.add_documents(labels[label], totals.documents);
        }
        for (id, row) in other.rows.iter().enumerate() {
            for cell in row {
                self.add_cell(moved[id], Cell { label: labels[cell.label as usize], ..*cell });
            }
        }
    }

    /// Subtracts another table, or changes nothing if it does not hold it.
    pub fn subtract(&mut self, other: &Table, labels: &[u32]) -> Result<(), Missing> {
        let mut here: Vec<Option<u32>> = Vec::with_capacity(other.ids()); // what the other table's terms are called here
        for id in 0..other.ids() as u32 {
            here.push(match other.terms.entry(id) {
                Entry::Bytes(bytes) => self.terms.find(bytes),
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
                let cell = Cell { label: labels[cell.label as usize], ..*cell };
                match here[id] {
                    Some(id) if self.holds(id, &cell) => removals.push((id, cell)),
                    _ => return Err(Missing),
                }
            }
        }
        for (id, cell) in removals {
            self.remove_cell(id, &cell);
        }
        for (label, totals) in other.totals.iter().enumerate() {
            self.label(labels[label]).documents -= totals.documents;
        }
        Ok(())
    }

    /// Multiplies every number: the unit becomes smaller.
    pub fn scale(&mut self, factor: u64) {
        for cell in self.rows.iter_mut().flatten() {
            cell.tf *= factor;
            cell.df *= factor;
        }
        for totals in &mut self.totals {
            totals.documents *= factor;
            totals.tf *= factor;
            totals.df *= factor;
        }
    }
}

/// The sums of the documents of one label.
pub struct Group {
    label: u32,
    documents: u64,
    cells: Vec<(u32, u64, u64)>, // (id, tf, df)
}

/// Sums documents label by label, in an array as long as the vocabulary, so that no sum needs a look-up.
pub fn sums(lists: &Lists, ids: usize, labels: &[u32], weights: Option<&[u64]>) -> Vec<Group> {
    let mut order: Vec<usize> = (0..lists.len()).collect();
    order.sort_by_key(|document| labels[*document]);
    let mut sums = Sums { ids, ..Sums::default() };
    let groups = order.chunk_by(|a, b| labels[*a] == labels[*b]).map(|documents| {
        let weight = |document: usize| weights.map_or(1, |weights| weights[document]);
        let cells = match documents {
            [only] => cells_of_one(lists.get(*only), weight(*only)),
            many => {
                many.iter().for_each(|document| sums.add(lists.get(*document), weight(*document)));
                sums.take()
            }
        };
        let weight_of_all = documents.iter().map(|document| weight(*document)).sum();
        Group { label: labels[documents[0]], documents: weight_of_all, cells }
    });
    groups.collect()
}

/// A single document needs no array.
fn cells_of_one(ids: &[u32], weight: u64) -> Vec<(u32, u64, u64)> {
    Bag::new(usize::MAX, ids.len()).fill(ids).iter().map(|(id, times)| (*id, *times as u64 * weight, weight)).collect()
}

/// The sums of one label while they are made. Whether a term is new in a document is a coin toss, so nothing branches
/// on it.
#[derive(Default)]
struct Sums {
    ids: usize,
    by_id: Vec<Sum>,
    touched: Vec<u32>, // only the first `len` count
    len: usize,
    document: u32, // counts up, so that a term's first occurrence in a document is known
}

#[derive(Default, Clone, Copy)]
struct Sum {
    tf: u64,
    df: u64,
    last: u32, // the last document that had the term; 0: none
}

impl Sums {
    fn add(&mut self, ids: &[u32], weight: u64) {
        if weight == 0 {
            return;
        }
        if self.by_id.is_empty() {
            self.by_id = vec![Sum::default(); self.ids];
            self.touched = vec![0; self.ids + 1];
        }
        self.document += 1;
        for id in ids {
            let sum = &mut self.by_id[*id as usize];
            self.touched[self.len] = *id;
            self.len += (sum.last == 0) as usize;
            sum.tf += weight;
            sum.df += if sum.last == self.document { 0 } else { weight };
            sum.last = self.document;
        }
    }

    /// What was summed, and all is empty again.
    fn take(&mut self) -> Vec<(u32, u64, u64)> {
        let cells = self.touched[..self.len].iter().map(|id| {
            let sum = std::mem::take(&mut self.by_id[*id as usize]);
            (*id, sum.tf, sum.df)
        });
        let cells = cells.collect();
        (self.document, self.len) = (0, 0);
        cells
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::read;
    use crate::documents::Rules;
    use std::convert::Infallible;

    fn counted(texts: &[&str], labels: &[u32], threads: usize) -> Table {
        let mut table = Table::default();
        let rules = Rules { ngrams: (1, 2), ..Rules::default() };
        let parts = read(texts, &rules, &table.terms, threads, None, |_| Ok::<_, Infallible>(Vec::new())).unwrap();
        table.count(parts, labels, None);
        table
    }

    fn content(table: &Table) -> Vec<(String, Vec<Cell>)> {
        let named = |id| (table.terms.text(id), table.row(id).to_vec());
        let mut all: Vec<_> = (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty()).map(named).collect();
        all.sort_by(|a, b| a.0.cmp(&b.0));
        all
    }

    #[test]
    fn repeats_count_in_tf_and_documents_in_df() {
        let table = counted(&["a b a", "a"], &[0, 0], 1);
        let a = table.terms.find(b"a").unwrap();
        assert_eq!(table.row(a), [Cell { label: 0, tf: 3, df: 2 }]);
        assert_eq!(table.totals()[0], Totals { documents: 2, tf: 6, df: 5, distinct: 4 });
    }

    #[test]
    fn threads_give_the_same_counts_in_the_same_order() {
        let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 700, n % 13).repeat(20)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let labels: Vec<u32> = (0..4000).map(|n| n % 3).collect();
        let (one, many) = (counted(&texts, &labels, 1), counted(&texts, &labels, 4));
        assert_eq!(content(&one), content(&many));
        assert_eq!(one.totals(), many.totals());
    }

    #[test]
    fn subtracting_what_was_merged_is_the_identity_and_empties_the_vocabulary() {
        let mut whole = counted(&["a b", "b c"], &[0, 1], 1);
        let before = content(&whole);
        let extra = counted(&["c d d"], &[0], 1);
        whole.merge(&extra, &[2]);
        assert_eq!(whole.live(), before.len() + 3); // "d", "c d" and "d d" are new
        whole.subtract(&extra, &[2]).unwrap();
        assert_eq!(content(&whole), before);
        assert_eq!(whole.live(), before.len());
    }

    #[test]
    fn subtracting_what_is_not_held_changes_nothing() {
        let mut whole = counted(&["a b"], &[0], 1);
        let before = content(&whole);
        for other in [counted(&["a a"], &[0], 1), counted(&["z"], &[0], 1), counted(&["a", "b"], &[0, 0], 1)] {
            assert_eq!(whole.subtract(&other, &[0]), Err(Missing));
            assert_eq!(content(&whole), before);
        }
    }
}
