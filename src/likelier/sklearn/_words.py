"""Texts to a sparse matrix: how often each term occurs in each text. In place of scikit-learn's CountVectorizer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import DTypeLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin  # type: ignore[import-untyped]
from sklearn.exceptions import NotFittedError  # type: ignore[import-untyped]
from sklearn.utils._set_output import _get_output_config  # type: ignore[import-untyped]
from sklearn.utils.validation import check_array  # type: ignore[import-untyped]

from likelier._base.checks import check_flag
from likelier._base.errors import error
from likelier._base.threads import checked_threads
from likelier._counts.making import check_closed
from likelier._documents.schema import plain
from likelier._kernel import Table
from likelier._model.one_pass import training_data
from likelier._text.analyzer import Analyzer, check_analyzer
from likelier._text.texts import Texts, checked_texts, surrogate_error
from likelier.sklearn._given import is_table
from likelier.sklearn._matrix import Bags, limits, matrix, most_frequent
from likelier.sklearn._vocabulary import fixed


class _Known(NamedTuple):
    """The kernel's table of terms, and the column of each of its ids; -1 for one that has none."""

    table: Table
    columns: NDArray[np.int32]


class TextCounts(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Counts terms, as CountVectorizer does, with likelier's analyzer: words by Unicode, of one letter too.

    analyzer        how a text becomes terms; `Analyzer()` if not given
    binary          1 for every term that is there, however often
    min_df, max_df  terms in fewer or more documents are left out: a number of documents, or a share if it is a float
    max_features    how many terms to keep, the most frequent first; None: all
    vocabulary      the terms, in the order of their columns, or term → column; then `fit` learns nothing
    dtype           of the matrix
    threads         how many to use; all cores if not given

    After fit: `vocabulary_` (term → column), `analyzer_`.

    >>> words = TextCounts()
    >>> words.fit_transform(["a goat and a wolf", "a wolf"]).toarray()
    array([[2, 1, 1, 1],
           [1, 0, 0, 1]])
    >>> words.get_feature_names_out()
    array(['a', 'and', 'goat', 'wolf'], dtype=object)
    """

    _known: _Known | None  # made again after a pickle

    def __init__(
        self,
        analyzer: Analyzer | None = None,
        *,
        binary: bool = False,
        min_df: float = 1,
        max_df: float = 1.0,
        max_features: int | None = None,
        vocabulary: Mapping[str, int] | Iterable[str] | None = None,
        dtype: DTypeLike = np.int64,
        threads: int | None = None,
    ) -> None:
        self.analyzer = analyzer
        self.binary = binary
        self.min_df = min_df
        self.max_df = max_df
        self.max_features = max_features
        self.vocabulary = vocabulary
        self.dtype = dtype
        self.threads = threads

    def fit(self, X: Any, y: Any = None) -> Self:
        """Learns the terms of these texts."""
        self._learn(_texts(X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Learns the terms of these texts, and counts them."""
        return self._as_wished(self._matrix(self._learn(_texts(X))), X)

    def transform(self, X: Any) -> Any:
        """Counts the known terms of each text."""
        self._check_fitted()
        return self._as_wished(self._matrix(self._known_bags(_texts(X))), X)

    def inverse_transform(self, X: Any) -> list[NDArray[Any]]:
        """The terms of each document."""
        self._check_fitted()
        counts, names = check_array(X, accept_sparse="csr"), self.get_feature_names_out()
        if counts.shape[1] != len(names):
            raise error("matrix-width", names=len(names), got=counts.shape[1])
        rows, columns = counts.nonzero()
        order = np.lexsort((columns, rows))
        return np.split(names[columns[order]], np.searchsorted(rows[order], np.arange(1, counts.shape[0])))

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """The terms, in the order of the columns."""
        self._check_fitted()
        names = np.empty(len(self.vocabulary_), dtype=object)
        names[list(self.vocabulary_.values())] = list(self.vocabulary_)
        return names

    # ---- inside --------------------------------------------------------------------------------------------------

    def _learn(self, texts: Texts) -> Bags:
        check_flag("binary", self.binary)
        if not _is_numeric(self.dtype):
            raise error("dtype-kind", got=self.dtype)
        if self.vocabulary is not None:
            self._use(self.vocabulary)
            return self._known_bags(texts)
        analyzer, table = self._analyzer_for(texts), Table()
        bags = self._bags(table, texts, analyzer, learn=True)
        documents = np.bincount(bags.ids, minlength=table.ids())
        ids = np.flatnonzero(documents).astype(np.uint32)  # parts of n-grams have ids too, and no documents
        names = table.texts(ids)
        order = sorted(range(len(names)), key=names.__getitem__)
        ids = ids[order]
        kept = self._kept(documents[ids], lambda: bags.totals(table.ids(), self.binary)[ids], len(texts))
        columns = np.full(table.ids(), -1, dtype=np.int32)
        columns[ids[kept]] = np.arange(len(kept), dtype=np.int32)
        self.analyzer_, self._known = analyzer, _Known(table, columns)
        self.vocabulary_ = dict(zip([names[order[place]] for place in kept.tolist()], range(len(kept)), strict=True))
        return bags

    def _analyzer_for(self, texts: Texts) -> Analyzer:
        check_analyzer(self.analyzer)
        if self.analyzer is None or not self.analyzer.is_open:
            return self.analyzer or Analyzer()
        data = training_data(texts=texts, labels=[0] * len(texts), analyzer=self.analyzer)
        return data.model(ledger=False).analyzer

    def _kept(self, documents: NDArray[np.intp], totals: Any, length: int) -> NDArray[np.intp]:
        """The places of the terms that stay, rising."""
        least, most = limits(self.min_df, self.max_df, length)
        kept = np.flatnonzero((documents >= least) & (documents <= most))
        if self.max_features is not None:
            kept = kept[most_frequent(self.max_features, lambda: totals()[kept], len(kept))]
        if not len(kept):
            why = "min_df and max_df leave none of them" if len(documents) else "there is no term in these texts"
            raise error("vocabulary-empty", why=why)
        return kept

    def _use(self, vocabulary: Mapping[str, int] | Iterable[str]) -> None:
        check_analyzer(self.analyzer)
        analyzer = self.analyzer or Analyzer()
        check_closed(plain(analyzer))
        self.vocabulary_, self.analyzer_ = fixed(vocabulary), analyzer
        self._known = None

    def _lookup(self) -> _Known:
        """The table of the terms."""
        known: _Known | None = getattr(self, "_known", None)
        if known is None:
            table, terms = Table(), list(self.vocabulary_)
            table.put(terms, 0, [1] * len(terms), [1] * len(terms))
            names = table.texts(np.arange(table.ids(), dtype=np.uint32))
            columns = np.array([self.vocabulary_.get(name, -1) for name in names], dtype=np.int32)
            known = self._known = _Known(table, columns)
        return known

    def _known_bags(self, texts: Texts) -> Bags:
        return self._bags(self._lookup().table, texts, self.analyzer_, learn=False)

    def _bags(self, table: Table, texts: Texts, analyzer: Analyzer, *, learn: bool) -> Bags:
        try:
            ends, ids, times, _ = table.bags(texts, analyzer.analysis, checked_threads(self.threads), learn)
            return Bags(ends, ids, times)
        except UnicodeEncodeError:
            assert isinstance(texts, list)  # columns are valid Unicode
            raise surrogate_error(texts) from None

    def _matrix(self, bags: Bags) -> Any:
        return matrix(bags, self._lookup().columns, len(self.vocabulary_), self.binary, self.dtype)

    def _as_wished(self, counts: Any, X: Any) -> Any:
        """What `set_output` asks for: the matrix, or a frame whose columns are sparse too."""
        wish = _get_output_config("transform", self)["dense"]
        if wish == "default":
            return counts
        if wish != "pandas":
            raise error("output-dense", wish=wish.capitalize())
        import pandas as pd  # type: ignore[import-untyped]

        index = X.index if isinstance(X, pd.Series) else None
        return pd.DataFrame.sparse.from_spmatrix(counts, index=index, columns=self.get_feature_names_out())

    def _check_fitted(self) -> None:
        if not hasattr(self, "vocabulary_"):
            if self.vocabulary is None:
                raise NotFittedError("This TextCounts instance is not fitted yet. Call 'fit' with texts first.")
            self._use(self.vocabulary)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vocabulary_") or self.vocabulary is not None

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.transformer_tags.preserves_dtype = []
        tags.requires_fit = self.vocabulary is None
        return tags

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in super().__getstate__().items() if name != "_known"}


def _texts(X: Any) -> Texts:
    if is_table(X) or getattr(X, "ndim", 1) != 1:
        raise error("texts-are-a-table", got=getattr(X, "shape", "?"))
    if not isinstance(X, Iterable):
        raise error("texts-not-a-list.counts", got=X)
    return checked_texts(X.tolist() if isinstance(X, np.ndarray) else X)


def _is_numeric(dtype: Any) -> bool:
    try:
        return np.dtype(dtype).kind in "biuf"
    except (TypeError, ValueError):  # UnicodeEncodeError is one
        return False
