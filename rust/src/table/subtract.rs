//! One document taken out of a table.

use super::{Cell, Missing, Table};
use crate::analyze::batch::Part;
use crate::count::label_sums::groups;
use crate::count::term_weights::{Weigher, Weighting};

impl Table {
    /// Takes out one document that was read over this table's terms, or changes nothing if it is not held.
    pub fn forget(
        &mut self,
        part: &Part,
        label: u32,
        weight: u64,
        weighting: Option<Weighting>,
    ) -> Result<(), Missing> {
        let weigher = weighting.map(|weighting| Weigher::new(weighting, &self.terms, part));
        let found = groups(&part.found, part.ids, &[label], Some(&[weight]), weigher.as_ref());
        let group = found.map_err(|_| Missing)?.pop().ok_or(Missing)?;
        if self.totals.get(label as usize).map_or(0, |totals| totals.documents) < weight {
            return Err(Missing);
        }
        let weighted = group.weighted.iter().copied().chain(std::iter::repeat(0));
        let cells = group.cells.iter().map(|(id, tf, df)| (*id, Cell { label, tf: *tf, df: *df }));
        let cells: Vec<_> = cells.zip(weighted).filter(|((_, cell), _)| cell.tf > 0 || cell.df > 0).collect();
        if !cells.iter().all(|((id, cell), weighted)| self.holds(*id, cell, *weighted)) {
            return Err(Missing);
        }
        self.changes += 1;
        self.expect_changes(cells.len());
        for ((id, cell), weighted) in cells {
            self.remove_cell(id, &cell);
            if weighted > 0 {
                self.remove_weight(id, label, weighted);
            }
        }
        self.label(label).documents -= weight;
        self.tidy();
        Ok(())
    }
}
