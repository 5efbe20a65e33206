"""From bags of terms to a sparse matrix, and which terms are worth a column."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray
from scipy import sparse  # type: ignore[import-untyped]
from sklearn import get_config  # type: ignore[import-untyped]

from likelier._base.checks import checked_integer, whole_number
from likelier._base.errors import error

MOST = 1 << 62  # documents


class Bags(NamedTuple):
    """Each text's terms, one text after the other."""

    ends: NDArray[np.uint64]  # (texts,)
    ids: NDArray[np.uint32]
    times: NDArray[np.uint32]

    def totals(self, length: int, once: bool) -> NDArray[np.int64]:  # (length,)
        """How often each term occurs in all texts, or in how many texts."""
        return np.bincount(self.ids, None if once else self.times, length).astype(np.int64)


def matrix(bags: Bags, columns: NDArray[np.int32], width: int, binary: bool, dtype: DTypeLike) -> Any:
    """The counts as CSR with sorted columns; of the class that scikit-learn is set to give.

    columns: by id; -1 for terms that have none.
    """
    places, times = columns[bags.ids], bags.times
    starts = np.concatenate([np.zeros(1, dtype=np.uint64), bags.ends])
    if (columns < 0).any():
        kept = places >= 0
        starts = np.concatenate([[0], np.cumsum(kept)])[starts]
        places, times = places[kept], times[kept]
    data = np.ones(len(places), dtype=dtype) if binary else times.astype(dtype)
    wide = np.int64 if len(places) > np.iinfo(np.int32).max else np.int32
    as_arrays = get_config().get("sparse_interface") == "sparray"
    kind = sparse.csr_array if as_arrays else sparse.csr_matrix
    counts = kind((data, places.astype(wide, copy=False), starts.astype(wide)), shape=(len(bags.ends), width))
    return counts.tocsc().tocsr()  # sorts, and in less time than `sort_indices`: no comparisons


def limits(min_df: float, max_df: float, documents: int) -> tuple[float, float]:
    """In how many documents a term must stand, at least and at most; shares are meant by floats.

    >>> limits(2, 0.5, 10)
    (2, 5.0)
    """
    for name, given in (("min_df", min_df), ("max_df", max_df)):
        number = whole_number(given)
        if (number is None or number < 1) and not (isinstance(given, float) and 0 <= given <= 1):
            raise error("df-range", name=name, got=given)
    least, most = (each * documents if isinstance(each, float) else min(each, MOST) for each in (min_df, max_df))
    if most < least:
        raise error("df-order", got=max_df, min_df=min_df, most=most, least=least, documents=documents)
    return least, most


def most_frequent(limit: Any, totals: Callable[[], NDArray[np.int64]], terms: int) -> NDArray[np.intp]:
    """The places of the most frequent terms, rising; of equal ones as scikit-learn chooses."""
    number = checked_integer("max-features-range", limit, 1)
    if terms <= number:
        return np.arange(terms, dtype=np.intp)
    return np.sort((-totals()).argsort()[:number])
