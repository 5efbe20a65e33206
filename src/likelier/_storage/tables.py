"""One table of counts as arrays, and back: what a model of plain texts has one of, and every column of another model.

The arrays are `Counts.arrays()`, each in the narrowest type that holds its values: equal counts are equal bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from likelier._counts.tables import WEIGHTS
from likelier._counts.term_counts import MOST, Counts
from likelier._documents.labels import Label
from likelier._documents.weighting import Extra
from likelier._documents.weights import UNIT
from likelier._storage.layout import Array, Nonsense, json_of, narrow

COUNTS = ("unit", "documents", "term_ends", "cell_ends", "cell_labels", "cell_tf", "cell_df", "terms")


def table_names(weighting: object) -> tuple[str, ...]:
    """The arrays of a table with this weighting, or with none."""
    return COUNTS if weighting is None else (*COUNTS, WEIGHTS)


def table_arrays(counts: Counts) -> dict[str, Array]:
    """The arrays of a table, in no order yet."""
    arrays = counts.arrays()
    return {name: narrow(arrays[name]) for name in table_names(counts.weighting)}


def held(labels: list[Label], arrays: Mapping[str, Array], *, has_df: object, weighting: Extra | None = None) -> Counts:
    """Counts with these arrays, over all labels. Nothing about them is trusted."""
    if arrays["terms"].itemsize != 1:
        raise Nonsense("an array has the wrong shape or type")
    if not isinstance(has_df, bool) or unit_of(arrays["unit"]) not in (1, UNIT):
        raise Nonsense("`has_df` or the unit of the counts makes no sense")
    if len(labels) != arrays["documents"].size or int(arrays["documents"].max(initial=0)) > MOST:
        raise Nonsense("the numbers of documents do not fit the labels")
    counts = Counts(weighting)
    try:
        counts.hold(labels, {name: arrays[name] for name in table_names(weighting)})
    except ValueError as reason:  # from the kernel
        raise Nonsense(str(reason)) from None
    counts.has_df = has_df
    return counts


def terms_of(arrays: Mapping[str, Array]) -> list[str]:
    """All terms of arrays that were checked."""
    joined, ends = arrays["terms"].tobytes(), arrays["term_ends"].tolist()
    return [joined[begin:end].decode() for begin, end in zip([0, *ends], ends, strict=False)]


def without_terms(arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The arrays of a table that has documents only."""
    none = np.zeros(0, dtype=np.uint8)
    return {name: arrays.get(name, none) for name in COUNTS}


def check_labels(counts: Counts, labels: Sequence[Label]) -> None:
    """Whether all labels have counts, and are sorted."""
    if list(counts.labels) != labels:
        raise Nonsense("the labels are not sorted, or one has no counts")


def labels_of(texts: Mapping[str, str]) -> list[Label]:
    """The labels that a header names."""
    labels = json_of(texts, "labels")
    if not isinstance(labels, list) or not all(isinstance(label, str | int) for label in labels):
        raise Nonsense("the labels are not a list of texts, whole numbers or truth values")
    if len(set(labels)) < len(labels):
        raise Nonsense("a label stands twice")
    return labels


def unit_of(array: Array) -> int:
    """The unit that an array of one number gives."""
    if array.shape != (1,):
        raise Nonsense("an array has the wrong shape or type")
    return int(array[0])
