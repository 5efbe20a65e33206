//! Totals by label, and how large they may get.

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    pub documents: u64,
    pub tf: u64,       // sum of tf over all terms
    pub df: u64,       // sum of df over all terms
    pub distinct: u64, // terms seen under this label
    pub weighted: u64, // sum of weighted over all terms
}

/// No sum gets larger.
pub const LARGEST: u64 = 1 << 62;

/// A sum would be larger than that.
#[derive(Debug, PartialEq, Eq)]
pub struct TooLarge;

impl Totals {
    /// Adds the counts of a term that the label does not have yet.
    #[inline]
    pub fn add_term(&mut self, tf: u64, df: u64, weighted: u64) -> Result<(), TooLarge> {
        self.tf = checked_sum(self.tf, tf)?;
        self.weighted = checked_sum(self.weighted, weighted)?;
        self.df = checked_sum(self.df, df)?;
        self.distinct += 1;
        Ok(())
    }

    /// Adds the totals of other documents, apart from their distinct terms.
    pub fn add(&mut self, other: &Totals) -> Result<(), TooLarge> {
        self.documents = checked_sum(self.documents, other.documents)?;
        self.tf = checked_sum(self.tf, other.tf)?;
        self.df = checked_sum(self.df, other.df)?;
        self.weighted = checked_sum(self.weighted, other.weighted)?;
        Ok(())
    }

    /// Every number, apart from that of distinct terms, multiplied by the factor.
    pub fn scaled(&self, factor: u64) -> Result<Totals, TooLarge> {
        Ok(Totals {
            documents: checked_product(self.documents, factor)?,
            tf: checked_product(self.tf, factor)?,
            df: checked_product(self.df, factor)?,
            distinct: self.distinct,
            weighted: checked_product(self.weighted, factor)?,
        })
    }
}

/// The sum, if it is not too large.
#[inline]
pub fn checked_sum(number: u64, more: u64) -> Result<u64, TooLarge> {
    number.checked_add(more).filter(|sum| *sum <= LARGEST).ok_or(TooLarge)
}

/// The product, if it is not too large.
#[inline]
pub fn checked_product(number: u64, factor: u64) -> Result<u64, TooLarge> {
    number.checked_mul(factor).filter(|product| *product <= LARGEST).ok_or(TooLarge)
}
