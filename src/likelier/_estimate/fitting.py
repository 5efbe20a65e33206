"""Which settings go together, and with which counts. What does not is refused before anything is estimated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

from likelier._base.checks import check_one_of
from likelier._base.errors import error
from likelier._base.numbers import Real
from likelier._counts.term_counts import TermCounts
from likelier._documents.weighting import Weighting, extra
from likelier._estimate.smoothing import AbsoluteDiscounting, MEstimate, Smoothing
from likelier._estimate.unknown import Unknown

Event = Literal["multinomial", "binary", "bernoulli", "complement"]


def check_event(event: object) -> None:
    """Whether there is such an event model."""
    check_one_of("event-unknown", event, get_args(Event))


def check_counts(
    counts: TermCounts, event: Event, smoothing: Smoothing, weighting: Weighting = "count", idf: bool = False
) -> None:
    """Whether the counts have what the event model, the weighting and the smoothing need."""
    needs = (
        f"the {event} model" if event in ("binary", "bernoulli") else "weighting='once'" if weighting == "once" else ""
    )
    if (idf or needs) and not counts.has_df:
        raise error("document-frequencies-missing", what=needs or "idf")
    if isinstance(smoothing, AbsoluteDiscounting) and (idf or extra(weighting) or counts.unit != 1):
        why = (
            f"weighting={weighting!r}"
            if extra(weighting)
            else "idf"
            if idf
            else "documents with weights that are not whole"
        )
        raise error("discount-needs-whole-counts", why=why)


def check_combination(event: Event, smoothing: Smoothing, unknown: Unknown, min_count: float) -> None:
    """Whether the settings have a meaning together."""
    if event == "bernoulli" and unknown == "unk" and min_count > 1:
        raise error("unk-needs-documents")
    if event == "complement" and smoothing.is_off:
        raise error("complement-needs-smoothing")
    if isinstance(smoothing, MEstimate) and not isinstance(smoothing.p, str) and event != "bernoulli":
        _check_given_sum(smoothing.p)


def _check_given_sum(given: Mapping[str, Real]) -> None:
    total = math.fsum(given.values())
    if abs(total - 1) > 1e-9:
        raise error("p-sum", got=total)
