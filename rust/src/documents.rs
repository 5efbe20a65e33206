//! Texts to lists of numbers: first tokens, then terms.
//!
//!     text ──words──▶ tokens ──mapping──▶ words and n-grams ──▶ ids, one list for each document
//!
//! What a token becomes (lemma, stem, synonym, nothing) is asked once for each distinct token, by the caller, between
//! `Tokens::of` and `Documents::of`. When tokens are terms already, that step and its memory fall away.

use crate::intern::{Interner, Key, Scope, prefetch, seeds};
use crate::words::{Cut, each_word_after, plain_letters, simple_prefix, two_byte_char};
use hashbrown::HashMap;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

const DROPPED: u32 = u32::MAX;

/// How text becomes terms, apart from what a single token becomes.
#[derive(Clone, Debug)]
pub struct Rules {
    pub lowercase: bool,
    pub cut: Cut,
    pub words: bool,
    pub ngrams: (usize, usize),
    pub char_ngrams: Option<(usize, usize)>,
    pub phrases: Vec<(Vec<String>, String)>, // several tokens → one term
    pub mapped: bool,                        // tokens become other terms, which the caller knows
}

impl Rules {
    /// Tokens are terms: no mapping is needed.
    pub fn direct(&self) -> bool {
        self.words && !self.mapped && self.char_ngrams.is_none() && self.phrases.is_empty()
    }
}

/// Lists of ids, one for each document, end to end.
#[derive(Default, Debug)]
pub struct Lists {
    pub ids: Vec<u32>,
    pub ends: Vec<usize>,
}

impl Lists {
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    pub fn get(&self, document: usize) -> &[u32] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.ids[start..self.ends[document]]
    }
}

/// The text in Unicode's composed form (NFC), and until where it is simple.
pub fn composed(text: &str) -> (Cow<'_, str>, usize) {
    let simple = simple_prefix(text.as_bytes(), 0);
    if simple == text.len() || is_nfc_quick(text[simple..].chars()) == IsNormalized::Yes {
        return (Cow::Borrowed(text), simple);
    }
    let text: String = text.nfc().collect();
    let simple = simple_prefix(text.as_bytes(), 0);
    (Cow::Owned(text), simple)
}

// ---- tokens ------------------------------------------------------------------------------------------------------

const AHEAD: usize = 64; // tokens whose slots are fetched before the first of them is looked up
const ENOUGH: usize = 4096; // words that are cut before they are numbered

/// A word of a text: where it stands, and whether its bytes are ASCII or plain two-byte letters.
struct Word {
    range: Range<usize>,
    simple: bool,
}

/// Cuts the texts and numbers their tokens in the scope.
///
/// Cutting, hashing and looking up are three short loops over a few words at a time rather than one long one over
/// single words, so that the processor can work on many words at once.
///
/// `seen` is called with each text, while it is near.
pub fn tokens(texts: &[&str], rules: &Rules, scope: &mut Scope, mut seen: impl FnMut(&str)) -> Lists {
    let (mut lists, mut words) = (Lists::default(), Vec::with_capacity(ENOUGH));
    let bytes: usize = texts.iter().map(|text| text.len()).sum();
    lists.ids.reserve(bytes / 5); // a guess on the high side: memory that is not used is not touched either
    for (place, text) in texts.iter().enumerate() {
        texts.get(place + 1).into_iter().for_each(|next| prefetch_text(next));
        seen(text);
        let (text, simple) = composed(text);
        each_word_after(&text, simple, rules.cut, |range, simple| {
            words.push(Word { range, simple });
            if words.len() == ENOUGH {
                number(&text, &words, rules.lowercase, scope, &mut lists.ids);
                words.clear();
            }
        });
        number(&text, &words, rules.lowercase, scope, &mut lists.ids);
        words.clear();
        lists.ends.push(lists.ids.len());
    }
    lists
}

/// Python's strings lie anywhere in memory: the next one is on its way while this one is read.
fn prefetch_text(text: &str) {
    text.as_bytes().iter().step_by(64).take(16).for_each(prefetch);
}

fn number(text: &str, words: &[Word], lowercase: bool, scope: &mut Scope, ids: &mut Vec<u32>) {
    let seeds = seeds();
    let mut keys = [(Key::LONG, 0); AHEAD];
    ids.reserve(words.len());
    for few in words.chunks(AHEAD) {
        for (place, word) in keys.iter_mut().zip(few) {
            let key = if word.simple { short_key(text.as_bytes(), &word.range, lowercase) } else { Key::LONG };
            *place = (key, key.hash(seeds));
            scope.prefetch(place.1);
        }
        for ((key, hash), word) in keys.iter().zip(few) {
            ids.push(match key.is_long() {
                false => scope.intern_short(*key, *hash),
                true => scope.intern(spelling(&text[word.range.clone()], lowercase).as_bytes()),
            });
        }
    }
}

pub fn spelling(word: &str, lowercase: bool) -> Cow<'_, str> {
    if lowercase { Cow::Owned(word.to_lowercase()) } else { Cow::Borrowed(word) }
}

/// The key of a simple word, in lower case if wanted, if it has at most sixteen bytes.
#[inline(always)]
fn short_key(bytes: &[u8], range: &Range<usize>, lowercase: bool) -> Key {
    let len = range.len();
    if len > 16 {
        return Key::LONG;
    }
    let (mut first, mut second) = load(bytes, range.start, len);
    if lowercase {
        if (first | second) & HIGH_BITS != 0 {
            return lower_two_byte_letters(&bytes[range.clone()]);
        }
        first = lower_ascii(first);
        second = lower_ascii(second);
    }
    Key::short(first, second, len)
}

const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// The first `len` ≤ 16 bytes from `start` as two little-endian words, the rest zero.
#[inline(always)]
fn load(bytes: &[u8], start: usize, len: usize) -> (u64, u64) {
    let Some(window) = bytes.get(start..start + 16) else {
        let mut padded = [0u8; 16];
        padded[..len].copy_from_slice(&bytes[start..start + len]);
        return halves(&padded);
    };
    let (first, second) = halves(window.try_into().unwrap());
    let (low, high) = MASKS[len];
    (first & low, second & high)
}

/// For each length the bits of two words that belong to the first bytes.
const MASKS: [(u64, u64); 17] = {
    let mut masks = [(0, 0); 17];
    let mut len = 1;
    while len <= 16 {
        let keep = u128::MAX >> (8 * (16 - len));
        masks[len] = (keep as u64, (keep >> 64) as u64);
        len += 1;
    }
    masks
};

#[inline(always)]
fn halves(bytes: &[u8; 16]) -> (u64, u64) {
    let (first, second) = bytes.split_at(8);
    (u64::from_le_bytes(first.try_into().unwrap()), u64::from_le_bytes(second.try_into().unwrap()))
}

/// Eight ASCII bytes to lower case at once.
#[inline(always)]
fn lower_ascii(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let from_a = word + ONES * (0x80 - b'A' as u64); // high bit set where byte >= 'A'
    let above_z = word + ONES * (0x7f - b'Z' as u64); // high bit set where byte > 'Z'
    word | ((from_a & !above_z & HIGH_BITS) >> 2)
}

fn lower_two_byte_letters(word: &[u8]) -> Key {
    let plain = plain_letters();
    let mut lowered = [0u8; 16];
    let mut at = 0;
    while at < word.len() {
        if word[at] < 0x80 {
            lowered[at] = word[at].to_ascii_lowercase();
            at += 1;
        } else {
            let lower = plain[two_byte_char(word[at], word[at + 1])];
            lowered[at] = 0xc0 | (lower >> 6) as u8;
            lowered[at + 1] = 0x80 | (lower & 0x3f) as u8;
            at += 2;
        }
    }
    let (first, second) = halves(&lowered);
    Key::short(first, second, word.len())
}

// ---- terms -------------------------------------------------------------------------------------------------------

/// What each token of a batch becomes: a word, and the character n-grams inside it. The replacements of phrases stand
/// behind the tokens as if they were tokens too.
pub struct Mapping {
    words: Vec<u32>,
    grams: Lists,
    phrases: HashMap<u32, Vec<Phrase>>, // by first token, longest first
}

struct Phrase {
    rest: Vec<u32>,
    becomes: u32,
}

impl Mapping {
    /// `terms` says what each token becomes; None: what it is.
    pub fn new(tokens: &Interner, terms: Option<&[Option<String>]>, rules: &Rules, scope: &mut Scope) -> Mapping {
        let mut mapping = Mapping { words: Vec::new(), grams: Lists::default(), phrases: HashMap::new() };
        for token in 0..tokens.len() {
            match terms {
                Some(terms) => mapping.add(terms[token].as_deref(), rules, scope),
                None => mapping.add(Some(&tokens.text(token as u32)), rules, scope),
            }
        }
        for (phrase, term) in &rules.phrases {
            let found: Option<Vec<u32>> = phrase.iter().map(|token| tokens.find(token.as_bytes())).collect();
            if let Some(([first], rest)) = found.as_deref().and_then(|ids| ids.split_first_chunk::<1>()) {
                let becomes = mapping.words.len() as u32;
                mapping.phrases.entry(*first).or_default().push(Phrase { rest: rest.to_vec(), becomes });
                mapping.add(Some(term), rules, scope);
            }
        }
        mapping.phrases.values_mut().for_each(|list| list.sort_by_key(|phrase| std::cmp::Reverse(phrase.rest.len())));
        mapping
    }

    fn add(&mut self, term: Option<&str>, rules: &Rules, scope: &mut Scope) {
        self.words.push(match term {
            None => DROPPED,
            Some(_) if !rules.words => 0,
            Some(term) => scope.intern_text(term),
        });
        if let (Some(term), Some((low, high))) = (term, rules.char_ngrams) {
            char_ngrams(term, low, high, |gram| self.grams.ids.push(scope.intern_text(gram)));
        }
        self.grams.ends.push(self.grams.ids.len());
    }

    /// The longest phrase that starts here: how many tokens it takes and what stands for it.
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

/// A term as it stands in a document, with the tokens it was made of.
pub struct Found {
    pub id: u32,
    pub first: usize,
    pub last: usize,
}

/// The terms of one document, in reading order: at each word the n-grams that start there, then what is inside it.
pub fn terms_of(tokens: &[u32], mapping: Option<&Mapping>, rules: &Rules, scope: &mut Scope, found: &mut Vec<Found>) {
    let (mut pieces, mut at) = (Vec::with_capacity(tokens.len()), 0);
    while at < tokens.len() {
        let (taken, piece) = mapping.and_then(|m| m.phrase(&tokens[at..])).unwrap_or((1, tokens[at]));
        let id = mapping.map_or(piece, |m| m.words[piece as usize]);
        if id != DROPPED {
            pieces.push((Found { id, first: at, last: at + taken - 1 }, piece));
        }
        at += taken;
    }
    for start in 0..pieces.len() {
        if rules.words {
            ngrams_from(&pieces[start..], rules.ngrams, mapping.is_some(), scope, found);
        }
        if let Some(mapping) = mapping {
            let (word, piece) = &pieces[start];
            let grams = mapping.grams.get(*piece as usize).iter();
            found.extend(grams.map(|id| Found { id: *id, first: word.first, last: word.last }));
        }
    }
}

/// The n-grams that start with the first piece. Only what was mapped can be several words already.
fn ngrams_from(
    pieces: &[(Found, u32)],
    (low, high): (usize, usize),
    mapped: bool,
    scope: &mut Scope,
    found: &mut Vec<Found>,
) {
    let mut id = pieces[0].0.id;
    for (index, (word, _)) in pieces.iter().take(high).enumerate() {
        if index > 0 {
            id = if mapped { scope.append(id, word.id) } else { scope.intern_pair(id, word.id) };
        }
        if index + 1 >= low {
            found.push(Found { id, first: pieces[0].0.first, last: word.last });
        }
    }
}

/// The terms of all documents. Tokens that are terms already are passed through.
pub fn terms(tokens: Lists, mapping: Option<&Mapping>, rules: &Rules, scope: &mut Scope) -> Lists {
    if mapping.is_none() && rules.ngrams == (1, 1) {
        return tokens;
    }
    let (mut lists, mut found) = (Lists::default(), Vec::new());
    for document in 0..tokens.len() {
        found.clear();
        terms_of(tokens.get(document), mapping, rules, scope, &mut found);
        lists.ids.extend(found.iter().map(|term| term.id));
        lists.ends.push(lists.ids.len());
    }
    lists
}

// ---- bags --------------------------------------------------------------------------------------------------------

/// Counts the terms of one document after the other.
///
/// For a large batch there is a place for each id; whether a term is new in the document is a coin toss, so nothing
/// branches on it. For a small one, and a large vocabulary, there is a table as large as the document's own vocabulary.
/// Both give the same.
pub struct Bag {
    by_id: Vec<u32>, // empty: use the small table
    small: SmallTable,
    order: Vec<u32>,
    items: Vec<(u32, u32)>, // (id, how often), in order of first sight
}

impl Bag {
    /// For documents with ids below `ids` and so many terms in all.
    pub fn new(ids: usize, terms: usize) -> Bag {
        let by_id = if terms >= ids / 8 { vec![0; ids] } else { Vec::new() };
        Bag { by_id, small: SmallTable::default(), order: Vec::new(), items: Vec::new() }
    }

    pub fn fill(&mut self, ids: &[u32]) -> &[(u32, u32)] {
        self.items.clear();
        if self.by_id.is_empty() {
            self.small.fill(ids, &mut self.items);
            return &self.items;
        }
        if self.order.len() <= ids.len() {
            self.order.resize(ids.len() + 1, 0);
        }
        let mut distinct = 0;
        for id in ids {
            let times = &mut self.by_id[*id as usize];
            self.order[distinct] = *id;
            distinct += (*times == 0) as usize;
            *times += 1;
        }
        let by_id = &mut self.by_id;
        self.items.extend(self.order[..distinct].iter().map(|id| (*id, std::mem::take(&mut by_id[*id as usize]))));
        &self.items
    }
}

/// A table that stays in the first-level cache; `epoch` makes clearing it free.
#[derive(Default)]
struct SmallTable {
    slots: Vec<(u32, u32)>, // (epoch, place in items)
    epoch: u32,
}

impl SmallTable {
    fn fill(&mut self, ids: &[u32], items: &mut Vec<(u32, u32)>) {
        if self.epoch == u32::MAX {
            *self = SmallTable::default();
        }
        self.epoch += 1;
        for id in ids {
            if items.len() * 2 >= self.slots.len() {
                self.grow(items);
            }
            let at = self.locate(*id, items);
            if self.slots[at].0 == self.epoch {
                items[self.slots[at].1 as usize].1 += 1;
            } else {
                self.slots[at] = (self.epoch, items.len() as u32);
                items.push((*id, 1));
            }
        }
    }

    /// The slot that holds the id, or the free one where it belongs.
    fn locate(&self, id: u32, items: &[(u32, u32)]) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = (id.wrapping_mul(0x9e37_79b1) >> 7) as usize & mask;
        while self.slots[at].0 == self.epoch && items[self.slots[at].1 as usize].0 != id {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self, items: &[(u32, u32)]) {
        self.slots = vec![(0, 0); (self.slots.len() * 2).max(256)];
        self.epoch = 1;
        for (place, (id, _)) in items.iter().enumerate() {
            let at = self.locate(*id, items);
            self.slots[at] = (self.epoch, place as u32);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules() -> Rules {
        Rules {
            lowercase: true,
            cut: Cut::DropPunctuation,
            words: true,
            ngrams: (1, 1),
            char_ngrams: None,
            phrases: Vec::new(),
            mapped: false,
        }
    }

    fn read(text: &str, rules: &Rules, terms: Option<&[Option<String>]>) -> Vec<String> {
        let mut token_scope = Scope::into(Interner::default());
        let lists = tokens(&[text], rules, &mut token_scope, |_| ());
        let mut scope = Scope::into(Interner::default());
        let mapping = Mapping::new(&token_scope.own, terms, rules, &mut scope);
        let mut found = Vec::new();
        terms_of(lists.get(0), Some(&mapping), rules, &mut scope, &mut found);
        found.iter().map(|term| scope.text(term.id)).collect()
    }

    #[test]
    fn tokens_are_lower_cased_whatever_their_length_and_script() {
        let text = "I ÉCLAIR Straße МОЛОКО ΣΊΣΥΦΟΣ İstanbul DONAUDAMPFSCHIFFFAHRT X";
        let expected: Vec<String> = text.split(' ').map(str::to_lowercase).collect();
        assert_eq!(read(text, &rules(), None), expected);
    }

    #[test]
    fn decomposed_letters_are_composed() {
        assert_eq!(read("Wo\u{308}lfe", &rules(), None), ["wölfe"]);
    }

    #[test]
    fn phrases_are_replaced_longest_first_and_dropped_tokens_leave_no_gap() {
        let phrases = vec![
            (vec!["new".to_string(), "york".to_string()], "new_york".to_string()),
            (vec!["new".to_string(), "york".to_string(), "city".to_string()], "nyc".to_string()),
        ];
        let rules = Rules { phrases, ngrams: (1, 2), ..rules() };
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
        let rules = Rules { char_ngrams: Some((3, 4)), words: false, ..rules() };
        assert_eq!(read("the", &rules, None), [":<th", ":the", ":he>", ":<the", ":the>"]);
        assert_eq!(read("", &rules, None), [""; 0]);
        let long = Rules { char_ngrams: Some((5, 6)), ..rules };
        assert_eq!(read("I", &long, None), [":<i>"]);
    }

    #[test]
    fn a_bag_counts_in_order_of_first_sight_whatever_its_size() {
        let many: Vec<u32> = (0..1000).chain(0..1000).collect();
        for mut bag in [Bag::new(1000, 2000), Bag::new(1_000_000, 6)] {
            for _ in 0..2 {
                assert_eq!(bag.fill(&[7, 3, 7, 7, 3, 9]), [(7, 3), (3, 2), (9, 1)]);
                assert!(bag.fill(&many).iter().enumerate().all(|(place, item)| *item == (place as u32, 2)));
                assert!(bag.fill(&[]).is_empty());
            }
        }
    }
}
