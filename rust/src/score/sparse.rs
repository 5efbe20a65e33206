//! Counts as postings: for each term only the labels under which it was seen. What is done with them costs as much as
//! there are of them, however many labels and terms there are.
//!
//! Weights in this form say what a term adds under a label where it was never seen, as a product of a number of the term
//! and one of the label, and for each posting what it adds on top of that. So a document costs one pass over the labels and the
//! postings of its terms.

use crate::analyze::rules::Lists;
use crate::count::term_counter::Bag;
use crate::count::term_weights::Scale;
use crate::score::dense::{Base, SKIPPED, Scores, UNKNOWN};
use crate::table::{Cell, Table};

/// One number of a table for each term and label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    Tf,
    Df,
    Weighted,
}

impl Statistic {
    pub fn named(name: &str) -> Option<Statistic> {
        match name {
            "tf" => Some(Statistic::Tf),
            "df" => Some(Statistic::Df),
            "weighted" => Some(Statistic::Weighted),
            _ => None,
        }
    }

    #[inline]
    pub fn of(self, table: &Table, id: u32, cell: &Cell) -> u64 {
        match self {
            Statistic::Tf => cell.tf,
            Statistic::Df => cell.df,
            Statistic::Weighted => table.weighted(id, cell.label),
        }
    }
}

/// Where each label of a table stands among those that are asked for.
pub struct Columns(Vec<Option<u32>>);

impl Columns {
    /// None if there is no such label.
    pub fn new(table: &Table, labels: &[u32]) -> Option<Columns> {
        let mut places = vec![None; table.totals().len()];
        for (place, label) in labels.iter().enumerate() {
            *places.get_mut(*label as usize)? = Some(place as u32);
        }
        Some(Columns(places))
    }

    /// The numbers of a term, with the columns in which they stand.
    #[inline]
    pub fn numbers(&self, table: &Table, id: u32, statistic: Statistic) -> impl Iterator<Item = (u32, u64)> {
        let found = move |cell: &Cell| Some((self.0[cell.label as usize]?, statistic.of(table, id, cell)));
        table.row(id).iter().filter_map(found)
    }
}

/// The postings of some terms, end to end.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Postings {
    pub ends: Vec<u64>, // by term
    pub columns: Vec<u32>,
    pub numbers: Vec<u64>,
}

/// Those of terms under labels that are not 0.
pub fn postings(table: &Table, ids: &[u32], columns: &Columns, statistic: Statistic) -> Postings {
    let mut found = Postings { ends: Vec::with_capacity(ids.len()), ..Postings::default() };
    for id in ids {
        for (column, number) in columns.numbers(table, *id, statistic).filter(|(_, number)| *number > 0) {
            found.columns.push(column);
            found.numbers.push(number);
        }
        found.ends.push(found.columns.len() as u64);
    }
    found
}

/// The sums of terms over all labels.
pub fn term_sums(table: &Table, ids: &[u32], statistic: Statistic) -> Vec<u64> {
    ids.iter().map(|id| table.row(*id).iter().map(|cell| statistic.of(table, *id, cell)).sum()).collect()
}

/// What terms add: times × (of_term(t) × by_label(c) + factor(t) × of_label(c)), and times × correction for a posting.
pub struct SparseWeights<'a> {
    pub of_term: &'a [f64], // (ids,)
    pub factor: &'a [f64],  // (ids,)
    pub ends: &'a [u64],    // (ids,)
    pub columns: &'a [u32], // (postings,), each below the number of labels
    pub corrections: &'a [f64],
    pub by_label: &'a [f64], // (labels,)
    pub of_label: &'a [f64], // (labels,)
    pub kept: &'a [u8],      // (ids,), UNKNOWN or SKIPPED where a term has no weight
    pub base: Base<'a>,
    pub scale: Scale,
}

impl SparseWeights<'_> {
    /// Whether the arrays are as long as they must be. Where the postings stand is looked at when they are added.
    pub fn fits(&self) -> bool {
        let (ids, labels) = (self.kept.len(), self.base.labels);
        [self.of_term.len(), self.factor.len(), self.ends.len()] == [ids; 3]
            && [self.by_label.len(), self.of_label.len()] == [labels; 2]
            && self.corrections.len() == self.columns.len()
            && self.ends.last().is_none_or(|end| *end as usize == self.columns.len())
    }

    fn of(&self, id: u32) -> impl Iterator<Item = (&u32, &f64)> {
        let start = if id == 0 { 0 } else { self.ends[id as usize - 1] as usize };
        let range = start..self.ends[id as usize] as usize;
        self.columns[range.clone()].iter().zip(&self.corrections[range])
    }
}

/// Adds up, as `score::score` does with a weight for every term and label. Corrections are added in the order in which
/// the document first shows its terms.
pub fn score(lists: &Lists, ids: usize, first: usize, weights: &SparseWeights) -> Scores {
    let labels = weights.base.labels;
    let mut scores = Scores { sums: Vec::with_capacity(lists.len() * labels), ..Scores::default() };
    let mut bag = Bag::new(ids, lists.ids.len());
    let mut found: Vec<(u32, f64)> = Vec::new(); // known terms of a document and what multiplies their weights
    for document in 0..lists.len() {
        let (mut known, mut unknown, mut distinct, mut weighed) = (0, 0, 0, 0.0);
        let (mut of_terms, mut factors) = (0.0, 0.0);
        found.clear();
        for (id, times) in bag.fill(lists.get(document)) {
            let factor = weights.scale.factor(*times);
            match weights.kept.get(*id as usize).copied().unwrap_or(UNKNOWN) {
                UNKNOWN => {
                    unknown += *times;
                    distinct += 1;
                    weighed += factor;
                }
                SKIPPED => (),
                _ => {
                    known += *times;
                    of_terms += factor * weights.of_term[*id as usize];
                    factors += factor * weights.factor[*id as usize];
                    found.push((*id, factor));
                }
            }
        }
        let from = scores.sums.len();
        let of_labels = weights.by_label.iter().zip(weights.of_label);
        let starts = weights.base.of(first + document).iter().zip(of_labels);
        scores.sums.extend(starts.map(|(start, (by, of))| start + of_terms * by + factors * of));
        let sums = &mut scores.sums[from..];
        for (id, factor) in &found {
            for (column, correction) in weights.of(*id) {
                sums[*column as usize] += factor * correction;
            }
        }
        scores.known.push(known);
        scores.unknown.push(unknown);
        scores.unknown_distinct.push(distinct);
        scores.unknown_weighed.push(weighed);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        let put = |table: &mut Table, label, cells: &[(&str, u64, u64)]| {
            let terms: Vec<String> = cells.iter().map(|(term, ..)| term.to_string()).collect();
            let cells: Vec<_> = cells.iter().map(|(_, tf, df)| (Cell { label, tf: *tf, df: *df }, 0)).collect();
            table.put(&terms, label, &cells).unwrap();
        };
        put(&mut table, 0, &[("a", 3, 2), ("b", 1, 1)]);
        put(&mut table, 2, &[("b", 5, 4), ("c", 1, 0)]);
        table
    }

    #[test]
    fn postings_are_the_counts_that_are_not_0_under_the_labels_asked_for() {
        let table = table();
        let columns = Columns::new(&table, &[2, 0]).unwrap();
        let tf = postings(&table, &[0, 1, 2, 9], &columns, Statistic::Tf);
        assert_eq!(tf, Postings { ends: vec![1, 3, 4, 4], columns: vec![1, 1, 0, 0], numbers: vec![3, 1, 5, 1] });
        let df = postings(&table, &[2, 1], &columns, Statistic::Df);
        assert_eq!(df, Postings { ends: vec![0, 2], columns: vec![1, 0], numbers: vec![1, 4] });
        let one = Columns::new(&table, &[2]).unwrap();
        assert_eq!(postings(&table, &[0, 1], &one, Statistic::Tf).numbers, [5]);
        assert!(Columns::new(&table, &[3]).is_none());
    }

    #[test]
    fn sums_of_terms_are_over_all_labels() {
        let table = table();
        assert_eq!(term_sums(&table, &[1, 0, 7], Statistic::Tf), [6, 3, 0]);
        assert_eq!(term_sums(&table, &[1], Statistic::Weighted), [0]);
    }

    #[test]
    fn a_document_is_one_pass_over_the_labels_and_the_postings_of_its_terms() {
        let base = Base { values: &[1.0, 2.0, 3.0], labels: 3, each: false };
        let weights = SparseWeights {
            of_term: &[0.5, 0.25, 9.0],
            factor: &[1.0, 2.0, 9.0],
            ends: &[1, 3, 3],
            columns: &[1, 0, 2],
            corrections: &[100.0, 10.0, 20.0],
            by_label: &[1.0, 1.0, 2.0],
            of_label: &[-1.0, -2.0, -3.0],
            kept: &[1, 1, 0],
            base,
            scale: Scale::Count,
        };
        assert!(weights.fits());
        let lists = Lists { ids: vec![1, 0, 1, 2, 8], ends: vec![5, 5] };
        let scores = score(&lists, 9, 0, &weights);
        assert_eq!(
            scores.sums,
            [1.0 + 1.0 - 5.0 + 20.0, 2.0 + 1.0 - 10.0 + 100.0, 3.0 + 2.0 - 15.0 + 40.0, 1.0, 2.0, 3.0]
        );
        assert_eq!((scores.known, scores.unknown, scores.unknown_distinct), (vec![3, 0], vec![2, 0], vec![2, 0]));
        for broken in [
            SparseWeights { columns: &[1, 0], ..weights },
            SparseWeights { ends: &[1, 3, 4], ..weights },
            SparseWeights { of_label: &[1.0], ..weights },
            SparseWeights { factor: &[1.0], ..weights },
        ] {
            assert!(!broken.fits());
        }
    }
}
