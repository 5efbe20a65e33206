//! Scores from a weight for every term and label.

use super::{Base, Coverage, KEPT, SKIPPED, UNKNOWN, Weights};
use crate::count::term_weights::Scale;
use crate::machine::processor::prefetch;

/// Weights of every term of the table under every label, as rows.
#[derive(Clone, Copy)]
pub struct DenseWeights<'a> {
    rows: &'a [f64], // (ids, labels)
    kept: &'a [u8],  // (ids,), UNKNOWN or SKIPPED where a term has no weight
    all_kept: bool,  // every term of the table has a weight
    base: Base<'a>,
    scale: Scale,
}

impl<'a> DenseWeights<'a> {
    pub fn new(rows: &'a [f64], kept: &'a [u8], base: Base<'a>, scale: Scale) -> Self {
        DenseWeights { rows, kept, all_kept: are_all_kept(kept), base, scale }
    }

    /// Calls `found` with the factor and the id of each term that has a weight.
    #[inline(always)]
    fn each(&self, terms: &[(u32, u32)], mut found: impl FnMut(f64, usize)) -> Coverage {
        const AHEAD: usize = 16; // terms whose weights are fetched before they are needed
        let mut coverage = Coverage::default();
        for (place, (id, times)) in terms.iter().enumerate() {
            if let Some((later, _)) = terms.get(place + AHEAD) {
                self.rows.get(*later as usize * self.base.labels).into_iter().for_each(prefetch);
            }
            let factor = self.scale.factor(*times);
            let state = match self.all_kept {
                true if (*id as usize) < self.kept.len() => KEPT, // without a look at it
                true => UNKNOWN,
                false => self.kept.get(*id as usize).copied().unwrap_or(UNKNOWN),
            };
            match state {
                UNKNOWN => coverage.add_unknown(*times, factor),
                SKIPPED => (),
                _ => {
                    coverage.known += *times;
                    found(factor, *id as usize);
                }
            }
        }
        coverage
    }
}

/// Looks at many states at a time: for a small batch, one by one would take a fifth of the time.
fn are_all_kept(kept: &[u8]) -> bool {
    kept.chunks(256).all(|some| some.iter().fold(true, |all, state| all & (*state == KEPT)))
}

impl Weights for DenseWeights<'_> {
    #[inline]
    fn add_up(&self, document: usize, terms: &[(u32, u32)], sums: &mut Vec<f64>) -> Coverage {
        let (rows, labels, from) = (self.rows, self.base.labels, sums.len());
        sums.extend_from_slice(self.base.of(document));
        match &mut sums[from..] {
            // Two labels are the most frequent case, and two sums stay in registers.
            [first, second] => {
                let (mut one, mut two) = (*first, *second);
                let coverage = self.each(terms, |factor, id| {
                    one += factor * rows[2 * id];
                    two += factor * rows[2 * id + 1];
                });
                (*first, *second) = (one, two);
                coverage
            }
            sums => self.each(terms, |factor, id| {
                for (sum, weight) in sums.iter_mut().zip(&rows[id * labels..][..labels]) {
                    *sum += factor * weight;
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::id_lists::{IdLists, TermSink};
    use crate::count::term_counter::TermCounter;
    use crate::score::{Scorer, Scores};

    fn score(lists: &IdLists, ids: usize, first: usize, weights: &DenseWeights) -> Scores {
        let mut scorer = Scorer::new(weights, first, TermCounter::new(ids, lists.ids.len()));
        scorer.take(lists, ids);
        scorer.scores
    }

    fn coverage(known: u32, unknown: u32, unknown_distinct: u32, unknown_weighed: f64) -> Coverage {
        Coverage { known, unknown, unknown_distinct, unknown_weighed }
    }

    #[test]
    fn sums_are_base_plus_times_weight_and_unknown_terms_are_counted_apart() {
        let lists = IdLists { ids: vec![0, 1, 0, 7, 7, 2], ends: vec![6, 6] };
        let rows = [1.0, 10.0, 2.0, 20.0, 4.0, 40.0];
        let base = Base { values: &[0.5, 5.0], labels: 2, each: false };
        let weights = DenseWeights::new(&rows, &[1, 1, 0], base, Scale::Count);
        let scores = score(&lists, 8, 0, &weights);
        assert_eq!(scores.sums, [0.5 + 2.0 + 2.0, 5.0 + 20.0 + 20.0, 0.5, 5.0]);
        assert_eq!(scores.coverage, [coverage(3, 3, 2, 3.0), Coverage::default()]);
        let once = score(&lists, 8, 0, &DenseWeights { scale: Scale::Once, ..weights });
        assert_eq!(once.sums[..2], [0.5 + 1.0 + 2.0, 5.0 + 10.0 + 20.0]);
        assert_eq!(once.coverage, [coverage(3, 3, 2, 2.0), Coverage::default()]);
    }

    #[test]
    fn each_document_can_start_from_a_base_of_its_own() {
        let lists = IdLists { ids: vec![0, 0], ends: vec![1, 2] };
        let base = Base { values: &[9.0, 90.0, 1.0, 10.0, 2.0, 20.0], labels: 2, each: true };
        let weights = DenseWeights::new(&[0.5, 5.0], &[1], base, Scale::Count);
        assert_eq!(score(&lists, 1, 1, &weights).sums, [1.5, 15.0, 2.5, 25.0]);
        assert_eq!(score(&lists, 1, 0, &weights).sums, [9.5, 95.0, 1.5, 15.0]);
    }

    #[test]
    fn logarithms_of_how_often_are_what_weigh_says_in_every_sum() {
        let lists = IdLists { ids: vec![0, 1, 0, 7, 7, 2], ends: vec![6] };
        let base = Base { values: &[0.5], labels: 1, each: false };
        let weights = DenseWeights::new(&[3.0, 7.0, 9.0], &[1, 1, 0], base, Scale::Log);
        let scores = score(&lists, 8, 0, &weights);
        let [once, twice] = [45_426.0 / 65_536.0, 71_999.0 / 65_536.0];
        assert_eq!(scores.sums, [0.5 + twice * 3.0 + once * 7.0]);
        assert_eq!(scores.coverage, [coverage(3, 3, 2, twice + once)]);
    }

    #[test]
    fn a_skipped_term_is_neither_known_nor_unknown() {
        let lists = IdLists { ids: vec![0, 1, 1, 2], ends: vec![4] };
        let base = Base { values: &[0.5], labels: 1, each: false };
        for scale in [Scale::Count, Scale::Once, Scale::Log] {
            let weights = DenseWeights::new(&[2.0, f64::NAN, f64::NAN], &[1, SKIPPED, UNKNOWN], base, scale);
            let scores = score(&lists, 3, 0, &weights);
            let once = scale.factor(1);
            assert_eq!(scores.sums, [0.5 + once * 2.0]);
            assert_eq!(scores.coverage, [coverage(1, 1, 1, once)]);
        }
    }
}
