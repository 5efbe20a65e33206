"""A layer of refined weights as a text and arrays, and back.

layer              a text: what it was fitted to, its factors, and for each text column how texts become terms
refined.0.terms    the terms of the first column, end to end, and refined.0.term_ends, where each ends
refined.0.scales   (terms,)
refined.0.weights  (terms · machines,)
refined.0.biases   (machines,): one for each label, or one for two labels
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from likelier._base.numbers import is_number
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._refine.layer import Layer
from likelier._refine.weights import ColumnWeights
from likelier._settings.values import Settings
from likelier._storage.layout import Array, Nonsense, json_of, narrow
from likelier._text.analyzer import Analyzer

LAYER = "layer"  # the name of the text
_PARTS = ("term_ends", "terms", "scales", "weights", "biases")
_KINDS = {"scales": "f4", "weights": "f4", "biases": "f8"}
_NUMBERS = ("documents", "behind", "judged", "factor")
_FIELDS = {"settings", "labels", "digest", "losses", "columns", *_NUMBERS}


def layer_to_plain(layer: Layer) -> dict[str, Any]:
    """All but the arrays, as plain JSON values."""
    columns = [
        {"name": name, "factor": layer.factors[name], "analyzer": column.analyzer.to_dict()}
        for name, column in layer.columns.items()
    ]
    return {
        "settings": layer.settings.to_dict(),
        "labels": list(layer.labels),
        "digest": layer.digest,
        "losses": list(layer.losses),
        **{name: getattr(layer, name) for name in _NUMBERS},
        "columns": columns,
    }


def layer_arrays(layer: Layer) -> dict[str, Array]:
    """The arrays of all columns."""
    found: dict[str, Array] = {}
    for place, column in enumerate(layer.columns.values()):
        encoded = [name.encode() for name in column.names]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.uint64)[1:]
        terms = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        numbers = (column.scales.astype("<f4"), column.weights.astype("<f4").ravel(), column.biases.astype("<f8"))
        own = zip(_PARTS, (narrow(ends), terms, *map(np.ascontiguousarray, numbers)), strict=True)
        found |= {f"refined.{place}.{name}": array for name, array in own}
    return found


def layer_names(texts: Mapping[str, str]) -> list[str]:
    """The names of the arrays that must be there."""
    columns = _fields(texts)["columns"] if LAYER in texts else []
    return [f"refined.{place}.{name}" for place in range(len(columns)) for name in _PARTS]


def layer_from(texts: Mapping[str, str], arrays: Mapping[str, Array], schema: Schema) -> Layer:
    """The layer with these parts. Nothing about them is trusted."""
    said = _fields(texts)
    numbers = [said[name] for name in _NUMBERS]
    if not all(is_number(each) and math.isfinite(each) and each >= 0 for each in (*numbers, *_losses(said))):
        raise Nonsense("the numbers of the refined weights make no sense")
    labels, names = _labels(said), [each.get("name") for each in said["columns"]]
    if not isinstance(said["digest"], str) or names != list(schema.texts):
        raise Nonsense("the refined weights are not those of the text columns")
    machines = 1 if len(labels) == 2 else len(labels)
    found = {name: _column(arrays, place, machines, said["columns"][place]) for place, name in enumerate(schema.texts)}
    return Layer(
        settings=Settings.from_dict(said["settings"]),
        labels=labels,
        digest=said["digest"],
        losses=_losses(said),
        **dict(zip(_NUMBERS, numbers, strict=True)),
        factors={each["name"]: float(each["factor"]) for each in said["columns"]},
        columns=found,
    )


def _fields(texts: Mapping[str, str]) -> dict[str, Any]:
    said = json_of(texts, LAYER)
    if not isinstance(said, dict) or said.keys() != _FIELDS or not isinstance(said["settings"], dict):
        raise Nonsense(f"{LAYER!r} is not an object with what refined weights need")
    columns = said["columns"]
    if not isinstance(columns, list) or not columns or not all(map(_is_column, columns)):
        raise Nonsense("the refined weights have no columns")
    return said


def _is_column(said: object) -> bool:
    if not isinstance(said, dict) or said.keys() != {"name", "factor", "analyzer"}:
        return False
    factor = said["factor"]
    return isinstance(said["analyzer"], dict) and is_number(factor) and math.isfinite(factor) and factor >= 0


def _losses(said: Mapping[str, Any]) -> tuple[float, float]:
    losses = said["losses"]
    if not isinstance(losses, list) or len(losses) != 2:
        raise Nonsense("the refined weights have no log losses")
    return losses[0], losses[1]


def _labels(said: Mapping[str, Any]) -> tuple[Label, ...]:
    labels = said["labels"]
    is_list = isinstance(labels, list) and all(isinstance(label, str | int) for label in labels)
    if not is_list or len(labels) < 2 or len(set(labels)) < len(labels):
        raise Nonsense("the labels of the refined weights are not a list of different labels")
    return tuple(labels)


def _column(arrays: Mapping[str, Array], place: int, machines: int, said: Mapping[str, Any]) -> ColumnWeights:
    ends, terms, *numbers = (arrays[f"refined.{place}.{name}"] for name in _PARTS)
    if any(each.ndim != 1 for each in (ends, terms, *numbers)):
        raise Nonsense("refined weights have the wrong shape")
    if (
        [each.dtype.str[1:] for each in numbers] != list(_KINDS.values())
        or terms.itemsize != 1
        or ends.dtype.kind != "u"
    ):
        raise Nonsense("refined weights have the wrong type")
    scales, weights, biases = numbers
    sizes = (ends.size, ends.size * machines, machines)
    if tuple(each.size for each in numbers) != sizes or not all(np.isfinite(each).all() for each in numbers):
        raise Nonsense("the refined weights are not a finite number for each term and machine")
    names = _names(ends.astype(np.int64), terms)
    if not (scales > 0).all() or len(set(names)) < len(names) or "" in names:
        raise Nonsense("the terms of the refined weights are not different, or their scales are not above 0")
    analyzer = Analyzer.from_dict(said["analyzer"])
    return ColumnWeights(analyzer, names, scales, weights.reshape(-1, machines), biases.astype(np.float64))


def _names(ends: Array, terms: Array) -> list[str]:
    begins = np.insert(ends, 0, 0)[:-1]
    if (ends < begins).any() or (ends[-1] if ends.size else 0) != terms.size:
        raise Nonsense("the terms of the refined weights do not end where they should")
    joined = terms.tobytes()
    try:
        return [joined[begin:end].decode() for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    except UnicodeDecodeError:
        raise Nonsense("the terms of the refined weights are not UTF-8") from None
