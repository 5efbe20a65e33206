"""Stored models for the tests, and files made by hand with a right checksum."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np

import likelier as lk
from likelier import _storage as storage
from likelier._documents.kinds import Binary, Numeric, Text
from likelier._documents.schema import Schema, plain
from likelier._settings.values import Settings
from likelier._storage import layout, parts

PAIRS = [("goat wolf goat", "ham"), ("seven dwarf wolf", "spam"), ("молоко", "spam")]


def stored_of(model: lk.Model, **rest: Any) -> storage.Stored:
    """All of a model, with other parts if given."""
    return storage.Stored(model.counts, model.schema, **({"ledger": model.ledger} | rest))


def example() -> storage.Stored:
    """A small model with something in every part."""
    return stored_of(
        lk.train(PAIRS, analyzer=lk.Analyzer(stop_words=["the"], replace={"zwerg": "dwarf"})),
        settings=Settings(
            smoothing=lk.MEstimate(2, p="background"),
            prior={"ham": Fraction(1, 3), "spam": Fraction(2, 3)},
            decide=lk.Thresholds({"spam": 0.8}, otherwise="ham"),
        ),
        provenance=[storage.event("train", ["mails.csv"], 3)],
    )


ROWS = [
    ({"subject": "goat wolf goat", "color": "red", "smokes": True, "age": 39, "sun": "yes", "wind": "no"}, "ham"),
    (
        {"subject": "seven dwarf wolf", "color": "green", "smokes": False, "age": 0.1, "sun": "no", "wind": "a & b"},
        "spam",
    ),
    ({"subject": None, "color": "red", "smokes": None, "age": -1e150, "sun": "no", "wind": "no"}, "spam"),
    ({"subject": "", "color": None, "smokes": True, "age": None, "sun": None, "wind": "no"}, "ham"),
    ({"subject": None, "color": "молоко", "smokes": False, "age": 123456.789, "sun": "yes", "wind": "no"}, "eggs"),
]
KINDS: dict[str, Any] = {
    "text": {"subject": lk.Analyzer(stop_words=["the"], ngrams=2)},
    "categorical": {"color": ["red", "green", "blue"], "sun": (), "wind": ()},
    "binary": ["smokes"],
    "numeric": {"age": "gaussian"},
    "bind": [("sun", "wind")],
}


def columns_example(**options: Any) -> storage.Stored:
    """A small model with a column of each kind."""
    model = lk.train(ROWS, **(KINDS | options))
    return stored_of(model, settings=model.settings, provenance=[storage.event("train", ["rows.csv"], len(ROWS))])


def counting_example(**options: Any) -> storage.Stored:
    """A small model of plain texts of which more is counted than the analyzer says."""
    options = {"ngrams": 2, "weighting": "log-length"} | options
    model = lk.Model(schema=plain(lk.Analyzer(stop_words=["the"]), **options))
    model.learn_many(PAIRS, weights=[0.25, 3, 1])
    return stored_of(model, provenance=[storage.event("learn", [], 3)])


def counting_columns_example(**options: Any) -> storage.Stored:
    """A small model with columns, and more counted of one of its texts."""
    options = {"ngrams": (1, 2), "weighting": "once-length"} | options
    kinds = {"subject": Text(lk.Analyzer(), **options), "body": Text(), "smokes": Binary(), "age": Numeric()}
    model = lk.Model(schema=Schema(kinds))
    for row, label in ROWS:
        model.learn({"subject": row["subject"], "body": "goat", "smokes": row["smokes"], "age": row["age"]}, label)
    return stored_of(model, provenance=[storage.event("learn", [], len(ROWS))])


def refined_example() -> storage.Stored:
    """A small model with refined weights."""
    model = lk.train(PAIRS[:2] * 12, refine=True)
    provenance = [storage.event("train", ["mails.csv"], 24)]
    return stored_of(model, settings=model.settings, layer=model.layer, provenance=provenance)


def content(stored: storage.Stored) -> tuple[object, ...]:
    """Everything a stored model holds, comparable."""
    ledger = None if stored.ledger is None else tuple(part.tobytes() for part in stored.ledger.sorted())
    counts = stored.counts
    kinds = [type(label) for label in counts.labels]
    known = [(table.labels, table.has_df) for table in counts.tables]
    columns = list(stored.schema.columns)  # equal schemas may have them in another order
    return counts.digest(), kinds, known, columns, stored.schema, stored.settings, ledger, stored.provenance


def file_bytes(header: Any, data: bytes) -> bytes:
    """A file with this header, which may be anything, and a right checksum where there is a place for one."""
    text = header if isinstance(header, bytes) else json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    head = bytearray(len(text).to_bytes(8, "little") + text)
    if text.startswith(layout.STARTS) and len(text) >= layout.START + layout.DIGITS:
        layout.put_checksum(head, b"0" * layout.DIGITS)
        layout.put_checksum(head, hashlib.sha256(bytes(head) + data).hexdigest().encode())
    return bytes(head) + data


def header_and_data(file: bytes) -> tuple[dict[str, Any], bytes]:
    """The two halves of a file."""
    length = int.from_bytes(file[:8], "little")
    return json.loads(file[8 : 8 + length]), file[8 + length :]


def file_of(
    texts: Mapping[str, str], arrays: Mapping[str, np.ndarray[Any, Any]], *, version: int | None = None
) -> bytes:
    """A file of these parts, right in all that the layout asks for; the version is that of the parts if not given."""
    ordered = layout.in_order(arrays)
    head = layout.header_bytes(version or _version(texts), texts, ordered)
    layout.sign(head, ordered)
    return bytes(head) + b"".join(array.tobytes() for array in ordered.values())


def _version(texts: Mapping[str, str]) -> int:
    """The version of these texts, also where they make no sense."""
    if "layer" in texts:
        return 5
    if "schema" not in texts:
        return 3 if "counting" in texts else 1
    try:
        columns = json.loads(texts["schema"])["columns"]
        return 3 if any({"weighting", "ngrams"} & set(column) for column in columns) else 2
    except (ValueError, TypeError, KeyError, RecursionError):
        return 2


def parts_of(stored: storage.Stored) -> tuple[dict[str, str], dict[str, np.ndarray[Any, Any]]]:
    """What a file of this model holds."""
    return parts.texts_of(stored), parts.arrays_of(stored)
