"""From counts and settings to the parts of a score: which column is read in which way."""

from __future__ import annotations

from difflib import get_close_matches
from fractions import Fraction

from likelier.counts import Counts
from likelier.counts.mixed import ColumnCounts, MixedCounts
from likelier.counts.numeric import NumericCounts
from likelier.errors import SettingError
from likelier.estimate.estimator import Estimator
from likelier.estimate.numeric import Gaussian
from likelier.estimate.parts import Estimates, IntervalPart, NormalPart, Part, ValuePart, Words
from likelier.estimate.prior import log_priors, priors
from likelier.schema import Binary, Bound, Kind, Numeric, Schema, Text, kind_name
from likelier.settings import Settings

FITS = {  # which settings a column of its own may have
    "text": (
        *("event", "smoothing", "unknown", "min_count", "normalize"),
        *("weighting", "idf", "ngrams", "stop_words"),
    ),
    "numeric": ("numeric", "smoothing"),
    "categorical": ("smoothing", "unknown", "min_count"),
    "binary": ("smoothing", "unknown", "min_count"),
    "bound": ("smoothing", "unknown", "min_count"),
}


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


def check_columns(settings: Settings, schema: Schema) -> None:
    """Whether there are the columns that have settings of their own, these fit them, and what is read was counted."""
    for name, own in settings.columns.items():
        if name not in schema.columns:
            raise SettingError(
                code="settings-column-unknown",
                message=f"`columns` has settings for {name!r}, and the columns are: {schema.in_words()}",
                hint=f"did you mean {(get_close_matches(name, schema.columns, n=1) or list(schema.columns))[0]!r}?",
            )
        kind = kind_name(schema.columns[name])
        for setting in own:
            if setting not in FITS[kind]:
                raise SettingError(
                    code="column-setting-kind",
                    message=f"a {kind} column has the settings {', '.join(FITS[kind])}; got {setting!r} for {name!r}",
                    hint="leave it out, or train with another kind for the column",
                )
    for name, text in schema.texts.items():
        view, where = settings.of_column(name), "" if schema.is_plain else f" of {name!r}"
        text.statistic(view.weighting, where)
        text.orders(view.ngram_range, where)
