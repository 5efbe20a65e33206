"""y as labels, and labels as y had them.

The labels of a model are text, integers or booleans. scikit-learn's classes keep the type that y has: 1.0 is the
label 1, and comes back as 1.0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import column_or_1d  # type: ignore[import-untyped]

from likelier._base.errors import error
from likelier._documents.labels import Label, checked_labels

Array = NDArray[Any]


def labels_of(y: Any, estimator: str) -> tuple[list[Label], Array]:
    """The labels of documents, and the classes among them: sorted, of y's type.

    >>> labels_of(np.array([1.0, 0.0, 1.0]), "NaiveBayesClassifier")
    ([1, 0, 1], array([0., 1.]))
    """
    if y is None:
        raise error("y-missing", estimator=estimator)
    listed = isinstance(y, list | tuple)
    if hasattr(y, "to_numpy") and hasattr(y, "dtype"):
        y = y.to_numpy()  # which keeps integers of the pandas types that allow missing values
    # As objects: in an array of their own, 1 and "1" would become the same text.
    array: Array = column_or_1d(_objects(y) if listed else y, warn=True)
    labels = checked_labels([_label(value, row) for row, value in enumerate(array.tolist())])
    return labels, np.unique(np.array(labels) if listed and not _has_floats(array) else _typed(array))


def _objects(y: Sequence[Any]) -> Array:
    if any(isinstance(value, list | tuple | np.ndarray) for value in y):
        return np.asarray(y)  # a column, or something that is refused
    objects = np.empty(len(y), dtype=object)
    objects[:] = y
    return objects


def _has_floats(array: Array) -> bool:
    return array.dtype == object and any(isinstance(value, float) for value in array.tolist())


def _typed(array: Array) -> Array:
    return array.astype(np.float64) if _has_floats(array) else array


def _label(value: Any, row: int) -> Any:
    """An integer for a float without a fraction; everything else is left to the library."""
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, float) or value != value:
        return value
    if not value.is_integer():
        raise error("labels-continuous", value=value, row=row)
    return int(value)


def places_of(labels: Sequence[Label], classes: Array) -> NDArray[np.intp]:  # (labels,)
    """Where each label stands among the classes.

    >>> places_of(["ham", "spam"], np.array(["eggs", "ham", "spam"]))
    array([1, 2])
    """
    places = {label: place for place, label in enumerate(classes.tolist())}  # 1 finds 1.0
    return np.array([places[label] for label in labels], dtype=np.intp)
