//! Analyzes a batch of texts on one thread or several, with the same result.

use super::id_lists::{IdLists, TermSink};
use super::rules::Rules;
use super::terms::{TokenMapping, terms};
use super::tokenize::tokenize;
use crate::machine::in_parallel;
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Overlay;
use std::convert::Infallible;
use std::ops::Range;

/// Texts that are analyzed together.
#[derive(Clone, Copy)]
pub struct Batch<'a> {
    pub texts: &'a [&'a str],
    pub rules: &'a Rules,
    pub base: &'a Interner, // the vocabulary, which is only read
    pub threads: usize,
    pub fingerprint: Fingerprint<'a>,
}

/// Makes the fingerprint of a document for the ledger, from its place in the batch and its text.
pub type Fingerprint<'a> = Option<&'a (dyn Fn(usize, &str) -> u128 + Sync)>;

/// Consecutive documents of a batch, and what a sink made of their terms. Ids below the base's length are
/// the base's; the others are entries of `own`, counted from there.
pub struct Part<S = IdLists> {
    pub documents: Range<usize>,
    pub found: S,
    pub own: Interner,
    pub ids: usize,              // how many there are, the base's and its own
    pub fingerprints: Vec<u128>, // by document, if they are wanted
}

/// The tokens of some documents, before they are mapped.
struct Tokens {
    documents: Range<usize>,
    ids: IdLists,
    distinct: Interner,
    fingerprints: Vec<u128>,
}

impl Batch<'_> {
    /// Texts to term ids. `ask` returns what distinct tokens become; it is called on the calling thread. `sink` makes
    /// what takes the terms of some documents.
    pub fn analyze<S: TermSink, E>(
        &self,
        ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
        sink: impl Fn(Range<usize>) -> S + Sync,
    ) -> Result<Vec<Part<S>>, E> {
        match self.rules.direct() {
            true => Ok(self.analyze_direct(sink)),
            false => self.analyze_mapped(ask, sink),
        }
    }

    /// Where tokens are terms.
    fn analyze_direct<S: TermSink>(&self, sink: impl Fn(Range<usize>) -> S + Sync) -> Vec<Part<S>> {
        in_parallel(self.split(), |documents| {
            let (mut overlay, mut sink) = (Overlay::over(self.base), sink(documents.clone()));
            let (mut words, mut lists) = (IdLists::default(), IdLists::default());
            let mut fingerprints = Vec::new();
            for some in self.helpings(documents.clone()) {
                words.clear();
                self.tokenize(some, &mut overlay, &mut words, &mut fingerprints);
                if self.rules.ngrams == (1, 1) {
                    sink.take(&words, overlay.len()); // tokens are terms already
                    continue;
                }
                lists.clear();
                terms(&words, 0..words.len(), None, self.rules, &mut overlay, &mut lists);
                sink.take(&lists, overlay.len());
            }
            Part { documents, found: sink, ids: overlay.len(), own: overlay.own, fingerprints }
        })
    }

    /// Where tokens become other terms, or there are terms beside them.
    fn analyze_mapped<S: TermSink, E>(
        &self,
        mut ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
        sink: impl Fn(Range<usize>) -> S + Sync,
    ) -> Result<Vec<Part<S>>, E> {
        let tokenized = in_parallel(self.split(), |documents| {
            let (mut overlay, mut ids) = (Overlay::growing(Interner::default()), IdLists::default());
            let mut fingerprints = Vec::new();
            self.tokenize(documents.clone(), &mut overlay, &mut ids, &mut fingerprints);
            Tokens { documents, ids, distinct: overlay.own, fingerprints }
        });
        let mut asked = Vec::with_capacity(tokenized.len());
        for tokens in tokenized {
            let becomes = match self.rules.mapped {
                true => Some(ask((0..tokens.distinct.len() as u32).map(|id| tokens.distinct.text(id)).collect())?),
                false => None,
            };
            asked.push((tokens, becomes));
        }
        Ok(in_parallel(asked, |(Tokens { documents, ids, distinct, fingerprints }, becomes)| {
            let (mut overlay, mut sink, mut lists) =
                (Overlay::over(self.base), sink(documents.clone()), IdLists::default());
            let mapping = TokenMapping::new(&distinct, becomes.as_deref(), self.rules, &mut overlay);
            for some in self.helpings(documents.clone()) {
                let some = some.start - documents.start..some.end - documents.start;
                lists.clear();
                terms(&ids, some, Some(&mapping), self.rules, &mut overlay, &mut lists);
                sink.take(&lists, overlay.len());
            }
            Part { documents, found: sink, ids: overlay.len(), own: overlay.own, fingerprints }
        }))
    }

    /// Adds tokens and fingerprints of some documents.
    fn tokenize(
        &self,
        documents: Range<usize>,
        overlay: &mut Overlay,
        words: &mut IdLists,
        fingerprints: &mut Vec<u128>,
    ) {
        let mut document = documents.start;
        tokenize(&self.texts[documents], self.rules, overlay, words, |text| {
            fingerprints.extend(self.fingerprint.map(|of| of(document, text)));
            document += 1;
        });
    }

    /// The documents in helpings so small that all that is made of them stays in the processor's cache.
    fn helpings(&self, documents: Range<usize>) -> impl Iterator<Item = Range<usize>> {
        const ENOUGH: usize = 1 << 18; // bytes
        let (texts, mut at, end) = (self.texts, documents.start, documents.end);
        std::iter::from_fn(move || {
            let (start, mut bytes) = (at, 0);
            while at < end && bytes < ENOUGH {
                bytes += texts[at].len();
                at += 1;
            }
            (start < at).then_some(start..at)
        })
    }

    fn split(&self) -> Vec<Range<usize>> {
        split(self.texts, self.threads)
    }
}

/// What `Batch::analyze` asks where tokens are not mapped: nothing.
pub fn nothing_to_ask(_: Vec<String>) -> Result<Vec<Option<String>>, Infallible> {
    Ok(Vec::new())
}

/// Contiguous ranges of about the same number of bytes, at most one for each thread.
fn split(texts: &[&str], threads: usize) -> Vec<Range<usize>> {
    const WORTH_A_THREAD: usize = 1 << 18; // bytes
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let wanted = threads.min(bytes / WORTH_A_THREAD).max(1);
    let (mut ranges, mut start, mut passed) = (Vec::with_capacity(wanted), 0, 0);
    for (index, text) in texts.iter().enumerate() {
        passed += text.len();
        if passed * wanted >= bytes * (ranges.len() + 1) && ranges.len() + 1 < wanted {
            ranges.push(start..index + 1);
            start = index + 1;
        }
    }
    ranges.push(start..texts.len());
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_every_document_once() {
        let long = "x".repeat(100_000);
        for count in [0, 1, 2, 7, 50] {
            let texts: Vec<&str> = (0..count).map(|_| long.as_str()).collect();
            for threads in [1, 2, 3, 8] {
                let ranges = split(&texts, threads);
                assert!(ranges.len() <= threads);
                let covered: Vec<usize> = ranges.into_iter().flatten().collect();
                assert_eq!(covered, (0..count).collect::<Vec<_>>());
            }
        }
    }
}
