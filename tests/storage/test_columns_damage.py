"""Files of models with columns in which a right checksum stands over nonsense: a FileError, and no model."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import _storage as storage
from likelier._base.errors import FileError
from likelier._documents.kinds import Bound, Numeric
from likelier._documents.schema import Schema
from storage import mutations
from storage.models import columns_example, content, file_of, parts_of, stored_of
from storage.test_damage import refusal, wide, without
from storage.test_versions import FIRST

SCHEMA = columns_example().schema

AGE, COLOR, SMOKES, SUBJECT = (list(SCHEMA.columns).index(name) for name in ("age", "color", "smokes", "subject"))


def schema_with(change: Any) -> str:
    schema = SCHEMA.to_dict()
    change(schema)
    return json.dumps(schema)


def column(number: int, **fields: Any) -> Any:
    return lambda schema: schema["columns"][number].update(fields)


def bound(change: Any) -> Any:
    (place,) = (place for place, kind in enumerate(SCHEMA.columns.values()) if isinstance(kind, Bound))
    return lambda schema: change(schema["columns"][place]["columns"])


NESTED = {"name": "x", "kind": "bound", "columns": [{"name": "y", "kind": "binary"}, {"name": "z", "kind": "binary"}]}
NONSENSE_SCHEMAS = {
    "no columns": lambda schema: schema.pop("columns"),
    "columns that are no list": lambda schema: schema.update(columns={}),
    "no missing values": lambda schema: schema.pop("missing"),
    "missing values that are no texts": lambda schema: schema.update(missing=[1]),
    "another field": lambda schema: schema.update(labels="x"),
    "a label that is no name": lambda schema: schema.update(label=3),
    "a column that is no object": lambda schema: schema["columns"].__setitem__(0, "age"),
    "a name twice": column(COLOR, name="age"),
    "the name of a bound column twice": column(COLOR, name="wind"),
    "a name that is no text": column(COLOR, name=1),
    "a name that is not Unicode": column(COLOR, name="\ud800"),
    "no name": lambda schema: schema["columns"][COLOR].pop("name"),
    "an unknown kind": column(COLOR, kind="date"),
    "a kind that is no text": column(COLOR, kind=["categorical"]),
    "a field of another kind": column(COLOR, digits=5),
    "values that are no list": column(COLOR, values="red"),
    "a value twice": column(COLOR, values=["red", "red"]),
    "a value that is no text": column(COLOR, values=[1]),
    "no digits": column(AGE, digits=0),
    "digits of a truth value": column(AGE, digits=True),
    "too many digits": column(AGE, digits=18),
    "an analyzer that is no object": column(SUBJECT, analyzer=[]),
    "stop words that are still to be found": column(SUBJECT, analyzer={"stop_words": 3}),
    "a file of stop words": column(SUBJECT, analyzer={"stop_words": "file:/etc/passwd"}),
    "a bound column of one": bound(lambda columns: columns.pop()),
    "a bound column of a text": bound(lambda columns: columns.append({"name": "t", "kind": "text", "analyzer": {}})),
    "a bound column of a number": bound(lambda columns: columns.append({"name": "t", "kind": "numeric", "digits": 5})),
    "a bound column in a bound column": bound(lambda columns: columns.append(NESTED)),
    "a bound column of a list": bound(lambda columns: columns.__setitem__(0, [])),
    "bound columns that are no list": lambda schema: schema["columns"][-1].update(columns={"sun": {}}),
    "a column too many": lambda schema: schema["columns"].append({"name": "x", "kind": "binary"}),
    "a column too few": lambda schema: schema["columns"].pop(),
    "other kinds": lambda schema: schema["columns"].reverse(),
}


@pytest.mark.parametrize("case", NONSENSE_SCHEMAS)
def test_schemas_that_make_no_sense_are_refused(case, tmp_path):
    texts, arrays = parts_of(columns_example())
    broken = file_of(texts | {"schema": schema_with(NONSENSE_SCHEMAS[case])}, arrays)
    assert refusal(tmp_path / "x.likelier", broken) in ("model-file-inconsistent", "model-file-settings")
    with pytest.raises(FileError, match=r"\nhint: "):
        storage.load(tmp_path / "x.likelier")


def test_an_unknown_kind_has_the_hint_to_update(tmp_path):
    texts, arrays = parts_of(columns_example())
    (tmp_path / "x.likelier").write_bytes(file_of(texts | {"schema": schema_with(column(COLOR, kind="date"))}, arrays))
    with pytest.raises(FileError, match=r"its schema cannot be used: .*\nhint: .*pip install -U likelier") as caught:
        storage.load(tmp_path / "x.likelier")
    assert caught.value.code == "model-file-settings"


NONSENSE_TEXTS = [
    ("schema", "[" * 100_000),
    ("schema", "NaN"),
    ("schema", "[]"),
    ("has_df", "true"),
    ("has_df", "[true]"),
    ("has_df", "[1,1,1,1,1]"),
    ("has_df", "[false,false,false,false,false]"),
    ("labels", '["ham","spam"]'),
    ("labels", '["ham","eggs","spam"]'),
    ("settings", '{"columns":[]}'),
    ("settings", '{"columns":{"weight":{"event":"binary"}}}'),
    ("settings", '{"columns":{"age":{"event":"binary"}}}'),
    ("settings", '{"numeric":{"kind":"equal-width","bins":1e999}}'),
]


@pytest.mark.parametrize(("name", "text"), NONSENSE_TEXTS)
def test_texts_that_make_no_sense_are_refused(name, text, tmp_path):
    texts, arrays = parts_of(columns_example())
    broken = file_of(texts | {name: text}, arrays)
    assert refusal(tmp_path / "x.likelier", broken) in ("model-file-inconsistent", "model-file-settings")


def test_a_schema_without_columns_is_refused(tmp_path):
    texts, arrays = parts_of(columns_example())
    texts |= {"schema": '{"columns":[],"missing":[]}', "has_df": "[]", "settings": "{}"}
    broken = file_of(texts, {name: arrays[name] for name in ("unit", "documents")})
    assert refusal(tmp_path / "x.likelier", broken) == "model-file-settings"


@pytest.mark.parametrize("name", ["labels", "has_df", "schema", "settings", "provenance"])
def test_a_missing_text_is_noticed(name, tmp_path):
    texts, arrays = parts_of(columns_example())
    del texts[name]
    broken = file_of(texts, arrays, version=2)
    assert refusal(tmp_path / "x.likelier", broken) == "model-file-inconsistent"


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("name", ["labels", "has_df", "schema"])
def test_the_digest_of_a_file_without_a_text_is_refused(name, version, tmp_path):
    texts, arrays = parts_of(columns_example() if version == 2 else storage.load(FIRST))
    if texts.pop(name, None):
        (tmp_path / "x.likelier").write_bytes(file_of(texts, arrays, version=version))
        with pytest.raises(FileError, match=f"{name!r} is missing"):
            storage.counts_digest(tmp_path / "x.likelier")


def changed(number: int, name: str, change: Any) -> Any:
    full = f"{number}.{name}"
    return lambda arrays: arrays | {full: change(arrays[full])}


def terms(number: int, *names: str) -> Any:
    """Other terms of a column, in as many cells as before."""

    def change(arrays: dict[str, Any]) -> dict[str, Any]:
        encoded = [name.encode() for name in names]
        ends = np.cumsum([len(name) for name in encoded]).astype(np.uint16)
        assert len(ends) == arrays[f"{number}.term_ends"].size
        return arrays | {
            f"{number}.terms": np.frombuffer(b"".join(encoded), np.uint8),
            f"{number}.term_ends": ends,
        }

    return change


NONSENSE_ARRAYS = {
    **{f"no {name}": without(name) for name in parts_of(columns_example())[1]},
    "another column": lambda arrays: arrays | {"9.terms": wide(1)},
    "sums of a column without numbers": lambda arrays: arrays | {f"{COLOR}.sums": wide(1)},
    "more documents than the model": changed(COLOR, "documents", lambda array: array + np.uint8(9)),
    "more documents than the model has of a label": changed(COLOR, "documents", lambda array: array[::-1].copy()),
    "texts of more documents than the model": changed(SUBJECT, "documents", lambda array: array + np.uint8(9)),
    "documents of two labels": changed(COLOR, "documents", lambda array: array[:2].copy()),
    "a table of documents": changed(COLOR, "documents", lambda array: array.reshape(1, -1)),
    "a unit of 7": changed(COLOR, "unit", lambda array: wide(7)),
    "a unit of 0": changed(COLOR, "unit", lambda array: wide(0)),
    "two units": changed(COLOR, "unit", lambda array: wide(1, 1)),
    "an empty unit": changed(COLOR, "unit", lambda array: array[:0].copy()),
    "millionths beyond counting": lambda arrays: (
        arrays | {f"{SMOKES}.unit": wide(1_000_000), f"{SUBJECT}.cell_tf": arrays[f"{SUBJECT}.cell_tf"] + wide(2**50)}
    ),
    "a value twice in one document": changed(COLOR, "cell_tf", lambda array: array + np.uint8(1)),
    "a value without documents": changed(COLOR, "cell_df", lambda array: array * np.uint8(0)),
    "documents without a value": changed(COLOR, "documents", lambda array: wide(1, 2, 2)),
    "a term in more documents than there are": lambda arrays: (
        arrays | {f"{SUBJECT}.cell_{name}": arrays[f"{SUBJECT}.cell_{name}"] + np.uint8(9) for name in ("tf", "df")}
    ),
    "neither yes nor no": terms(SMOKES, "maybe", "no"),
    "a number that is none": terms(AGE, "-1.0000e+150", "1.0000e-01", "1.2346e+05", "nan"),
    "an infinite number": terms(AGE, "-1.0000e+150", "1.0000e-01", "1.2346e+05", "inf"),
    "a number beyond all": terms(AGE, "-1.0000e+151", "1.0000e-01", "1.2346e+05", "3.9000e+01"),
    "a number with other digits": terms(AGE, "-1.0000e+150", "1.000e-01", "1.2346e+05", "3.9000e+01"),
    "a number written in another way": terms(AGE, "-1.0000e+150", "0.1000e-00", "1.2346e+05", "3.9000e+01"),
    "a number with a space": terms(AGE, " 1.0000e+10", "1.0000e-01", "1.2346e+05", "3.9000e+01"),
    "digits of another language": terms(AGE, "-1.0000e+150", "1.0000e-01", "1.2346e+05", "٣.9000e+01"),
    "sums of other documents": changed(AGE, "moments", lambda array: array + np.uint8(1)),
    "a table of sums": changed(AGE, "moments", lambda array: array.reshape(1, -1)),
    "sums in another unit": changed(AGE, "sum_unit", lambda array: wide(1_000_000)),
    "sums in a unit of 7": changed(AGE, "sum_unit", lambda array: wide(7)),
    "sums in a unit of 0": changed(AGE, "sum_unit", lambda array: wide(0)),
    "two units of sums": changed(AGE, "sum_unit", lambda array: wide(1, 1)),
    "squares too small": changed(AGE, "square_shifts", lambda array: array * np.uint16(0)),
    "squares too large": changed(AGE, "square_shifts", lambda array: array + np.uint16(4000)),
    "shifts beyond all": changed(AGE, "sum_shifts", lambda array: array + wide(2**60)),
    "sums of two bytes": changed(AGE, "sums", lambda array: array.astype(np.uint16)),
    "sums that end outside": changed(AGE, "sum_ends", lambda array: array + wide(2**62)),
    "signs of 2": changed(AGE, "sum_signs", lambda array: array + np.uint8(2)),
    "shifts of two labels": changed(AGE, "sum_shifts", lambda array: array[:2].copy()),
}


@pytest.mark.parametrize("case", NONSENSE_ARRAYS)
def test_arrays_that_make_no_sense_are_refused(case, tmp_path):
    texts, arrays = parts_of(columns_example())
    broken = file_of(texts, NONSENSE_ARRAYS[case](arrays))
    assert refusal(tmp_path / "x.likelier", broken) == "model-file-inconsistent"


def test_what_is_wrong_names_the_column(tmp_path):
    texts, arrays = parts_of(columns_example())
    (tmp_path / "x.likelier").write_bytes(file_of(texts, NONSENSE_ARRAYS["neither yes nor no"](arrays)))
    with pytest.raises(FileError, match="column 'smokes': there are other values than no and yes"):
        storage.load(tmp_path / "x.likelier")


def test_many_labels_and_many_values_take_no_memory_that_the_file_does_not_hold(tmp_path):
    """As a matrix, values by labels, they would take 8 GB."""
    size = 30_000
    labels = [f"{number:05}" for number in range(size)]
    values = [f"{1 + number / 10_000:.4e}" for number in range(size)]
    model = lk.Model(schema=Schema({"age": Numeric()}), ledger=False)
    texts, arrays = parts_of(stored_of(model, ledger=None))
    ones = np.ones(size, dtype=np.uint8)
    numbers = np.arange(size, dtype=np.uint32)
    arrays |= {f"0.{name}": ones for name in ("documents", "cell_tf", "cell_df", "moments")}
    arrays |= {"documents": ones, "0.cell_labels": numbers, "0.cell_ends": numbers + np.uint32(1)}
    arrays |= {
        "0.terms": np.frombuffer("".join(values).encode(), np.uint8),
        "0.term_ends": np.cumsum([len(value) for value in values]).astype(np.uint32),
    }
    tracemalloc.start()
    try:
        refusal(tmp_path / "x.likelier", file_of(texts | {"labels": json.dumps(labels)}, arrays))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_a_file_with_wider_numbers_is_the_same_model(tmp_path):
    stored = columns_example()
    texts, arrays = parts_of(stored)
    wider = {
        name: array if name.endswith((".terms", ".sums", ".squares", "ledger", "times")) else array.astype(np.uint64)
        for name, array in arrays.items()
    }
    (tmp_path / "x.likelier").write_bytes(file_of(texts, wider))
    assert content(storage.load(tmp_path / "x.likelier")) == content(stored)


def test_every_byte_is_protected(tmp_path):
    good = file_of(*parts_of(columns_example()))
    for place in range(0, len(good), 7):
        broken = bytearray(good)
        broken[place] ^= 0x10
        refusal(tmp_path / "x.likelier", bytes(broken))


@pytest.mark.parametrize("seed", range(3))
def test_mutated_files_are_refused_or_are_models_that_can_be_saved_again(seed, tmp_path):
    mutator = mutations.Mutator(seed, "columns")
    for _ in range(700):
        mutations.check(mutator.file(), tmp_path / "x.likelier")


def test_the_fuzz_reaches_models_that_answer_as_well_as_refusals(tmp_path):
    mutator, codes, answered = mutations.Mutator(99, "columns"), set(), 0
    for _ in range(700):
        code = mutations.check(mutator.file(), tmp_path / "x.likelier")
        codes.add(code)
        if code is None:
            model = lk.load(tmp_path / "x.likelier")
            if model.labels:
                answered += model.textbook(prior="uniform").classify({}).label in model.labels
    assert {None, "model-file-inconsistent", "model-file-settings", "model-file-damaged"} <= codes
    assert answered > 20
