//! The sums of a batch, label by label, before a table takes them.

use super::term_counter::TermCounter;
use super::term_weights::TermWeigher;
use super::totals::{TooLarge, Totals, checked_product, checked_sum};
use crate::analyze::id_lists::IdLists;
use crate::analyze::id_lists::TermSink;
use crate::machine::processor::prefetch;
use std::ops::AddAssign;

/// The sums of the documents of one label.
pub struct LabelSums {
    pub label: u32,
    pub totals: Totals, // without df and distinct terms
    pub cells: Vec<TermSums>,
    pub weighted: Vec<u64>, // by cell; empty if nothing is weighed
}

/// id, tf and df.
type TermSums = (u32, u64, u64);

struct Document<'a> {
    label: u32,
    weight: u64,
    terms: &'a [u32],
}

/// Sums documents label by label. `labels` and `weights` are by document; the terms' ids are below `ids`.
pub fn sum_by_label(
    lists: &IdLists,
    ids: usize,
    labels: &[u32],
    weights: Option<&[u64]>,
    weigher: Option<&TermWeigher>,
) -> Result<Vec<LabelSums>, TooLarge> {
    let weight = |row: usize| weights.map_or(1, |weights| weights[row]);
    let document = |row| Document { label: labels[row], weight: weight(row), terms: lists.get(row) };
    let mut documents: Vec<Document> = (0..lists.len()).map(document).collect();
    documents.sort_by_key(|document| document.label);
    let (mut small, mut large) = (Adder::<u64>::new(ids), Adder::<u128>::new(ids));
    let mut weights = weigher.map(|weigher| WeightAdder::new(weigher, ids, lists.ids.len()));
    let sums = documents.chunk_by(|a, b| a.label == b.label).map(|documents| {
        let mut totals = totals(documents)?;
        let cells = match documents {
            [only] => sums_of_one(only),
            many if totals.tf < 1 << 32 => small.sums(many),
            many => large.sums(many),
        };
        let weighted = match &mut weights {
            Some(weights) => weights.sums(documents, &cells, &mut totals)?,
            None => Vec::new(),
        };
        Ok(LabelSums { label: documents[0].label, totals, cells, weighted })
    });
    sums.collect()
}

/// How many documents and tokens there are: if these are not too many, no sum is too large.
fn totals(documents: &[Document]) -> Result<Totals, TooLarge> {
    let mut totals = Totals::default();
    for Document { weight, terms, .. } in documents {
        totals.documents = checked_sum(totals.documents, *weight)?;
        totals.tf = checked_sum(totals.tf, checked_product(*weight, terms.len() as u64)?)?;
    }
    Ok(totals)
}

/// A single document needs no array.
fn sums_of_one(Document { weight, terms, .. }: &Document) -> Vec<TermSums> {
    let mut counter = TermCounter::new(usize::MAX, terms.len());
    counter.count(terms).iter().map(|(id, times)| (*id, *times as u64 * weight, *weight)).collect()
}

/// Sums the documents of a batch one after the other, when there is no weighting.
///
/// If there are only a few labels, each has its own sums, and terms are forgotten as soon as they are added. If there
/// are many, the terms are kept, to be summed label by label.
pub struct RunningSums<'a> {
    labels: &'a [u32], // by document
    weights: Option<&'a [u64]>,
    few: Vec<LabelAdder>, // empty: there are many
    document: usize,
    many: IdLists,
    ids: usize,
}

/// The sums of one label.
struct LabelAdder {
    label: u32,
    documents: u64,
    tokens: u64,
    adder: Adder<u64>,
}

const MOST_OF_A_FEW: usize = 8;

impl<'a> RunningSums<'a> {
    /// For documents with these labels and weights, and this many bytes.
    pub fn new(labels: &'a [u32], weights: Option<&'a [u64]>, bytes: usize) -> Self {
        let small = weights.is_none() && bytes < 1 << 32; // each sum fits into half a word
        let distinct = if small { a_few(labels) } else { Vec::new() };
        let few = distinct.into_iter().map(|label| LabelAdder { label, documents: 0, tokens: 0, adder: Adder::new(0) });
        RunningSums { labels, weights, few: few.collect(), document: 0, many: IdLists::default(), ids: 0 }
    }

    /// The sums.
    pub fn finish(mut self) -> Result<Vec<LabelSums>, TooLarge> {
        if self.few.is_empty() {
            return sum_by_label(&self.many, self.ids, self.labels, self.weights, None);
        }
        let sums = |few: &mut LabelAdder| {
            let totals = Totals { documents: few.documents, tf: few.tokens, ..Totals::default() };
            LabelSums { label: few.label, totals, cells: few.adder.cells(), weighted: Vec::new() }
        };
        Ok(self.few.iter_mut().map(sums).collect())
    }
}

/// The distinct labels, sorted; none if they are many.
fn a_few(labels: &[u32]) -> Vec<u32> {
    let mut distinct: Vec<u32> = Vec::new();
    for label in labels {
        if let Err(place) = distinct.binary_search(label) {
            if distinct.len() == MOST_OF_A_FEW {
                return Vec::new();
            }
            distinct.insert(place, *label);
        }
    }
    distinct
}

impl TermSink for RunningSums<'_> {
    fn take(&mut self, lists: &IdLists, ids: usize) {
        if self.few.is_empty() {
            self.ids = ids;
            return self.many.take(lists, ids);
        }
        let labels = &self.labels[self.document..][..lists.len()];
        for few in &mut self.few {
            few.adder.grow(ids);
            for row in (0..lists.len()).filter(|row| labels[*row] == few.label) {
                let terms = lists.get(row);
                few.adder.add(terms, 1);
                few.documents += 1;
                few.tokens += terms.len() as u64;
            }
        }
        self.document += lists.len();
    }
}

/// Sums in an array as long as the vocabulary, so that no sum needs a look-up. Whether a term is new in a document is a
/// coin toss, so nothing branches on it, and tf and df are added at once.
struct Adder<B> {
    ids: usize,
    by_id: Vec<Sum<B>>,
    touched: Vec<u32>, // only the first `len` count
    len: usize,
    document: u32, // counts up, so that a term's first occurrence in a document is known
}

#[derive(Default, Clone, Copy)]
struct Sum<B> {
    both: B,
    last: u32, // the last document that had the term; 0: none
}

/// tf and df in one number, each in a half of it.
trait Both: Copy + Default + AddAssign {
    fn new(tf: u64, df: u64) -> Self;
    fn parts(self) -> (u64, u64);
}

impl Both for u64 {
    fn new(tf: u64, df: u64) -> u64 {
        tf | df << 32
    }

    fn parts(self) -> (u64, u64) {
        (self & 0xffff_ffff, self >> 32)
    }
}

impl Both for u128 {
    fn new(tf: u64, df: u64) -> u128 {
        tf as u128 | (df as u128) << 64
    }

    fn parts(self) -> (u64, u64) {
        (self as u64, (self >> 64) as u64)
    }
}

impl<B: Both> Adder<B> {
    fn new(ids: usize) -> Self {
        Adder { ids, by_id: Vec::new(), touched: Vec::new(), len: 0, document: 0 }
    }

    /// The sums of documents; then all is empty again.
    fn sums(&mut self, documents: &[Document]) -> Vec<TermSums> {
        self.grow(self.ids);
        documents.iter().for_each(|document| self.add(document.terms, document.weight));
        self.cells()
    }

    /// Makes room for ids below this.
    fn grow(&mut self, ids: usize) {
        if self.by_id.len() < ids {
            // Zeros that are never touched cost nothing, but moving them does.
            let mut larger = vec![Sum::default(); ids * 2];
            larger[..self.by_id.len()].copy_from_slice(&self.by_id);
            self.by_id = larger;
            self.touched.resize(ids * 2 + 1, 0);
        }
    }

    /// What was summed; then all is empty again.
    fn cells(&mut self) -> Vec<TermSums> {
        let cells = self.touched[..self.len].iter().map(|id| {
            let (tf, df) = std::mem::take(&mut self.by_id[*id as usize]).both.parts();
            (*id, tf, df)
        });
        let cells = cells.collect();
        (self.document, self.len) = (0, 0);
        cells
    }

    fn add(&mut self, ids: &[u32], weight: u64) {
        if weight == 0 {
            return;
        }
        self.document += 1;
        let (first, again) = (B::new(weight, weight), B::new(weight, 0));
        let (by_id, touched, mut len, document) = (&mut self.by_id[..], &mut self.touched[..], self.len, self.document);
        for (place, id) in ids.iter().enumerate() {
            if let Some(later) = ids.get(place + 32) {
                prefetch(&by_id[*later as usize]);
            }
            let sum = &mut by_id[*id as usize];
            touched[len] = *id;
            len += (sum.last == 0) as usize;
            sum.both += if sum.last == document { again } else { first };
            sum.last = document;
        }
        self.len = len;
    }
}

/// TermSums what terms weigh in their documents.
struct WeightAdder<'a> {
    weigher: &'a TermWeigher<'a>,
    counter: TermCounter,
    by_id: Vec<u64>,
    weights: Vec<u64>, // of one document
}

impl<'a> WeightAdder<'a> {
    fn new(weigher: &'a TermWeigher, ids: usize, terms: usize) -> Self {
        WeightAdder { weigher, counter: TermCounter::new(ids, terms), by_id: vec![0; ids], weights: Vec::new() }
    }

    /// The sums of documents, one for each cell; then all is empty again.
    fn sums(&mut self, documents: &[Document], cells: &[TermSums], totals: &mut Totals) -> Result<Vec<u64>, TooLarge> {
        for Document { weight, terms, .. } in documents {
            let items = self.counter.count(terms);
            self.weigher.weigh(items, &mut self.weights);
            totals.weighted = checked_sum(totals.weighted, checked_product(*weight, self.weights.iter().sum())?)?;
            for ((id, _), units) in items.iter().zip(&self.weights) {
                self.by_id[*id as usize] += units * weight;
            }
        }
        Ok(cells.iter().map(|(id, _, _)| std::mem::take(&mut self.by_id[*id as usize])).collect())
    }
}
