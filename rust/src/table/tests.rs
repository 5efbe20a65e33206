//! Learning, forgetting, merging and subtracting, with pairs of words.

use super::learn::{Documents, NotLearned};
use super::*;
use crate::analyze::batch::nothing_to_ask;
use crate::analyze::rules::Rules;
use crate::count::term_weights::{OwnTerms, UNIT, Weighting};
use crate::count::totals::TooLarge;

/// Learns documents with pairs of words.
fn learn_on(
    threads: usize,
    table: &mut Table,
    (texts, labels, weights): (&[&str], &[u32], Option<&[u64]>),
    weighting: Option<Weighting>,
) -> Result<(), TooLarge> {
    let rules = Rules { ngrams: (1, 2), ..Rules::default() };
    let documents = Documents { texts, labels, weights, weighting, fingerprint: None };
    match table.learn(&documents, &rules, threads, nothing_to_ask) {
        Ok(_) => Ok(()),
        Err(NotLearned::TooLarge) => Err(TooLarge),
    }
}

/// The words' own weights, divided by their length; pairs of words are beside them.
fn weighting() -> Option<Weighting> {
    let own = Some(OwnTerms { words: (1, 1), pieces: false });
    Weighting::named("log-length").map(|weighting| Weighting { own, ..weighting })
}

fn learned(texts: &[&str], labels: &[u32], weighting: Option<Weighting>) -> Table {
    learned_on(1, texts, labels, None, weighting)
}

fn learned_on(
    threads: usize,
    texts: &[&str],
    labels: &[u32],
    weights: Option<&[u64]>,
    weighting: Option<Weighting>,
) -> Table {
    let mut table = Table::default();
    learn_on(threads, &mut table, (texts, labels, weights), weighting).unwrap();
    table
}

type Content = (Vec<(String, Vec<(Cell, u64)>)>, Vec<Totals>);

fn content(table: &Table) -> Content {
    let cells = |id| table.row(id).iter().map(|cell| (*cell, table.weighted(id, cell.label))).collect();
    let ids = (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty());
    let mut all: Vec<_> = ids.map(|id| (table.terms.text(id), cells(id))).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    (all, table.totals().iter().copied().filter(|totals| *totals != Totals::default()).collect())
}

#[test]
fn repeats_count_in_tf_and_documents_in_df() {
    let table = learned(&["a b a", "a"], &[0, 0], None);
    let a = table.terms.find(b"a").unwrap();
    assert_eq!(table.row(a), [Cell { label: 0, tf: 3, df: 2 }]);
    assert_eq!(table.totals()[0], Totals { documents: 2, tf: 6, df: 5, distinct: 4, weighted: 0 });
    assert_eq!(table.weighted(a, 0), 0);
}

#[test]
fn what_a_term_weighs_is_summed_over_documents_times_their_weight() {
    let table = learned_on(1, &["a a", "a", "b"], &[0, 0, 0], Some(&[1, 3, 0]), Weighting::named("log"));
    let weighted = |term| table.weighted(table.terms.find_text(term).unwrap(), 0);
    assert_eq!((weighted("a"), weighted("a a")), (71_999 + 3 * 45_426, 45_426)); // ln 3 and ln 2
    assert_eq!(table.terms.find(b"b").map(|id| table.weighted(id, 0)), Some(0));
    assert_eq!(table.totals()[0].weighted, 71_999 + 4 * 45_426);
}

#[test]
fn threads_give_the_same_counts_in_the_same_order() {
    let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 700, n % 13).repeat(20)).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let labels: Vec<u32> = (0..4000).map(|n| n % 3).collect();
    let weights: Vec<u64> = (0..4000).map(|n| n % 5).collect();
    for weighting in [None, weighting()] {
        let [one, many] = [1, 4].map(|threads| learned_on(threads, &texts, &labels, Some(&weights), weighting));
        assert_eq!(content(&one), content(&many));
        assert_eq!(one.totals()[0].weighted > 0, weighting.is_some());
    }
}

#[test]
fn documents_one_by_one_are_the_same_as_all_at_once() {
    let (texts, labels) = (["a b a c", "b b", "c a"], [1, 0, 1]);
    let mut table = Table::default();
    for (text, label) in texts.iter().zip(labels) {
        learn_on(1, &mut table, (&[text], &[label], None), weighting()).unwrap();
    }
    assert_eq!(content(&table), content(&learned(&texts, &labels, weighting())));
}

#[test]
fn subtracting_what_was_merged_is_the_identity_and_empties_the_vocabulary() {
    for weighting in [None, weighting()] {
        let mut whole = learned(&["a b", "b c"], &[0, 1], weighting);
        let before = content(&whole);
        let extra = learned(&["c d d"], &[0], weighting);
        for label in [1, 2] {
            whole.merge(&extra, &[label]).unwrap();
            assert_eq!(whole.live(), before.0.len() + 3); // "d", "c d" and "d d" are new
            whole.subtract(&extra, &[label]).unwrap();
            assert_eq!(content(&whole), before);
            assert_eq!(whole.live(), before.0.len());
        }
    }
}

#[test]
fn merged_parts_are_the_whole() {
    let whole = learned(&["a b a", "b c", "a"], &[0, 1, 1], weighting());
    let mut parts = learned(&["a b a"], &[0], weighting());
    parts.merge(&learned(&["b c", "a"], &[0, 0], weighting()), &[1]).unwrap();
    assert_eq!(content(&parts), content(&whole));
}

#[test]
fn subtracting_what_is_not_held_changes_nothing() {
    let mut whole = learned(&["a b"], &[0], None);
    let before = content(&whole);
    let others = [(vec!["a a"], vec![0]), (vec!["z"], vec![0]), (vec!["a", "b"], vec![0, 0])];
    for (texts, labels) in others {
        assert_eq!(whole.subtract(&learned(&texts, &labels, None), &[0]), Err(NotHeld));
        assert_eq!(content(&whole), before);
    }
}

#[test]
fn weights_must_be_held_too() {
    for (weighting, held) in [(None, Ok(())), (Weighting::named("once-length"), Err(NotHeld))] {
        let mut two = learned(&["a b"], &[0], weighting); // each weighs √½
        assert_eq!(two.subtract(&learned(&["a"], &[0], weighting), &[0]), held);
    }
    let mut one = learned(&["a"], &[0], Weighting::named("once-length"));
    let before = content(&one);
    for weighted in [UNIT - 1, UNIT + 1] {
        let mut other = Table::default();
        other.put(&["a".to_string()], 0, &[(Cell { label: 0, tf: 1, df: 1 }, weighted)]).unwrap();
        assert_eq!(one.subtract(&other, &[0]), Err(NotHeld));
        assert_eq!(content(&one), before);
    }
}

#[test]
fn a_smaller_unit_is_the_same_as_larger_weights() {
    let (texts, labels) = (["a b a", "b", "b"], [0, 1, 1]);
    let mut table = learned(&texts, &labels, weighting());
    table.scale(10).unwrap();
    assert_eq!(content(&table), content(&learned_on(1, &texts, &labels, Some(&[10, 10, 10]), weighting())));
}

#[test]
fn sums_that_would_be_too_large_are_refused_and_change_nothing() {
    let weighting = Weighting::named("log");
    let mut table = learned_on(1, &["a"], &[0], Some(&[1 << 46]), weighting); // ln 2 · 2^62
    let (before, twin) = (content(&table), table.clone());
    assert_eq!(table.merge(&twin, &[0]), Err(TooLarge));
    assert_eq!(table.scale(2), Err(TooLarge));
    for (text, weight) in [("a", 1 << 46), ("b", 1 << 46), ("b", u64::MAX), ("", 1 << 62)] {
        assert_eq!(learn_on(1, &mut table, (&[text], &[0], Some(&[weight])), weighting), Err(TooLarge));
    }
    assert_eq!((content(&table), table.ids()), (before, 1));
    table.merge(&twin, &[1]).unwrap();
    assert_eq!(table.totals()[1], twin.totals()[0]);
}
