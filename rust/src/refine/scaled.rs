//! How much each term counts in a row: more, the rarer it is and the more it says of the labels.
//!
//!     x(d,t) = f(d,t) s(t) / |d|,  |d|² = sum of f(d,t) s(t)² over the terms of d
//!
//!     s(t) = sqrt(idf(t)) (1/2 + sqrt(sum of P(c) r(t,c)²))
//!     r(t,c) = ln P(t|c) - ln P(t|not c),  P(t|c) = (n(t,c) + 1) / (n(c) + |V|)
//!
//! n(t,c) counts the documents of c that have t, n(c) is its sum over the terms. For two labels this weighs terms by
//! their log ratio under naive Bayes, as Wang & Manning 2012 do (Baselines and bigrams); the mean of all labels is what
//! machines for many labels can share. |d|² has f and not its square, so that one look at a text gives it along with the
//! margins.

use super::term_rows::Rows;

const ALWAYS: f64 = 0.5; // how much a term counts that says nothing of the labels

/// Rows with the scales that follow from some of the documents.
pub struct Scaled<'a> {
    pub rows: &'a Rows,
    pub scales: Vec<f32>,  // by term
    pub squares: Vec<f64>, // of these
    pub lengths: Vec<f64>, // by document; 0 without terms
}

/// Documents with a label, which scales follow from.
pub struct Labeled<'a> {
    pub labels: &'a [u32], // by document
    pub count: usize,      // how many labels there are
    pub weight: &'a (dyn Fn(u32) -> f64 + Sync),
}

impl<'a> Scaled<'a> {
    /// The scales that follow from these documents.
    pub fn by(rows: &'a Rows, documents: &[u32], labeled: &Labeled<'_>) -> Scaled<'a> {
        let telling = telling(rows, documents, labeled);
        let scale = |(idf, telling): (&f64, &f64)| (idf.sqrt() * (ALWAYS + telling.sqrt())) as f32;
        let scales: Vec<f32> = rows.idf.iter().zip(&telling).map(scale).collect();
        let squares: Vec<f64> = scales.iter().map(|scale| (*scale as f64).powi(2)).collect();
        let square = |document| rows.of_document(document).iter().map(|(term, f)| *f as f64 * squares[*term as usize]);
        let lengths = (0..rows.len()).map(|document| square(document).sum::<f64>().sqrt()).collect();
        Scaled { rows, scales, squares, lengths }
    }
}

/// The sum of P(c) r(t,c)² for each term. Labels without a term are the same sum for all terms that are as frequent, to
/// which the difference of those that have it is added: so time grows with the terms of documents only.
fn telling(rows: &Rows, documents: &[u32], labeled: &Labeled<'_>) -> Vec<f64> {
    let terms = rows.idf.len();
    let mut by_label: Vec<Vec<u32>> = vec![Vec::new(); labeled.count];
    documents.iter().for_each(|document| by_label[labeled.labels[*document as usize] as usize].push(*document));
    let (mut all, mut sizes, mut shares) = (vec![0.0; terms], vec![0.0; labeled.count], vec![0.0; labeled.count]);
    for (label, documents) in by_label.iter().enumerate() {
        for document in documents {
            let (weight, items) = ((labeled.weight)(*document), rows.of_document(*document as usize));
            items.iter().for_each(|(term, _)| all[*term as usize] += weight);
            sizes[label] += weight * items.len() as f64;
            shares[label] += weight;
        }
    }
    let (size, documents) = (sizes.iter().sum::<f64>(), shares.iter().sum::<f64>());
    shares.iter_mut().for_each(|share| *share /= documents.max(f64::MIN_POSITIVE));
    let ahead: Vec<f64> =
        sizes.iter().map(|own| (size - own + terms as f64).ln() - (own + terms as f64).ln()).collect();
    let sum = |of: &dyn Fn(f64) -> f64| shares.iter().zip(&ahead).map(|(share, ahead)| share * of(*ahead)).sum::<f64>();
    let (first, second) = (sum(&|ahead| ahead), sum(&|ahead| ahead * ahead));
    let absent: Vec<f64> = all.iter().map(|all: &f64| (all + 1.0).ln()).collect();
    let mut found: Vec<f64> = absent.iter().map(|absent| second - 2.0 * absent * first + absent * absent).collect();
    let (mut own, mut touched) = (vec![0.0; terms], Vec::new());
    for (label, documents) in by_label.iter().enumerate() {
        for document in documents {
            let weight = (labeled.weight)(*document);
            for (term, _) in rows.of_document(*document as usize) {
                let count = &mut own[*term as usize];
                if *count == 0.0 {
                    touched.push(*term as usize);
                }
                *count += weight;
            }
        }
        for term in touched.drain(..) {
            let (here, rest) = (own[term], (all[term] - own[term]).max(0.0));
            let ratio = ahead[label] + (here + 1.0).ln() - (rest + 1.0).ln();
            found[term] += shares[label] * (ratio * ratio - (ahead[label] - absent[term]).powi(2));
            own[term] = 0.0;
        }
    }
    found.iter_mut().for_each(|found| *found = found.max(0.0)); // rounding must not make a square negative
    found
}
