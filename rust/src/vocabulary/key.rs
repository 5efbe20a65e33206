//! Keys of words and pairs: sixteen bytes that are compared at once.
//!
//! A key holds a word of up to fifteen bytes, which is nearly every word, or a pair of ids; of longer words it holds
//! a hash, and their bytes are elsewhere. A Cyrillic letter takes two bytes in UTF-8 but one in a key, so that
//! Russian words fit as English ones do.

use std::hash::{BuildHasher, RandomState};
use std::ops::Deref;
use std::sync::OnceLock;
use xxhash_rust::xxh3::xxh3_64_with_seed;

const INLINE: usize = 15; // bytes that a key holds itself
const KIND_BITS: u64 = 0xff << 56;

// The last byte of a key: how many bytes it holds itself, that many Cyrillic letters, or one of the others.
const CYRILLIC: u8 = 0x40;
const PAIR: u8 = 0xff;
const HASHED: u8 = 0xfe;
const LONG: u8 = 0xfd;

/// A key as it is compared: sixteen bytes, four to a cache line. The last byte tells what kind of key it is.
#[derive(Clone, Copy)]
pub struct Key {
    first: u64,
    second: u64,
}

/// The bytes of a word.
#[derive(Debug, PartialEq, Eq)]
pub enum Word<'a> {
    Short([u8; 32], usize), // with how many of them there are
    Long(&'a [u8]),
}

impl Deref for Word<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Word::Short(bytes, len) => &bytes[..*len],
            Word::Long(bytes) => bytes,
        }
    }
}

impl Key {
    /// No key: the word is too long for a key that is made in passing.
    pub const LONG: Key = Key::new(0, 0, LONG);

    #[inline(always)]
    const fn new(first: u64, second: u64, kind: u8) -> Key {
        Key { first, second: second | (kind as u64) << 56 }
    }

    #[inline(always)]
    fn kind(&self) -> u8 {
        (self.second >> 56) as u8
    }

    #[inline(always)]
    pub fn is_long(&self) -> bool {
        self.kind() == LONG
    }

    /// Whether it holds a hash, and the bytes of the word are elsewhere.
    #[inline(always)]
    pub(super) fn is_hashed(&self) -> bool {
        self.kind() == HASHED
    }

    /// The key of at most fifteen bytes, as two little-endian words.
    #[inline(always)]
    pub fn short(first: u64, second: u64, len: usize) -> Key {
        Key::new(first, second, len as u8)
    }

    pub fn of(bytes: &[u8]) -> Key {
        if let [0xd0 | 0xd1, ..] = bytes
            && let Some(key) = Key::cyrillic(bytes, |letter| letter)
        {
            return key;
        }
        if bytes.len() <= INLINE {
            let mut padded = [0u8; 16];
            padded[..bytes.len()].copy_from_slice(bytes);
            let (first, second) = padded.split_at(8);
            let word = |half: &[u8]| u64::from_le_bytes(half.try_into().expect("eight bytes"));
            return Key::short(word(first), word(second), bytes.len());
        }
        Key::new(xxh3_64_with_seed(bytes, seeds().one), 0, HASHED)
    }

    /// The key of a word of Cyrillic letters alone (U+0400 to U+047F), of which there are at most fifteen.
    #[inline(always)]
    pub fn cyrillic(bytes: &[u8], letter: impl Fn(u8) -> u8) -> Option<Key> {
        let (mut letters, len) = ([0u8; 16], bytes.len() / 2);
        if bytes.len() % 2 == 1 || len > INLINE || len == 0 {
            return None;
        }
        let mut leads = 0; // 0xd0 or 0xd1
        for (place, pair) in letters.iter_mut().zip(bytes.chunks_exact(2)) {
            leads |= pair[0] ^ 0xd0;
            *place = letter((pair[0] & 1) << 6 | (pair[1] & 0x3f));
        }
        let all = u128::from_le_bytes(letters);
        (leads <= 1).then_some(Key::new(all as u64, (all >> 64) as u64, CYRILLIC | len as u8))
    }

    #[inline(always)]
    pub fn pair(a: u32, b: u32) -> Key {
        Key::new(((a as u64) << 32) | b as u64, 0, PAIR)
    }

    #[inline(always)]
    pub fn hash(self, seeds: Seeds) -> u64 {
        let product = (self.first ^ seeds.one) as u128 * (self.second ^ seeds.two) as u128;
        (product as u64) ^ (product >> 64) as u64
    }

    /// The two ids, if it is a pair.
    #[inline(always)]
    pub(super) fn ids(self) -> Option<(u32, u32)> {
        (self.kind() == PAIR).then_some(((self.first >> 32) as u32, self.first as u32))
    }

    /// The key of a hashed word, with the place of its bytes.
    #[inline(always)]
    pub(super) fn at_place(mut self, place: usize) -> Key {
        self.second |= place as u64;
        self
    }

    /// The place of a hashed word's bytes.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        (self.second & !KIND_BITS) as usize
    }

    /// Whether both hold the same hash.
    #[inline(always)]
    pub(super) fn has_hash_of(&self, other: &Key) -> bool {
        self.first == other.first && self.kind() == HASHED
    }

    /// The word that a key holds itself.
    pub(super) fn word(self) -> Word<'static> {
        let (mut bytes, kind) = ([0; 32], self.kind());
        bytes[..8].copy_from_slice(&self.first.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.second.to_le_bytes());
        if kind & CYRILLIC == 0 {
            return Word::Short(bytes, kind as usize);
        }
        let letters = (kind ^ CYRILLIC) as usize;
        for place in (0..letters).rev() {
            let letter = bytes[place];
            (bytes[2 * place], bytes[2 * place + 1]) = (0xd0 | letter >> 6, 0x80 | letter & 0x3f);
        }
        Word::Short(bytes, 2 * letters)
    }

    /// A long word's key without the place of its bytes.
    #[inline(always)]
    pub(super) fn as_looked_up(mut self) -> Key {
        if self.kind() == HASHED {
            self.second &= KIND_BITS;
        }
        self
    }

    #[inline(always)]
    pub(super) fn is(&self, other: &Key) -> bool {
        (self.first ^ other.first) | (self.second ^ other.second) == 0
    }
}

/// Random for each process, so that nobody can prepare a text whose words all collide. Ids do not depend on it.
#[derive(Clone, Copy)]
pub struct Seeds {
    one: u64,
    two: u64,
}

#[inline(always)]
pub fn seeds() -> Seeds {
    static SEEDS: OnceLock<Seeds> = OnceLock::new();
    *SEEDS.get_or_init(|| {
        let state = RandomState::new();
        Seeds { one: state.hash_one(1u8) | 1, two: state.hash_one(2u8) | 1 }
    })
}
