//! Texts to term ids, one list for each document.
//!
//!     text ──tokenize──▶ token ids ──mapping──▶ words ──n-grams──▶ term ids
//!
//! The caller decides what a token becomes (lemma, stem, synonym, nothing), once for each distinct token of a batch. If
//! tokens are terms already, that step and its memory fall away.
//!
//!     rules          how text becomes terms
//!     id_lists       lists of ids, end to end
//!     tokenize       texts → token ids
//!     terms          token ids → term ids
//!     batch          both, on one thread or several
//!     mapping_cache  what tokens became, so that the caller is not asked twice

pub mod batch;
pub mod id_lists;
pub mod mapping_cache;
pub mod rules;
pub mod terms;
pub mod tokenize;
