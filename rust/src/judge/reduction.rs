//! Bags to sums by term and label, under one weighting.

use super::bags::{Bags, Layer, pieces, range};
use crate::count::term_weights::{Scale, UNIT};
use crate::machine::in_parallel;

/// How much a term weighs in its document.
pub struct Weigher {
    pub scale: Scale,
    pub lengths: Option<Vec<f64>>, // by document, where weights are divided by them
}

impl Weigher {
    /// What is learned of a term that occurs so often in the document.
    #[inline]
    pub fn weight(&self, document: usize, times: u32) -> f64 {
        match &self.lengths {
            None => self.scale.factor(times),
            Some(lengths) => (self.scale.units(times) as f64 / lengths[document] + 0.5) as u64 as f64 / UNIT as f64,
        }
    }
}

/// The sums of a layer. Weights are multiples of 1/65536, so that sums of them are exact in any order.
#[derive(Default)]
pub struct Reduction {
    pub sums: Vec<f64>,     // by cell of the layer: of weights under the label
    pub of_terms: Vec<f64>, // by term: over all labels
    pub idf: Vec<Idf>,      // by term; empty without idf
    pub totals: Vec<f64>,   // by label: over all terms
    pub by_idf: Vec<f64>,   // by label: the same, each term times its idf
}

/// log((N + 1) / (df + 1)), and what it is where one of the documents that have the term is left out.
#[derive(Clone, Copy)]
pub struct Idf {
    pub now: f64,
    pub without: f64,
}

impl Idf {
    fn new(documents: usize, having: usize) -> Idf {
        let (all, some) = (documents as f64, having as f64);
        Idf { now: ((all + 1.0) / (some + 1.0)).ln(), without: (all / some).ln() }
    }
}

impl Reduction {
    pub fn new(bags: &Bags, layer: &Layer, labels: usize, weigher: &Weigher, with_idf: bool, threads: usize) -> Self {
        let none = || Reduction { totals: vec![0.0; labels], by_idf: vec![0.0; labels], ..Reduction::default() };
        let mut found = none();
        let parts = in_parallel(pieces(&layer.posting_ends, threads), |terms| {
            let mut found = none();
            for term in terms {
                let postings = &layer.postings[range(&layer.posting_ends, term)];
                let idf = with_idf.then(|| Idf::new(bags.len(), postings.len()));
                let (mut at, mut of_term) = (0, 0.0);
                for label in &layer.cell_labels[layer.cells(term)] {
                    let mut sum = 0.0;
                    while let Some((document, times)) =
                        postings.get(at).filter(|(document, _)| bags.labels[*document as usize] == *label)
                    {
                        sum += weigher.weight(*document as usize, *times);
                        at += 1;
                    }
                    found.sums.push(sum);
                    found.totals[*label as usize] += sum;
                    if let Some(idf) = idf {
                        found.by_idf[*label as usize] += sum * idf.now;
                    }
                    of_term += sum;
                }
                found.of_terms.push(of_term);
                found.idf.extend(idf);
            }
            found
        });
        for part in parts {
            found.sums.extend(part.sums);
            found.of_terms.extend(part.of_terms);
            found.idf.extend(part.idf);
            found.totals.iter_mut().zip(part.totals).for_each(|(sum, more)| *sum += more);
            found.by_idf.iter_mut().zip(part.by_idf).for_each(|(sum, more)| *sum += more);
        }
        let idf = Idf::new(bags.len(), 1).now;
        for document in 0..bags.len() {
            let alone: f64 = layer.alone_in(document).iter().map(|(_, times)| weigher.weight(document, *times)).sum();
            let label = bags.labels[document] as usize;
            found.totals[label] += alone;
            found.by_idf[label] += alone * idf;
        }
        found
    }
}
