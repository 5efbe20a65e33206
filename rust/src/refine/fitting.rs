//! One label against the rest, for all labels: on all documents, and on those outside of each fold.
//!
//! Of two labels one machine tells both apart. Each machine is fitted by one thread, so any number of threads gives the
//! same bits.

use super::descent::{Effort, Machines, Sides};
use super::scaled::{Labeled, Scaled};
use super::term_rows::Rows;
use crate::machine::in_parallel;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock};

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
    pub scales: Vec<f32>,  // (terms,)
}

/// The machines of one block: fitted to all documents, or what those of a fold say of it.
struct Found {
    first: usize, // machine
    lanes: usize,
    kind: Kind,
}

/// The documents that the machines of a round are fitted to, and those of the fold that is held out.
struct Round<'a> {
    documents: Vec<u32>,
    held: Vec<u32>,
    rows: Scaled<'a>,
}

enum Kind {
    OutOfFold { fold: usize, margins: Vec<f64> }, // (documents of the fold, lanes)
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
        let rounds: Vec<OnceLock<Round<'_>>> = (0..self.rounds()).map(|_| OnceLock::new()).collect();
        in_parallel((0..self.threads.clamp(1, self.jobs().max(1))).collect(), |_| {
            loop {
                let job = next.fetch_add(1, Ordering::Relaxed);
                if job >= self.jobs() || progress.stop.load(Ordering::Relaxed) {
                    break;
                }
                let one = match self.block() {
                    1 => self.one::<1>(job, &rounds, &progress.stop),
                    _ => self.one::<BLOCK>(job, &rounds, &progress.stop),
                };
                if let Some(one) = one {
                    found.lock().expect("no thread panicked").push(one);
                    progress.done.fetch_add(1, Ordering::Relaxed);
                }
            }
        });
        let found = found.into_inner().expect("no thread panicked");
        (found.len() == self.jobs()).then(|| self.together(found, rounds.into_iter().filter_map(OnceLock::into_inner)))
    }

    /// The jobs on all documents come first: they take longest.
    fn one<'a, const LANES: usize>(
        &'a self,
        job: usize,
        rounds: &[OnceLock<Round<'a>>],
        stop: &AtomicBool,
    ) -> Option<Found> {
        let blocks = self.machines.div_ceil(LANES);
        let (first, number) = (job % blocks * LANES, job / blocks);
        let lanes = LANES.min(self.machines - first);
        let fold = if self.whole { number.checked_sub(1) } else { Some(number) };
        let round = rounds[number].get_or_init(|| self.round(fold));
        let fitted = self.machines::<LANES>(first, lanes, round, stop)?;
        let kind = match fold {
            None => {
                let weights = fitted.weights.iter().flat_map(|weights| &weights[..lanes]).map(|weight| *weight as f32);
                Kind::Whole { weights: weights.collect(), biases: fitted.bias[..lanes].to_vec() }
            }
            Some(fold) => {
                let margins = round.held.iter().map(|document| fitted.margins(&round.rows, *document as usize));
                Kind::OutOfFold { fold, margins: margins.flat_map(|margins| margins.into_iter().take(lanes)).collect() }
            }
        };
        Some(Found { first, lanes, kind })
    }

    /// All documents, or those outside of a fold, with the scales that follow from them.
    fn round(&self, fold: Option<usize>) -> Round<'_> {
        let is_held = |document: &u32| fold.is_some_and(|fold| self.folds[*document as usize] as usize == fold);
        let (held, documents): (Vec<u32>, Vec<u32>) = (0..self.rows.len() as u32).partition(is_held);
        let weight = |document: u32| self.costs.map_or(1.0, |costs| costs[document as usize]);
        let labeled = Labeled { labels: self.labels, count: self.machines.max(2), weight: &weight };
        let rows = Scaled::by(self.rows, &documents, &labeled);
        Round { documents, held, rows }
    }

    fn machines<const LANES: usize>(
        &self,
        first: usize,
        lanes: usize,
        round: &Round<'_>,
        stop: &AtomicBool,
    ) -> Option<Machines<LANES>> {
        let first_label = if self.machines == 1 { 1 } else { first }; // of two labels the second
        let positive = |document: u32| {
            (self.labels[document as usize] as usize).checked_sub(first_label).filter(|lane| *lane < lanes)
        };
        let cost = |document: u32| self.cost * self.costs.map_or(1.0, |costs| costs[document as usize]);
        let documents = round.documents.clone();
        let sides = Sides { rows: &round.rows, documents, lanes, positive: &positive, cost: &cost };
        sides.part(self.effort, first as u64, stop)
    }

    fn together<'a>(&self, found: Vec<Found>, rounds: impl Iterator<Item = Round<'a>>) -> Fitted {
        let machines = self.machines;
        let mut rounds: Vec<Round<'_>> = rounds.collect();
        let scales = if self.whole { std::mem::take(&mut rounds.remove(0).rows.scales) } else { Vec::new() };
        let size = |wanted: bool, rows: usize| if wanted { rows * machines } else { 0 };
        let mut all = Fitted {
            margins: vec![0.0; size(self.judged > 0, self.rows.len())],
            weights: vec![0.0; scales.len() * machines],
            biases: vec![0.0; size(self.whole, 1)],
            scales,
        };
        for Found { first, lanes, kind } in found {
            match kind {
                Kind::OutOfFold { fold, margins } => {
                    for (document, row) in rounds[fold].held.iter().zip(margins.chunks(lanes)) {
                        all.margins[*document as usize * machines + first..][..lanes].copy_from_slice(row);
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
