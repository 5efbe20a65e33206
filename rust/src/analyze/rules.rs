//! Texts to lists of numbers: first tokens, then terms.
//!
//!     text ──words──▶ tokens ──mapping──▶ words and n-grams ──▶ ids, one list for each document
//!
//! What a token becomes (lemma, stem, synonym, nothing) is asked once for each distinct token, between `tokens` and
//! `terms`. When tokens are terms already, that step and its memory fall away.

use crate::count::term_weights::Weighting;
use crate::text::plain_letters::simple_prefix;
use crate::text::word_boundaries::Cut;
use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// How text becomes terms, apart from what a single token becomes.
#[derive(Clone, Debug)]
pub struct Rules {
    pub lowercase: bool,
    pub cut: Cut,
    pub words: bool,
    pub ngrams: (usize, usize),
    pub char_ngrams: Option<(usize, usize)>,
    pub phrases: Vec<(Vec<String>, String)>, // several tokens → one term
    pub mapped: bool,                        // tokens become other terms, which the caller knows
    pub weighting: Option<Weighting>,        // what is learnt of a term beside how often it stands there
}

impl Default for Rules {
    /// Lower-case words, each by itself.
    fn default() -> Self {
        Rules {
            lowercase: true,
            cut: Cut::DropPunctuation,
            words: true,
            ngrams: (1, 1),
            char_ngrams: None,
            phrases: Vec::new(),
            mapped: false,
            weighting: None,
        }
    }
}

impl Rules {
    /// Tokens are terms: no mapping is needed.
    pub fn direct(&self) -> bool {
        self.words && !self.mapped && self.char_ngrams.is_none() && self.phrases.is_empty()
    }
}

/// Lists of ids, one for each document, end to end.
#[derive(Default, Debug)]
pub struct Lists {
    pub ids: Vec<u32>,
    pub ends: Vec<usize>,
}

impl Lists {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn clear(&mut self) {
        self.ids.clear();
        self.ends.clear();
    }

    pub fn get(&self, document: usize) -> &[u32] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.ids[start..self.ends[document]]
    }
}

/// The text in Unicode's composed form (NFC), and until where it is simple.
pub fn composed(text: &str) -> (Cow<'_, str>, usize) {
    let simple = simple_prefix(text.as_bytes(), 0);
    if simple == text.len() || is_nfc_quick(text[simple..].chars()) == IsNormalized::Yes {
        return (Cow::Borrowed(text), simple);
    }
    let text: String = text.nfc().collect();
    let simple = simple_prefix(text.as_bytes(), 0);
    (Cow::Owned(text), simple)
}

/// A word as it is counted.
pub fn spelling(word: &str, lowercase: bool) -> Cow<'_, str> {
    if lowercase { Cow::Owned(word.to_lowercase()) } else { Cow::Borrowed(word) }
}
