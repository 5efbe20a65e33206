//! New ids on top of a vocabulary that is only read.

use super::interner::{Entry, Interner};
use super::key::{Key, seeds};

/// Keys whose cells are fetched before the first of them is looked up.
pub const AHEAD: usize = 64;

/// Numbers new keys while it leaves a base as it is: ids below `base.len()` are the base's, the rest are its own.
///
/// Questions use it so that unknown words leave no trace in a model; threads use it to share one vocabulary.
pub struct Overlay<'a> {
    base: Option<&'a Interner>,
    offset: u32,
    pub own: Interner,
}

impl<'a> Overlay<'a> {
    /// Over a base that is only read.
    pub fn over(base: &'a Interner) -> Self {
        Overlay {
            base: Some(base).filter(|base| !base.is_empty()),
            offset: base.len() as u32,
            own: Interner::default(),
        }
    }

    /// Around an interner that grows.
    pub fn growing(own: Interner) -> Self {
        Overlay { base: None, offset: 0, own }
    }

    pub fn len(&self) -> usize {
        self.offset as usize + self.own.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        self.base.unwrap_or(&self.own).prefetch(hash);
    }

    /// The ids of some keys. Those that are not in their first cell are looked up or made by `other`.
    #[inline(always)]
    pub fn intern_many(
        &mut self,
        keys: &[Key],
        hashes: &[u64; AHEAD],
        found: &mut [u32; AHEAD],
        mut other: impl FnMut(&mut Self, usize) -> u32,
    ) {
        let (first, mut missed) = (self.base.unwrap_or(&self.own), 0u64);
        for (place, key) in keys.iter().enumerate() {
            let (id, hit) = first.probe(key, hashes[place]);
            found[place] = id;
            missed |= (!hit as u64) << place;
        }
        while missed != 0 {
            let place = missed.trailing_zeros() as usize;
            found[place] = other(self, place);
            missed &= missed - 1;
        }
    }

    #[inline(always)]
    pub fn intern_short(&mut self, key: Key, hash: u64) -> u32 {
        match self.base.and_then(|base| base.find_short(key, hash)) {
            Some(id) => id,
            None => self.offset + self.own.intern_short(key, hash),
        }
    }

    fn intern_hashed(&mut self, key: Key, hash: u64, bytes: &[u8]) -> u32 {
        match self.base.and_then(|base| base.find_hashed(key, hash, bytes)) {
            Some(id) => id,
            None => self.offset + self.own.intern_hashed(key, hash, bytes),
        }
    }

    pub fn intern(&mut self, bytes: &[u8]) -> u32 {
        let key = Key::of(bytes);
        self.intern_hashed(key, key.hash(seeds()), bytes)
    }

    /// The n-gram that goes on with another term. If that is an n-gram itself, it is taken word by word, so that
    /// `in` + `new york` is `in new` + `york`.
    #[inline]
    pub fn append(&mut self, id: u32, next: u32) -> u32 {
        match self.parts(next) {
            None => self.intern_pair(id, next),
            Some((before, last)) => {
                let id = self.append(id, before);
                self.intern_pair(id, last)
            }
        }
    }

    fn parts(&self, id: u32) -> Option<(u32, u32)> {
        match self.base {
            Some(base) if id < self.offset => base.pair(id),
            _ => self.own.pair(id - self.offset),
        }
    }

    /// A term by its text: what has spaces in it is an n-gram, so that a term has one id however it came.
    pub fn intern_text(&mut self, text: &str) -> u32 {
        let mut parts = text.split(' ');
        let first = self.intern(parts.next().unwrap_or("").as_bytes());
        parts.fold(first, |id, part| {
            let part = self.intern(part.as_bytes());
            self.intern_pair(id, part)
        })
    }

    #[inline]
    pub fn intern_pair(&mut self, a: u32, b: u32) -> u32 {
        let (key, in_base) = (Key::pair(a, b), self.base.filter(|_| a < self.offset && b < self.offset));
        let hash = key.hash(seeds());
        match in_base.and_then(|base| base.find_short(key, hash)) {
            Some(id) => id,
            None => self.offset + self.own.intern_short(key, hash),
        }
    }

    /// The pairs of two lists, one from each.
    pub fn intern_pairs(&mut self, firsts: &[u32], seconds: &[u32], ids: &mut Vec<u32>) {
        let seeds = seeds();
        let (mut keys, mut hashes, mut found) = ([Key::LONG; AHEAD], [0; AHEAD], [0; AHEAD]);
        for (firsts, seconds) in firsts.chunks(AHEAD).zip(seconds.chunks(AHEAD)) {
            for (place, (a, b)) in firsts.iter().zip(seconds).enumerate() {
                keys[place] = Key::pair(*a, *b);
                hashes[place] = keys[place].hash(seeds);
                self.prefetch(hashes[place]);
            }
            self.intern_many(&keys[..firsts.len()], &hashes, &mut found, |overlay, place| {
                overlay.intern_pair(firsts[place], seconds[place])
            });
            ids.extend_from_slice(&found[..firsts.len()]);
        }
    }

    pub fn text(&self, id: u32) -> String {
        match self.entry(id) {
            Entry::Word(bytes) => String::from_utf8(bytes.to_vec()).expect("keys are UTF-8"),
            Entry::Pair(a, b) => self.text(a) + " " + &self.text(b),
        }
    }

    pub fn entry(&self, id: u32) -> Entry<'_> {
        match self.base {
            Some(base) if id < self.offset => base.entry(id),
            _ => self.own.entry(id - self.offset),
        }
    }
}

/// Adds the entries of `from`, whose ids start at `offset`, to `into`; returns where each went. Ids below `offset`
/// mean the same in both. An empty interner takes the other as it is.
pub fn merge(into: &mut Interner, from: Interner, offset: u32) -> Vec<u32> {
    if into.is_empty() {
        *into = from;
        return (0..into.len() as u32).collect();
    }
    merge_all(into, &from, offset)
}

/// The same when the other is still needed.
pub fn merge_all(into: &mut Interner, from: &Interner, offset: u32) -> Vec<u32> {
    let mut moved: Vec<u32> = Vec::with_capacity(from.len());
    into.reserve(from.len() / 2); // a guess, so that the index seldom grows more than once
    for start in (0..from.len()).step_by(AHEAD) {
        let some = start as u32..from.len().min(start + AHEAD) as u32;
        for id in some.clone() {
            if let Some(key) = moved_key(from, id, offset, &moved) {
                into.prefetch(key.hash(seeds()));
            }
        }
        for id in some {
            let key = moved_key(from, id, offset, &moved).expect("what a pair is made of comes before it");
            moved.push(into.intern_key(key, from, id));
        }
    }
    moved
}

/// The key of an entry where its parts, if it is a pair, have the ids in `moved`; None if these are not there yet.
#[inline(always)]
fn moved_key(from: &Interner, id: u32, offset: u32, moved: &[u32]) -> Option<Key> {
    let place = |part: u32| if part < offset { Some(part) } else { moved.get((part - offset) as usize).copied() };
    match from.pair(id) {
        None => Some(from.key(id)),
        Some((a, b)) => Some(Key::pair(place(a)?, place(b)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_overlay_leaves_its_base_alone_and_merges_back() {
        let mut base = Interner::default();
        base.intern(b"known");
        let mut overlay = Overlay::over(&base);
        assert_eq!(overlay.intern(b"known"), 0);
        let new = overlay.intern(b"new");
        let pair = overlay.intern_pair(0, new);
        assert_eq!((new, pair), (1, 2));
        assert_eq!(overlay.text(pair), "known new");
        let own = overlay.own;
        assert_eq!(base.len(), 1);
        assert_eq!(merge(&mut base, own, 1), [1, 2]);
        assert_eq!(base.text(2), "known new");
        let mut overlay = Overlay::growing(base);
        assert_eq!(overlay.intern_text("known new"), 2);
    }
}
