//! How text becomes terms.

use crate::text::Punctuation;

/// How text becomes terms, apart from what a single token becomes.
#[derive(Clone, Debug)]
pub struct Rules {
    pub lowercase: bool,
    pub punctuation: Punctuation,
    pub words: bool,
    pub ngrams: (usize, usize),
    pub char_ngrams: Option<(usize, usize)>,
    pub phrases: Vec<(Vec<String>, String)>, // several tokens → one term
    pub mapped: bool,                        // the caller decides what tokens become
}

impl Default for Rules {
    /// Lower-case words, each by itself.
    fn default() -> Self {
        Rules {
            lowercase: true,
            punctuation: Punctuation::Drop,
            words: true,
            ngrams: (1, 1),
            char_ngrams: None,
            phrases: Vec::new(),
            mapped: false,
        }
    }
}

impl Rules {
    /// Whether tokens are terms, so that no mapping is needed.
    pub fn direct(&self) -> bool {
        self.words && !self.mapped && self.char_ngrams.is_none() && self.phrases.is_empty()
    }
}
