"""What settings do for single columns, and what a view says of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import likelier as lk
from library.rows import KINDS, ROWS, model


def test_settings_of_columns_are_changed_one_by_one() -> None:
    learnt = model(numeric={"age": [28]})
    learnt.set_view(columns={"note": {"event": "bernoulli"}})
    assert set(learnt.settings.columns) == {"age", "note"}
    learnt.set_view(columns={"age": {"numeric": "gaussian"}})
    assert learnt.default_view.column("age").mean("sick") == 25


def test_each_text_column_has_its_own_analyzer_and_event() -> None:
    rows = [({"subject": "a b", "body": "a b"}, "x"), ({"subject": "b a", "body": "b a"}, "y")]
    learnt = lk.train(rows, text={"subject": lk.Analyzer(ngrams=2), "body": lk.Analyzer()})
    view = learnt.view(columns={"body": {"event": "bernoulli"}})
    assert view.column("subject").vocabulary_size == 4
    assert view.likelihood("a", "x", column="body") == Fraction(1 + 1, 1 + 2)
    assert view.classify({"subject": "a b", "body": "a b"}).label == "x"


def test_stop_words_by_frequency_are_found_for_each_text_column() -> None:
    rows = [({"subject": "the goat", "body": "a a wolf"}, "x"), ({"subject": "the dwarf", "body": "a"}, "y")]
    learnt = lk.train(rows, text=["subject", "body"], analyzer=lk.Analyzer(stop_words=1))
    columns = learnt.schema.texts
    assert columns["subject"].analyzer.stop_words == ("the",)
    assert columns["body"].analyzer.stop_words == ("a",)


def test_open_stop_words_are_not_counted_when_they_are_missing_values() -> None:
    rows = [({"subject": None, "body": "a"}, "x"), ({"subject": "the", "body": "b"}, "y")]
    learnt = lk.train(rows, text=["subject", "body"], analyzer=lk.Analyzer(stop_words=1))
    assert learnt.schema.texts["subject"].analyzer.stop_words == ("the",)


def test_a_column_s_own_prior_is_that_of_all_documents() -> None:
    learnt = lk.train([*ROWS, ({"age": 3}, "well")], **KINDS)
    assert learnt.view().prior("well") == Fraction(1, 2)
    assert learnt.counts.missing("color") == 1  # type: ignore[union-attr]


def test_the_most_telling_values_are_those_of_all_columns() -> None:
    found = model().view().top_terms("well", 3)
    assert {each.term.split()[0] for each in found} <= {"color", "fever", "note", "age"}
    assert found[0].telling >= found[1].telling
    assert model().view().top_terms("well", 1, column="color")[0].term == "blue"


def test_the_most_telling_of_all_columns_come_first_and_no_more_than_were_asked_for() -> None:
    rows = [({"a": str(number % 2), "z": "zx"[number < 8]}, "xy"[number < 8]) for number in range(16)]
    rows[0][0]["a"] = "1"
    view = lk.train(rows, categorical=["a", "z"]).view()
    assert [each.term for each in view.top_terms("y", 2)] == ["z x", "a 1"]
    assert [each.term for each in view.top_terms("y", 1)] == ["z x"]


def test_the_times_of_a_telling_term_are_documents_where_the_column_counts_documents() -> None:
    columns = {"note": {"event": "bernoulli"}}
    assert model().view().top_terms("well", 1, column="note")[0].times == 2
    assert model().view(columns=columns).top_terms("well", 1, column="note")[0].times == 1


def test_settings_of_one_column_are_changed_one_by_one() -> None:
    learnt = model()
    learnt.set_view(columns={"note": {"event": "bernoulli"}})
    learnt.set_view(columns={"note": {"unknown": "smooth"}})
    assert learnt.settings.columns == {"note": {"event": "bernoulli", "unknown": "smooth"}}


def test_a_column_has_an_alpha_of_its_own() -> None:
    view = model().view(columns={"color": {"alpha": 0}}, alpha=1)
    assert view.likelihood("blue", "sick", column="color") == 0
    assert view.likelihood("no", "sick", column="fever") == Fraction(0 + 1, 2 + 2)


def test_a_model_with_two_text_columns_has_no_one_analyzer() -> None:
    learnt = lk.train([({"a": "goat", "b": "wolf"}, "x")], text=["a", "b"])
    with pytest.raises(lk.InputError, match="there must be exactly one text column for this"):
        _ = learnt.analyzer


def test_stop_words_by_frequency_are_found_where_only_one_column_wants_them() -> None:
    rows = [({"subject": "the goat the", "body": "a a wolf"}, "x"), ({"subject": "the dwarf", "body": "a"}, "y")]
    texts = {"subject": lk.Analyzer(stop_words=1), "body": lk.Analyzer(stop_words=["wolf"])}
    columns = lk.train(rows, text=texts).schema.texts
    assert columns["subject"].analyzer.stop_words == ("the",)
    assert columns["body"].analyzer.stop_words == ("wolf",)
