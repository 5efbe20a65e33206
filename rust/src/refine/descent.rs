//! Linear support vector machines with squared hinge loss (Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, A dual
//! coordinate descent method for large-scale linear SVM; with the shrinking of its section 3.2).
//!
//!     minimize 1/2 |w|² + sum of C(d) max(0, 1 - y(d) w·x(d))² over documents
//!
//!     w = sum of α(d) y(d) x(d),  α(d) >= 0
//!     G = y w·x - 1 + α / 2C,     α <- max(0, α - G / (x·x + 1 / 2C))
//!
//! y is 1 or -1. One more entry of x, which is 1 in every document, makes the bias; it is part of w, as in liblinear.
//!
//! Weights are those of f(d,t) / |d| (see `scaled`): s(t) w(t), where w is that of the formula. So rows are the same
//! whatever the scales are, and a step adds s(t)² f(d,t) / |d| to a weight.
//!
//! Several machines are fitted side by side, each in its lane: their weights of a term lie together, so that a document
//! looks up each of its terms once for all of them.

use super::scaled::Scaled;
use crate::machine::processor::prefetch;
use std::sync::atomic::{AtomicBool, Ordering};

const NOTHING: f64 = 1e-12; // a step that is not taken
const AHEAD: usize = 8; // terms

/// How far to go: until gradients differ by at most the tolerance, or for this number of epochs.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub tolerance: f64,
    pub epochs: usize,
}

/// What was fitted.
pub struct Machines<const LANES: usize> {
    pub weights: Vec<[f64; LANES]>, // by term
    pub bias: [f64; LANES],
}

/// Documents, and on which side of each machine they are.
pub struct Sides<'a> {
    pub rows: &'a Scaled<'a>,
    pub documents: Vec<u32>,
    pub lanes: usize,                                        // how many of them are used
    pub positive: &'a (dyn Fn(u32) -> Option<usize> + Sync), // the lane for which a document is on the positive side
    pub cost: &'a (dyn Fn(u32) -> f64 + Sync),               // C of a document
}

/// The coordinates of one document.
struct Coordinates<const LANES: usize> {
    document: u32,
    factor: f64, // 1 / |d|; 0 without terms
    ridge: f64,  // 1 / 2C
    square: f64, // x·x + 1 / 2C
    alphas: [f64; LANES],
    signs: [f64; LANES],
    active: u32, // lanes, as bits
}

/// The gradients of an epoch: for each lane the highest and the lowest.
struct Gradients<const LANES: usize> {
    highest: [f64; LANES],
    lowest: [f64; LANES],
}

impl<const LANES: usize> Gradients<LANES> {
    fn none() -> Self {
        Gradients { highest: [f64::NEG_INFINITY; LANES], lowest: [f64::INFINITY; LANES] }
    }

    fn are_alike(&self, tolerance: f64) -> bool {
        self.highest.iter().zip(&self.lowest).all(|(highest, lowest)| highest - lowest <= tolerance)
    }

    /// Above which gradient a coordinate that is 0 is left out of the next epoch.
    fn bounds(&self) -> [f64; LANES] {
        self.highest.map(|highest| if highest > 0.0 { highest } else { f64::INFINITY })
    }
}

impl Sides<'_> {
    /// The machines that part them; None if they were stopped.
    pub fn part<const LANES: usize>(&self, effort: Effort, seed: u64, stop: &AtomicBool) -> Option<Machines<LANES>> {
        let mut machines = Machines { weights: vec![[0.0; LANES]; self.rows.scales.len()], bias: [0.0; LANES] };
        let mut all: Vec<Coordinates<LANES>> =
            self.documents.iter().map(|document| self.coordinates(*document)).collect();
        let mut order: Vec<u32> = (0..all.len() as u32).collect();
        let (mut dice, mut active, mut bounds) = (Dice(seed), order.len(), [f64::INFINITY; LANES]);
        let mut is_whole = true; // no lane of a document was left out
        for _ in 0..effort.epochs {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            (0..active).for_each(|place| order.swap(place, place + dice.below(active - place)));
            let (mut gradients, mut place) = (Gradients::none(), 0);
            while place < active {
                let one = &mut all[order[place] as usize];
                let before = one.active;
                machines.descend(self.rows, one, &bounds, &mut gradients);
                is_whole &= one.active == before;
                if one.active == 0 {
                    active -= 1;
                    order.swap(place, active);
                } else {
                    place += 1;
                }
            }
            if !gradients.are_alike(effort.tolerance) {
                bounds = gradients.bounds();
            } else if is_whole {
                break;
            } else {
                (active, bounds, is_whole) = (order.len(), [f64::INFINITY; LANES], true);
                all.iter_mut().for_each(|one| one.active = self.all_lanes());
            }
        }
        Some(machines)
    }

    fn all_lanes(&self) -> u32 {
        (1 << self.lanes) - 1
    }

    fn coordinates<const LANES: usize>(&self, document: u32) -> Coordinates<LANES> {
        let length = self.rows.lengths[document as usize];
        let ridge = 0.5 / (self.cost)(document);
        let (mut signs, factor) = ([-1.0; LANES], if length > 0.0 { 1.0 / length } else { 0.0 });
        if let Some(lane) = (self.positive)(document) {
            signs[lane] = 1.0;
        }
        let items = self.rows.rows.of_document(document as usize).iter();
        let squares = items.map(|(term, f)| (*f as f64).powi(2) * self.rows.squares[*term as usize]);
        let square = squares.sum::<f64>() * factor * factor + 1.0 + ridge;
        Coordinates { document, factor, ridge, square, alphas: [0.0; LANES], signs, active: self.all_lanes() }
    }
}

impl<const LANES: usize> Machines<LANES> {
    /// How far a document is on the positive side of each machine.
    pub fn margins(&self, rows: &Scaled<'_>, document: usize) -> [f64; LANES] {
        let (sums, length) = (self.sums(rows, document), rows.lengths[document]);
        std::array::from_fn(|lane| if length > 0.0 { sums[lane] / length } else { 0.0 } + self.bias[lane])
    }

    /// The sum of weights times f.
    #[inline(always)]
    fn sums(&self, rows: &Scaled<'_>, document: usize) -> [f64; LANES] {
        let items = rows.rows.of_document(document);
        let mut sums = [0.0; LANES];
        for (place, (term, value)) in items.iter().enumerate() {
            if let Some((ahead, _)) = items.get(place + AHEAD) {
                prefetch(&self.weights[*ahead as usize]);
            }
            let (weights, value) = (&self.weights[*term as usize], *value as f64);
            (0..LANES).for_each(|lane| sums[lane] += weights[lane] * value);
        }
        sums
    }

    /// One step along each coordinate of a document; lanes that need none are left out from now on.
    #[inline(always)]
    fn descend(
        &mut self,
        rows: &Scaled<'_>,
        one: &mut Coordinates<LANES>,
        bounds: &[f64; LANES],
        gradients: &mut Gradients<LANES>,
    ) {
        let sums = self.sums(rows, one.document as usize);
        let mut steps = [0.0; LANES];
        for lane in 0..LANES {
            if one.active >> lane & 1 == 0 {
                continue;
            }
            let (alpha, sign) = (one.alphas[lane], one.signs[lane]);
            let gradient = sign * (one.factor * sums[lane] + self.bias[lane]) - 1.0 + alpha * one.ridge;
            if alpha == 0.0 && gradient > bounds[lane] {
                one.active &= !(1 << lane);
                continue;
            }
            let projected = if alpha == 0.0 { gradient.min(0.0) } else { gradient };
            gradients.highest[lane] = gradients.highest[lane].max(projected);
            gradients.lowest[lane] = gradients.lowest[lane].min(projected);
            if projected.abs() > NOTHING {
                one.alphas[lane] = (alpha - gradient / one.square).max(0.0);
                steps[lane] = (one.alphas[lane] - alpha) * sign;
            }
        }
        if steps.iter().any(|step| *step != 0.0) {
            self.add(rows, one, &steps);
        }
    }

    #[inline(always)]
    fn add(&mut self, rows: &Scaled<'_>, one: &Coordinates<LANES>, steps: &[f64; LANES]) {
        let along = steps.map(|step| step * one.factor);
        for (term, f) in rows.rows.of_document(one.document as usize) {
            let (weights, value) = (&mut self.weights[*term as usize], *f as f64 * rows.squares[*term as usize]);
            (0..LANES).for_each(|lane| weights[lane] += along[lane] * value);
        }
        (0..LANES).for_each(|lane| self.bias[lane] += steps[lane]);
    }
}

/// Numbers that look random (Steele, Lea & Flood 2014, SplitMix).
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(mixed ^ (mixed >> 31)) * limit as u128) >> 64) as usize
    }
}
