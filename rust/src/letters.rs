//! Plain letters of two bytes (Latin, Greek, Cyrillic, Armenian), and until where a text has nothing but these and ASCII.

use std::sync::OnceLock;

/// Index of the first byte from `at` on that is neither ASCII nor part of a plain two-byte letter.
pub fn simple_prefix(bytes: &[u8], mut at: usize) -> usize {
    let plain = plain_letters();
    loop {
        at += ascii_prefix(&bytes[at..]);
        match bytes[at..] {
            [lead @ 0x80..0xe0, trail, ..] if plain[two_byte_char(lead, trail)] != 0 => at += 2,
            _ => return at,
        }
    }
}

/// How many bytes are ASCII before the first that is not.
#[inline]
fn ascii_prefix(bytes: &[u8]) -> usize {
    let blocks = bytes.chunks_exact(64).take_while(|block| block.iter().fold(0, |all, byte| all | byte) < 0x80);
    let passed = 64 * blocks.count();
    passed + bytes[passed..].iter().take_while(|byte| **byte < 0x80).count()
}

/// The code point of a two-byte sequence.
#[inline(always)]
pub fn two_byte_char(lead: u8, trail: u8) -> usize {
    ((lead as usize & 0x1f) << 6) | (trail as usize & 0x3f)
}

/// For each code point below U+0800: its lower case if it is a plain letter, else 0. *Plain*: Word_Break=ALetter,
/// unchanged by NFC whatever stands around it, and its lower case is one two-byte character whatever stands around it.
pub fn plain_letters() -> &'static [u16; 0x800] {
    static TABLE: OnceLock<[u16; 0x800]> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut lower = [0u16; 0x800];
        for range in PLAIN_LETTER_RANGES {
            for code in range.clone() {
                let mut lowered = char::from_u32(code).unwrap().to_lowercase();
                let first = lowered.next().unwrap() as u32;
                if lowered.next().is_none() && (0x80..0x800).contains(&first) && code != CAPITAL_SIGMA {
                    lower[code as usize] = first as u16;
                }
            }
        }
        lower
    })
}

const CAPITAL_SIGMA: u32 = 0x3a3; // its lower case depends on whether it ends the word

const PLAIN_LETTER_RANGES: [std::ops::RangeInclusive<u32>; 12] = [
    0xc0..=0xd6,   // Latin-1
    0xd8..=0xf6,   //
    0xf8..=0x2af,  // Latin Extended-A and -B, IPA
    0x370..=0x373, // Greek and Coptic
    0x376..=0x377, //
    0x37b..=0x37d, //
    0x388..=0x38a, //
    0x38e..=0x3a1, //
    0x3a3..=0x3f5, //
    0x3f7..=0x481, // Cyrillic
    0x48a..=0x52f, //
    0x561..=0x586, // Armenian, lower case
];
