//! The numbers of a tally.
//!
//!     Sums         how many terms, their sums by label, under how many labels they were seen
//!     Spread       how many terms have the same count, by label: results for equal counts are computed once
//!     Frequencies  the sums of terms that occur in equally many documents

use hashbrown::HashMap;
use smallvec::SmallVec;
use std::collections::BTreeMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TallyKind {
    Sums,
    Spread(SpreadBy),
    Frequencies,
}

/// What makes terms equal under a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SpreadBy {
    Own,       // their count under it
    Elsewhere, // their count under all others
    Both,      // their count under it and in all
}

/// A term of the table, as tallies see it.
pub struct TermCounts {
    pub order: usize,
    pub tf: u64, // of all labels
    pub df: u64,
    pub counts: SmallVec<[(u32, u64); 4]>, // label and count, where it is not 0
}

#[derive(Clone, Debug, PartialEq)]
pub enum TallyNumbers {
    Sums(VocabularySums),
    Spread(SpreadBy, Spread),
    Frequencies(Frequencies),
}

impl TallyNumbers {
    pub fn new(kind: TallyKind) -> TallyNumbers {
        match kind {
            TallyKind::Sums => TallyNumbers::Sums(VocabularySums::default()),
            TallyKind::Spread(by) => TallyNumbers::Spread(by, Spread::default()),
            TallyKind::Frequencies => TallyNumbers::Frequencies(Frequencies::default()),
        }
    }

    /// Puts a term in `times` times, which may be -1. It is `kept` if it is frequent enough to be in the vocabulary.
    pub fn change(&mut self, term: &TermCounts, kept: bool, times: i64) {
        match self {
            TallyNumbers::Sums(sums) => sums.change(term, kept, times),
            TallyNumbers::Spread(by, spread) if kept => spread.change(term, *by, times),
            TallyNumbers::Frequencies(frequencies) if kept => frequencies.change(term, times),
            _ => (),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct VocabularySums {
    pub size: i64,
    pub counted: i64, // terms with a count
    pub labels: Vec<LabelVocabulary>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LabelVocabulary {
    pub sum: i64,
    pub seen: i64, // terms with a count under the label
    pub only: i64, // and under no other
    pub rare: i64, // the sum of terms that are not seen often enough
}

/// A count, and the count in all where that matters too; else 0.
pub type Count = (u64, u64);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spread {
    unseen: Counter,      // as if no term were seen under the label
    labels: Vec<Counter>, // what to add for those that are
}

/// How many terms have each count.
#[derive(Clone, Debug, Default, PartialEq)]
struct Counter {
    small: Vec<i64>, // by count, for most
    large: HashMap<Count, i64>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frequencies {
    pub groups: BTreeMap<u64, SameFrequency>, // by df in all
}

/// Terms that occur in equally many documents.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SameFrequency {
    pub terms: i64,
    pub sums: SmallVec<[(u32, i64); 2]>, // label and the sum of their counts, sorted by label
}

fn at<T: Clone + Default>(labels: &mut Vec<T>, label: u32) -> &mut T {
    if labels.len() <= label as usize {
        labels.resize(label as usize + 1, T::default());
    }
    &mut labels[label as usize]
}

impl VocabularySums {
    fn change(&mut self, term: &TermCounts, kept: bool, times: i64) {
        if !kept {
            return term
                .counts
                .iter()
                .for_each(|(label, count)| at(&mut self.labels, *label).rare += times * *count as i64);
        }
        self.size += times;
        self.counted += if term.counts.is_empty() { 0 } else { times };
        for (label, count) in &term.counts {
            let sums = at(&mut self.labels, *label);
            sums.sum += times * *count as i64;
            sums.seen += times;
            sums.only += if term.counts.len() == 1 { times } else { 0 };
        }
    }

    pub fn label(&self, label: u32) -> LabelVocabulary {
        self.labels.get(label as usize).copied().unwrap_or_default()
    }
}

impl Spread {
    fn change(&mut self, term: &TermCounts, by: SpreadBy, times: i64) {
        let total: u64 = term.counts.iter().map(|(_, count)| count).sum();
        let key = |own: u64| match by {
            SpreadBy::Own => (own, 0),
            SpreadBy::Elsewhere => (total - own, 0),
            SpreadBy::Both => (own, total),
        };
        self.unseen.add(key(0), times);
        for (label, count) in &term.counts {
            let label = at(&mut self.labels, *label);
            label.add(key(0), -times);
            label.add(key(*count), times);
        }
    }

    /// For one label how many terms have each count, in no order.
    pub fn of(&self, label: u32) -> Vec<(Count, i64)> {
        let none = Counter::default();
        let (one, two) = (&self.unseen, self.labels.get(label as usize).unwrap_or(&none));
        let small = (0..one.small.len().max(two.small.len())).map(|count| {
            let times = [one, two].map(|counter| counter.small.get(count).copied().unwrap_or(0));
            ((count as u64, 0), times[0] + times[1])
        });
        let mut found: Vec<(Count, i64)> = small.collect();
        match (one.large.is_empty(), two.large.is_empty()) {
            (_, true) => found.extend(one.large.iter().map(|(count, times)| (*count, *times))),
            (true, false) => found.extend(two.large.iter().map(|(count, times)| (*count, *times))),
            (false, false) => {
                let mut both = one.large.clone();
                two.large.iter().for_each(|(count, times)| *both.entry(*count).or_insert(0) += times);
                found.extend(both);
            }
        }
        found.retain(|(_, times)| *times != 0);
        found
    }
}

impl Counter {
    const SMALL: u64 = 4096;

    fn add(&mut self, count: Count, times: i64) {
        if count.1 == 0 && count.0 < Self::SMALL {
            if self.small.len() as u64 <= count.0 {
                self.small.resize(count.0 as usize + 1, 0);
            }
            self.small[count.0 as usize] += times;
            return;
        }
        let now = self.large.entry(count).or_insert(0);
        *now += times;
        if *now == 0 {
            self.large.remove(&count);
        }
    }
}

impl Frequencies {
    fn change(&mut self, term: &TermCounts, times: i64) {
        let group = self.groups.entry(term.df).or_default();
        group.terms += times;
        for (label, count) in &term.counts {
            match group.sums.binary_search_by_key(label, |(label, _)| *label) {
                Ok(at) => group.sums[at].1 += times * *count as i64,
                Err(at) => group.sums.insert(at, (*label, times * *count as i64)),
            }
        }
        if group.terms == 0 {
            self.groups.remove(&term.df); // all its sums are 0 then
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::postings::Statistic;
    use crate::table::tallies::{Tally, Wanted};

    fn term(order: usize, counts: &[(u32, u64)]) -> TermCounts {
        let tf = counts.iter().map(|(_, count)| count).sum();
        TermCounts { order, tf, df: counts.len() as u64, counts: counts.into() }
    }

    fn tally(kind: TallyKind, least: u64, terms: &[TermCounts]) -> Tally {
        let wanted = Wanted { kind, statistic: Statistic::Tf, least, orders: Some((1, 1)) };
        let mut tally = Tally::new(wanted);
        terms.iter().for_each(|term| tally.change(term, 1));
        tally
    }

    fn sorted<T: Ord>(mut found: Vec<T>) -> Vec<T> {
        found.sort_unstable();
        found
    }

    fn terms() -> Vec<TermCounts> {
        vec![term(1, &[(0, 3), (2, 1)]), term(1, &[(2, 4)]), term(1, &[(2, 1)]), term(2, &[(0, 9)]), term(1, &[])]
    }

    #[test]
    fn sums_are_over_terms_of_the_right_order_that_are_seen_often_enough() {
        let TallyNumbers::Sums(sums) = tally(TallyKind::Sums, 2, &terms()).numbers else { unreachable!() };
        assert_eq!((sums.size, sums.counted), (2, 2));
        assert_eq!(sums.label(0), LabelVocabulary { sum: 3, seen: 1, only: 0, rare: 0 });
        assert_eq!(sums.label(1), LabelVocabulary::default());
        assert_eq!(sums.label(2), LabelVocabulary { sum: 5, seen: 2, only: 1, rare: 1 });
    }

    #[test]
    fn a_spread_has_every_term_under_every_label() {
        let spread = |by| match tally(TallyKind::Spread(by), 1, &terms()).numbers {
            TallyNumbers::Spread(_, spread) => [0, 1, 2].map(|label| sorted(spread.of(label))),
            _ => unreachable!(),
        };
        let [zero, one, two] = spread(SpreadBy::Own);
        assert_eq!(zero, [((0, 0), 2), ((3, 0), 1)]);
        assert_eq!(one, [((0, 0), 3)]);
        assert_eq!(two, [((1, 0), 2), ((4, 0), 1)]);
        let [zero, one, two] = spread(SpreadBy::Elsewhere);
        assert_eq!(zero, [((1, 0), 2), ((4, 0), 1)]);
        assert_eq!(one, [((1, 0), 1), ((4, 0), 2)]);
        assert_eq!(two, [((0, 0), 2), ((3, 0), 1)]);
        assert_eq!(spread(SpreadBy::Both)[2], [((1, 1), 1), ((1, 4), 1), ((4, 4), 1)]);
    }

    #[test]
    fn frequencies_group_terms_by_documents() {
        let TallyNumbers::Frequencies(found) = tally(TallyKind::Frequencies, 1, &terms()).numbers else {
            unreachable!()
        };
        let groups: Vec<_> =
            found.groups.into_iter().map(|(df, group)| (df, group.terms, group.sums.to_vec())).collect();
        assert_eq!(groups, [(1, 2, vec![(2, 5)]), (2, 1, vec![(0, 3), (2, 1)])]);
    }

    #[test]
    fn what_was_put_in_and_taken_out_leaves_nothing() {
        for kind in [
            TallyKind::Sums,
            TallyKind::Spread(SpreadBy::Own),
            TallyKind::Spread(SpreadBy::Both),
            TallyKind::Frequencies,
        ] {
            let mut changed = tally(kind, 2, &terms());
            let before = changed.clone();
            for times in [1, -1] {
                changed.change(&term(1, &[(0, 3), (1, 7)]), times);
            }
            let (TallyNumbers::Spread(_, one), TallyNumbers::Spread(_, two)) = (&changed.numbers, &before.numbers)
            else {
                continue;
            };
            (0..4).for_each(|label| assert_eq!(sorted(one.of(label)), sorted(two.of(label))));
        }
    }
}
