//! Scores from weights as postings: for each term only the labels under which it was seen.
//!
//! Under a label where a term was never seen it adds a product of a number of the term and one of the label. Each
//! posting corrects that. So a document costs one pass over the labels and the postings of its terms, however many
//! labels and terms there are.

use super::{Base, Coverage, SKIPPED, UNKNOWN, Weights};
use crate::count::term_weights::Scale;

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
    /// Whether the arrays are as long as they must be. The ends of postings are checked when they are added.
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

impl Weights for SparseWeights<'_> {
    /// Corrections are added in the order in which the document first shows its terms.
    fn add_up(&self, document: usize, terms: &[(u32, u32)], sums: &mut Vec<f64>) -> Coverage {
        let (mut coverage, mut of_terms, mut factors) = (Coverage::default(), 0.0, 0.0);
        let state = |id: u32| self.kept.get(id as usize).copied().unwrap_or(UNKNOWN);
        for (id, times) in terms {
            let factor = self.scale.factor(*times);
            match state(*id) {
                UNKNOWN => coverage.add_unknown(*times, factor),
                SKIPPED => (),
                _ => {
                    coverage.known += *times;
                    of_terms += factor * self.of_term[*id as usize];
                    factors += factor * self.factor[*id as usize];
                }
            }
        }
        let from = sums.len();
        let of_labels = self.by_label.iter().zip(self.of_label);
        let starts = self.base.of(document).iter().zip(of_labels);
        sums.extend(starts.map(|(start, (by, of))| start + of_terms * by + factors * of));
        let sums = &mut sums[from..];
        for (id, times) in terms.iter().filter(|(id, _)| !matches!(state(*id), UNKNOWN | SKIPPED)) {
            let factor = self.scale.factor(*times);
            for (column, correction) in self.of(*id) {
                sums[*column as usize] += factor * correction;
            }
        }
        coverage
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::id_lists::{IdLists, TermSink};
    use crate::count::term_counter::TermCounter;
    use crate::score::Scorer;

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
        let lists = IdLists { ids: vec![1, 0, 1, 2, 8], ends: vec![5, 5] };
        let mut scorer = Scorer::new(&weights, 0, TermCounter::new(9, 5));
        scorer.take(&lists, 9);
        let scores = scorer.scores;
        assert_eq!(
            scores.sums,
            [1.0 + 1.0 - 5.0 + 20.0, 2.0 + 1.0 - 10.0 + 100.0, 3.0 + 2.0 - 15.0 + 40.0, 1.0, 2.0, 3.0]
        );
        let coverage = Coverage { known: 3, unknown: 2, unknown_distinct: 2, unknown_weighed: 2.0 };
        assert_eq!(scores.coverage, [coverage, Coverage::default()]);
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
