//! Text to words.

pub mod plain_letters;
pub mod simple_words;
pub mod word_boundaries;
