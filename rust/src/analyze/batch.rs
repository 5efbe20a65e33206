//! Reads a batch of texts on one thread or several, with the same result.

use crate::analyze::rules::{Lists, Rules};
use crate::analyze::terms::{Mapping, terms};
use crate::analyze::tokenize::tokens;
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Scope;
use std::ops::Range;

/// A stretch of the batch, and what became of its documents' terms. Ids below the base's length are the base's; the others
/// are entries of `own`, counted from there.
pub struct Part<S = Lists> {
    pub documents: Range<usize>,
    pub found: S,
    pub own: Interner,
    pub ids: usize,              // how many there are, the base's and its own
    pub fingerprints: Vec<u128>, // by document, if they are wanted
}

/// What takes the terms of documents, some documents at a time, while they are near.
pub trait Sink: Send {
    /// The terms of the next documents, whose ids are below `ids`.
    fn take(&mut self, lists: &Lists, ids: usize);
}

/// Keeps them all.
impl Sink for Lists {
    fn take(&mut self, lists: &Lists, _: usize) {
        let before = self.ids.len();
        self.ids.extend_from_slice(&lists.ids);
        self.ends.extend(lists.ends.iter().map(|end| before + end));
    }
}

/// What stands for a document in a ledger, by its place in the batch and its text.
pub type Fingerprint<'a> = Option<&'a (dyn Fn(usize, &str) -> u128 + Sync)>;

/// Texts to term ids over a base that is only read. `ask` says what distinct tokens become; it is called on the
/// calling thread. `sink` makes what takes the terms of a stretch of documents.
pub fn read<S: Sink, E>(
    texts: &[&str],
    rules: &Rules,
    base: &Interner,
    threads: usize,
    fingerprint: Fingerprint,
    mut ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
    sink: impl Fn(Range<usize>) -> S + Sync,
) -> Result<Vec<Part<S>>, E> {
    let stretches = split(texts, threads);
    if rules.direct() {
        return Ok(side_by_side(stretches, |documents| {
            let (mut scope, mut sink) = (Scope::over(base), sink(documents.clone()));
            let (mut words, mut lists) = (Lists::default(), Lists::default());
            let mut fingerprints = Vec::new();
            for some in helpings(texts, documents.clone()) {
                words.clear();
                cut(texts, some, rules, &mut scope, &mut words, fingerprint, &mut fingerprints);
                if rules.ngrams == (1, 1) {
                    sink.take(&words, scope.len()); // tokens are terms already
                    continue;
                }
                lists.clear();
                terms(&words, 0..words.len(), None, rules, &mut scope, &mut lists);
                sink.take(&lists, scope.len());
            }
            Part { documents, found: sink, ids: scope.len(), own: scope.own, fingerprints }
        }));
    }
    let cut = side_by_side(stretches, |documents| {
        let (mut scope, mut words) = (Scope::into(Interner::default()), Lists::default());
        let mut fingerprints = Vec::new();
        cut(texts, documents.clone(), rules, &mut scope, &mut words, fingerprint, &mut fingerprints);
        (documents, words, scope.own, fingerprints)
    });
    let mut asked = Vec::with_capacity(cut.len());
    for (documents, words, distinct, fingerprints) in cut {
        let terms = match rules.mapped {
            true => Some(ask((0..distinct.len() as u32).map(|id| distinct.text(id)).collect())?),
            false => None,
        };
        asked.push((documents, words, distinct, fingerprints, terms));
    }
    Ok(side_by_side(asked, |(documents, words, distinct, fingerprints, becomes)| {
        let (mut scope, mut sink, mut lists) = (Scope::over(base), sink(documents.clone()), Lists::default());
        let mapping = Mapping::new(&distinct, becomes.as_deref(), rules, &mut scope);
        for some in helpings(texts, documents.clone()) {
            let some = some.start - documents.start..some.end - documents.start;
            lists.clear();
            terms(&words, some, Some(&mapping), rules, &mut scope, &mut lists);
            sink.take(&lists, scope.len());
        }
        Part { documents, found: sink, ids: scope.len(), own: scope.own, fingerprints }
    }))
}

/// Adds tokens and fingerprints of some documents.
fn cut(
    texts: &[&str],
    documents: Range<usize>,
    rules: &Rules,
    scope: &mut Scope,
    words: &mut Lists,
    fingerprint: Fingerprint,
    fingerprints: &mut Vec<u128>,
) {
    let mut document = documents.start;
    tokens(&texts[documents], rules, scope, words, |text| {
        fingerprints.extend(fingerprint.map(|of| of(document, text)));
        document += 1;
    });
}

/// Some documents after the other: so many that what is made of them stays in the processor's cache until it is taken.
fn helpings(texts: &[&str], documents: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    const ENOUGH: usize = 1 << 18; // bytes
    let (mut at, end) = (documents.start, documents.end);
    std::iter::from_fn(move || {
        let (start, mut bytes) = (at, 0);
        while at < end && bytes < ENOUGH {
            bytes += texts[at].len();
            at += 1;
        }
        (start < at).then_some(start..at)
    })
}

/// Contiguous stretches of about the same number of bytes, at most one for each thread.
fn split(texts: &[&str], threads: usize) -> Vec<Range<usize>> {
    const WORTH_A_THREAD: usize = 1 << 18; // bytes
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let wanted = threads.min(bytes / WORTH_A_THREAD).max(1);
    let (mut stretches, mut start, mut passed) = (Vec::with_capacity(wanted), 0, 0);
    for (index, text) in texts.iter().enumerate() {
        passed += text.len();
        if passed * wanted >= bytes * (stretches.len() + 1) && stretches.len() + 1 < wanted {
            stretches.push(start..index + 1);
            start = index + 1;
        }
    }
    stretches.push(start..texts.len());
    stretches
}

/// Applies `work` to each item, each on a thread of its own, and keeps the order.
pub fn side_by_side<T: Send, R: Send>(items: Vec<T>, work: impl Fn(T) -> R + Sync) -> Vec<R> {
    if items.len() == 1 {
        return items.into_iter().map(work).collect();
    }
    std::thread::scope(|scope| {
        let work = &work;
        let running: Vec<_> = items.into_iter().map(|item| scope.spawn(move || work(item))).collect();
        running.into_iter().map(|thread| thread.join().expect("a worker does not panic")).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_cover_every_document_once() {
        let long = "x".repeat(100_000);
        for count in [0, 1, 2, 7, 50] {
            let texts: Vec<&str> = (0..count).map(|_| long.as_str()).collect();
            for threads in [1, 2, 3, 8] {
                let stretches = split(&texts, threads);
                assert!(stretches.len() <= threads);
                let covered: Vec<usize> = stretches.into_iter().flatten().collect();
                assert_eq!(covered, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
