"""A file that is damaged, cut short, foreign or newer is a FileError: no model, no crash, no huge allocation."""

from __future__ import annotations

import gzip
import json
import pickle
import tracemalloc
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import _storage as storage
from likelier._base.errors import FileError
from likelier._storage import layout
from storage import mutations
from storage.models import content, example, file_bytes, file_of, header_and_data, parts_of, stored_of


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("models") / "model.likelier"
    storage.save(path, example())
    return path.read_bytes()


def refusal(path: Path, data: bytes) -> str:
    """The code of the error that a file with these bytes gives."""
    path.unlink(missing_ok=True)  # some file systems wait for the disk when a file is cut to nothing
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"(?s)x\.likelier .*\nhint: ") as caught:
        storage.load(path)
    return caught.value.code


def test_every_byte_is_protected(good, tmp_path):
    codes = set()
    for mask in (0x01, 0x08, 0x20, 0x80, 0xFF):
        for place in range(len(good)):
            broken = bytearray(good)
            broken[place] ^= mask
            codes.add(refusal(tmp_path / "x.likelier", bytes(broken)))
    assert codes == {"model-file-damaged", "model-file-foreign", "model-file-newer", "model-file-truncated"}


def test_every_truncation_is_noticed(good, tmp_path):
    codes = [refusal(tmp_path / "x.likelier", good[:length]) for length in range(len(good))]
    assert codes[0] == "model-file-empty"
    assert set(codes[1:9]) == {"model-file-foreign"}  # the length alone is no sign of a model
    assert set(codes[9:]) == {"model-file-truncated"}


@pytest.mark.parametrize("length", [0, 8, 56, 120, 128])
def test_a_header_that_is_shorter_than_its_beginning_is_damaged(length, good, tmp_path):
    assert refusal(tmp_path / "x.likelier", length.to_bytes(8, "little") + good[8:]) == "model-file-damaged"


def test_bytes_that_are_added_are_noticed(good, tmp_path):
    assert refusal(tmp_path / "x.likelier", good + b"\0") == "model-file-damaged"
    header, data = header_and_data(good)
    assert refusal(tmp_path / "x.likelier", file_bytes(header, data + b"\0")) == "model-file-inconsistent"


def test_a_newer_version_says_how_to_update(good, tmp_path):
    newer = good.replace(b'"version":"1"', b'"version":"6"')
    assert refusal(tmp_path / "x.likelier", newer) == "model-file-newer"
    with pytest.raises(FileError, match=r"format version 6, and this likelier reads up to 5\nhint: pip install -U"):
        storage.load(tmp_path / "x.likelier")


def zipped() -> bytes:
    import io

    with zipfile.ZipFile(buffer := io.BytesIO(), "w") as archive:
        archive.writestr("a", "b")
    return buffer.getvalue()


FOREIGN = {
    "a gzip file": gzip.compress(b"text"),
    "a zip file": zipped(),
    "a pickle": pickle.dumps([1, 2]),
    "a Parquet file": b"PAR1\x15\x04\x15",
    "JSON": b'{"label": "spam"}',
    "text": "label;text\nspam;käse kaufen\n".encode() * 9,
    "a safetensors file of something else": file_bytes(
        {"a": {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}}, b""
    ),
}


@pytest.mark.parametrize("what", FOREIGN)
def test_a_foreign_file_is_called_by_its_name(what, tmp_path):
    assert refusal(tmp_path / "x.likelier", FOREIGN[what]) == "model-file-foreign"
    with pytest.raises(FileError, match=f"is not a likelier model; it looks like {what}"):
        storage.load(tmp_path / "x.likelier")


def test_bytes_without_any_sense_are_foreign(tmp_path):
    assert refusal(tmp_path / "x.likelier", bytes(range(128, 256))) == "model-file-foreign"


# ---- a right checksum over nonsense ------------------------------------------------------------------------------


def changed_text(name: str, value: Any) -> bytes:
    texts, arrays = parts_of(example())
    return file_of(texts | {name: value if isinstance(value, str) else json.dumps(value)}, arrays)


NONSENSE_TEXTS = [
    ("labels", ["ham"]),
    ("labels", ["spam", "ham"]),
    ("labels", ["ham", "ham"]),
    ("labels", ["ham", 1]),
    ("labels", [0.5, 1.5]),
    ("labels", ["ham", "\ud800"]),
    ("labels", {"ham": 0, "spam": 1}),
    ("labels", "NaN"),
    ("labels", "[" * 100_000),
    ("labels", "9" * 10_000),
    ("has_df", "1"),
    ("has_df", "tru"),
    ("analyzer", []),
    ("analyzer", "{" + '"a":{' * 50_000),
    ("analyzer", {"stop_words": 3}),
    ("settings", None),
    ("settings", '{"event":"binary","event":"binary"}'),
    ("provenance", {}),
    ("provenance", [{"when": 1}]),
    ("provenance", [[]]),
    ("provenance", '[{"when":"","what":"","sources":[],"documents":1e999,"likelier":""}]'),
    ("settings", '{"min_count":1e999}'),
]


@pytest.mark.parametrize(("name", "value"), NONSENSE_TEXTS)
def test_texts_that_make_no_sense_are_refused(name, value, tmp_path):
    assert refusal(tmp_path / "x.likelier", changed_text(name, value)) == "model-file-inconsistent"


@pytest.mark.parametrize("name", ["labels", "has_df", "analyzer", "settings", "provenance"])
def test_a_missing_text_is_noticed(name, tmp_path):
    texts, arrays = parts_of(example())
    del texts[name]
    assert refusal(tmp_path / "x.likelier", file_of(texts, arrays)) == "model-file-inconsistent"


UNUSABLE = [
    ("settings", {"event": "poisson"}, "`event` must be one of"),
    ("settings", {"temperature": 1}, "pip install -U likelier"),
    ("settings", {"columns": {"age": {"numeric": {"kind": "gaussian"}}}}, "age"),
    ("settings", {"smoothing": {"kind": "additive", "alpha": "1e999999999"}}, "a number, or a fraction"),
    ("analyzer", {"stop_words": "file:/etc/passwd"}, "stored settings hold the words and not a file"),
    ("analyzer", {"temperature": 1}, "pip install -U likelier"),
    ("analyzer", {"replace": {"\ud800": "x"}}, "surrogate"),
    ("analyzer", {"language": "xx", "stem": True}, "xx"),
]


@pytest.mark.parametrize(("name", "value", "match"), UNUSABLE)
def test_settings_that_cannot_be_used_here_say_why(name, value, match, tmp_path):
    assert refusal(tmp_path / "x.likelier", changed_text(name, value)) == "model-file-settings"
    with pytest.raises(FileError, match=match):
        storage.load(tmp_path / "x.likelier")


def wide(*numbers: int, dtype: Any = np.uint64) -> np.ndarray[Any, Any]:
    return np.array(numbers, dtype=dtype)


def without(name: str) -> Any:
    return lambda arrays: {key: array for key, array in arrays.items() if key != name}


def replaced(name: str, array: np.ndarray[Any, Any]) -> Any:
    return lambda arrays: arrays | {name: array}


NONSENSE_ARRAYS = {
    **{f"no {name}": without(name) for name in (*parts_of(example())[1],)},
    "another array": replaced("weights", wide(1)),
    "documents of three labels": replaced("documents", wide(1, 1, 1)),
    "documents beyond counting": replaced("documents", wide(2**63, 2**63)),
    "a unit of 7": replaced("unit", wide(7)),
    "two units": replaced("unit", wide(1, 1)),
    "a unit of 0": replaced("unit", wide(0)),
    "a label that is not there": lambda arrays: arrays | {"cell_labels": arrays["cell_labels"] + np.uint8(9)},
    "a label beyond 32 bits": lambda arrays: arrays | {"cell_labels": arrays["cell_labels"] + wide(2**32)},
    "a count of 0": lambda arrays: arrays | {"cell_tf": arrays["cell_tf"] * np.uint8(0)},
    "more documents than tokens": lambda arrays: arrays | {"cell_df": arrays["cell_df"] + np.uint8(200)},
    "counts beyond counting": lambda arrays: arrays | {"cell_tf": arrays["cell_tf"] + wide(2**63)},
    "terms in falling order": lambda arrays: arrays | {"terms": arrays["terms"][::-1].copy()},
    "terms that are not UTF-8": lambda arrays: arrays | {"terms": arrays["terms"] | np.uint8(0x80)},
    "terms of two bytes": lambda arrays: arrays | {"terms": arrays["terms"].astype(np.uint16)},
    "ends far outside": lambda arrays: arrays | {"term_ends": arrays["term_ends"] + wide(2**62)},
    "cells far outside": lambda arrays: arrays | {"cell_ends": arrays["cell_ends"] + wide(2**63)},
    "a ledger of one half": lambda arrays: arrays | {"ledger": arrays["ledger"][:, :1].copy()},
    "a ledger in falling order": lambda arrays: arrays | {"ledger": arrays["ledger"][::-1].copy()},
    "a ledger with equal entries": lambda arrays: arrays | {"ledger": arrays["ledger"] * wide(0)},
    "a ledger of 32 bits": lambda arrays: arrays | {"ledger": arrays["ledger"].astype(np.uint32)},
    "documents learned 0 times": replaced("ledger_times", wide(1, 0, 1, dtype=np.uint8)),
    "times of 64 bits": replaced("ledger_times", wide(1, 2**40, 1)),
    "a table in place of a list": lambda arrays: arrays | {"documents": arrays["documents"].reshape(1, -1)},
}


@pytest.mark.parametrize("case", NONSENSE_ARRAYS)
def test_arrays_that_make_no_sense_are_refused(case, tmp_path):
    texts, arrays = parts_of(example())
    broken = file_of(texts, NONSENSE_ARRAYS[case](arrays))
    assert refusal(tmp_path / "x.likelier", broken) == "model-file-inconsistent"


def test_a_model_without_a_ledger_is_none_with_half_of_one(tmp_path):
    texts, arrays = parts_of(example())
    (tmp_path / "x.likelier").write_bytes(file_of(texts, without("ledger")(without("ledger_times")(arrays))))
    assert storage.load(tmp_path / "x.likelier").ledger is None


def entry(**fields: Any) -> Any:
    def change(header: dict[str, Any]) -> None:
        header["terms"] |= fields

    return change


NONSENSE_HEADERS = {
    "no texts": lambda header: header["__metadata__"].update(labels=[1]),
    "a shape below 0": entry(shape=[-1]),
    "a shape of text": entry(shape=["1"]),
    "no shape": entry(shape=[]),
    "a shape beyond all": entry(shape=[2**63]),
    "a shape with two numbers below 0": lambda header: header["terms"].update(shape=[-1, -header["terms"]["shape"][0]]),
    "a shape that wraps around": entry(shape=[2**61, 2**61]),
    "a shape of truth values": entry(shape=[True]),
    "an unknown type": entry(dtype="F64"),
    "a type that is no text": entry(dtype=["U8"]),
    "a place that falls": entry(data_offsets=[9, 0]),
    "half a place": entry(data_offsets=[0]),
    "a place with a fraction": entry(data_offsets=[0.0, 9.0]),
    "a field too many": entry(order="C"),
    "an entry that is no object": lambda header: header.update(terms=[]),
    "a place that overlaps": entry(data_offsets=[0, 22]),
}


@pytest.mark.parametrize("case", NONSENSE_HEADERS)
def test_headers_that_make_no_sense_are_refused(case, good, tmp_path):
    header, data = header_and_data(good)
    NONSENSE_HEADERS[case](header)
    assert refusal(tmp_path / "x.likelier", file_bytes(header, data)) == "model-file-inconsistent"


def test_wide_numbers_at_an_odd_place_are_refused(tmp_path):
    """All is right but the order: terms first. The kernel reads only what is aligned."""
    texts, arrays = parts_of(example())
    terms_first = {"terms": arrays["terms"]} | layout.in_order(arrays)
    assert (arrays["terms"].size % 8, list(terms_first)[1]) == (6, "ledger")
    head = layout.header_bytes(1, texts, terms_first)
    layout.sign(head, terms_first)
    data = b"".join(array.tobytes() for array in terms_first.values())
    assert refusal(tmp_path / "x.likelier", bytes(head) + data) == "model-file-inconsistent"


def test_a_gap_between_arrays_is_refused(good, tmp_path):
    header, data = header_and_data(good)
    for name in header.keys() - {"__metadata__"}:
        header[name]["data_offsets"] = [place + 8 for place in header[name]["data_offsets"]]
    assert refusal(tmp_path / "x.likelier", file_bytes(header, bytes(8) + data)) == "model-file-inconsistent"


def test_arrays_that_share_their_bytes_are_refused(tmp_path):
    texts, arrays = parts_of(stored_of(lk.train([("goat wolf", "ham")]), ledger=None))
    assert arrays["cell_tf"].tobytes() == arrays["cell_df"].tobytes()
    shared = {name: array for name, array in arrays.items() if name != "cell_df"}
    header, data = header_and_data(file_of(texts, shared))
    header["cell_df"] = header["cell_tf"]
    assert refusal(tmp_path / "x.likelier", file_bytes(header, data)) == "model-file-inconsistent"


@pytest.mark.parametrize("depth", [1_000, 100_000, 1_000_000])
def test_a_header_that_is_nested_without_end_is_refused(depth, tmp_path):
    header = layout.STARTS[0] + b"0" * layout.DIGITS + b'"},"a":' + b"[" * depth
    assert refusal(tmp_path / "x.likelier", file_bytes(header, b"")) == "model-file-inconsistent"


def test_a_length_that_is_not_there_allocates_nothing(good, tmp_path):
    tracemalloc.start()
    try:
        for length in (2**40, 2**63, 2**64 - 1, layout.LONGEST_HEADER):
            refusal(tmp_path / "x.likelier", length.to_bytes(8, "little") + good[8:])
        texts, arrays = parts_of(example())
        header, data = header_and_data(file_of(texts, arrays))
        header["terms"] |= {"shape": [2**50], "data_offsets": [header["terms"]["data_offsets"][0], 2**50]}
        refusal(tmp_path / "x.likelier", file_bytes(header, data))
        assert tracemalloc.get_traced_memory()[1] < 5_000_000
    finally:
        tracemalloc.stop()


def test_a_file_with_wider_numbers_is_the_same_model(tmp_path):
    """Another writer need not choose the narrowest type."""
    stored = example()
    texts, arrays = parts_of(stored)
    kept = ("terms", "ledger", "ledger_times")
    wider = {name: array if name in kept else array.astype(np.uint32) for name, array in arrays.items()}
    (tmp_path / "x.likelier").write_bytes(file_of(texts, wider))
    assert content(storage.load(tmp_path / "x.likelier")) == content(stored)


# ---- fuzz --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_mutated_files_are_refused_or_are_models_that_can_be_saved_again(seed, tmp_path):
    mutator = mutations.Mutator(seed, "plain")
    for _ in range(1500):
        mutations.check(mutator.file(), tmp_path / "x.likelier")


def test_the_fuzz_reaches_models_as_well_as_refusals(tmp_path):
    mutator = mutations.Mutator(99, "plain")
    codes = {mutations.check(mutator.file(), tmp_path / "x.likelier") for _ in range(1500)}
    assert {None, "model-file-inconsistent", "model-file-settings", "model-file-damaged"} <= codes


def test_a_model_that_is_made_of_a_mutated_file_answers(tmp_path):
    mutator = mutations.Mutator(7, "plain")
    answered = 0
    for _ in range(1500):
        if mutations.check(mutator.file(), tmp_path / "x.likelier") is None:
            stored = storage.load(tmp_path / "x.likelier")
            if stored.counts.labels:
                verdict = lk.View(stored.counts, stored.schema, prior="uniform").classify("goat wolf")
                answered += verdict.label in stored.counts.labels
    assert answered > 50
