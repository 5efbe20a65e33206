"""Policies for unknown terms, and which settings go together.

A term that does not occur in the training set counts

ignore  nothing; the text is read without it
zero    probability 0 under every label: no decision is possible
smooth  as a term with count 0, |V| unchanged
grow    as a term with count 0; |V| grows by the distinct unknown terms of this text
unk     as UNK, one more entry of the vocabulary, which holds the counts of rare training terms (`min_count`)

Combinations of settings that do not go together, or not with the counts, are refused before anything is estimated.
Weightings and idf scale the counts of a multinomial model; the binary and Bernoulli models have nothing to scale.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Literal, get_args

from likelier._base.checks import check_one_of, has_entries, is_unicode
from likelier._base.errors import error
from likelier._base.numbers import Real
from likelier._counts.term_counts import TermCounts
from likelier._documents.weights import Weighting, check_weighting, extra
from likelier._estimate.smoothing import AbsoluteDiscounting, MEstimate, Smoothing

Unknown = Literal["ignore", "zero", "smooth", "grow", "unk"]


def check_unknown(unknown: object) -> None:
    """Whether there is such a policy."""
    check_one_of("unknown-policy", unknown, get_args(Unknown))


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


def check_combination(event: Event, smoothing: Smoothing, unknown: Unknown, least: float) -> None:
    """Whether the settings have a meaning together."""
    if event == "bernoulli" and unknown == "unk" and least > 1:
        raise error("unk-needs-documents")
    if event == "complement" and smoothing.is_off:
        raise error("complement-needs-smoothing")
    if isinstance(smoothing, MEstimate) and not isinstance(smoothing.p, str) and event != "bernoulli":
        _check_given_sum(smoothing.p)


def _check_given_sum(given: Mapping[str, Real]) -> None:
    total = math.fsum(given.values())
    if abs(total - 1) > 1e-9:
        raise error("p-sum", got=total)


SCALED = ("multinomial", "complement")


def check_weighed(event: Event, weighting: Weighting, idf: bool, unknown: Unknown) -> None:
    """Whether event model, weighting, idf and unknown terms have a meaning together."""
    check_weighting(weighting)
    if weighting != "count" and event not in SCALED:
        raise error("weighting-needs-multinomial", got=weighting, event=event)
    if idf and event not in SCALED:
        raise error("idf-needs-multinomial", event=event)
    if idf and unknown == "unk":
        raise error("idf-with-unk")


def left_out(terms: object) -> tuple[str, ...]:
    """The terms that a view leaves out, sorted, each once.

    >>> left_out(["the", "a", "the"])
    ('a', 'the')
    """
    words = None if isinstance(terms, str | bytes | Mapping) or not has_entries(terms) else list(terms)
    if words is None or not all(isinstance(word, str) and word and is_unicode(word) for word in words):
        raise error("stop-words-of-view", got=terms)
    return tuple(sorted(set(words)))
