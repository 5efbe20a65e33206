"""Languages: stop words, lemmas and stems, in German, English and Russian in depth."""

from __future__ import annotations

import importlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.resources import files
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likelier._base.errors import SettingError
from likelier._kernel import words
from likelier._text import languages
from likelier._text.languages import known_languages, lemmatizer, stemmer, stop_words

OWN_LISTS = ["ar", "de", "en", "es", "fr", "hi", "it", "nl", "pl", "pt", "ru", "sv", "uk"]

NEGATIONS = {
    "ar": "لا لم لن ليس ليست ما غير بدون دون",
    "de": "nicht kein keine keinen keinem keiner keines nie niemals niemand nichts nirgends weder ohne",
    "en": "no not nor never none nothing nobody nowhere neither cannot without don't isn't won't can't",
    "es": "no ni nunca jamás nada nadie ningún ninguno tampoco sin",
    "fr": "ne pas non jamais rien aucun aucune personne ni sans n'est n'ai",
    "hi": "नहीं न ना मत बिना",
    "it": "no non né mai niente nulla nessuno neanche senza",
    "nl": "niet geen nooit niemand niets noch zonder",
    "pl": "nie nigdy nikt nic żaden ani bez",
    "pt": "não nem nunca nada ninguém nenhum sem",
    "ru": "не нет ни никогда никто ничто ничего нельзя без",
    "sv": "inte ej aldrig ingen inget inga ingenting utan",
    "uk": "не ні ніколи ніхто ніщо нічого немає нема без",
}
CONTENT_WORDS = {
    "de": "eins zwei drei sieben gut schlecht kaufen haus hilfe zeit sehr",
    "en": "one two seven first good bad buy home help like off very",
    "ru": "один два семь хорошо купить дом надо да очень",
}


def list_lines(code: str) -> list[str]:
    text = (files("likelier._text") / "stop_words" / f"{code}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]


def test_there_is_an_own_list_of_stop_words_for_thirteen_languages():
    assert [code for code, what in known_languages().items() if "stop words" in what] == OWN_LISTS


@pytest.mark.parametrize("code", OWN_LISTS)
def test_an_own_list_is_sorted_and_has_no_word_twice(code):
    assert list_lines(code) == sorted(set(list_lines(code)))


@pytest.mark.parametrize("code", OWN_LISTS)
def test_the_words_of_an_own_list_are_lower_case_and_nfc(code):
    assert [normalize("NFC", word.lower()) for word in list_lines(code)] == list_lines(code)


@pytest.mark.parametrize("code", OWN_LISTS)
def test_each_word_of_an_own_list_is_one_token(code):
    assert [token for word in list_lines(code) for token in words(word, True, False)] == list_lines(code)


@pytest.mark.parametrize("code", OWN_LISTS)
def test_an_own_list_is_short(code):
    assert 60 <= len(list_lines(code)) <= 200


@pytest.mark.parametrize("code", OWN_LISTS)
def test_no_own_list_drops_a_negation(code):
    assert stop_words(code) & set(NEGATIONS[code].split()) == set()


@pytest.mark.parametrize("code", CONTENT_WORDS)
def test_no_own_list_drops_a_number_or_a_content_word(code):
    assert stop_words(code) & set(CONTENT_WORDS[code].split()) == set()


@pytest.mark.parametrize(
    ("code", "listed"),
    [
        ("de", "der die das ein und oder ich sie wir mit für über ist war haben wurde dass"),
        ("en", "the a an and or but i you it we with for of is was have been would it's"),
        ("ru", "и в на с что он она мы этот который был была было для чтобы её ее"),
        ("fr", "le la les un une et ou je vous dans avec est sont c'est"),
        ("es", "el la los un una y o yo con para es son está"),
    ],
)
def test_articles_pronouns_prepositions_and_auxiliaries_are_stop_words(code, listed):
    assert set(listed.split()) <= stop_words(code)


def test_an_apostrophe_may_be_typed_or_printed():
    assert {"it's", "it\u2019s"} <= stop_words("en")


def test_a_language_goes_by_its_english_name_too():
    assert stop_words("German") == stop_words("de")


def test_stop_words_of_an_unknown_language_are_refused_with_the_known_ones():
    with pytest.raises(SettingError, match=r"no stop words for the language 'tlh'; known: ar, de, en, es") as caught:
        stop_words("tlh")
    assert caught.value.code == "language-unknown"


def test_a_path_is_not_a_language():
    with pytest.raises(SettingError, match=r"no stop words for the language '\.\./stop_words/de'"):
        stop_words("../stop_words/de")


def test_the_long_list_of_the_package_has_its_own_name():
    assert {"nicht", "gut"} <= stop_words("stopwordsiso:de")


def test_an_unknown_language_of_the_package_is_refused_with_its_known_ones():
    with pytest.raises(SettingError, match=r"in stopwordsiso for the language 'tlh'; known: af, ar, bg") as caught:
        stop_words("stopwordsiso:tlh")
    assert caught.value.code == "language-unknown"


@pytest.mark.parametrize(
    ("ask", "package"),
    [
        (lambda: stop_words("stopwordsiso:fr"), "stopwordsiso"),
        (lambda: lemmatizer.__wrapped__("fr"), "simplemma"),
        (lambda: stemmer.__wrapped__("fr"), "PyStemmer"),
    ],
)
def test_a_missing_package_is_named_with_the_command_that_installs_it(ask, package, monkeypatch):
    def refuse(name, *_):
        raise ImportError(name)

    monkeypatch.setattr(languages.importlib, "import_module", refuse)
    languages._lemma_languages.cache_clear()
    languages._stem_languages.cache_clear()
    with pytest.raises(SettingError, match=f"{package} is needed(?s:.)*hint: pip install {package}") as caught:
        ask()
    assert caught.value.code == "package-missing"


GERMAN_LEMMAS = {
    "fraßen": "fressen",
    "wölfe": "wolf",
    "böcke": "bock",
    "ziegen": "ziege",
    "traten": "treten",
    "zwerge": "zwerg",
    "sieben": "sieben",
    "häuser": "haus",
    "ging": "gehen",
    "soll": "sollen",
    "macht": "machen",
}


@pytest.mark.parametrize(("word", "lemma"), GERMAN_LEMMAS.items())
def test_a_german_word_becomes_its_lemma(word, lemma):
    assert lemmatizer("de")(word) == lemma


@pytest.mark.parametrize("word", ["wolf", "bock", "haus", "buch", "bild", "land", "vertrag", "fuß", "zimmer"])
def test_a_german_noun_in_lower_case_is_not_taken_for_an_imperative(word):
    assert lemmatizer("de")(word) == word


@pytest.mark.parametrize("words", ["wolf wölfe", "haus häuser", "buch bücher", "land länder", "bild bilder"])
def test_a_german_noun_has_one_lemma_in_singular_and_plural(words):
    assert len({lemmatizer("de")(word) for word in words.split()}) == 1


@pytest.mark.parametrize("word", GERMAN_LEMMAS)
def test_capitals_do_not_change_the_german_lemma(word):
    assert lemmatizer("de")(word.capitalize()) == GERMAN_LEMMAS[word]


@pytest.mark.parametrize(
    ("word", "lemma"),
    [
        ("wolves", "wolf"),
        ("mice", "mouse"),
        ("bought", "buy"),
        ("went", "go"),
        ("running", "run"),
        ("i", "i"),
    ],
)
def test_an_english_word_becomes_its_lemma(word, lemma):
    assert lemmatizer("en")(word) == lemma


@pytest.mark.parametrize("word", ["don't", "isn't", "can't", "won\u2019t"])
def test_an_english_lemma_does_not_lose_the_negation(word):
    assert lemmatizer("en")(word) == word


@pytest.mark.parametrize(
    ("word", "lemma"),
    [("молока", "молоко"), ("молоку", "молоко"), ("волки", "волк"), ("купил", "купить"), ("козы", "коза")],
)
def test_a_russian_word_becomes_its_lemma(word, lemma):
    assert lemmatizer("ru")(word) == lemma


def test_a_word_that_no_dictionary_has_is_its_own_lemma():
    assert lemmatizer("de")("xqzt42") == "xqzt42"


@pytest.mark.parametrize("word", ["42", "3,5", ",", "...", "😀"])
def test_numbers_and_marks_are_their_own_lemmas(word):
    assert lemmatizer("de")(word) == word


def test_lemmas_of_an_unknown_language_are_refused_with_the_known_ones():
    with pytest.raises(SettingError, match=r"no lemmas for the language 'tlh'; known: ar, ast, bg") as caught:
        lemmatizer("tlh")
    assert caught.value.code == "language-unknown"


def test_without_lemmas_for_a_language_its_stems_are_offered():
    with pytest.raises(SettingError, match="`stem=True` knows this language"):
        lemmatizer("eu")


def test_without_stems_for_a_language_its_lemmas_are_offered():
    with pytest.raises(SettingError, match="`lemmatize=True` knows this language"):
        stemmer("uk")


def test_the_lemma_libraries_are_not_imported_before_they_are_needed():
    code = (
        "import sys; from likelier._text.analyzer import Analyzer; Analyzer(stop_words='de');"
        "print({'simplemma', 'Stemmer', 'stopwordsiso'} & set(sys.modules))"
    )  # in a fresh interpreter, because other tests have imported them here
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("language", "words", "stem"),
    [
        ("de", "zwerg zwerge zwerges zwergen", "zwerg"),
        ("de", "wölfe wolf", "wolf"),
        ("en", "buy buys buying", "buy"),
        ("en", "connect connected connecting connection connections", "connect"),
        ("ru", "молоко молока молоку молоком", "молок"),
        ("ru", "ёлки елки", "елк"),
    ],
)
def test_the_forms_of_a_word_share_a_stem(language, words, stem):
    assert {stemmer(language)(word) for word in words.split()} == {stem}


def test_capitals_do_not_change_the_stem():
    assert stemmer("en")("Buying") == "buy"


def test_a_stemmer_goes_by_snowballs_name_too():
    assert stemmer("german")("zwerge") == stemmer("de")("zwerge")


def test_the_older_porter_stemmer_goes_by_its_name():
    assert (stemmer("porter")("generously"), stemmer("en")("generously")) == ("gener", "generous")


def test_stems_of_an_unknown_language_are_refused_with_the_known_ones():
    with pytest.raises(SettingError, match=r"no stems for the language 'tlh'; known: ar, ca, cs, da, de") as caught:
        stemmer("tlh")
    assert caught.value.code == "language-unknown"


def test_each_algorithm_of_the_stemming_library_has_a_code_or_is_an_older_one():
    algorithms = set(importlib.import_module("Stemmer").algorithms())
    assert algorithms - set(languages._SNOWBALL_CODES) <= {"porter", "dutch_porter"}


def test_many_threads_get_the_stems_that_one_gets():
    words = [f"{word}{ending}" for word in ("zwerg", "wolf", "bock", "tisch") for ending in ("", "e", "es", "en")]
    alone = [stemmer("de")(word) for word in words]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda _: [stemmer("de")(word) for word in words], range(400)))
    assert together == [alone] * 400


@settings(max_examples=200, deadline=None)
@given(st.text(min_size=1, max_size=12))
@pytest.mark.parametrize("base_form", [lemmatizer("de"), stemmer("hi"), stemmer("tr")])
def test_no_word_becomes_empty(base_form, word):
    assert base_form(word) != ""


def test_known_languages_say_what_is_there_for_each():
    known = known_languages()
    assert known["de"] == {"stop words", "lemmas", "stems"}
    assert known["uk"] == {"stop words", "lemmas"}
    assert known["tr"] == {"lemmas", "stems"}
