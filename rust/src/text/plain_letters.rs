//! Plain letters of two bytes (Latin, Greek, Cyrillic, Armenian), and until where a text has nothing but these and
//! ASCII.

use std::sync::OnceLock;

/// Index of the first byte from `at` on that is neither ASCII nor part of a plain two-byte letter.
pub fn simple_prefix(bytes: &[u8], mut at: usize) -> usize {
    let plain = plain_letters();
    while at < bytes.len() {
        if let Some(block) = bytes.get(at..at + 64) {
            if block.iter().fold(0, |all, byte| all | byte) < 0x80 {
                at += 64;
                continue;
            }
            if block.iter().fold(true, |all, byte| all & is_ascii_or_cyrillic(*byte)) {
                at += 64 - (block[63] >= 0xc0) as usize; // a letter may go on behind the block
                continue;
            }
        }
        let end = bytes.len().min(at + 64);
        while at < end {
            match bytes[at..] {
                [..0x80, ..] => at += 1,
                [lead @ 0x80..0xe0, trail, ..] if plain[two_byte_char(lead, trail)] != 0 => at += 2,
                _ => return at,
            }
        }
    }
    at
}

/// Whether a byte of UTF-8 that starts no other kind of character is ASCII or part of a letter from U+0400 to U+047F;
/// these are all plain.
#[inline(always)]
fn is_ascii_or_cyrillic(byte: u8) -> bool {
    byte < 0xc0 || byte & 0xfe == 0xd0
}

/// The code point of a two-byte sequence.
#[inline(always)]
pub fn two_byte_char(lead: u8, trail: u8) -> usize {
    ((lead as usize & 0x1f) << 6) | (trail as usize & 0x3f)
}

/// For each code point below U+0800: its lower case if it is a plain letter, else 0. *Plain*: Word_Break=ALetter,
/// unchanged by NFC in any context, and its lower case is one two-byte character in any context.
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

/// The lower case of a Cyrillic letter, both counted from U+0400; below 128.
#[inline(always)]
pub fn lower_cyrillic(letter: u8) -> u8 {
    const LOWER: [u8; 128] = {
        let mut lower = [0; 128];
        let mut letter = 0;
        while letter < 128 {
            lower[letter as usize] = match letter {
                0x00..=0x0f => letter + 0x50,
                0x10..=0x2f => letter + 0x20,
                0x60..=0x7f => letter | 1,
                _ => letter,
            };
            letter += 1;
        }
        lower
    };
    LOWER[letter as usize & 0x7f]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cyrillic_letters_have_the_lower_case_of_the_table() {
        for letter in 0..128u8 {
            let code = 0x400 + letter as usize;
            assert_eq!(0x400 + lower_cyrillic(letter) as u16, plain_letters()[code], "{code:x}");
        }
    }
}
