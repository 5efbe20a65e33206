//! Machines against the conditions of an optimum, and against themselves on more threads.

use super::descent::{Effort, Machines, Sides};
use super::fitting::{Fitted, Fitting, Progress};
use super::scaled::{Labeled, Scaled};
use super::term_rows::Rows;
use crate::analyze::batch::{Batch, nothing_to_ask};
use crate::analyze::id_lists::IdLists;
use crate::analyze::rules::Rules;
use crate::judge::bags::Gathering;
use std::sync::atomic::AtomicBool;

const EXACT: Effort = Effort { tolerance: 1e-10, epochs: 10_000 };

fn corpus() -> (Vec<String>, Vec<u32>) {
    let mut state = 7u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    (0..60)
        .map(|document| {
            let label = document % 3;
            let words = (0..next(8)).map(|_| format!("w{}", next(10) + next(2) * 5 * label as u64));
            (words.collect::<Vec<_>>().join(" "), label)
        })
        .unzip()
}

fn rows(texts: &[String], chunk: usize, threads: usize) -> Rows {
    let (mut gathering, rules) = (Gathering::default(), Rules { ngrams: (1, 2), ..Rules::default() });
    for some in texts.chunks(chunk) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        let batch = Batch { texts: &some, rules: &rules, base: gathering.terms(), threads, fingerprint: None };
        let parts = batch.analyze(nothing_to_ask, |_| IdLists::default()).unwrap();
        gathering.take(parts);
    }
    Rows::of(gathering, 2, 1000)
}

fn fitted(rows: &Rows, labels: &[u32], threads: usize, stopped: bool) -> Option<Fitted> {
    let folds: Vec<u32> = (0..rows.len() as u32).map(|document| document / 3 % 3).collect();
    let effort = Effort { tolerance: 0.05, epochs: 30 };
    let progress = Progress { stop: AtomicBool::new(stopped), ..Progress::default() };
    Fitting {
        rows,
        labels,
        machines: 3,
        folds: &folds,
        judged: 3,
        whole: true,
        costs: None,
        cost: 1.0,
        effort,
        threads,
    }
    .fit(&progress)
}

fn scaled<'a>(rows: &'a Rows, labels: &[u32]) -> Scaled<'a> {
    let documents: Vec<u32> = (0..rows.len() as u32).collect();
    Scaled::by(rows, &documents, &Labeled { labels, count: 3, weight: &|_| 1.0 })
}

#[test]
fn a_scale_is_worked_out_from_the_documents_that_have_the_term() {
    let (texts, labels) = corpus();
    let rows = rows(&texts, 100, 1);
    let found = scaled(&rows, &labels);
    let has = |document: usize, term: usize| rows.of_document(document).iter().any(|(one, _)| *one as usize == term);
    let count = |term: usize, wanted: &dyn Fn(u32) -> bool| {
        (0..rows.len()).filter(|document| wanted(labels[*document]) && has(*document, term)).count() as f64
    };
    let terms = rows.idf.len();
    let size = |wanted: &dyn Fn(u32) -> bool| (0..terms).map(|term| count(term, wanted)).sum::<f64>() + terms as f64;
    for term in 0..terms {
        let squares = (0..3u32).map(|label| {
            let (own, rest) = (|other: u32| other == label, |other: u32| other != label);
            let ratio = ((count(term, &own) + 1.0) / size(&own)).ln() - ((count(term, &rest) + 1.0) / size(&rest)).ln();
            ratio * ratio / 3.0 // each label has a third of the documents
        });
        let expected = rows.idf[term].sqrt() * (0.5 + squares.sum::<f64>().sqrt());
        assert!((expected - found.scales[term] as f64).abs() < 1e-5, "{} {expected}", rows.names[term]);
    }
}

#[test]
fn chunks_and_threads_change_no_bit() {
    let (texts, labels) = corpus();
    let once = rows(&texts, 100, 1);
    let first = fitted(&once, &labels, 1, false).unwrap();
    for (chunk, threads) in [(7, 1), (100, 2), (13, 3)] {
        let other = rows(&texts, chunk, threads);
        assert_eq!((&once.names, &once.items, &once.ends), (&other.names, &other.items, &other.ends));
        assert_eq!(first, fitted(&other, &labels, threads, false).unwrap());
    }
}

fn only(label: u32, labels: &[u32]) -> impl Fn(u32) -> Option<usize> + Sync {
    move |document| (labels[document as usize] == label).then_some(0)
}

/// At the optimum w = sum of 2 C max(0, 1 - y w·x) y x, bias included; the weights here are s w.
#[test]
fn the_gradient_of_the_objective_is_0_where_it_stops() {
    let (texts, labels) = corpus();
    let rows = rows(&texts, 100, 1);
    let rows = scaled(&rows, &labels);
    let cost = |document: u32| if document < 10 { 3.0 } else { 1.0 };
    let positive = only(1, &labels);
    let documents = (0..labels.len() as u32).collect();
    let sides = Sides { rows: &rows, documents, lanes: 1, positive: &positive, cost: &cost };
    let machine: Machines<1> = sides.part(EXACT, 0, &AtomicBool::new(false)).unwrap();
    let (mut weights, mut bias) = (vec![0.0; rows.scales.len()], 0.0);
    for (document, label) in labels.iter().enumerate() {
        let sign = if *label == 1 { 1.0 } else { -1.0 };
        let [margin] = machine.margins(&rows, document);
        let force = 2.0 * cost(document as u32) * sign * (1.0 - sign * margin).max(0.0);
        bias += force;
        for (term, f) in rows.rows.of_document(document) {
            let value = *f as f64 * rows.squares[*term as usize] / rows.lengths[document];
            weights[*term as usize] += force * value;
        }
    }
    assert!((bias - machine.bias[0]).abs() < 1e-8, "{bias} {:?}", machine.bias);
    for (one, [other]) in weights.iter().zip(&machine.weights) {
        assert!((one - other).abs() < 1e-8, "{one} {other}");
    }
}

#[test]
fn machines_side_by_side_are_what_each_is_alone() {
    let (texts, labels) = corpus();
    let rows = rows(&texts, 100, 1);
    let rows = scaled(&rows, &labels);
    let all = || (0..labels.len() as u32).collect();
    let each = |document: u32| Some(labels[document as usize] as usize);
    let sides = Sides { rows: &rows, documents: all(), lanes: 3, positive: &each, cost: &|_| 1.0 };
    let together: Machines<8> = sides.part(EXACT, 0, &AtomicBool::new(false)).unwrap();
    for label in 0..3 {
        let positive = only(label, &labels);
        let sides = Sides { rows: &rows, documents: all(), lanes: 1, positive: &positive, cost: &|_| 1.0 };
        let alone: Machines<1> = sides.part(EXACT, 0, &AtomicBool::new(false)).unwrap();
        for (one, [other]) in together.weights.iter().zip(&alone.weights) {
            assert!((one[label as usize] - other).abs() < 1e-8);
        }
    }
}

#[test]
fn a_document_out_of_fold_has_the_margin_of_machines_without_its_fold() {
    let (texts, labels) = corpus();
    let rows = rows(&texts, 100, 1);
    let found = fitted(&rows, &labels, 2, false).unwrap();
    let documents: Vec<u32> = (0..rows.len() as u32).filter(|document| document / 3 % 3 != 1).collect();
    let rows = Scaled::by(&rows, &documents, &Labeled { labels: &labels, count: 3, weight: &|_| 1.0 });
    let each = |document: u32| Some(labels[document as usize] as usize);
    let sides = Sides { rows: &rows, documents, lanes: 3, positive: &each, cost: &|_| 1.0 };
    let effort = Effort { tolerance: 0.05, epochs: 30 };
    let machines: Machines<8> = sides.part(effort, 0, &AtomicBool::new(false)).unwrap();
    assert_eq!(found.margins[4 * 3..][..3], machines.margins(&rows, 4)[..3]); // document 4 is in fold 1
}

#[test]
fn it_stops_when_told_to() {
    let (texts, labels) = corpus();
    assert_eq!(fitted(&rows(&texts, 100, 1), &labels, 2, true), None);
}

#[test]
fn nothing_is_a_machine_of_zeros() {
    let rows = rows(&[String::new(), String::new()], 100, 1);
    let rows = scaled(&rows, &[0, 1]);
    let positive = only(0, &[0, 1]);
    let sides = Sides { rows: &rows, documents: vec![0, 1], lanes: 1, positive: &positive, cost: &|_| 1.0 };
    let machine: Machines<1> = sides.part(EXACT, 0, &AtomicBool::new(false)).unwrap();
    assert!(machine.weights.is_empty() && machine.bias[0].abs() < 1e-9);
}
