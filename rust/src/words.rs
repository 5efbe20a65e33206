//! Cuts text into words by Unicode's word boundaries (UAX #29).
//!
//! A *word* is a segment that holds a letter, a digit or an emoji. Three additions:
//! - with `Cut::KeepPunctuation`, punctuation and symbols are words too, white space never is;
//! - white space at the ends of a segment is no part of the word: a space is one segment with the marks behind it,
//!   and U+202F, which French sets before `!`, joins like `_`;
//! - scripts that are written without spaces (Han, Hiragana, Thai, Lao, Khmer, Burmese) come out of UAX #29
//!   as single characters; neighbouring ones are joined to overlapping pairs, so that a word of two characters
//!   stays in one piece.
//!
//! Most text never reaches the general algorithm: a stretch that holds only ASCII and plain two-byte letters
//! (Latin, Greek, Cyrillic) needs eight classes of bytes and one byte of look-ahead.

use std::ops::Range;
use std::sync::OnceLock;
use unicode_properties::UnicodeEmoji;
use unicode_segmentation::UnicodeSegmentation;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    DropPunctuation,
    KeepPunctuation,
}

/// Calls `found` with the byte range of each word of `text`, in order. `simple` is true for words whose bytes are
/// ASCII or plain two-byte letters.
pub fn each_word(text: &str, cut: Cut, found: impl FnMut(Range<usize>, bool)) {
    each_word_after(text, simple_prefix(text.as_bytes(), 0), cut, found);
}

/// The same when it is known already until where the text is simple.
pub fn each_word_after(text: &str, simple: usize, cut: Cut, mut found: impl FnMut(Range<usize>, bool)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let simple_until = if at == 0 { simple } else { simple_prefix(bytes, at) };
        if simple_until == bytes.len() {
            return each_simple_word(bytes, at..simple_until, cut, &mut |range| found(range, true));
        }
        let chunk = chunk_start(bytes, at, simple_until);
        each_simple_word(bytes, at..chunk, cut, &mut |range| found(range, true));
        let chunk_end = chunk_end(bytes, simple_until);
        each_general_word(text, chunk..chunk_end, cut, &mut |range| found(range, false));
        at = chunk_end;
    }
}

// ---- the short way: ASCII and plain two-byte letters -------------------------------------------------------------

const OTHER: u8 = 0;
const LETTER: u8 = 1; // also every byte of a plain two-byte letter
const DIGIT: u8 = 2;
const UNDERSCORE: u8 = 3; // ExtendNumLet
const MID_BOTH: u8 = 4; // MidNumLet and Single_Quote: between two letters or two digits
const MID_LETTER: u8 = 5; // between two letters
const MID_NUMBER: u8 = 6; // between two digits
const SPACE: u8 = 7; // white space and control characters: never a word

const CLASS: [u8; 256] = classes();

const fn classes() -> [u8; 256] {
    let mut class = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b'A'..=b'Z' | b'a'..=b'z' | 0x80..=0xff => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDERSCORE,
            b'.' | b'\'' => MID_BOTH,
            b':' => MID_LETTER,
            b',' | b';' => MID_NUMBER,
            0..=b' ' | 0x7f => SPACE,
            _ => OTHER,
        };
        byte += 1;
    }
    class
}

/// Words of a range in which every byte is ASCII or part of a plain two-byte letter.
#[inline(always)]
fn each_simple_word(bytes: &[u8], range: Range<usize>, cut: Cut, found: &mut impl FnMut(Range<usize>)) {
    let mut runs = Runs::new(&bytes[..range.end], range.start);
    let mut gap = range.start; // where the last word ended
    while let Some(run) = runs.next() {
        if cut == Cut::KeepPunctuation {
            each_mark(bytes, gap..run.start, found);
        }
        let mut word = run;
        while joins(bytes, word.end, range.end) {
            word.end = runs.next().map_or(range.end, |next| next.end);
        }
        if bytes[word.start] != b'_' || cut == Cut::KeepPunctuation || is_named(&bytes[word.clone()]) {
            found(word.clone());
        }
        gap = word.end;
    }
    if cut == Cut::KeepPunctuation {
        each_mark(bytes, gap..range.end, found);
    }
}

/// Does the mark at `at` join the run before it with the one after it, like the apostrophe of "don't"?
#[inline(always)]
fn joins(bytes: &[u8], at: usize, end: usize) -> bool {
    if at + 1 >= end || bytes[at] == b' ' {
        return false;
    }
    let (before, mark, after) = (class(bytes[at - 1]), class(bytes[at]), class(bytes[at + 1]));
    match mark {
        MID_BOTH => before == after && (after == LETTER || after == DIGIT),
        MID_LETTER => before == LETTER && after == LETTER,
        MID_NUMBER => before == DIGIT && after == DIGIT,
        _ => false,
    }
}

#[inline(always)]
fn class(byte: u8) -> u8 {
    CLASS[byte as usize]
}

/// Punctuation between words, each mark by itself.
fn each_mark(bytes: &[u8], gap: Range<usize>, found: &mut impl FnMut(Range<usize>)) {
    gap.filter(|at| class(bytes[*at]) != SPACE).for_each(|at| found(at..at + 1));
}

/// Does the word hold a letter or digit? `___` does not.
fn is_named(word: &[u8]) -> bool {
    word.iter().any(|byte| class(*byte) == LETTER || class(*byte) == DIGIT)
}

/// Runs of letters, digits and underscores, found 64 bytes at a time.
struct Runs<'a> {
    bytes: &'a [u8],
    block: usize, // where the current 64 bytes start
    mask: u64,    // its bits that are still to be looked at: 1 for a byte of a word
}

impl<'a> Runs<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8], start: usize) -> Self {
        Runs { bytes, block: start, mask: word_mask(bytes, start) }
    }

    #[inline(always)]
    fn next(&mut self) -> Option<Range<usize>> {
        while self.mask == 0 {
            self.block += 64;
            if self.block >= self.bytes.len() {
                return None;
            }
            self.mask = word_mask(self.bytes, self.block);
        }
        let start = self.mask.trailing_zeros();
        let length = (!(self.mask >> start)).trailing_zeros();
        let from = self.block + start as usize;
        if start + length < 64 {
            self.mask &= u64::MAX << (start + length);
            return Some(from..from + length as usize);
        }
        loop {
            self.block += 64;
            self.mask = word_mask(self.bytes, self.block);
            let length = (!self.mask).trailing_zeros();
            if length < 64 {
                self.mask &= u64::MAX << length;
                return Some(from..self.block + length as usize);
            }
        }
    }
}

/// Bit i is 1 if byte `at + i` belongs to a word; 0 beyond the end.
#[inline(always)]
fn word_mask(bytes: &[u8], at: usize) -> u64 {
    match bytes.get(at..at + 64) {
        Some(block) => full_mask(block.try_into().expect("64 bytes")),
        None => {
            let rest = &bytes[at.min(bytes.len())..];
            rest.iter().enumerate().fold(0, |mask, (bit, byte)| mask | (is_word_byte(*byte) as u64) << bit)
        }
    }
}

#[inline(always)]
fn is_word_byte(byte: u8) -> bool {
    matches!(class(byte), LETTER | DIGIT | UNDERSCORE)
}

#[cfg(not(target_arch = "x86_64"))]
fn full_mask(block: &[u8; 64]) -> u64 {
    block.iter().enumerate().fold(0, |mask, (bit, byte)| mask | (is_word_byte(*byte) as u64) << bit)
}

#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn full_mask(block: &[u8; 64]) -> u64 {
    use std::arch::x86_64::*;
    // SAFETY: SSE2 is part of every x86_64 processor, and the four loads stay inside the 64 bytes.
    unsafe {
        let sixteen = |quarter: usize| {
            let byte = _mm_loadu_si128(block.as_ptr().add(16 * quarter).cast());
            let within = |byte: __m128i, low: u8, high: u8| {
                // Signed comparison of bytes moved so that the range starts at the smallest value.
                let moved = _mm_add_epi8(byte, _mm_set1_epi8((0x80u8.wrapping_sub(low)) as i8));
                _mm_cmplt_epi8(moved, _mm_set1_epi8((0x80u8.wrapping_add(high - low + 1)) as i8))
            };
            let letter = within(_mm_or_si128(byte, _mm_set1_epi8(0x20)), b'a', b'z');
            let digit = within(byte, b'0', b'9');
            let underscore = _mm_cmpeq_epi8(byte, _mm_set1_epi8(b'_' as i8));
            let word = _mm_or_si128(_mm_or_si128(letter, digit), _mm_or_si128(underscore, byte)); // high bit: not ASCII
            _mm_movemask_epi8(word) as u16 as u64
        };
        sixteen(0) | sixteen(1) << 16 | sixteen(2) << 32 | sixteen(3) << 48
    }
}

/// Index of the first byte from `at` on that is neither ASCII nor part of a plain two-byte letter.
pub fn simple_prefix(bytes: &[u8], mut at: usize) -> usize {
    let plain = plain_letters();
    while at < bytes.len() {
        if let Some(eight) = bytes.get(at..at + 8)
            && u64::from_le_bytes(eight.try_into().unwrap()) & 0x8080_8080_8080_8080 == 0
        {
            at += 8;
            continue;
        }
        let byte = bytes[at];
        if byte < 0x80 {
            at += 1;
        } else if byte < 0xe0 && plain[two_byte_char(byte, bytes[at + 1])] != 0 {
            at += 2;
        } else {
            return at;
        }
    }
    at
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

// ---- the long way ------------------------------------------------------------------------------------------------

/// The start of the white-space-delimited chunk that holds `inside`: a place between a space and something that is
/// neither a space nor a mark that would extend it, hence a word boundary.
fn chunk_start(bytes: &[u8], from: usize, inside: usize) -> usize {
    let starts = |at: &usize| is_space(bytes[*at - 1]) && !is_space(bytes[*at]);
    (from + 1..inside).rev().find(starts).unwrap_or(from)
}

/// The end of that chunk: a space that is not itself extended by a mark that follows it.
fn chunk_end(bytes: &[u8], inside: usize) -> usize {
    let mut at = inside;
    while let Some(step) = bytes[at..].iter().position(|byte| is_space(*byte)) {
        at += step;
        match bytes.get(at + 1) {
            None => return at,
            Some(byte) if *byte < 0x80 => return at,
            Some(_) if simple_prefix(bytes, at + 1) > at + 1 => return at,
            Some(_) => at += 1,
        }
    }
    bytes.len()
}

#[inline(always)]
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

fn each_general_word(text: &str, range: Range<usize>, cut: Cut, found: &mut impl FnMut(Range<usize>)) {
    let mut previous: Option<Range<usize>> = None; // an unspaced segment whose pair is still open
    let mut paired = false;
    for (offset, segment) in text[range.clone()].split_word_bound_indices() {
        let start = range.start + offset;
        // Some spaces join like `_`; a word is without them.
        let here = start + segment.len() - segment.trim_start().len()..start + segment.trim_end().len();
        if is_unspaced(segment) {
            if let Some(before) = previous.take() {
                found(before.start..here.end);
                paired = true;
            }
            previous = Some(here);
            continue;
        }
        if let Some(before) = previous.take().filter(|_| !paired) {
            found(before);
        }
        paired = false;
        if is_word(segment, cut) {
            found(here);
        }
    }
    if let Some(before) = previous.filter(|_| !paired) {
        found(before);
    }
}

/// Is this segment a word, given that it is one segment of UAX #29?
fn is_word(segment: &str, cut: Cut) -> bool {
    segment.chars().any(|c| {
        c.is_alphanumeric() || (!c.is_ascii() && c.is_emoji_char()) || (cut == Cut::KeepPunctuation && is_visible(c))
    })
}

fn is_visible(c: char) -> bool {
    !c.is_whitespace() && !c.is_control() && !is_ignorable(c)
}

/// Default_Ignorable_Code_Point: joiners, direction marks, variation selectors, tags, the byte-order mark and others
/// that show nothing.
fn is_ignorable(c: char) -> bool {
    matches!(c as u32,
        0xad | 0x34f | 0x61c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f | 0x202a..=0x202e
        | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfff8
        | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff
    )
}

/// Does the segment belong to a script that is written without spaces between words?
fn is_unspaced(segment: &str) -> bool {
    segment.chars().next().is_some_and(|c| {
        c.is_alphanumeric()
            && matches!(c as u32,
                0x0e01..=0x0eff   // Thai, Lao
                | 0x1000..=0x109f | 0xa9e0..=0xa9fe | 0xaa60..=0xaa7f // Burmese
                | 0x1780..=0x17ff // Khmer
                | 0x3041..=0x309f | 0x1b001..=0x1b11f | 0x1b150..=0x1b152 // Hiragana
                | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3038..=0x303b | 0x16fe3 // Han: iteration marks, numerals
                | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x20000..=0x3ffff // Han
            )
            && !is_unspaced_digit(c)
    })
}

/// Digits of these scripts are joined to numbers by UAX #29 already.
fn is_unspaced_digit(c: char) -> bool {
    matches!(c as u32,
        0x0e50..=0x0e59 | 0x0ed0..=0x0ed9 | 0x1040..=0x1049 | 0x1090..=0x1099 | 0x17e0..=0x17e9 | 0xa9f0..=0xa9f9
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        each_word(text, Cut::DropPunctuation, |range, _| found.push(&text[range]));
        found
    }

    /// The definition, with no short way and no pairs.
    fn segments(text: &str, cut: Cut) -> Vec<&str> {
        text.split_word_bounds().filter(|segment| is_word(segment, cut)).map(str::trim).collect()
    }

    #[test]
    fn words_stay_whole() {
        assert_eq!(words("don't e.g. 3.14, 1,000; a_b!"), ["don't", "e.g", "3.14", "1,000", "a_b"]);
        assert_eq!(words("हिन्दी में शब्द"), ["हिन्दी", "में", "शब्द"]);
        assert_eq!(words("مرحبا بالعالم"), ["مرحبا", "بالعالم"]);
        assert_eq!(words("👩‍👩‍👧 😀😀 🇩🇪🇫🇷"), ["👩‍👩‍👧", "😀", "😀", "🇩🇪", "🇫🇷"]);
    }

    #[test]
    fn scripts_without_spaces_become_pairs() {
        assert_eq!(words("中文分词 x 好"), ["中文", "文分", "分词", "x", "好"]);
        assert_eq!(words("ไทย"), ["ไท", "ทย"]);
    }

    #[test]
    fn white_space_is_no_part_of_a_word() {
        assert_eq!(words("घर \u{93e} hi \u{200d}😀"), ["घर", "\u{93e}", "hi", "\u{200d}😀"]);
        assert_eq!(words("Bonjour\u{202f}! 10\u{202f}000"), ["Bonjour", "10\u{202f}000"]);
    }

    #[test]
    fn the_short_way_equals_the_definition_on_every_sequence_of_four_classes() {
        let samples = [
            'a', 'Z', '7', '_', '.', '\'', ':', ',', ';', ' ', '\n', '"', '-', 'é', 'Ж', '\u{308}', '\u{200d}', '’',
            'א', '\0',
        ];
        let n = samples.len();
        for code in 0..n.pow(4) {
            let text: String = (0..4).map(|place| samples[code / n.pow(place) % n]).collect();
            for cut in [Cut::DropPunctuation, Cut::KeepPunctuation] {
                let mut found = Vec::new();
                each_word(&text, cut, |range, _| found.push(&text[range]));
                assert_eq!(found, segments(&text, cut), "{text:?} {cut:?}");
            }
        }
    }

    #[test]
    fn every_byte_is_classed_alike_in_blocks_and_one_by_one() {
        for byte in 0..=255u8 {
            for place in [0, 15, 16, 63] {
                let mut block = [b' '; 64];
                block[place] = byte;
                assert_eq!(full_mask(&block), (is_word_byte(byte) as u64) << place, "{byte}");
            }
        }
    }

    #[test]
    fn words_across_blocks_are_found_whole() {
        for length in [1, 5, 62, 63, 64, 65, 127, 128, 129, 300] {
            for before in 0..70 {
                let word = "x".repeat(length);
                let text = format!("{}{word} don't {word}.{word} _", " ".repeat(before));
                assert_eq!(words(&text), [word.clone(), "don't".to_string(), format!("{word}.{word}")]);
            }
        }
    }

    #[test]
    fn plain_letters_behave_like_ascii_letters() {
        use unicode_normalization::UnicodeNormalization;
        for (code, lower) in plain_letters().iter().enumerate().filter(|(_, lower)| **lower != 0) {
            let letter = char::from_u32(code as u32).unwrap();
            for text in
                [format!("a{letter}a"), format!("1{letter}1"), format!("{letter}.{letter}"), format!("{letter}_")]
            {
                assert_eq!(text.split_word_bounds().count(), 1, "{letter}");
            }
            assert_eq!(format!("{letter},{letter} {letter}").split_word_bounds().count(), 5, "{letter}");
            assert_eq!(letter.to_string().nfc().collect::<String>(), letter.to_string());
            assert!(letter.is_alphanumeric());
            assert_eq!(letter.to_lowercase().collect::<Vec<_>>(), [char::from_u32(*lower as u32).unwrap()]);
        }
    }
}
