//! Which documents were learned: how often each fingerprint of text, label and weight.

use hashbrown::HashMap;
use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

#[derive(Default, Clone, PartialEq, Eq)]
pub struct Ledger {
    times: HashMap<Key, u32>,
}

type Key = [u32; 4]; // a fingerprint: with how often it takes 20 bytes, where a u128 would be aligned and take 32

fn key(fingerprint: u128) -> Key {
    [96, 64, 32, 0].map(|shift| (fingerprint >> shift) as u32)
}

/// 128 bits that identify a document; the same on every machine and in every version. The weight is in millionths.
pub fn fingerprint(text: &str, label: &str, weight: u64) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), seed(label, weight))
}

/// What label and weight add to a fingerprint.
pub fn seed(label: &str, weight: u64) -> u64 {
    xxh3_64_with_seed(label.as_bytes(), weight)
}

/// One value of a document that has several.
#[derive(Clone, Copy, Debug)]
pub enum Field<'a> {
    Missing,
    Text(&'a str),
    Number(f64),
}

/// The values of a document as bytes, such that no two documents have the same.
///
///     missing: 0      text: 1, its length in 8 bytes, its bytes      number: 2, its 8 bytes      all little-endian
#[derive(Default)]
pub struct DocumentBytes {
    bytes: Vec<u8>,
}

impl DocumentBytes {
    #[inline]
    pub fn push(&mut self, field: Field) {
        match field {
            Field::Missing => self.bytes.push(0),
            Field::Text(text) => {
                self.bytes.push(1);
                self.bytes.extend_from_slice(&(text.len() as u64).to_le_bytes());
                self.bytes.extend_from_slice(text.as_bytes());
            }
            Field::Number(number) if number.is_nan() => self.bytes.push(0),
            Field::Number(number) => {
                self.bytes.push(2);
                self.bytes.extend_from_slice(&(number + 0.0).to_le_bytes()); // -0.0 becomes 0.0
            }
        }
    }

    /// The fingerprint of what was pushed; then all is empty again.
    pub fn fingerprint(&mut self, seed: u64) -> u128 {
        let found = xxh3_128_with_seed(&self.bytes, seed);
        self.bytes.clear();
        found
    }
}

impl Ledger {
    pub fn len(&self) -> u64 {
        self.times.values().map(|times| *times as u64).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    pub fn times(&self, fingerprint: u128) -> u32 {
        self.held(&key(fingerprint))
    }

    fn held(&self, key: &Key) -> u32 {
        self.times.get(key).copied().unwrap_or(0)
    }

    pub fn add(&mut self, fingerprint: u128, times: u32) {
        self.put(key(fingerprint), times);
    }

    fn put(&mut self, key: Key, times: u32) {
        *self.times.entry(key).or_insert(0) += times;
    }

    pub fn merge(&mut self, other: &Ledger) {
        other.times.iter().for_each(|(key, times)| self.put(*key, *times));
    }

    pub fn holds(&self, other: &Ledger) -> bool {
        other.times.iter().all(|(key, times)| self.held(key) >= *times)
    }

    /// How many documents of the other, counted as often as it has them, have a fingerprint that is held here.
    pub fn common(&self, other: &Ledger) -> u64 {
        let held = other.times.iter().filter(|(key, _)| self.times.contains_key(*key));
        held.map(|(_, times)| *times as u64).sum()
    }

    /// Subtracts a ledger that is held.
    pub fn subtract(&mut self, other: &Ledger) {
        other.times.iter().for_each(|(key, times)| self.take(key, *times));
    }

    /// Takes out one document that is held.
    pub fn remove(&mut self, fingerprint: u128) {
        self.take(&key(fingerprint), 1);
    }

    fn take(&mut self, key: &Key, times: u32) {
        match self.held(key) - times {
            0 => self.times.remove(key),
            left => self.times.insert(*key, left),
        };
    }

    /// Fingerprints (high and low 64 bits, end to end) and how often each, sorted: the same for the same documents in
    /// any order.
    pub fn sorted(&self) -> (Vec<u64>, Vec<u32>) {
        let mut all: Vec<_> = self.times.iter().map(|(key, times)| (*key, *times)).collect();
        all.sort_unstable(); // a key has its highest part first
        let half = |high: u32, low: u32| (high as u64) << 32 | low as u64;
        let halves = all.iter().flat_map(|([a, b, c, d], _)| [half(*a, *b), half(*c, *d)]).collect();
        (halves, all.iter().map(|(_, times)| *times).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(fields: &[Field]) -> u128 {
        let mut document = DocumentBytes::default();
        fields.iter().for_each(|field| document.push(*field));
        document.fingerprint(seed("spam", 1))
    }

    #[test]
    fn documents_with_other_values_have_other_fingerprints() {
        use Field::{Missing, Number, Text};
        let documents: [&[Field]; 10] = [
            &[],
            &[Missing],
            &[Text("")],
            &[Text(""), Text("a")],
            &[Text("a"), Text("")],
            &[Text("a")],
            &[Missing, Text("a")],
            &[Number(0.0)],
            &[Number(1.0)],
            &[Text("\0\0\0\0\0\0\0\0")],
        ];
        let all: std::collections::HashSet<u128> = documents.iter().map(|fields| of(fields)).collect();
        assert_eq!(all.len(), documents.len());
        assert_eq!(of(&[Number(-0.0)]), of(&[Number(0.0)]));
        assert_eq!(of(&[Number(-f64::NAN)]), of(&[Missing]));
    }

    #[test]
    fn a_document_is_empty_after_its_fingerprint() {
        let mut document = DocumentBytes::default();
        document.push(Field::Text("a"));
        let first = document.fingerprint(seed("spam", 1));
        document.push(Field::Text("a"));
        assert_eq!(document.fingerprint(seed("spam", 1)), first);
    }

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
