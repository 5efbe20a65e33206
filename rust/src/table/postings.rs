//! Counts as postings: for each term only the labels under which it was seen. Reading them costs as much as there are
//! of them, however many labels and terms there are.

use super::Table;
use super::row::Cell;

/// One number of a table for each term and label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Statistic {
    Tf,
    Df,
    Weighted,
}

impl Statistic {
    pub fn named(name: &str) -> Option<Statistic> {
        match name {
            "tf" => Some(Statistic::Tf),
            "df" => Some(Statistic::Df),
            "weighted" => Some(Statistic::Weighted),
            _ => None,
        }
    }

    #[inline]
    pub fn of(self, table: &Table, id: u32, cell: &Cell) -> u64 {
        match self {
            Statistic::Tf => cell.tf,
            Statistic::Df => cell.df,
            Statistic::Weighted => table.weighted(id, cell.label),
        }
    }
}

/// The place of each label of a table among those that are asked for.
pub struct Columns(Vec<Option<u32>>);

impl Columns {
    /// None if there is no such label.
    pub fn new(table: &Table, labels: &[u32]) -> Option<Columns> {
        let mut places = vec![None; table.totals().len()];
        for (place, label) in labels.iter().enumerate() {
            *places.get_mut(*label as usize)? = Some(place as u32);
        }
        Some(Columns(places))
    }

    /// The numbers of a term, with their columns.
    #[inline]
    pub fn numbers(&self, table: &Table, id: u32, statistic: Statistic) -> impl Iterator<Item = (u32, u64)> {
        let found = move |cell: &Cell| Some((self.0[cell.label as usize]?, statistic.of(table, id, cell)));
        table.row(id).iter().filter_map(found)
    }
}

/// The postings of some terms, end to end.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Postings {
    pub ends: Vec<u64>, // by term
    pub columns: Vec<u32>,
    pub numbers: Vec<u64>,
}

/// Those of terms under labels that are not 0.
pub fn postings(table: &Table, ids: &[u32], columns: &Columns, statistic: Statistic) -> Postings {
    let mut found = Postings { ends: Vec::with_capacity(ids.len()), ..Postings::default() };
    for id in ids {
        for (column, number) in columns.numbers(table, *id, statistic).filter(|(_, number)| *number > 0) {
            found.columns.push(column);
            found.numbers.push(number);
        }
        found.ends.push(found.columns.len() as u64);
    }
    found
}

/// The sums of terms over all labels.
pub fn term_sums(table: &Table, ids: &[u32], statistic: Statistic) -> Vec<u64> {
    ids.iter().map(|id| table.row(*id).iter().map(|cell| statistic.of(table, *id, cell)).sum()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::default();
        let put = |table: &mut Table, label, cells: &[(&str, u64, u64)]| {
            let terms: Vec<String> = cells.iter().map(|(term, ..)| term.to_string()).collect();
            let cells: Vec<_> = cells.iter().map(|(_, tf, df)| (Cell { label, tf: *tf, df: *df }, 0)).collect();
            table.put(&terms, label, &cells).unwrap();
        };
        put(&mut table, 0, &[("a", 3, 2), ("b", 1, 1)]);
        put(&mut table, 2, &[("b", 5, 4), ("c", 1, 0)]);
        table
    }

    #[test]
    fn postings_are_the_counts_that_are_not_0_under_the_labels_asked_for() {
        let table = table();
        let columns = Columns::new(&table, &[2, 0]).unwrap();
        let tf = postings(&table, &[0, 1, 2, 9], &columns, Statistic::Tf);
        assert_eq!(tf, Postings { ends: vec![1, 3, 4, 4], columns: vec![1, 1, 0, 0], numbers: vec![3, 1, 5, 1] });
        let df = postings(&table, &[2, 1], &columns, Statistic::Df);
        assert_eq!(df, Postings { ends: vec![0, 2], columns: vec![1, 0], numbers: vec![1, 4] });
        let one = Columns::new(&table, &[2]).unwrap();
        assert_eq!(postings(&table, &[0, 1], &one, Statistic::Tf).numbers, [5]);
        assert!(Columns::new(&table, &[3]).is_none());
    }

    #[test]
    fn sums_of_terms_are_over_all_labels() {
        let table = table();
        assert_eq!(term_sums(&table, &[1, 0, 7], Statistic::Tf), [6, 3, 0]);
        assert_eq!(term_sums(&table, &[1], Statistic::Weighted), [0]);
    }
}
