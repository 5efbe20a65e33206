//! Texts to token ids: composed, cut into words, put into lower case, numbered.

use super::id_lists::IdLists;
use super::rules::Rules;
#[cfg(target_arch = "x86_64")]
use crate::machine::processor::Avx2;
use crate::machine::processor::{HIGH_BITS, Portable, Processor, prefetch};
use crate::text::plain_letters::{lower_cyrillic, plain_letters, two_byte_char};
use crate::text::simple_words::{SimpleWords, WordBounds};
use crate::text::word_boundaries::{Piece, Pieces, each_general_word};
use crate::text::{cased, composed};
use crate::vocabulary::key::{Key, seeds};
use crate::vocabulary::overlay::{AHEAD, Overlay};
use std::ops::Range;

/// Cuts the texts, numbers their tokens in the overlay and adds them to the lists.
///
/// Cutting, hashing and looking up are three short loops over a few words at a time rather than one long one over
/// single words, so that the processor can work on many words at once.
///
/// `seen` is called with each text, while it is in the cache.
pub fn tokenize(texts: &[&str], rules: &Rules, overlay: &mut Overlay, lists: &mut IdLists, seen: impl FnMut(&str)) {
    #[cfg(target_arch = "x86_64")]
    if Avx2::is_available() {
        // SAFETY: the processor has what the function needs.
        return unsafe { tokenize_avx2(texts, rules, overlay, lists, seen) };
    }
    tokenize_on::<Portable>(texts, rules, overlay, lists, seen)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn tokenize_avx2(texts: &[&str], rules: &Rules, overlay: &mut Overlay, lists: &mut IdLists, seen: impl FnMut(&str)) {
    tokenize_on::<Avx2>(texts, rules, overlay, lists, seen)
}

#[inline(always)]
fn tokenize_on<P: Processor>(
    texts: &[&str],
    rules: &Rules,
    overlay: &mut Overlay,
    lists: &mut IdLists,
    mut seen: impl FnMut(&str),
) {
    let mut bounds = WordBounds::default();
    for (place, text) in texts.iter().enumerate() {
        texts.get(place + 1).into_iter().for_each(|next| prefetch_text(next));
        seen(text);
        let (text, simple) = composed(text);
        for piece in Pieces::new(text.as_bytes(), simple) {
            match piece {
                Piece::Simple(range) => {
                    let mut words = SimpleWords::<P>::new(text.as_bytes(), range, rules.punctuation, &mut bounds);
                    while let (starts @ [_, ..], ends) = words.next_words() {
                        number::<P>(&text, starts, ends, rules.lowercase, overlay, &mut lists.ids);
                    }
                }
                Piece::General(range) => each_general_word(&text, range, rules.punctuation, &mut |word| {
                    lists.ids.push(overlay.intern(cased(&text[word], rules.lowercase).as_bytes()));
                }),
            }
        }
        lists.ends.push(lists.ids.len());
    }
}

/// Python's strings lie anywhere in memory: the next one is on its way while this one is read.
fn prefetch_text(text: &str) {
    text.as_bytes().iter().step_by(64).take(24).for_each(prefetch);
}

/// Numbers simple words.
#[inline(always)]
fn number<P: Processor>(
    text: &str,
    starts: &[usize],
    ends: &[usize],
    lowercase: bool,
    overlay: &mut Overlay,
    ids: &mut Vec<u32>,
) {
    let seeds = seeds();
    let (mut keys, mut hashes, mut found) = ([Key::LONG; AHEAD], [0; AHEAD], [0; AHEAD]);
    for (starts, ends) in starts.chunks(AHEAD).zip(ends.chunks(AHEAD)) {
        for (place, (start, end)) in starts.iter().zip(ends).enumerate() {
            let key = short_key::<P>(text.as_bytes(), *start..*end, lowercase);
            (keys[place], hashes[place]) = (key, key.hash(seeds));
            overlay.prefetch(hashes[place]);
        }
        overlay.intern_many(&keys[..starts.len()], &hashes, &mut found, |overlay, place| match keys[place].is_long() {
            false => overlay.intern_short(keys[place], hashes[place]),
            true => overlay.intern(cased(&text[starts[place]..ends[place]], lowercase).as_bytes()),
        });
        let wanted = ids.len() + starts.len();
        ids.extend_from_slice(&found); // all of them: a length that is known is quicker to copy
        ids.truncate(wanted);
    }
}

/// The key of a simple word, in lower case if wanted, if a key can hold it.
#[inline(always)]
fn short_key<P: Processor>(bytes: &[u8], range: Range<usize>, lowercase: bool) -> Key {
    let len = range.len();
    if len <= 15 {
        let (first, second) = load(bytes, &range);
        if (first | second) & HIGH_BITS == 0 {
            let (first, second) = if lowercase { P::lower_ascii(first, second) } else { (first, second) };
            return Key::short(first, second, len);
        }
    }
    key_beyond_ascii(&bytes[range], lowercase)
}

/// The same for a word that is longer, or not ASCII.
fn key_beyond_ascii(word: &[u8], lowercase: bool) -> Key {
    let cyrillic = match (word[0] & 0xfe, lowercase) {
        (0xd0, true) => Key::cyrillic(word, lower_cyrillic),
        (0xd0, false) => Key::cyrillic(word, |letter| letter),
        _ => None,
    };
    match cyrillic {
        Some(key) => key,
        None if word.len() > 15 => Key::LONG,
        None if lowercase => lower_two_byte_letters(word),
        None => Key::of(word),
    }
}

/// At most sixteen bytes as two little-endian words, the rest zero.
#[inline(always)]
fn load(bytes: &[u8], range: &Range<usize>) -> (u64, u64) {
    let len = range.len();
    let Some(window) = bytes.get(range.start..range.start + 16) else {
        let mut padded = [0; 16];
        padded[..len].copy_from_slice(&bytes[range.clone()]);
        return halves(&padded);
    };
    let (first, second) = halves(window.try_into().expect("16 bytes"));
    (first & MASKS[len].0, second & MASKS[len].1)
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
