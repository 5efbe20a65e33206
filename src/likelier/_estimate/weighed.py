"""Which terms a view reads and how it weighs them: what goes together.

Weightings and idf scale the counts of a multinomial; what is only there or not there has nothing to scale.
"""

from __future__ import annotations

from collections.abc import Mapping

from likelier._base.checks import has_entries, is_unicode
from likelier._base.errors import SettingError
from likelier._documents.weighting import Weighting, check_weighting
from likelier._estimate.fitting import Event
from likelier._estimate.unknown import Unknown

SCALED = ("multinomial", "complement")


def check_weighed(event: Event, weighting: Weighting, idf: bool, unknown: Unknown) -> None:
    """Whether event model, weighting, idf and unknown terms have a meaning together."""
    check_weighting(weighting)
    if weighting != "count" and event not in SCALED:
        raise SettingError(
            code="weighting-needs-multinomial",
            message=f"`weighting` is a setting of the multinomial and the complement model, got {weighting!r}"
            f" with {event!r}",
            hint=f"event='multinomial', weighting={weighting!r}; event='binary' is weighting='once'",
        )
    if idf and event not in SCALED:
        raise SettingError(
            code="idf-needs-multinomial",
            message=f"`idf` is a setting of the multinomial and the complement model, got it with {event!r}",
            hint="event='multinomial', idf=True",
        )
    if idf and unknown == "unk":
        raise SettingError(
            code="idf-with-unk",
            message="`idf` weighs a term by the number of documents that have it, and for UNK, which stands for many"
            " terms, that is not known",
            hint="unknown='ignore', or unknown='smooth', with idf=True",
        )


def left_out(terms: object) -> tuple[str, ...]:
    """The terms that a view leaves out, sorted, each once.

    >>> left_out(["the", "a", "the"])
    ('a', 'the')
    """
    words = None if isinstance(terms, str | bytes | Mapping) or not has_entries(terms) else list(terms)
    if words is None or not all(isinstance(word, str) and word and is_unicode(word) for word in words):
        raise SettingError(
            code="stop-words-of-view",
            message=f"`stop_words` of a view are terms as they are counted, got {terms!r:.60}",
            hint="stop_words=['the', 'and']; for the list of a language: Analyzer(stop_words='en') when training",
        )
    return tuple(sorted(set(words)))
