//! Bags to sums by term and label, under one weighting, and to what leave-one-out looks up.

use super::bags::{Bags, Layer, pieces, range};
use super::leave_one_out::{LANES, Lanes};
use super::logarithm::{logarithm, take_logarithms};
use crate::count::term_weights::{Scale, UNIT};
use crate::machine::in_parallel;
use std::ops::Range;

/// How much a term weighs in its document.
pub struct Weigher {
    pub scale: Scale,
    pub lengths: Option<Vec<f64>>, // by document, where weights are divided by them
}

impl Weigher {
    /// What is learned of a term that occurs so often in the document, in 1/65536.
    #[inline]
    pub fn units(&self, document: usize, times: u32) -> u64 {
        match &self.lengths {
            None => self.scale.units(times),
            Some(lengths) => (self.scale.units(times) as f64 / lengths[document] + 0.5) as u64,
        }
    }

    /// The same as a number.
    #[inline]
    pub fn weight(&self, document: usize, times: u32) -> f64 {
        self.units(document, times) as f64 / UNIT as f64
    }
}

/// The sum of a term's weights under a label.
#[derive(Clone, Copy, Default)]
pub struct Cell {
    pub sum: f64,
    pub label: u32,
}

/// What is asked of the sums.
pub struct Asked<'a> {
    pub weigher: &'a Weigher,
    pub labels: usize,
    pub numerators: Option<Lanes>, // the α of ln(n + α) - ln α, where these are wanted
    pub threads: usize,
}

/// The sums of a layer. Weights are multiples of 1/65536, so that sums of them are exact in any order.
#[derive(Default)]
pub struct Reduction {
    pub cells: Vec<Cell>,       // as the layer has them
    pub numerators: Vec<Lanes>, // by cell, if they are wanted
    pub of_terms: Vec<f64>,     // by term: over all labels
    pub totals: Vec<f64>,       // by label: over all terms
}

/// Some terms, and the room for their sums.
struct Room<'a> {
    terms: Range<usize>,
    cells: &'a mut [Cell],
    numerators: &'a mut [Lanes],
    of_terms: &'a mut [f64],
}

impl Reduction {
    /// The sums; the memory of those that were made before is used again.
    pub fn renew(&mut self, bags: &Bags, layer: &Layer, asked: &Asked) {
        let cells = layer.cell_labels.len();
        self.cells.resize(cells, Cell::default());
        self.numerators.resize(if asked.numerators.is_some() { cells } else { 0 }, [0.0; LANES]);
        self.of_terms.resize(layer.terms.len(), 0.0);
        let sums = in_parallel(self.rooms(layer, asked.threads), |room| room.fill(bags, layer, asked));
        self.totals = vec![0.0; asked.labels];
        for totals in sums {
            self.totals.iter_mut().zip(totals).for_each(|(sum, more)| *sum += more);
        }
        for document in 0..bags.len() {
            let units = |(_, times): &(u32, u32)| asked.weigher.weight(document, *times);
            let alone: f64 = layer.alone_in(document).iter().map(units).sum();
            self.totals[bags.labels[document] as usize] += alone;
        }
    }

    fn rooms(&mut self, layer: &Layer, threads: usize) -> Vec<Room<'_>> {
        let (mut cells, mut numerators) = (&mut self.cells[..], &mut self.numerators[..]);
        let mut of_terms = &mut self.of_terms[..];
        let rooms = pieces(&layer.posting_ends, threads).into_iter().map(|terms| {
            let last = if terms.end == 0 { 0 } else { layer.cells(terms.end - 1).end };
            let first = if terms.start == 0 { 0 } else { layer.cells(terms.start - 1).end };
            Room {
                cells: split(&mut cells, last - first),
                numerators: split(&mut numerators, last - first),
                of_terms: split(&mut of_terms, terms.len()),
                terms,
            }
        });
        rooms.collect()
    }
}

/// Cuts off what is in front; of nothing, nothing.
fn split<'a, T>(rest: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let all = std::mem::take(rest);
    let (front, back) = all.split_at_mut(count.min(all.len()));
    *rest = back;
    front
}

impl Room<'_> {
    /// Fills it; gives the sums by label.
    fn fill(self, bags: &Bags, layer: &Layer, asked: &Asked) -> Vec<f64> {
        let Room { terms, cells, numerators, of_terms } = self;
        let mut totals = vec![0.0; asked.labels];
        let (alphas, mut at_cell, first) = (asked.numerators.unwrap_or_default(), 0, terms.start);
        let least = alphas.map(|alpha| if alpha > 0.0 { logarithm(alpha) } else { 0.0 });
        for term in terms {
            let postings = &layer.postings[range(&layer.posting_ends, term)];
            let (mut at, mut of_term) = (0, 0);
            for label in &layer.cell_labels[layer.cells(term)] {
                let mut units = 0;
                while let Some((document, times)) = postings.get(at) {
                    if bags.labels[*document as usize] != *label {
                        break;
                    }
                    units += asked.weigher.units(*document as usize, *times);
                    at += 1;
                }
                of_term += units;
                let sum = units as f64 / UNIT as f64;
                totals[*label as usize] += sum;
                cells[at_cell] = Cell { sum, label: *label };
                if let Some(lanes) = numerators.get_mut(at_cell) {
                    (0..LANES).for_each(|lane| lanes[lane] = sum + alphas[lane]);
                    take_logarithms(lanes);
                    (0..LANES).for_each(|lane| lanes[lane] -= least[lane]);
                }
                at_cell += 1;
            }
            of_terms[term - first] = of_term as f64 / UNIT as f64;
        }
        totals
    }
}
