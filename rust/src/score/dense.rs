//! Adds up weights: for each document and label, base + the sum over its terms of (how often it counts × weight).

use crate::analyze::batch::Sink;
use crate::analyze::rules::Lists;
use crate::count::term_counter::Bag;
use crate::count::term_weights::Scale;
use crate::machine::processor::prefetch;

/// Weights of every term of the table under every label, as rows.
pub struct Weights<'a> {
    pub rows: &'a [f64], // (ids, labels)
    pub kept: &'a [u8],  // (ids,), UNKNOWN or SKIPPED where a term has no weight
    pub base: Base<'a>,
    pub scale: Scale,
}

/// The term counts as unknown.
pub const UNKNOWN: u8 = 0;
/// The term has a weight.
pub const KEPT: u8 = 1;
/// The term is as good as not there.
pub const SKIPPED: u8 = 2;

/// Where the sums start.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub values: &'a [f64],
    pub labels: usize,
    pub each: bool, // (documents, labels); else (labels,) for all alike
}

impl Base<'_> {
    pub fn of(&self, document: usize) -> &[f64] {
        let row = if self.each { document } else { 0 };
        &self.values[row * self.labels..][..self.labels]
    }
}

#[derive(Default, Debug, PartialEq)]
pub struct Scores {
    pub sums: Vec<f64>,    // (documents, labels)
    pub known: Vec<u32>,   // how many terms of the text have a weight, repeats included
    pub unknown: Vec<u32>, // how many have none
    pub unknown_distinct: Vec<u32>,
    pub unknown_weighed: Vec<f64>, // the sum of what their weights would be multiplied by
}

impl Scores {
    /// The scores of the next stretch of documents.
    pub fn append(&mut self, next: Scores) {
        if self.known.is_empty() {
            *self = next; // often the only one, and large where there are many labels
            return;
        }
        self.sums.extend(next.sums);
        self.known.extend(next.known);
        self.unknown.extend(next.unknown);
        self.unknown_distinct.extend(next.unknown_distinct);
        self.unknown_weighed.extend(next.unknown_weighed);
    }
}

/// Adds up the documents of a batch as they come. Terms are added in the order in which the document first shows them, so
/// that one document gives one result, bit for bit, whatever batch, thread or table order it came in.
pub struct Scoring<'a> {
    weights: &'a Weights<'a>,
    all_kept: bool,  // every term of the table has a weight
    document: usize, // its place among those of the base
    bag: Bag,
    pub scores: Scores,
}

impl<'a> Scoring<'a> {
    /// `first` is the place of the first document among those of the base, `bag` what counts their terms.
    pub fn new(weights: &'a Weights<'a>, first: usize, bag: Bag) -> Self {
        let all_kept = weights.kept.iter().all(|state| *state == KEPT);
        Scoring { weights, all_kept, document: first, bag, scores: Scores::default() }
    }

    fn add(&mut self, terms: &[u32]) {
        let (weights, scores) = (self.weights, &mut self.scores);
        let (rows, labels) = (weights.rows, weights.base.labels);
        let from = scores.sums.len();
        scores.sums.extend_from_slice(weights.base.of(self.document));
        let items = self.bag.fill(terms);
        let counted = match &mut scores.sums[from..] {
            // Two labels are the most frequent case, and two sums stay in registers.
            [first, second] => {
                let (mut one, mut two) = (*first, *second);
                let counted = weights.each(items, self.all_kept, |factor, id| {
                    one += factor * rows[2 * id];
                    two += factor * rows[2 * id + 1];
                });
                (*first, *second) = (one, two);
                counted
            }
            sums => weights.each(items, self.all_kept, |factor, id| {
                for (sum, weight) in sums.iter_mut().zip(&rows[id * labels..][..labels]) {
                    *sum += factor * weight;
                }
            }),
        };
        scores.known.push(counted.known);
        scores.unknown.push(counted.unknown);
        scores.unknown_distinct.push(counted.distinct);
        scores.unknown_weighed.push(counted.weighed);
        self.document += 1;
    }
}

/// How many terms of a document have a weight, how many have none, and what these would be multiplied by.
#[derive(Default)]
struct Counted {
    known: u32,
    unknown: u32,
    distinct: u32,
    weighed: f64,
}

impl Weights<'_> {
    /// Calls `found` with each term that has a weight, and what this is multiplied by.
    #[inline(always)]
    fn each(&self, items: &[(u32, u32)], all_kept: bool, mut found: impl FnMut(f64, usize)) -> Counted {
        const AHEAD: usize = 16; // terms whose weights are fetched before they are needed
        let mut counted = Counted::default();
        for (place, (id, times)) in items.iter().enumerate() {
            if let Some((later, _)) = items.get(place + AHEAD) {
                self.rows.get(*later as usize * self.base.labels).into_iter().for_each(prefetch);
            }
            let factor = self.scale.factor(*times);
            let state = match all_kept {
                true if (*id as usize) < self.kept.len() => KEPT, // without a look at it
                true => UNKNOWN,
                false => self.kept.get(*id as usize).copied().unwrap_or(UNKNOWN),
            };
            match state {
                UNKNOWN => {
                    counted.unknown += *times;
                    counted.distinct += 1;
                    counted.weighed += factor;
                }
                SKIPPED => (),
                _ => {
                    counted.known += *times;
                    found(factor, *id as usize);
                }
            }
        }
        counted
    }
}

impl Sink for Scoring<'_> {
    fn take(&mut self, lists: &Lists, ids: usize) {
        self.bag.grow(ids);
        (0..lists.len()).for_each(|document| self.add(lists.get(document)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(lists: &Lists, ids: usize, first: usize, weights: &Weights) -> Scores {
        let mut scoring = Scoring::new(weights, first, Bag::new(ids, lists.ids.len()));
        scoring.take(lists, ids);
        scoring.scores
    }

    #[test]
    fn sums_are_base_plus_times_weight_and_unknown_terms_are_counted_apart() {
        let lists = Lists { ids: vec![0, 1, 0, 7, 7, 2], ends: vec![6, 6] };
        let rows = [1.0, 10.0, 2.0, 20.0, 4.0, 40.0];
        let base = Base { values: &[0.5, 5.0], labels: 2, each: false };
        let weights = Weights { rows: &rows, kept: &[1, 1, 0], base, scale: Scale::Count };
        let scores = score(&lists, 8, 0, &weights);
        assert_eq!(scores.sums, [0.5 + 2.0 + 2.0, 5.0 + 20.0 + 20.0, 0.5, 5.0]);
        assert_eq!((scores.known, scores.unknown, scores.unknown_distinct), (vec![3, 0], vec![3, 0], vec![2, 0]));
        assert_eq!(scores.unknown_weighed, [3.0, 0.0]);
        let once = score(&lists, 8, 0, &Weights { scale: Scale::Once, ..weights });
        assert_eq!(once.sums[..2], [0.5 + 1.0 + 2.0, 5.0 + 10.0 + 20.0]);
        assert_eq!(once.unknown_weighed, [2.0, 0.0]);
    }

    #[test]
    fn each_document_can_start_from_a_base_of_its_own() {
        let lists = Lists { ids: vec![0, 0], ends: vec![1, 2] };
        let base = Base { values: &[9.0, 90.0, 1.0, 10.0, 2.0, 20.0], labels: 2, each: true };
        let weights = Weights { rows: &[0.5, 5.0], kept: &[1], base, scale: Scale::Count };
        assert_eq!(score(&lists, 1, 1, &weights).sums, [1.5, 15.0, 2.5, 25.0]);
        assert_eq!(score(&lists, 1, 0, &weights).sums, [9.5, 95.0, 1.5, 15.0]);
    }

    #[test]
    fn logarithms_of_how_often_are_what_weigh_says_in_every_sum() {
        let lists = Lists { ids: vec![0, 1, 0, 7, 7, 2], ends: vec![6] };
        let base = Base { values: &[0.5], labels: 1, each: false };
        let weights = Weights { rows: &[3.0, 7.0, 9.0], kept: &[1, 1, 0], base, scale: Scale::Log };
        let scores = score(&lists, 8, 0, &weights);
        let [once, twice] = [45_426.0 / 65_536.0, 71_999.0 / 65_536.0];
        assert_eq!(scores.sums, [0.5 + twice * 3.0 + once * 7.0]);
        assert_eq!((scores.known, scores.unknown, scores.unknown_distinct), (vec![3], vec![3], vec![2]));
        assert_eq!(scores.unknown_weighed, [twice + once]);
    }

    #[test]
    fn a_skipped_term_is_neither_known_nor_unknown() {
        let lists = Lists { ids: vec![0, 1, 1, 2], ends: vec![4] };
        let base = Base { values: &[0.5], labels: 1, each: false };
        for scale in [Scale::Count, Scale::Once, Scale::Log] {
            let weights = Weights { rows: &[2.0, f64::NAN, f64::NAN], kept: &[1, SKIPPED, UNKNOWN], base, scale };
            let scores = score(&lists, 3, 0, &weights);
            let once = scale.factor(1);
            assert_eq!(scores.sums, [0.5 + once * 2.0]);
            assert_eq!((scores.known, scores.unknown, scores.unknown_distinct), (vec![1], vec![1], vec![1]));
            assert_eq!(scores.unknown_weighed, [once]);
        }
    }
}
