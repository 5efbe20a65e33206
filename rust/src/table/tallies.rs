//! A table keeps its tallies up to date while it changes.

use super::{Cell, Moved, Table};
use crate::score::sparse::Statistic;
use crate::table::tally_numbers::{Tally, Term, Wanted};

const FEW: usize = 64; // cells, for which tallies are kept up in any case

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
    pub fn term(&self, id: u32, statistic: Statistic) -> Term {
        let row = self.row(id);
        let count = |cell: &Cell| statistic.of(self, id, cell);
        let counts = row.iter().map(|cell| (cell.label, count(cell))).filter(|(_, count)| *count > 0).collect();
        let (tf, df) = row.iter().fold((0, 0), |(tf, df), cell| (tf + cell.tf, df + cell.df));
        Term { order: self.terms.order(id), tf, df, counts }
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
    pub(super) fn changing(&mut self, moved: &[Moved]) -> Vec<u32> {
        self.expect_changes(moved.iter().flat_map(|part| &part.groups).map(|group| group.cells.len()).sum());
        if self.tallies.is_empty() {
            return Vec::new();
        }
        let of_part = |part: &Moved| {
            let cells = part.groups.iter().flat_map(|group| &group.cells);
            cells.map(|(id, ..)| part.called(*id)).collect::<Vec<u32>>()
        };
        let mut ids: Vec<u32> = moved.iter().flat_map(of_part).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Where much changes, making tallies anew is quicker than keeping them up.
    pub(super) fn expect_changes(&mut self, cells: usize) {
        if cells > FEW.max(self.live / 8) {
            self.tallies.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::tally_numbers::{By, Frequencies, Group, Kind, Numbers};

    fn wanted() -> Vec<Wanted> {
        let kinds =
            [Kind::Sums, Kind::Spread(By::Own), Kind::Spread(By::Elsewhere), Kind::Spread(By::Both), Kind::Frequencies];
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
            (Numbers::Sums(one), Numbers::Sums(two)) => {
                (one.size, one.counted, one.label(label)) == (two.size, two.counted, two.label(label))
            }
            (Numbers::Spread(_, one), Numbers::Spread(_, two)) => {
                let [mut one, mut two] = [one, two].map(|spread| spread.of(label));
                one.sort_unstable();
                two.sort_unstable();
                one == two
            }
            (Numbers::Frequencies(one), Numbers::Frequencies(two)) => {
                let groups = |found: &Frequencies| -> Vec<_> {
                    let sum = |group: &Group| group.sums.iter().find(|(of, _)| *of == label).map_or(0, |(_, sum)| *sum);
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
