"""X in all its forms, as the library takes it.

texts  a list, an array, a Series or an Arrow array of strings
table  a data frame; or numbers in a 2-D array, whose columns are called "0", "1", ... or as those of the frame in fit
rows   a list of mappings of column to value
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_array, validate_data  # type: ignore[import-untyped]

from likelier._base.checks import has_entries
from likelier._base.errors import error
from likelier._documents.batch import Batch, joined
from likelier._documents.labels import is_missing
from likelier._documents.schema import Schema
from likelier._read.intake import asked
from likelier._read.origins import FrameOrigin, ReadOptions
from likelier._read.reader import of_frame
from likelier._read.rejects import Rejects
from likelier._read.wanted import wanted
from likelier._text.texts import column_of

NUMBERS = "biufc"  # the kinds of NumPy's types


class Given(NamedTuple):
    """Documents, and in which form."""

    form: str  # "texts", "table" or "rows"
    data: Any
    columns: list[str] | None = None  # of a table


class Array:
    """A 2-D array as a table."""

    def __init__(self, values: NDArray[Any], columns: list[str] | None = None) -> None:
        self.values, self.shape = values, values.shape
        self.columns = columns or [str(place) for place in range(values.shape[1])]

    def __getitem__(self, column: str) -> NDArray[Any]:
        return self.values[:, self.columns.index(column)]


def given(estimator: Any, X: Any, *, reset: bool, only_numbers: bool) -> Given:
    """X as the library takes it; scikit-learn looks at the number and the names of columns.

    only_numbers: whether all columns of an array are numeric, by the kinds that the user gave.
    """
    if isinstance(X, Iterator):
        X = list(X)
    if reset:
        for name in ("n_features_in_", "feature_names_in_"):
            estimator.__dict__.pop(name, None)
    if isinstance(X, Mapping):
        return Given("rows", X)  # which the library refuses
    form = "frame" if is_table(X) else _form_of_list(X)
    if form not in ("frame", "array"):
        return Given(form, X.tolist() if isinstance(X, np.ndarray) else X)
    if not reset and estimator._columns is None:
        raise error("table-after-texts", x=X)
    return _frame(estimator, X, reset) if form == "frame" else _array(estimator, X, reset, only_numbers)


def is_table(X: Any) -> bool:
    """Whether it is a data frame of any library."""
    return hasattr(X, "columns") and hasattr(X, "__getitem__")


def _form_of_list(X: Any) -> str:
    if isinstance(X, str | bytes):
        return "texts"  # which the library refuses
    column = None if isinstance(X, np.ndarray) else column_of(X)
    if column is not None:
        return "texts" if column.kind in ("text", "null") else "array"
    if isinstance(X, np.ndarray) and (X.ndim != 1 or X.dtype.kind in NUMBERS):
        return "array"
    if not isinstance(X, np.ndarray | list | tuple) and not (hasattr(X, "tolist") and has_entries(X)):
        return "array"
    first = next(iter(X), "")
    if isinstance(first, Mapping):
        return "rows"
    return "texts" if isinstance(first, str | bytes) or is_missing(first) else "array"


def _frame(estimator: Any, frame: Any, reset: bool) -> Given:
    columns = list(map(str, getattr(frame, "column_names", frame.columns)))  # PyArrow's columns are the data
    if len(set(columns)) == len(columns):  # otherwise the library reports the name that occurs twice
        validate_data(estimator, frame, reset=reset, skip_check_array=True)
    known = columns if reset else estimator._columns
    if known is None or columns == known:
        return Given("table", frame, columns)
    # Without names in fit, or without names now, columns go by their place, as everywhere in scikit-learn.
    return Given("table", Array(_checked(frame, only_numbers=False), known), known)


def _array(estimator: Any, X: Any, reset: bool, only_numbers: bool) -> Given:
    values = _checked(X, only_numbers=only_numbers, estimator=estimator)
    validate_data(estimator, values, reset=reset, skip_check_array=True)
    table = Array(values, None if reset else estimator._columns)
    return Given("table", table, table.columns)


def _checked(X: Any, *, only_numbers: bool, estimator: Any = None) -> NDArray[Any]:
    """A 2-D array, of floats where it holds numbers; scikit-learn says what is wrong with others."""
    try:
        array: NDArray[Any] = check_array(
            X,
            dtype="numeric" if only_numbers else None,
            ensure_all_finite="allow-nan" if only_numbers else False,
            estimator=estimator,
            input_name="X",
        )
    except ValueError:
        _refuse_words(X)
        raise
    return array.astype(np.float64) if array.dtype.kind in "iuf" else array


def _refuse_words(X: Any) -> None:
    values = np.asarray(X, dtype=object)
    words = [value for value in values.ravel().tolist() if isinstance(value, str)] if values.ndim == 2 else []
    if words:
        raise error("array-of-words", got=words[0]) from None


# ---- asking --------------------------------------------------------------------------------------------------------


def text_column(table: Any, kinds: Mapping[str, Any]) -> str | None:
    """The column with the texts, where the documents of a table are plain texts."""
    origin = FrameOrigin(table)
    next(iter(origin.batches(ReadOptions(wanted(**kinds), labeled=False), Rejects(), [])), None)
    return None if origin.choice is None else origin.choice.text


def row_of(x: Any, columns: list[str]) -> dict[str, Any]:
    """One row of a table as a mapping: of a frame with its names, of an array by place."""
    if hasattr(x, "items"):
        return {str(name): value for name, value in x.items()}
    values = np.asarray(x, dtype=object)
    if values.shape != (len(columns),):
        raise error("row-shape", columns=len(columns), shape=values.shape)
    return dict(zip(columns, values.tolist(), strict=True))


def batch_of(schema: Schema, documents: Given, text: str | None) -> Batch:
    """Documents that are to be classified.

    text: the column with the texts, for a table of plain texts.
    """
    if documents.form == "table" and text is not None:
        read = of_frame(documents.data, ReadOptions(wanted(text=text), labeled=False))
        return joined(list(read), [], schema)
    batch = asked(schema, documents.data)
    # In `fit` the same columns were there and left out; of rows that is not known.
    return replace(batch, notes=()) if documents.form == "table" else batch
