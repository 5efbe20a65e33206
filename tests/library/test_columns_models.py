"""Models and counts of documents with columns: learning, adding, listing, saving."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from library.rows import KINDS, ROWS, colors, model


def test_models_with_other_columns_are_not_merged() -> None:
    with pytest.raises(lk.LearningError, match="'color' differs"):
        model() + model(categorical={"color": ["red", "blue", "pink"]})
    with pytest.raises(lk.LearningError, match="columns, kinds and analyzers are equal"):
        model() + lk.train([("goat", "sick")])


def test_a_model_says_how_many_columns_it_has() -> None:
    assert repr(model()) == "<Model: 3 documents, 2 labels, 4 columns>"
    assert repr(model().view().column("age")) == "<ColumnView of 'age'>"


def test_all_counts_can_be_listed() -> None:
    counts = model().counts
    assert ("red", "sick", 2, 2) in counts.cells("color")
    assert ("60", "well", 1, 1) in counts.cells("age")
    assert ("dwarf", "well", 2, 1) in counts.cells("note")
    assert [cell[0] for cell in counts.cells("age")] == ["20", "30", "60"]


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
    assert [cell[0] for cell in model().counts.cells("fever")] == ["no", "yes"]


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


def test_an_extra_column_is_ignored_and_said_when_a_row_is_learned() -> None:
    learned = model()
    with pytest.warns(UserWarning, match="ignored: column 'shoe'"):
        learned.learn({"color": "red", "shoe": 44}, "sick")
    assert learned.documents == 4


def test_counts_with_columns_are_a_model_by_themselves() -> None:
    assert lk.Model(model().counts).classify({"color": "red"}) == model().classify({"color": "red"})


def test_copied_and_pickled_models_keep_the_rules_of_their_columns() -> None:
    learned = model(numeric={"age": [28]})
    for twin in (learned.copy(), pickle.loads(pickle.dumps(learned)), lk.Model.from_bytes(learned.to_bytes())):
        assert twin.view().column("age").cuts == [28]


def test_what_is_merged_with_a_model_without_a_ledger_has_none() -> None:
    assert (model() + model(ledger=False)).ledger is None
    assert (model(ledger=False) + model()).ledger is None


def test_the_column_of_the_label_is_known_again_after_saving() -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"label": ["red", "blue"], "state": ["x", "y"], "size": [1, 9]})
    learned = lk.train(table, label="state", numeric=["size"])
    again = lk.Model.from_bytes(learned.to_bytes())
    again.learn_many(table)
    assert again == learned + learned


def test_views_see_what_is_learned_after_something_was_refused() -> None:
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


# ---- what does not go together -----------------------------------------------------------------------------------


@pytest.mark.parametrize("bind", [5, [5], "color", ["color"], [None], [[1, 2]], [[["a"], "b"]], [("color", "color")]])
def test_what_is_bound_are_groups_of_columns(bind: Any) -> None:
    with pytest.raises(lk.SettingError, match="`bind` has groups of two or more categorical or binary") as caught:
        model(bind=bind)
    assert caught.value.code == "bind-columns"


@pytest.mark.parametrize("schema", ["color", {"color": "categorical"}, 5])
def test_a_schema_is_no_other_thing(schema: Any) -> None:
    for make in (lambda: lk.Model(schema=schema), lambda: lk.View(lk.Counts(), schema)):
        with pytest.raises(lk.SettingError, match="`schema` must be a Schema, got") as caught:
            make()
        assert caught.value.code == "schema-kind"


def test_counts_have_no_columns_but_their_own() -> None:
    others = lk.train([({"q": 1}, "x")], numeric=["q"])
    with pytest.raises(lk.SettingError, match="got q numeric for counts of color categorical") as caught:
        lk.Model(colors(categorical=["color"]).counts, schema=others.schema)
    assert caught.value.code == "schema-of-other-counts"
    with pytest.raises(lk.SettingError, match="got q numeric for counts of plain texts"):
        lk.Model(lk.Counts(), schema=others.schema)
    with pytest.raises(lk.SettingError, match="got q numeric for counts of plain texts"):
        lk.View(lk.Counts(), others.schema)


def test_counts_with_columns_take_their_own_schema() -> None:
    learned = model()
    assert lk.Model(learned.counts, schema=learned.schema) == learned


@pytest.mark.parametrize("made", [lambda: {"counts": model().counts}, lambda: {"schema": model().schema}])
def test_an_analyzer_beside_columns_is_refused_and_not_ignored(made: Any) -> None:
    with pytest.raises(
        lk.SettingError, match="`analyzer` is for counts of plain texts, and here are columns"
    ) as caught:
        lk.Model(**made(), analyzer=lk.Analyzer())
    assert caught.value.code == "analyzer-and-schema"


def test_counts_of_texts_and_counts_with_columns_are_not_added() -> None:
    plain, mixed = lk.Counts(), model().counts
    for mine, other in ((plain, mixed), (mixed, plain)):
        for change in (mine.add, mine.subtract):
            with pytest.raises(lk.LearningError, match="counts can be added when their columns, kinds and") as caught:
                change(other)
            assert caught.value.code == "schemas-differ"
            with pytest.raises(lk.InputError, match="Counts are added to and taken from Counts, got dict") as caught:
                change({})  # type: ignore[arg-type]
            assert caught.value.code == "counts-unlike"
    assert mixed == model().counts


@pytest.mark.parametrize("name", ["q", None, 3, ["color"]])
def test_the_counts_of_a_column_that_is_not_there_are_refused(name: Any) -> None:
    counts: Any = model().counts
    with pytest.raises(lk.InputError, match="the columns here are 'color', 'age', 'fever', 'note', got") as caught:
        counts.missing(name)
    assert caught.value.code == "column-unknown"
    with pytest.raises(lk.InputError, match="the columns here are 'color', 'age', 'fever', 'note', got"):
        counts.cells(name)


@pytest.mark.parametrize("content", ["text", None, 5, Path("model.likelier")])
def test_the_content_of_a_model_file_is_bytes(content: Any) -> None:
    with pytest.raises(lk.InputError, match="the content of a model file is bytes, got") as caught:
        lk.Model.from_bytes(content)
    assert caught.value.code == "content-kind"


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_the_content_of_a_model_file_may_be_any_bytes(kind: Any) -> None:
    assert lk.Model.from_bytes(kind(model().to_bytes())) == model()


# ---- what was learned ---------------------------------------------------------------------------------------------


def test_a_model_says_whether_it_has_learned_a_document() -> None:
    learned = model()
    row = ROWS[0][0]
    assert learned.learned(row, "sick")
    assert not learned.learned(row, "well")
    assert not learned.learned(row, "sick", weight=2)
    assert not learned.learned({**row, "age": 21}, "sick")
    assert not learned.learned(row, "never")
    learned.forget(row, "sick")
    assert not learned.learned(row, "sick")


def test_a_model_says_how_many_of_some_documents_it_has_learned() -> None:
    found = model().learned_many([*ROWS, ({"color": "pink"}, "sick")])
    assert (found.documents, found.known, found.every) == (4, 3, False)
    assert model().learned_many(ROWS).every


def test_what_was_learned_once_was_not_learned_twice() -> None:
    found = model().learned_many([ROWS[0], ROWS[0]])
    assert (found.documents, found.every) == (2, False)
    assert (model() + model()).learned_many([ROWS[0], ROWS[0]]).every


def test_asking_what_was_learned_changes_nothing() -> None:
    learned = model()
    learned.learned_many([*ROWS, ({"color": "pink"}, "odd")])
    assert learned == model()
    assert learned.labels == ("sick", "well")


def test_a_model_without_a_ledger_does_not_know_what_it_has_learned() -> None:
    silent = model(ledger=False)
    for ask in (lambda: silent.learned(*ROWS[0]), lambda: silent.learned_many(ROWS)):
        with pytest.raises(lk.LearningError, match="by its ledger, and this one has none") as caught:
            ask()
        assert caught.value.code == "ledger-missing"
