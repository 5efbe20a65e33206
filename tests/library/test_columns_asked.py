"""Documents with columns as they are asked about: what is missing, unknown or extra."""

from __future__ import annotations

import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from library.rows import KINDS, ROWS, TEXT_AND_SIZE, colors, model


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
    learned = lk.train(table, label="state", **KINDS)
    assert learned == model()
    assert list(learned.classify_many(make(columns))) == list(model().classify_many([row for row, _ in ROWS]))


@pytest.mark.parametrize("labels", [[1, 1, 2], [True, True, False], ["1", "1", "2"]])
def test_labels_may_be_numbers_and_truth_values(labels: list[Any]) -> None:
    learned = lk.train([(row, label) for (row, _), label in zip(ROWS, labels, strict=True)], **KINDS)
    assert learned.classify({"color": "red"}).label == labels[0]
    assert type(learned.labels[0]) is type(labels[0])


@pytest.mark.parametrize("label", [None, math.nan, np.nan])
def test_a_row_needs_a_label(label: Any) -> None:
    with pytest.raises(lk.InputError, match="every document needs a label"):
        lk.train([*ROWS, ({"color": "red"}, label)], **KINDS)


def test_what_read_gives_is_classified(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("age,color,note,fever\n25,red,wolf,yes\n61,blue,dwarf,no\n")
    documents = lk.read(path, schema=model().schema, labeled=False)
    assert model().classify_many(documents).labels == ["sick", "well"]
    plain = lk.train([("a b", "x"), ("c", "y")])
    (tmp_path / "texts.csv").write_text("text\na\nc\n")
    assert plain.classify_many(lk.read(tmp_path / "texts.csv", labeled=False)).labels == ["x", "y"]


def test_one_text_in_place_of_many_documents_is_refused() -> None:
    with pytest.raises(lk.InputError, match="must be several texts, got one str"):
        model().classify_many("ages.csv")


@pytest.mark.parametrize("frame", ["pandas", "polars", "pyarrow"])
def test_a_text_that_is_missing_in_a_frame_is_the_text_of_no_other_row(frame: str) -> None:
    library = pytest.importorskip(frame)
    rows = [("goat", 1, "x"), (None, 2, "x"), ("wolf", 3, "y")]
    make = library.table if frame == "pyarrow" else library.DataFrame
    note, size, label = (list(column) for column in zip(*rows, strict=True))
    learned = lk.train(
        make({"note": note, "size": size, "label": label}), label="label", text=["note"], numeric=["size"]
    )
    assert list(learned.counts.cells("note")) == [("goat", "x", 1, 1), ("wolf", "y", 1, 1)]
    assert [verdict.label for verdict in learned.classify_many(make({"note": note, "size": size}))] == ["x", "x", "y"]


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


def test_unknown_values_and_words_of_all_columns_are_counted_together() -> None:
    asked = {"color": "pink", "note": "yeti wolf wolf"}
    assert model().classify(asked).unknown_share == 2 / 4
    assert [verdict.unknown_share for verdict in model().classify_many([asked, {"color": "pink"}] * 5)] == [0.5, 1] * 5
    assert model().view(unknown="smooth").classify({"color": "pink"}).reason is None


def test_a_table_with_a_column_called_text_is_no_plain_text() -> None:
    learned = lk.train([({"text": "goat", "size": 1}, "x"), ({"text": "goat", "size": 9}, "y")], **TEXT_AND_SIZE)
    assert [learned.classify({"text": "goat", "size": size}).label for size in (1, 9)] == ["x", "y"]
