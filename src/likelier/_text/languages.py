"""Which languages there are, and what is there for each: stop words, lemmas, stems.

Languages go by their ISO 639-1 code (`de`); the English names that Snowball uses (`german`) mean the same.
Stop words   own short lists of function words in the folder `stop_words`; negations are kept out of them,
             because "not good" is another opinion than "good". `stopwordsiso:de`: the long list of a package.
Lemmas       simplemma: the word as the dictionary has it, `Wölfe` -> `wolf`.
Stems        Snowball, through PyStemmer: the word without its endings, by rules.
The libraries are imported when they are first needed: a lemma dictionary takes a second and 100 MB.
"""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Callable, Iterable
from functools import cache
from importlib.resources import files
from typing import Any
from unicodedata import normalize

from likelier._base.errors import error

# Snowball's name -> ISO 639-1. `porter` and `dutch_porter` are older algorithms: they have a name only.
_SNOWBALL_CODES = {
    "arabic": "ar", "armenian": "hy", "basque": "eu", "catalan": "ca", "czech": "cs", "danish": "da",
    "dutch": "nl", "english": "en", "esperanto": "eo", "estonian": "et", "finnish": "fi", "french": "fr",
    "german": "de", "greek": "el", "hindi": "hi", "hungarian": "hu", "indonesian": "id", "irish": "ga",
    "italian": "it", "lithuanian": "lt", "nepali": "ne", "norwegian": "no", "persian": "fa", "polish": "pl",
    "portuguese": "pt", "romanian": "ro", "russian": "ru", "serbian": "sr", "sesotho": "st", "spanish": "es",
    "swedish": "sv", "tamil": "ta", "turkish": "tr", "yiddish": "yi",
}  # fmt: skip
_PACKAGE_LIST = "stopwordsiso:"
_PRINTED_APOSTROPHE = "\u2019"


def language_code(name: str) -> str:
    """The name under which a language is stored.

    >>> language_code("German"), language_code("de-DE"), language_code("porter")
    ('de', 'de', 'porter')
    """
    plain = re.split("[-_]", name.lower())[0] if re.fullmatch("[A-Za-z]{2,3}[-_][A-Za-z]+", name) else name.lower()
    return _SNOWBALL_CODES.get(plain, plain)


def known_languages() -> dict[str, frozenset[str]]:
    """What is there for each language, by code.

    >>> sorted(known_languages()["de"]), sorted(known_languages()["uk"])
    (['lemmas', 'stems', 'stop words'], ['lemmas', 'stop words'])
    """
    there = {"stop words": _own_lists(), "lemmas": _lemma_languages(), "stems": _stem_languages()}
    codes = sorted(frozenset().union(*there.values()))
    return {code: frozenset(kind for kind in there if code in there[kind]) for code in codes}


@cache
def stop_words(name: str) -> frozenset[str]:
    """The stop words of a language: likelier's own list, or the long one of the package stopwordsiso.

    >>> "der" in stop_words("de"), "nicht" in stop_words("de")
    (True, False)
    """
    if name.startswith(_PACKAGE_LIST):
        return _package_list(name.removeprefix(_PACKAGE_LIST))
    code = language_code(name)
    if code not in _own_lists():
        raise error("language-unknown.list", name=name, what="stop words", known=_listed(_own_lists()))
    text = (files("likelier._text") / "stop_words" / f"{code}.txt").read_text(encoding="utf-8")
    return _word_set(word_lines(text))


@cache
def lemmatizer(language: str) -> Callable[[str], str]:
    """A function from a word to its lemma, both in lower case.

    >>> lemma = lemmatizer("de")
    >>> [lemma(word) for word in ("fraßen", "wölfe", "traten", "sieben")]
    ['fressen', 'wolf', 'treten', 'sieben']
    """
    code = language_code(language)
    if code not in _lemma_languages():
        case = "language-unknown.stem" if code in _stem_languages() else "language-unknown"
        raise error(case, name=language, what="lemmas", known=_listed(_lemma_languages()))
    find = _finder(code)
    stays = _STAYS.get(code, _never)

    def lemma(token: str) -> str:
        word = token.lower()
        found = find(word)
        return word if found != word and stays(word, found, find) else found

    return lemma


def _finder(code: str) -> Callable[[str], str]:
    """A function from a word to what simplemma says, in lower case.

    Words that are in its dictionary as they are or with a capital are looked up directly, with the same result.
    """
    strategies = _package("simplemma.strategies", "simplemma")
    dictionaries = strategies.DefaultDictionaryFactory()
    strategy = strategies.DefaultStrategy(dictionary_factory=dictionaries)
    # no cache of its own: the analyzer keeps what it has mapped
    full = _package("simplemma", "simplemma").Lemmatizer(cache_max_size=0, lemmatization_strategy=strategy)
    is_plain = code not in _OTHER_SPELLINGS

    def find(word: str) -> str:
        if is_plain and word.isalpha():
            entries = dictionaries.get_dictionary(code)
            found = entries.get(word) or entries.get(word.lower() if word[:1].isupper() else word.capitalize())
            if found:
                return str(found).lower()
        return str(full.lemmatize(word, code)).lower() or word

    return find


def _german_noun(word: str, found: str, find: Callable[[str], str]) -> bool:
    # Nouns have capitals in the dictionary; without one, `buch` is taken for the imperative of `buchen`.
    stem = word.replace("ß", "ss")
    imperative = found in (word + "en", word + "n", stem + "en") and not word.endswith("e")
    return imperative and word not in stop_words("de") and find(word.capitalize()) == word


def _english_negation(word: str, found: str, find: Callable[[str], str]) -> bool:
    return word.endswith(("n't", "n" + _PRINTED_APOSTROPHE + "t"))  # the dictionary has don't -> do


def _never(word: str, found: str, find: Callable[[str], str]) -> bool:
    return False


_OTHER_SPELLINGS = {"ar", "grc", "he", "hy"}  # languages whose words are spelt otherwise in their dictionary
_STAYS = {"de": _german_noun, "en": _english_negation}  # words that are their own lemma all the same


@cache
def stemmer(language: str) -> Callable[[str], str]:
    """A function from a word to its stem, both in lower case.

    >>> stem = stemmer("en")
    >>> [stem(word) for word in ("buying", "buys", "Buyer")]
    ['buy', 'buy', 'buyer']
    """
    code = language_code(language)
    if code not in _stem_languages() and code not in _package("Stemmer", "PyStemmer").algorithms():
        case = "language-unknown.lemmatize" if code in _lemma_languages() else "language-unknown"
        raise error(case, name=language, what="stems", known=_listed(_stem_languages()))
    stemmers = _ThreadStemmer(code)
    return lambda token: str(stemmers.stem(token.lower())) or token.lower()


class _ThreadStemmer(threading.local):
    """One Snowball stemmer for each thread: it holds the word that it works on."""

    def __init__(self, algorithm: str) -> None:
        self.stem = _package("Stemmer", "PyStemmer").Stemmer(algorithm, 0).stemWord  # 0: no cache of its own


def word_lines(text: str) -> list[str]:
    r"""The words of a list: one a line, without empty lines and `#` comments.

    >>> word_lines("# articles\nder\n\ndie\n")
    ['der', 'die']
    """
    lines = (line.strip() for line in text.splitlines())
    return [line for line in lines if line and not line.startswith("#")]


@cache
def _own_lists() -> frozenset[str]:
    folder = files("likelier._text") / "stop_words"
    names = (entry.name for entry in folder.iterdir())
    return frozenset(name.removesuffix(".txt") for name in names if name.endswith(".txt"))


@cache
def _lemma_languages() -> frozenset[str]:
    _package("simplemma", "simplemma")
    factory = importlib.import_module("simplemma.strategies.dictionaries.dictionary_factory")
    return frozenset(factory.SUPPORTED_LANGUAGES)


@cache
def _stem_languages() -> frozenset[str]:
    algorithms = _package("Stemmer", "PyStemmer").algorithms()
    return frozenset(_SNOWBALL_CODES[name] for name in algorithms if name in _SNOWBALL_CODES)


def _package_list(name: str) -> frozenset[str]:
    package = _package("stopwordsiso", "stopwordsiso")
    code = language_code(name)
    if code not in package.langs():
        known = _listed(package.langs())
        raise error("language-unknown.package", name=name, what="stop words in stopwordsiso", known=known)
    return _word_set(package.stopwords(code))


def _word_set(words: Iterable[str]) -> frozenset[str]:
    lowered = [normalize("NFC", word.lower()) for word in words]
    return frozenset(lowered) | {word.replace("'", _PRINTED_APOSTROPHE) for word in lowered}


def _package(module: str, pip_name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError:
        raise error("package-missing", pip_name=pip_name) from None


def _listed(known: Iterable[str]) -> str:
    return ", ".join(sorted(known))
