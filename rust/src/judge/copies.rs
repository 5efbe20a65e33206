//! Documents that are copies of others, or share passages with one: replies that quote, new versions, forwarded mail.
//!
//! Terms that only a few documents have say who shares them. A passage is a row of words, so its pairs of words, most of
//! which are rare, are all in the same other document.

use super::bags::{Bags, range};
use crate::machine::in_parallel;

/// Of a document: how many distinct terms it has, and how many rare ones of them the document has that shares most.
pub type Shared = (u32, u32);

impl Bags {
    /// What each of these rows shares, by the terms of a layer that at most `rare` documents have.
    pub fn shared(&self, rows: &[u32], layer: usize, rare: usize, threads: usize) -> Vec<Shared> {
        let layer = &self.layers[layer];
        let each = rows.len().div_ceil(threads.max(1)).max(256);
        let parts = in_parallel(rows.chunks(each).collect(), |some| {
            let (mut times, mut others) = (vec![0u32; self.len()], Vec::new());
            let look = |row: &u32| {
                let document = self.places[*row as usize];
                let terms = layer.of(document as usize);
                for (term, _) in terms {
                    let postings = range(&layer.posting_ends, *term as usize);
                    if postings.len() <= rare {
                        for (other, _) in &layer.postings[postings] {
                            others.push(*other);
                            times[*other as usize] += 1;
                        }
                    }
                }
                times[document as usize] = 0;
                let most = others.drain(..).map(|other| std::mem::take(&mut times[other as usize])).max();
                ((terms.len() + layer.alone_in(document as usize).len()) as u32, most.unwrap_or(0))
            };
            some.iter().map(look).collect::<Vec<Shared>>()
        });
        parts.concat()
    }
}

/// Whether each of these rows is there more than once.
pub fn repeated(fingerprints: &[u128], rows: &[u32]) -> Vec<bool> {
    let mut sorted = fingerprints.to_vec();
    sorted.sort_unstable();
    let is_repeated = |row: &u32| {
        let own = fingerprints[*row as usize];
        let first = sorted.partition_point(|other| *other < own);
        sorted.get(first + 1) == Some(&own)
    };
    rows.iter().map(is_repeated).collect()
}
