//! Bags to the counts of a model, where they hold all its documents.

use super::bags::{Bags, range};
use super::reduction::Weigher;
use crate::table::Table;
use crate::table::row::{Cell, Row};

impl Bags {
    /// The counts of all documents, each of which counts 1, under these labels. The bags are used up.
    pub fn into_table(mut self, weigher: Option<&Weigher>, labels: &[u32]) -> Table {
        let mut table = Table::default();
        table.terms = std::mem::take(&mut self.terms);
        table.reserve(table.ids());
        for label in &self.labels {
            table.add_documents(labels[*label as usize], 1);
        }
        let units = |document: usize, times: u32| weigher.map_or(0, |weigher| weigher.units(document, times));
        self.memory = Default::default();
        self.layers.iter_mut().for_each(|layer| layer.items = Vec::new()); // postings have the same
        for layer in std::mem::take(&mut self.layers) {
            for (term, id) in layer.terms.iter().enumerate() {
                let mut cells: Vec<(Cell, u64)> = Vec::new();
                for (document, times) in &layer.postings[range(&layer.posting_ends, term)] {
                    let (label, weighted) =
                        (labels[self.labels[*document as usize] as usize], units(*document as usize, *times));
                    match cells.last_mut() {
                        Some((cell, sum)) if cell.label == label => {
                            cell.tf += *times as u64;
                            cell.df += 1;
                            *sum += weighted;
                        }
                        _ => cells.push((Cell { label, tf: *times as u64, df: 1 }, weighted)),
                    }
                }
                cells.sort_unstable_by_key(|(cell, _)| cell.label);
                table.add_weighed_row(*id, &cells);
            }
            for document in 0..self.labels.len() {
                let label = labels[self.labels[document] as usize];
                for (id, times) in layer.alone_in(document) {
                    let cell = Cell { label, tf: *times as u64, df: 1 };
                    table.add_weighed_row(*id, &[(cell, units(document, *times))]);
                }
            }
        }
        table
    }
}

impl Table {
    /// The cells of a term that has none yet, sorted by label, and the sums of its weights.
    fn add_weighed_row(&mut self, id: u32, cells: &[(Cell, u64)]) {
        self.add_row(id, cells.iter().map(|(cell, _)| *cell).collect::<Row>());
        cells.iter().for_each(|(cell, weighted)| self.add_weight(id, cell.label, *weighted));
    }
}
