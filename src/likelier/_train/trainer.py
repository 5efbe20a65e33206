"""Training: read, take a sample and choose settings by it, count, and there is a model that can be asked."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence, Sized
from dataclasses import replace
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeVar

from likelier._answer.calibration import NoCalibration
from likelier._base.checks import check_flag, is_one_of
from likelier._base.errors import error
from likelier._documents.kinds import MISSING
from likelier._documents.labels import Label, alike, alike_in_words
from likelier._estimate.numeric import NumericRule
from likelier._model.models import Model, Path
from likelier._model.one_pass import Names, TrainingData, training_data
from likelier._read.intake import Pairs
from likelier._read.reader import Documents
from likelier._read.wanted import Others
from likelier._settings.table import NAMES
from likelier._settings.values import Settings, check_names
from likelier._show.progress import Report, shown
from likelier._text.analyzer import Analyzer

if TYPE_CHECKING:
    from likelier._train.sample import Sample
    from likelier._train.search import By

Given = ParamSpec("Given")
Result = TypeVar("Result")


def without_settings(function: Callable[Given, Result]) -> Callable[Given, Result]:
    """Says where a setting of the view goes that was given as an argument; its signature stays as it is."""
    known = signature(function).parameters

    @wraps(function)
    def call(*args: Given.args, **given: Given.kwargs) -> Result:
        for name in given:
            if name in NAMES and name not in known:
                raise error("train-settings", name=name, got=given[name])
        return function(*args, **given)

    return call


@without_settings
def train(
    documents: Pairs | Documents | Path | Any | None = None,
    labels: Iterable[Label] | None = None,
    *,
    texts: Iterable[str] | None = None,
    weights: Iterable[float] | None = None,
    label: str | None = None,
    text: Names | Mapping[str, Analyzer] | None = None,
    categorical: Names | Mapping[str, Sequence[str]] = (),
    binary: Names = (),
    numeric: Names | Mapping[str, NumericRule | str | Sequence[float]] = (),
    ignore: Names = (),
    others: Others = "leave",
    bind: Sequence[Sequence[str]] = (),
    missing_values: Sequence[str] = MISSING,
    analyzer: Analyzer | None = None,
    view: Literal["auto", "textbook"] | Mapping[str, Any] = "auto",
    choose_by: By = "accuracy",
    like: Model | None = None,
    most_terms: int | None = None,
    clean_labels: bool = False,
    ledger: bool = True,
    refine: bool = False,
    threads: int | None = None,
    progress: bool | Report | None = None,
) -> Model:
    """Trains a model on labeled documents: pairs of text and label, rows, a data frame, a file, or `read(...)`.

    labels: the labels of documents that do not hold them: `train(texts, labels)`.
    texts, labels: as columns; lists, or Arrow data of pandas, Polars, PyArrow or DuckDB.
    weights: how much each document counts; 1 if not given.
    label: the name of the column with the labels.
    text, categorical, binary, numeric: the columns by kind; guessed if none is given. One text column alone makes a
        model of plain texts. With a mapping, text columns have an analyzer each, categorical ones all their possible
        values, numeric ones a rule: "gaussian", "equal-width:5", "equal-frequency:5", "information" or cut points.
    ignore: columns to leave out when kinds are guessed.
    others: where some columns are named, "leave" the others out or "guess" their kinds.
    bind: groups of categorical or binary columns that count as one, because they depend on each other.
    missing_values: how a missing value is written in a categorical, binary or numeric column.
    analyzer: how text becomes terms, in all text columns that have none of their own.
    view: "auto" chooses the settings by exact leave-one-out on these documents, `print(model.selection)` says how;
        "textbook" is multinomial, alpha 1, unknown terms ignored; a mapping has settings as for `Model.view`.
    choose_by: "accuracy", or "log-loss" where probabilities matter more than verdicts.
    like: a model whose columns, analyzers and settings are taken, so that both can be merged without a loss. Its
        calibration is taken too if the labels are the same.
    most_terms: how many terms each text column may have; the rarest are dropped on the way, and `model.pruned` says
        what is lost. Without it, and up to it, every count is exact. Such a model cannot forget.
    clean_labels: join labels that differ only in case or blanks, under the most frequent spelling; without it, `train`
        warns of such labels.
    ledger: keep a fingerprint of each document, 20 bytes, so that only what was learned can be forgotten.
    refine: also fit refined weights, as `Model.refine` does: more accurate where documents are many and long, and
        slower to train.
    threads: how many to use; all cores if not given. The result does not depend on it.
    progress: True shows a bar with the time left on stderr, if that is a terminal or a notebook; None shows it only
        where commands are typed: at a prompt or in a notebook. Or a function that is called with how much is done, of
        how much (None if unknown), and what is being done: "reading", "choosing settings", "counting" or "refining".

    >>> model = train([("надо купить молоко", "ham"), ("спешите купить виагру", "spam")])
    >>> model.classify("купить молоко").label
    'ham'
    >>> train(["надо купить молоко", "спешите купить виагру"], ["ham", "spam"]).labels
    ('ham', 'spam')
    >>> model = train([({"outlook": "sunny", "wind": 3}, "yes"), ({"outlook": "rain", "wind": 40}, "no")])
    >>> model.classify({"outlook": "rain", "wind": 35}).label
    'no'
    """
    given = {"categorical": categorical, "binary": binary, "numeric": numeric, "ignore": ignore, "bind": bind}
    check_like(like, **given, others=others, missing_values=missing_values, analyzer=analyzer, view=view)
    data = training_data(
        documents,
        like=like,
        texts=texts,
        labels=labels,
        weights=weights,
        label=label,
        text=text,
        categorical=categorical,
        binary=binary,
        numeric=numeric,
        ignore=ignore,
        others=others,
        bind=bind,
        missing_values=missing_values,
        analyzer=analyzer,
        most_terms=most_terms,
        threads=threads,
        clean_labels=clean_labels,
    )
    look = data.source.so_far if isinstance(data.source, Documents) else None
    check_flag("refine", refine)
    with shown(progress, look) as report:
        data = replace(data, report=report, batches=list(data.batches) if refine else data.batches)
        model = trained(data, view, choose_by, like, ledger=ledger)
        if refine:
            model._refine(
                [each if each.schema is None or like else each.under(model.schema) for each in data.batches],
                data.threads,
                report,
            )
    if groups := alike(model.labels):
        warnings.warn(f"{alike_in_words(groups)}; clean_labels=True joins them", stacklevel=3)  # of who called `train`
    return model


def trained(
    data: TrainingData,
    view: Any,
    choose_by: By,
    like: Model | None,
    *,
    ledger: bool,
    sampled: Callable[[TrainingData], tuple[Sample, TrainingData]] | None = None,
    fill: Callable[[Model], None] | None = None,
) -> Model:
    """The model of some documents, with settings that are given or chosen.

    sampled: draws the documents by which settings are chosen. Default: from the documents that are read.
    fill: counts all documents elsewhere, and puts the counts into the model.
    """
    settings, selection = given_settings(view, data.rules) if like is None else like.settings, None
    if settings is None:
        from likelier._train.sample import take_sample  # these load what most programs never need
        from likelier._train.search import checked_by, select

        by = checked_by(choose_by)
        sample, data = (sampled or take_sample)(data.with_stop_words())
        choice = select(sample, data, by=by)
        settings, selection, fill = choice.settings, choice.selection, fill or choice.fill
        data = data if choice.analyzer is None else replace(data, analyzer=choice.analyzer)
    model = data.model(ledger=ledger, settings=settings, fill=fill)
    if like is None:
        model.settings, model.selection = settings, selection
    else:
        same = set(model.labels) == set(like.labels)
        model.use_settings(settings if same else settings.changed(calibration=NoCalibration()))
    return model


_USUAL: dict[str, Any] = {"others": "leave", "missing_values": MISSING, "analyzer": None, "view": "auto"}


def check_like(like: object, **given: Any) -> None:
    """Whether `like` is a model, and nothing else is given that it has."""
    if like is None:
        return
    if not isinstance(like, Model):
        raise error("like-kind", got=like)
    for name, value in given.items():
        is_usual = value == _USUAL[name] if name in _USUAL else isinstance(value, Sized) and not len(value)
        if not is_usual:
            raise error("like-and-others", name=name)


def given_settings(view: Any, rules: Mapping[str, Any]) -> Settings | None:
    """The settings that were given; None where they are to be chosen."""
    given = {} if is_one_of(view, ("textbook",)) else view
    if isinstance(given, Mapping):
        check_names(given)
        return Settings(columns=rules).changed(**given)
    if not is_one_of(view, ("auto",)):
        raise error("view-unknown", got=view)
    return None
