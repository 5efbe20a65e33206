"""The settings of a view, checked. What is not given is the textbook setting."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from likelier.decide import Decision, MostProbable
from likelier.errors import SettingError
from likelier.estimate.fitting import Event, check_event
from likelier.estimate.prior import Prior, check_prior
from likelier.estimate.smoothing import Additive, Smoothing
from likelier.estimate.unknown import Unknown, check_unknown

WithoutEvidence = Literal["prior", "none"]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How counts are read.

    event             multinomial, binary, bernoulli or complement
    smoothing         Additive(alpha), MEstimate, JelinekMercer or AbsoluteDiscounting
    prior             "fitted", "uniform" or label → probability
    unknown           ignore, zero, smooth, grow or unk
    min_count         terms seen fewer times are left out, or are UNK
    decide            MostProbable(), Thresholds(...) or LeastCost(...)
    without_evidence  a text without any known term: the "prior" decides, or the verdict is "none"
    normalize         complement only: divide each label's weights by their sum
    """

    event: Event = "multinomial"
    smoothing: Smoothing = field(default_factory=Additive)
    prior: Prior = "fitted"
    unknown: Unknown = "ignore"
    min_count: float = 1
    decide: Decision = field(default_factory=MostProbable)
    without_evidence: WithoutEvidence = "prior"
    normalize: bool = False

    def __post_init__(self) -> None:
        check_event(self.event)
        check_prior(self.prior)
        check_unknown(self.unknown)
        if not isinstance(self.min_count, int | float) or not 1 <= self.min_count < float("inf"):
            raise SettingError(
                code="min-count-range",
                message=f"`min_count` must be a number of 1 or more, got {self.min_count!r}",
                hint="1 keeps every term, 2 leaves out those seen once",
            )
        if self.without_evidence not in ("prior", "none"):
            raise SettingError(
                code="without-evidence-unknown",
                message=f"`without_evidence` must be 'prior' or 'none', got {self.without_evidence!r}",
                hint="'prior' lets the prior decide about a text without known terms",
            )
        if self.normalize and self.event != "complement":
            raise SettingError(
                code="normalize-needs-complement",
                message=f"`normalize` is a setting of the complement model, got it with {self.event!r}",
                hint="event='complement', normalize=True",
            )
        for name, wanted in (("smoothing", "ratio"), ("decide", "choose")):
            if not hasattr(getattr(self, name), wanted):
                raise SettingError(
                    code=f"{name}-kind",
                    message=f"`{name}` must be one of likelier's rules, got {getattr(self, name)!r}",
                    hint="smoothing=JelinekMercer(0.7)" if name == "smoothing" else "decide=Thresholds({'spam': 0.8})",
                )


def smoothing_from(alpha: float | None, smoothing: Smoothing | None) -> Smoothing:
    """The rule from either way of giving it."""
    if alpha is not None and smoothing is not None:
        raise SettingError(
            code="alpha-and-smoothing",
            message=f"give `alpha` or `smoothing`, not both; got alpha={alpha!r} and smoothing={smoothing!r}",
            hint="alpha=0.5 is short for smoothing=Additive(0.5)",
        )
    return smoothing if smoothing is not None else Additive(1 if alpha is None else alpha)
