//! The terms of many documents, each as an id and how often: the rows of a sparse matrix.

use crate::analyze::batch::{Part, side_by_side};
use crate::count::label_sums::groups;
use crate::count::term_counter::Bag;
use crate::count::term_weights::{Weigher, Weighting};
use crate::count::totals::Full;
use crate::table::{Moved, Table};
use crate::vocabulary::interner::{Entry, Interner};

/// In place of the id of a term that is not in the vocabulary.
pub const UNSEEN: u32 = u32::MAX;

/// Document after document its terms in order of first sight, end to end.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct Bags {
    pub ends: Vec<u64>, // by document
    pub ids: Vec<u32>,
    pub times: Vec<u32>,
    pub weights: Vec<u64>, // what each weighs in its document; empty if nothing is weighed
}

impl Bags {
    /// The bags of a stretch of documents. `place` says what an id is called; None leaves the term out.
    fn of(part: &Part, weigher: Option<&Weigher>, mut place: impl FnMut(u32) -> Option<u32>) -> Bags {
        let (mut bags, mut bag) = (Bags::default(), Bag::new(part.ids, part.found.ids.len()));
        let mut weights = Vec::new();
        for document in 0..part.found.len() {
            let items = bag.fill(part.found.get(document));
            if let Some(weigher) = weigher {
                weigher.weigh(items, &mut weights);
            }
            for (index, (id, times)) in items.iter().enumerate() {
                if let Some(id) = place(*id) {
                    bags.ids.push(id);
                    bags.times.push(*times);
                    bags.weights.extend(weights.get(index));
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
        self.weights.extend(next.weights);
    }
}

/// The bags of a batch that was read over this table's terms. What is not in its vocabulary is left out, or `marked`.
pub fn known(table: &Table, parts: Vec<Part>, marked: bool, weighting: Option<Weighting>) -> Bags {
    let place = |id| match table.row(id).is_empty() {
        true => marked.then_some(UNSEEN),
        false => Some(id),
    };
    joined(side_by_side(parts, |part| {
        let weigher = weighting.map(|weighting| Weigher::new(weighting, &table.terms, &part));
        Bags::of(&part, weigher.as_ref(), place)
    }))
}

/// The bags of a batch that was read over this table's terms, after its documents were counted under label 0. New
/// terms are numbered in order of first sight, behind the words that they are made of, whatever the threads were.
pub fn learn(table: &mut Table, parts: Vec<Part>, weighting: Option<Weighting>) -> Result<Bags, Full> {
    let offset = table.ids() as u32;
    let found = side_by_side(parts, |part| {
        let weigher = weighting.map(|weighting| Weigher::new(weighting, &table.terms, &part));
        let groups = groups(&part.found, part.ids, &vec![0; part.found.len()], None, weigher.as_ref())?;
        Ok((Bags::of(&part, weigher.as_ref(), Some), groups, part.own))
    });
    let found = found.into_iter().collect::<Result<Vec<_>, Full>>()?;
    table.has_room(found.iter().flat_map(|(_, groups, _)| groups).map(|group| (group.label, &group.totals)))?;
    let added = found.into_iter().map(|(mut bags, groups, own)| {
        let mut moved = vec![UNSEEN; own.len()];
        if table.terms.is_empty() {
            table.terms.reserve(own.len());
        }
        for id in bags.ids.iter_mut().filter(|id| **id >= offset) {
            *id = place(*id, offset, &own, &mut table.terms, &mut moved);
        }
        table.add_groups(vec![Moved { groups, offset, ids: moved }]);
        bags
    });
    Ok(joined(added.collect()))
}

/// What an id is called in `into`; below `offset` it means the same there.
fn place(id: u32, offset: u32, from: &Interner, into: &mut Interner, moved: &mut [u32]) -> u32 {
    let Some(own) = id.checked_sub(offset) else { return id };
    if moved[own as usize] == UNSEEN {
        moved[own as usize] = match from.entry(own) {
            Entry::Word(bytes) => into.intern(&bytes),
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
    use crate::analyze::batch::read;
    use crate::analyze::rules::{Lists, Rules};
    use crate::count::term_weights::Own;
    use crate::count::totals::Totals;
    use crate::table::Cell;
    use crate::table::learn::{Documents, count};
    use std::convert::Infallible;

    fn parts(table: &Table, texts: &[&str], ngrams: (usize, usize), threads: usize) -> Vec<Part> {
        let rules = Rules { ngrams, ..Rules::default() };
        read(texts, &rules, &table.terms, threads, None, |_| Ok::<_, Infallible>(Vec::new()), |_| Lists::default())
            .unwrap()
    }

    #[test]
    fn new_terms_are_numbered_and_counted_and_then_known() {
        let mut table = Table::default();
        let read = parts(&table, &["b a b", "", "c a"], (1, 1), 1);
        let bags = learn(&mut table, read, None).unwrap();
        let (ends, ids, times) = (vec![2, 2, 4], vec![0, 1, 2, 1], vec![2, 1, 1, 1]);
        assert_eq!(bags, Bags { ends, ids, times, weights: Vec::new() });
        assert_eq!(table.row(0), [Cell { label: 0, tf: 2, df: 1 }]);
        assert_eq!(table.totals(), [Totals { documents: 3, tf: 5, df: 4, distinct: 3, weighted: 0 }]);
        let read = parts(&table, &["z a", "c z b c"], (1, 1), 1);
        let (ends, ids, times) = (vec![1, 3], vec![1, 2, 0], vec![1, 2, 1]);
        assert_eq!(known(&table, read, false, None), Bags { ends, ids, times, weights: Vec::new() });
        assert_eq!(table.ids(), 3);
    }

    #[test]
    fn the_words_of_a_pair_have_ids_but_are_no_terms() {
        let mut table = Table::default();
        let read = parts(&table, &["a b c"], (2, 2), 1);
        assert_eq!(learn(&mut table, read, None).unwrap().ids, [2, 4]); // a, b, "a b", c, "b c"
        assert_eq!((table.ids(), table.live()), (5, 2));
        let read = parts(&table, &["a b"], (1, 2), 1);
        assert_eq!(known(&table, read, false, None).ids, [2]);
    }

    #[test]
    fn threads_give_the_same_ids() {
        let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 2900, n % 13).repeat(20)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let bags = [1, 4].map(|threads| {
            let mut table = Table::default();
            let read = parts(&table, &texts, (1, 2), threads);
            assert_eq!(read.len(), threads);
            let bags = learn(&mut table, read, Weighting::named("log-length")).unwrap();
            (bags, (0..table.ids() as u32).map(|id| table.terms.text(id)).collect::<Vec<_>>(), table.totals().to_vec())
        });
        assert_eq!(bags[0], bags[1]);
    }

    #[test]
    fn the_weights_of_bags_are_what_counting_adds() {
        let texts = ["a b a c", "z a z", "", "b b z"];
        for name in ["log", "count-length", "once-length", "log-length"] {
            let own = Some(Own { words: (1, 1), pieces: false });
            let weighting = Weighting::named(name).map(|weighting| Weighting { own, ..weighting });
            let [mut learnt, mut counted] = [Table::default(), Table::default()];
            let read = parts(&learnt, &texts, (1, 2), 1);
            let bags = learn(&mut learnt, read, weighting).unwrap();
            let rules = Rules { ngrams: (1, 2), weighting, ..Rules::default() };
            let documents = Documents { texts: &texts, labels: &[0; 4], weights: None, fingerprint: None };
            count(&mut counted, &documents, &rules, 1, |_| Ok::<_, Infallible>(Vec::new())).unwrap();
            for table in [&learnt, &counted] {
                let again = known(table, parts(table, &texts, (1, 2), 1), false, weighting);
                assert_eq!(again.weights, bags.weights);
                let mut sums = vec![0; table.ids()];
                again.ids.iter().zip(&again.weights).for_each(|(id, weight)| sums[*id as usize] += weight);
                let held: Vec<u64> = (0..table.ids() as u32).map(|id| table.weighted(id, 0)).collect();
                assert_eq!(sums, held, "{name}");
                assert_eq!(table.totals()[0].weighted, sums.iter().sum::<u64>());
            }
        }
    }

    #[test]
    fn terms_outside_of_the_vocabulary_are_part_of_the_length() {
        let mut table = Table::default();
        let read = parts(&table, &["a"], (1, 1), 1);
        learn(&mut table, read, None).unwrap();
        let weighting = Weighting::named("once-length");
        let read = || parts(&table, &["z a y x"], (1, 1), 1);
        assert_eq!(known(&table, read(), false, weighting).weights, [32_768]); // 1 / √4
        let marked = known(&table, read(), true, weighting);
        assert_eq!((marked.ids, marked.weights), (vec![UNSEEN, 0, UNSEEN, UNSEEN], vec![32_768; 4]));
    }
}
