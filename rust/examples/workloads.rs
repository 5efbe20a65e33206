//! Small pieces of work whose instructions are counted, see benchmarks/instructions.py.
//!
//!     cargo run --release --example workloads -- words|pairs|classify
//!
//! The texts are made up from a fixed seed, and there is one thread. Only what happens inside `measured` is counted.
//! Prints JSON: how many bytes were read, what was found, and whether the processor has what the fast way needs.

use _kernel::analyze::batch::{Batch, nothing_to_ask};
use _kernel::analyze::rules::Rules;
use _kernel::count::ledger::{Ledger, fingerprint};
use _kernel::count::term_counter::TermCounter;
use _kernel::count::term_weights::Scale;
use _kernel::score::dense::DenseWeights;
use _kernel::score::{Base, Scorer};
use _kernel::table::Table;
use _kernel::table::learn::Documents;
use std::hint::black_box;
use std::ops::Range;

const TEXTS: usize = 600;
const LABELS: [&str; 4] = ["north", "east", "south", "west"];

fn main() {
    let workload = std::env::args().nth(1).unwrap_or_default();
    let (texts, others) = (made_up(7, TEXTS), made_up(8, TEXTS));
    let [texts, others]: [Vec<&str>; 2] = [&texts, &others].map(|texts| texts.iter().map(String::as_str).collect());
    let (words, pairs) = (Rules::default(), Rules { ngrams: (1, 2), ..Rules::default() });
    let (read, found) = match workload.as_str() {
        "words" => (&texts, measured(&|| train(&texts, &words).live())),
        "pairs" => (&texts, measured(&|| train(&texts, &pairs).live())),
        "classify" => {
            let table = train(&texts, &words);
            let rows: Vec<f64> = (0..table.ids() * LABELS.len()).map(|place| -1.0 - (place % 16) as f64).collect();
            (&others, measured(&|| classify(&others, &words, &table, &rows)))
        }
        _ => panic!("one of words, pairs and classify, not {workload:?}"),
    };
    let bytes: usize = read.iter().map(|text| text.len()).sum();
    println!("{{\"bytes\": {bytes}, \"found\": {found}, \"fast\": {}}}", fast());
}

/// Counting starts where this is entered and ends where it is left.
#[inline(never)]
fn measured(work: &dyn Fn() -> usize) -> usize {
    black_box(work())
}

fn fast() -> bool {
    #[cfg(target_arch = "x86_64")]
    return _kernel::machine::processor::Avx2::is_available();
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// Counts and ledger, as training makes them.
fn train(texts: &[&str], rules: &Rules) -> Table {
    let (mut table, mut ledger) = (Table::default(), Ledger::default());
    let labels: Vec<u32> = (0..texts.len()).map(|document| (document % LABELS.len()) as u32).collect();
    let noted = |document: usize, text: &str| fingerprint(text, LABELS[labels[document] as usize], 1_000_000);
    let documents = Documents { texts, labels: &labels, fingerprint: Some(&noted), ..Documents::default() };
    let fingerprints = table.learn(&documents, rules, 1, nothing_to_ask).expect("small numbers");
    fingerprints.iter().for_each(|fingerprint| ledger.add(*fingerprint, 1));
    black_box(ledger);
    table
}

/// How many terms are known, over all texts.
fn classify(texts: &[&str], rules: &Rules, table: &Table, rows: &[f64]) -> usize {
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    let base = Base { values: &[-0.5; LABELS.len()], labels: LABELS.len(), each: false };
    let kept = vec![1; table.ids()];
    let weights = DenseWeights::new(rows, &kept, base, Scale::Count);
    let scorer =
        |documents: Range<usize>| Scorer::new(&weights, documents.start, TermCounter::new(table.ids(), bytes / 5));
    let batch = Batch { texts, rules, base: &table.terms, threads: 1, fingerprint: None };
    let Ok(parts) = batch.analyze(nothing_to_ask, scorer);
    let coverage = parts.iter().flat_map(|part| &part.found.scores.coverage);
    coverage.map(|coverage| coverage.known as usize).sum()
}

// ---- texts -----------------------------------------------------------------------------------------------------------

/// Sentences of made-up words, mostly English letters; every eighth text has Cyrillic ones, every 32nd has words in a
/// script without spaces.
fn made_up(seed: u64, texts: usize) -> Vec<String> {
    let mut random = Random(seed);
    (0..texts)
        .map(|text| {
            let mut content = String::new();
            for _ in 0..20 + random.below(160) {
                match text {
                    _ if text % 32 == 5 && random.below(4) == 0 => content.push_str("東京タワー"),
                    _ => word(random.rank(), text % 8 == 3, &mut content),
                }
                content
                    .push_str([" ", " ", " ", " ", " ", " ", ", ", ". ", "'s ", " - ", " 12 ", "! "][random.below(12)]);
            }
            content
        })
        .collect()
}

/// The word of this rank: frequent ones are short, one in seven starts with a capital letter.
fn word(rank: usize, cyrillic: bool, text: &mut String) {
    const SYLLABLES: [[&str; 16]; 2] = [
        ["ba", "de", "fi", "go", "hu", "ka", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "we", "zy"],
        ["ба", "де", "фи", "го", "ху", "ка", "ле", "ми", "но", "пу", "ра", "се", "ти", "во", "же", "щя"],
    ];
    let (mut left, start) = (rank, text.len());
    while left > 0 {
        text.push_str(SYLLABLES[cyrillic as usize][left % 16]);
        left /= 16;
    }
    text.push_str(match rank % 64 {
        21 | 42 => "é",
        63 => "ingsomenesses", // then longer than what a key holds itself
        _ => "",
    });
    if rank % 7 == 6 {
        let first = text[start..].chars().next().expect("a rank is 1 or more").to_uppercase().to_string();
        text.replace_range(start..start + first.len(), &first);
    }
}

/// SplitMix64 (Steele, Lea & Flood 2014): the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// 1 to 8191, each about as often as its inverse says: the way of words.
    fn rank(&mut self) -> usize {
        let half = 1 << self.below(13);
        half + self.below(half)
    }
}
