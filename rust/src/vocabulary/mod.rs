//! Words and n-grams to ids, and back.
//!
//!     key       a word or a pair of ids in sixteen bytes
//!     interner  gives each key an id, in order of first sight
//!     overlay   the same on top of a vocabulary that is only read; merging the two

pub mod interner;
pub mod key;
pub mod overlay;
