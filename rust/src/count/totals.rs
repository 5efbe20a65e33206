//! Sums by label, and how large they may get.

use crate::table::Cell;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub documents: u64,
    pub tf: u64,       // sum of tf over all terms
    pub df: u64,       // sum of df over all terms
    pub distinct: u64, // terms seen under this label
    pub weighted: u64, // sum of weighted over all terms
}

/// No sum gets larger.
pub const MOST: u64 = 1 << 62;

/// What is to be added would make a sum too large.
#[derive(Debug, PartialEq, Eq)]
pub struct Full;

impl Totals {
    /// Adds a cell that the label does not have yet, and what it weighs.
    #[inline]
    pub fn take(&mut self, cell: &Cell, weighted: u64) -> Result<(), Full> {
        self.tf = within(self.tf, cell.tf)?;
        self.weighted = within(self.weighted, weighted)?;
        self.df = within(self.df, cell.df)?;
        self.distinct += 1;
        Ok(())
    }

    /// Every number but that of distinct terms, so many times.
    pub fn times(&self, factor: u64) -> Result<Totals, Full> {
        Ok(Totals {
            documents: product(self.documents, factor)?,
            tf: product(self.tf, factor)?,
            df: product(self.df, factor)?,
            distinct: self.distinct,
            weighted: product(self.weighted, factor)?,
        })
    }

    /// Adds the sums of other documents, apart from their distinct terms.
    pub fn take_all(&mut self, other: &Totals) -> Result<(), Full> {
        self.documents = within(self.documents, other.documents)?;
        self.tf = within(self.tf, other.tf)?;
        self.df = within(self.df, other.df)?;
        self.weighted = within(self.weighted, other.weighted)?;
        Ok(())
    }
}

/// The sum, if it is not too large.
#[inline]
pub fn within(sum: u64, more: u64) -> Result<u64, Full> {
    sum.checked_add(more).filter(|sum| *sum <= MOST).ok_or(Full)
}

/// The product, if it is not too large.
#[inline]
pub fn product(number: u64, times: u64) -> Result<u64, Full> {
    number.checked_mul(times).filter(|product| *product <= MOST).ok_or(Full)
}
