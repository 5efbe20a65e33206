//! Documents as rows of distinct terms.
//!
//!     f(d,t) = ln(1 + tf(d,t)),  idf(t) = ln((1 + N) / (1 + df(t))) + 1
//!
//! f is rounded as `Scale::Log` does. Terms are numbered by how many documents have them, the most frequent ones first
//! and equally frequent ones by their text, so that neither the number of threads nor the chunks in which documents came
//! can change a sum.

use crate::count::term_weights::Scale;
use crate::judge::bags::{Counted, Gathering, range};
use crate::machine::in_parallel;
use std::cmp::Reverse;

const LEFT_OUT: u32 = u32::MAX;

/// Distinct terms of documents.
pub struct Rows {
    pub names: Vec<String>,     // by term
    pub idf: Vec<f64>,          // by term
    pub ends: Vec<usize>,       // by document
    pub items: Vec<(u32, f32)>, // of each document: a term, rising, and f
}

impl Rows {
    /// The documents that were gathered, with the terms that at least `least` of them have, and at most `most` terms.
    pub fn of(gathering: Gathering, least: u32, most: usize) -> Rows {
        let (interner, parts, df) = gathering.into_parts();
        let documents: usize = parts.iter().map(|part| part.each().count()).sum();
        let mut kept: Vec<(Reverse<u32>, String, u32)> = (0..df.len() as u32)
            .filter(|id| df[*id as usize] >= least)
            .map(|id| (Reverse(df[id as usize]), interner.text(id), id))
            .collect();
        kept.sort_unstable();
        kept.truncate(most);
        let idf = |df: u32| ((1.0 + documents as f64) / (1.0 + df as f64)).ln() + 1.0;
        let mut rows = Rows {
            idf: kept.iter().map(|(Reverse(df), ..)| idf(*df)).collect(),
            names: Vec::with_capacity(kept.len()),
            ends: Vec::with_capacity(documents),
            items: Vec::new(),
        };
        let mut numbers = vec![LEFT_OUT; df.len()];
        for (number, (_, name, id)) in kept.into_iter().enumerate() {
            numbers[id as usize] = number as u32;
            rows.names.push(name);
        }
        drop((interner, df));
        let parts = in_parallel(parts, |part| numbered(part, &numbers));
        rows.items.reserve_exact(parts.iter().map(|(_, items)| items.len()).sum()); // growing would hold them twice
        for (ends, items) in parts {
            let before = rows.items.len();
            rows.ends.extend(ends.iter().map(|end| before + end));
            rows.items.extend(items);
        }
        rows
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    #[inline]
    pub fn of_document(&self, document: usize) -> &[(u32, f32)] {
        &self.items[range(&self.ends, document)]
    }
}

/// The terms of each document by their numbers, rising, with f; without those that are left out.
fn numbered(part: Counted, numbers: &[u32]) -> (Vec<usize>, Vec<(u32, f32)>) {
    let (mut ends, mut items) = (Vec::new(), Vec::with_capacity(part.each().map(<[_]>::len).sum()));
    for document in part.each() {
        let start = items.len();
        let named = document.iter().map(|(id, times)| (numbers[*id as usize], Scale::Log.factor(*times) as f32));
        items.extend(named.filter(|(number, _)| *number != LEFT_OUT));
        items[start..].sort_unstable_by_key(|(number, _)| *number);
        ends.push(items.len());
    }
    (ends, items)
}
