//! The document-term matrix of a batch: for each document, its terms and how often they occur.

use super::{RenumberedSums, Table};
use crate::analyze::batch::Part;
use crate::count::label_sums::sum_by_label;
use crate::count::term_counter::TermCounter;
use crate::count::term_weights::{TermWeigher, Weighting};
use crate::count::totals::TooLarge;
use crate::machine::in_parallel;
use crate::vocabulary::interner::{Entry, Interner};

/// In place of the id of a term that is not in the vocabulary.
pub const UNSEEN: u32 = u32::MAX;

/// Its rows, end to end: the terms of each document in order of first sight.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct DocumentTermMatrix {
    pub ends: Vec<u64>, // by document
    pub ids: Vec<u32>,
    pub times: Vec<u32>,
    pub weights: Vec<u64>, // of each term in its document; empty if nothing is weighed
}

impl DocumentTermMatrix {
    /// The rows of a part of a batch. `place` gives the number of an id; None leaves the term out.
    fn of(part: &Part, weigher: Option<&TermWeigher>, mut place: impl FnMut(u32) -> Option<u32>) -> DocumentTermMatrix {
        let (mut matrix, mut counter) =
            (DocumentTermMatrix::default(), TermCounter::new(part.ids, part.found.ids.len()));
        let mut weights = Vec::new();
        for document in 0..part.found.len() {
            let items = counter.count(part.found.get(document));
            if let Some(weigher) = weigher {
                weigher.weigh(items, &mut weights);
            }
            for (index, (id, times)) in items.iter().enumerate() {
                if let Some(id) = place(*id) {
                    matrix.ids.push(id);
                    matrix.times.push(*times);
                    matrix.weights.extend(weights.get(index));
                }
            }
            matrix.ends.push(matrix.ids.len() as u64);
        }
        matrix
    }

    /// Adds the rows of the next documents.
    pub fn append(&mut self, next: DocumentTermMatrix) {
        let before = self.ids.len() as u64;
        self.ends.extend(next.ends.iter().map(|end| before + end));
        self.ids.extend(next.ids);
        self.times.extend(next.times);
        self.weights.extend(next.weights);
    }
}

impl Table {
    /// The matrix of a batch that was analyzed over this table's terms. Terms outside its vocabulary are left out, or
    /// `marked`.
    pub fn matrix(&self, parts: Vec<Part>, marked: bool, weighting: Option<Weighting>) -> DocumentTermMatrix {
        let place = |id| match self.row(id).is_empty() {
            true => marked.then_some(UNSEEN),
            false => Some(id),
        };
        joined(in_parallel(parts, |part| {
            let weigher = weighting.map(|weighting| TermWeigher::new(weighting, &self.terms, &part));
            DocumentTermMatrix::of(&part, weigher.as_ref(), place)
        }))
    }

    /// The matrix of a batch that was analyzed over this table's terms, after its documents were learned under label
    /// 0. New terms are numbered in order of first sight, behind the words that they are made of, whatever the
    /// threads were.
    pub fn learn_matrix(
        &mut self,
        parts: Vec<Part>,
        weighting: Option<Weighting>,
    ) -> Result<DocumentTermMatrix, TooLarge> {
        let offset = self.ids() as u32;
        let found = in_parallel(parts, |part| {
            let weigher = weighting.map(|weighting| TermWeigher::new(weighting, &self.terms, &part));
            let sums = sum_by_label(&part.found, part.ids, &vec![0; part.found.len()], None, weigher.as_ref())?;
            Ok((DocumentTermMatrix::of(&part, weigher.as_ref(), Some), sums, part.own))
        });
        let found = found.into_iter().collect::<Result<Vec<_>, TooLarge>>()?;
        self.has_room(found.iter().flat_map(|(_, sums, _)| sums).map(|sums| (sums.label, &sums.totals)))?;
        let added = found.into_iter().map(|(mut matrix, sums, own)| {
            let mut moved = vec![UNSEEN; own.len()];
            if self.terms.is_empty() {
                self.terms.reserve(own.len());
            }
            for id in matrix.ids.iter_mut().filter(|id| **id >= offset) {
                *id = place(*id, offset, &own, &mut self.terms, &mut moved);
            }
            self.add_sums(vec![RenumberedSums { sums, offset, ids: moved }]);
            matrix
        });
        Ok(joined(added.collect()))
    }
}

/// The number of an id in `into`; below `offset` it is the same.
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

fn joined(parts: Vec<DocumentTermMatrix>) -> DocumentTermMatrix {
    let mut all = DocumentTermMatrix::default();
    parts.into_iter().for_each(|part| all.append(part));
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::batch::{Batch, nothing_to_ask};
    use crate::analyze::id_lists::IdLists;
    use crate::analyze::rules::Rules;
    use crate::count::term_weights::OwnTerms;
    use crate::count::totals::Totals;
    use crate::table::learn::Documents;
    use crate::table::row::Cell;

    fn parts(table: &Table, texts: &[&str], ngrams: (usize, usize), threads: usize) -> Vec<Part> {
        let rules = Rules { ngrams, ..Rules::default() };
        let batch = Batch { texts, rules: &rules, base: &table.terms, threads, fingerprint: None };
        batch.analyze(nothing_to_ask, |_| IdLists::default()).unwrap()
    }

    #[test]
    fn new_terms_are_numbered_and_counted_and_then_known() {
        let mut table = Table::default();
        let read = parts(&table, &["b a b", "", "c a"], (1, 1), 1);
        let matrix = table.learn_matrix(read, None).unwrap();
        let (ends, ids, times) = (vec![2, 2, 4], vec![0, 1, 2, 1], vec![2, 1, 1, 1]);
        assert_eq!(matrix, DocumentTermMatrix { ends, ids, times, weights: Vec::new() });
        assert_eq!(table.row(0), [Cell { label: 0, tf: 2, df: 1 }]);
        assert_eq!(table.totals(), [Totals { documents: 3, tf: 5, df: 4, distinct: 3, weighted: 0 }]);
        let read = parts(&table, &["z a", "c z b c"], (1, 1), 1);
        let (ends, ids, times) = (vec![1, 3], vec![1, 2, 0], vec![1, 2, 1]);
        assert_eq!(table.matrix(read, false, None), DocumentTermMatrix { ends, ids, times, weights: Vec::new() });
        assert_eq!(table.ids(), 3);
    }

    #[test]
    fn the_words_of_a_pair_have_ids_but_are_no_terms() {
        let mut table = Table::default();
        let read = parts(&table, &["a b c"], (2, 2), 1);
        assert_eq!(table.learn_matrix(read, None).unwrap().ids, [2, 4]); // a, b, "a b", c, "b c"
        assert_eq!((table.ids(), table.live()), (5, 2));
        let read = parts(&table, &["a b"], (1, 2), 1);
        assert_eq!(table.matrix(read, false, None).ids, [2]);
    }

    #[test]
    fn threads_give_the_same_ids() {
        let texts: Vec<String> = (0..4000).map(|n| format!("word{} shared{} ", n % 2900, n % 13).repeat(20)).collect();
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let matrix = [1, 4].map(|threads| {
            let mut table = Table::default();
            let read = parts(&table, &texts, (1, 2), threads);
            assert_eq!(read.len(), threads);
            let matrix = table.learn_matrix(read, Weighting::named("log-length")).unwrap();
            (
                matrix,
                (0..table.ids() as u32).map(|id| table.terms.text(id)).collect::<Vec<_>>(),
                table.totals().to_vec(),
            )
        });
        assert_eq!(matrix[0], matrix[1]);
    }

    #[test]
    fn the_weights_of_a_matrix_are_what_learning_adds() {
        let texts = ["a b a c", "z a z", "", "b b z"];
        for name in ["log", "count-length", "once-length", "log-length"] {
            let own = Some(OwnTerms { words: (1, 1), pieces: false });
            let weighting = Weighting::named(name).map(|weighting| Weighting { own, ..weighting });
            let [mut learned, mut counted] = [Table::default(), Table::default()];
            let read = parts(&learned, &texts, (1, 2), 1);
            let matrix = learned.learn_matrix(read, weighting).unwrap();
            let rules = Rules { ngrams: (1, 2), ..Rules::default() };
            let documents = Documents { texts: &texts, labels: &[0; 4], weighting, ..Documents::default() };
            counted.learn(&documents, &rules, 1, nothing_to_ask).unwrap();
            for table in [&learned, &counted] {
                let again = table.matrix(parts(table, &texts, (1, 2), 1), false, weighting);
                assert_eq!(again.weights, matrix.weights);
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
        table.learn_matrix(read, None).unwrap();
        let weighting = Weighting::named("once-length");
        let read = || parts(&table, &["z a y x"], (1, 1), 1);
        assert_eq!(table.matrix(read(), false, weighting).weights, [32_768]); // 1 / √4
        let marked = table.matrix(read(), true, weighting);
        assert_eq!((marked.ids, marked.weights), (vec![UNSEEN, 0, UNSEEN, UNSEEN], vec![32_768; 4]));
    }
}
