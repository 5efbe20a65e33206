//! Texts to counts: read, summed label by label, added to a table.

use crate::analyze::batch::{Fingerprint, Part, read, side_by_side};
use crate::analyze::rules::{Lists, Rules};
use crate::count::label_sums::{Summing, groups};
use crate::count::term_weights::{Weigher, Weighting};
use crate::count::totals::Full;
use crate::table::Table;

/// The documents of a batch.
pub struct Documents<'a> {
    pub texts: &'a [&'a str],
    pub labels: &'a [u32],
    pub weights: Option<&'a [u64]>,
    pub fingerprint: Fingerprint<'a>,
}

/// Why nothing was counted.
#[derive(Debug)]
pub enum Stopped<E> {
    Full,
    Asked(E), // what tokens become could not be said
}

impl<E> From<Full> for Stopped<E> {
    fn from(_: Full) -> Self {
        Stopped::Full
    }
}

/// Counts documents, or changes nothing; gives their fingerprints, if they are wanted. `ask` is as for `read`.
pub fn count<E>(
    table: &mut Table,
    documents: &Documents,
    rules: &Rules,
    threads: usize,
    ask: impl FnMut(Vec<String>) -> Result<Vec<Option<String>>, E>,
) -> Result<Vec<u128>, Stopped<E>> {
    let Documents { texts, labels, weights, fingerprint } = *documents;
    if let Some(weighting) = rules.weighting {
        let keep = |_| Lists::default();
        let parts = read(texts, rules, &table.terms, threads, fingerprint, ask, keep).map_err(Stopped::Asked)?;
        return Ok(count_weighed(table, parts, documents, weighting)?);
    }
    let sum = |stretch: std::ops::Range<usize>| {
        let bytes = texts[stretch.clone()].iter().map(|text| text.len()).sum();
        Summing::new(&labels[stretch.clone()], weights.map(|weights| &weights[stretch]), bytes)
    };
    let parts = read(texts, rules, &table.terms, threads, fingerprint, ask, sum).map_err(Stopped::Asked)?;
    let summed = side_by_side(parts, |part| Ok((part.found.groups()?, part.own, part.fingerprints)));
    Ok(add(table, summed)?)
}

/// What terms weigh may depend on which of them are n-grams, so all must be known first.
fn count_weighed(
    table: &mut Table,
    parts: Vec<Part>,
    documents: &Documents,
    weighting: Weighting,
) -> Result<Vec<u128>, Full> {
    let summed = side_by_side(parts, |part: Part| {
        let labels = &documents.labels[part.documents.clone()];
        let weights = documents.weights.map(|weights| &weights[part.documents.clone()]);
        let weigher = Weigher::new(weighting, &table.terms, &part);
        let groups = groups(&part.found, part.ids, labels, weights, Some(&weigher))?;
        Ok((groups, part.own, part.fingerprints))
    });
    add(table, summed)
}

type Summed = (Vec<crate::count::label_sums::Group>, crate::vocabulary::interner::Interner, Vec<u128>);

fn add(table: &mut Table, summed: Vec<Result<Summed, Full>>) -> Result<Vec<u128>, Full> {
    let (mut parts, mut fingerprints) = (Vec::with_capacity(summed.len()), Vec::new());
    for part in summed {
        let (groups, own, noted) = part?;
        fingerprints.extend(noted);
        parts.push((own, groups));
    }
    table.add_parts(parts)?;
    Ok(fingerprints)
}
