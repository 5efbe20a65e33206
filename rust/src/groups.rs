//! The sums of a batch, label by label, before a table takes them.

use crate::bag::Bag;
use crate::documents::Lists;
use crate::totals::{Full, Totals, product, within};
use crate::weighting::Weigher;

/// The sums of the documents of one label.
pub struct Group {
    pub label: u32,
    pub totals: Totals, // without df and distinct terms
    pub cells: Vec<Sums>,
    pub weighted: Vec<u64>, // by cell; empty if nothing is weighed
}

/// id, tf and df.
type Sums = (u32, u64, u64);

struct Document<'a> {
    label: u32,
    weight: u64,
    terms: &'a [u32],
}

/// Sums documents label by label. `labels` and `weights` are by document; the terms' ids are below `ids`.
pub fn groups(
    lists: &Lists,
    ids: usize,
    labels: &[u32],
    weights: Option<&[u64]>,
    weigher: Option<&Weigher>,
) -> Result<Vec<Group>, Full> {
    let weight = |row: usize| weights.map_or(1, |weights| weights[row]);
    let document = |row| Document { label: labels[row], weight: weight(row), terms: lists.get(row) };
    let mut documents: Vec<Document> = (0..lists.len()).map(document).collect();
    documents.sort_by_key(|document| document.label);
    let mut adder = Adder { ids, ..Adder::default() };
    let mut weights = weigher.map(|weigher| WeightAdder::new(weigher, ids, lists.ids.len()));
    let groups = documents.chunk_by(|a, b| a.label == b.label).map(|documents| {
        let mut totals = totals(documents)?;
        let cells = match documents {
            [only] => sums_of_one(only),
            many => adder.sums(many),
        };
        let weighted = match &mut weights {
            Some(weights) => weights.sums(documents, &cells, &mut totals)?,
            None => Vec::new(),
        };
        Ok(Group { label: documents[0].label, totals, cells, weighted })
    });
    groups.collect()
}

/// How many documents and tokens there are: if these are not too many, no sum is too large.
fn totals(documents: &[Document]) -> Result<Totals, Full> {
    let mut totals = Totals::default();
    for Document { weight, terms, .. } in documents {
        totals.documents = within(totals.documents, *weight)?;
        totals.tf = within(totals.tf, product(*weight, terms.len() as u64)?)?;
    }
    Ok(totals)
}

/// A single document needs no array.
fn sums_of_one(Document { weight, terms, .. }: &Document) -> Vec<Sums> {
    let mut bag = Bag::new(usize::MAX, terms.len());
    bag.fill(terms).iter().map(|(id, times)| (*id, *times as u64 * weight, *weight)).collect()
}

/// Sums in an array as long as the vocabulary, so that no sum needs a look-up. Whether a term is new in a document is a
/// coin toss, so nothing branches on it.
#[derive(Default)]
struct Adder {
    ids: usize,
    by_id: Vec<Sum>,
    touched: Vec<u32>, // only the first `len` count
    len: usize,
    document: u32, // counts up, so that a term's first occurrence in a document is known
}

#[derive(Default, Clone, Copy)]
struct Sum {
    tf: u64,
    df: u64,
    last: u32, // the last document that had the term; 0: none
}

impl Adder {
    /// The sums of documents; then all is empty again.
    fn sums(&mut self, documents: &[Document]) -> Vec<Sums> {
        documents.iter().for_each(|document| self.add(document.terms, document.weight));
        let cells = self.touched[..self.len].iter().map(|id| {
            let sum = std::mem::take(&mut self.by_id[*id as usize]);
            (*id, sum.tf, sum.df)
        });
        let cells = cells.collect();
        (self.document, self.len) = (0, 0);
        cells
    }

    fn add(&mut self, ids: &[u32], weight: u64) {
        if weight == 0 {
            return;
        }
        if self.by_id.is_empty() {
            self.by_id = vec![Sum::default(); self.ids];
            self.touched = vec![0; self.ids + 1];
        }
        self.document += 1;
        for id in ids {
            let sum = &mut self.by_id[*id as usize];
            self.touched[self.len] = *id;
            self.len += (sum.last == 0) as usize;
            sum.tf += weight;
            sum.df += if sum.last == self.document { 0 } else { weight };
            sum.last = self.document;
        }
    }
}

/// Sums what terms weigh in their documents.
struct WeightAdder<'a> {
    weigher: &'a Weigher<'a>,
    bag: Bag,
    by_id: Vec<u64>,
    weights: Vec<u64>, // of one document
}

impl<'a> WeightAdder<'a> {
    fn new(weigher: &'a Weigher, ids: usize, terms: usize) -> Self {
        WeightAdder { weigher, bag: Bag::new(ids, terms), by_id: vec![0; ids], weights: Vec::new() }
    }

    /// The sums of documents, one for each cell; then all is empty again.
    fn sums(&mut self, documents: &[Document], cells: &[Sums], totals: &mut Totals) -> Result<Vec<u64>, Full> {
        for Document { weight, terms, .. } in documents {
            let items = self.bag.fill(terms);
            self.weigher.weigh(items, &mut self.weights);
            totals.weighted = within(totals.weighted, product(*weight, self.weights.iter().sum())?)?;
            for ((id, _), units) in items.iter().zip(&self.weights) {
                self.by_id[*id as usize] += units * weight;
            }
        }
        Ok(cells.iter().map(|(id, _, _)| std::mem::take(&mut self.by_id[*id as usize])).collect())
    }
}
