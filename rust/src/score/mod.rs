//! Term ids and weights to scores: for each document and label, base + the sum over its terms of (factor × weight),
//! where the factor says how much repeats count.
//!
//! Terms are added in the order in which the document first shows them, so that one document gives one result, bit for
//! bit, in any batch, on any thread and by any of the three ways:
//!
//!     dense         a weight for every term and label
//!     sparse        a weight for every count that is not 0
//!     weight_cache  the weights of the terms that were asked for, for one text at a time

pub mod dense;
pub mod sparse;
pub mod weight_cache;

use crate::analyze::id_lists::{IdLists, TermSink};
use crate::count::term_counter::TermCounter;

// The state of a term:
/// it counts as unknown,
pub const UNKNOWN: u8 = 0;
/// it has a weight,
pub const KEPT: u8 = 1;
/// or it is ignored, as if it were not there.
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

/// How many terms of a document are known, and how many are not.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coverage {
    pub known: u32,   // how many have a weight, repeats included
    pub unknown: u32, // how many have none
    pub unknown_distinct: u32,
    pub unknown_weighed: f64, // the sum of the factors that their weights would have
}

impl Coverage {
    #[inline(always)]
    fn add_unknown(&mut self, times: u32, factor: f64) {
        self.unknown += times;
        self.unknown_distinct += 1;
        self.unknown_weighed += factor;
    }
}

/// The scores of documents.
#[derive(Default, Debug, PartialEq)]
pub struct Scores {
    pub sums: Vec<f64>,          // (documents, labels)
    pub coverage: Vec<Coverage>, // (documents,)
}

impl Scores {
    /// Adds the scores of the next documents.
    pub fn append(&mut self, next: Scores) {
        if self.coverage.is_empty() {
            *self = next; // often the only ones, and large where there are many labels
            return;
        }
        self.sums.extend(next.sums);
        self.coverage.extend(next.coverage);
    }
}

/// The weights of terms, dense or sparse.
pub trait Weights: Sync {
    /// Appends the sums of a document to those before. Of each term the id and how often it occurs is given, in order
    /// of first sight; `document` is its place among those of the base.
    fn add_up(&self, document: usize, terms: &[(u32, u32)], sums: &mut Vec<f64>) -> Coverage;
}

/// Scores the documents of a batch one after the other.
pub struct Scorer<'a, W> {
    weights: &'a W,
    document: usize,
    counter: TermCounter,
    pub scores: Scores,
}

impl<'a, W: Weights> Scorer<'a, W> {
    /// `first` is the place of the first document among those of the base, `counter` what counts their terms.
    pub fn new(weights: &'a W, first: usize, counter: TermCounter) -> Self {
        Scorer { weights, document: first, counter, scores: Scores::default() }
    }
}

impl<W: Weights> TermSink for Scorer<'_, W> {
    fn take(&mut self, lists: &IdLists, ids: usize) {
        self.counter.grow(ids);
        for document in 0..lists.len() {
            let terms = self.counter.count(lists.get(document));
            let coverage = self.weights.add_up(self.document, terms, &mut self.scores.sums);
            self.scores.coverage.push(coverage);
            self.document += 1;
        }
    }
}
