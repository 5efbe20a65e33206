//! The weights of the terms that were asked for, kept as long as the counts do not change.
//!
//! A single text needs the weights of its own terms alone. The terms whose weights are missing are returned, so that
//! the caller can compute them and ask again.

use super::{Coverage, KEPT, SKIPPED, UNKNOWN};
use crate::count::term_weights::Scale;
use hashbrown::HashMap;

// The place of a term: nothing is known yet, one of the two states without a weight, or where its row is.
const NOTHING: u32 = 0;
const OF_UNKNOWN: u32 = 1;
const OF_SKIPPED: u32 = 2;
const FIRST: u32 = 3;

pub struct WeightCache {
    columns: usize,
    ids: u32, // terms from here on came later, and are unknown
    few: HashMap<u32, u32>,
    all: Vec<u32>, // by id, once all terms are to be remembered; empty before
    rows: Vec<f64>,
}

/// The scores of one text.
#[derive(Debug, Default, PartialEq)]
pub struct TextScores {
    pub sums: Vec<f64>, // (columns,)
    pub coverage: Coverage,
}

impl TextScores {
    /// Adds the weights of unknown terms; where there are none, nothing, whatever the weights.
    pub fn add_unknown(&mut self, weights: &[f64]) {
        let factor = self.coverage.unknown_weighed;
        if factor > 0.0 {
            self.sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += factor * weight);
        }
    }
}

impl WeightCache {
    pub fn new(ids: u32, columns: usize) -> WeightCache {
        WeightCache { columns, ids, few: HashMap::new(), all: Vec::new(), rows: Vec::new() }
    }

    pub fn ids(&self) -> u32 {
        self.ids
    }

    /// How many numbers it holds.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Makes room for all terms. Nothing is forgotten, also when another thread has made room before.
    pub fn open(&mut self) {
        if !self.all.is_empty() {
            return;
        }
        self.all = vec![NOTHING; self.ids as usize];
        self.rows.reserve_exact((self.ids as usize * self.columns).saturating_sub(self.rows.len()));
        for (id, place) in std::mem::take(&mut self.few) {
            self.all[id as usize] = place;
        }
    }

    /// Remembers terms below `ids`; `rows` has a row for each that is kept. Rows that another thread has put before
    /// stay: they are the same.
    pub fn put(&mut self, ids: &[u32], states: &[u8], rows: &[f64]) {
        let mut rows = rows.chunks_exact(self.columns);
        for (id, state) in ids.iter().zip(states) {
            let row = (*state == KEPT).then(|| rows.next().expect("a row for each that is kept"));
            if self.place(*id) != NOTHING {
                continue;
            }
            let place = match *state {
                UNKNOWN => OF_UNKNOWN,
                SKIPPED => OF_SKIPPED,
                _ => FIRST + (self.rows.len() / self.columns) as u32,
            };
            row.into_iter().for_each(|row| self.rows.extend_from_slice(row));
            match self.all.is_empty() {
                true => drop(self.few.insert(*id, place)),
                false => self.all[*id as usize] = place,
            }
        }
    }

    fn place(&self, id: u32) -> u32 {
        match self.all.is_empty() {
            _ if id >= self.ids => OF_UNKNOWN,
            true => self.few.get(&id).copied().unwrap_or(NOTHING),
            false => self.all[id as usize],
        }
    }

    /// Base + the sum over a text's terms of (how often it counts × weight), added in the order in which they are
    /// given, which is that of first sight; or the terms of which nothing is known yet.
    pub fn score(&self, items: &[(u32, u32)], base: &[f64], scale: Scale) -> Result<TextScores, Vec<u32>> {
        let mut scores = TextScores { sums: base.to_vec(), coverage: Coverage::default() };
        for (at, (id, times)) in items.iter().enumerate() {
            let factor = scale.factor(*times);
            match self.place(*id) {
                NOTHING => return Err(self.missing(&items[at..])),
                OF_UNKNOWN => scores.coverage.add_unknown(*times, factor),
                OF_SKIPPED => (),
                place => {
                    scores.coverage.known += *times;
                    let row = &self.rows[(place - FIRST) as usize * self.columns..][..self.columns];
                    for (sum, weight) in scores.sums.iter_mut().zip(row) {
                        *sum += factor * weight;
                    }
                }
            }
        }
        Ok(scores)
    }

    fn missing(&self, items: &[(u32, u32)]) -> Vec<u32> {
        items.iter().map(|(id, _)| *id).filter(|id| self.place(*id) == NOTHING).collect()
    }
}

/// The place of the highest number, the first if there are several; that number; and the highest of the others.
pub fn two_highest(values: &[f64]) -> (usize, f64, f64) {
    let (mut place, mut first, mut second) = (0, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for (at, value) in values.iter().enumerate() {
        if *value > first {
            (place, second, first) = (at, first, *value);
        } else if *value > second {
            second = *value;
        }
    }
    (place, first, second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named_once_and_then_remembered() {
        let mut cache = WeightCache::new(10, 2);
        let items = [(7, 2), (3, 1), (12, 4), (5, 1), (9, 3)];
        assert_eq!(cache.score(&items, &[0.5, 5.0], Scale::Count), Err(vec![7, 3, 5, 9]));
        cache.put(&[3, 7, 5], &[KEPT, KEPT, UNKNOWN], &[1.0, 10.0, 2.0, 20.0]);
        assert_eq!(cache.score(&items, &[0.5, 5.0], Scale::Count), Err(vec![9]));
        cache.put(&[9], &[SKIPPED], &[]);
        let coverage = Coverage { known: 3, unknown: 5, unknown_distinct: 2, unknown_weighed: 5.0 };
        let expected = TextScores { sums: vec![0.5 + 4.0 + 1.0, 5.0 + 40.0 + 10.0], coverage };
        assert_eq!(cache.score(&items, &[0.5, 5.0], Scale::Count), Ok(expected));
    }

    #[test]
    fn unknown_terms_add_nothing_where_there_are_none() {
        let cache = WeightCache::new(0, 1);
        let mut scores = cache.score(&[], &[1.0], Scale::Count).unwrap();
        scores.add_unknown(&[f64::NEG_INFINITY]);
        assert_eq!(scores.sums, [1.0]);
        let mut scores = cache.score(&[(0, 2), (4, 1)], &[1.0], Scale::Count).unwrap();
        scores.add_unknown(&[-2.0]);
        assert_eq!(scores.sums, [1.0 - 6.0]);
    }

    #[test]
    fn room_for_all_terms_changes_nothing() {
        let mut cache = WeightCache::new(4, 1);
        cache.put(&[2], &[KEPT], &[8.0]);
        cache.open();
        assert_eq!(cache.score(&[(2, 1), (0, 1)], &[1.0], Scale::Once), Err(vec![0]));
        cache.put(&[0, 1, 3], &[KEPT, UNKNOWN, KEPT], &[4.0, 2.0]);
        assert_eq!(cache.score(&[(2, 3), (0, 1), (3, 1)], &[1.0], Scale::Once).unwrap().sums, [1.0 + 8.0 + 4.0 + 2.0]);
        assert_eq!(cache.len(), 3);
    }

    #[test]
    fn what_two_threads_put_is_kept_once() {
        let mut cache = WeightCache::new(3, 2);
        for _ in 0..2 {
            cache.put(&[2, 0], &[KEPT, SKIPPED], &[8.0, 9.0]);
            cache.open();
            cache.put(&[0, 1, 2], &[SKIPPED, KEPT, KEPT], &[6.0, 7.0, 8.0, 9.0]);
        }
        assert_eq!(cache.len(), 4);
        let scores = cache.score(&[(0, 1), (1, 1), (2, 1)], &[0.0, 0.0], Scale::Count).unwrap();
        assert_eq!(scores.sums, [14.0, 16.0]);
    }

    #[test]
    fn the_two_highest_are_found_in_any_order() {
        assert_eq!(two_highest(&[1.0, 3.0, 2.0]), (1, 3.0, 2.0));
        assert_eq!(two_highest(&[3.0, 3.0]), (0, 3.0, 3.0));
        assert_eq!(two_highest(&[2.0]), (0, 2.0, f64::NEG_INFINITY));
        assert_eq!(two_highest(&[f64::NEG_INFINITY; 2]), (0, f64::NEG_INFINITY, f64::NEG_INFINITY));
    }
}
