//! The terms of many documents, each as an id and how often: the rows of a sparse matrix.

use crate::bag::Bag;
use crate::batch::{Part, side_by_side};
use crate::documents::Lists;
use crate::intern::{Entry, Interner};
use crate::table::{Table, sums};

/// In place of the id of a term that is not in the vocabulary.
pub const UNSEEN: u32 = u32::MAX;

/// Document after document its terms in order of first sight, end to end.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Bags {
    pub ends: Vec<u64>, // by document
    pub ids: Vec<u32>,
    pub times: Vec<u32>,
}

impl Bags {
    /// The bags of lists with ids below `ids`. `place` says what an id is called; None leaves the term out.
    fn of(lists: &Lists, ids: usize, mut place: impl FnMut(u32) -> Option<u32>) -> Bags {
        let (mut bags, mut bag) = (Bags::default(), Bag::new(ids, lists.ids.len()));
        for document in 0..lists.len() {
            for (id, times) in bag.fill(lists.get(document)) {
                if let Some(id) = place(*id) {
                    bags.ids.push(id);
                    bags.times.push(*times);
                }
            }
            bags.ends.push(bags.ids.len() as u64);
        }
        bags
    }

    /// Adds the bags of the next stretch of documents.
    pub fn append(&mut self, next: Bags) {
        let before = self.ids.len() as u64;
        self.ends.extend(next.ends.iter().map(|end| before + end));
        self.ids.extend(next.ids);
        self.times.extend(next.times);
    }
}

/// The bags of a batch that was read over this table's terms. What is not in its vocabulary is left out, or `marked`.
pub fn known(table: &Table, parts: Vec<Part>, marked: bool) -> Bags {
    let place = |id| match table.row(id).is_empty() {
        true => marked.then_some(UNSEEN),
        false => Some(id),
    };
    joined(side_by_side(parts, |part| Bags::of(&part.lists, part.ids, place)))
}

/// The bags of a batch that was read over this table's terms, after its documents were counted under label 0. New
/// terms are numbered in order of first sight, behind the words that they are made of, whatever the threads were.
pub fn learn(table: &mut Table, parts: Vec<Part>) -> Bags {
    let offset = table.ids() as u32;
    let found = side_by_side(parts, |part| {
        let groups = sums(&part.lists, part.ids, &vec![0; part.lists.len()], None);
        (Bags::of(&part.lists, part.ids, Some), groups, part.own)
    });
    let added = found.into_iter().map(|(mut bags, groups, own)| {
        let mut moved = vec![UNSEEN; own.len()];
        if table.terms.is_empty() {
            table.terms.reserve(own.len(), 0);
        }
        for id in bags.ids.iter_mut().filter(|id| **id >= offset) {
            *id = place(*id, offset, &own, &mut table.terms, &mut moved);
        }
        table.add_groups(groups, offset, &moved);
        bags
    });
    joined(added.collect())
}

/// What an id is called in `into`; below `offset` it means the same there.
fn place(id: u32, offset: u32, from: &Interner, into: &mut Interner, moved: &mut [u32]) -> u32 {
    let Some(own) = id.checked_sub(offset) else { return id };
    if moved[own as usize] == UNSEEN {
        moved[own as usize] = match from.entry(own) {
            Entry::Bytes(bytes) => into.intern(bytes),
            Entry::Pair(a, b) => {
                let a = place(a, offset, from, into, moved);
                let b = place(b, offset, from, into, moved);
                into.intern_pair(a, b)
            }
        };
    }
    moved[own as usize]
}

fn joined(parts: Vec<Bags>) -> Bags {
    let mut all = Bags::default();
    parts.into_iter().for_each(|part| all.append(part));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::read;
    use crate::documents::Rules;
    use crate::table::{Cell, Totals};
    use std::convert::Infallible;

    fn parts(table: &Table, texts: &[&str], ngrams: (usize, usize), threads: usize) -> Vec<Part> {
        let rules = Rules { ngrams, ..Rules::default() };
        read(texts, &rules, &table.terms, threads, None, |_| Ok::<_, Infallible>(Vec::new())).unwrap()
    }

    #[test]
    fn new_terms_are_numbered_and_counted_and_then_known() {
        let mut table = Table::default();
        let read = parts(&table, &["b a b", "", "c a"], (1, 1), 1);
        let bags = learn(&mut table, read);
        assert_eq!(bags, Bags { ends: vec![2, 2, 4], ids: vec![0, 1, 2, 1], times: vec![2, 1, 1, 1] });
        assert_eq!(table.row(0), [Cell { label: 0, tf: 2, df: 1 }]);
        assert_eq!(table.totals(), [Totals { documents: 3, tf: 5, df: 4, distinct: 3 }]);
        let read = parts(&table, &["z a", "c z b c"], (1, 1), 1);
        assert_eq!(known(&table, read, false), Bags { ends: vec![1, 3], ids: vec![1, 2, 0], times: vec![1, 2, 1] });
        assert_eq!(table.ids(), 3);
    }

    #[test]
    fn the_words_of_a_pair_have_ids_but_are_no_terms() {
        let mut table = Table::default();
        let read = parts(&table, &["a b c"], (2, 2), 1);
        assert_eq!(learn(&mut table, read).ids, [2, 4]); // a, b, "a b", c, "b c"
        assert_eq!((table.ids(), table.live()), (5, 2));
        let read = parts(&table, &["a b"], (1, 2), 1);
        assert_eq!(known(&table, read, false).ids, [2]);
    }

    #[test]
    fn threads_give_the_same_ids() {
        let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 2900, n % 13).repeat(20)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let bags = [1, 4].map(|threads| {
            let mut table = Table::default();
            let read = parts(&table, &texts, (1, 2), threads);
            assert_eq!(read.len(), threads);
            let bags = learn(&mut table, read);
            (bags, (0..table.ids() as u32).map(|id| table.terms.text(id)).collect::<Vec<_>>(), table.totals().to_vec())
        });
        assert_eq!(bags[0], bags[1]);
    }
}
