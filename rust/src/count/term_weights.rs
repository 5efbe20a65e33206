//! The weight of a term in its document.
//!
//!     n            how often the term occurs in the document
//!     b(n)         count: 65536 n      once: 65536      log: floor(65536 ln(1 + n) + 1/2)
//!     length       sqrt(Σ b(n)²) / 65536 over the document's own different terms; 1 if there is none
//!     learned      b(n), or floor(b(n) / length + 1/2)
//!
//! Weights are integers, so sums of them are exact. A document's own terms are those that its analysis gives when
//! no other n-grams are counted beside them: these must not change the length.

use crate::analyze::batch::Part;
use crate::vocabulary::interner::{Entry, Interner, order};
use std::sync::LazyLock;

/// A weight of 1 as an integer.
pub const UNIT: u64 = 1 << 16;

/// How repeats count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Count,
    Once,
    Log,
}

impl Scale {
    pub fn named(name: &str) -> Option<Scale> {
        match name {
            "count" => Some(Scale::Count),
            "once" => Some(Scale::Once),
            "log" => Some(Scale::Log),
            _ => None,
        }
    }

    /// b(n).
    #[inline]
    pub fn units(self, times: u32) -> u64 {
        match self {
            Scale::Count => UNIT * times as u64,
            Scale::Once => UNIT,
            Scale::Log => log_units(times),
        }
    }

    /// b(n) / 65536.
    #[inline]
    pub fn factor(self, times: u32) -> f64 {
        match self {
            Scale::Count => times as f64,
            Scale::Once => 1.0,
            Scale::Log => log_units(times) as f64 / UNIT as f64,
        }
    }
}

#[inline]
fn log_units(times: u32) -> u64 {
    static FEW: LazyLock<[u64; 64]> = LazyLock::new(|| std::array::from_fn(|times| rounded_log(times as u32)));
    FEW.get(times as usize).copied().unwrap_or_else(|| rounded_log(times))
}

/// Logarithms differ between machines in their last bit. The numbers that are rounded here are far enough from the
/// middle of two integers for that not to matter, as long as a term occurs at most four million times in a document.
fn rounded_log(times: u32) -> u64 {
    (UNIT as f64 * (1.0 + times as f64).ln() + 0.5).floor() as u64
}

/// How much a term weighs in the sums that are learned beside its counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weighting {
    pub scale: Scale,
    pub by_length: bool,
    pub own: Option<OwnTerms>, // None: all terms are the document's own
}

/// Which terms are the document's own: n-grams of how many words, and whether pieces of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OwnTerms {
    pub words: (usize, usize),
    pub pieces: bool,
}

impl Weighting {
    pub fn named(name: &str) -> Option<Weighting> {
        let (scale, by_length) = match name {
            "log" => (Scale::Log, false),
            "count-length" => (Scale::Count, true),
            "once-length" => (Scale::Once, true),
            "log-length" => (Scale::Log, true),
            _ => return None,
        };
        Some(Weighting { scale, by_length, own: None })
    }
}

/// Weighs the documents of a batch.
pub struct TermWeigher<'a> {
    weighting: Weighting,
    base: &'a Interner,
    own: &'a Interner, // its ids go on where the base's end
}

impl<'a> TermWeigher<'a> {
    /// For a part of a batch that was analyzed over this base.
    pub fn new(weighting: Weighting, base: &'a Interner, part: &'a Part) -> Self {
        TermWeigher { weighting, base, own: &part.own }
    }

    /// The learned weights of a document's distinct terms, given as ids and how often each occurs.
    pub fn weigh(&self, items: &[(u32, u32)], weights: &mut Vec<u64>) {
        let Weighting { scale, by_length, .. } = self.weighting;
        weights.clear();
        weights.extend(items.iter().map(|(_, times)| scale.units(*times)));
        if by_length {
            let length = self.length(items, weights);
            weights.iter_mut().for_each(|units| *units = (*units as f64 / length + 0.5).floor() as u64);
        }
    }

    fn length(&self, items: &[(u32, u32)], units: &[u64]) -> f64 {
        let own = items.iter().zip(units).filter(|((id, _), _)| self.is_own(*id));
        match own.map(|(_, units)| (*units as u128).pow(2)).sum::<u128>() {
            0 => 1.0,
            squares => (squares as f64).sqrt() / UNIT as f64,
        }
    }

    #[inline]
    fn is_own(&self, id: u32) -> bool {
        let Some(OwnTerms { words: (low, high), pieces }) = self.weighting.own else { return true };
        let words = order(id, |id| self.pair(id));
        (low..=high).contains(&words) || (pieces && words == 1 && self.is_piece(id))
    }

    /// Pieces of words have a colon in front, which no word has.
    fn is_piece(&self, id: u32) -> bool {
        matches!(self.entry(id), Entry::Word(word) if matches!(*word, [b':', _, ..]))
    }

    #[inline]
    fn pair(&self, id: u32) -> Option<(u32, u32)> {
        match (id as usize).checked_sub(self.base.len()) {
            None => self.base.pair(id),
            Some(own) => self.own.pair(own as u32),
        }
    }

    fn entry(&self, id: u32) -> Entry<'a> {
        match (id as usize).checked_sub(self.base.len()) {
            None => self.base.entry(id),
            Some(own) => self.own.entry(own as u32),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analyze::batch::{Batch, nothing_to_ask};
    use crate::analyze::id_lists::IdLists;
    use crate::analyze::rules::Rules;
    use crate::count::term_counter::TermCounter;
    use crate::vocabulary::overlay::Overlay;

    /// The terms of a text with what they weigh; the words of `known` are in the base already.
    fn weighed(text: &str, known: &str, rules: &Rules, weighting: Weighting) -> Vec<(String, u64)> {
        let mut base = Overlay::growing(Interner::default());
        known.split(' ').for_each(|word| _ = base.intern(word.as_bytes()));
        let batch = Batch { texts: &[text], rules, base: &base.own, threads: 1, fingerprint: None };
        let part = batch.analyze(nothing_to_ask, |_| IdLists::default()).unwrap().remove(0);
        let (mut counter, mut weights) = (TermCounter::new(part.ids, part.found.ids.len()), vec![99]);
        let items = counter.count(part.found.get(0)).to_vec();
        TermWeigher::new(weighting, &base.own, &part).weigh(&items, &mut weights);
        let mut overlay = Overlay::over(&base.own);
        overlay.own = part.own;
        items.iter().zip(weights).map(|((id, _), weight)| (overlay.text(*id), weight)).collect()
    }

    fn words(own: (usize, usize)) -> Option<OwnTerms> {
        Some(OwnTerms { words: own, pieces: false })
    }

    fn named(name: &str) -> Weighting {
        Weighting::named(name).unwrap()
    }

    fn of(pairs: &[(&str, u64)]) -> Vec<(String, u64)> {
        pairs.iter().map(|(term, weight)| (term.to_string(), *weight)).collect()
    }

    #[test]
    fn a_term_weighs_how_often_it_stands_there_or_one_or_the_logarithm() {
        assert_eq!([1, 2, 7].map(|n| Scale::Count.units(n)), [65_536, 131_072, 458_752]);
        assert_eq!([1, 2, 7].map(|n| Scale::Once.units(n)), [65_536; 3]);
        assert_eq!([1, 2, 7].map(|n| Scale::Log.units(n)), [45_426, 71_999, 136_278]); // ln 2, ln 3, ln 8
        for scale in [Scale::Count, Scale::Once, Scale::Log] {
            for times in (1..200).chain([1 << 20, u32::MAX]) {
                assert_eq!(scale.factor(times), scale.units(times) as f64 / 65_536.0);
            }
        }
        assert_eq!((63..66).map(log_units).collect::<Vec<_>>(), [272_557, 273_573, 274_573]); // 65536 ln 64, 65, 66
    }

    #[test]
    fn logarithms_are_the_same_on_every_machine() {
        let distance = |times: u32| {
            let exact = UNIT as f64 * (1.0 + times as f64).ln() + 0.5;
            (exact - exact.round()).abs()
        };
        let nearest = (1..4_000_000).map(distance).fold(1.0, f64::min);
        assert!(nearest > 1e-8, "{nearest}"); // 65536 times what the last bit of ln(4 million) is worth is 1e-10
    }

    #[test]
    fn the_length_is_that_of_the_vector_of_weights() {
        let rules = Rules::default();
        let text = "a b a c a d a e"; // a: 4 times, the others once: √(16 + 4) and √5
        let weigh = |name| weighed(text, "x a", &rules, named(name));
        assert_eq!(weigh("log")[..2], of(&[("a", 105_476), ("b", 45_426)]));
        assert_eq!(weigh("count-length")[..2], of(&[("a", 58_617), ("b", 14_654)]));
        assert_eq!(weigh("once-length")[..2], of(&[("a", 29_309), ("b", 29_309)]));
        // ln 5 / √(ln² 5 + 4 ln² 2) = 0.75768
        assert_eq!(weigh("log-length")[..2], of(&[("a", 49_655), ("b", 21_385)]));
        assert_eq!(weighed("", "x", &rules, named("log-length")), []);
    }

    #[test]
    fn only_own_terms_are_part_of_the_length() {
        let rules = Rules { ngrams: (1, 3), ..Rules::default() };
        let weigh = |own| weighed("a b c", "c b", &rules, Weighting { own, ..named("once-length") });
        let all_of = |weight| ["a", "a b", "a b c", "b", "b c", "c"].map(|term| (term.to_string(), weight));
        assert_eq!(weigh(None), all_of(26_755)); // 1 / √6
        assert_eq!(weigh(words((1, 1))), all_of(37_837)); // 1 / √3
        assert_eq!(weigh(words((1, 2))), all_of(29_309)); // 1 / √5
        assert_eq!(weigh(words((2, 3))), all_of(37_837));
        assert_eq!(weigh(words((3, 3))), all_of(65_536));
        assert_eq!(weigh(words((4, 5))), all_of(65_536)); // it has none
    }

    #[test]
    fn pieces_of_words_are_own_terms() {
        let rules = Rules { ngrams: (1, 2), char_ngrams: Some((3, 3)), ..Rules::default() };
        let weigh = |own| weighed("ab c", "x", &rules, Weighting { own: Some(own), ..named("once-length") });
        // ab, "ab c", :<ab, :ab>, c, :<c>
        assert_eq!(weigh(OwnTerms { words: (2, 2), pieces: true })[0], ("ab".to_string(), 32_768)); // 1 / √4
        assert_eq!(weigh(OwnTerms { words: (2, 2), pieces: false })[0], ("ab".to_string(), 65_536));
    }

    #[test]
    fn a_term_never_weighs_more_than_it_stands_there() {
        let rules = Rules { ngrams: (1, 3), ..Rules::default() };
        for name in ["log", "count-length", "once-length", "log-length"] {
            for own in [None, words((1, 1)), words((3, 3)), words((9, 9))] {
                for times in [1, 2, 3, 4, 50] {
                    let text = "a ".repeat(times);
                    let found = weighed(&text, "x", &rules, Weighting { own, ..named(name) });
                    assert!(found[0].1 <= UNIT * times as u64, "{name} {own:?} {times} {found:?}");
                }
            }
        }
    }
}
