"""Mutated model files: by hand, so that most of them have a right checksum and the deeper checks are reached.

A file is made of parts (texts and arrays), header and bytes. A mutation changes one of these levels in one to three
places, and what stands below it is made anew. What comes out must be refused with a FileError, or be a model that is
the same when it is saved and loaded again.
"""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import numpy as np

import likelier as lk
from likelier import _storage as storage
from likelier._base.errors import FileError
from likelier._documents.schema import plain
from likelier._settings.values import Settings
from storage.models import (
    columns_example,
    content,
    counting_columns_example,
    counting_example,
    example,
    file_bytes,
    file_of,
    header_and_data,
    parts_of,
    refined_example,
    stored_of,
)

NUMBERS = [0, 1, 2, 3, 7, 8, 9, 127, 128, 255, 256, 2**16, 2**31, 2**32 - 1, 2**32, 2**53, 2**62, 2**63, 2**64 - 1, -1]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    0.5,
    1e308,
    10**400,
    "",
    "ham",
    "*",
    "age",
    "numeric",
    "text",
    "bound",
    "log",
    "once",
    "1/3",
    "0/0",
    "\ud800",
    "\0",
    [],
    {},
]
TEXTS = ["", "null", "[]", "{}", "NaN", "[[", "1e999", "9" * 5000, '{"a":1,"a":2}', "[" * 3000, '"\\ud800"']
NAMES = ["kind", "ham", "", "alpha", "stop_words", "name", "values", "digits", "columns", "age", "weighting", "ngrams"]
DTYPES = ["U8", "U16", "U32", "U64", "I64", "F32", "BOOL", "", "u8"]


class Mutator:
    """An endless source of mutated files; the same for the same seed."""

    def __init__(self, seed: int, kind: str = "both") -> None:
        """The kind of models: plain, columns or both."""
        self.random = random.Random(seed)
        models = [*(_plain() if kind != "columns" else []), *(_columns() if kind != "plain" else [])]
        self.seeds = [parts_of(stored) for stored in models]

    def file(self) -> bytes:
        """The next file."""
        texts, arrays = copy.deepcopy(self.random.choice(self.seeds))
        level = self.random.choice([self._texts, self._texts, self._arrays, self._arrays, self._header, self._bytes])
        return level(texts, arrays)

    def _times(self) -> range:
        return range(self.random.choice([1, 1, 1, 2, 3]))

    # ---- texts -------------------------------------------------------------------------------------------------------

    def _texts(self, texts: dict[str, str], arrays: dict[str, Any]) -> bytes:
        for _ in self._times():
            name = self.random.choice(list(texts))
            texts[name] = self._text(texts[name])
        return file_of(texts, arrays)

    def _text(self, text: str) -> str:
        way = self.random.randrange(6)
        if way == 0:
            return self.random.choice(TEXTS)
        if way == 1 and text:
            place = self.random.randrange(len(text))
            return text[:place] + self.random.choice('[]{}",:0189aé\\ ') + text[place + self.random.randrange(2) :]
        try:
            return json.dumps(self._value(json.loads(text)))
        except (ValueError, RecursionError):
            return "[]"

    def _value(self, value: Any) -> Any:
        """The value with one thing in it changed."""
        inside = isinstance(value, dict | list) and value and self.random.random() < 0.85
        if not inside:
            return self._other(value)
        key = self.random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        way = self.random.randrange(8)
        if way == 0:
            del value[key]
        elif way == 1 and isinstance(value, list):
            value.append(value[key])
        elif way == 2 and isinstance(value, dict):
            value[self.random.choice(NAMES)] = value[key]
        else:
            value[key] = self._value(value[key])
        return value

    def _other(self, value: Any) -> Any:
        if isinstance(value, int | float) and self.random.random() < 0.5:
            return self.random.choice([value + 1, -value, value * 2, *NUMBERS])
        return copy.deepcopy(self.random.choice(VALUES))

    # ---- arrays ------------------------------------------------------------------------------------------------------

    def _arrays(self, texts: dict[str, str], arrays: dict[str, Any]) -> bytes:
        for _ in self._times():
            name = self.random.choice(list(arrays))
            arrays[name] = self._array(arrays[name])
        return file_of(texts, arrays)

    def _array(self, array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        way = self.random.randrange(8)
        if way == 0:
            return array[: self.random.randrange(len(array) + 1)].copy()
        if way == 1:
            return np.concatenate([array, array[: self.random.randrange(len(array) + 1)]])
        if way == 2:
            return array.astype(self.random.choice(["<u8", "<u4", "<u2", "|u1"]))
        if way == 3:
            return array[::-1].copy()
        if way == 4 and array.size:
            return array.reshape(-1, 1) if array.ndim == 1 else array.reshape(-1)
        if array.size:
            array = array.astype("<u8") if way == 5 else array.copy()
            array.flat[self.random.randrange(array.size)] = self._number(array.dtype.itemsize)
        return array

    def _number(self, width: int) -> int:
        return self.random.choice([self.random.choice(NUMBERS), self.random.randrange(256)]) % (1 << 8 * width)

    # ---- header and bytes --------------------------------------------------------------------------------------------

    def _header(self, texts: dict[str, str], arrays: dict[str, Any]) -> bytes:
        header, data = header_and_data(file_of(texts, arrays))
        for _ in self._times():
            self._entry(header)
        if self.random.random() < 0.2:
            data = data[: self.random.randrange(len(data) + 1)] + bytes(self.random.randrange(9))
        return file_bytes(header, data)

    def _entry(self, header: dict[str, Any]) -> None:
        names = [name for name in header if name != "__metadata__"]
        entry = header[self.random.choice(names)] if names else None
        way = self.random.randrange(8)
        if not isinstance(entry, dict) or way == 0:
            header[self.random.choice(["terms", "x", "ledger", "unit", "0.unit", "9.terms"])] = self._value(
                {"dtype": "U8", "shape": [1]}
            )
        elif way == 1:
            header.pop(self.random.choice(names))
        elif way == 2:
            entry["dtype"] = self.random.choice(DTYPES)
        elif way == 3:
            self._swap(header, names)
        elif way == 4:
            header["__metadata__"]["version"] = self.random.choice(["1", "2", "3", "4"])
        else:
            field = self.random.choice(["shape", "data_offsets"])
            entry[field] = self._value(entry[field]) if entry.get(field) else [self.random.choice(NUMBERS)]

    def _swap(self, header: dict[str, Any], names: list[str]) -> None:
        """Two arrays change their names: all is right but the meaning."""
        one, two = self.random.choice(names), self.random.choice(names)
        header[one], header[two] = header[two], header[one]

    def _bytes(self, texts: dict[str, str], arrays: dict[str, Any]) -> bytes:
        file = bytearray(file_of(texts, arrays))
        for _ in self._times():
            way = self.random.randrange(5)
            place = self.random.randrange(len(file)) if file else 0
            if way == 0:
                del file[place:]
            elif way == 1:
                del file[place : place + self.random.randrange(20)]
            elif way == 2:
                file[place:place] = self.random.randbytes(self.random.randrange(20))
            elif way == 3:
                file[:8] = (self.random.choice(NUMBERS) % 2**64).to_bytes(8, "little")
            elif file:
                file[place] ^= 1 << self.random.randrange(8)
        return bytes(file)


def _plain() -> list[storage.Stored]:
    weighted = lk.train([("a b a", 3), ("b c", -1)], weights=[0.25, 3], analyzer=lk.Analyzer(ngrams=2))
    table = lk.Counts.from_table({"goat": {True: 70_000, False: 2}, "wolf": {False: 300}})
    costs = lk.LeastCost({3: {-1: 10}, -1: {3: 1}, None: {3: 2, -1: 2}})
    given = Settings(smoothing=lk.MEstimate(1, p={"a": 0.5, "b": 0.5}), event="binary", decide=costs)
    return [
        example(),
        stored_of(weighted, settings=given, provenance=[storage.event("train", [], 2)] * 3),
        storage.Stored(
            table, plain(lk.Analyzer(lowercase=False, char_ngrams=3)), Settings(smoothing=lk.JelinekMercer(0.5))
        ),
        stored_of(lk.Model()),
        counting_example(),
        counting_example(weighting=None),
        counting_example(ngrams=None, weighting="log"),
        refined_example(),
    ]


def _columns() -> list[storage.Stored]:
    weighted = columns_example(weights=[0.25, 3, 1, 0.5, 2], ledger=False)
    rows = [({"a": 1.5, "b": "x"}, True), ({"a": 2.5, "b": "y"}, False), ({"a": 2.5, "b": None}, True)]
    cuts = lk.train(rows, numeric={"a": [2]}, categorical=["b"])
    numbers = lk.train([({"a": number}, number % 3) for number in range(12)], numeric=["a"])
    return [
        columns_example(),
        weighted,
        stored_of(cuts, settings=cuts.settings),
        stored_of(numbers, settings=Settings(missing="refuse", columns={"a": {"numeric": "equal-width:3"}})),
        stored_of(lk.Model(schema=columns_example().schema)),
        counting_columns_example(),
        counting_columns_example(ngrams=None),
    ]


REFUSALS = {
    f"model-file-{reason}"
    for reason in ("damaged", "empty", "foreign", "inconsistent", "newer", "settings", "truncated")
}  # not "unreadable": that would be an error of the system, such as too little memory


def check(file: bytes, path: Path) -> str | None:
    """The code of the refusal; None for a model, which must be the same when it is saved and loaded again."""
    path.unlink(missing_ok=True)  # some file systems wait for the disk when a file is replaced
    path.write_bytes(file)
    stored = _loaded(path)
    if isinstance(stored, FileError):
        assert stored.code in REFUSALS, stored
        return stored.code
    path.unlink()
    storage.save(path, stored)
    assert content(storage.load(path)) == content(stored)
    return None


def _loaded(path: Path) -> storage.Stored | FileError:
    try:
        return storage.load(path)
    except FileError as error:
        return error
