//! Subtracting from a table: another table, or one document that is forgotten.

use super::Table;
use super::row::Cell;
use crate::analyze::batch::Part;
use crate::count::label_sums::sum_by_label;
use crate::count::term_weights::{TermWeigher, Weighting};
use crate::vocabulary::interner::Entry;

/// The table does not hold what should be subtracted.
#[derive(Debug, PartialEq, Eq)]
pub struct NotHeld;

impl Table {
    /// Subtracts another table, or changes nothing if that one is not held.
    pub fn subtract(&mut self, other: &Table, labels: &[u32]) -> Result<(), NotHeld> {
        let mut here: Vec<Option<u32>> = Vec::with_capacity(other.ids()); // the ids of the other table's terms here
        for id in 0..other.ids() as u32 {
            here.push(match other.terms.entry(id) {
                Entry::Word(bytes) => self.terms.find(&bytes),
                Entry::Pair(a, b) => {
                    here[a as usize].zip(here[b as usize]).and_then(|(a, b)| self.terms.find_pair(a, b))
                }
            });
        }
        for (label, totals) in other.totals.iter().enumerate() {
            let held = self.totals.get(labels[label] as usize).map_or(0, |totals| totals.documents);
            if held < totals.documents {
                return Err(NotHeld);
            }
        }
        let mut removals = Vec::new();
        for (id, row) in other.rows.iter().enumerate() {
            for cell in row {
                let weighted = other.weighted(id as u32, cell.label);
                let cell = Cell { label: labels[cell.label as usize], ..*cell };
                match here[id] {
                    Some(id) if self.holds(id, &cell, weighted) => removals.push((id, cell)),
                    _ => return Err(NotHeld),
                }
            }
        }
        self.changes += 1;
        self.expect_changes(other.live);
        for (id, cell) in removals {
            self.remove_cell(id, &cell);
        }
        for (id, label, weighted) in other.weighted.iter() {
            self.remove_weight(here[id as usize].expect("held"), labels[label as usize], weighted);
        }
        for (label, totals) in other.totals.iter().enumerate() {
            self.label(labels[label]).documents -= totals.documents;
        }
        self.tidy();
        Ok(())
    }

    /// Takes out one document that was analyzed over this table's terms, or changes nothing if it is not held.
    pub fn forget(
        &mut self,
        part: &Part,
        label: u32,
        weight: u64,
        weighting: Option<Weighting>,
    ) -> Result<(), NotHeld> {
        let weigher = weighting.map(|weighting| TermWeigher::new(weighting, &self.terms, part));
        let found = sum_by_label(&part.found, part.ids, &[label], Some(&[weight]), weigher.as_ref());
        let sums = found.map_err(|_| NotHeld)?.pop().ok_or(NotHeld)?;
        if self.totals.get(label as usize).map_or(0, |totals| totals.documents) < weight {
            return Err(NotHeld);
        }
        let weighted = sums.weighted.iter().copied().chain(std::iter::repeat(0));
        let cells = sums.cells.iter().map(|(id, tf, df)| (*id, Cell { label, tf: *tf, df: *df }));
        let cells: Vec<_> = cells.zip(weighted).filter(|((_, cell), _)| cell.tf > 0 || cell.df > 0).collect();
        if !cells.iter().all(|((id, cell), weighted)| self.holds(*id, cell, *weighted)) {
            return Err(NotHeld);
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

    fn holds(&self, id: u32, cell: &Cell, weighted: u64) -> bool {
        let row = self.row(id);
        let Ok(at) = row.binary_search_by_key(&cell.label, |held| held.label) else { return false };
        let left = || {
            let (tf, df) = (row[at].tf.checked_sub(cell.tf)?, row[at].df.checked_sub(cell.df)?);
            Some((Cell { label: cell.label, tf, df }, self.weighted(id, cell.label).checked_sub(weighted)?))
        };
        // The rest must be counts that documents can have.
        left().is_some_and(|(left, weighted)| {
            left.is_possible(weighted) && (left.df > 0 || left.tf == 0 || row[at].df == 0)
        })
    }

    /// The cell must be held.
    fn remove_cell(&mut self, id: u32, cell: &Cell) {
        self.tally(id, -1);
        let row = &mut self.rows[id as usize];
        let at = row.binary_search_by_key(&cell.label, |held| held.label).expect("checked before");
        row[at].tf -= cell.tf;
        row[at].df -= cell.df;
        let gone = row[at].tf == 0 && row[at].df == 0;
        if gone {
            row.remove(at);
            self.live -= row.is_empty() as usize;
        }
        let totals = &mut self.totals[cell.label as usize];
        totals.tf -= cell.tf;
        totals.df -= cell.df;
        totals.distinct -= gone as u64;
        self.tally(id, 1);
    }

    /// The weight must be held.
    fn remove_weight(&mut self, id: u32, label: u32, weighted: u64) {
        self.tally(id, -1);
        self.weighted.subtract(id, label, weighted);
        self.totals[label as usize].weighted -= weighted;
        self.tally(id, 1);
    }
}
