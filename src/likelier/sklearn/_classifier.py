"""The classifier. `model_` is a likelier Model: it explains, forgets, is saved, and answers under other views.

scikit-learn wants a label and probabilities that sum to 1 for every document. Where the library has none:
a document that is impossible under every label gets the prior; a decision for no label is the most probable one.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin  # type: ignore[import-untyped]
from sklearn.utils.validation import check_is_fitted  # type: ignore[import-untyped]

from likelier._answer.decisions import NONE
from likelier._answer.verdict import Verdicts
from likelier._base.checks import is_one_of
from likelier._base.errors import LikelierError, error
from likelier._documents.kinds import MISSING
from likelier._documents.labels import Label, checked_labels
from likelier._estimate.numeric import NumericRule
from likelier._explain.explanation import Explanation
from likelier._model.models import Model
from likelier._settings.table import AFTER_SCORES, NAMES, SETTINGS
from likelier._settings.values import Settings
from likelier._text.analyzer import Analyzer
from likelier._train.trainer import train
from likelier.sklearn._classes import labels_of, places_of
from likelier.sklearn._columns import groups, kinds_of, listed, own_settings, with_rules
from likelier.sklearn._given import Given, batch_of, given, row_of, text_column

Floats = NDArray[np.float64]
Column = str | int
Columns = Column | Sequence[Column]


PARAMETERS = {  # parameter → setting; `numeric` names columns here
    (SETTINGS[name].parameter if name in SETTINGS else "") or name: name for name in NAMES
}


def _with_settings(init: Callable[..., None]) -> Signature:
    """The signature of a constructor with a parameter for each setting in place of `**settings`."""
    signature = inspect.signature(init)
    named = [each for each in signature.parameters.values() if each.kind is not Parameter.VAR_KEYWORD]
    settings = [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in PARAMETERS]
    return signature.replace(parameters=[*named, *settings])


class NaiveBayesClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Naive Bayes for raw texts, for frames with columns of all kinds, for rows (mappings) and for numbers.

    text, categorical, binary, numeric
        the columns by kind, as in `likelier.train`; in a frame or rows they are guessed if none is named. Columns of an
        array are named by place, and are numeric by default
    ignore, bind, missing_values, analyzer
        as in `likelier.train`
    view
        "auto": `fit` chooses the settings by exact leave-one-out as `likelier.train` does, `model_.selection` says how,
        and so does the first `partial_fit`; given a setting below that changes scores, it is "textbook". "textbook":
        multinomial, alpha 1
    choose_by
        what "auto" goes by: "accuracy" or "log-loss"
    refine
        fit refined weights too, as `likelier.train` does; `partial_fit` does so for its first part only
    event, alpha, smoothing, ... and all other settings of `Model.view`; docs/settings.md explains each
        changes of that view; None: no change. `numeric` is called `numeric_rule` here
    threads
        how many to use; all cores if not given

    After fit: `classes_`, `model_`, and where X has columns `n_features_in_` and `feature_names_in_`.

    >>> classifier = NaiveBayesClassifier().fit(["cheap watches", "lunch at noon"], ["spam", "ham"])
    >>> classifier.predict(["cheap lunch watches"])
    array(['spam'], dtype='<U4')
    """

    def __init__(
        self,
        *,
        text: Columns | Mapping[Column, Analyzer] | None = None,
        categorical: Columns | Mapping[Column, Sequence[str]] = (),
        binary: Columns = (),
        numeric: Columns | Mapping[Column, NumericRule | str | Sequence[float]] = (),
        ignore: Columns = (),
        bind: Sequence[Sequence[Column]] = (),
        missing_values: Sequence[str] = MISSING,
        analyzer: Analyzer | None = None,
        view: Literal["auto", "textbook"] = "auto",
        choose_by: Literal["accuracy", "log-loss"] = "accuracy",
        refine: bool = False,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        self.text = text
        self.categorical = categorical
        self.binary = binary
        self.numeric = numeric
        self.ignore = ignore
        self.bind = bind
        self.missing_values = missing_values
        self.analyzer = analyzer
        self.view = view
        self.choose_by = choose_by
        self.refine = refine
        self.threads = threads
        for name in PARAMETERS:
            setattr(self, name, settings.pop(name, None))
        if settings:
            raise TypeError(f"{type(self).__name__}() got an unexpected keyword argument {next(iter(settings))!r}")

    __init__.__signature__ = _with_settings(__init__)  # type: ignore[attr-defined]  # where scikit-learn looks

    # ---- learning ------------------------------------------------------------------------------------------------

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learns these documents."""
        labels, classes = labels_of(y, type(self).__name__)
        documents = self._given(X, reset=True)
        self._begin(documents, labels, _weights(sample_weight, len(labels)))
        self.classes_ = classes
        return self

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learns these documents too; all of them, or none if one is invalid. New words and labels may appear.

        The first part chooses the settings, if they are to be chosen, and later parts keep them. With "textbook" or
        given settings the model does not depend on how documents are split into parts.

        classes: labels that are to be among `classes_` already now; they have probability 0 until a document has them.
        """
        first = not hasattr(self, "model_")
        labels, found = labels_of(y, type(self).__name__)
        named = [found] if classes is None else [found, _named_classes(classes, labels)]
        documents = self._given(X, reset=first)
        if first:
            self._begin(documents, labels, _weights(sample_weight, len(labels)))
        else:
            self._learn(documents, labels, _weights(sample_weight, len(labels)))
        self.classes_ = np.unique(np.concatenate(named if first else [self.classes_, *named]))
        return self

    def _begin(self, documents: Given, labels: list[Label], weights: list[Any] | None) -> None:
        if weights is not None and not any(weights):
            raise error("weights-all-zero", weights=len(weights))
        kinds, is_given = kinds_of(self, documents), self._is_given()
        options = {name: getattr(self, name) for name in ("analyzer", "choose_by", "refine", "threads")}
        model = train(
            **_documents(documents),
            labels=labels,
            weights=weights,
            bind=groups(self.bind),
            progress=False,
            view=self._changes() if is_given else self.view,  # something may have to be counted for them
            **(kinds if is_given else with_rules(kinds, self.numeric)),
            **options,
        )
        self._chosen = {} if is_given else model.settings.to_dict()
        self._use_view(model)
        plain = documents.form == "table" and model.schema.is_plain
        self._text = text_column(documents.data, kinds) if plain else None
        self._columns = documents.columns
        self.model_ = model
        if documents.form == "rows":
            self.feature_names_in_ = np.array(list(model.schema.read), dtype=object)
            self.n_features_in_ = len(self.feature_names_in_)

    def _learn(self, documents: Given, labels: list[Label], weights: list[Any] | None) -> None:
        text = self._text if documents.form == "table" else None
        learned: dict[str, Any] = {**_documents(documents), "labels": labels, "weights": weights, "text": text}
        self.model_.learn_many(**learned, threads=self.threads)
        try:
            self._use_view(self.model_)
        except LikelierError:  # such as a prior that has no probability for a new label
            self.model_.forget_many(**learned, threads=self.threads)
            raise

    def _given(self, X: Any, *, reset: bool) -> Given:
        only_numbers = not any(map(listed, (self.text, self.categorical, self.binary, self.ignore)))
        return given(self, X, reset=reset, only_numbers=only_numbers)

    def _is_given(self) -> bool:
        """Whether the settings are given and not to be chosen: those of the textbook, or one that changes scores."""
        if is_one_of(self.view, ("textbook",)):
            return True
        changing = [parameter for parameter, name in PARAMETERS.items() if name not in AFTER_SCORES]
        return is_one_of(self.view, ("auto",)) and any(getattr(self, name) is not None for name in changing)

    def _changes(self) -> dict[str, Any]:
        """The settings that are given."""
        given = {name: getattr(self, parameter) for parameter, name in PARAMETERS.items()}
        given["columns"] = own_settings(self.numeric, given["columns"]) or None
        return {name: value for name, value in given.items() if value is not None}

    def _use_view(self, model: Model) -> None:
        """Gives the model the settings as they are now."""
        base = Settings() if self._is_given() else Settings.from_dict(self._chosen)
        model.use_settings(base.changed(**self._changes()))

    # ---- asking --------------------------------------------------------------------------------------------------

    def predict(self, X: Any) -> NDArray[Any]:
        """The label of each document; never None."""
        verdicts = self._verdicts(X)
        chosen = np.where(verdicts.columns == NONE, self._probabilities(verdicts).argmax(axis=1), verdicts.columns)
        return np.asarray(self.classes_[self._places[chosen]])

    def predict_proba(self, X: Any) -> Floats:
        """P(c|d) for each document and class; they sum to 1."""
        return self._spread(self._probabilities(self._verdicts(X)), 0.0)

    def predict_log_proba(self, X: Any) -> Floats:
        """log P(c|d), also where P(c|d) is too small for a floating-point number."""
        verdicts = self._verdicts(X)
        scores, probabilities = verdicts.log_scores, self._probabilities(verdicts)
        impossible = np.isneginf(scores).all(axis=1, keepdims=True)
        best = probabilities.argmax(axis=1)[:, np.newaxis]
        with np.errstate(divide="ignore"):
            safe = np.where(impossible, np.log(probabilities), scores)  # log P(c|d) = q_c - q_best + log P(best|d)
        log_best = np.log(np.take_along_axis(probabilities, best, axis=1))
        return self._spread(safe - np.take_along_axis(safe, best, axis=1) + log_best, -np.inf)

    def predict_joint_log_proba(self, X: Any) -> Floats:
        """log P(c) + log P(d|c), calibrated where the view is; minus infinity for all where no label is possible."""
        return self._spread(self._verdicts(X).log_scores, -np.inf)

    def explain(self, x: Any, *, against: Any = None) -> Explanation:
        """Explains the answer for one document: the sum behind it, item by item.

        x: a text, a mapping, or a row of the frame or the array: `frame.iloc[0]`, `X[0]`.
        against: the label to compare the most probable one with; the runner-up if not given.
        """
        check_is_fitted(self, "model_")
        if isinstance(x, str) or self._columns is None:
            return self.model_.explain(x, against=against)
        row = row_of(x, self._columns)
        if self._text is not None:
            return self.model_.explain(row.get(self._text), against=against)  # type: ignore[arg-type]
        read = {name: value for name, value in row.items() if name in self.model_.schema.read}
        return self.model_.explain(read, against=against)

    def _verdicts(self, X: Any) -> Verdicts:
        check_is_fitted(self, "model_")
        batch = batch_of(self.model_.schema, self._given(X, reset=False), self._text)
        return self.model_.classify_many(batch, threads=self.threads)

    def _probabilities(self, verdicts: Verdicts) -> Floats:
        """P(c|d); the prior where no label is possible."""
        impossible = np.isneginf(verdicts.log_scores).all(axis=1, keepdims=True)
        if not impossible.any():
            return verdicts.probabilities
        view = self.model_.view()
        return np.where(impossible, [float(view.prior(label)) for label in view.labels], verdicts.probabilities)

    @property
    def _places(self) -> NDArray[np.intp]:
        return places_of(self.model_.labels, self.classes_)

    def _spread(self, values: Floats, otherwise: float) -> Floats:  # (documents, labels) -> (documents, classes)
        spread = np.full((len(values), len(self.classes_)), otherwise)
        spread[:, self._places] = values
        return spread

    # ---- what scikit-learn asks about an estimator -----------------------------------------------------------------

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """The model as the bytes of its file, and no object of it."""
        state = dict(super().__getstate__())
        if "model_" in state:
            state["model_"] = state["model_"].to_bytes()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(dict(state))
        if "model_" in state:
            self.model_ = Model.from_bytes(state["model_"])


def _named_classes(classes: Any, labels: list[Label]) -> NDArray[Any]:
    named, found = labels_of(classes, "partial_fit")
    checked_labels(named, labels[:1])  # of one kind with those of the documents
    return found


def _documents(documents: Given) -> dict[str, Any]:
    return {"texts" if documents.form == "texts" else "documents": documents.data}


def _weights(sample_weight: Any, documents: int) -> list[Any] | None:
    if sample_weight is None:
        return None
    weights = np.asarray(sample_weight)
    return [weights.item()] * documents if weights.ndim == 0 else list(weights.tolist())
