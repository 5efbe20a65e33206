//! Tables as plain arrays, for files and for other processes: the same arrays for the same counts, however they came.

use crate::scope::Scope;
use crate::table::{Cell, Table};

/// Terms as UTF-8 end to end, sorted by bytes; for each term its cells, sorted by label, end to end.
#[derive(Default, Debug, PartialEq, Eq, Clone)]
pub struct Arrays {
    pub terms: Vec<u8>,
    pub term_ends: Vec<u64>,
    pub cell_ends: Vec<u64>,
    pub cell_labels: Vec<u32>,
    pub cell_tf: Vec<u64>,
    pub cell_df: Vec<u64>,
}

/// The same, read where they stand.
pub struct ArraysView<'a> {
    pub terms: &'a [u8],
    pub term_ends: &'a [u64],
    pub cell_ends: &'a [u64],
    pub cell_labels: &'a [u32],
    pub cell_tf: &'a [u64],
    pub cell_df: &'a [u64],
}

/// The table's counts; `places[label]` is where a label stands among those that have counts.
pub fn export(table: &Table, places: &[u32]) -> Arrays {
    let live = (0..table.ids() as u32).filter(|id| !table.row(*id).is_empty());
    let mut named: Vec<(String, u32)> = live.map(|id| (table.terms.text(id), id)).collect();
    named.sort_unstable();
    let mut arrays = Arrays::default();
    for (name, id) in named {
        arrays.terms.extend_from_slice(name.as_bytes());
        arrays.term_ends.push(arrays.terms.len() as u64);
        let mut cells: Vec<Cell> =
            table.row(id).iter().map(|cell| Cell { label: places[cell.label as usize], ..*cell }).collect();
        cells.sort_unstable_by_key(|cell| cell.label);
        for cell in cells {
            arrays.cell_labels.push(cell.label);
            arrays.cell_tf.push(cell.tf);
            arrays.cell_df.push(cell.df);
        }
        arrays.cell_ends.push(arrays.cell_labels.len() as u64);
    }
    arrays
}

/// A table with these counts and documents by label, or what is wrong with the arrays. Nothing about them is trusted.
pub fn import(arrays: &ArraysView, documents: &[u64]) -> Result<Table, &'static str> {
    let cells = arrays.cell_labels.len();
    if arrays.cell_tf.len() != cells
        || arrays.cell_df.len() != cells
        || arrays.cell_ends.len() != arrays.term_ends.len()
    {
        return Err("arrays that belong together have different lengths");
    }
    let terms = std::str::from_utf8(arrays.terms).map_err(|_| "the terms are not UTF-8")?;
    let mut scope = Scope::into(Default::default());
    let (mut table, mut before) = (Table::default(), None);
    for (label, number) in documents.iter().enumerate() {
        table.add_documents(label as u32, *number);
    }
    let (mut from, mut first) = (0, 0);
    for (term_end, cell_end) in arrays.term_ends.iter().zip(arrays.cell_ends) {
        let (to, last) = (*term_end as usize, *cell_end as usize);
        let name = terms.get(from..to).ok_or("a term ends outside of the terms")?;
        if first >= last || last > cells || before.is_some_and(|before| before >= name) {
            return Err("the terms are not sorted, or one has no counts");
        }
        let id = scope.intern_text(name);
        add_cells(&mut table, id, arrays, first..last, documents.len())?;
        (from, first, before) = (to, last, Some(name));
    }
    table.terms = scope.own;
    match from == terms.len() && first == cells {
        true => Ok(table),
        false => Err("there is more than the terms account for"),
    }
}

fn add_cells(
    table: &mut Table,
    id: u32,
    arrays: &ArraysView,
    cells: std::ops::Range<usize>,
    labels: usize,
) -> Result<(), &'static str> {
    let mut before = None;
    for at in cells {
        let cell = Cell { label: arrays.cell_labels[at], tf: arrays.cell_tf[at], df: arrays.cell_df[at] };
        if cell.label as usize >= labels || before.is_some_and(|before| before >= cell.label) || cell.tf == 0 {
            return Err("a count is 0, or its label is unknown or stands twice");
        }
        if cell.df > cell.tf || !table.can_take(&cell) {
            return Err("a count is larger than it can be");
        }
        before = Some(cell.label);
        table.add_cell(id, cell);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(arrays: &Arrays) -> ArraysView<'_> {
        ArraysView {
            terms: &arrays.terms,
            term_ends: &arrays.term_ends,
            cell_ends: &arrays.cell_ends,
            cell_labels: &arrays.cell_labels,
            cell_tf: &arrays.cell_tf,
            cell_df: &arrays.cell_df,
        }
    }

    fn example() -> Arrays {
        Arrays {
            terms: b"anew york".to_vec(),
            term_ends: vec![1, 9],
            cell_ends: vec![2, 3],
            cell_labels: vec![0, 1, 1],
            cell_tf: vec![3, 1, 2],
            cell_df: vec![2, 1, 1],
        }
    }

    #[test]
    fn what_is_exported_can_be_imported_and_is_the_same() {
        let table = import(&view(&example()), &[2, 1]).unwrap();
        assert_eq!(table.live(), 2);
        assert_eq!(table.row(table.terms.find_text("new york").unwrap()), [Cell { label: 1, tf: 2, df: 1 }]);
        assert_eq!(export(&table, &[0, 1]), example());
    }

    #[test]
    fn arrays_that_make_no_sense_are_refused() {
        let broken: [fn(&mut Arrays); 10] = [
            |a| a.term_ends.swap(0, 1),
            |a| a.term_ends[1] = 99,
            |a| a.terms[0] = 0xff,
            |a| a.terms.push(b'x'),
            |a| a.cell_ends[0] = 0,
            |a| a.cell_ends[1] = u64::MAX,
            |a| a.cell_labels[1] = 0,
            |a| a.cell_labels[2] = 7,
            |a| a.cell_tf[0] = 0,
            |a| a.cell_tf[0] = u64::MAX,
        ];
        for (index, spoil) in broken.iter().enumerate() {
            let mut arrays = example();
            spoil(&mut arrays);
            assert!(import(&view(&arrays), &[2, 1]).is_err(), "case {index}");
        }
    }
}
