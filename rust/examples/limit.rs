//! How far counting is from what the machine allows, one step more in every line.
//!
//!     cargo run --release --example limit -- FILE [REPEAT]
//!
//! FILE holds texts with a zero byte between them. The steps are timed in turn, on one thread:
//!
//!     pass     every byte is looked at once
//!     cut      pass + where words start and end
//!     number   cut + lower case, and a number for each different word
//!     count    number + how often and in how many documents each stands, by label; the table that is kept
//!
//! Prints JSON: the seconds of each step in every repetition.

use _kernel::analyze::batch::nothing_to_ask;
use _kernel::analyze::id_lists::IdLists;
use _kernel::analyze::rules::Rules;
use _kernel::analyze::tokenize::tokenize;
#[cfg(target_arch = "x86_64")]
use _kernel::machine::processor::Avx2;
use _kernel::machine::processor::{Portable, Processor};
use _kernel::table::Table;
use _kernel::table::learn::Documents;
use _kernel::text::Punctuation;
use _kernel::text::plain_letters::simple_prefix;
use _kernel::text::simple_words::{SimpleWords, WordBounds};
use _kernel::text::word_boundaries::{Piece, Pieces, each_general_word};
use _kernel::vocabulary::interner::Interner;
use _kernel::vocabulary::overlay::Overlay;
use std::hint::black_box;
use std::time::Instant;

const LABELS: u32 = 2;
const HELPING: usize = 1 << 18; // bytes of text, as in analyze/batch.rs

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file with texts");
    let repeat: usize = arguments.next().map_or(5, |number| number.parse().expect("how often"));
    let content = std::fs::read_to_string(&file).expect("a file in UTF-8");
    let texts: Vec<&str> = content.split('\0').collect();
    let labels: Vec<u32> = (0..texts.len() as u32).map(|document| document % LABELS).collect();
    let steps: [(&str, &dyn Fn() -> usize); 4] = [
        ("pass", &|| pass(&texts)),
        ("cut", &|| cut(&texts)),
        ("number", &|| number(&texts)),
        ("count", &|| counted(&texts, &labels)),
    ];
    let mut seconds = vec![Vec::new(); steps.len()];
    for _ in 0..repeat {
        for ((_, work), seconds) in steps.iter().zip(&mut seconds) {
            let start = Instant::now();
            black_box(work());
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let rows: Vec<String> =
        steps.iter().zip(seconds).map(|((name, _), seconds)| format!("\"{name}\": {seconds:?}")).collect();
    println!("{{{}}}", rows.join(", "));
}

fn pass(texts: &[&str]) -> usize {
    texts.iter().fold(0, |all, text| all ^ xor(text.as_bytes())) as usize
}

fn cut(texts: &[&str]) -> usize {
    #[cfg(target_arch = "x86_64")]
    if Avx2::is_available() {
        // SAFETY: the processor has what the function needs.
        return unsafe { cut_avx2(texts) };
    }
    cut_on::<Portable>(texts)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn cut_avx2(texts: &[&str]) -> usize {
    cut_on::<Avx2>(texts)
}

#[inline(always)]
fn cut_on<P: Processor>(texts: &[&str]) -> usize {
    let (mut bounds, mut words) = (WordBounds::default(), 0);
    for text in texts {
        for piece in Pieces::new(text.as_bytes(), simple_prefix(text.as_bytes(), 0)) {
            match piece {
                Piece::Simple(range) => {
                    let mut simple = SimpleWords::<P>::new(text.as_bytes(), range, Punctuation::Drop, &mut bounds);
                    while let (starts @ [_, ..], _) = simple.next_words() {
                        words += starts.len();
                    }
                }
                Piece::General(range) => each_general_word(text, range, Punctuation::Drop, &mut |_| words += 1),
            }
        }
    }
    words
}

fn number(texts: &[&str]) -> usize {
    let (mut overlay, mut lists, mut words) = (Overlay::growing(Interner::default()), IdLists::default(), 0);
    let mean = texts.iter().map(|text| text.len()).sum::<usize>() / texts.len() + 1;
    for some in texts.chunks(HELPING / mean + 1) {
        lists.clear();
        tokenize(some, &Rules::default(), &mut overlay, &mut lists, |_| ());
        words += lists.ids.len();
    }
    words
}

fn counted(texts: &[&str], labels: &[u32]) -> usize {
    let mut table = Table::default();
    let documents = Documents { texts, labels, ..Documents::default() };
    table.learn(&documents, &Rules::default(), 1, nothing_to_ask).expect("small numbers");
    table.live()
}

fn xor(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |all, byte| all ^ byte)
}
