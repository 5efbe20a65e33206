"""Which terms a view reads and how it weighs them: what goes together.

Weightings and idf scale the counts of a multinomial; what is only there or not there has nothing to scale.
"""

from __future__ import annotations

from collections.abc import Mapping

from likelier._base.checks import has_entries, is_unicode
from likelier._base.errors import error
from likelier._documents.weighting import Weighting, check_weighting
from likelier._estimate.fitting import Event
from likelier._estimate.unknown import Unknown

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
