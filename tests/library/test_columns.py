"""Documents with columns: what they are asked with, what is missing, unknown or extra, and what each setting does."""

from __future__ import annotations

import math
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk

ROWS = [
    ({"color": "red", "age": 20, "fever": True, "note": "goat wolf"}, "sick"),
    ({"color": "red", "age": 30, "fever": True, "note": "wolf"}, "sick"),
    ({"color": "blue", "age": 60, "fever": False, "note": "dwarf dwarf"}, "well"),
]
KINDS: dict[str, Any] = {"categorical": ["color"], "numeric": ["age"], "binary": ["fever"], "text": ["note"]}


def model(**options: Any) -> lk.Model:
    return lk.train(ROWS, **{**KINDS, **options})


def colors(**options: Any) -> lk.Model:
    return lk.train(
        [({"color": color}, label) for color, label in [("red", "x"), ("red", "x"), ("blue", "y")]], **options
    )


# ---- what is asked -----------------------------------------------------------------------------------------------


def test_a_row_of_columns_is_classified() -> None:
    assert model().classify({"color": "red", "age": 25, "fever": "yes", "note": "wolf"}).label == "sick"


def test_a_text_alone_is_the_only_text_column() -> None:
    assert model().classify("dwarf") == model().classify({"note": "dwarf"})


def test_a_text_needs_a_text_column() -> None:
    with pytest.raises(lk.InputError, match="a document is a row with the columns 'color'") as caught:
        colors().classify("red")
    assert caught.value.code == "document-kind"


def test_columns_may_come_in_any_order_and_spelling_of_numbers_does_not_matter() -> None:
    one = model().classify({"age": "25", "fever": 1, "color": " red "})
    assert one == model().classify({"color": "red", "age": 25.0, "fever": "TRUE"})


def test_an_extra_column_is_ignored_and_said_once() -> None:
    view = model().view()
    with pytest.warns(UserWarning, match="ignored: column 'shoe'"):
        first = view.classify({"color": "red", "shoe": 44})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert view.classify({"color": "red", "shoe": 44}) == first == view.classify({"color": "red"})


def test_a_missing_value_is_skipped_and_said() -> None:
    explanation = model().explain({"color": "red", "age": None, "fever": math.nan})
    (missing,) = [item for item in explanation.items if item.kind == "missing"]
    assert missing.name == "age, fever, note"
    assert set(missing.contributions.values()) == {0.0}


def test_a_view_can_refuse_missing_values() -> None:
    with pytest.raises(lk.InputError, match="'age' is missing in document 0") as caught:
        model().view(missing="refuse").classify({"color": "red", "fever": True, "note": ""})
    assert caught.value.code == "value-missing"


def test_a_document_in_which_everything_is_missing_is_judged_by_the_prior() -> None:
    verdict = model().classify({})
    assert verdict.probabilities == pytest.approx({"sick": 2 / 3, "well": 1 / 3})
    assert verdict.reason == "no known value in this document: the prior alone decides"


def test_nothing_known_can_mean_no_label() -> None:
    verdict = colors().view(without_evidence="none").classify({"color": "pink"})
    assert (verdict.label, verdict.reason) == (None, "no known value in this document: no label")


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_frames_learn_and_answer_as_rows_do(frame: str) -> None:
    library = pytest.importorskip(frame)
    columns = {name: [row[name] for row, _ in ROWS] for name in ROWS[0][0]}
    make = library.table if frame == "pyarrow" else library.DataFrame
    table = make({**columns, "state": [label for _, label in ROWS]})
    learnt = lk.train(table, label="state", **KINDS)
    assert learnt == model()
    assert list(learnt.classify_many(make(columns))) == list(model().classify_many([row for row, _ in ROWS]))


@pytest.mark.parametrize("labels", [[1, 1, 2], [True, True, False], ["1", "1", "2"]])
def test_labels_may_be_numbers_and_truth_values(labels: list[Any]) -> None:
    learnt = lk.train([(row, label) for (row, _), label in zip(ROWS, labels, strict=True)], **KINDS)
    assert learnt.classify({"color": "red"}).label == labels[0]
    assert type(learnt.labels[0]) is type(labels[0])


@pytest.mark.parametrize("label", [None, math.nan, np.nan])
def test_a_row_needs_a_label(label: Any) -> None:
    with pytest.raises(lk.InputError, match="every document needs a label"):
        lk.train([*ROWS, ({"color": "red"}, label)], **KINDS)


# ---- categories --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unknown", "x", "y"),
    [
        ("zero", Fraction(0), Fraction(0)),
        ("smooth", Fraction(0 + 1, 2 + 2), Fraction(0 + 1, 1 + 2)),
        ("grow", Fraction(0 + 1, 2 + 3), Fraction(0 + 1, 1 + 3)),
        ("unk", Fraction(0 + 1, 2 + 3), Fraction(0 + 1, 1 + 3)),
    ],
)
def test_a_value_that_was_never_seen_is_treated_as_unknown_words_are(unknown: Any, x: Fraction, y: Fraction) -> None:
    explanation = colors().view(unknown=unknown, prior="uniform").explain({"color": "pink"})
    assert explanation.joint == {"x": x / 2, "y": y / 2}
    (item,) = [item for item in explanation.items if item.kind == "unknown"]
    assert item.name == "color pink"
    assert explanation.verdict.unknown_share == 1


def test_an_unknown_value_is_ignored_unless_it_is_said_otherwise() -> None:
    assert colors().explain({"color": "pink"}).joint == {"x": Fraction(2, 3), "y": Fraction(1, 3)}


def test_values_that_are_declared_are_known_before_they_are_seen() -> None:
    view = colors(categorical={"color": ["red", "green", "blue"]}).view(alpha=1)
    assert view.likelihood("green", "x", column="color") == Fraction(0 + 1, 2 + 3)
    assert view.likelihood("red", "x", column="color") == Fraction(2 + 1, 2 + 3)
    assert view.classify({"color": "green"}).unknown_share == 0


def test_p_is_given_for_each_value_and_names_unseen_ones() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    view = colors(categorical=["color"]).view(columns={"color": {"smoothing": rule}})
    assert view.likelihood("red", "x", column="color") == Fraction(2 + 2, 2 + 4)
    assert view.likelihood("green", "y", column="color") == Fraction(0 + 1, 1 + 4)


def test_rare_values_can_be_left_out_of_one_column() -> None:
    view = colors(categorical=["color"]).view(columns={"color": {"min_count": 2, "unknown": "unk"}}, alpha=1)
    assert view.column("color").vocabulary_size == 2  # red and UNK, which holds blue
    assert view.classify({"color": "blue"}).unknown_share == 1


def test_a_binary_column_has_both_outcomes_though_one_was_never_seen() -> None:
    learnt = lk.train([({"fever": True}, "x"), ({"fever": True}, "y")], binary=["fever"])
    assert learnt.view(alpha=1).likelihood("no", "x", column="fever") == Fraction(0 + 1, 1 + 2)
    assert learnt.view(alpha=1).likelihood("yes", "x", column="fever") == Fraction(1 + 1, 1 + 2)


def test_a_label_without_any_value_in_a_column_is_judged_without_a_preference() -> None:
    learnt = lk.train(
        [({"color": "red", "size": 1}, "x"), ({"color": "blue", "size": 2}, "x"), ({"size": 1}, "y")],
        **{"categorical": ["color"], "numeric": ["size"]},
    )
    assert learnt.view(alpha=1).likelihood("red", "y", column="color") == Fraction(1, 2)


def test_a_million_categories() -> None:
    names = [f"id{number}" for number in range(1_000_000)]
    rows = {"id": names, "kind": ["even", "odd"] * 500_000}
    polars = pytest.importorskip("polars")
    learnt = lk.train(polars.DataFrame(rows), label="kind", categorical=["id"], ledger=False)
    view = learnt.view(alpha=1)
    assert view.column("id").vocabulary_size == 1_000_000
    assert view.likelihood("id7", "odd", column="id") == Fraction(1 + 1, 500_000 + 1_000_000)
    assert view.classify({"id": "id8"}).label == "even"


# ---- numbers -----------------------------------------------------------------------------------------------------


def test_the_rule_for_numbers_can_be_chosen_after_counting() -> None:
    learnt = model()
    asked = {"age": 25}
    assert [item.name for item in learnt.view(numeric=[21, 40]).explain(asked).items][1] == "age 21-40"
    assert [item.name for item in learnt.view(numeric="equal-width:2").explain(asked).items][1] == "age below 40"
    assert [item.name for item in learnt.view().explain(asked).items][1] == "age 25"
    view = learnt.view(columns={"age": {"numeric": [28]}}, alpha=1)
    assert view.likelihood("below 28", "sick", column="age") == Fraction(1 + 1, 2 + 2)
    assert view.column("age").cuts == [28]


def test_a_rule_given_to_train_is_the_stored_view_s() -> None:
    learnt = model(numeric={"age": [28]})
    assert learnt.default_view.column("age").cuts == [28]
    assert learnt.settings.columns == {"age": {"numeric": lk.Cuts((28,))}}


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


# ---- bound columns -----------------------------------------------------------------------------------------------


def test_bound_columns_count_as_one() -> None:
    learnt = model(bind=[("color", "fever")])
    assert learnt.schema.in_words() == "color & fever bound; age numeric; note text"
    explanation = learnt.view(alpha=1).explain({"color": "red", "fever": True})
    (item,) = [item for item in explanation.items if item.kind == "value"]
    assert item.factors["sick"].value == Fraction(2 + 1, 2 + 2)
    learnt.learn({"color": "red", "fever": False}, "well")
    assert learnt.view(alpha=1).likelihood("red & no", "well", column="color & fever") == Fraction(1 + 1, 2 + 3)


def test_a_bound_column_is_missing_where_one_of_its_parts_is() -> None:
    explanation = model(bind=[("color", "fever")]).explain({"color": "red"})
    assert [item.name for item in explanation.items if item.kind == "missing"] == ["color & fever, age, note"]


# ---- models ------------------------------------------------------------------------------------------------------


def test_models_with_other_columns_are_not_merged() -> None:
    with pytest.raises(lk.LearningError, match="'color' differs"):
        model() + model(categorical={"color": ["red", "blue", "pink"]})
    with pytest.raises(lk.LearningError, match="columns, kinds and analyzers are equal"):
        model() + lk.train([("goat", "sick")])


def test_a_column_s_own_prior_is_that_of_all_documents() -> None:
    learnt = lk.train([*ROWS, ({"age": 3}, "well")], **KINDS)
    assert learnt.view().prior("well") == Fraction(1, 2)
    assert learnt.counts.missing("color") == 1  # type: ignore[union-attr]


def test_a_model_says_how_many_columns_it_has() -> None:
    assert repr(model()) == "<Model: 3 documents, 2 labels, 4 columns>"
    assert repr(model().view().column("age")) == "<Figures of 'age'>"


def test_what_read_gives_is_classified(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,color,note,fever\n25,red,wolf,yes\n61,blue,dwarf,no\n")
    documents = lk.read(path, schema=model().schema, labelled=False)
    assert model().classify_many(documents).labels == ["sick", "well"]
    plain = lk.train([("a b", "x"), ("c", "y")])
    (tmp_path / "texts.csv").write_text("text\na\nc\n")
    assert plain.classify_many(lk.read(tmp_path / "texts.csv", labelled=False)).labels == ["x", "y"]


def test_one_text_in_place_of_many_documents_is_refused() -> None:
    with pytest.raises(lk.InputError, match="must be several texts, got one str"):
        model().classify_many("ages.csv")


def test_the_most_telling_values_are_those_of_all_columns() -> None:
    found = model().view().top_terms("well", 3)
    assert {each.term.split()[0] for each in found} <= {"color", "fever", "note", "age"}
    assert found[0].telling >= found[1].telling
    assert model().view().top_terms("well", 1, column="color")[0].term == "blue"


def test_all_counts_can_be_listed() -> None:
    counts = model().counts
    cells = list(counts.cells())
    assert ("color", "red", "sick", 2, 2) in cells
    assert ("age", "60", "well", 1, 1) in cells
    assert ("note", "dwarf", "well", 2, 1) in cells
    assert [cell[1] for cell in cells if cell[0] == "age"] == ["20", "30", "60"]


def test_a_plain_model_learns_from_a_table_with_more_columns(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text("text,size,label\na b c,3,x\nc d e,4,y\n")
    plain = lk.train([("a b", "x"), ("c", "y")])
    plain.learn_many(tmp_path / "wide.csv")
    assert plain.documents == 4


def test_a_bound_column_needs_a_name_that_is_free() -> None:
    rows = [({"a": "x", "b": "y", "a & b": "z"}, "l")]
    with pytest.raises(lk.SettingError, match="called 'a & b', and there is such a column already") as caught:
        lk.train(rows, categorical=["a", "b", "a & b"], bind=[("a", "b")])
    assert caught.value.code == "bind-name"


def test_names_of_columns_are_valid_unicode() -> None:
    with pytest.raises(lk.SettingError, match="must be valid Unicode") as caught:
        lk.train([({"a\ud800": "x"}, "l")], categorical=["a\ud800"])
    assert caught.value.code == "column-surrogate"


def test_columns_in_another_order_are_the_same_model() -> None:
    turned = [(dict(reversed(row.items())), label) for row, label in ROWS]
    assert lk.train(turned, **KINDS) == model()
    assert lk.train(turned, **KINDS) + model() == model() + model()


def test_p_for_each_value_also_answers_about_values_that_were_never_seen() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    view = colors(categorical=["color"]).view(columns={"color": {"smoothing": rule}}, prior="uniform")
    explanation = view.explain({"color": "green"})
    assert explanation.joint == {"x": Fraction(1, 2) * Fraction(1, 6), "y": Fraction(1, 2) * Fraction(1, 5)}
    assert view.classify({"color": "pink"}).unknown_share == 1
    plain = lk.train([("a b", "x"), ("b", "y")]).view(smoothing=lk.MEstimate(2, p={"a": 0.5, "b": 0.5}))
    assert plain.classify("zz").reason == "no known term in this text: the prior alone decides"
