//! The counts of a text column: for each term and label, how often (`tf`), in how many documents (`df`), and the sum of
//! its weights in them (`weighted`; 0 where nothing is weighed).
//!
//! All numbers are whole, in units that the caller chooses, so sums are exact in any order. Rows hold only the labels
//! under which a term was seen. A term whose row is empty is not in the vocabulary, whatever id it still has.
//!
//!     row                   the counts of one term, and the sums of its weights
//!     add                   cells, the sums of a batch, another table
//!     subtract              another table, or one document that is forgotten
//!     learn                 documents are analyzed, summed and added
//!     prune                 the rarest terms are dropped
//!     postings              the counts that are not 0
//!     document_term_matrix  the terms of many documents
//!     tallies               numbers about the whole vocabulary, kept up to date; tally_numbers: which
//!     arrays                the table as plain arrays, and back

mod add;
pub mod arrays;
pub mod document_term_matrix;
pub mod learn;
pub mod postings;
pub mod prune;
pub mod row;
mod subtract;
pub mod tallies;
pub mod tally_numbers;
#[cfg(test)]
mod tests;

use crate::count::totals::Totals;
use crate::vocabulary::interner::Interner;
use row::{Cell, Row, WeightedSums};
use tallies::Tallies;

pub use add::RenumberedSums;
pub use subtract::NotHeld;

#[derive(Default, Clone)]
pub struct Table {
    pub terms: Interner,
    rows: Vec<Row>,
    weighted: WeightedSums,
    totals: Vec<Totals>, // by label
    live: usize,         // terms with a row that is not empty
    tallies: Tallies,    // that readers of the table have asked for
    changes: u64,        // how often a change of the counts was begun
    tidied: usize,       // ids that there were when ids without a term were last dropped
}

impl Table {
    pub fn totals(&self) -> &[Totals] {
        &self.totals
    }

    /// Increases when a change of the counts begins, and not before it is known that the change can be made.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// How many terms are in the vocabulary.
    pub fn live(&self) -> usize {
        self.live
    }

    /// How many ids there are; some may be of no term of the vocabulary.
    pub fn ids(&self) -> usize {
        self.terms.len()
    }

    pub fn row(&self, id: u32) -> &[Cell] {
        self.rows.get(id as usize).map_or(&[], |row| row.as_slice())
    }

    /// The sum of the weights of a term in the documents of a label.
    #[inline]
    pub fn weighted(&self, id: u32, label: u32) -> u64 {
        self.weighted.get(id, label)
    }

    fn label(&mut self, label: u32) -> &mut Totals {
        if self.totals.len() <= label as usize {
            self.totals.resize(label as usize + 1, Totals::default());
        }
        &mut self.totals[label as usize]
    }
}
