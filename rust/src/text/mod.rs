//! Text to words: put into the composed form of Unicode, cut, put into lower case.
//!
//!     plain_letters    letters of two bytes that need no context
//!     simple_words     words of text that has only ASCII and these, 64 bytes at a time
//!     word_boundaries  words of any text, by the rules of Unicode

pub mod plain_letters;
pub mod simple_words;
pub mod word_boundaries;

use plain_letters::simple_prefix;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Whether punctuation and symbols are words too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Punctuation {
    Drop,
    Keep,
}

/// The text in Unicode's composed form (NFC), and how many bytes at its start are simple: ASCII or plain letters.
pub fn composed(text: &str) -> (Cow<'_, str>, usize) {
    let simple = simple_prefix(text.as_bytes(), 0);
    if simple == text.len() || is_nfc_quick(text[simple..].chars()) == IsNormalized::Yes {
        return (Cow::Borrowed(text), simple);
    }
    let text: String = text.nfc().collect();
    let simple = simple_prefix(text.as_bytes(), 0);
    (Cow::Owned(text), simple)
}

/// The word, in lower case if wanted.
pub fn cased(word: &str, lowercase: bool) -> Cow<'_, str> {
    if lowercase { Cow::Owned(word.to_lowercase()) } else { Cow::Borrowed(word) }
}
