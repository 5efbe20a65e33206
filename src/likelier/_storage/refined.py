"""A layer of refined weights as a text and arrays, and back.

layer              a text: what it was fitted to, its factors, and for each set of machines its column and analyzer
refined.0.terms    the terms of the first set, end to end, and refined.0.term_ends, where each ends
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
from likelier._refine.weights import Machines
from likelier._settings.values import Settings
from likelier._storage.layout import Array, Nonsense, json_of, narrow
from likelier._text.analyzer import Analyzer

LAYER = "layer"  # the name of the text
_PARTS = ("term_ends", "terms", "scales", "weights", "biases")
_KINDS = {"scales": "f4", "weights": "f4", "biases": "f8"}
_NUMBERS = ("documents", "behind", "judged", "factor")
_FIELDS = {"settings", "labels", "digest", "losses", "machines", *_NUMBERS}


def layer_to_plain(layer: Layer) -> dict[str, Any]:
    """All but the arrays, as plain JSON values."""
    machines = [
        {"column": each.column, "factor": each.factor, "analyzer": each.analyzer.to_dict()} for each in layer.machines
    ]
    return {
        "settings": layer.settings.to_dict(),
        "labels": list(layer.labels),
        "digest": layer.digest,
        "losses": list(layer.losses),
        **{name: getattr(layer, name) for name in _NUMBERS},
        "machines": machines,
    }


def layer_arrays(layer: Layer) -> dict[str, Array]:
    """The arrays of all machines."""
    found: dict[str, Array] = {}
    for place, each in enumerate(layer.machines):
        encoded = [name.encode() for name in each.names]
        ends = np.cumsum([0, *map(len, encoded)], dtype=np.uint64)[1:]
        terms = np.frombuffer(b"".join(encoded), dtype=np.uint8)
        numbers = (each.scales.astype("<f4"), each.weights.astype("<f4").ravel(), each.biases.astype("<f8"))
        own = zip(_PARTS, (narrow(ends), terms, *map(np.ascontiguousarray, numbers)), strict=True)
        found |= {f"refined.{place}.{name}": array for name, array in own}
    return found


def layer_names(texts: Mapping[str, str]) -> list[str]:
    """The names of the arrays that must be there."""
    machines = _fields(texts)["machines"] if LAYER in texts else []
    return [f"refined.{place}.{name}" for place in range(len(machines)) for name in _PARTS]


def layer_from(texts: Mapping[str, str], arrays: Mapping[str, Array], schema: Schema) -> Layer:
    """The layer with these parts. Nothing about them is trusted."""
    said = _fields(texts)
    numbers = [said[name] for name in _NUMBERS]
    if not all(is_number(each) and math.isfinite(each) and each >= 0 for each in (*numbers, *_losses(said))):
        raise Nonsense("the numbers of the refined weights make no sense")
    labels = _labels(said)
    if not isinstance(said["digest"], str) or not {each["column"] for each in said["machines"]} <= set(schema.texts):
        raise Nonsense("the refined weights are not those of the text columns")
    count = 1 if len(labels) == 2 else len(labels)
    return Layer(
        settings=Settings.from_dict(said["settings"]),
        labels=labels,
        digest=said["digest"],
        losses=_losses(said),
        **dict(zip(_NUMBERS, numbers, strict=True)),
        machines=tuple(_machines(arrays, place, count, each) for place, each in enumerate(said["machines"])),
    )


def _fields(texts: Mapping[str, str]) -> dict[str, Any]:
    said = json_of(texts, LAYER)
    if not isinstance(said, dict) or said.keys() != _FIELDS or not isinstance(said["settings"], dict):
        raise Nonsense(f"{LAYER!r} is not an object with what refined weights need")
    machines = said["machines"]
    if not isinstance(machines, list) or not machines or not all(map(_are_machines, machines)):
        raise Nonsense("the refined weights have no machines")
    return said


def _are_machines(said: object) -> bool:
    if not isinstance(said, dict) or said.keys() != {"column", "factor", "analyzer"}:
        return False
    column, factor, analyzer = said["column"], said["factor"], said["analyzer"]
    is_factor = is_number(factor) and math.isfinite(factor) and factor >= 0
    return isinstance(column, str) and is_factor and isinstance(analyzer, dict)


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


def _machines(arrays: Mapping[str, Array], place: int, count: int, said: Mapping[str, Any]) -> Machines:
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
    sizes = (ends.size, ends.size * count, count)
    if tuple(each.size for each in numbers) != sizes or not all(np.isfinite(each).all() for each in numbers):
        raise Nonsense("the refined weights are not a finite number for each term and machine")
    names = _names(ends.astype(np.int64), terms)
    if not (scales > 0).all() or len(set(names)) < len(names) or "" in names:
        raise Nonsense("the terms of the refined weights are not different, or their scales are not above 0")
    about = said["column"], float(said["factor"]), Analyzer.from_dict(said["analyzer"])
    return Machines(*about, names, scales, weights.reshape(-1, count), biases.astype(np.float64))


def _names(ends: Array, terms: Array) -> list[str]:
    begins = np.insert(ends, 0, 0)[:-1]
    if (ends < begins).any() or (ends[-1] if ends.size else 0) != terms.size:
        raise Nonsense("the terms of the refined weights do not end where they should")
    joined = terms.tobytes()
    try:
        return [joined[begin:end].decode() for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)]
    except UnicodeDecodeError:
        raise Nonsense("the terms of the refined weights are not UTF-8") from None
