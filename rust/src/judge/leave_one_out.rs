//! What the terms of each document add to the scores of labels, by the sums without the document.
//!
//!     multinomial  Σ f(t) ln((n(t,c) + α) / (n(c) + α k))
//!     complement   Σ f(t) ln((n - n(c) + α k) / (n(t) - n(t,c) + α))
//!
//! n are sums of weights without the document, k is the number of terms, f(t) how much t counts in the document. Numbers
//! that are the same for all labels of a document are left out.

use super::bags::{Bags, Item, Layer};
use super::logarithm::{logarithm, take_logarithms};
use super::reduction::{Asked, Reduction, Weigher};
use crate::machine::in_parallel;
use crate::machine::processor::prefetch;
use std::sync::PoisonError;

/// Strengths of smoothing that are judged at once.
pub const LANES: usize = 4;
pub type Lanes = [f64; LANES];
const WORTH_A_THREAD: usize = 1 << 15; // terms of documents
const LEAST: f64 = 1e-300; // so that nothing is divided by 0 where a document has no known term

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Event {
    Multinomial,
    Complement,
}

/// Settings that are judged together.
pub struct Judged<'a> {
    pub bags: &'a Bags,
    pub labels: usize,
    pub event: Event,
    pub alphas: Lanes,
    pub weigher: Weigher,
    pub together: &'a [Vec<usize>], // which layers are taken together
    pub wanted: Wanted,
    pub threads: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    Scores,
    Right, // only whether the highest is that of the document's own label
}

/// The scores of documents.
#[derive(Default)]
pub struct Left {
    pub scores: Vec<f64>, // (documents, combinations, lanes, labels)
    pub known: Vec<u32>,  // (documents, combinations): how many tokens are known terms
    pub right: Vec<u8>,   // (documents, combinations, lanes, 2): under a uniform prior, and by the number of documents
}

const EQUAL: f64 = 1e-9; // scores that differ by less are equal: leave-one-out would read in them where a text was

/// A layer with what all documents share.
type Prepared<'a> = (&'a Layer, &'a Reduction);

impl Judged<'_> {
    /// Leaves out each of these documents, given as the rows that they were.
    pub fn leave_one_out(&self, rows: &[u32]) -> Left {
        let mut memory = self.bags.memory.lock().unwrap_or_else(PoisonError::into_inner);
        memory.resize_with(self.bags.layers.len(), Reduction::default);
        let taken: Vec<bool> = (0..memory.len()).map(|layer| self.is_taken(layer)).collect();
        let asked = Asked {
            weigher: &self.weigher,
            labels: self.labels,
            numerators: (self.event == Event::Multinomial).then_some(self.alphas),
            threads: self.threads,
        };
        for (layer, sums) in memory.iter_mut().enumerate().filter(|(layer, _)| taken[*layer]) {
            sums.renew(self.bags, &self.bags.layers[layer], &asked);
        }
        let layers = self.bags.layers.iter().zip(memory.iter()).zip(&taken);
        let prepared: Vec<Option<Prepared>> = layers.map(|(pair, taken)| taken.then_some(pair)).collect();
        let items: usize = self.bags.layers.iter().map(|layer| layer.items.len()).sum();
        let looked_up = items * rows.len() / self.bags.len().max(1);
        let threads = self.threads.min(looked_up / WORTH_A_THREAD).max(1);
        let each = rows.len().div_ceil(threads).max(1);
        let parts = in_parallel(rows.chunks(each).collect(), |rows| {
            let mut worker = Worker::new(self, &prepared);
            rows.iter().for_each(|row| worker.leave_out(self.bags.places[*row as usize] as usize));
            worker.left
        });
        let mut all = Left::default();
        for part in parts {
            all.scores.extend(part.scores);
            all.known.extend(part.known);
            all.right.extend(part.right);
        }
        all
    }

    fn is_taken(&self, layer: usize) -> bool {
        self.together.iter().any(|layers| layers.contains(&layer))
    }
}

impl Judged<'_> {
    /// Asks for what the terms that come next need: it is scattered over memory.
    #[inline(always)]
    fn fetch_ahead(&self, prepared: Prepared, items: &[Item]) {
        let (layer, sums) = prepared;
        if let Some((term, _)) = items.get(16) {
            prefetch(&layer.cell_ends[*term as usize]);
        }
        if let Some((term, _)) = items.get(8) {
            let first = layer.cells(*term as usize).start;
            prefetch(&sums.cells[first]);
            match self.event {
                Event::Multinomial => prefetch(&sums.numerators[first]),
                Event::Complement => prefetch(&sums.of_terms[*term as usize]),
            }
        }
    }
}

/// What one layer adds to one document.
#[derive(Default, Clone)]
struct Added {
    scores: Vec<Lanes>, // by label
    totals: Vec<f64>,   // by label: n(c) without the document
    factors: f64,       // the sum of f
    known: u32,
    terms: f64, // k
}

struct Worker<'a> {
    judged: &'a Judged<'a>,
    prepared: &'a [Option<Prepared<'a>>],
    added: Vec<Added>, // by layer
    logs: Vec<Lanes>,
    places: Vec<(u32, f64)>, // complement: labels and factors of `logs`; u32::MAX for what all labels share
    documents: Vec<f64>,     // by label
    sums: Vec<f64>,          // by label
    left: Left,
}

const SHARED: u32 = u32::MAX;

impl<'a> Worker<'a> {
    fn new(judged: &'a Judged<'a>, prepared: &'a [Option<Prepared<'a>>]) -> Self {
        let none =
            Added { scores: vec![[0.0; LANES]; judged.labels], totals: vec![0.0; judged.labels], ..Added::default() };
        let added = vec![none; prepared.len()];
        let mut documents = vec![0.0; judged.labels];
        judged.bags.labels.iter().for_each(|label| documents[*label as usize] += 1.0);
        let sums = vec![0.0; judged.labels];
        Worker { judged, prepared, added, logs: Vec::new(), places: Vec::new(), documents, sums, left: Left::default() }
    }

    fn leave_out(&mut self, document: usize) {
        for (layer, prepared) in self.prepared.iter().enumerate() {
            if let Some(prepared) = *prepared {
                self.add_layer(layer, prepared, document);
            }
        }
        for layers in self.judged.together {
            self.put(layers, self.judged.bags.labels[document] as usize);
        }
    }

    fn add_layer(&mut self, place: usize, prepared: Prepared, document: usize) {
        let (layer, sums) = prepared;
        let judged = self.judged;
        let own = judged.bags.labels[document];
        let added = &mut self.added[place];
        added.scores.iter_mut().for_each(|lanes| *lanes = [0.0; LANES]);
        let (mut gone, mut factors, mut known) = (0.0, 0.0, 0);
        added.totals.copy_from_slice(&sums.totals);
        self.logs.clear();
        self.places.clear();
        let items = layer.of(document);
        for (place, (term, times)) in items.iter().enumerate() {
            self.judged.fetch_ahead(prepared, &items[place..]);
            let (term, times) = (*term as usize, *times);
            let factor = judged.weigher.scale.factor(times);
            let learned = judged.weigher.weight(document, times);
            let here = layer.cells(term);
            gone += learned;
            factors += factor;
            known += times;
            match judged.event {
                Event::Multinomial => {
                    for (cell, numerators) in sums.cells[here.clone()].iter().zip(&sums.numerators[here]) {
                        if cell.label == own {
                            let count = cell.sum - learned;
                            self.logs.push(judged.alphas.map(|alpha| count + alpha));
                            self.places.push((own, factor));
                            continue;
                        }
                        let scores = &mut added.scores[cell.label as usize];
                        (0..LANES).for_each(|lane| scores[lane] += factor * numerators[lane]);
                    }
                }
                Event::Complement => {
                    let all = sums.of_terms[term];
                    let shared = all - learned;
                    self.logs.push(judged.alphas.map(|alpha| shared + alpha));
                    self.places.push((SHARED, factor));
                    for cell in &sums.cells[here] {
                        let gone = if cell.label == own { 0.0 } else { learned };
                        let elsewhere = all - cell.sum - gone;
                        self.logs.push(judged.alphas.map(|alpha| elsewhere + alpha));
                        self.places.push((cell.label, factor));
                    }
                }
            }
        }
        let alone = layer.alone_in(document);
        gone += alone.iter().map(|(_, times)| judged.weigher.weight(document, *times)).sum::<f64>();
        added.totals[own as usize] -= gone;
        (added.factors, added.known, added.terms) = (factors, known, (layer.size() - alone.len()) as f64);
        take_logarithms(self.logs.as_flattened_mut());
        let mut base = judged.alphas.map(logarithm); // multinomial: what a term adds where it was never seen
        for (logs, (label, factor)) in self.logs.iter().zip(&self.places) {
            if *label == SHARED {
                base = *logs;
                continue;
            }
            let scores = &mut added.scores[*label as usize];
            (0..LANES).for_each(|lane| scores[lane] += factor * (logs[lane] - base[lane]));
        }
    }

    /// The scores of the document where these layers are taken together.
    fn put(&mut self, layers: &[usize], own: usize) {
        let (labels, event) = (self.judged.labels, self.judged.event);
        let (mut terms, mut factors, mut known, mut all) = (0.0, 0.0, 0, 0.0);
        for layer in layers {
            let added = &self.added[*layer];
            terms += added.terms;
            factors += added.factors;
            known += added.known;
            all += added.totals.iter().sum::<f64>();
        }
        self.logs.clear();
        for label in 0..labels {
            let total: f64 = layers.iter().map(|layer| self.added[*layer].totals[label]).sum();
            let of = if event == Event::Multinomial { total } else { all - total };
            self.logs.push(self.judged.alphas.map(|alpha| (of + alpha * terms).max(LEAST)));
        }
        take_logarithms(self.logs.as_flattened_mut());
        let sign = if event == Event::Multinomial { 1.0 } else { -1.0 };
        for lane in 0..LANES {
            for label in 0..labels {
                let sum: f64 = layers.iter().map(|layer| self.added[*layer].scores[label][lane]).sum();
                self.sums[label] = sign * (sum - factors * self.logs[label][lane]);
            }
            match self.judged.wanted {
                Wanted::Scores => self.left.scores.extend_from_slice(&self.sums),
                Wanted::Right => {
                    let uniform = is_first(&self.sums, own) && self.documents[own] > 1.0;
                    for (label, sum) in self.sums.iter_mut().enumerate() {
                        *sum += (self.documents[label] - (label == own) as u8 as f64).ln();
                    }
                    self.left.right.extend([uniform as u8, is_first(&self.sums, own) as u8]);
                }
            }
        }
        self.left.known.push(known);
    }
}

/// Whether this label has the highest score, and no label before it the same.
fn is_first(scores: &[f64], own: usize) -> bool {
    let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    scores.iter().position(|score| *score >= highest - EQUAL) == Some(own)
}
