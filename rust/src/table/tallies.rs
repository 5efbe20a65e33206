//! Numbers about a vocabulary, kept up to date term by term, so that a change costs what it changes.
//!
//! A vocabulary is what a reader of the table makes of its terms: those of some orders that are frequent enough. A
//! tally takes one pass over the table when it is first asked for. All numbers are whole, so it does not matter in
//! which order the terms came and went.

use super::postings::Statistic;
use super::row::Cell;
use super::tally_numbers::{TallyKind, TallyNumbers, TermCounts};
use super::{RenumberedSums, Table};

/// Tallies that a table keeps up; the oldest goes when there are more.
const MOST: usize = 8;
const FEW: usize = 64; // cells, for which tallies are kept up in any case

/// Which terms are in the vocabulary, which of their counts is read, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    pub kind: TallyKind,
    pub statistic: Statistic,
    pub least: u64,                     // tf in all that a term must have
    pub orders: Option<(usize, usize)>, // the fewest and the most words of a term; None: any
}

impl Wanted {
    fn skips(&self, term: &TermCounts) -> bool {
        self.orders.is_some_and(|(low, high)| term.order < low || term.order > high)
    }
}

/// One kind of numbers about a vocabulary.
#[derive(Clone, Debug, PartialEq)]
pub struct Tally {
    pub wanted: Wanted,
    pub numbers: TallyNumbers,
}

impl Tally {
    pub fn new(wanted: Wanted) -> Tally {
        Tally { wanted, numbers: TallyNumbers::new(wanted.kind) }
    }

    /// Puts a term in, or takes it out if `times` is -1.
    pub fn change(&mut self, term: &TermCounts, times: i64) {
        if term.tf > 0 && !self.wanted.skips(term) {
            self.numbers.change(term, term.tf >= self.wanted.least, times);
        }
    }
}

/// The tallies of a table. A copy of the table makes its own when it is asked.
#[derive(Default)]
pub struct Tallies {
    all: Vec<Tally>,
}

impl Clone for Tallies {
    fn clone(&self) -> Self {
        Tallies::default()
    }
}

impl Tallies {
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn clear(&mut self) {
        self.all.clear();
    }

    pub fn find(&self, wanted: &Wanted) -> Option<&Tally> {
        self.all.iter().find(|tally| tally.wanted == *wanted)
    }

    pub fn keep(&mut self, tally: Tally) {
        if self.all.len() == MOST {
            self.all.remove(0);
        }
        self.all.push(tally);
    }

    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut Tally> {
        self.all.iter_mut()
    }
}

impl Table {
    /// Puts a term into all tallies as it is now, or takes it out before it changes.
    #[inline(always)]
    pub(super) fn tally(&mut self, id: u32, times: i64) {
        if !self.tallies.is_empty() {
            self.tally_all(id, times);
        }
    }

    #[cold]
    fn tally_all(&mut self, id: u32, times: i64) {
        let mut tallies = std::mem::take(&mut self.tallies);
        tallies.iter_mut().for_each(|tally| tally.change(&self.term(id, tally.wanted.statistic), times));
        self.tallies = tallies;
    }

    /// A term as tallies see it.
    pub fn term(&self, id: u32, statistic: Statistic) -> TermCounts {
        let row = self.row(id);
        let count = |cell: &Cell| statistic.of(self, id, cell);
        let counts = row.iter().map(|cell| (cell.label, count(cell))).filter(|(_, count)| *count > 0).collect();
        let (tf, df) = row.iter().fold((0, 0), |(tf, df), cell| (tf + cell.tf, df + cell.df));
        TermCounts { order: self.terms.order(id), tf, df, counts }
    }

    /// The tally, if it is kept already.
    pub fn kept_tally(&self, wanted: &Wanted) -> Option<&Tally> {
        self.tallies.find(wanted)
    }

    /// Makes the tally in one pass, and keeps it up from now on.
    pub fn keep_tally(&mut self, wanted: Wanted) -> &Tally {
        if self.tallies.find(&wanted).is_none() {
            let mut tally = Tally::new(wanted);
            (0..self.ids() as u32).for_each(|id| tally.change(&self.term(id, wanted.statistic), 1));
            self.tallies.keep(tally);
        }
        self.tallies.find(&wanted).expect("it is kept now")
    }

    /// The terms whose rows are about to get these sums, each once; none if there are no tallies to keep up.
    pub(super) fn changing(&mut self, parts: &[RenumberedSums]) -> Vec<u32> {
        self.expect_changes(parts.iter().flat_map(|part| &part.sums).map(|sums| sums.cells.len()).sum());
        if self.tallies.is_empty() {
            return Vec::new();
        }
        let of_part = |part: &RenumberedSums| {
            let cells = part.sums.iter().flat_map(|sums| &sums.cells);
            cells.map(|(id, ..)| part.id_here(*id)).collect::<Vec<u32>>()
        };
        let mut ids: Vec<u32> = parts.iter().flat_map(of_part).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Where much changes, new tallies are quicker to make than old ones to keep up.
    pub(super) fn expect_changes(&mut self, cells: usize) {
        if cells > FEW.max(self.live / 8) {
            self.tallies.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tally_numbers::{Frequencies, SameFrequency, SpreadBy, TallyKind, TallyNumbers};

    fn wanted() -> Vec<Wanted> {
        let kinds = [
            TallyKind::Sums,
            TallyKind::Spread(SpreadBy::Own),
            TallyKind::Spread(SpreadBy::Elsewhere),
            TallyKind::Spread(SpreadBy::Both),
            TallyKind::Frequencies,
        ];
        let of = |kind, statistic, least, orders| Wanted { kind, statistic, least, orders };
        let plain = kinds.map(|kind| of(kind, Statistic::Tf, 1, None));
        let other = kinds.map(|kind| of(kind, Statistic::Df, 2, Some((1, 1))));
        let weighted = kinds.map(|kind| of(kind, Statistic::Weighted, 1, Some((2, 2))));
        [plain, other, weighted].concat()
    }

    fn put(table: &mut Table, terms: &[&str], label: u32, tf: u64) {
        let terms: Vec<String> = terms.iter().map(|term| term.to_string()).collect();
        let cells = vec![(Cell { label, tf, df: 1 }, 7 * tf); terms.len()];
        table.put(&terms, label, &cells).unwrap();
        table.add_documents(label, 1);
    }

    fn same(one: &Tally, two: &Tally, label: u32) -> bool {
        match (&one.numbers, &two.numbers) {
            (TallyNumbers::Sums(one), TallyNumbers::Sums(two)) => {
                (one.size, one.counted, one.label(label)) == (two.size, two.counted, two.label(label))
            }
            (TallyNumbers::Spread(_, one), TallyNumbers::Spread(_, two)) => {
                let [mut one, mut two] = [one, two].map(|spread| spread.of(label));
                one.sort_unstable();
                two.sort_unstable();
                one == two
            }
            (TallyNumbers::Frequencies(one), TallyNumbers::Frequencies(two)) => {
                let groups = |found: &Frequencies| -> Vec<_> {
                    let sum = |group: &SameFrequency| {
                        group.sums.iter().find(|(of, _)| *of == label).map_or(0, |(_, sum)| *sum)
                    };
                    found.groups.iter().map(|(df, group)| (*df, group.terms, sum(group))).collect()
                };
                groups(one) == groups(two)
            }
            _ => false,
        }
    }

    #[test]
    fn a_tally_that_was_kept_up_is_that_of_a_new_pass() {
        for wanted in wanted() {
            let mut table = Table::default();
            put(&mut table, &["a", "b", "a b"], 0, 1);
            table.keep_tally(wanted);
            let mut other = Table::default();
            put(&mut other, &["b", "c", "b c", "a b"], 0, 2);
            let check = |table: &Table| {
                let kept = table.kept_tally(&wanted).expect("few changes keep it");
                let mut twin = table.clone();
                assert!(twin.kept_tally(&wanted).is_none());
                (0..4).for_each(|label| assert!(same(kept, twin.keep_tally(wanted), label), "{wanted:?}"));
            };
            check(&table);
            table.merge(&other, &[2]).unwrap();
            check(&table);
            put(&mut table, &["d", "c"], 1, 3);
            check(&table);
            table.subtract(&other, &[2]).unwrap();
            check(&table);
            table.scale(3).unwrap();
            assert!(table.kept_tally(&wanted).is_none());
        }
    }

    #[test]
    fn large_changes_let_go_of_tallies_and_only_the_last_few_are_kept() {
        let mut table = Table::default();
        let many: Vec<String> = (0..200).map(|n| format!("term{n}")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        let all = wanted();
        for wanted in &all {
            table.keep_tally(*wanted);
        }
        assert_eq!(all.iter().filter(|wanted| table.kept_tally(wanted).is_some()).count(), 8);
        let mut other = Table::default();
        put(&mut other, &many, 0, 1);
        table.merge(&other, &[0]).unwrap();
        assert!(all.iter().all(|wanted| table.kept_tally(wanted).is_none()));
    }
}
