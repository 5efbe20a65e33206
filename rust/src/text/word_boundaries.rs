//! Cuts text into words by Unicode's word boundaries (UAX #29).
//!
//! A *word* is a segment that holds a letter, a digit or an emoji. Three additions:
//! - with `Punctuation::Keep`, punctuation and symbols are words too, white space never is;
//! - white space at the ends of a segment is not part of the word: a space is one segment with the marks behind it,
//!   and U+202F, which French sets before `!`, joins like `_`;
//! - scripts that are written without spaces (Han, Hiragana, Thai, Lao, Khmer, Burmese) come out of UAX #29
//!   as single characters; neighboring ones are joined to overlapping pairs, so that a word of two characters
//!   stays in one piece.
//!
//! Most text never reaches the general algorithm: a piece that holds only ASCII and plain two-byte letters
//! (Latin, Greek, Cyrillic) needs eight classes of bytes and one byte of look-ahead.

use super::Punctuation;
use super::plain_letters::simple_prefix;
use super::simple_words::{SimpleWords, WordBounds};
use crate::machine::processor::Portable;
use std::ops::Range;
use unicode_properties::UnicodeEmoji;
use unicode_segmentation::UnicodeSegmentation;

/// Calls `found` with the byte range of each word of `text`, in order.
pub fn each_word(text: &str, punctuation: Punctuation, mut found: impl FnMut(Range<usize>)) {
    let mut bounds = WordBounds::default();
    for piece in Pieces::new(text.as_bytes(), simple_prefix(text.as_bytes(), 0)) {
        match piece {
            Piece::Simple(range) => {
                let mut words = SimpleWords::<Portable>::new(text.as_bytes(), range, punctuation, &mut bounds);
                while let (starts @ [_, ..], ends) = words.next_words() {
                    starts.iter().zip(ends).for_each(|(start, end)| found(*start..*end));
                }
            }
            Piece::General(range) => each_general_word(text, range, punctuation, &mut found),
        }
    }
}

/// A piece of a text, cut by the short way or by the general algorithm.
pub enum Piece {
    Simple(Range<usize>),
    General(Range<usize>),
}

/// The pieces of a text, in order.
pub struct Pieces<'a> {
    bytes: &'a [u8],
    at: usize,
    simple: usize, // until where the text is simple from there
    general: Option<Range<usize>>,
}

impl<'a> Pieces<'a> {
    /// The first `simple` bytes of the text are simple.
    #[inline(always)]
    pub fn new(bytes: &'a [u8], simple: usize) -> Self {
        Pieces { bytes, at: 0, simple, general: None }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    #[inline(always)]
    fn next(&mut self) -> Option<Piece> {
        if self.general.is_none() && self.at < self.bytes.len() {
            let start = self.at;
            if self.simple == self.bytes.len() {
                self.at = self.simple;
                return Some(Piece::Simple(start..self.at));
            }
            let general = chunk_start(self.bytes, start, self.simple)..chunk_end(self.bytes, self.simple);
            self.at = general.start;
            self.general = Some(general);
            if start < self.at {
                return Some(Piece::Simple(start..self.at));
            }
        }
        let range = self.general.take()?;
        (self.at, self.simple) = (range.end, simple_prefix(self.bytes, range.end));
        Some(Piece::General(range))
    }
}

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

/// Words of a range that starts and ends at a word boundary.
pub fn each_general_word(
    text: &str,
    range: Range<usize>,
    punctuation: Punctuation,
    found: &mut impl FnMut(Range<usize>),
) {
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
        if is_word(segment, punctuation) {
            found(here);
        }
    }
    if let Some(before) = previous.filter(|_| !paired) {
        found(before);
    }
}

/// Is this segment a word, given that it is one segment of UAX #29?
fn is_word(segment: &str, punctuation: Punctuation) -> bool {
    segment.chars().any(|c| {
        c.is_alphanumeric()
            || (!c.is_ascii() && c.is_emoji_char())
            || (punctuation == Punctuation::Keep && is_visible(c))
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
    use crate::text::plain_letters::plain_letters;

    fn words(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        each_word(text, Punctuation::Drop, |range| found.push(&text[range]));
        found
    }

    /// The definition, with no short way and no pairs.
    fn segments(text: &str, punctuation: Punctuation) -> Vec<&str> {
        text.split_word_bounds().filter(|segment| is_word(segment, punctuation)).map(str::trim).collect()
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
            for punctuation in [Punctuation::Drop, Punctuation::Keep] {
                let mut found = Vec::new();
                each_word(&text, punctuation, |range| found.push(&text[range]));
                assert_eq!(found, segments(&text, punctuation), "{text:?} {punctuation:?}");
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
