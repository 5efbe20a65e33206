//! Bags against plain formulas over words that are cut at spaces.

use super::bags::{Bags, Gathering};
use super::leave_one_out::{Event, Judged, LANES, Lanes, Left, Wanted};
use super::reduction::Weigher;
use crate::analyze::batch::{Batch, nothing_to_ask};
use crate::analyze::id_lists::IdLists;
use crate::analyze::rules::Rules;
use crate::count::term_weights::{OwnTerms, Scale, UNIT, Weighting};
use crate::count::totals::Totals;
use crate::table::Table;
use crate::table::learn::Documents;
use crate::table::row::Cell;
use std::collections::HashMap;

const ALPHAS: Lanes = [1.0, 0.3, 0.05, 4.0];
const SCALES: [Scale; 3] = [Scale::Count, Scale::Once, Scale::Log];
const LABELS: usize = 4;

/// Texts with labels: repeated ones, empty ones, a label with one document, terms that one document has.
fn corpus(number: usize) -> (Vec<String>, Vec<u32>) {
    let mut state = 1u64;
    let mut next = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let text = |next: &mut dyn FnMut(u64) -> u64| {
        let words = (0..next(9)).map(|_| format!("w{}", if next(6) > 0 { next(12) } else { next(1000) }));
        words.collect::<Vec<_>>().join(" ")
    };
    let mut texts: Vec<String> = (0..number).map(|_| text(&mut next)).collect();
    let mut labels: Vec<u32> = (0..number).map(|_| next(LABELS as u64 - 1) as u32).collect();
    (texts[1], labels[1]) = (texts[0].clone(), labels[0]);
    labels[2] = LABELS as u32 - 1; // the only one
    (texts, labels)
}

fn rules() -> Rules {
    Rules { ngrams: (1, 2), ..Rules::default() }
}

/// The bags of the texts, taken in chunks.
fn bags(texts: &[String], labels: &[u32], chunk: usize, threads: usize) -> Bags {
    let (mut gathering, rules) = (Gathering::default(), rules());
    for some in texts.chunks(chunk) {
        let some: Vec<&str> = some.iter().map(String::as_str).collect();
        let batch = Batch { texts: &some, rules: &rules, base: gathering.terms(), threads, fingerprint: None };
        let parts = batch.analyze(nothing_to_ask, |_| IdLists::default()).unwrap();
        gathering.take(parts);
    }
    gathering.finish(labels, (1, 1), threads)
}

fn weigher(bags: &Bags, scale: Scale, by_length: bool) -> Weigher {
    Weigher { scale, lengths: by_length.then(|| bags.lengths(&[0], scale)) }
}

/// Words alone, and words with pairs of words.
fn together() -> Vec<Vec<usize>> {
    vec![vec![0], vec![0, 1]]
}

fn judge(bags: &Bags, event: Event, (scale, by_length): (Scale, bool), wanted: Wanted, threads: usize) -> Left {
    let (rows, weigher): (Vec<u32>, _) = ((0..bags.len() as u32).collect(), weigher(bags, scale, by_length));
    let together = together();
    Judged { bags, labels: LABELS, event, alphas: ALPHAS, weigher, together: &together, wanted, threads }
        .leave_one_out(&rows)
}

// ---- brute force ----------------------------------------------------------------------------------------------------

/// A document's terms: how often each occurs, and what is learned of it.
fn terms(text: &str, with_pairs: bool, scale: Scale, by_length: bool) -> HashMap<String, (u32, f64)> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut times: HashMap<String, u32> = HashMap::new();
    words.iter().for_each(|word| *times.entry(word.to_string()).or_default() += 1);
    let squares: f64 = times.values().map(|times| scale.factor(*times).powi(2)).sum();
    let length = if by_length && squares > 0.0 { squares.sqrt() } else { 1.0 };
    if with_pairs {
        words.windows(2).for_each(|pair| *times.entry(pair.join(" ")).or_default() += 1);
    }
    let learned = |times: u32| (scale.units(times) as f64 / length + 0.5).floor() / UNIT as f64;
    times.into_iter().map(|(term, times)| (term, (times, learned(times)))).collect()
}

/// The scores of a document by the sums of all others, and how many of its tokens are known.
fn brute_force(
    (texts, labels): (&[String], &[u32]),
    left: usize,
    event: Event,
    (scale, by_length): (Scale, bool),
    (alpha, with_pairs): (f64, bool),
) -> (Vec<f64>, u32) {
    let mut sums: HashMap<String, [f64; LABELS]> = HashMap::new();
    for place in (0..texts.len()).filter(|place| *place != left) {
        for (term, (_, learned)) in terms(&texts[place], with_pairs, scale, by_length) {
            sums.entry(term).or_default()[labels[place] as usize] += learned;
        }
    }
    let totals: Vec<f64> = (0..LABELS).map(|label| sums.values().map(|sums| sums[label]).sum()).collect();
    let (all, size): (f64, f64) = (totals.iter().sum(), sums.len() as f64);
    let (mut scores, mut known) = (vec![0.0; LABELS], 0);
    for (term, (times, _)) in terms(&texts[left], with_pairs, scale, by_length) {
        let Some(of_term) = sums.get(&term) else { continue };
        known += times;
        for label in 0..LABELS {
            let (here, every): (f64, f64) = (of_term[label], of_term.iter().sum());
            scores[label] += scale.factor(times)
                * match event {
                    Event::Multinomial => ((here + alpha) / (totals[label] + alpha * size)).ln(),
                    Event::Complement => -((every - here + alpha) / (all - totals[label] + alpha * size)).ln(),
                };
        }
    }
    (scores, known)
}

fn every_way() -> impl Iterator<Item = (Event, (Scale, bool))> {
    let events = [Event::Multinomial, Event::Complement].into_iter();
    events.flat_map(|event| SCALES.into_iter().flat_map(move |scale| [false, true].map(|long| (event, (scale, long)))))
}

#[test]
fn leaving_one_out_is_learning_the_others() {
    let (texts, labels) = corpus(36);
    let bags = bags(&texts, &labels, 36, 1);
    for (event, weighting) in every_way() {
        let left = judge(&bags, event, weighting, Wanted::Scores, 1);
        let right = judge(&bags, event, weighting, Wanted::Right, 1).right;
        let mut place = 0;
        for document in 0..texts.len() {
            for (combination, with_pairs) in [false, true].into_iter().enumerate() {
                for alpha in ALPHAS {
                    let asked = (&texts[..], &labels[..]);
                    let (expected, known) = brute_force(asked, document, event, weighting, (alpha, with_pairs));
                    let found = &left.scores[place * LABELS..][..LABELS];
                    for label in 1..LABELS {
                        let apart = (found[label] - found[0]) - (expected[label] - expected[0]);
                        assert!(apart.abs() < 1e-9, "document {document}, label {label}, alpha {alpha}: {apart}");
                    }
                    assert_eq!(left.known[2 * document + combination], known);
                    let [uniform, fitted] = is_right(&expected, &labels, document);
                    assert_eq!(right[2 * place..][..2], [uniform as u8, fitted as u8], "document {document}");
                    place += 1;
                }
            }
        }
        assert_eq!(place * LABELS, left.scores.len());
    }
}

/// Under a uniform prior, and by the number of documents; of equal labels it is the first.
fn is_right(scores: &[f64], labels: &[u32], left: usize) -> [bool; 2] {
    let own = labels[left] as usize;
    let numbers: Vec<f64> = (0..LABELS)
        .map(|label| {
            (0..labels.len()).filter(|place| *place != left && labels[*place] as usize == label).count() as f64
        })
        .collect();
    [false, true].map(|by_number| {
        let prior = |label: usize| if by_number { numbers[label].ln() } else { numbers[label].min(1.0).ln() };
        let scores: Vec<f64> = (0..LABELS).map(|label| scores[label] + prior(label)).collect();
        let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        scores.iter().position(|score| *score > highest - 1e-9) == Some(own)
    })
}

// ---- chunks, threads, tables ----------------------------------------------------------------------------------------

#[test]
fn chunks_and_threads_change_no_bit() {
    let (texts, labels) = corpus(2000);
    let one = bags(&texts, &labels, texts.len(), 1);
    for (chunk, threads) in [(texts.len(), 3), (1000, 1), (700, 4)] {
        let other = bags(&texts, &labels, chunk, threads);
        assert_eq!((&one.labels, &one.places), (&other.labels, &other.places));
        for (event, weighting) in [(Event::Multinomial, (Scale::Log, true)), (Event::Complement, (Scale::Once, false))]
        {
            let (mine, theirs) = [(&one, 1), (&other, threads)]
                .map(|(bags, threads)| judge(bags, event, weighting, Wanted::Scores, threads))
                .into();
            assert_eq!(mine.known, theirs.known);
            assert!(mine.scores == theirs.scores);
        }
    }
}

#[test]
fn a_question_leaves_nothing_behind_for_the_next() {
    let (texts, labels) = corpus(60);
    let used = bags(&texts, &labels, 60, 1);
    for (event, weighting) in every_way() {
        let fresh = bags(&texts, &labels, 60, 1);
        let [again, once] = [&used, &fresh].map(|bags| judge(bags, event, weighting, Wanted::Scores, 1));
        assert!(again.scores == once.scores);
    }
}

type Content = (Vec<(String, Vec<(Cell, u64)>)>, Vec<Totals>);

fn content(table: &Table) -> Content {
    let cells = |id| table.row(id).iter().map(|cell| (*cell, table.weighted(id, cell.label))).collect();
    let ids = (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty());
    let mut all: Vec<_> = ids.map(|id| (table.terms.text(id), cells(id))).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    (all, table.totals().to_vec())
}

#[test]
fn the_table_of_bags_is_the_one_that_is_learned() {
    let (texts, labels) = corpus(500);
    let numbers = [2, 0, 3, 1]; // of the labels in the table
    let renamed: Vec<u32> = labels.iter().map(|label| numbers[*label as usize]).collect();
    for name in [None, Some("log"), Some("count-length"), Some("once-length"), Some("log-length")] {
        let own = Some(OwnTerms { words: (1, 1), pieces: false });
        let weighting = name.and_then(Weighting::named).map(|weighting| Weighting { own, ..weighting });
        for (chunk, threads) in [(texts.len(), 1), (90, 3)] {
            let mut learned = Table::default();
            for (texts, labels) in texts.chunks(chunk).zip(renamed.chunks(chunk)) {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                let documents = Documents { texts: &texts, labels, weighting, ..Documents::default() };
                assert!(learned.learn(&documents, &rules(), threads, nothing_to_ask).is_ok());
            }
            let bags = bags(&texts, &labels, chunk, threads);
            let weigher = weighting.map(|weighting| weigher(&bags, weighting.scale, weighting.by_length));
            let found = bags.into_table(weigher.as_ref(), &numbers);
            assert_eq!(content(&found), content(&learned), "{name:?}");
            assert_eq!(found.live(), learned.live());
            assert!((0..learned.ids() as u32).all(|id| found.terms.text(id) == learned.terms.text(id)));
        }
    }
}

#[test]
fn bags_know_their_lengths_and_weights() {
    let texts = ["a a b", "", "a"].map(String::from);
    let bags = bags(&texts, &[1, 0, 1], 3, 1);
    let place = |row: usize| bags.places[row] as usize;
    let lengths = bags.lengths(&[0], Scale::Count);
    assert_eq!([lengths[place(0)], lengths[place(1)], lengths[place(2)]], [5f64.sqrt(), 1.0, 1.0]);
    assert_eq!(bags.mean_weight(&weigher(&bags, Scale::Once, false), &[0]), 3.0 / 4.0);
    assert_eq!(bags.mean_weight(&weigher(&bags, Scale::Count, false), &[0, 1]), 1.0);
    assert_eq!(bags.cells(&[0]), 2.0 / 3.0); // of "a", which two documents have
    assert_eq!([bags.layers[0].size(), bags.layers[1].size(), bags.layers[2].size()], [2, 2, 0]);
    assert_eq!(LANES, ALPHAS.len());
}
