"""Documents with columns: what they are asked with, what is missing, unknown or extra, and what each setting does."""

from __future__ import annotations

import math
import pickle
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier.schema import Numeric, Schema

ROWS = [
    ({"color": "red", "age": 20, "fever": True, "note": "goat wolf"}, "sick"),
    ({"color": "red", "age": 30, "fever": True, "note": "wolf"}, "sick"),
    ({"color": "blue", "age": 60, "fever": False, "note": "dwarf dwarf"}, "well"),
]
KINDS: dict[str, Any] = {"categorical": ["color"], "numeric": ["age"], "binary": ["fever"], "text": ["note"]}


TEXT_AND_SIZE: dict[str, Any] = {"text": ["text"], "numeric": ["size"]}


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


# ---- single rules ------------------------------------------------------------------------------------------------


def numbers(*values: tuple[float, str]) -> lk.Model:
    return lk.train([({"x": x}, label) for x, label in values], numeric=["x"])


def test_the_counts_of_one_column_can_be_listed() -> None:
    assert [cell[:2] for cell in model().counts.cells("fever")] == [("fever", "no"), ("fever", "yes")]  # type: ignore[call-arg]


def test_numbers_are_listed_rising() -> None:
    assert [cell[1] for cell in numbers((10, "a"), (9, "a"), (-1, "a")).counts.cells()] == ["-1", "9", "10"]


def test_counts_with_other_columns_are_neither_added_nor_subtracted_nor_equal() -> None:
    one, two = model().counts, model(categorical={"color": ["red", "blue"]}).counts
    assert one != two
    for change in (one.add, one.subtract):
        with pytest.raises(lk.LearningError, match="'color' differs"):
            change(two)  # type: ignore[arg-type]


def test_a_column_that_only_the_other_model_has_is_named() -> None:
    rows = [({"color": "red", "shoe": 44}, "x")]
    with pytest.raises(lk.LearningError, match="'shoe' differs"):
        lk.train(rows, categorical=["color"]) + lk.train(rows, categorical=["color"], numeric=["shoe"])


def test_one_of_each_is_not_called_several() -> None:
    assert repr(lk.train([({"color": "red"}, "x")], categorical=["color"])) == "<Model: 1 document, 1 label, 1 column>"


def test_the_digits_of_a_numeric_column_are_pickled_and_saved() -> None:
    learnt = lk.Model(schema=Schema({"x": Numeric(digits=2)}))
    learnt.learn({"x": 1.19}, "a")
    for twin in (pickle.loads(pickle.dumps(learnt)), lk.Model.from_bytes(learnt.to_bytes())):
        assert twin.schema == learnt.schema
        assert twin.view(numeric=[1.2]).explain({"x": 1.19}).items[1].name == "x 1.2 and more"


def test_a_declared_value_that_is_too_rare_is_unk() -> None:
    learnt = colors(categorical={"color": ["red", "green", "blue"]})
    view = learnt.view(columns={"color": {"min_count": 2, "unknown": "unk"}}, alpha=1, prior="uniform")
    assert view.column("color").vocabulary_size == 3  # red, UNK, which holds blue, and green
    assert view.explain({"color": "blue"}).joint["y"] == Fraction(1, 2) * Fraction(1 + 1, 1 + 3)
    assert view.classify({"color": "blue"}).unknown_share == 1
    assert view.classify({"color": "blue"}).probabilities["y"] == pytest.approx((2 / 4) / (2 / 4 + 1 / 5))


def test_a_number_is_rounded_for_its_interval_as_it_was_when_it_was_counted() -> None:
    view = numbers((1, "a"), (1.999999, "b")).view(numeric=[2], alpha=1)
    assert view.likelihood("2 and more", "b", column="x") == Fraction(1 + 1, 1 + 2)
    assert view.explain({"x": 1.999999}).items[1].name == "x 2 and more"


def test_an_interval_without_a_number_is_an_outcome_all_the_same() -> None:
    view = numbers((1, "a"), (3, "b")).view(numeric=[2, 10], alpha=1)
    assert view.likelihood("10 and more", "a", column="x") == Fraction(0 + 1, 1 + 3)
    assert view.classify({"x": 11}).unknown_share == 0


def test_the_variance_of_a_sample_and_its_floor_are_settings_of_a_view() -> None:
    learnt = numbers((1, "a"), (3, "a"), (11, "b"), (13, "b"))
    assert learnt.view(numeric=lk.Gaussian(sample=True)).column("x").variance("a") == 2
    assert learnt.view(numeric=lk.Gaussian(floor=1)).column("x").variance("a") == 26  # that of the whole column


def test_a_long_number_is_explained_as_it_is() -> None:
    assert numbers((1, "a"), (3, "b")).explain({"x": 1234567.25}).items[1].name == "x 1234567.25"


@pytest.mark.parametrize(
    ("unknown", "expected"),
    [("zero", Fraction(0)), ("smooth", Fraction(0 + 1, 2 + 2)), ("grow", Fraction(0 + 1, 2 + 3))],
)
def test_the_likelihood_of_a_value_that_was_never_seen_can_be_looked_up(unknown: Any, expected: Fraction) -> None:
    assert colors().view(unknown=unknown, alpha=1).likelihood("pink", "x", column="color") == expected


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_a_text_that_is_missing_in_a_frame_is_the_text_of_no_other_row(frame: str) -> None:
    library = pytest.importorskip(frame)
    rows = [("goat", 1, "x"), (None, 2, "x"), ("wolf", 3, "y")]
    make = library.table if frame == "pyarrow" else library.DataFrame
    note, size, label = (list(column) for column in zip(*rows, strict=True))
    learnt = lk.train(
        make({"note": note, "size": size, "label": label}), label="label", text=["note"], numeric=["size"]
    )
    assert list(learnt.counts.cells("note")) == [("note", "goat", "x", 1, 1), ("note", "wolf", "y", 1, 1)]  # type: ignore[call-arg]
    assert [verdict.label for verdict in learnt.classify_many(make({"note": note, "size": size}))] == ["x", "x", "y"]


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


def test_only_numbers_in_intervals_have_cuts() -> None:
    with pytest.raises(lk.InputError, match="'color' is not read in intervals") as caught:
        _ = model().view().column("color").cuts
    assert caught.value.code == "column-without-cuts"


def test_each_label_has_its_own_mean_and_variance() -> None:
    figures = numbers((1, "a"), (3, "a"), (10, "b"), (16, "b")).view().column("x")
    assert [figures.mean("a"), figures.mean("b")] == [2, 13]
    assert [figures.variance("a"), figures.variance("b")] == [1, 9]


def test_a_value_that_is_declared_and_has_a_p_is_one_value() -> None:
    rule = lk.MEstimate(4, p={"red": 0.5, "blue": 0.25, "green": 0.25})
    learnt = colors(categorical={"color": ["green", "blue", "red"]})
    view = learnt.view(columns={"color": {"smoothing": rule}}, prior="uniform")
    assert view.column("color").vocabulary_size == 3
    assert view.classify({"color": "green"}).probabilities["x"] == pytest.approx((1 / 6) / (1 / 6 + 1 / 5))


def test_a_least_count_for_words_leaves_values_alone() -> None:
    assert colors().view(min_count=2).column("color").vocabulary_size == 2


def test_a_text_that_is_missing_in_one_of_many_documents_shifts_no_other_row() -> None:
    asked = [{"color": "red"}, {"color": "blue", "note": "wolf dwarf"}, {"age": 33}, {"fever": False, "note": "dwarf"}]
    alone = [model().classify(row) for row in asked]
    assert list(model().classify_many(asked)) == alone
    assert list(model().classify_many(asked * 5)) == alone * 5


@pytest.mark.parametrize("column", ["color", "age", "fever", "note"])
def test_a_missing_value_of_any_kind_is_refused_with_its_place(column: str) -> None:
    view = model().view(missing="refuse")
    whole = ROWS[0][0]
    with pytest.raises(lk.InputError, match=f"'{column}' is missing in document 1"):
        view.classify_many([whole, {**whole, column: None}])
    with pytest.raises(lk.InputError, match=f"'{column}' is missing"):
        view.explain({**whole, column: None})


def test_an_extra_column_is_ignored_and_said_when_a_row_is_learnt() -> None:
    learnt = model()
    with pytest.warns(UserWarning, match="ignored: column 'shoe'"):
        learnt.learn({"color": "red", "shoe": 44}, "sick")
    assert learnt.documents == 4


def test_unknown_values_and_words_of_all_columns_are_counted_together() -> None:
    asked = {"color": "pink", "note": "yeti wolf wolf"}
    assert model().classify(asked).unknown_share == 2 / 4
    assert [verdict.unknown_share for verdict in model().classify_many([asked, {"color": "pink"}] * 5)] == [0.5, 1] * 5
    assert model().view(unknown="smooth").classify({"color": "pink"}).reason is None


def test_settings_of_one_column_are_changed_one_by_one() -> None:
    learnt = model()
    learnt.set_view(columns={"note": {"event": "bernoulli"}})
    learnt.set_view(columns={"note": {"unknown": "smooth"}})
    assert learnt.settings.columns == {"note": {"event": "bernoulli", "unknown": "smooth"}}


def test_a_column_has_an_alpha_of_its_own() -> None:
    view = model().view(columns={"color": {"alpha": 0}}, alpha=1)
    assert view.likelihood("blue", "sick", column="color") == 0
    assert view.likelihood("no", "sick", column="fever") == Fraction(0 + 1, 2 + 2)


def test_a_column_with_a_normal_distribution_of_its_own_has_telling_intervals_too() -> None:
    rows = [({"x": number}, "ab"[number > 4]) for number in range(10)]
    view = lk.train(rows, numeric={"x": "gaussian"}).default_view
    assert [each.term for each in view.top_terms("b", 2)] == ["x 5 and more"]


def test_counts_with_columns_are_a_model_by_themselves() -> None:
    assert lk.Model(model().counts).classify({"color": "red"}) == model().classify({"color": "red"})


def test_copied_and_pickled_models_keep_the_rules_of_their_columns() -> None:
    learnt = model(numeric={"age": [28]})
    for twin in (learnt.copy(), pickle.loads(pickle.dumps(learnt)), lk.Model.from_bytes(learnt.to_bytes())):
        assert twin.default_view.column("age").cuts == [28]


def test_what_is_merged_with_a_model_without_a_ledger_has_none() -> None:
    assert (model() + model(ledger=False)).ledger is None
    assert (model(ledger=False) + model()).ledger is None


def test_a_categorical_column_may_be_called_text() -> None:
    learnt = lk.train([({"text": "goat wolf"}, "x"), ({"text": "wolf"}, "y")], categorical=["text"])
    assert learnt.view(alpha=1).likelihood("goat wolf", "x") == Fraction(1 + 1, 1 + 2)


def test_a_model_with_two_text_columns_has_no_one_analyzer() -> None:
    learnt = lk.train([({"a": "goat", "b": "wolf"}, "x")], text=["a", "b"])
    with pytest.raises(lk.InputError, match="there must be exactly one text column for this"):
        _ = learnt.analyzer


def test_a_table_with_a_column_called_text_is_no_plain_text() -> None:
    learnt = lk.train([({"text": "goat", "size": 1}, "x"), ({"text": "goat", "size": 9}, "y")], **TEXT_AND_SIZE)
    assert [learnt.classify({"text": "goat", "size": size}).label for size in (1, 9)] == ["x", "y"]


def test_the_column_of_the_label_is_known_again_after_saving() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"label": ["red", "blue"], "state": ["x", "y"], "size": [1, 9]})
    learnt = lk.train(table, label="state", numeric=["size"])
    again = lk.Model.from_bytes(learnt.to_bytes())
    again.learn_many(table)
    assert again == learnt + learnt


def test_stop_words_by_frequency_are_found_where_only_one_column_wants_them() -> None:
    rows = [({"subject": "the goat the", "body": "a a wolf"}, "x"), ({"subject": "the dwarf", "body": "a"}, "y")]
    texts = {"subject": lk.Analyzer(stop_words=1), "body": lk.Analyzer(stop_words=["wolf"])}
    columns = lk.train(rows, text=texts).schema.texts
    assert columns["subject"].analyzer.stop_words == ("the",)
    assert columns["body"].analyzer.stop_words == ("wolf",)


def test_a_value_that_neither_of_two_labels_can_have_has_no_ratio() -> None:
    learnt = lk.train([({"color": color}, color[0]) for color in ("red", "green", "blue")], categorical=["color"])
    assert learnt.view(alpha=0).log_ratios("r", "g", column="color") == {"red": math.inf, "green": -math.inf}


def test_a_prior_that_is_given_is_not_explained_by_numbers_of_documents() -> None:
    explanation = colors().view(prior="uniform").explain({"color": "red"})
    assert str(explanation.items[0].factors["x"].formula) == "0.5"


def test_numbers_that_are_all_equal_tell_nothing_and_are_explained_as_such() -> None:
    explanation = numbers((1, "a"), (1, "b")).explain({"x": 5})
    assert explanation.items[1].contributions == {"a": 0, "b": 0}
    assert explanation.items[1].factors == {}
    assert explanation.joint == {"a": Fraction(1, 2), "b": Fraction(1, 2)}


def test_views_see_what_is_learnt_after_something_was_refused() -> None:
    rows = [({"c": "red", "n": "a"}, label) for label in "xyz"]
    model = lk.train(rows, categorical=["c"], text=["n"], ledger=False)
    model.classify({"c": "blue"})
    with pytest.raises(lk.LearningError, match="not part of the model"):
        model.forget({"c": "pink"}, "x")
    for _ in range(3):
        model.learn({"c": "blue"}, "y")
    assert model.classify({"c": "blue"}) == model.view().classify({"c": "blue"})


def test_the_ledger_knows_a_row_whatever_the_order_of_its_columns() -> None:
    row = {"color": "red", "age": 20}
    one, two = (
        lk.train([(dict(pairs), "x")], categorical=["color"], numeric=["age"])
        for pairs in (row.items(), reversed(row.items()))
    )
    assert one == two
    both = one + two
    both.forget(row, "x")
    both.forget(row, "x")
