//! How text becomes terms.

use super::panics::guarded;
use super::strings::Text;
use crate::analyze::batch::{Part, Sink, read};
use crate::analyze::mapping_cache::Answers;
use crate::analyze::rules::{Lists, Rules, composed, spelling};
use crate::analyze::terms::{Mapping, terms_of};
use crate::count::term_weights::{Own, Weighting};
use crate::table::Table;
use crate::table::learn::{Documents, Stopped, count};
use crate::text::word_boundaries::{Cut, each_word};
use crate::vocabulary::interner::Interner;
use crate::vocabulary::overlay::Scope;
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

const REMEMBERED: usize = 1_000_000; // tokens whose terms an analysis keeps; about 100 MB

/// How text becomes terms.
#[pyclass(frozen)]
pub struct Analysis {
    rules: Rules,
    map_tokens: Option<Py<PyAny>>,
    answers: Mutex<Answers>,
}

fn cut(keep_punctuation: bool) -> Cut {
    if keep_punctuation { Cut::KeepPunctuation } else { Cut::DropPunctuation }
}

#[pymethods]
impl Analysis {
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
        let cut = cut(keep_punctuation);
        // Without other n-grams beside them all terms are the text's own, whatever words were replaced by.
        let own = own.filter(|(low, high)| ngrams.0 < *low || *high < ngrams.1);
        let own = own.map(|words| Own { words, pieces: char_ngrams.is_some() });
        let weighting = weighting.map(checked).transpose()?.map(|weighting| Weighting { own, ..weighting });
        let rules = Rules { lowercase, cut, words, ngrams, char_ngrams, phrases, mapped, weighting };
        Ok(Analysis { rules, map_tokens, answers: Mutex::new(Answers::new(REMEMBERED)) })
    }

    /// The text in composed form, and each term in reading order with where it starts and ends there (in characters).
    #[allow(clippy::type_complexity)]
    fn locate(&self, text: &Bound<'_, PyString>) -> PyResult<(String, Vec<(String, usize, usize)>)> {
        let given = Text::of(text)?;
        guarded(text.py(), || self.located(given.as_str()))?
    }
}

impl Analysis {
    #[allow(clippy::type_complexity)]
    fn located(&self, text: &str) -> PyResult<(String, Vec<(String, usize, usize)>)> {
        let text = composed(text).0.into_owned();
        let (mut tokens, mut ids, mut spans) = (Scope::into(Interner::default()), Vec::new(), Vec::new());
        each_word(&text, self.rules.cut, |range| {
            ids.push(tokens.intern(spelling(&text[range.clone()], self.rules.lowercase).as_bytes()));
            spans.push(range);
        });
        let distinct = (0..tokens.len() as u32).map(|id| tokens.text(id)).collect();
        let becomes = self.map_tokens.as_ref().map(|_| self.ask(distinct)).transpose()?;
        let mut scope = Scope::into(Interner::default());
        let mapping = Mapping::new(&tokens.own, becomes.as_deref(), &self.rules, &mut scope);
        let mut found = Vec::new();
        terms_of(&ids, Some(&mapping), &self.rules, &mut scope, &mut found);
        let place = characters(&text);
        let located = found.iter().map(|term| {
            (scope.text(term.id), place[spans[term.first].start] as usize, place[spans[term.last].end] as usize)
        });
        let located = located.collect();
        Ok((text, located))
    }
}

fn checked(weighting: &str) -> PyResult<Weighting> {
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

impl Analysis {
    pub fn weighting(&self) -> Option<Weighting> {
        self.rules.weighting
    }

    fn answers(&self) -> MutexGuard<'_, Answers> {
        self.answers.lock().unwrap_or_else(|poisoned| {
            let mut answers = PoisonError::into_inner(poisoned);
            *answers = Answers::new(REMEMBERED);
            self.answers.clear_poison();
            answers
        })
    }

    /// What tokens become. Python is asked once about each, as long as it is remembered.
    fn ask(&self, tokens: Vec<String>) -> PyResult<Vec<Option<String>>> {
        let mut found = vec![None; tokens.len()];
        let new = self.answers().fill(&tokens, &mut found);
        if !new.is_empty() {
            let terms = self.ask_python(new.iter().map(|place| tokens[*place].as_str()).collect())?;
            let mut answers = self.answers();
            for (place, term) in new.into_iter().zip(terms) {
                answers.put(&tokens[place], term.clone());
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
    pub fn read(&self, texts: &[&str], base: &Interner, threads: usize) -> PyResult<Vec<Part>> {
        self.read_into(texts, base, threads, |_| Lists::default())
    }

    /// What `sink` makes of the terms of texts.
    pub fn read_into<S: Sink>(
        &self,
        texts: &[&str],
        base: &Interner,
        threads: usize,
        sink: impl Fn(Range<usize>) -> S + Sync,
    ) -> PyResult<Vec<Part<S>>> {
        read(texts, &self.rules, base, threads, None, |tokens| self.ask(tokens), sink)
    }

    /// Counts documents, or changes nothing; gives their fingerprints, if they are wanted.
    pub fn count(&self, table: &mut Table, documents: &Documents, threads: usize) -> PyResult<Vec<u128>> {
        count(table, documents, &self.rules, threads, |tokens| self.ask(tokens)).map_err(|stopped| match stopped {
            Stopped::Full => PyOverflowError::new_err("a sum would be larger than 2^62"),
            Stopped::Asked(error) => error,
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
        each_word(&text, cut(keep_punctuation), |range| found.push(spelling(&text[range], lowercase).into_owned()));
        found
    })
}
