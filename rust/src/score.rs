//! Adds up weights: for each document and label, base + the sum over its terms of (how often × weight).

use crate::bag::Bag;
use crate::documents::Lists;

/// Weights of every term of the table under every label, as rows; `kept[id]` is 0 for a term that counts as unknown.
pub struct Weights<'a> {
    pub rows: &'a [f64], // (ids, labels)
    pub kept: &'a [u8],  // (ids,)
    pub base: Base<'a>,
    pub once: bool, // repeats in one document count once
}

/// Where the sums start.
#[derive(Clone, Copy)]
pub struct Base<'a> {
    pub values: &'a [f64],
    pub labels: usize,
    pub each: bool, // (documents, labels); else (labels,) for all alike
}

impl Base<'_> {
    fn of(&self, document: usize) -> &[f64] {
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
}

impl Scores {
    /// The scores of the next stretch of documents.
    pub fn append(&mut self, next: Scores) {
        self.sums.extend(next.sums);
        self.known.extend(next.known);
        self.unknown.extend(next.unknown);
        self.unknown_distinct.extend(next.unknown_distinct);
    }
}

/// Adds up; `ids` is how many ids there are, `first` the place of the first document among those of the base. Terms are
/// added in the order in which the document first shows them, so that one document gives one result, bit for bit,
/// whatever batch, thread or table order it came in.
pub fn score(lists: &Lists, ids: usize, first: usize, weights: &Weights) -> Scores {
    let labels = weights.base.labels;
    let mut scores = Scores { sums: Vec::with_capacity(lists.len() * labels), ..Scores::default() };
    let mut bag = Bag::new(ids, lists.ids.len());
    for document in 0..lists.len() {
        let (mut known, mut unknown, mut distinct) = (0, 0, 0);
        let from = scores.sums.len();
        scores.sums.extend_from_slice(weights.base.of(first + document));
        let sums = &mut scores.sums[from..];
        for (id, times) in bag.fill(lists.get(document)) {
            if weights.kept.get(*id as usize).is_none_or(|kept| *kept == 0) {
                unknown += *times;
                distinct += 1;
                continue;
            }
            known += *times;
            let times = if weights.once { 1 } else { *times };
            let row = &weights.rows[*id as usize * labels..][..labels];
            for (sum, weight) in sums.iter_mut().zip(row) {
                *sum += times as f64 * weight;
            }
        }
        scores.known.push(known);
        scores.unknown.push(unknown);
        scores.unknown_distinct.push(distinct);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_base_plus_times_weight_and_unknown_terms_are_counted_apart() {
        let lists = Lists { ids: vec![0, 1, 0, 7, 7, 2], ends: vec![6, 6] };
        let rows = [1.0, 10.0, 2.0, 20.0, 4.0, 40.0];
        let base = Base { values: &[0.5, 5.0], labels: 2, each: false };
        let weights = Weights { rows: &rows, kept: &[1, 1, 0], base, once: false };
        let scores = score(&lists, 8, 0, &weights);
        assert_eq!(scores.sums, [0.5 + 2.0 + 2.0, 5.0 + 20.0 + 20.0, 0.5, 5.0]);
        assert_eq!((scores.known, scores.unknown, scores.unknown_distinct), (vec![3, 0], vec![3, 0], vec![2, 0]));
        let once = score(&lists, 8, 0, &Weights { once: true, ..weights });
        assert_eq!(once.sums[..2], [0.5 + 1.0 + 2.0, 5.0 + 10.0 + 20.0]);
    }

    #[test]
    fn each_document_can_start_from_a_base_of_its_own() {
        let lists = Lists { ids: vec![0, 0], ends: vec![1, 2] };
        let base = Base { values: &[9.0, 90.0, 1.0, 10.0, 2.0, 20.0], labels: 2, each: true };
        let weights = Weights { rows: &[0.5, 5.0], kept: &[1], base, once: false };
        assert_eq!(score(&lists, 1, 1, &weights).sums, [1.5, 15.0, 2.5, 25.0]);
        assert_eq!(score(&lists, 1, 0, &weights).sums, [9.5, 95.0, 1.5, 15.0]);
    }
}
