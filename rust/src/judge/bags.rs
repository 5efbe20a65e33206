//! Documents as bags of ids, in layers of terms.
//!
//! Documents are kept by label, so that those of a term come label by label. A layer is a set of terms that settings
//! take or leave together: the analyzer's own n-grams, longer ones, pieces of words. Terms that only one document has
//! are apart: nobody looks them up, but they are part of the sums.

use super::reduction::{Reduction, Weigher};
use crate::analyze::batch::Part;
use crate::count::term_counter::TermCounter;
use crate::count::term_weights::Scale;
use crate::machine::in_parallel;
use crate::machine::processor::prefetch;
use crate::vocabulary::interner::{Entry, Interner};
use crate::vocabulary::overlay::merge;
use std::ops::Range;
use std::sync::Mutex;

const SCALES: [Scale; 3] = [Scale::Count, Scale::Once, Scale::Log];

const WORTH_A_THREAD: usize = 1 << 15; // terms of documents
const LAYERS: usize = 3;
const LAYER_BITS: u32 = 2; // so that the number of a term and its layer fit into 32 bits
const LAYER_MASK: u32 = (1 << LAYER_BITS) - 1;
const ALONE: u32 = u32::MAX >> LAYER_BITS; // in place of the number of a term that one document has

/// A number, and how often: a term in a document, or a document of a term.
pub type Item = (u32, u32);

/// Distinct terms of documents and how often each occurs, end to end.
pub struct Counted {
    ends: Vec<usize>,
    items: Vec<Item>,
}

/// Takes documents, chunk by chunk.
#[derive(Default)]
pub struct Gathering {
    terms: Interner,
    parts: Vec<Counted>,
    df: Vec<u32>, // by id
}

impl Gathering {
    /// The vocabulary so far, over which the next chunk is analyzed.
    pub fn terms(&self) -> &Interner {
        &self.terms
    }

    /// Takes the parts of a chunk.
    pub fn take(&mut self, parts: Vec<Part>) {
        let offset = self.terms.len();
        let counted = in_parallel(parts, |part| {
            let mut counter = TermCounter::new(part.ids, part.found.ids.len());
            let mut counted = Counted { ends: Vec::with_capacity(part.found.len()), items: Vec::new() };
            let mut df = vec![0u32; part.ids];
            for document in 0..part.found.len() {
                let items = counter.count(part.found.get(document));
                items.iter().for_each(|(id, _)| df[*id as usize] += 1);
                counted.items.extend_from_slice(items);
                counted.ends.push(counted.items.len());
            }
            (counted, part.own, df)
        });
        let mut moves = Vec::with_capacity(counted.len());
        let mut parts = Vec::with_capacity(counted.len());
        for (counted, own, df) in counted {
            let is_first = self.terms.is_empty();
            let moved = merge(&mut self.terms, own, offset as u32);
            self.df.resize(self.terms.len(), 0);
            df[..offset].iter().enumerate().for_each(|(id, df)| self.df[id] += df);
            moved.iter().zip(&df[offset..]).for_each(|(id, df)| self.df[*id as usize] += df);
            moves.push(if is_first { Vec::new() } else { moved });
            parts.push(counted);
        }
        self.parts.extend(in_parallel(parts.into_iter().zip(moves).collect(), |(mut counted, moved)| {
            if !moved.is_empty() {
                let own = counted.items.iter_mut().filter(|(id, _)| *id as usize >= offset);
                own.for_each(|(id, _)| *id = moved[*id as usize - offset]);
            }
            counted
        }));
    }

    /// The vocabulary, the documents in their order, and how many documents have each term, by id.
    pub fn into_parts(self) -> (Interner, Vec<Counted>, Vec<u32>) {
        (self.terms, self.parts, self.df)
    }

    /// The bags, with a label for each document. `own` are the n-grams of the analyzer.
    pub fn finish(self, labels: &[u32], own: (usize, usize), threads: usize) -> Bags {
        let Gathering { terms, parts: counted, df } = self;
        let mut order: Vec<u32> = (0..labels.len() as u32).collect();
        order.sort_by_key(|row| labels[*row as usize]);
        let mut found: [Layer; LAYERS] = Default::default();
        // By id: the number of the term in its layer, and the layer; one look for both.
        let mut codes = vec![ALONE; terms.len()];
        for (id, code) in codes.iter_mut().enumerate() {
            let place = layer_of(&terms, id as u32, own);
            let layer = &mut found[place];
            let number = if df[id] > 1 { layer.terms.len() as u32 } else { ALONE };
            *code = number << LAYER_BITS | place as u32;
            if df[id] > 1 {
                layer.terms.push(id as u32);
            }
        }
        let bags: Vec<&[Item]> = counted.iter().flat_map(Counted::each).collect();
        let items: usize = counted.iter().map(|part| part.items.len()).sum();
        let each = order.len().div_ceil(threads.min(items / WORTH_A_THREAD).max(1)).max(1);
        let parts = in_parallel(order.chunks(each).collect(), |some| {
            let mut parts: [Layer; LAYERS] = Default::default();
            for document in some {
                let bag = bags[*document as usize];
                parts.iter_mut().for_each(|layer| layer.squares.push([0.0; 3]));
                for (place, (id, times)) in bag.iter().enumerate() {
                    if let Some((ahead, _)) = bag.get(place + 8) {
                        prefetch(&codes[*ahead as usize]);
                    }
                    let code = codes[*id as usize];
                    let layer = &mut parts[(code & LAYER_MASK) as usize];
                    layer.add_squares(*times);
                    match code >> LAYER_BITS {
                        ALONE => layer.alone.push((*id, *times)),
                        number => layer.items.push((number, *times)),
                    }
                }
                parts.iter_mut().for_each(Layer::end);
            }
            parts
        });
        for part in parts {
            found.iter_mut().zip(part).for_each(|(layer, part)| layer.append(part));
        }
        drop(bags);
        drop((counted, codes, df)); // before more memory is needed
        let labels: Vec<u32> = order.iter().map(|row| labels[*row as usize]).collect();
        found.iter_mut().for_each(|layer| layer.turn_around(&labels, threads));
        let mut places = vec![0; order.len()];
        order.iter().enumerate().for_each(|(place, row)| places[*row as usize] = place as u32);
        Bags { terms, labels, places, layers: found, memory: Mutex::default() }
    }
}

impl Counted {
    pub fn each(&self) -> impl Iterator<Item = &[Item]> {
        (0..self.ends.len()).map(|document| &self.items[range(&self.ends, document)])
    }
}

/// The layer of a term: own n-grams, others, pieces of words.
fn layer_of(terms: &Interner, id: u32, own: (usize, usize)) -> usize {
    match terms.pair(id) {
        None if matches!(terms.entry(id), Entry::Word(word) if matches!(*word, [b':', _, ..])) => 2,
        None => (own.0 > 1) as usize,
        Some(_) if own == (1, 1) => 1,
        Some(_) => !(own.0..=own.1).contains(&terms.order(id)) as usize,
    }
}

/// Documents as bags of ids, by label.
pub struct Bags {
    pub terms: Interner,
    pub labels: Vec<u32>, // by document
    pub places: Vec<u32>, // by row as it was given: where the document is
    pub layers: [Layer; LAYERS],
    pub memory: Mutex<Vec<Reduction>>, // of the last question, to be used again
}

impl Bags {
    pub fn len(&self) -> usize {
        self.labels.len()
    }

    pub fn is_empty(&self) -> bool {
        self.labels.is_empty()
    }

    /// How many sums by term and label a document looks at in these layers, on average.
    pub fn cells(&self, layers: &[usize]) -> f64 {
        let of_layer = |layer: &Layer| -> usize {
            (0..layer.terms.len()).map(|term| range(&layer.posting_ends, term).len() * layer.cells(term).len()).sum()
        };
        let all: usize = layers.iter().map(|layer| of_layer(&self.layers[*layer])).sum();
        all as f64 / self.len().max(1) as f64
    }

    /// How much an occurrence of a term weighs on average.
    pub fn mean_weight(&self, weigher: &Weigher, layers: &[usize]) -> f64 {
        let (mut weights, mut tokens) = (0.0, 0.0);
        for layer in layers.iter().map(|layer| &self.layers[*layer]) {
            for document in 0..self.len() {
                for (_, times) in layer.of(document).iter().chain(layer.alone_in(document)) {
                    weights += weigher.weight(document, *times);
                    tokens += *times as f64;
                }
            }
        }
        if tokens == 0.0 { 1.0 } else { weights / tokens }
    }

    /// The length of each document over these layers.
    pub fn lengths(&self, layers: &[usize], scale: Scale) -> Vec<f64> {
        let place = SCALES.iter().position(|each| *each == scale).expect("one of the three");
        (0..self.len())
            .map(|document| {
                let squares: f64 = layers.iter().map(|layer| self.layers[*layer].squares[document][place]).sum();
                if squares == 0.0 { 1.0 } else { squares.sqrt() }
            })
            .collect()
    }
}

/// The terms of one layer in each document.
#[derive(Default)]
pub struct Layer {
    pub terms: Vec<u32>,          // the ids of terms that several documents have
    pub ends: Vec<usize>,         // by document
    pub items: Vec<Item>,         // its terms that other documents have too, and how often each occurs
    pub alone_ends: Vec<usize>,   // by document
    pub alone: Vec<Item>,         // ids of its terms that no other document has, and how often each occurs
    pub squares: Vec<[f64; 3]>,   // by document: the sum of squares over all its terms, for each scale
    pub posting_ends: Vec<usize>, // by term
    pub postings: Vec<Item>,      // the documents that have it, rising, and how often it occurs there
    pub cell_ends: Vec<u32>,      // by term
    pub cell_labels: Vec<u32>,    // under which it occurs, rising
}

impl Layer {
    #[inline(always)]
    fn add_squares(&mut self, times: u32) {
        let squares = self.squares.last_mut().expect("one for each document");
        (0..3).for_each(|scale| squares[scale] += SCALES[scale].factor(times).powi(2));
    }

    fn end(&mut self) {
        self.ends.push(self.items.len());
        self.alone_ends.push(self.alone.len());
    }

    fn append(&mut self, next: Layer) {
        let (items, alone) = (self.items.len(), self.alone.len());
        self.ends.extend(next.ends.iter().map(|end| items + end));
        self.alone_ends.extend(next.alone_ends.iter().map(|end| alone + end));
        extend(&mut self.items, next.items);
        extend(&mut self.alone, next.alone);
        self.squares.extend(next.squares);
    }

    /// From the terms of each document to the documents and labels of each term.
    fn turn_around(&mut self, labels: &[u32], threads: usize) {
        let mut counts = vec![0usize; self.terms.len()];
        self.items.iter().for_each(|(term, _)| counts[*term as usize] += 1);
        let mut total = 0;
        self.posting_ends = counts
            .iter()
            .map(|count| {
                total += count;
                total
            })
            .collect();
        let (items, ends) = (&self.items, &self.ends);
        let posting_ends = &self.posting_ends;
        let parts = in_parallel(pieces(posting_ends, threads), |terms| {
            let first = if terms.start == 0 { 0 } else { posting_ends[terms.start - 1] };
            let last = if terms.end == 0 { 0 } else { posting_ends[terms.end - 1] };
            let mut next: Vec<usize> = terms.clone().map(|term| range(posting_ends, term).start - first).collect();
            let mut postings = vec![(0, 0); last - first];
            let mut start = 0;
            for (document, end) in ends.iter().enumerate() {
                for (term, times) in &items[start..*end] {
                    if let Some(at) = next.get_mut((*term as usize).wrapping_sub(terms.start)) {
                        postings[*at] = (document as u32, *times);
                        *at += 1;
                    }
                }
                start = *end;
            }
            let (mut cell_ends, mut cell_labels) = (Vec::with_capacity(terms.len()), Vec::<u32>::new());
            for term in terms.clone() {
                let mut last = u32::MAX;
                let here = range(posting_ends, term);
                for (document, _) in &postings[here.start - first..here.end - first] {
                    let label = labels[*document as usize];
                    if label != last {
                        cell_labels.push(label);
                        last = label;
                    }
                }
                cell_ends.push(cell_labels.len() as u32);
            }
            (postings, cell_ends, cell_labels)
        });
        for (postings, cell_ends, cell_labels) in parts {
            let before = self.cell_labels.len() as u32;
            self.cell_ends.extend(cell_ends.iter().map(|end| before + end));
            self.cell_labels.extend(cell_labels);
            extend(&mut self.postings, postings);
        }
    }

    /// How many terms there are.
    pub fn size(&self) -> usize {
        self.terms.len() + self.alone.len()
    }

    #[inline]
    pub fn of(&self, document: usize) -> &[Item] {
        &self.items[range(&self.ends, document)]
    }

    #[inline]
    pub fn alone_in(&self, document: usize) -> &[Item] {
        &self.alone[range(&self.alone_ends, document)]
    }

    #[inline]
    pub fn cells(&self, term: usize) -> Range<usize> {
        (if term == 0 { 0 } else { self.cell_ends[term - 1] as usize })..self.cell_ends[term] as usize
    }
}

/// Adds items; the first are taken as they are.
fn extend(all: &mut Vec<Item>, more: Vec<Item>) {
    match all.is_empty() {
        true => *all = more,
        false => all.extend(more),
    }
}

#[inline]
pub fn range(ends: &[usize], place: usize) -> Range<usize> {
    (if place == 0 { 0 } else { ends[place - 1] })..ends[place]
}

/// Ranges of places with about the same share of what ends there, at most one for each thread.
pub fn pieces(ends: &[usize], threads: usize) -> Vec<Range<usize>> {
    let all = ends.last().copied().unwrap_or(0);
    let wanted = threads.min(all / WORTH_A_THREAD).max(1);
    let cuts = (0..=wanted)
        .map(|cut| if cut == wanted { ends.len() } else { ends.partition_point(|end| end * wanted < all * cut) });
    let cuts: Vec<usize> = cuts.collect();
    cuts.windows(2).map(|pair| pair[0]..pair[1]).collect()
}
