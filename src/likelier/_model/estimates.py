"""From counts and settings to the parts of a score: which column is read in which way."""

from __future__ import annotations

from fractions import Fraction

from likelier._counts.mixed import ColumnCounts, MixedCounts
from likelier._counts.numeric import NumericCounts
from likelier._counts.term_counts import Counts
from likelier._documents.kinds import Binary, Bound, Kind, Numeric, Text
from likelier._documents.schema import Schema
from likelier._estimate.estimator import Estimator
from likelier._estimate.numeric import Gaussian
from likelier._estimate.parts import Estimates, IntervalPart, NormalPart, Part, ValuePart, Words
from likelier._estimate.prior import log_priors, priors
from likelier._settings.values import Settings


def estimates(counts: Counts | MixedCounts, schema: Schema, settings: Settings) -> Estimates:
    """What each column adds under these settings; what does not fit the counts is refused now."""
    documents = counts if isinstance(counts, Counts) else counts.documents
    parts = {
        name: _part(name, kind, counts if isinstance(counts, Counts) else counts.columns[name], settings)
        for name, kind in schema.columns.items()
    }
    prior = settings.prior
    fractions = priors(documents, prior)
    units = documents.snapshot.documents.tolist() if prior == "fitted" else None
    numbers = None if units is None else [Fraction(number, documents.unit) for number in units]
    return Estimates(counts.labels, fractions, log_priors(fractions), numbers, parts)


def _part(name: str, kind: Kind, counts: ColumnCounts, settings: Settings) -> Part:
    own = settings.of_column(name)
    if isinstance(counts, NumericCounts):
        if isinstance(own.numeric, Gaussian):
            return NormalPart(name, counts, own.numeric)
        return IntervalPart(name, counts, own.numeric, smoothing=own.smoothing, unknown=own.unknown)
    if isinstance(kind, Text):
        return Words(name, _words(counts, kind, own), kind.analyzer.with_ngrams(own.ngram_range))
    assert not isinstance(kind, Numeric)
    values = () if isinstance(kind, Bound) else kind.values
    least = settings.columns.get(name, {}).get("min_count", 1)
    return ValuePart(
        name,
        counts,
        values,
        smoothing=own.smoothing,
        unknown=own.unknown,
        min_count=least,
        closed=isinstance(kind, Binary),
    )


def _words(counts: Counts, kind: Text, settings: Settings) -> Estimator:
    kind.statistic(settings.weighting)  # refuses what was not counted
    return Estimator(
        counts,
        event=settings.event,
        smoothing=settings.smoothing,
        unknown=settings.unknown,
        min_count=settings.min_count,
        normalize=settings.normalize,
        weighting=settings.weighting,
        idf=settings.idf,
        orders=kind.orders(settings.ngram_range),
        stop_words=settings.stop_words,
    )
