//! Text to words.
//!
//!     normalize        the composed form of Unicode, lower case
//!     plain_letters    letters of two bytes that need no context
//!     simple_words     words of text that has only ASCII and these, 64 bytes at a time
//!     word_boundaries  words of any text, by the rules of Unicode

pub mod normalize;
pub mod plain_letters;
pub mod simple_words;
pub mod word_boundaries;

/// Whether punctuation and symbols are words too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Punctuation {
    Drop,
    Keep,
}
