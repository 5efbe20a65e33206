"""Files with refined weights: damaged in every part, and refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import FileError
from storage.models import columns_example, example, file_of, parts_of, refined_example

TEXTS, ARRAYS = parts_of(refined_example())


def refused(texts: dict[str, str], arrays: dict[str, Any], match: str = "the content") -> None:
    with pytest.raises(FileError, match=match):
        lk.Model.from_bytes(file_of(texts, arrays))


def layer_with(**changes: Any) -> dict[str, str]:
    return TEXTS | {"layer": json.dumps(json.loads(TEXTS["layer"]) | changes)}


def machines_with(**changes: Any) -> dict[str, str]:
    first, *others = json.loads(TEXTS["layer"])["machines"]
    return layer_with(machines=[first | changes, *others])


def test_as_it_was_written_it_is_loaded() -> None:
    assert lk.Model.from_bytes(file_of(TEXTS, ARRAYS)).layer is not None


NONSENSE_TEXTS = {
    "no object": TEXTS | {"layer": "[]"},
    "no JSON": TEXTS | {"layer": "{"},
    "a field more": layer_with(other=1),
    "no digest": layer_with(digest=1),
    "an infinite factor": TEXTS | {"layer": TEXTS["layer"].replace('"factor":', '"factor":1e999,"x":', 1)},
    "a factor below 0": layer_with(factor=-1),
    "a factor that is none": layer_with(factor="1"),
    "one log loss": layer_with(losses=[0.5]),
    "labels twice": layer_with(labels=["ham", "ham"]),
    "one label": layer_with(labels=["ham"]),
    "labels that are none": layer_with(labels=[1.5, 2.5]),
    "three labels and one machine": layer_with(labels=["a", "b", "c"]),
    "no machines": layer_with(machines=[]),
    "another column": machines_with(column="other"),
    "an analyzer that is none": machines_with(analyzer=3),
    "an analyzer of nonsense": machines_with(analyzer={"ngrams": -1}),
    "settings that are none": layer_with(settings=[]),
    "settings of nonsense": layer_with(settings={"event": "none"}),
}


@pytest.mark.parametrize("case", NONSENSE_TEXTS)
def test_texts_that_make_no_sense_are_refused(case: str) -> None:
    refused(NONSENSE_TEXTS[case], ARRAYS)


def of(name: str, change: Any) -> dict[str, Any]:
    return ARRAYS | {f"refined.0.{name}": change(ARRAYS[f"refined.0.{name}"])}


NONSENSE_ARRAYS = {
    **{f"no {name}": {each: ARRAYS[each] for each in ARRAYS if each != name} for name in ARRAYS if "refined" in name},
    "machines more": ARRAYS | {"refined.2.terms": ARRAYS["refined.0.terms"]},
    "too few weights": of("weights", lambda array: array[:-1].copy()),
    "NaN": of("weights", lambda array: array * np.float32("nan")),
    "an infinite bias": of("biases", lambda array: array + np.inf),
    "a scale of 0": of("scales", lambda array: array * np.float32(0)),
    "weights of integers": of("weights", lambda array: array.astype(np.uint32)),
    "biases of four bytes": of("biases", lambda array: array.astype(np.float32)),
    "terms that are numbers": of("terms", lambda array: array.astype(np.float32)),
    "terms that are no UTF-8": of("terms", lambda array: array | np.uint8(0x80)),
    "ends that fall": of("term_ends", lambda array: array[::-1].copy()),
    "ends outside": of("term_ends", lambda array: array + np.uint8(1)),
    "a table of weights": of("weights", lambda array: array.reshape(-1, 1)),
}
NONSENSE_ARRAYS["equal terms"] = {
    **ARRAYS,
    "refined.0.terms": np.full(ARRAYS["refined.0.term_ends"].size, 97, dtype=np.uint8),
    "refined.0.term_ends": np.arange(1, ARRAYS["refined.0.term_ends"].size + 1, dtype=np.uint8),
}


@pytest.mark.parametrize("case", NONSENSE_ARRAYS)
def test_arrays_that_make_no_sense_are_refused(case: str) -> None:
    refused(TEXTS, NONSENSE_ARRAYS[case])


@pytest.mark.parametrize("make", [example, columns_example])
def test_counts_are_never_floating_point_numbers(make: Any) -> None:
    texts, arrays = parts_of(make())
    for name, array in arrays.items():
        refused(texts, arrays | {name: array.astype(np.float32)}, "wrong shape or type|place of")


@pytest.mark.parametrize("version", [1, 2, 3, 4])
def test_other_versions_have_no_layer(version: int) -> None:
    with pytest.raises(FileError, match="the content"):
        lk.Model.from_bytes(file_of(TEXTS, ARRAYS, version=version))


def test_version_5_has_one() -> None:
    texts, arrays = parts_of(example())
    with pytest.raises(FileError, match="the content"):
        lk.Model.from_bytes(file_of(texts, arrays, version=5))
