//! How far training is from what the machine allows, one step more in every line.
//!
//!     cargo run --release --example limit -- FILE [REPEAT]
//!
//! FILE holds texts, each closed by a zero byte but the last. The steps are timed in turn, so that a disturbance hits all of them:
//!
//!     pass     every byte is looked at once
//!     cut      pass + the words of every text
//!     number   cut + lower case, and a number for each different word
//!     count    number + tf and df of each label; what a table keeps
//!
//! Prints JSON: the best time of each step in seconds, and how many bytes and words there are.

use _kernel::count::{Documents, count};
use _kernel::documents::{Lists, Rules};
use _kernel::intern::Interner;
use _kernel::scope::Scope;
use _kernel::table::Table;
use _kernel::tokens::tokens;
use _kernel::words::{Cut, each_word};
use std::convert::Infallible;
use std::hint::black_box;
use std::time::Instant;

const LABELS: u32 = 2;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file with texts");
    let repeat: usize = arguments.next().map_or(5, |number| number.parse().expect("how often"));
    let content = std::fs::read_to_string(&file).expect("a file in UTF-8");
    let texts: Vec<&str> = content.split('\0').collect();
    let labels: Vec<u32> = (0..texts.len() as u32).map(|document| document % LABELS).collect();
    let steps: [(&str, &dyn Fn() -> usize); 7] = [
        ("pass", &|| pass(&texts)),
        ("cut", &|| cut(&texts)),
        ("number", &|| number(&texts)),
        ("count", &|| counted(&texts, &labels, 1)),
        ("count2", &|| counted(&texts, &labels, 2)),
        ("pairs", &|| pairs(&texts, &labels, 1)),
        ("pairs2", &|| pairs(&texts, &labels, 2)),
    ];
    let mut best = [f64::INFINITY; 7];
    let mut found = [0; 7];
    let only = arguments.next();
    for _ in 0..repeat {
        for (step, (name, work)) in steps.iter().enumerate() {
            if only.as_ref().is_some_and(|only| only != name) {
                continue;
            }
            let start = Instant::now();
            found[step] = black_box(work());
            best[step] = best[step].min(start.elapsed().as_secs_f64());
        }
    }
    let times: Vec<String> = steps.iter().zip(best).map(|((name, _), best)| format!("\"{name}\": {best:.6}")).collect();
    println!(
        "{{\"bytes\": {}, \"words\": {}, \"terms\": {}, \"seconds\": {{{}}}}}",
        found[0],
        found[1],
        found[3],
        times.join(", ")
    );
}

fn pass(texts: &[&str]) -> usize {
    let ascii: usize = texts.iter().map(|text| text.bytes().filter(|byte| *byte < 0x80).count()).sum();
    black_box(ascii);
    texts.iter().map(|text| text.len()).sum()
}

fn cut(texts: &[&str]) -> usize {
    let mut words = 0;
    texts.iter().for_each(|text| each_word(text, Cut::DropPunctuation, |_| words += 1));
    words
}

fn number(texts: &[&str]) -> usize {
    let mut scope = Scope::into(Interner::default());
    let mut lists = Lists::default();
    let mut words = 0;
    for some in texts.chunks(200) {
        lists.clear();
        tokens(some, &Rules::default(), &mut scope, &mut lists, |_| ());
        words += lists.ids.len();
    }
    words
}

fn counted(texts: &[&str], labels: &[u32], threads: usize) -> usize {
    let mut table = Table::default();
    let ask = |_| Ok::<_, Infallible>(Vec::new());
    let documents = Documents { texts, labels, weights: None, fingerprint: None };
    count(&mut table, &documents, &Rules::default(), threads, ask).expect("small numbers");
    table.live()
}

fn pairs(texts: &[&str], labels: &[u32], threads: usize) -> usize {
    let mut table = Table::default();
    let ask = |_| Ok::<_, Infallible>(Vec::new());
    let documents = Documents { texts, labels, weights: None, fingerprint: None };
    let rules = Rules { ngrams: (1, 2), ..Rules::default() };
    count(&mut table, &documents, &rules, threads, ask).expect("small numbers");
    table.live()
}
