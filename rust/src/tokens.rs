//! Texts to tokens: cut, composed, in lower case, numbered.

use crate::documents::{Lists, Rules, composed, spelling};
use crate::intern::{Key, prefetch, seeds};
use crate::scope::Scope;
use crate::words::{each_word_after, plain_letters, two_byte_char};
use std::ops::Range;

const AHEAD: usize = 64; // tokens whose slots are fetched before the first of them is looked up
const ENOUGH: usize = 4096; // words that are cut before they are numbered

/// A word of a text: where it stands, and whether its bytes are ASCII or plain two-byte letters.
struct Word {
    range: Range<usize>,
    simple: bool,
}

/// Cuts the texts and numbers their tokens in the scope.
///
/// Cutting, hashing and looking up are three short loops over a few words at a time rather than one long one over
/// single words, so that the processor can work on many words at once.
///
/// `seen` is called with each text, while it is near.
pub fn tokens(texts: &[&str], rules: &Rules, scope: &mut Scope, mut seen: impl FnMut(&str)) -> Lists {
    let (mut lists, mut words) = (Lists::default(), Vec::with_capacity(ENOUGH));
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    lists.ids.reserve(bytes / 5); // a guess on the high side: memory that is not used is not touched either
    for (place, text) in texts.iter().enumerate() {
        texts.get(place + 1).into_iter().for_each(|next| prefetch_text(next));
        seen(text);
        let (text, simple) = composed(text);
        each_word_after(&text, simple, rules.cut, |range, simple| {
            words.push(Word { range, simple });
            if words.len() == ENOUGH {
                number(&text, &words, rules.lowercase, scope, &mut lists.ids);
                words.clear();
            }
        });
        number(&text, &words, rules.lowercase, scope, &mut lists.ids);
        words.clear();
        lists.ends.push(lists.ids.len());
    }
    lists
}

/// Python's strings lie anywhere in memory: the next one is on its way while this one is read.
fn prefetch_text(text: &str) {
    text.as_bytes().iter().step_by(64).take(16).for_each(prefetch);
}

fn number(text: &str, words: &[Word], lowercase: bool, scope: &mut Scope, ids: &mut Vec<u32>) {
    let seeds = seeds();
    let mut keys = [(Key::LONG, 0); AHEAD];
    ids.reserve(words.len());
    for few in words.chunks(AHEAD) {
        for (place, word) in keys.iter_mut().zip(few) {
            let key = if word.simple { short_key(text.as_bytes(), &word.range, lowercase) } else { Key::LONG };
            *place = (key, key.hash(seeds));
            scope.prefetch(place.1);
        }
        for ((key, hash), word) in keys.iter().zip(few) {
            ids.push(match key.is_long() {
                false => scope.intern_short(*key, *hash),
                true => scope.intern(spelling(&text[word.range.clone()], lowercase).as_bytes()),
            });
        }
    }
}

/// The key of a simple word, in lower case if wanted, if it has at most fifteen bytes.
#[inline(always)]
fn short_key(bytes: &[u8], range: &Range<usize>, lowercase: bool) -> Key {
    let len = range.len();
    if len > 15 {
        return Key::LONG;
    }
    let (mut first, mut second) = load(bytes, range.start, len);
    if lowercase {
        if (first | second) & HIGH_BITS != 0 {
            return lower_two_byte_letters(&bytes[range.clone()]);
        }
        first = lower_ascii(first);
        second = lower_ascii(second);
    }
    Key::short(first, second, len)
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The first `len` ≤ 16 bytes from `start` as two little-endian words, the rest zero.
#[inline(always)]
fn load(bytes: &[u8], start: usize, len: usize) -> (u64, u64) {
    let Some(window) = bytes.get(start..start + 16) else {
        let mut padded = [0u8; 16];
        padded[..len].copy_from_slice(&bytes[start..start + len]);
        return halves(&padded);
    };
    let (first, second) = halves(window.try_into().unwrap());
    let (low, high) = MASKS[len];
    (first & low, second & high)
}

/// For each length the bits of two words that belong to the first bytes.
const MASKS: [(u64, u64); 17] = {
    let mut masks = [(0, 0); 17];
    let mut len = 1;
    while len <= 16 {
        let keep = u128::MAX >> (8 * (16 - len));
        masks[len] = (keep as u64, (keep >> 64) as u64);
        len += 1;
    }
    masks
};

#[inline(always)]
fn halves(bytes: &[u8; 16]) -> (u64, u64) {
    let (first, second) = bytes.split_at(8);
    (u64::from_le_bytes(first.try_into().unwrap()), u64::from_le_bytes(second.try_into().unwrap()))
}

/// Eight ASCII bytes to lower case at once.
#[inline(always)]
fn lower_ascii(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let from_a = word + ONES * (0x80 - b'A' as u64); // high bit set where byte >= 'A'
    let above_z = word + ONES * (0x7f - b'Z' as u64); // high bit set where byte > 'Z'
    word | ((from_a & !above_z & HIGH_BITS) >> 2)
}

fn lower_two_byte_letters(word: &[u8]) -> Key {
    let plain = plain_letters();
    let mut lowered = [0u8; 16];
    let mut at = 0;
    while at < word.len() {
        if word[at] < 0x80 {
            lowered[at] = word[at].to_ascii_lowercase();
            at += 1;
        } else {
            let lower = plain[two_byte_char(word[at], word[at + 1])];
            lowered[at] = 0xc0 | (lower >> 6) as u8;
            lowered[at + 1] = 0x80 | (lower & 0x3f) as u8;
            at += 2;
        }
    }
    let (first, second) = halves(&lowered);
    Key::short(first, second, word.len())
}
