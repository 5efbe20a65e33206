"""From counts and settings to what each column adds: which sort of column stands for which kind."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from likelier._answer.scores import Estimates, Part
from likelier._columns.numbers import IntervalPart, NormalPart
from likelier._columns.values import ValuePart
from likelier._columns.words import Words
from likelier._counts.by_column import Counts
from likelier._counts.term_counts import TermCounts
from likelier._documents.schema import Schema
from likelier._estimate.estimator import Estimator
from likelier._estimate.numeric import Gaussian
from likelier._estimate.prior import log_priors, priors
from likelier._settings.values import Settings

MakePart = Callable[[str, Any, Any, Settings], Part]


def estimates(counts: Counts, schema: Schema, settings: Settings) -> Estimates:
    """What each column adds under these settings; what does not fit the counts is refused now."""
    sizes, prior = counts.sizes, settings.prior
    parts = {
        name: PARTS[kind.holds](name, kind, counts.columns[name], settings) for name, kind in schema.columns.items()
    }
    fractions = priors(sizes, prior)
    units = sizes.snapshot.documents.tolist() if prior == "fitted" else None
    numbers = None if units is None else [Fraction(number, sizes.unit) for number in units]
    return Estimates(counts.labels, fractions, log_priors(fractions), numbers, parts)


def _words(name: str, kind: Any, counts: TermCounts, settings: Settings) -> Part:
    own = settings.of_column(name)
    kind.statistic(own.weighting)  # refuses what was not counted
    estimator = Estimator(
        counts,
        event=own.event,
        smoothing=own.smoothing,
        unknown=own.unknown,
        least=own.min_count,
        normalize=own.normalize,
        weighting=own.weighting,
        idf=own.idf,
        orders=kind.orders(own.ngram_range),
        stop_words=own.stop_words,
    )
    return Words(name, estimator, kind.analyzer.with_ngrams(own.ngram_range))


def _value(name: str, kind: Any, counts: TermCounts, settings: Settings) -> Part:
    own = settings.of_column(name)
    return ValuePart(
        name,
        counts,
        kind.declared,
        smoothing=own.smoothing,
        unknown=own.unknown,
        least=settings.columns.get(name, {}).get("min_count", 1),
        closed=kind.is_closed,
    )


def _number(name: str, kind: Any, counts: Any, settings: Settings) -> Part:
    own = settings.of_column(name)
    if isinstance(own.numeric, Gaussian):
        return NormalPart(name, counts, own.numeric)
    return IntervalPart(name, counts, own.numeric, smoothing=own.smoothing, unknown=own.unknown)


PARTS: dict[str, MakePart] = {  # by what a kind of column holds
    "terms": _words,
    "value": _value,
    "number": _number,
}
