"""Models and counts of documents with columns: learning, adding, listing, saving."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import likelier as lk
from library.rows import KINDS, ROWS, model


def test_models_with_other_columns_are_not_merged() -> None:
    with pytest.raises(lk.LearningError, match="'color' differs"):
        model() + model(categorical={"color": ["red", "blue", "pink"]})
    with pytest.raises(lk.LearningError, match="columns, kinds and analyzers are equal"):
        model() + lk.train([("goat", "sick")])


def test_a_model_says_how_many_columns_it_has() -> None:
    assert repr(model()) == "<Model: 3 documents, 2 labels, 4 columns>"
    assert repr(model().view().column("age")) == "<Figures of 'age'>"


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


def test_names_of_columns_are_valid_unicode() -> None:
    with pytest.raises(lk.SettingError, match="must be valid Unicode") as caught:
        lk.train([({"a\ud800": "x"}, "l")], categorical=["a\ud800"])
    assert caught.value.code == "column-surrogate"


def test_columns_in_another_order_are_the_same_model() -> None:
    turned = [(dict(reversed(row.items())), label) for row, label in ROWS]
    assert lk.train(turned, **KINDS) == model()
    assert lk.train(turned, **KINDS) + model() == model() + model()


def test_the_counts_of_one_column_can_be_listed() -> None:
    assert [cell[:2] for cell in model().counts.cells("fever")] == [("fever", "no"), ("fever", "yes")]  # type: ignore[call-arg]


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


def test_an_extra_column_is_ignored_and_said_when_a_row_is_learnt() -> None:
    learnt = model()
    with pytest.warns(UserWarning, match="ignored: column 'shoe'"):
        learnt.learn({"color": "red", "shoe": 44}, "sick")
    assert learnt.documents == 4


def test_counts_with_columns_are_a_model_by_themselves() -> None:
    assert lk.Model(model().counts).classify({"color": "red"}) == model().classify({"color": "red"})


def test_copied_and_pickled_models_keep_the_rules_of_their_columns() -> None:
    learnt = model(numeric={"age": [28]})
    for twin in (learnt.copy(), pickle.loads(pickle.dumps(learnt)), lk.Model.from_bytes(learnt.to_bytes())):
        assert twin.default_view.column("age").cuts == [28]


def test_what_is_merged_with_a_model_without_a_ledger_has_none() -> None:
    assert (model() + model(ledger=False)).ledger is None
    assert (model(ledger=False) + model()).ledger is None


def test_the_column_of_the_label_is_known_again_after_saving() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"label": ["red", "blue"], "state": ["x", "y"], "size": [1, 9]})
    learnt = lk.train(table, label="state", numeric=["size"])
    again = lk.Model.from_bytes(learnt.to_bytes())
    again.learn_many(table)
    assert again == learnt + learnt


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
