"""The analyzer: what it accepts, when two are equal, and which term each token becomes."""

from __future__ import annotations

import copy
import json
import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier._base.errors import SettingError
from likelier._text.analyzer import Analyzer


def refused(**settings) -> SettingError:
    with pytest.raises(SettingError, match="hint: ") as caught:
        Analyzer(**settings)
    return caught.value


# From token to term


def test_by_default_each_token_is_its_own_term():
    assert Analyzer().map_tokens(["die", "sieben", "x"]) == ["die", "sieben", "x"]


def test_the_goats_of_the_lecture_are_cut_down_to_their_lemmas():
    analyzer = Analyzer(language="de", stop_words="de", lemmatize=True)
    tokens = ["die", "sieben", "zwerge", "fraßen", "die", "sieben", "ziegen"]
    assert analyzer.map_tokens(tokens) == [None, "sieben", "zwerg", "fressen", None, "sieben", "ziege"]


def test_english_words_lose_stop_words_and_keep_the_negation():
    analyzer = Analyzer(language="en", stop_words="en", stem=True)
    tokens = ["it", "was", "not", "a", "good", "idea", "and", "i", "don't", "like", "buying", "it"]
    kept = [term for term in analyzer.map_tokens(tokens) if term]
    assert kept == ["not", "good", "idea", "don't", "like", "buy"]


def test_russian_words_lose_stop_words_and_keep_the_negation():
    analyzer = Analyzer(language="ru", stop_words="ru", lemmatize=True)
    tokens = ["я", "не", "купил", "молока", "для", "волков"]
    assert analyzer.map_tokens(tokens) == [None, "не", "купить", "молоко", None, "волк"]


def test_stop_words_are_matched_on_the_token_and_not_on_its_lemma():
    analyzer = Analyzer(language="de", stop_words=["wolf"], lemmatize=True)
    assert analyzer.map_tokens(["wolf", "wölfe"]) == [None, "wolf"]


def test_a_stop_word_is_dropped_before_its_lemma_is_looked_up():
    analyzer = Analyzer(language="de", stop_words=["wölfe"], lemmatize=True)
    assert analyzer.map_tokens(["wolf", "wölfe"]) == ["wolf", None]


def test_short_tokens_are_dropped():
    assert Analyzer(min_length=3).map_tokens(["a", "ab", "abc", "ёлка"]) == [None, None, "abc", "ёлка"]


def test_length_is_counted_in_characters_and_not_in_bytes():
    assert Analyzer(min_length=2).map_tokens(["я", "он", "ß"]) == [None, "он", None]


def test_the_empty_token_is_dropped():
    assert Analyzer(stop_words=["x"]).map_tokens([""]) == [None]


def test_a_replacement_is_final():
    analyzer = Analyzer(language="en", lemmatize=True, replace={"nyc": "mice"})
    assert analyzer.map_tokens(["nyc", "mice"]) == ["mice", "mouse"]


def test_a_replacement_wins_over_the_least_length():
    assert Analyzer(min_length=3, replace={"ok": "fine"}).map_tokens(["ok", "no"]) == ["fine", None]


def test_a_replacement_wins_over_the_stop_words():
    assert Analyzer(stop_words="en", replace={"it": "computing"}).map_tokens(["it", "is"]) == [
        "computing",
        None,
    ]


def test_a_replacement_corrects_a_lemma():
    analyzer = Analyzer(language="de", lemmatize=True, replace={"gegessen": "essen"})
    assert analyzer.map_tokens(["gegessen"]) == ["essen"]


def test_a_replacement_is_looked_up_for_the_lemma_too():
    analyzer = Analyzer(language="en", lemmatize=True, replace={"car": "vehicle"})
    assert analyzer.map_tokens(["car", "cars"]) == ["vehicle", "vehicle"]


def test_a_replacement_is_looked_up_for_the_stem_too():
    analyzer = Analyzer(language="ru", stem=True, replace={"молок": "напиток"})
    assert analyzer.map_tokens(["молоко", "молоку"]) == ["напиток", "напиток"]


def test_a_replacement_term_is_lower_cased_like_everything_else():
    assert Analyzer(replace={"NYC": "New_York"}).map_tokens(["nyc"]) == ["new_york"]


def test_where_case_counts_a_replacement_keeps_it():
    analyzer = Analyzer(lowercase=False, replace={"US": "USA"})
    assert analyzer.map_tokens(["US", "us"]) == ["USA", "us"]


def test_where_case_counts_a_stop_word_may_open_a_sentence():
    analyzer = Analyzer(lowercase=False, stop_words="en")
    assert analyzer.map_tokens(["The", "the", "US", "us"]) == [None, None, "US", None]


def test_where_case_counts_own_stop_words_are_taken_literally():
    analyzer = Analyzer(lowercase=False, stop_words=["The"])
    assert analyzer.map_tokens(["The", "the"]) == [None, "the"]


def test_lemmas_are_lower_case_even_where_case_counts():
    analyzer = Analyzer(language="de", lowercase=False, lemmatize=True)
    assert analyzer.map_tokens(["Wölfe", "Fraßen"]) == ["wolf", "fressen"]


def test_own_stop_words_are_compared_in_nfc():
    decomposed = "fu\u0308r"
    assert Analyzer(stop_words=[decomposed]).map_tokens(["für"]) == [None]


def test_a_token_is_mapped_wherever_it_stands():
    analyzer = Analyzer(stop_words=["der"])
    assert analyzer.map_tokens(["der", "wolf", "der", "bock", "der"]) == [None, "wolf", None, "bock", None]


def test_many_threads_map_as_one_does():
    analyzer = Analyzer(language="de", stop_words="de", stem=True)
    tokens = ["die", "sieben", "zwerge", "fraßen", "die", "sieben", "ziegen", "und", "wölfe"]
    alone = Analyzer(language="de", stop_words="de", stem=True).map_tokens(tokens)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda _: analyzer.map_tokens(tokens), range(300))) == [alone] * 300


@given(st.lists(st.text(max_size=8)))
def test_mapping_a_batch_is_mapping_its_tokens_one_by_one(tokens):
    analyzer = Analyzer(language="en", stop_words="en", stem=True, min_length=2)
    assert analyzer.map_tokens(tokens) == [analyzer.map_tokens([token])[0] for token in tokens]


# When nothing is to be mapped


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"language": "de"},
        {"lowercase": False},
        {"punctuation": "keep"},
        {"ngrams": 2},
        {"char_ngrams": 3},
        {"stop_words": 3},
        {"stop_words": []},
        {"replace": {"New York": "new_york"}},
    ],
)
def test_these_settings_leave_tokens_as_they_are(settings):
    assert not Analyzer(**settings).changes_tokens


@pytest.mark.parametrize(
    "settings",
    [
        {"min_length": 2},
        {"stop_words": "de"},
        {"stop_words": ["der"]},
        {"language": "de", "lemmatize": True},
        {"language": "de", "stem": True},
        {"replace": {"nyc": "new_york"}},
    ],
)
def test_these_settings_change_tokens(settings):
    assert Analyzer(**settings).changes_tokens


# Phrases


def test_a_key_of_several_words_is_a_phrase():
    assert Analyzer(replace={"New York": "new_york"}).phrases() == [(["new", "york"], "new_york")]


def test_a_key_of_one_word_is_no_phrase():
    assert Analyzer(replace={"NYC": "new_york"}).phrases() == []


def test_a_key_is_cut_the_way_texts_are():
    assert Analyzer(replace={"e-mail": "email"}).phrases() == [(["e", "mail"], "email")]


def test_a_key_may_hold_marks_where_they_are_kept():
    analyzer = Analyzer(punctuation="keep", replace={"C++": "cpp"})
    assert analyzer.phrases() == [(["c", "+", "+"], "cpp")]


def test_the_longest_phrase_comes_first():
    analyzer = Analyzer(replace={"New York": "city", "New York Times": "paper"})
    assert [term for _, term in analyzer.phrases()] == ["paper", "city"]


def test_the_last_full_stop_of_an_acronym_makes_no_difference():
    assert Analyzer(replace={"U.S.A.": "usa"}).map_tokens(["u.s.a"]) == ["usa"]


def test_a_key_that_loses_its_marks_is_refused():
    error = refused(replace={"C++": "cpp"})
    assert (error.code, error.message) == (
        "replace-key-cut",
        "`replace` has the key 'c++', of which only 'c' is left when punctuation is dropped",
    )


def test_a_key_of_marks_alone_is_refused():
    assert refused(replace={":-)": "smile"}).code == "replace-empty"


# Stop words from the training set


def test_a_number_of_stop_words_leaves_the_analyzer_open():
    assert Analyzer(stop_words=3).is_open


def test_an_open_analyzer_drops_nothing_yet():
    assert Analyzer(stop_words=3, min_length=2).map_tokens(["the", "film"]) == ["the", "film"]


def test_settling_takes_the_first_of_the_most_frequent_words():
    settled = Analyzer(stop_words=2, min_length=2).settled(["the", "and", "film"])
    assert settled == Analyzer(stop_words=["and", "the"], min_length=2)


def test_settling_closes_the_analyzer():
    assert not Analyzer(stop_words=2).settled(["the", "and"]).is_open


def test_settling_on_fewer_words_than_asked_for_takes_them_all():
    assert Analyzer(stop_words=9).settled(["the"]).stop_words == ("the",)


def test_settling_on_no_words_leaves_no_stop_words():
    assert Analyzer(stop_words=9).settled([]) == Analyzer()


def test_settling_a_settled_analyzer_changes_nothing():
    assert Analyzer(stop_words="de").settled(["der"]) == Analyzer(stop_words="de")


# Files


def test_stop_words_are_read_from_a_path(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("# own words\nDer\n\n die \n", encoding="utf-8")
    assert Analyzer(stop_words=file).stop_words == ("der", "die")


def test_stop_words_are_read_from_a_named_file(tmp_path):
    file = tmp_path / "words.txt"
    file.write_text("\ufeffдля\nиз\n", encoding="utf-8")  # with the mark that some editors put first
    assert Analyzer(stop_words=f"file:{file}") == Analyzer(stop_words=["для", "из"])


def test_a_missing_file_is_refused_with_its_name():
    error = refused(stop_words=Path("no-such-words.txt"))
    assert error.code == "stop-words-file"
    assert "'no-such-words.txt' cannot be read" in error.message


def test_a_file_that_is_not_utf_8_is_refused(tmp_path):
    file = tmp_path / "words.txt"
    file.write_bytes("für".encode("latin-1"))
    assert refused(stop_words=file).code == "stop-words-file"


# Equal analyzers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"stop_words": {"Der", "die"}}, {"stop_words": ["die", "der", "die"]}),
        ({"stop_words": []}, {"stop_words": None}),
        ({"stop_words": "German"}, {"stop_words": "de"}),
        ({"stop_words": "stopwordsiso:German"}, {"stop_words": "stopwordsiso:de"}),
        ({"stop_words": np.int64(3)}, {"stop_words": 3}),
        ({"language": "german", "stem": True}, {"language": "de", "stem": True}),
        ({"language": "DE", "lemmatize": True}, {"language": "de", "lemmatize": True}),
        ({"ngrams": 2}, {"ngrams": (1, 2)}),
        ({"ngrams": [2, 3]}, {"ngrams": (2, 3)}),
        ({"char_ngrams": 3}, {"char_ngrams": (3, 3)}),
        ({"replace": {"b": "x", "a": "y"}}, {"replace": [("A", "Y"), ("B", "X")]}),
        ({"replace": {" New  York ": "ny"}}, {"replace": {"new york": "ny"}}),
    ],
)
def test_analyzers_that_analyse_alike_are_equal(one, other):
    assert Analyzer(**one) == Analyzer(**other)
    assert hash(Analyzer(**one)) == hash(Analyzer(**other))


def test_where_case_counts_words_in_capitals_are_other_words():
    assert Analyzer(lowercase=False, stop_words=["Der"]) != Analyzer(lowercase=False, stop_words=["der"])


def test_an_analyzer_cannot_be_changed():
    with pytest.raises(AttributeError, match="cannot assign to field 'language'"):
        Analyzer().language = "de"  # type: ignore[misc]


def test_what_an_analyzer_has_mapped_does_not_make_it_another():
    used = Analyzer(stop_words="de")
    used.map_tokens(["der"])
    assert used == Analyzer(stop_words="de")


# Stored analyzers

STORED = [
    Analyzer(),
    Analyzer(language="de", stop_words="de", lemmatize=True, min_length=2),
    Analyzer(language="ru", stop_words=["и", "в"], stem=True, punctuation="keep"),
    Analyzer(lowercase=False, replace={"New York": "NY", "NYC": "NY"}, ngrams=(2, 3)),
    Analyzer(words=False, char_ngrams=(2, 4), stop_words=20),
]


@pytest.mark.parametrize("analyzer", STORED)
def test_an_analyzer_survives_json(analyzer):
    assert Analyzer.from_dict(json.loads(json.dumps(analyzer.to_dict()))) == analyzer


@pytest.mark.parametrize("analyzer", STORED)
def test_an_analyzer_survives_pickling_and_copying(analyzer):
    analyzer.map_tokens(["die", "wölfe"])
    assert pickle.loads(pickle.dumps(analyzer)) == copy.deepcopy(analyzer) == analyzer


def test_the_stored_form_names_every_setting():
    assert Analyzer(stop_words=["der"], ngrams=2, replace={"nyc": "new_york"}).to_dict() == {
        "language": None,
        "lowercase": True,
        "punctuation": "drop",
        "min_length": 1,
        "stop_words": ["der"],
        "lemmatize": False,
        "stem": False,
        "replace": {"nyc": "new_york"},
        "ngrams": [1, 2],
        "char_ngrams": None,
        "words": True,
    }


def test_a_setting_that_is_not_stored_has_its_default():
    assert Analyzer.from_dict({"ngrams": 2}) == Analyzer(ngrams=2)


def test_a_stored_setting_that_no_analyzer_has_is_refused():
    with pytest.raises(SettingError, match="an analyzer has no setting 'stemm'; it has language, ") as caught:
        Analyzer.from_dict({"stemm": True})
    assert caught.value.code == "setting-unknown"


def test_stored_settings_open_no_file():
    with pytest.raises(SettingError, match="hold the words and not a file, got 'file:") as caught:
        Analyzer.from_dict({"stop_words": "file:words.txt"})
    assert caught.value.code == "stop-words-file"


# Ranges


@pytest.mark.parametrize(
    ("given", "found"), [(1, (1, 1)), (2, (1, 2)), (5, (1, 5)), ((2, 2), (2, 2)), ((1, 5), (1, 5))]
)
def test_ngrams_are_a_range_of_words(given, found):
    assert Analyzer(ngrams=given).ngram_range == found


@pytest.mark.parametrize(("given", "found"), [(None, None), (3, (3, 3)), ((1, 10), (1, 10))])
def test_char_ngrams_are_a_range_of_characters(given, found):
    assert Analyzer(char_ngrams=given).char_ngram_range == found


# Refused settings


@pytest.mark.parametrize(
    ("settings", "code", "part"),
    [
        ({"lemmatize": True}, "language-missing", "need a language, and none is named"),
        ({"stem": True}, "language-missing", "need a language, and none is named"),
        ({"language": "tlh", "lemmatize": True}, "language-unknown", "no lemmas for the language 'tlh'"),
        ({"language": "tlh", "stem": True}, "language-unknown", "no stems for the language 'tlh'"),
        ({"stop_words": "tlh"}, "language-unknown", "no stop words for the language 'tlh'"),
        ({"language": 5}, "language-kind", "got 5"),
        ({"language": ""}, "language-kind", "got ''"),
        ({"language": "de", "lemmatize": True, "stem": True}, "lemma-and-stem", "got True for both"),
        ({"punctuation": "remove"}, "punctuation-unknown", "got 'remove'"),
        ({"lowercase": "yes"}, "flag-kind", "`lowercase` must be True or False, got 'yes'"),
        ({"stem": 1}, "flag-kind", "`stem` must be True or False, got 1"),
        ({"min_length": 0}, "min-length", "got 0"),
        ({"min_length": 1.5}, "min-length", "got 1.5"),
        ({"min_length": True}, "min-length", "got True"),
        ({"stop_words": 0}, "stop-words-kind", "got 0"),
        ({"stop_words": -1}, "stop-words-kind", "got -1"),
        ({"stop_words": True}, "stop-words-kind", "got True"),
        ({"stop_words": 2.5}, "stop-words-kind", "got 2.5"),
        ({"stop_words": b"der"}, "stop-words-kind", "got b'der'"),
        ({"stop_words": {"der": 1}}, "stop-words-kind", "got {'der': 1}"),
        ({"stop_words": ["der", 7]}, "stop-words-kind", "got ['der', 7]"),
        ({"replace": "abc"}, "replace-kind", "got 'abc'"),
        ({"replace": ["ab", "cd"]}, "replace-kind", "got ['ab', 'cd']"),
        ({"replace": {"a": 1}}, "replace-kind", "got {'a': 1}"),
        ({"replace": {"a": " "}}, "replace-empty", "got 'a': ''"),
        ({"replace": {"": "a"}}, "replace-empty", "got '': 'a'"),
        ({"replace": {"NYC": "a", "nyc": "b"}}, "replace-conflict", "two terms for 'nyc': 'a' and 'b'"),
        ({"replace": {"e-mail": "a", "e mail": "b"}}, "replace-conflict", "two terms for ('e', 'mail')"),
        ({"ngrams": 0}, "ngrams-range", "got 0"),
        ({"ngrams": 6}, "ngrams-range", "got 6"),
        ({"ngrams": True}, "ngrams-range", "got True"),
        ({"ngrams": (2, 1)}, "ngrams-range", "got (2, 1)"),
        ({"ngrams": (1, 2, 3)}, "ngrams-range", "got (1, 2, 3)"),
        ({"ngrams": "12"}, "ngrams-range", "got '12'"),
        ({"ngrams": None}, "ngrams-range", "got None"),
        ({"char_ngrams": 0}, "char-ngrams-range", "got 0"),
        ({"char_ngrams": (2, 11)}, "char-ngrams-range", "got (2, 11)"),
        ({"char_ngrams": (2.0, 3)}, "char-ngrams-range", "got (2.0, 3)"),
        ({"words": False}, "nothing-counted", "`words=False` without `char_ngrams`"),
        ({"words": False, "char_ngrams": 3, "ngrams": 2}, "ngrams-without-words", "got 2"),
    ],
)
def test_a_setting_that_makes_no_sense_is_refused_with_its_value(settings, code, part):
    error = refused(**settings)
    assert error.code == code
    assert part in error.message


def test_settings_are_given_by_name():
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        Analyzer("de")  # type: ignore[misc]
