//! Reads a batch of texts on one thread or several, with the same result.

use crate::documents::{Lists, Rules};
use crate::intern::Interner;
use crate::scope::Scope;
use crate::terms::{Mapping, terms};
use crate::tokens::tokens;
use std::ops::Range;

/// A stretch of the batch: its documents' term ids. Ids below the base's length are the base's; the others are
/// entries of `own`, counted from there.
pub struct Part {
    pub documents: Range<usize>,
    pub lists: Lists,
    pub own: Interner,
    pub ids: usize,              // how many there are, the base's and its own
    pub fingerprints: Vec<u128>, // by document, if they are wanted
}

/// What stands for a document in a ledger, by its place in the batch and its text.
pub type Fingerprint<'a> = Option<&'a (dyn Fn(usize, &str) -> u128 + Sync)>;

/// Texts to term ids over a base that is only read. `ask` says what distinct tokens become; it is called on the
/// calling thread.
pub fn read<E>(
    texts: &[&str],
    rules: &Rules,
    base: &Interner,
    threads: usize,
    fingerprint: Fingerprint,
    mut ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
) -> Result<Vec<Part>, E> {
    let stretches = split(texts, threads);
    if rules.direct() {
        return Ok(side_by_side(stretches, |documents| {
            let mut scope = Scope::over(base);
            let (found, fingerprints) = cut(texts, documents.clone(), rules, &mut scope, fingerprint);
            let lists = terms(found, None, rules, &mut scope);
            Part { documents, lists, ids: scope.len(), own: scope.own, fingerprints }
        }));
    }
    let cut = side_by_side(stretches, |documents| {
        let mut scope = Scope::into(Interner::default());
        let (found, fingerprints) = cut(texts, documents.clone(), rules, &mut scope, fingerprint);
        (documents, found, scope.own, fingerprints)
    });
    let mut asked = Vec::with_capacity(cut.len());
    for (documents, found, distinct, fingerprints) in cut {
        let terms = match rules.mapped {
            true => Some(ask((0..distinct.len() as u32).map(|id| distinct.text(id)).collect())?),
            false => None,
        };
        asked.push((documents, found, distinct, fingerprints, terms));
    }
    Ok(side_by_side(asked, |(documents, found, distinct, fingerprints, becomes)| {
        let mut scope = Scope::over(base);
        let mapping = Mapping::new(&distinct, becomes.as_deref(), rules, &mut scope);
        let lists = terms(found, Some(&mapping), rules, &mut scope);
        Part { documents, lists, ids: scope.len(), own: scope.own, fingerprints }
    }))
}

/// Tokens and fingerprints of one stretch.
fn cut(
    texts: &[&str],
    documents: Range<usize>,
    rules: &Rules,
    scope: &mut Scope,
    fingerprint: Fingerprint,
) -> (Lists, Vec<u128>) {
    let mut fingerprints = Vec::new();
    let start = documents.start;
    let lists = tokens(&texts[documents], rules, scope, |text| {
        fingerprints.extend(fingerprint.map(|of| of(start + fingerprints.len(), text)));
    });
    (lists, fingerprints)
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
