"""The analyzer: the settings under which a text becomes terms.

The kernel cuts a text into tokens, in NFC and lower case, and makes n-grams; the analyzer says how, and maps
each distinct token to its term or to nothing. Two analyzers that give the same terms are equal, whichever way their
settings were written: `stop_words={"Der", "die"}` is `stop_words=["die", "der"]`, and `ngrams=2` is `(1, 2)`.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from likelier._base.cached import cached_property
from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._kernel import Analysis
from likelier._text import checks, languages
from likelier._text.terms import TermMap, cut_keys
from likelier._text.texts import checked_text, surrogate_error

if TYPE_CHECKING:
    from likelier._show.table import Table


@dataclass(frozen=True, kw_only=True)
class Analyzer:
    """How a text becomes terms.

    language     for lemmas and stems, as an ISO 639-1 code
    lowercase    without it, `Der` and `der` are two words; lemmas and stems are lower case all the same
    punctuation  `keep` makes tokens of commas, dots and other marks too
    min_length   shorter tokens are dropped; in characters
    stop_words   dropped as written in the text, before lemma and stem: the name of a list (`"de"`,
                 `"stopwordsiso:de"`), a file with one word a line (a Path, or `"file:words.txt"`), the words
                 themselves, or a number k: the k most frequent words of the training set
    lemmatize    count `wolf` for `Wölfe`; by dictionary
    stem         count `hous` for `houses`; by rules
    replace      synonyms, homonyms, acronyms: {"NYC": "new_york", "New York": "new_york"}. The key is a word
                 or several; the term is counted as given and wins over stop words, lemma and stem
    ngrams       the longest run of words that is a term, or (shortest, longest)
    char_ngrams  also count the pieces of words with this number of characters, or (fewest, most)
    words        False: only the pieces

    >>> analyzer = Analyzer(language="de", stop_words="de", lemmatize=True)
    >>> analyzer.map_tokens(["die", "sieben", "zwerge", "fraßen"])
    [None, 'sieben', 'zwerg', 'fressen']
    """

    language: str | None = None
    lowercase: bool = True
    punctuation: Literal["drop", "keep"] = "drop"
    min_length: int = 1
    stop_words: str | int | Path | Iterable[str] | None = None
    lemmatize: bool = False
    stem: bool = False
    replace: Mapping[str, str] | Iterable[tuple[str, str]] = ()
    ngrams: int | tuple[int, int] = 1
    char_ngrams: int | tuple[int, int] | None = None
    words: bool = True

    def __post_init__(self) -> None:
        for flag in ("lowercase", "lemmatize", "stem", "words"):
            check_flag(flag, getattr(self, flag))
        checks.check_punctuation(self.punctuation)
        self._check_base_form()
        # The class is frozen for its users; here each setting takes the form in which it is kept.
        keep = self.__dict__
        keep["language"] = checks.checked_language(self.language, needed=self.lemmatize or self.stem)
        keep["min_length"] = checks.checked_min_length(self.min_length)
        keep["stop_words"] = checks.checked_stop_words(self.stop_words, lowercase=self.lowercase)
        keep["replace"] = checks.checked_replace(self.replace, lowercase=self.lowercase)
        keep["ngrams"] = checks.checked_ngrams(self.ngrams, words=self.words)
        keep["char_ngrams"] = checks.checked_char_ngrams(self.char_ngrams, words=self.words)
        _ = self.term_map  # raises now what cannot work later: an unknown language, a key that is cut short

    @property
    def ngram_range(self) -> tuple[int, int]:
        """Minimum and maximum number of words of a term.

        >>> Analyzer(ngrams=2).ngram_range
        (1, 2)
        """
        return cast(tuple[int, int], self.ngrams)

    @property
    def char_ngram_range(self) -> tuple[int, int] | None:
        """Minimum and maximum length of character n-grams; None without them.

        >>> Analyzer(char_ngrams=3).char_ngram_range
        (3, 3)
        """
        return cast(tuple[int, int] | None, self.char_ngrams)

    @property
    def changes_tokens(self) -> bool:
        """False when each token is its own term, so that `map_tokens` need not be called."""
        return not self.term_map.is_identity

    def map_tokens(self, tokens: list[str]) -> list[str | None]:
        """The term of each token, or None where it is dropped.

        The tokens come from the kernel: in NFC, and in lower case when `lowercase` is set.

        >>> Analyzer(stop_words=["der"], replace={"auto": "wagen"}).map_tokens(["der", "auto", "bus"])
        [None, 'wagen', 'bus']
        """
        return self.term_map(tokens)

    def phrases(self) -> list[tuple[list[str], str]]:
        """The replacements of several words, longest first: the tokens, and the term for them all."""
        several = [(list(words), term) for words, term in self._replacements.items() if len(words) > 1]
        return sorted(several, key=lambda pair: (-len(pair[0]), pair[0]))

    @property
    def is_open(self) -> bool:
        """True while the stop words are a number: they are still to be found in the training set.

        >>> Analyzer(stop_words=3).is_open, Analyzer(stop_words="de").is_open
        (True, False)
        """
        return isinstance(self.stop_words, int)

    @property
    def words_alone(self) -> Analyzer:
        """The analyzer that gives the words as they are in the texts: among them its stop words are found."""
        return Analyzer(lowercase=self.lowercase, punctuation=self.punctuation)

    def settled(self, most_frequent: Sequence[str]) -> Analyzer:
        """The same analyzer with the first k of these tokens as its stop words.

        most_frequent: tokens as written in the text, the most frequent first.

        >>> Analyzer(stop_words=2).settled(["and", "the", "film"]).stop_words
        ('and', 'the')
        """
        if not isinstance(self.stop_words, int):
            return self
        return dataclasses.replace(self, stop_words=tuple(most_frequent[: self.stop_words]))

    @cached_property
    def analysis(self) -> Analysis:
        """These settings as the kernel takes them."""
        return self._analysis(self.ngram_range)

    def counting(self, ngrams: tuple[int, int], weighting: str | None) -> Analysis:
        """The same for learning: with these n-grams, and with weights if there is a weighting.

        The length of a document is that of the analyzer's own n-grams, whatever else is counted.
        """
        if ngrams == self.ngram_range and weighting is None:
            return self.analysis
        if (ngrams, weighting) not in self._others:
            self._others[ngrams, weighting] = self._analysis(ngrams, weighting=weighting, own=self.ngram_range)
        return self._others[ngrams, weighting]

    def with_ngrams(self, ngrams: tuple[int, int] | None) -> Analyzer:
        """The same analyzer with other n-grams.

        >>> Analyzer(stop_words=["the"]).with_ngrams((1, 2)).terms("The old man")
        ['old', 'old man', 'man']
        """
        if ngrams is None or ngrams == self.ngram_range:
            return self
        if ngrams not in self._others:
            self._others[ngrams] = dataclasses.replace(self, ngrams=ngrams)
        return self._others[ngrams]

    @property
    def keeps_ngrams(self) -> str:
        """Why a term's number of words is not known from its spaces, so that n-grams cannot be chosen; empty if it is.

        >>> Analyzer(replace={"nyc": "new york"}).keeps_ngrams
        "the replacement 'new york' has a space in it"
        """
        if not self.words:
            return "`words=False` counts pieces of words alone"
        spaced = [term for term in self._replacements.values() if " " in term]
        if spaced:
            return f"the replacement {spaced[0]!r:.60} has a space in it"
        if self.char_ngrams is not None and self.ngram_range[0] > 1:
            return "pieces of words count as single words"
        return ""

    def _analysis(self, ngrams: tuple[int, int], **learned: Any) -> Analysis:
        return Analysis(
            lowercase=self.lowercase,
            keep_punctuation=self.punctuation == "keep",
            words=self.words,
            ngrams=ngrams,
            char_ngrams=self.char_ngram_range,
            phrases=self.phrases(),
            map_tokens=self.map_tokens if self.changes_tokens else None,
            **learned,
        )

    @cached_property
    def _others(self) -> dict[Any, Any]:
        """What was made with other n-grams: making it anew for each question would take longer than the question."""
        return {}

    def terms(self, text: str) -> list[str]:
        """The terms of a text, in reading order.

        >>> Analyzer(ngrams=2).terms("Don't panic!")
        ["don't", "don't panic", 'panic']
        """
        return [term for term, _, _ in self.locate(text)[1]]

    def steps(self, texts: str | Iterable[str]) -> Table:
        """The analysis of a text, or of several, step by step: lower case, tokens, stop words, lemmas, terms.

        >>> print(Analyzer(stop_words=["the"], language="en", stem=True).steps("The barking dogs"))
        step                result
        text                The barking dogs
        lower case          the barking dogs
        tokens              the, barking, dogs
        without stop words  barking, dogs
        stems               bark, dog
        terms               bark, dog
        """
        from likelier._text.steps import steps_table

        return steps_table(self, texts)

    def locate(self, text: str) -> tuple[str, list[tuple[str, int, int]]]:
        """The text in composed form (NFC), and its terms with their start and end in it."""
        try:
            return self.analysis.locate(checked_text(text))
        except UnicodeEncodeError:
            raise surrogate_error([text]) from None

    def to_dict(self) -> dict[str, Any]:
        """All settings as plain JSON values.

        >>> settings = Analyzer(ngrams=2, stop_words=["the"]).to_dict()
        >>> settings["ngrams"], settings["stop_words"]
        ([1, 2], ['the'])
        >>> Analyzer.from_dict(settings) == Analyzer(ngrams=2, stop_words=["the"])
        True
        """
        settings = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        settings["replace"] = dict(settings["replace"])
        return {name: list(value) if isinstance(value, tuple) else value for name, value in settings.items()}

    @classmethod
    def from_dict(cls, settings: Mapping[str, Any]) -> Analyzer:
        """The analyzer of `to_dict`; missing settings have their defaults."""
        checks.check_stored(settings, [field.name for field in dataclasses.fields(cls)])
        return cls(**settings)

    def __reduce__(self) -> tuple[Any, ...]:
        return Analyzer.from_dict, (self.to_dict(),)  # without the memory of mapped tokens

    @cached_property
    def _replacements(self) -> dict[tuple[str, ...], str]:
        if not self.replace:
            return {}
        pairs = cast(Iterable[tuple[str, str]], self.replace)
        return cut_keys(pairs, lowercase=self.lowercase, keep_punctuation=self.punctuation == "keep")

    @cached_property
    def term_map(self) -> TermMap:
        """What becomes of each token."""
        return TermMap(
            replace={words[0]: term for words, term in self._replacements.items() if len(words) == 1},
            min_length=self.min_length,
            stop_words=self._stop_words_as_they_stand(),
            base_form=self._base_form(),
        )

    def _stop_words_as_they_stand(self) -> frozenset[str]:
        if self.stop_words is None or isinstance(self.stop_words, int):
            return frozenset()
        if not isinstance(self.stop_words, str):
            return frozenset(cast(tuple[str, ...], self.stop_words))
        listed = languages.stop_words(self.stop_words)
        # Where case counts, "The" opens a sentence and is a stop word like "the"; "US" is not "us".
        return listed if self.lowercase else listed | {word.capitalize() for word in listed}

    def _base_form(self) -> Callable[[str], str] | None:
        if self.language is None or not (self.lemmatize or self.stem):
            return None
        return languages.lemmatizer(self.language) if self.lemmatize else languages.stemmer(self.language)

    def _check_base_form(self) -> None:
        if self.lemmatize and self.stem:
            raise error("lemma-and-stem")


def check_analyzer(analyzer: object) -> None:
    """Whether this is an analyzer, or none."""
    if not (analyzer is None or isinstance(analyzer, Analyzer)):
        raise error("analyzer-kind.argument", got=analyzer)
