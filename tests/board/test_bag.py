"""Texts as a bag of words, and the steps from a text to its terms."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import texts

ANALYZERS = [
    lk.Analyzer(),
    lk.Analyzer(ngrams=2),
    lk.Analyzer(ngrams=(2, 2)),
    lk.Analyzer(char_ngrams=(2, 3), words=False),
    lk.Analyzer(stop_words=["a", "goat"], min_length=2),
    lk.Analyzer(language="de", lemmatize=True, replace={"wolf": "tier", "seven goat": "herd", "ziege": "tier"}),
    lk.Analyzer(lowercase=False, punctuation="keep"),
]
GOATS = ["Die sieben Zwerge fraßen die sieben Ziegen", "Die sieben Ziegen traten die sieben Wölfe"]
GERMAN = lk.Analyzer(language="de", stop_words="de", lemmatize=True)


# ---- the bag -----------------------------------------------------------------------------------------------------


def test_document_by_term_with_the_label_behind() -> None:
    bag = lk.bag_of_words(GOATS, ["OK", "SPAM"], GERMAN)
    assert bag.vocabulary == ("sieben", "zwerg", "fressen", "ziege", "treten", "wolf")
    assert [list(row.values()) for row in bag.rows()] == [
        ["D1", 2, 1, 1, 1, 0, 0, "OK"],
        ["D2", 2, 0, 0, 1, 1, 1, "SPAM"],
    ]
    binary = lk.bag_of_words(GOATS, ["OK", "SPAM"], GERMAN, binary=True, order="sorted")
    assert binary.vocabulary == tuple(sorted(bag.vocabulary))
    assert binary.rows()[0]["sieben"] == 1


def test_a_new_text_in_the_vocabulary_of_others() -> None:
    vocabulary = lk.bag_of_words(GOATS, analyzer=GERMAN).vocabulary
    bag = lk.bag_of_words(["Sieben Wölfe, sieben Böcke"], analyzer=GERMAN, terms=vocabulary, names=["T1"])
    assert [list(row.values()) for row in bag.rows()] == [["T1", 2, 0, 0, 0, 0, 1]]
    assert bag.vocabulary == vocabulary


@given(st.lists(texts, max_size=6), st.sampled_from(ANALYZERS), st.booleans())
def test_it_counts_what_the_analyzer_makes(given_texts: list[str], analyzer: lk.Analyzer, binary: bool) -> None:
    bag = lk.bag_of_words(given_texts, analyzer=analyzer, binary=binary, most=None)
    counted = [Counter(analyzer.terms(text)) for text in given_texts]
    assert set(bag.vocabulary) == {term for terms in counted for term in terms}
    for row, terms in zip(bag.rows(), counted, strict=True):
        expected = [min(terms[term], 1) if binary else terms[term] for term in bag.vocabulary]
        assert list(row.values())[1:] == expected


def test_many_texts_and_terms_are_cut_and_it_says_so() -> None:
    many = [f"all w{place}" for place in range(100)]
    bag = lk.bag_of_words(many, most=2, most_documents=3)
    assert [*bag.rows()[0]] == ["document", "all", "w0"]
    assert len(bag.rows()) == 3
    assert bag.notes == ("… 99 more terms and 97 more documents",)
    assert len(bag.vocabulary) == 101
    assert len(lk.bag_of_words(many)._repr_html_()) < 100_000


def test_the_most_frequent_words_as_stop_words() -> None:
    bag = lk.bag_of_words(["the film the end", "the end"], analyzer=lk.Analyzer(stop_words=1))
    assert bag.vocabulary == ("film", "end")


WRONG: list[tuple[tuple[Any, ...], dict[str, Any], str]] = [
    (("one text",), {}, "texts"),
    ((["a", "b"], ["x"]), {}, "2 texts, 1 labels"),
    ((["a"], "x"), {}, "`labels` must be"),
    ((["a"], [{}]), {}, "label"),
    (([1],), {}, "text"),
    ((["a"],), {"analyzer": "de"}, "analyzer"),
    ((["a"],), {"order": "frequent"}, "`order` must be"),
    ((["a"],), {"terms": "a"}, "list of terms"),
    ((["a"],), {"names": ["A", "B"]}, "1 texts, 2 names"),
    ((["a"],), {"binary": 1}, "binary"),
    ((["a"],), {"most": "all"}, "`most` must be"),
    ((["\ud800"],), {}, "Unicode"),
]


@pytest.mark.parametrize(("given_texts", "options", "message"), WRONG)
def test_wrong_input_is_refused(given_texts: tuple[Any, ...], options: dict[str, Any], message: str) -> None:
    with pytest.raises(lk.LikelierError, match=message) as refused:
        lk.bag_of_words(*given_texts, **options)
    assert refused.value.hint


def test_no_texts_are_an_empty_table() -> None:
    assert lk.bag_of_words([]).rows() == []
    assert lk.bag_of_words(["", "?"]).rows() == [{"document": "D1"}, {"document": "D2"}]


# ---- the steps ---------------------------------------------------------------------------------------------------


def steps(analyzer: lk.Analyzer, text: str) -> dict[str, Any]:
    return {row["step"]: row["result"] for row in analyzer.steps(text).rows()}


def test_each_step_from_text_to_terms() -> None:
    assert steps(GERMAN, GOATS[0]) == {
        "text": "Die sieben Zwerge fraßen die sieben Ziegen",
        "lower case": "die sieben zwerge fraßen die sieben ziegen",
        "tokens": ["die", "sieben", "zwerge", "fraßen", "die", "sieben", "ziegen"],
        "without stop words": ["sieben", "zwerge", "fraßen", "sieben", "ziegen"],
        "lemmas": ["sieben", "zwerg", "fressen", "sieben", "ziege"],
        "terms": ["sieben", "zwerg", "fressen", "sieben", "ziege"],
    }


def test_a_replacement_passes_stop_words_and_stems_by() -> None:
    analyzer = lk.Analyzer(
        language="en",
        stem=True,
        stop_words=["the", "lift"],
        min_length=2,
        replace={"New York": "ny", "lift": "elevators"},
    )
    found = steps(analyzer, "The lifts, the lift of a New York")
    assert found["replacements"] == ["the", "lifts", "the", "elevators", "of", "a", "ny"]
    assert found["without short words"] == ["the", "lifts", "the", "elevators", "of", "ny"]
    assert found["without stop words"] == ["lifts", "elevators", "of", "ny"]
    assert found["stems"] == ["lift", "elevators", "of", "ny"]
    assert found["replacements of these"] == ["elevators", "elevators", "of", "ny"] == found["terms"]


WORDS = st.lists(st.sampled_from(["goat", "Wolf", "seven", "a", "ziegen", "İ", "ΟΔΟΣ", "!", "wolf"]), max_size=9).map(
    " ".join
)
REPLACE = st.dictionaries(st.sampled_from(["goat", "wolf", "seven goat", "wolf a", "wolf a ziegen"]), st.just("tier"))


@given(WORDS, REPLACE, st.booleans(), st.sampled_from([1, 2]), st.booleans())
def test_the_last_step_before_the_terms_gives_the_terms(
    text: str, replace: dict[str, str], lemmatize: bool, least: int, stop: bool
) -> None:
    analyzer = lk.Analyzer(
        language="de",
        lemmatize=lemmatize,
        replace=replace,
        min_length=least,
        stop_words=["seven", "a"] if stop else None,
    )
    rows = analyzer.steps(text).rows()
    assert rows[-1]["result"] == analyzer.terms(text)
    assert rows[-2]["result"] == rows[-1]["result"]


def test_several_texts_and_long_ones_are_cut() -> None:
    table = lk.Analyzer().steps([f"text {place}" for place in range(30)])
    assert table.rows()[0] == {"document": "D1", "step": "text", "result": "text 0"}
    assert table.notes == ("… 10 more documents",)
    long = lk.Analyzer().steps("word " * 10_000)
    assert "… 9,800 more" in str(long)
    assert len(long.rows()[-1]["result"]) == 10_000


def test_stop_words_that_are_still_a_number_are_refused() -> None:
    with pytest.raises(lk.InputError, match="after training"):
        lk.Analyzer(stop_words=3).steps("a text")
    model = lk.train([("the film", "a"), ("the end", "b")], analyzer=lk.Analyzer(stop_words=1))
    assert steps(model.analyzer, "the film")["without stop words"] == ["film"]
