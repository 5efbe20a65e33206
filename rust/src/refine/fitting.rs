//! One label against the rest, for all labels: on all documents, and on those outside of each fold.
//!
//! Of two labels one machine tells both apart. Each machine is fitted by one thread, so any number of threads gives the
//! same bits.

use super::descent::{Effort, Machines, Sides};
use super::term_rows::Rows;
use crate::machine::in_parallel;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

const BLOCK: usize = 8; // machines side by side

/// What is fitted.
pub struct Fitting<'a> {
    pub rows: &'a Rows,
    pub labels: &'a [u32],        // by document
    pub machines: usize,          // how many labels there are; 1 for two, which says how far the second is ahead
    pub folds: &'a [u32],         // by document
    pub judged: usize,            // how many folds; documents of the others are in all machines and have no margins
    pub whole: bool,              // whether machines are fitted to all documents
    pub costs: Option<&'a [f64]>, // by document, times C
    pub cost: f64,                // C
    pub effort: Effort,
    pub threads: usize,
}

/// How much is done, and whether to stop.
#[derive(Default)]
pub struct Progress {
    pub done: AtomicUsize,
    pub stop: AtomicBool,
}

/// What was fitted.
#[derive(Debug, PartialEq)]
pub struct Fitted {
    pub margins: Vec<f64>, // (documents, machines), each by machines that have not seen the document
    pub weights: Vec<f32>, // (terms, machines)
    pub biases: Vec<f64>,  // (machines,)
}

/// The machines of one block: fitted to all documents, or what those of a fold say of it.
struct Found {
    first: usize, // machine
    lanes: usize,
    kind: Kind,
}

enum Kind {
    OutOfFold { fold: u32, margins: Vec<f64> }, // (documents of the fold, lanes)
    Whole { weights: Vec<f32>, biases: Vec<f64> }, // (terms, lanes), (lanes,)
}

impl Fitting<'_> {
    fn block(&self) -> usize {
        if self.machines == 1 { 1 } else { BLOCK }
    }

    fn rounds(&self) -> usize {
        self.judged + self.whole as usize
    }

    /// How many blocks of machines there are to fit.
    pub fn jobs(&self) -> usize {
        self.machines.div_ceil(self.block()) * self.rounds()
    }

    /// All machines; None if it was stopped.
    pub fn fit(&self, progress: &Progress) -> Option<Fitted> {
        let (next, found) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        in_parallel((0..self.threads.clamp(1, self.jobs().max(1))).collect(), |_| {
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= self.jobs() || progress.stop.load(Ordering::Relaxed) {
                    break;
                }
                let one = match self.block() {
                    1 => self.one::<1>(job, &progress.stop),
                    _ => self.one::<BLOCK>(job, &progress.stop),
                };
                if let Some(one) = one {
                    found.lock().expect("no thread panicked").push(one);
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let found = found.into_inner().expect("no thread panicked");
        (found.len() == self.jobs()).then(|| self.together(found))
    }

    /// The jobs on all documents come first: they take longest.
    fn one<const LANES: usize>(&self, job: usize, stop: &AtomicBool) -> Option<Found> {
        let blocks = self.machines.div_ceil(LANES);
        let (first, round) = (job % blocks * LANES, job / blocks);
        let lanes = LANES.min(self.machines - first);
        let all = 0..self.rows.len() as u32;
        let kind = match if self.whole { round.checked_sub(1) } else { Some(round) } {
            None => {
                let fitted = self.machines::<LANES>(first, lanes, all.collect(), stop)?;
                let weights = fitted.weights.iter().flat_map(|weights| &weights[..lanes]).map(|weight| *weight as f32);
                Kind::Whole { weights: weights.collect(), biases: fitted.bias[..lanes].to_vec() }
            }
            Some(fold) => {
                let fold = fold as u32;
                let (held, rest): (Vec<u32>, Vec<u32>) =
                    all.partition(|document| self.folds[*document as usize] == fold);
                let fitted = self.machines::<LANES>(first, lanes, rest, stop)?;
                let margins = held.iter().map(|document| fitted.margins(self.rows, *document as usize));
                let margins = margins.flat_map(|margins| margins.into_iter().take(lanes)).collect();
                Kind::OutOfFold { fold, margins }
            }
        };
        Some(Found { first, lanes, kind })
    }

    fn machines<const LANES: usize>(
        &self,
        first: usize,
        lanes: usize,
        documents: Vec<u32>,
        stop: &AtomicBool,
    ) -> Option<Machines<LANES>> {
        let first_label = if self.machines == 1 { 1 } else { first }; // of two labels the second
        let positive = |document: u32| {
            (self.labels[document as usize] as usize).checked_sub(first_label).filter(|lane| *lane < lanes)
        };
        let cost = |document: u32| self.cost * self.costs.map_or(1.0, |costs| costs[document as usize]);
        let sides = Sides { rows: self.rows, documents, lanes, positive: &positive, cost: &cost };
        sides.part(self.effort, first as u64, stop)
    }

    fn together(&self, found: Vec<Found>) -> Fitted {
        let machines = self.machines;
        let size = |wanted: bool, rows: usize| if wanted { rows * machines } else { 0 };
        let mut all = Fitted {
            margins: vec![0.0; size(self.judged > 0, self.rows.len())],
            weights: vec![0.0; size(self.whole, self.rows.idf.len())],
            biases: vec![0.0; size(self.whole, 1)],
        };
        for Found { first, lanes, kind } in found {
            match kind {
                Kind::OutOfFold { fold, margins } => {
                    let held = (0..self.rows.len()).filter(|document| self.folds[*document] == fold);
                    for (document, row) in held.zip(margins.chunks(lanes)) {
                        all.margins[document * machines + first..][..lanes].copy_from_slice(row);
                    }
                }
                Kind::Whole { weights, biases } => {
                    for (term, row) in weights.chunks(lanes).enumerate() {
                        all.weights[term * machines + first..][..lanes].copy_from_slice(row);
                    }
                    all.biases[first..][..lanes].copy_from_slice(&biases);
                }
            }
        }
        all
    }
}
