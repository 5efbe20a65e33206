//! How text becomes terms.

use super::errors::{guarded, too_large};
use super::strings::Text;
use crate::analyze::batch::{Batch, Part};
use crate::analyze::id_lists::{IdLists, TermSink};
use crate::analyze::mapping_cache::MappingCache;
use crate::analyze::rules::Rules;
use crate::analyze::terms::{TokenMapping, terms_of};
use crate::count::term_weights::{OwnTerms, Weighting};
use crate::count::totals::TooLarge;
use crate::table::Table;
use crate::table::learn::{Documents, NotLearned};
use crate::text::Punctuation;
use crate::text::word_boundaries::each_word;
use crate::text::{cased, composed};
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Overlay;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

const REMEMBERED: usize = 1_000_000; // tokens whose terms an analysis keeps; about 100 MB

/// How text becomes terms.
#[pyclass(frozen, name = "Analysis")]
pub struct PyAnalysis {
    rules: Rules,
    weighting: Option<Weighting>, // None: nothing is learned of a term beside its counts
    map_tokens: Option<Py<PyAny>>,
    cache: Mutex<MappingCache>,
}

fn punctuation(keep_punctuation: bool) -> Punctuation {
    if keep_punctuation { Punctuation::Keep } else { Punctuation::Drop }
}

#[pymethods]
impl PyAnalysis {
    #[new]
    #[pyo3(signature = (*, lowercase, keep_punctuation, words, ngrams, char_ngrams, phrases, map_tokens, weighting=None, own=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        lowercase: bool,
        keep_punctuation: bool,
        words: bool,
        ngrams: (usize, usize),
        char_ngrams: Option<(usize, usize)>,
        phrases: Vec<(Vec<String>, String)>,
        map_tokens: Option<Py<PyAny>>,
        weighting: Option<&str>,
        own: Option<(usize, usize)>,
    ) -> PyResult<Self> {
        if ngrams.0 == 0 || char_ngrams.is_some_and(|(low, _)| low == 0) {
            return Err(PyValueError::new_err("n-grams have at least one part"));
        }
        let mapped = map_tokens.is_some();
        let punctuation = punctuation(keep_punctuation);
        // Without other n-grams beside them all terms are the text's own, whatever words were replaced by.
        let own = own.filter(|(low, high)| ngrams.0 < *low || *high < ngrams.1);
        let own = own.map(|words| OwnTerms { words, pieces: char_ngrams.is_some() });
        let weighting = weighting.map(weighting_named).transpose()?.map(|weighting| Weighting { own, ..weighting });
        let rules = Rules { lowercase, punctuation, words, ngrams, char_ngrams, phrases, mapped };
        Ok(PyAnalysis { rules, weighting, map_tokens, cache: Mutex::new(MappingCache::new(REMEMBERED)) })
    }

    /// The text in composed form, and each term in reading order with where it starts and ends there (in characters).
    #[allow(clippy::type_complexity)]
    fn locate(&self, text: &Bound<'_, PyString>) -> PyResult<(String, Vec<(String, usize, usize)>)> {
        let given = Text::of(text)?;
        guarded(text.py(), || self.located(given.as_str()))?
    }
}

impl PyAnalysis {
    #[allow(clippy::type_complexity)]
    fn located(&self, text: &str) -> PyResult<(String, Vec<(String, usize, usize)>)> {
        let text = composed(text).0.into_owned();
        let (mut tokens, mut ids, mut spans) = (Overlay::growing(Interner::default()), Vec::new(), Vec::new());
        each_word(&text, self.rules.punctuation, |range| {
            ids.push(tokens.intern(cased(&text[range.clone()], self.rules.lowercase).as_bytes()));
            spans.push(range);
        });
        let distinct = (0..tokens.len() as u32).map(|id| tokens.text(id)).collect();
        let becomes = self.map_tokens.as_ref().map(|_| self.ask(distinct)).transpose()?;
        let mut overlay = Overlay::growing(Interner::default());
        let mapping = TokenMapping::new(&tokens.own, becomes.as_deref(), &self.rules, &mut overlay);
        let mut found = Vec::new();
        terms_of(&ids, Some(&mapping), &self.rules, &mut overlay, &mut found);
        let place = characters(&text);
        let located = found.iter().map(|term| {
            (overlay.text(term.id), place[spans[term.first].start] as usize, place[spans[term.last].end] as usize)
        });
        let located = located.collect();
        Ok((text, located))
    }
}

fn weighting_named(weighting: &str) -> PyResult<Weighting> {
    let message = || format!("a weighting is log, count-length, once-length or log-length, not {weighting:?}");
    Weighting::named(weighting).ok_or_else(|| PyValueError::new_err(message()))
}

/// For each byte of the text, and its end, the character it belongs to.
fn characters(text: &str) -> Vec<u32> {
    let mut place = Vec::with_capacity(text.len() + 1);
    for (index, c) in text.chars().enumerate() {
        place.resize(place.len() + c.len_utf8(), index as u32);
    }
    place.push(text.chars().count() as u32);
    place
}

impl PyAnalysis {
    pub fn weighting(&self) -> Option<Weighting> {
        self.weighting
    }

    fn cache(&self) -> MutexGuard<'_, MappingCache> {
        self.cache.lock().unwrap_or_else(|poisoned| {
            let mut cache = PoisonError::into_inner(poisoned);
            *cache = MappingCache::new(REMEMBERED);
            self.cache.clear_poison();
            cache
        })
    }

    /// What tokens become. Python is asked once about each, as long as it is remembered.
    fn ask(&self, tokens: Vec<String>) -> PyResult<Vec<Option<String>>> {
        let mut found = vec![None; tokens.len()];
        let new = self.cache().fill(&tokens, &mut found);
        if !new.is_empty() {
            let terms = self.ask_python(new.iter().map(|place| tokens[*place].as_str()).collect())?;
            let mut cache = self.cache();
            for (place, term) in new.into_iter().zip(terms) {
                cache.put(&tokens[place], term.clone());
                found[place] = term;
            }
        }
        Ok(found)
    }

    fn ask_python(&self, tokens: Vec<&str>) -> PyResult<Vec<Option<String>>> {
        let map_tokens = self.map_tokens.as_ref().expect("asked only when tokens are mapped");
        Python::attach(|py| {
            let wanted = tokens.len();
            let terms: Vec<Option<String>> = map_tokens.call1(py, (tokens,))?.extract(py)?;
            match terms.len() == wanted {
                true => Ok(terms),
                false => Err(PyValueError::new_err("map_tokens must give one answer for each token")),
            }
        })
    }

    /// The terms of texts.
    pub fn analyze(&self, texts: &[&str], base: &Interner, threads: usize) -> PyResult<Vec<Part>> {
        self.analyze_into(texts, base, threads, |_| IdLists::default())
    }

    /// What `sink` makes of the terms of texts.
    pub fn analyze_into<S: TermSink>(
        &self,
        texts: &[&str],
        base: &Interner,
        threads: usize,
        sink: impl Fn(Range<usize>) -> S + Sync,
    ) -> PyResult<Vec<Part<S>>> {
        let batch = Batch { texts, rules: &self.rules, base, threads, fingerprint: None };
        batch.analyze(|tokens| self.ask(tokens), sink)
    }

    /// Learns documents, or changes nothing; gives their fingerprints, if they are wanted.
    pub fn learn(&self, table: &mut Table, documents: Documents, threads: usize) -> PyResult<Vec<u128>> {
        let documents = Documents { weighting: self.weighting, ..documents };
        table.learn(&documents, &self.rules, threads, |tokens| self.ask(tokens)).map_err(|error| match error {
            NotLearned::TooLarge => too_large(TooLarge),
            NotLearned::Asked(error) => error,
        })
    }
}

/// The words of a text, as the analysis cuts them.
#[pyfunction]
pub fn words(text: &Bound<'_, PyString>, lowercase: bool, keep_punctuation: bool) -> PyResult<Vec<String>> {
    let (py, text) = (text.py(), Text::of(text)?);
    guarded(py, || {
        let (text, _) = composed(text.as_str());
        let mut found = Vec::new();
        each_word(&text, punctuation(keep_punctuation), |range| {
            found.push(cased(&text[range], lowercase).into_owned())
        });
        found
    })
}
