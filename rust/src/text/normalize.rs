//! The composed form of Unicode, and lower case.

use super::plain_letters::simple_prefix;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

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
