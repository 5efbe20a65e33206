//! Adding to a table: cells, the sums of a batch, another table.

use super::Table;
use super::row::{Cell, Row, add_to_row};
use crate::count::label_sums::LabelSums;
use crate::count::totals::{TooLarge, Totals};
use crate::machine::in_parallel;
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::{Overlay, merge, merge_all};

/// The sums of a batch whose ids from `offset` on have other numbers in this table.
pub struct RenumberedSums {
    pub sums: Vec<LabelSums>,
    pub offset: u32,
    pub ids: Vec<u32>,
}

impl RenumberedSums {
    /// The number of an id in this table.
    #[inline(always)]
    pub fn id_here(&self, id: u32) -> u32 {
        if id < self.offset { id } else { self.ids[(id - self.offset) as usize] }
    }
}

impl Table {
    pub fn add_documents(&mut self, label: u32, documents: u64) {
        self.changes += 1;
        self.label(label).documents += documents;
    }

    pub fn add_cell(&mut self, id: u32, cell: Cell) {
        let Cell { label, tf, df } = cell;
        if tf == 0 && df == 0 {
            return;
        }
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, Row::new());
        }
        self.tally(id, -1);
        let row = &mut self.rows[id as usize];
        self.live += row.is_empty() as usize;
        let new = add_to_row(row, cell);
        let totals = self.label(label);
        totals.tf += tf;
        totals.df += df;
        totals.distinct += new as u64;
        self.tally(id, 1);
    }

    /// Adds to the sum of a term's weights; its counts are added apart.
    #[inline]
    pub fn add_weight(&mut self, id: u32, label: u32, weighted: u64) {
        if weighted > 0 {
            self.tally(id, -1);
            self.weighted.add(id, label, weighted);
            self.label(label).weighted += weighted;
            self.tally(id, 1);
        }
    }

    /// Adds counts of a label that are known already, a cell for each term, or changes nothing.
    pub fn put(&mut self, terms: &[String], label: u32, cells: &[(Cell, u64)]) -> Result<(), TooLarge> {
        let mut sums = Totals::default();
        cells.iter().try_for_each(|(cell, weighted)| sums.add_term(cell.tf, cell.df, *weighted))?;
        self.has_room([(label, &sums)].into_iter())?;
        self.changes += 1;
        let mut overlay = Overlay::growing(std::mem::take(&mut self.terms));
        let ids: Vec<u32> = terms.iter().map(|term| overlay.intern_text(term)).collect();
        self.terms = overlay.own;
        for (id, (cell, weighted)) in ids.into_iter().zip(cells) {
            self.add_cell(id, *cell);
            self.add_weight(id, label, *weighted);
        }
        Ok(())
    }

    /// Makes room for this many terms.
    pub fn reserve(&mut self, terms: usize) {
        self.rows.reserve(terms);
    }

    /// The cells of a term that has none yet, sorted by label.
    pub fn add_row(&mut self, id: u32, row: Row) {
        self.tallies.clear();
        for cell in &row {
            let totals = self.label(cell.label);
            totals.tf += cell.tf;
            totals.df += cell.df;
            totals.distinct += 1;
        }
        self.live += !row.is_empty() as usize;
        if self.rows.len() <= id as usize {
            self.rows.resize(id as usize + 1, Row::new());
        }
        self.rows[id as usize] = row;
    }

    /// Adds the sums of a batch that was analyzed over this table's terms, or changes nothing: the new terms of each
    /// part, and its sums. There are as many threads as parts.
    pub fn add_batch(&mut self, parts: Vec<(Interner, Vec<LabelSums>)>) -> Result<(), TooLarge> {
        let offset = self.terms.len() as u32;
        self.has_room(parts.iter().flat_map(|(_, sums)| sums).map(|sums| (sums.label, &sums.totals)))?;
        self.changes += 1;
        let renumber = |(own, sums)| RenumberedSums { sums, offset, ids: merge(&mut self.terms, own, offset) };
        let parts = parts.into_iter().map(renumber).collect();
        self.add_sums(parts);
        Ok(())
    }

    /// Whether these sums can be added to those of their labels.
    pub fn has_room<'a>(&self, more: impl Iterator<Item = (u32, &'a Totals)>) -> Result<(), TooLarge> {
        let mut sums = self.totals.clone();
        for (label, totals) in more {
            if sums.len() <= label as usize {
                sums.resize(label as usize + 1, Totals::default());
            }
            sums[label as usize].add(totals)?;
        }
        Ok(())
    }

    /// Adds sums for which there is room, label by label, so that rows grow at their ends. Each thread adds to its own
    /// range of rows.
    pub fn add_sums(&mut self, parts: Vec<RenumberedSums>) {
        self.rows.resize(self.rows.len().max(self.terms.len()), Row::new());
        let changing = self.changing(&parts);
        changing.iter().for_each(|id| self.tally(*id, -1));
        let each = self.rows.len().div_ceil(parts.len()).max(1);
        let mut by_label: Vec<(&LabelSums, &RenumberedSums)> =
            parts.iter().flat_map(|part| part.sums.iter().map(move |sums| (sums, part))).collect();
        by_label.sort_by_key(|(sums, _)| sums.label);
        let ranges: Vec<_> = self.rows.chunks_mut(each).enumerate().collect();
        let added = in_parallel(ranges, |(range, rows)| add_to_rows(rows, range * each, &by_label));
        for (new_terms, added_to_each) in added {
            self.live += new_terms;
            for ((sums, _), (df, new_cells)) in by_label.iter().zip(added_to_each) {
                let totals = self.label(sums.label);
                totals.df += df;
                totals.distinct += new_cells;
            }
        }
        changing.iter().for_each(|id| self.tally(*id, 1));
        for part in &parts {
            for sums in &part.sums {
                let totals = self.label(sums.label);
                totals.documents += sums.totals.documents;
                totals.tf += sums.totals.tf;
                for ((id, ..), weighted) in sums.cells.iter().zip(&sums.weighted) {
                    self.add_weight(part.id_here(*id), sums.label, *weighted);
                }
            }
        }
    }

    /// Adds another table, or changes nothing. `labels[l]` is the number of the other table's label `l` here.
    pub fn merge(&mut self, other: &Table, labels: &[u32]) -> Result<(), TooLarge> {
        self.has_room(labels.iter().copied().zip(&other.totals))?;
        self.changes += 1;
        self.expect_changes(other.live);
        let ids = merge_all(&mut self.terms, &other.terms, 0);
        for (label, totals) in other.totals.iter().enumerate() {
            self.add_documents(labels[label], totals.documents);
        }
        for (id, row) in other.rows.iter().enumerate() {
            for cell in row {
                self.add_cell(ids[id], Cell { label: labels[cell.label as usize], ..*cell });
            }
        }
        for (id, label, weighted) in other.weighted.iter() {
            self.add_weight(ids[id as usize], labels[label as usize], weighted);
        }
        Ok(())
    }

    /// Multiplies every number, or changes nothing: the unit becomes smaller.
    pub fn scale(&mut self, factor: u64) -> Result<(), TooLarge> {
        let totals = self.totals.iter().map(|totals| totals.scaled(factor)).collect::<Result<Vec<_>, TooLarge>>()?;
        self.changes += 1;
        self.tallies.clear();
        for cell in self.rows.iter_mut().flatten() {
            cell.tf *= factor;
            cell.df *= factor;
        }
        self.weighted.scale(factor);
        self.totals = totals;
        Ok(())
    }
}

/// Adds what belongs to some rows, the first of which is that of the id `from`: how many terms are new, and for each of
/// the sums its df and how many cells are new.
fn add_to_rows(rows: &mut [Row], from: usize, by_label: &[(&LabelSums, &RenumberedSums)]) -> (usize, Vec<(u64, u64)>) {
    let (mut new_terms, mut added_to_each) = (0, Vec::with_capacity(by_label.len()));
    for (sums, part) in by_label {
        let (mut df_of_all, mut new_cells) = (0, 0);
        for (id, tf, df) in &sums.cells {
            let here = (part.id_here(*id) as usize).wrapping_sub(from);
            let Some(row) = rows.get_mut(here).filter(|_| *tf > 0) else { continue };
            new_terms += row.is_empty() as usize;
            new_cells += add_to_row(row, Cell { label: sums.label, tf: *tf, df: *df }) as u64;
            df_of_all += df;
        }
        added_to_each.push((df_of_all, new_cells));
    }
    (new_terms, added_to_each)
}
