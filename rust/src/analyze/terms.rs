//! Tokens to terms: words, phrases that are one term, n-grams, and character n-grams.

use super::id_lists::IdLists;
use super::rules::Rules;
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Overlay;
use hashbrown::HashMap;
use std::ops::Range;

const DROPPED: u32 = u32::MAX;

/// What each token of a batch becomes: a word, and the character n-grams inside it. The replacements of phrases come
/// after the tokens, as if they were tokens too.
pub struct TokenMapping {
    words: Vec<u32>,
    grams: IdLists,
    phrases: HashMap<u32, Vec<Phrase>>, // by first token, longest first
    plain: bool,                        // a token becomes one word or none, and nothing else is a term
    in_turn: bool,                      // what tokens become stands one after the other: words and pieces alone
}

struct Phrase {
    rest: Vec<u32>,
    becomes: u32,
}

impl TokenMapping {
    /// `terms` is what each token becomes; None: tokens are terms.
    pub fn new(
        tokens: &Interner,
        terms: Option<&[Option<String>]>,
        rules: &Rules,
        overlay: &mut Overlay,
    ) -> TokenMapping {
        let plain = rules.words && rules.phrases.is_empty() && rules.char_ngrams.is_none();
        let in_turn = rules.phrases.is_empty() && rules.ngrams == (1, 1);
        let (words, grams, phrases) = (Vec::new(), IdLists::default(), HashMap::new());
        let mut mapping = TokenMapping { words, grams, phrases, plain, in_turn };
        for token in 0..tokens.len() {
            match terms {
                Some(terms) => mapping.add(terms[token].as_deref(), rules, overlay),
                None => mapping.add(Some(&tokens.text(token as u32)), rules, overlay),
            }
        }
        for (phrase, term) in &rules.phrases {
            let found: Option<Vec<u32>> = phrase.iter().map(|token| tokens.find(token.as_bytes())).collect();
            if let Some(([first], rest)) = found.as_deref().and_then(|ids| ids.split_first_chunk::<1>()) {
                let becomes = mapping.words.len() as u32;
                mapping.phrases.entry(*first).or_default().push(Phrase { rest: rest.to_vec(), becomes });
                mapping.add(Some(term), rules, overlay);
            }
        }
        mapping.phrases.values_mut().for_each(|list| list.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len())));
        mapping
    }

    fn add(&mut self, term: Option<&str>, rules: &Rules, overlay: &mut Overlay) {
        self.words.push(match term {
            None => DROPPED,
            Some(_) if !rules.words => 0,
            Some(term) => {
                self.plain &= !term.contains(' ');
                overlay.intern_text(term)
            }
        });
        if let (Some(term), Some((low, high))) = (term, rules.char_ngrams) {
            char_ngrams(term, low, high, |gram| self.grams.ids.push(overlay.intern_text(gram)));
        }
        self.grams.ends.push(self.grams.ids.len());
    }

    /// The longest phrase that starts here: how many tokens it takes, and its replacement.
    fn phrase(&self, tokens: &[u32]) -> Option<(usize, u32)> {
        let phrases = self.phrases.get(tokens.first()?)?;
        let found = phrases.iter().find(|phrase| tokens[1..].starts_with(&phrase.rest))?;
        Some((found.rest.len() + 1, found.becomes))
    }
}

/// Character n-grams inside a word whose ends are marked: `<th`, `the`, `he>`. As terms they carry a colon in front,
/// which no word has. A word shorter than `low` is one n-gram, so that nothing is lost.
fn char_ngrams(word: &str, low: usize, high: usize, mut found: impl FnMut(&str)) {
    let marked: Vec<char> = std::iter::once('<').chain(word.chars()).chain(std::iter::once('>')).collect();
    let mut gram = String::new();
    for size in low.min(marked.len())..=high.min(marked.len()) {
        for window in marked.windows(size) {
            gram.clear();
            gram.push(':');
            gram.extend(window);
            found(&gram);
        }
    }
}

/// A term in a document, with the tokens it was made of.
pub struct Occurrence {
    pub id: u32,
    pub first: usize,
    pub last: usize,
}

/// The terms of one document, in reading order: at each word the n-grams that start there, then its character n-grams.
pub fn terms_of(
    tokens: &[u32],
    mapping: Option<&TokenMapping>,
    rules: &Rules,
    overlay: &mut Overlay,
    found: &mut Vec<Occurrence>,
) {
    let (mut pieces, mut at) = (Vec::with_capacity(tokens.len()), 0);
    while at < tokens.len() {
        let (taken, piece) = mapping.and_then(|m| m.phrase(&tokens[at..])).unwrap_or((1, tokens[at]));
        let id = mapping.map_or(piece, |m| m.words[piece as usize]);
        if id != DROPPED {
            pieces.push((Occurrence { id, first: at, last: at + taken - 1 }, piece));
        }
        at += taken;
    }
    for start in 0..pieces.len() {
        if rules.words {
            ngrams_from(&pieces[start..], rules.ngrams, mapping.is_some(), overlay, found);
        }
        if let Some(mapping) = mapping {
            let (word, piece) = &pieces[start];
            let grams = mapping.grams.get(*piece as usize).iter();
            found.extend(grams.map(|id| Occurrence { id: *id, first: word.first, last: word.last }));
        }
    }
}

/// The n-grams that start with the first piece. Only what was mapped can be several words already.
fn ngrams_from(
    pieces: &[(Occurrence, u32)],
    (low, high): (usize, usize),
    mapped: bool,
    overlay: &mut Overlay,
    found: &mut Vec<Occurrence>,
) {
    let mut id = pieces[0].0.id;
    for (index, (word, _)) in pieces.iter().take(high).enumerate() {
        if index > 0 {
            id = if mapped { overlay.append(id, word.id) } else { overlay.intern_pair(id, word.id) };
        }
        if index + 1 >= low {
            found.push(Occurrence { id, first: pieces[0].0.first, last: word.last });
        }
    }
}

/// Adds the terms of documents to the lists.
pub fn terms(
    tokens: &IdLists,
    documents: Range<usize>,
    mapping: Option<&TokenMapping>,
    rules: &Rules,
    overlay: &mut Overlay,
    lists: &mut IdLists,
) {
    let (mut found, mut words, mut levels) = (Vec::new(), Vec::new(), vec![Vec::new(); rules.ngrams.1]);
    for document in documents {
        match mapping {
            None => ngrams(tokens.get(document), rules.ngrams, overlay, &mut levels, &mut lists.ids),
            Some(mapping) if mapping.plain => {
                words.clear();
                let becomes = tokens.get(document).iter().map(|token| mapping.words[*token as usize]);
                words.extend(becomes.filter(|word| *word != DROPPED));
                ngrams(&words, rules.ngrams, overlay, &mut levels, &mut lists.ids);
            }
            Some(mapping) if mapping.in_turn => {
                for token in tokens.get(document) {
                    let word = mapping.words[*token as usize];
                    if word != DROPPED {
                        lists.ids.extend(rules.words.then_some(word));
                        lists.ids.extend_from_slice(mapping.grams.get(*token as usize));
                    }
                }
            }
            Some(_) => {
                found.clear();
                terms_of(tokens.get(document), mapping, rules, overlay, &mut found);
                lists.ids.extend(found.iter().map(|term| term.id));
            }
        }
        lists.ends.push(lists.ids.len());
    }
}

/// The n-grams of words that are terms as they are, as `terms_of` gives them: first all pairs, then all triples and
/// so on, so that many can be looked up at once, then put in order.
fn ngrams(
    words: &[u32],
    (low, high): (usize, usize),
    overlay: &mut Overlay,
    levels: &mut [Vec<u32>],
    ids: &mut Vec<u32>,
) {
    for size in 2..=high {
        let (shorter, longer) = levels.split_at_mut(size - 1);
        let shorter = if size == 2 { words } else { &shorter[size - 2] };
        let last = words.get(size - 1..).unwrap_or(&[]);
        longer[0].clear();
        overlay.intern_pairs(&shorter[..last.len()], last, &mut longer[0]);
    }
    for start in 0..words.len() {
        for size in low..=high.min(words.len() - start) {
            ids.push(if size == 1 { words[start] } else { levels[size - 1][start] });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::tokenize::tokenize;

    fn read(text: &str, rules: &Rules, terms: Option<&[Option<String>]>) -> Vec<String> {
        let mut token_overlay = Overlay::growing(Interner::default());
        let mut lists = IdLists::default();
        tokenize(&[text], rules, &mut token_overlay, &mut lists, |_| ());
        let mut overlay = Overlay::growing(Interner::default());
        let mapping = TokenMapping::new(&token_overlay.own, terms, rules, &mut overlay);
        let mut found = Vec::new();
        terms_of(lists.get(0), Some(&mapping), rules, &mut overlay, &mut found);
        found.iter().map(|term| overlay.text(term.id)).collect()
    }

    #[test]
    fn tokens_are_lower_cased_whatever_their_length_and_script() {
        let text = "I ÉCLAIR Straße МОЛОКО ΣΊΣΥΦΟΣ İstanbul DONAUDAMPFSCHIFFFAHRT X";
        let expected: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
        assert_eq!(read(text, &Rules::default(), None), expected);
    }

    #[test]
    fn decomposed_letters_are_composed() {
        assert_eq!(read("Wo\u{308}lfe", &Rules::default(), None), ["wölfe"]);
    }

    #[test]
    fn phrases_are_replaced_longest_first_and_dropped_tokens_leave_no_gap() {
        let phrases = vec![
            (vec!["new".to_string(), "york".to_string()], "new_york".to_string()),
            (vec!["new".to_string(), "york".to_string(), "city".to_string()], "nyc".to_string()),
        ];
        let rules = Rules { phrases, ngrams: (1, 2), ..Rules::default() };
        assert_eq!(
            read("New York City and New York", &rules, None),
            ["nyc", "nyc and", "and", "and new_york", "new_york"]
        );
        let dropped = [Some("a".to_string()), None, Some("b".to_string())];
        let rules = Rules { phrases: Vec::new(), ..rules };
        assert_eq!(read("a the b", &rules, Some(&dropped)), ["a", "a b", "b"]);
    }

    #[test]
    fn character_ngrams_mark_the_ends_and_keep_short_words() {
        let rules = Rules { char_ngrams: Some((3, 4)), words: false, ..Rules::default() };
        assert_eq!(read("the", &rules, None), [":<th", ":the", ":he>", ":<the", ":the>"]);
        assert_eq!(read("", &rules, None), [""; 0]);
        let long = Rules { char_ngrams: Some((5, 6)), ..rules };
        assert_eq!(read("I", &long, None), [":<i>"]);
    }
}
