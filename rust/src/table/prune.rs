//! Dropping the rarest terms, so that a vocabulary does not grow without end (after Manku & Motwani 2002).
//!
//! A term that is dropped and comes again starts at 0, so its count may be too low. `Undercount` tells by how much: a
//! term that is new after some were dropped occurred before at most as often as the most frequent one of these. Terms
//! are ranked by count and undercount together, so that undercounts grow as slowly as they can.

use super::Table;
use crate::vocabulary::interner::{Entry, Interner};
use std::cmp::Reverse;
use xxhash_rust::xxh3::xxh3_64;

const MANY: usize = 1 << 16; // ids without a term that are worth to be dropped

/// From the id `from`, up to that of the next one, counts may be too low by `most`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undercount {
    pub from: u32,
    pub most: u64,
}

/// What was dropped.
#[derive(Debug, PartialEq, Eq)]
pub struct Dropped {
    pub terms: u64,
    pub tf: u64,
    pub undercounts: Vec<Undercount>, // of the ids that stay, and last of those that are to come
}

impl Table {
    /// Keeps the `keep` most frequent terms; which of equally frequent ones is decided by their texts alone. Words of
    /// n-grams that stay, stay too. Ids are renumbered, in the same order. `undercounts` are sorted, and the first is
    /// from id 0.
    pub fn prune(&mut self, keep: usize, undercounts: &[Undercount]) -> Dropped {
        self.changes += 1;
        self.tallies.clear();
        let most = self.most(undercounts);
        let kept = self.kept(keep, &most);
        let mut dropped = Dropped { terms: 0, tf: 0, undercounts: Vec::new() };
        let mut bound = undercounts.iter().map(|undercount| undercount.most).max().unwrap_or(0);
        for id in (0..most.len()).filter(|id| !kept[*id] && most[*id] > 0) {
            dropped.terms += 1;
            dropped.tf += self.drop_row(id as u32);
            bound = bound.max(most[id]);
        }
        let to_come = Undercount { from: kept.len() as u32, most: bound };
        dropped.undercounts = moved(undercounts.iter().chain([&to_come]), &kept);
        drop(most); // the table is in memory twice for a moment
        self.renumber(&kept);
        dropped
    }

    /// How often each term occurred at most; 0 for ids of no term.
    fn most(&self, undercounts: &[Undercount]) -> Vec<u64> {
        let mut most = vec![0; self.ids()];
        let mut undercount = undercounts.iter().rev().peekable();
        for id in (0..self.rows.len()).rev().filter(|id| !self.rows[*id].is_empty()) {
            while undercount.peek().is_some_and(|undercount| undercount.from as usize > id) {
                undercount.next();
            }
            let more = undercount.peek().map_or(0, |undercount| undercount.most);
            most[id] = more + self.rows[id].iter().map(|cell| cell.tf).sum::<u64>();
        }
        most
    }

    /// Which ids stay. A word is taken for as frequent as any n-gram that it is part of.
    fn kept(&self, keep: usize, most: &[u64]) -> Vec<bool> {
        let mut frequent = most.to_vec();
        for id in (0..self.ids()).rev() {
            if let Entry::Pair(a, b) = self.terms.entry(id as u32) {
                for part in [a as usize, b as usize] {
                    frequent[part] = frequent[part].max(frequent[id]);
                }
            }
        }
        let live = || (0..self.rows.len()).filter(|id| !self.rows[*id].is_empty());
        let mut all: Vec<_> = live().map(|id| Reverse(frequent[id])).collect();
        let last = match keep < all.len() {
            true => all.select_nth_unstable(keep).1.0, // as frequent as the first that goes
            false => 0,
        };
        let mut kept = vec![false; self.ids()];
        live().filter(|id| frequent[*id] > last).for_each(|id| kept[id] = true);
        let room = keep.saturating_sub(all.iter().filter(|number| number.0 > last).count());
        let alike = live().filter(|id| frequent[*id] == last).map(|id| id as u32).collect();
        self.some(alike, room).into_iter().for_each(|id| kept[id as usize] = true);
        self.keep_parts(&mut kept);
        kept
    }

    /// `room` of these terms, words before n-grams; otherwise by hashes of their texts.
    /// The order of ids would not do: it depends on how documents came in batches.
    fn some(&self, ids: Vec<u32>, room: usize) -> Vec<u32> {
        let mut text = String::new();
        let mut dealt = Vec::with_capacity(ids.len());
        for id in ids {
            text.clear();
            self.terms.write_text(id, &mut text);
            dealt.push((self.terms.order(id) as u32, xxh3_64(text.as_bytes()), id));
        }
        if room < dealt.len() {
            let text = |id: u32| self.terms.text(id);
            dealt.select_nth_unstable_by(room, |one, two| {
                (one.0, one.1).cmp(&(two.0, two.1)).then_with(|| text(one.2).cmp(&text(two.2)))
            });
            dealt.truncate(room);
        }
        dealt.into_iter().map(|(_, _, id)| id).collect()
    }

    /// Takes the counts of a term away, and returns how often it occurred.
    fn drop_row(&mut self, id: u32) -> u64 {
        let row = std::mem::take(&mut self.rows[id as usize]);
        self.live -= 1;
        for cell in &row {
            let totals = &mut self.totals[cell.label as usize];
            totals.tf -= cell.tf;
            totals.df -= cell.df;
            totals.distinct -= 1;
            totals.weighted -= self.weighted.get(id, cell.label);
        }
        row.iter().map(|cell| cell.tf).sum()
    }

    /// Drops ids of terms that were forgotten, when there are more of them than others: the memory of a table in
    /// which words come and go does not grow. The tallies stay, which know no ids.
    pub(super) fn tidy(&mut self) {
        if self.ids() < MANY + 2 * self.live.max(self.tidied) {
            return;
        }
        let mut kept: Vec<bool> = (0..self.ids() as u32).map(|id| !self.row(id).is_empty()).collect();
        self.keep_parts(&mut kept);
        self.renumber(&kept);
        self.tidied = self.ids();
    }

    /// The words of n-grams that stay, stay too, also those that are no terms themselves.
    fn keep_parts(&self, kept: &mut [bool]) {
        for id in (0..self.ids()).rev() {
            if let (true, Entry::Pair(a, b)) = (kept[id], self.terms.entry(id as u32)) {
                (kept[a as usize], kept[b as usize]) = (true, true);
            }
        }
    }

    /// Forgets the other ids, and the memory that they took.
    fn renumber(&mut self, kept: &[bool]) {
        let mut ids = vec![0; kept.len()];
        let mut terms = Interner::default();
        for id in (0..kept.len()).filter(|id| kept[*id]) {
            ids[id] = match self.terms.entry(id as u32) {
                Entry::Word(word) => terms.intern(&word),
                Entry::Pair(a, b) => terms.intern_pair(ids[a as usize], ids[b as usize]),
            };
        }
        self.terms = terms;
        let mut stays = kept.iter();
        self.rows.retain(|_| *stays.next().expect("every row has an id"));
        self.rows.shrink_to_fit();
        self.weighted.retain(kept);
    }
}

/// The undercounts by the new ids.
fn moved<'a>(undercounts: impl Iterator<Item = &'a Undercount>, kept: &[bool]) -> Vec<Undercount> {
    let mut moved: Vec<Undercount> = Vec::new();
    let (mut passed, mut before) = (0, 0);
    for Undercount { from, most } in undercounts {
        passed += kept[before..*from as usize].iter().filter(|kept| **kept).count();
        before = *from as usize;
        moved.pop_if(|last| last.from as usize == passed); // none of its ids stays
        moved.push(Undercount { from: passed as u32, most: *most });
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::batch::nothing_to_ask;
    use crate::analyze::rules::Rules;
    use crate::count::term_weights::Weighting;
    use crate::table::learn::Documents;
    use crate::table::row::Cell;

    const NONE: [Undercount; 1] = [Undercount { from: 0, most: 0 }];

    fn learn(table: &mut Table, ngrams: (usize, usize), text: &str) {
        let (rules, weighting) = (Rules { ngrams, ..Rules::default() }, Weighting::named("log"));
        let documents = Documents { texts: &[text], labels: &[0], weighting, ..Documents::default() };
        assert!(table.learn(&documents, &rules, 1, nothing_to_ask).is_ok());
    }

    fn terms(table: &Table) -> Vec<String> {
        (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty()).map(|id| table.terms.text(id)).collect()
    }

    fn named(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[test]
    fn the_rarest_go_and_of_equally_rare_ones_the_same_in_any_order() {
        let mut left = Vec::new();
        for text in ["a b b c d d e", "e d c b d b a"] {
            let mut table = Table::default();
            learn(&mut table, (1, 1), text);
            let dropped = table.prune(3, &NONE);
            assert_eq!(
                dropped,
                Dropped { terms: 2, tf: 2, undercounts: vec![NONE[0], Undercount { from: 3, most: 1 }] }
            );
            assert_eq!((table.live(), table.ids()), (3, 3));
            left.push(terms(&table));
            left.last_mut().unwrap().sort();
        }
        assert_eq!(left[0], left[1]);
        assert!(["b", "d"].iter().all(|term| left[0].iter().any(|left| left == term)));
    }

    #[test]
    fn words_stay_before_ngrams_that_are_as_rare() {
        let mut table = Table::default();
        learn(&mut table, (1, 3), "a b c");
        table.prune(4, &NONE);
        assert_eq!(terms(&table)[..3], named(&["a", "b", "c"]));
        assert_eq!(table.terms.order(3), 2);
    }

    #[test]
    fn what_is_left_is_as_if_there_had_been_nothing_else() {
        let (mut table, mut same) = (Table::default(), Table::default());
        learn(&mut table, (1, 1), "a b b c d d e");
        table.prune(2, &NONE);
        learn(&mut same, (1, 1), "b b d d");
        assert_eq!(table.totals(), same.totals());
        for id in [0, 1] {
            assert_eq!((table.row(id), table.weighted(id, 0)), (same.row(id), same.weighted(id, 0)));
        }
        assert_eq!(table.terms.find(b"a"), None);
    }

    #[test]
    fn words_of_ngrams_that_stay_stay() {
        let mut table = Table::default();
        learn(&mut table, (2, 2), "new york new york is it");
        table.prune(1, &NONE);
        assert_eq!((terms(&table), table.ids()), (named(&["new york"]), 3));
        assert_eq!(table.row(2), [Cell { label: 0, tf: 2, df: 1 }]);
    }

    #[test]
    fn new_terms_are_rare_only_with_what_they_may_have_lost() {
        let mut table = Table::default();
        learn(&mut table, (1, 1), "a a a b b b b c c");
        let undercounts = table.prune(2, &NONE).undercounts;
        assert_eq!(
            (terms(&table), &undercounts[1..]),
            (named(&["a", "b"]), [Undercount { from: 2, most: 2 }].as_slice())
        );
        learn(&mut table, (1, 1), "c c d d d");
        let undercounts = table.prune(3, &undercounts).undercounts; // c may have occurred four times, a three times
        assert_eq!(terms(&table), named(&["b", "c", "d"]));
        assert_eq!(undercounts, [NONE[0], Undercount { from: 1, most: 2 }, Undercount { from: 3, most: 3 }]);
        learn(&mut table, (1, 1), "b b b");
        let undercounts = table.prune(1, &undercounts).undercounts;
        assert_eq!((terms(&table), undercounts), (named(&["b"]), vec![NONE[0], Undercount { from: 1, most: 5 }]));
    }
}
