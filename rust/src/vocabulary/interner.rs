//! Gives each distinct byte string, and each pair of ids, a number: 0, 1, 2, … in order of first sight.
//!
//! One open-addressing index holds both. Its cells are ids, and the keys are kept apart in order of ids: frequent
//! words are seen early, so their keys lie close together and stay in the nearest cache. A pair `(a, b)` is the
//! n-gram "a b", where `a` may be a pair again.

use super::key::{Key, Word, seeds};
use crate::machine::processor::prefetch;

/// The word or pair of an id.
#[derive(Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    Word(Word<'a>),
    Pair(u32, u32),
}

#[derive(Clone)]
pub struct Interner {
    index: Vec<u32>, // 0 for empty, else id + 1
    mask: usize,
    keys: Vec<Key>, // by id + 1; the first is none, so that an empty cell has a key that is not the one looked for
    arena: Vec<u8>, // the bytes of long words, in order of ids
    long: Vec<(u64, u64)>, // where each starts and ends in the arena; its key has its place here
}

impl Default for Interner {
    fn default() -> Self {
        Interner { index: vec![0; 64], mask: 63, keys: vec![Key::LONG], arena: Vec::new(), long: Vec::new() }
    }
}

impl Interner {
    pub fn len(&self) -> usize {
        self.keys.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn entry(&self, id: u32) -> Entry<'_> {
        let key = self.key(id);
        match key.ids() {
            Some((a, b)) => Entry::Pair(a, b),
            None if key.is_hashed() => Entry::Word(Word::Long(self.long(id))),
            None => Entry::Word(key.word()),
        }
    }

    /// The bytes of a long word.
    fn long(&self, id: u32) -> &[u8] {
        self.bytes_of(&self.keys[id as usize + 1])
    }

    fn bytes_of(&self, long: &Key) -> &[u8] {
        let (start, end) = self.long[long.place()];
        &self.arena[start as usize..end as usize]
    }

    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        let key = Key::of(bytes);
        self.find_hashed(key, key.hash(seeds()), bytes)
    }

    pub fn intern(&mut self, bytes: &[u8]) -> u32 {
        let key = Key::of(bytes);
        self.intern_hashed(key, key.hash(seeds()), bytes)
    }

    /// A term by its text: what has spaces in it is an n-gram.
    pub fn find_text(&self, text: &str) -> Option<u32> {
        let mut parts = text.split(' ').map(|part| self.find(part.as_bytes()));
        let first = parts.next()??;
        parts.try_fold(first, |id, part| self.find_pair(id, part?))
    }

    pub fn find_pair(&self, a: u32, b: u32) -> Option<u32> {
        let key = Key::pair(a, b);
        self.find_hashed(key, key.hash(seeds()), &[])
    }

    pub fn intern_pair(&mut self, a: u32, b: u32) -> u32 {
        let key = Key::pair(a, b);
        self.intern_short(key, key.hash(seeds()))
    }

    #[inline(always)]
    pub fn key(&self, id: u32) -> Key {
        self.keys[id as usize + 1].as_looked_up()
    }

    /// The two parts, if the entry is a pair.
    #[inline(always)]
    pub fn pair(&self, id: u32) -> Option<(u32, u32)> {
        self.key(id).ids()
    }

    /// Interns a key with the bytes of another interner's entry.
    #[inline(always)]
    pub fn intern_key(&mut self, key: Key, from: &Interner, id: u32) -> u32 {
        let hash = key.hash(seeds());
        match key.is_hashed() {
            true => self.intern_hashed(key, hash, from.long(id)),
            false => self.intern_short(key, hash),
        }
    }

    /// `bytes` are read only when the key does not hold them.
    pub fn find_hashed(&self, key: Key, hash: u64, bytes: &[u8]) -> Option<u32> {
        match key.is_hashed() {
            true => self.locate(hash, |held| self.is_long(held, &key, bytes)).ok(),
            false => self.find_short(key, hash),
        }
    }

    pub fn intern_hashed(&mut self, key: Key, hash: u64, bytes: &[u8]) -> u32 {
        if !key.is_hashed() {
            return self.intern_short(key, hash);
        }
        match self.locate(hash, |held| self.is_long(held, &key, bytes)) {
            Ok(id) => id,
            Err(free) => self.insert(free, key, bytes),
        }
    }

    fn is_long(&self, held: &Key, key: &Key, bytes: &[u8]) -> bool {
        held.has_hash_of(key) && self.bytes_of(held) == bytes
    }

    #[inline(always)]
    pub fn find_short(&self, key: Key, hash: u64) -> Option<u32> {
        self.locate(hash, |held| held.is(&key)).ok()
    }

    #[inline(always)]
    pub fn intern_short(&mut self, key: Key, hash: u64) -> u32 {
        match self.locate(hash, |held| held.is(&key)) {
            Ok(id) => id,
            Err(free) => self.insert(free, key, &[]),
        }
    }

    /// The id of a key that is in its first cell, and whether it is: without a branch, so that many are under way
    /// at once. Nearly all do, because frequent words come early.
    #[inline(always)]
    pub fn probe(&self, key: &Key, hash: u64) -> (u32, bool) {
        let place = self.index[hash as usize & self.mask];
        (place.wrapping_sub(1), self.keys[place as usize].is(key) & !key.is_long())
    }

    /// The id of a key, or the free cell where it belongs. `same` recognizes the key.
    #[inline(always)]
    fn locate(&self, hash: u64, same: impl Fn(&Key) -> bool) -> Result<u32, usize> {
        let mut at = hash as usize & self.mask;
        loop {
            let place = self.index[at];
            if place == 0 {
                return Err(at);
            }
            if same(&self.keys[place as usize]) {
                return Ok(place - 1);
            }
            at = (at + 1) & self.mask;
        }
    }

    /// `bytes` are kept only if the key does not hold them.
    #[cold]
    fn insert(&mut self, free: usize, mut key: Key, bytes: &[u8]) -> u32 {
        let id = u32::try_from(self.len()).ok().filter(|id| *id < u32::MAX - 1).expect("fewer than 2^32 - 2 terms");
        self.index[free] = id + 1;
        if key.is_hashed() {
            key = key.at_place(self.long.len());
            let start = self.arena.len() as u64;
            self.arena.extend_from_slice(bytes);
            self.long.push((start, self.arena.len() as u64));
        }
        self.keys.push(key);
        if self.len() * 2 > self.index.len() {
            self.grow();
        }
        id
    }

    /// Makes room for this many more keys, so that nothing is moved while they come.
    pub fn reserve(&mut self, keys: usize) {
        self.keys.reserve(keys);
        let cells = ((self.len() + keys) * 2 + 1).next_power_of_two();
        if cells > self.index.len() {
            self.resize(cells);
        }
    }

    fn grow(&mut self) {
        self.resize(self.index.len() * 2);
    }

    fn resize(&mut self, cells: usize) {
        self.index = vec![0; cells];
        self.mask = self.index.len() - 1;
        let seeds = seeds();
        for (id, key) in self.keys[1..].iter().enumerate() {
            let hash = key.as_looked_up().hash(seeds);
            let mut at = hash as usize & self.mask;
            while self.index[at] != 0 {
                at = (at + 1) & self.mask;
            }
            self.index[at] = id as u32 + 1;
        }
    }

    /// Tells the processor that this hash will be looked up soon.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        prefetch(&self.index[hash as usize & self.mask]);
    }

    /// The same for a term by its text; an n-gram is found by its words, so these must be known.
    pub fn prefetch_text(&self, text: &[u8]) {
        let Some(space) = memchr::memrchr(b' ', text) else { return self.prefetch(Key::of(text).hash(seeds())) };
        let before = std::str::from_utf8(&text[..space]).ok().and_then(|text| self.find_text(text));
        if let Some((before, last)) = before.zip(self.find(&text[space + 1..])) {
            self.prefetch(Key::pair(before, last).hash(seeds()));
        }
    }

    /// How many words a term has.
    pub fn order(&self, id: u32) -> usize {
        order(id, |id| self.pair(id))
    }

    /// The id as text: a pair is its two parts with a space between them.
    pub fn text(&self, id: u32) -> String {
        let mut text = String::new();
        self.write_text(id, &mut text);
        text
    }

    pub fn write_text(&self, id: u32, text: &mut String) {
        match self.entry(id) {
            Entry::Word(bytes) => text.push_str(std::str::from_utf8(&bytes).expect("keys are UTF-8")),
            Entry::Pair(a, b) => {
                self.write_text(a, text);
                text.push(' ');
                self.write_text(b, text);
            }
        }
    }
}

/// How many words a term has: 1 + the spaces of its text. The second part of a pair is always one word.
#[inline]
pub fn order(id: u32, pair: impl Fn(u32) -> Option<(u32, u32)>) -> usize {
    let (mut words, mut first) = (1, id);
    while let Some((before, _)) = pair(first) {
        (words, first) = (words + 1, before);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_given_in_order_of_first_sight_and_found_again() {
        let mut interner = Interner::default();
        let long = "a word that is longer than sixteen bytes";
        for (expected, word) in ["a", "", "ab", "a\0", long, "sixteen bytes ok"].iter().enumerate() {
            assert_eq!(interner.intern(word.as_bytes()), expected as u32);
        }
        assert_eq!(interner.find(long.as_bytes()), Some(4));
        assert_eq!(interner.find(b"abc"), None);
        assert_eq!(interner.text(4), long);
    }

    #[test]
    fn a_pair_is_not_its_bytes_and_reads_as_its_parts() {
        let mut interner = Interner::default();
        let (new, york) = (interner.intern(b"new"), interner.intern(b"york"));
        let pair = interner.intern_pair(new, york);
        let triple = interner.intern_pair(pair, new);
        assert_eq!(interner.intern_pair(new, york), pair);
        assert_eq!(interner.find_pair(york, new), None);
        assert_eq!(interner.text(triple), "new york new");
        assert_eq!([new, york, pair, triple].map(|id| interner.order(id)), [1, 1, 2, 3]);
        assert_eq!(interner.find_text("new york new"), Some(triple));
        assert_eq!(interner.find_text("york york"), None);
    }

    #[test]
    fn words_of_every_length_and_script_are_found_again_as_they_were() {
        let mut interner = Interner::default();
        let mut words = Vec::new();
        for piece in ["a", "ж", "Ж", "ѿ", "é", "жa", "aж", "ҁ", "猫"] {
            words.extend((1..40).map(|times| piece.repeat(times)));
        }
        let ids: Vec<u32> = words.iter().map(|word| interner.intern(word.as_bytes())).collect();
        let mut other = Interner::default();
        other.intern(b"first");
        for (word, id) in words.iter().zip(ids) {
            assert_eq!((interner.text(id).as_str(), interner.find(word.as_bytes())), (word.as_str(), Some(id)));
            let moved = other.intern_key(interner.key(id), &interner, id);
            assert_eq!((other.text(moved).as_str(), other.find(word.as_bytes())), (word.as_str(), Some(moved)));
        }
        assert_eq!(other.len(), interner.len() + 1);
    }

    #[test]
    fn a_hundred_thousand_keys_survive_growth() {
        let mut interner = Interner::default();
        interner.intern(b"0");
        interner.reserve(1000);
        for n in 0..100_000u32 {
            assert_eq!(interner.intern(format!("{n}").as_bytes()), n);
        }
        for n in 0..100_000u32 {
            assert_eq!(interner.find(format!("{n}").as_bytes()), Some(n));
        }
    }
}
