"""What settings do for single columns, and what a view says of them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import likelier as lk
from library.rows import KINDS, ROWS, colors, model
from likelier._settings.values import Settings


def test_settings_of_columns_are_changed_one_by_one() -> None:
    learned = model(numeric={"age": [28]})
    learned.set_view(columns={"note": {"event": "bernoulli"}})
    assert set(learned.settings.columns) == {"age", "note"}
    learned.set_view(columns={"age": {"numeric": "gaussian"}})
    assert learned.view().column("age").mean("sick") == 25


def test_each_text_column_has_its_own_analyzer_and_event() -> None:
    rows = [({"subject": "a b", "body": "a b"}, "x"), ({"subject": "b a", "body": "b a"}, "y")]
    learned = lk.train(rows, text={"subject": lk.Analyzer(ngrams=2), "body": lk.Analyzer()})
    view = learned.view(columns={"body": {"event": "bernoulli"}})
    assert view.column("subject").vocabulary_size == 4
    assert view.likelihood("a", "x", column="body") == Fraction(1 + 1, 1 + 2)
    assert view.classify({"subject": "a b", "body": "a b"}).label == "x"


def test_stop_words_by_frequency_are_found_for_each_text_column() -> None:
    rows = [({"subject": "the goat", "body": "a a wolf"}, "x"), ({"subject": "the dwarf", "body": "a"}, "y")]
    learned = lk.train(rows, text=["subject", "body"], analyzer=lk.Analyzer(stop_words=1))
    columns = learned.schema.texts
    assert columns["subject"].analyzer.stop_words == ("the",)
    assert columns["body"].analyzer.stop_words == ("a",)


def test_open_stop_words_are_not_counted_when_they_are_missing_values() -> None:
    rows = [({"subject": None, "body": "a"}, "x"), ({"subject": "the", "body": "b"}, "y")]
    learned = lk.train(rows, text=["subject", "body"], analyzer=lk.Analyzer(stop_words=1))
    assert learned.schema.texts["subject"].analyzer.stop_words == ("the",)


def test_a_column_s_own_prior_is_that_of_all_documents() -> None:
    learned = lk.train([*ROWS, ({"age": 3}, "well")], **KINDS)
    assert learned.view().prior("well") == Fraction(1, 2)
    assert learned.counts.missing("color") == 1  # type: ignore[union-attr]


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
    learned = model()
    learned.set_view(columns={"note": {"event": "bernoulli"}})
    learned.set_view(columns={"note": {"unknown": "smooth"}})
    assert learned.settings.columns == {"note": {"event": "bernoulli", "unknown": "smooth"}}


def test_a_column_has_an_alpha_of_its_own() -> None:
    view = model().view(columns={"color": {"alpha": 0}}, alpha=1)
    assert view.likelihood("blue", "sick", column="color") == 0
    assert view.likelihood("no", "sick", column="fever") == Fraction(0 + 1, 2 + 2)


def test_a_model_with_two_text_columns_has_no_one_analyzer() -> None:
    learned = lk.train([({"a": "goat", "b": "wolf"}, "x")], text=["a", "b"])
    with pytest.raises(lk.InputError, match="there must be exactly one text column for this"):
        _ = learned.analyzer


def test_stop_words_by_frequency_are_found_where_only_one_column_wants_them() -> None:
    rows = [({"subject": "the goat the", "body": "a a wolf"}, "x"), ({"subject": "the dwarf", "body": "a"}, "y")]
    texts = {"subject": lk.Analyzer(stop_words=1), "body": lk.Analyzer(stop_words=["wolf"])}
    columns = lk.train(rows, text=texts).schema.texts
    assert columns["subject"].analyzer.stop_words == ("the",)
    assert columns["body"].analyzer.stop_words == ("wolf",)


# ---- a column's own settings go before those of the view ---------------------------------------------------------


def two_texts() -> lk.Model:
    return lk.train([({"t": "a b", "u": "c"}, "x"), ({"t": "b", "u": "d"}, "y")], text=["t", "u"])


def test_a_column_s_own_policy_says_whether_a_document_is_without_evidence() -> None:
    own = {"color": {"unknown": "smooth"}}
    verdict = colors().view(columns=own, without_evidence="none").classify({"color": "pink"})
    assert (verdict.label, verdict.reason) == ("x", None)


def test_an_unknown_value_that_its_column_ignores_is_no_evidence() -> None:
    view = colors().view(columns={"color": {"unknown": "ignore"}}, unknown="smooth", without_evidence="none")
    assert view.classify({"color": "pink"}).label is None


def test_an_unknown_value_is_evidence_though_another_column_ignores_its_own() -> None:
    view = model().view(columns={"color": {"unknown": "ignore"}}, unknown="smooth", without_evidence="none")
    assert view.classify({"color": "pink"}).label is None
    assert view.classify({"note": "yeti"}).label == "sick"
    assert view.classify_many([{"color": "pink"}, {"note": "yeti"}] * 9).labels == [None, "sick"] * 9


def test_a_column_s_own_zero_is_named_as_the_reason() -> None:
    verdict = colors().view(columns={"color": {"unknown": "zero"}}).classify({"color": "pink"})
    assert "a value that was never seen" in str(verdict.reason)


def test_a_column_that_refuses_unknown_values_is_no_reason_where_another_has_them() -> None:
    impossible = {"fever": {"alpha": 0}, "age": {"numeric": [28], "alpha": 0}}
    view = model().view(columns={"color": {"unknown": "zero"}, "note": {"unknown": "smooth"}, **impossible})
    reason = view.classify({"note": "yeti", "fever": False, "age": 20}).reason
    assert reason == "every label has probability 0: each lacks a value of this document, and there is no smoothing"


def test_absent_terms_of_a_column_of_its_own_event_are_named() -> None:
    verdict = two_texts().view(columns={"t": {"event": "bernoulli"}}).classify({"t": "zz"})
    assert verdict.reason == "no known term in this text: the prior and the absent terms decide"


def test_absent_terms_are_not_named_where_every_column_has_another_event() -> None:
    own = {name: {"event": "multinomial"} for name in ("t", "u")}
    verdict = two_texts().view(event="bernoulli", columns=own).classify({"t": "zz"})
    assert verdict.reason == "no known term in this text: the prior alone decides"


def test_a_column_is_normalized_under_the_event_of_the_view() -> None:
    view = two_texts().view(event="complement", columns={"t": {"normalize": True}})
    assert [view.column(name).estimator.normalize for name in ("t", "u")] == [True, False]
    assert Settings.from_dict(view.settings.to_dict()) == view.settings


def test_a_column_of_another_event_is_not_normalized_with_the_view() -> None:
    view = two_texts().view(event="complement", normalize=True, columns={"t": {"event": "multinomial"}})
    assert [view.column(name).estimator.normalize for name in ("t", "u")] == [False, True]


def test_a_column_cannot_be_normalized_under_another_event_of_the_view() -> None:
    with pytest.raises(lk.SettingError, match="a setting of the complement model, got it with 'binary'") as caught:
        two_texts().view(event="binary", columns={"t": {"normalize": True}})
    assert caught.value.code == "normalize-needs-complement"


def test_what_a_column_is_told_later_goes_with_what_it_was_told_before() -> None:
    learned = two_texts()
    learned.set_view(columns={"t": {"event": "complement", "smoothing": lk.JelinekMercer(0.5)}})
    learned.set_view(columns={"t": {"normalize": True, "alpha": 2}})
    own = {"event": "complement", "smoothing": lk.Additive(2), "normalize": True}
    assert learned.settings.columns == {"t": own}


@pytest.mark.parametrize("columns", [{3: {"alpha": 1}}, {None: {}}, {"t": 3}, "t", ["t"], 5])
def test_settings_of_columns_are_a_mapping_of_names(columns: Any) -> None:
    with pytest.raises(lk.SettingError, match="is a mapping of names of columns to their settings") as caught:
        two_texts().view(columns=columns)
    assert caught.value.code == "columns-kind"
    with pytest.raises(lk.SettingError, match="is a mapping of names of columns to their settings"):
        two_texts().set_view(columns=columns)
