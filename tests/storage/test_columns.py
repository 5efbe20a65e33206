"""Models with columns in files: what is saved is loaded, and equal counts are equal bytes, however they came."""

from __future__ import annotations

import copy
import json
import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier import _storage as storage
from likelier._counts.moments import NumberSums
from likelier._documents.kinds import Bound, Numeric, Text
from likelier._documents.schema import Schema
from likelier._settings.values import Settings
from storage.models import KINDS, ROWS, columns_example, content, file_of, header_and_data, parts_of, stored_of

rows = st.fixed_dictionaries(
    {
        "subject": st.sampled_from([None, "", "goat wolf", "goat goat", "молоко"]),
        "color": st.sampled_from([None, "red", "green", "é"]),
        "smokes": st.sampled_from([None, True, False]),
        "age": st.one_of(st.none(), st.floats(-1e150, 1e150), st.sampled_from([0.1, 0.2, -3.0, 1.00001, 1.00002])),
        "sun": st.sampled_from([None, "yes", "no"]),
        "wind": st.sampled_from([None, "a & b", "no"]),
    }
)
few = settings(max_examples=40, deadline=None)
weights = st.sampled_from([1, 2, 0.25, 0.3, 0.7, 1e9])
documents = st.lists(st.tuples(rows, st.sampled_from(["ham", "spam", "eggs"]), weights), min_size=1, max_size=8)
SCHEMA = columns_example().schema


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "model.likelier"


def model_of(some: list[Any], *, ledger: bool = True) -> lk.Model:
    model = lk.Model(schema=SCHEMA, ledger=ledger)
    learn(model, some)
    return model


def learn(model: lk.Model, some: list[Any]) -> None:
    if some:
        model.learn_many([(row, label) for row, label, _ in some], weights=[weight for _, _, weight in some])


def forget(model: lk.Model, some: list[Any]) -> None:
    if some:
        model.forget_many([(row, label) for row, label, _ in some], weights=[weight for _, _, weight in some])


def again(stored: storage.Stored, path: Path) -> storage.Stored:
    path.unlink(missing_ok=True)  # some file systems wait for the disk when a file is replaced
    storage.save(path, stored)
    return storage.load(path)


def counts_bytes(model: lk.Model, path: Path) -> dict[str, object]:
    """All arrays but the ledger as they stand in the file, with their types; and labels and digest."""
    path.unlink(missing_ok=True)
    storage.save(path, stored_of(model))
    header, data = header_and_data(path.read_bytes())
    metadata = header.pop("__metadata__")
    arrays = {
        name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if not name.startswith("ledger")
    }
    return arrays | {"labels": metadata["labels"], "digest": storage.counts_digest(path)}


# ---- what is saved is loaded -------------------------------------------------------------------------------------


@few
@given(documents, st.booleans())
def test_everything_that_is_saved_is_loaded(path, some, ledger):
    stored = stored_of(model_of(some, ledger=ledger), provenance=[storage.event("train", ["a.csv"], len(some))])
    loaded = again(stored, path)
    assert content(loaded) == content(stored)
    assert loaded.counts.sizes.unit == max(column.unit for column in loaded.counts.columns.values())
    for name, column in stored.counts.columns.items():
        assert loaded.counts.columns[name] == column
        if isinstance(SCHEMA.columns[name], Numeric):
            assert loaded.counts.columns[name].sums() == column.sums()


@few
@given(documents, documents)
def test_a_loaded_model_learns_forgets_and_is_merged_like_the_one_that_was_saved(path, first, second):
    loaded = lk.Model._of(again(stored_of(model_of(first)), path))
    assert loaded + model_of(second) == model_of(first + second)
    learn(loaded, second)
    assert loaded == model_of(first + second)
    forget(loaded, second)
    assert loaded == model_of(first)


@few
@given(documents, rows)
def test_a_loaded_model_answers_from_its_arrays_with_the_same_bits(path, some, row):
    model = model_of(some)
    loaded = lk.Model._of(again(stored_of(model), path))
    for view in ({}, {"columns": {"age": {"numeric": "equal-width:3"}}}):
        one, two = model.view(**view).classify(row), loaded.view(**view).classify(row)
        assert (one.log_scores, one.label) == (two.log_scores, two.label)
    unlike = [name for name, column in model.counts.columns.items() if _unit(column) < loaded.counts.sizes.unit]
    settled = [name for name, column in loaded.counts.columns.items() if column._stored is None]
    assert set(settled) <= set(unlike)  # those alone were scaled


def _unit(column: Any) -> int:
    return int(column.arrays()["unit"][0])


@pytest.mark.parametrize("names", [["ham", "spam"], [-7, 1], [False, True]])
def test_labels_keep_their_kind(path, names):
    model = lk.train([({"a": 1, "b": "x"}, names[0]), ({"a": 2, "b": "y"}, names[1])], numeric=["a"], categorical=["b"])
    loaded = again(stored_of(model), path).counts.labels
    assert [(type(label), label) for label in loaded] == [(type(name), name) for name in names]


def test_a_schema_comes_back_with_all_that_it_says(path):
    loaded = again(columns_example(missing_values=["-", "?"]), path).schema
    assert list(loaded.columns) == list(SCHEMA.columns)
    assert loaded == Schema(SCHEMA.columns, loaded.missing)
    assert {"-", "?"} <= set(loaded.missing)
    assert {type(kind) for kind in loaded.columns.values()} >= {Text, Numeric, Bound}
    assert loaded.columns["color"].values == ("red", "green", "blue")


def test_settings_of_columns_come_back(path):
    view = Settings(missing="refuse", columns={"age": {"numeric": [20, 35]}, "color": {"alpha": 0.5}})
    assert again(stored_of(lk.train(ROWS, **KINDS), settings=view), path).settings == view


def test_a_model_without_documents_can_be_saved(path):
    loaded = lk.Model._of(again(stored_of(lk.Model(schema=SCHEMA)), path))
    assert loaded.labels == ()
    loaded.learn(*ROWS[0])
    assert loaded == model_of([(*ROWS[0], 1)])


def test_a_column_that_a_label_never_has_is_loaded_with_that_label(path):
    loaded = again(columns_example(), path)
    assert loaded.counts.columns["subject"].labels == ("eggs", "ham", "spam")
    assert loaded.counts.columns["subject"].documents_per_label["eggs"] == 0


def test_numbers_that_leave_no_room_in_millionths_are_saved_whole(path):
    some = [({"age": 1e150}, "ham", 1e9)] * 20  # 2e10 documents are 2e16 millionths, and 2e5 of them more than 2**64
    model = lk.Model(schema=Schema({"age": Numeric()}), ledger=False)
    model.learn_many([(row, label) for row, label, _ in some], weights=[weight for _, _, weight in some])
    for _ in range(10):
        model.counts.add(model.counts.copy())
    assert model.documents == 2e10 * 2**10
    assert content(again(stored_of(model), path)) == content(stored_of(model))


@pytest.mark.parametrize(
    "options",
    [
        {"categorical": ["\ud800"]},
        {"categorical": {"c": ["\ud800"]}},
        {"categorical": ["c"], "missing_values": ["\ud800"]},
    ],
)
def test_what_could_not_be_loaded_is_not_saved(options, path):
    before = again(columns_example(), path)
    with pytest.raises(lk.SettingError, match="must be valid Unicode") as caught:
        lk.train([({"c": "x", "\ud800": "y"}, "ham")], **options).save(path)
    assert caught.value.code == "column-surrogate"
    assert content(storage.load(path)) == content(before)


# ---- equal counts, equal bytes -----------------------------------------------------------------------------------


@few
@given(documents, st.randoms())
def test_the_order_of_documents_does_not_matter(path, some, random):
    shuffled = list(some)
    random.shuffle(shuffled)
    assert counts_bytes(model_of(some), path) == counts_bytes(model_of(shuffled), path)


@few
@given(documents, documents)
def test_learning_later_gives_the_same_bytes(path, first, second):
    later = model_of(first)
    learn(later, second)
    assert counts_bytes(later, path) == counts_bytes(model_of(second + first), path)


@few
@given(documents, documents)
def test_merging_gives_the_same_bytes(path, first, second):
    assert counts_bytes(model_of(first) + model_of(second), path) == counts_bytes(model_of(second + first), path)


@few
@given(documents, documents)
def test_forgetting_brings_the_bytes_back(path, first, second):
    model = model_of(first + second)
    forget(model, second)
    assert counts_bytes(model, path) == counts_bytes(model_of(first), path)


@few
@given(documents, documents)
def test_learning_into_a_loaded_model_gives_the_same_bytes(path, first, second):
    loaded = lk.Model._of(again(stored_of(model_of(first)), path))
    learn(loaded, second)
    assert counts_bytes(loaded, path) == counts_bytes(model_of(first + second), path)


def test_sums_may_need_millionths_where_the_table_does_not(path):
    """0.3 and 0.7 of two numbers that are rounded alike are one whole document, but no whole sums."""
    some = [({"age": 1.00001}, "ham", 0.3), ({"age": 1.00002}, "ham", 0.7)]
    model = lk.Model(schema=Schema({"age": Numeric()}))
    learn(model, some)
    saved = counts_bytes(model, path)
    assert saved["0.unit"][2] == bytes([1])
    assert int.from_bytes(saved["0.sum_unit"][2], "little") == 1_000_000
    loaded = lk.load(path)
    assert loaded.counts.sizes.unit == 1_000_000
    assert counts_bytes(loaded, path) == saved
    forget(loaded, some[:1])
    weight, number = Fraction("0.7"), Fraction(1.00002)
    assert loaded.counts.columns["age"].sums() == [NumberSums(weight, weight * number, weight * number**2)]


OTHERS = {
    "subject": "other words",
    "color": "blue",
    "smokes": False,
    "age": 39.000001,  # the same when rounded: only the sums differ
    "wind": "strong",
}


@pytest.mark.parametrize("name", OTHERS)
def test_the_digest_covers_every_column(name, path):
    one, two = model_of([(*ROWS[0], 1)]), model_of([(ROWS[0][0] | {name: OTHERS[name]}, ROWS[0][1], 1)])
    assert counts_bytes(one, path)["digest"] != counts_bytes(two, path)["digest"]


def test_the_digest_covers_the_names_of_columns(path):
    digests = set()
    for name in ("a", "b"):
        again(stored_of(lk.train([({name: 1.5}, "ham")], numeric=[name]), ledger=None), path)
        digests.add(storage.counts_digest(path))
    assert len(digests) == 2


def test_a_digest_needs_no_language_and_no_settings(path):
    texts, arrays = parts_of(columns_example())
    schema = json.loads(texts["schema"])
    schema["columns"][0]["analyzer"] = {"language": "xx", "stem": True}
    again(columns_example(), path)
    before = storage.counts_digest(path)
    path.write_bytes(file_of(texts | {"schema": json.dumps(schema), "settings": "{}"}, arrays))
    assert storage.counts_digest(path) == before


# ---- copies ------------------------------------------------------------------------------------------------------


@few
@given(documents, rows)
def test_pickled_and_copied_models_are_the_same(some, row):
    model = model_of(some)
    model.set_view(columns={"age": {"numeric": "equal-frequency:2"}})
    for twin in (pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        assert content(_stored(twin)) == content(_stored(model))
        assert twin.counts.columns["age"].sums() == model.counts.columns["age"].sums()
        assert twin.classify(row).log_scores == model.classify(row).log_scores
        forget(twin, some)
        assert twin.labels == ()
    assert model == model_of(some)


def _stored(model: lk.Model) -> storage.Stored:
    return stored_of(model, settings=model.settings, provenance=model.provenance)


# ---- other tools -------------------------------------------------------------------------------------------------


def test_the_safetensors_package_opens_a_model_with_columns(path):
    numpy_side = pytest.importorskip("safetensors.numpy")
    stored = columns_example()
    again(stored, path)
    arrays = numpy_side.load_file(path)
    for number, table in enumerate(stored.counts.columns.values()):
        for name, array in table.arrays().items():
            assert arrays[f"{number}.{name}"].tolist() == array.tolist()
    assert arrays["documents"].tolist() == list(stored.counts.documents_per_label.values())


def test_many_questions_after_loading_get_the_answers_of_the_trained_model(tmp_path):
    rows = [
        ({"color": f"light c{n % 40}", "note": f"w{n % 37} w{n % 11}", "size": float(n % 29)}, "xyz"[n % 3])
        for n in range(120)
    ]
    model = lk.train(rows[::-1], categorical=["color"], text=["note"], numeric=["size"])
    model.save(tmp_path / "m.likelier")
    loaded = lk.load(tmp_path / "m.likelier")
    view, documents = loaded.view(numeric="equal-width:4"), [row for row, _ in rows]
    assert view.classify(documents[0]) == model.view(numeric="equal-width:4").classify(documents[0])  # from its arrays
    assert list(view.classify_many(documents)) == list(model.view(numeric="equal-width:4").classify_many(documents))
    assert list(loaded.classify_many(documents)) == list(model.classify_many(documents))
