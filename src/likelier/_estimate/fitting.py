"""Which settings go together, and with which counts. What does not is refused before anything is estimated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

from likelier._base.checks import is_one_of
from likelier._base.errors import SettingError
from likelier._base.numbers import Real
from likelier._counts.term_counts import Counts
from likelier._documents.weighting import Weighting, extra
from likelier._estimate.smoothing import AbsoluteDiscounting, MEstimate, Smoothing
from likelier._estimate.unknown import Unknown

Event = Literal["multinomial", "binary", "bernoulli", "complement"]


def check_event(event: object) -> None:
    """Whether there is such an event model."""
    if not is_one_of(event, get_args(Event)):
        raise SettingError(
            code="event-unknown",
            message=f"`event` must be one of {', '.join(get_args(Event))}, got {event!r}",
            hint="'multinomial' counts every occurrence, 'bernoulli' asks for each term whether it is there",
        )


def check_counts(
    counts: Counts, event: Event, smoothing: Smoothing, weighting: Weighting = "count", idf: bool = False
) -> None:
    """Whether the counts have what the event model, the weighting and the smoothing need."""
    needs = (
        f"the {event} model" if event in ("binary", "bernoulli") else "weighting='once'" if weighting == "once" else ""
    )
    if (idf or needs) and not counts.has_df:
        raise SettingError(
            code="document-frequencies-missing",
            message=f"{needs or 'idf'} needs in how many documents each term stands,"
            " and these counts come from a table without that",
            hint="Counts.from_table(table, documents, document_frequencies={...}), or event='multinomial'",
        )
    if isinstance(smoothing, AbsoluteDiscounting) and (idf or extra(weighting) or counts.unit != 1):
        why = (
            f"weighting={weighting!r}"
            if extra(weighting)
            else "idf"
            if idf
            else "documents with weights that are not whole"
        )
        raise SettingError(
            code="discount-needs-whole-counts",
            message="absolute discounting takes its discount from every count of 1 or more,"
            f" and with {why} there are smaller ones",
            hint="smooth with alpha or JelinekMercer, or count whole: weighting='count', idf=False, whole weights",
        )


def check_combination(event: Event, smoothing: Smoothing, unknown: Unknown, min_count: float) -> None:
    """Whether the settings have a meaning together."""
    if event == "bernoulli" and unknown == "unk" and min_count > 1:
        raise SettingError(
            code="unk-needs-documents",
            message="how many documents hold any rare term is not a sum over terms,"
            " so UNK with min_count > 1 has no exact Bernoulli count",
            hint="unknown='ignore' drops the rare terms; event='binary' counts them one by one",
        )
    if event == "complement" and smoothing.is_off:
        raise complement_needs_smoothing()
    if isinstance(smoothing, MEstimate) and not isinstance(smoothing.p, str) and event != "bernoulli":
        _check_given_sum(smoothing.p)


def complement_needs_smoothing() -> SettingError:
    """The error for a weight that would be infinite."""
    return SettingError(
        code="complement-needs-smoothing",
        message="without smoothing, a term that was seen under one label only would have infinite weight",
        hint="give alpha more than 0, or another smoothing that leaves no zeros",
    )


def _check_given_sum(given: Mapping[str, Real]) -> None:
    total = math.fsum(given.values())
    if abs(total - 1) > 1e-9:
        raise SettingError(
            code="p-sum",
            message=f"the probabilities of a mapping for `p` must sum to 1 over the vocabulary, got {total!r}",
            hint="divide each by their sum",
        )
