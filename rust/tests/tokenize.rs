//! The quick way from texts to numbered words gives the words of the plain one, wherever they stand.

use _kernel::analyze::id_lists::IdLists;
use _kernel::analyze::rules::Rules;
use _kernel::analyze::tokenize::tokenize;
use _kernel::text::composed;
use _kernel::text::word_boundaries::each_word;
use _kernel::vocabulary::interner::Interner;
use _kernel::vocabulary::overlay::Overlay;

fn numbered(texts: &[&str], rules: &Rules) -> Vec<Vec<String>> {
    let (mut overlay, mut lists) = (Overlay::growing(Interner::default()), IdLists::default());
    tokenize(texts, rules, &mut overlay, &mut lists, |_| ());
    (0..lists.len()).map(|place| lists.get(place).iter().map(|id| overlay.text(*id)).collect()).collect()
}

fn cut(text: &str, rules: &Rules) -> Vec<String> {
    let (text, _) = composed(text);
    let mut words = Vec::new();
    each_word(&text, rules.punctuation, |word| words.push(text[word].to_string()));
    words.iter().map(|word| if rules.lowercase { word.to_lowercase() } else { word.clone() }).collect()
}

fn check(texts: &[String]) {
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    for lowercase in [true, false] {
        let rules = Rules { lowercase, ..Rules::default() };
        let expected: Vec<Vec<String>> = texts.iter().map(|text| cut(text, &rules)).collect();
        assert_eq!(numbered(&texts, &rules), expected);
    }
}

#[test]
fn words_of_every_length_are_the_same_up_to_the_last_byte_of_a_text() {
    let lengths = if cfg!(miri) { 13..18 } else { 0..140 };
    let word = |letters: &str, length: usize| letters.chars().cycle().take(length).collect::<String>();
    for letters in ["aBcDeFgHiJ", "жЩя", "Été", "İß", "東京"] {
        let texts = lengths.clone().map(|length| format!("{} {}", word(letters, 30), word(letters, length)));
        check(&texts.collect::<Vec<_>>());
    }
}

#[test]
fn what_stands_before_a_word_changes_nothing() {
    let step = if cfg!(miri) { 43 } else { 1 };
    let sentences = ["Don't e.g. 3.14, a_b!", "Щука и Ёж: 1,000", "x 東京タワー Y", "👩‍👩‍👧 e\u{301}té"];
    let before = (0..130).step_by(step).map(|spaces| " ".repeat(spaces));
    check(&before.flat_map(|spaces| sentences.map(|sentence| format!("{spaces}{sentence}"))).collect::<Vec<_>>());
}
