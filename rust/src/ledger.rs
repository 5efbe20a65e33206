//! Which documents were learnt: how often each fingerprint of text, label and weight.

use hashbrown::HashMap;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

#[derive(Default, Clone, PartialEq, Eq)]
pub struct Ledger {
    times: HashMap<u128, u32>,
}

/// 128 bits that stand for a document; the same on every machine and in every version. The weight is in millionths.
pub fn fingerprint(text: &str, label: &str, weight: u64) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), xxh3_64_with_seed(label.as_bytes(), weight))
}

impl Ledger {
    pub fn len(&self) -> u64 {
        self.times.values().map(|times| *times as u64).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    pub fn times(&self, fingerprint: u128) -> u32 {
        self.times.get(&fingerprint).copied().unwrap_or(0)
    }

    pub fn add(&mut self, fingerprint: u128, times: u32) {
        *self.times.entry(fingerprint).or_insert(0) += times;
    }

    pub fn merge(&mut self, other: &Ledger) {
        other.times.iter().for_each(|(fingerprint, times)| self.add(*fingerprint, *times));
    }

    pub fn holds(&self, other: &Ledger) -> bool {
        other.times.iter().all(|(fingerprint, times)| self.times(*fingerprint) >= *times)
    }

    /// How many documents of the other, counted as often as it has them, have a fingerprint that is held here.
    pub fn common(&self, other: &Ledger) -> u64 {
        let held = other.times.iter().filter(|(fingerprint, _)| self.times.contains_key(*fingerprint));
        held.map(|(_, times)| *times as u64).sum()
    }

    /// Subtracts a ledger that is held.
    pub fn subtract(&mut self, other: &Ledger) {
        for (fingerprint, times) in &other.times {
            let left = self.times(*fingerprint) - times;
            match left {
                0 => self.times.remove(fingerprint),
                _ => self.times.insert(*fingerprint, left),
            };
        }
    }

    /// Fingerprints and how often each, sorted: the same for the same documents in any order.
    pub fn sorted(&self) -> Vec<(u128, u32)> {
        let mut all: Vec<_> = self.times.iter().map(|(fingerprint, times)| (*fingerprint, *times)).collect();
        all.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subtracting_what_was_merged_is_the_identity() {
        let (mut one, mut two) = (Ledger::default(), Ledger::default());
        one.add(fingerprint("text", "spam", 1), 2);
        two.add(fingerprint("text", "spam", 1), 1);
        two.add(fingerprint("text", "ham", 1), 1);
        let before = one.sorted();
        assert!(!one.holds(&two));
        assert_eq!((one.common(&two), two.common(&one)), (1, 2));
        one.merge(&two);
        assert_eq!((one.len(), one.times(fingerprint("text", "spam", 1))), (4, 3));
        one.subtract(&two);
        assert_eq!(one.sorted(), before);
    }
}
