//! Learning: documents are analyzed, summed label by label and added to a table.

use super::Table;
use crate::analyze::batch::{Batch, Fingerprint, Part};
use crate::analyze::id_lists::IdLists;
use crate::analyze::rules::Rules;
use crate::count::label_sums::{LabelSums, RunningSums, sum_by_label};
use crate::count::term_weights::{TermWeigher, Weighting};
use crate::count::totals::TooLarge;
use crate::machine::in_parallel;
use crate::vocabulary::interner::Interner;
use std::ops::Range;

/// The documents of a batch, and what is learned of them beside their counts.
#[derive(Clone, Copy, Default)]
pub struct Documents<'a> {
    pub texts: &'a [&'a str],
    pub labels: &'a [u32],
    pub weights: Option<&'a [u64]>,
    pub weighting: Option<Weighting>,
    pub fingerprint: Fingerprint<'a>,
}

/// Why nothing was learned.
#[derive(Debug)]
pub enum NotLearned<E> {
    TooLarge,
    Asked(E), // the caller could not say what tokens become
}

impl<E> From<TooLarge> for NotLearned<E> {
    fn from(_: TooLarge) -> Self {
        NotLearned::TooLarge
    }
}

/// The sums of a part of a batch, its new terms, and the fingerprints of its documents.
type Summed = (Vec<LabelSums>, Interner, Vec<u128>);

impl Table {
    /// Learns documents, or changes nothing; gives their fingerprints, if they are wanted. `ask` is as for
    /// `Batch::analyze`.
    pub fn learn<E>(
        &mut self,
        documents: &Documents,
        rules: &Rules,
        threads: usize,
        ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
    ) -> Result<Vec<u128>, NotLearned<E>> {
        let Documents { texts, labels, weights, weighting, fingerprint } = *documents;
        let batch = Batch { texts, rules, base: &self.terms, threads, fingerprint };
        let summed = match weighting {
            None => {
                let sums = |some: Range<usize>| {
                    let bytes = texts[some.clone()].iter().map(|text| text.len()).sum();
                    RunningSums::new(&labels[some.clone()], weights.map(|weights| &weights[some]), bytes)
                };
                let parts = batch.analyze(ask, sums).map_err(NotLearned::Asked)?;
                in_parallel(parts, |part| Ok((part.found.finish()?, part.own, part.fingerprints)))
            }
            Some(weighting) => {
                // A term's weight may depend on which of the others are n-grams, so all must be known first.
                let parts = batch.analyze(ask, |_| IdLists::default()).map_err(NotLearned::Asked)?;
                in_parallel(parts, |part| self.sum_weighed(part, documents, weighting))
            }
        };
        Ok(self.add_summed(summed)?)
    }

    fn sum_weighed(&self, part: Part, documents: &Documents, weighting: Weighting) -> Result<Summed, TooLarge> {
        let labels = &documents.labels[part.documents.clone()];
        let weights = documents.weights.map(|weights| &weights[part.documents.clone()]);
        let weigher = TermWeigher::new(weighting, &self.terms, &part);
        let sums = sum_by_label(&part.found, part.ids, labels, weights, Some(&weigher))?;
        Ok((sums, part.own, part.fingerprints))
    }

    fn add_summed(&mut self, summed: Vec<Result<Summed, TooLarge>>) -> Result<Vec<u128>, TooLarge> {
        let (mut parts, mut fingerprints) = (Vec::with_capacity(summed.len()), Vec::new());
        for part in summed {
            let (sums, own, noted) = part?;
            fingerprints.extend(noted);
            parts.push((own, sums));
        }
        self.add_batch(parts)?;
        Ok(fingerprints)
    }
}
