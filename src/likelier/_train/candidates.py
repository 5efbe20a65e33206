"""What is tried: settings of a view, from a broad look to a closer one.

The broad look takes every event model with every way to weigh terms, for the analyzer's own terms and for pairs of
words too, under three strengths of smoothing; for columns of numbers every rule. The closer look takes the best of
them and turns one knob at a time: more smoothing and less, other kinds of it, idf, rare terms or frequent words left
out.

The strength of additive smoothing is alpha where every occurrence of a term counts 1. Where terms have other weights,
alpha is the strength times the mean weight of an occurrence, so that the same strength smooths as much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from likelier._documents.weights import Weighting
from likelier._estimate.combinations import Event
from likelier._estimate.numeric import ByInformation, EqualFrequency, Gaussian, NumericRule, rule_name
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, Smoothing
from likelier._settings.table import ViewSettings

STRENGTHS = (1.0, 0.3, 0.1)
ALL_STRENGTHS = (10.0, 3.0, *STRENGTHS, 0.03, 0.01)
WEIGHTINGS: dict[Weighting, str] = {  # in words
    "count": "",
    "once": "each term once",
    "log": "log counts",
    "count-length": "counts by length",
    "once-length": "each term once by length",
    "log-length": "log counts by length",
}
ORDERS = {2: "pairs of words", 3: "runs of three words"}
RULES: tuple[NumericRule, ...] = (Gaussian(), ByInformation(), EqualFrequency(10))
OTHER_SMOOTHINGS = (JelinekMercer(0.5), JelinekMercer(0.9), AbsoluteDiscounting(0.7))
FREQUENT = (30, 100)  # words to leave out
PRIORS = ("fitted", "uniform")


@dataclass(frozen=True)
class CandidateSettings:
    """Settings to be judged.

    orders     the fewest and the most words of a term; None: the analyzer's own
    pieces     whether pieces of words are terms, too
    strength   of additive smoothing
    smoothing  another kind in its place
    frequent   how many of the most frequent words are left out
    numeric    the rule for columns of numbers; None: as it is
    """

    event: Event = "multinomial"
    weighting: Weighting = "count"
    orders: tuple[int, int] | None = None
    pieces: bool = False
    strength: float = 1.0
    smoothing: Smoothing | None = None
    idf: bool = False
    min_count: int = 1
    frequent: int = 0
    normalize: bool = False
    prior: str = "fitted"
    numeric: NumericRule | None = None

    @property
    def family(self) -> tuple[object, ...]:
        """What a closer look leaves as it is."""
        return self.event, self.weighting, self.orders, self.numeric

    def but(self, **changes: Any) -> CandidateSettings:
        """The same with changes; as `dataclasses.replace`, which takes ten times as long."""
        twin = object.__new__(CandidateSettings)
        twin.__dict__.update(self.__dict__, **changes)
        return twin

    def of_text(self, smoothing: Smoothing, frequent: Sequence[str]) -> ViewSettings:
        """The settings of a text column; frequent: the most frequent words, of which some are left out."""
        return {
            "event": self.event,
            "weighting": "count" if self.event == "binary" else self.weighting,
            "ngrams": self.orders,
            "idf": self.idf,
            "min_count": self.min_count,
            "stop_words": frequent[: self.frequent],
            "normalize": self.normalize,
            "smoothing": smoothing,
        }


def of_numbers() -> Iterator[CandidateSettings]:
    """The rules for columns of numbers."""
    for rule in RULES:
        for strength in STRENGTHS:
            yield CandidateSettings(numeric=rule, strength=strength)


def of_values() -> Iterator[CandidateSettings]:
    """For columns of values only smoothing can be chosen."""
    for strength in ALL_STRENGTHS:
        yield CandidateSettings(strength=strength)


def broad(start: CandidateSettings, labels: int, wider: tuple[int, int] | None) -> Iterator[CandidateSettings]:
    """Event models, weightings, n-grams and strengths, from a start that is the same for all.

    wider: n-grams beyond the analyzer's own; None where there are none.
    """
    for strength in STRENGTHS:
        yield replace(start, event="bernoulli", strength=strength)
    for weighting in WEIGHTINGS:  # one after the other: each needs counts of its own
        for orders in (None,) if wider is None else (None, wider):
            for strength in STRENGTHS:
                yield _weighted(replace(start, orders=orders, strength=strength), weighting)
                if labels > 2:  # of two labels each is the other's complement
                    yield replace(start, event="complement", weighting=weighting, orders=orders, strength=strength)


def _weighted(start: CandidateSettings, weighting: Weighting) -> CandidateSettings:
    """The multinomial model in which a term counts once is the binary one."""
    return replace(start, event="binary") if weighting == "once" else replace(start, weighting=weighting)


def closer(best: CandidateSettings, *, has_text: bool) -> Iterator[CandidateSettings]:
    """One knob at a time."""
    place = ALL_STRENGTHS.index(best.strength)
    for strength in ALL_STRENGTHS[max(place - 1, 0) : place + 2]:
        yield replace(best, strength=strength)
    if not has_text:
        return
    if best.event in ("multinomial", "complement"):
        for strength in {best.strength, 1.0}:
            yield replace(best, idf=True, strength=strength)
    if best.event == "complement":
        yield replace(best, normalize=True)
    if best.event == "binary" or (best.weighting == "count" and best.event == "multinomial"):
        for smoothing in OTHER_SMOOTHINGS:
            yield replace(best, smoothing=smoothing, strength=0.0)
    yield replace(best, min_count=2)
    for frequent in FREQUENT:
        yield replace(best, frequent=frequent)


def in_words(candidate: CandidateSettings, smoothing: Smoothing, has_text: bool) -> str:
    """What a person would say of it.

    >>> in_words(CandidateSettings(event="complement", orders=(1, 2), prior="uniform"), Additive(0.3), has_text=True)
    'complement, with pairs of words, alpha 0.3, uniform prior'
    """
    weighting = "" if candidate.event == "binary" else WEIGHTINGS[candidate.weighting]
    pieces = "with pieces of words" if candidate.pieces else ""
    parts = [candidate.event, weighting, _orders(candidate), pieces] if has_text else []
    if candidate.numeric is not None:
        parts.append(f"numbers {rule_name(candidate.numeric)}")
    parts += [
        "idf" if candidate.idf else "",
        f"alpha {float(smoothing.alpha):.6g}" if isinstance(smoothing, Additive) else repr(smoothing),
        "normalized" if candidate.normalize else "",
        f"terms seen {candidate.min_count} times" if candidate.min_count > 1 else "",
        f"without the {candidate.frequent} most frequent words" if candidate.frequent else "",
        "uniform prior" if candidate.prior == "uniform" else "",
    ]
    return ", ".join(filter(None, parts))


def _orders(candidate: CandidateSettings) -> str:
    if candidate.orders is None:
        return ""
    longest = candidate.orders[1]
    return f"with {ORDERS.get(longest, f'runs of {longest} words')}"
