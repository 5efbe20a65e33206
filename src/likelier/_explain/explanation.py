"""An explanation: the sum behind a verdict, item by item.

    sum(c) = log P(c) + sum of times * weight(t,c) + absent terms (Bernoulli) + unknown terms

For a document with columns the sum goes on with the next column: its terms, its value, its number. Where the view is
calibrated, the rule makes the log scores of the sums, and `steps.py` says how; without a calibration they are the sums.

Items are in the order in which they are added, so that their contributions, added one after the other, give the
sum that is shown, to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal

from likelier._answer.calibration import Calibration
from likelier._answer.verdict import Verdict
from likelier._base.cached import cached_property
from likelier._base.checks import check_flag, checked_width
from likelier._base.errors import LikelierError
from likelier._documents.labels import Label
from likelier._estimate.smoothing import Formula, Rounded, short

Power = tuple[Fraction, int]  # a probability, and how often it is a factor
Kind = Literal["prior", "term", "value", "absent", "unknown", "missing", "correction", "refined"]
Located = tuple[str, list[tuple[str, int, int]]]  # a text, and its terms with where they start and end
EVIDENCE = ("term", "value")


@dataclass(frozen=True, slots=True)
class Factor:
    """One probability under one label: how it is worked out, and its exact value. A density is no fraction."""

    formula: Formula
    value: Fraction | float

    @property
    def shown(self) -> str:
        """The value: a fraction, or a density in a few digits, which is never 0 however small."""
        if isinstance(self.value, Rounded):
            return short(self.value)
        if isinstance(self.value, Fraction):
            return str(self.value)
        return f"{self.value:.4g}" if self.value else "<1e-300"

    @property
    def is_density(self) -> bool:
        """Whether the value is the density of a normal distribution and no probability."""
        return not isinstance(self.value, Fraction)

    def __str__(self) -> str:
        worked, value = str(self.formula), self.shown
        return worked if worked.replace(" ", "") == value else f"{worked} = {value}"


@dataclass(frozen=True)
class Known:
    """What would be worked out when asked for, worked out: a value, or the error that says why there is none."""

    found: Any

    @classmethod
    def by(cls, make: Callable[[], Any]) -> Known:
        """What this gives. It can be pickled, as functions inside functions cannot."""
        try:
            return cls(make())
        except LikelierError as error:
            return cls(error)

    def __call__(self) -> Any:
        if isinstance(self.found, LikelierError):
            raise self.found
        return self.found


@dataclass(frozen=True)
class Item:
    """One summand.

    kind           prior; term, or value of a column; absent (all terms of V that the text lacks, together), unknown
                   (all together); missing: the columns without a value, which add nothing; correction: of the prior,
                   fitted by the calibration; refined: what refined weights add beyond these items
    name           the term, or the column and its value; for `unknown` the terms, or the column and its value;
                   for `missing` the columns; else a short description
    terms          how many different terms it stands for
    times          how often its weight is added; not whole where the view weighs terms by logarithms
    weights        label → what one occurrence adds
    contributions  label → times * weight
    column         the column that it comes from; None for the prior, and where documents are plain texts
    idf            what the logarithm of the probability is multiplied by in `weights`; 1 without idf
    title          the name in tables: with its column where a term alone does not tell which one it is
    refined        label → what refined weights add, to the log score itself; empty where there are none
    """

    kind: Kind
    name: str
    terms: int
    times: float
    weights: Mapping[Label, float]
    contributions: Mapping[Label, float]
    _factors: Callable[[], Mapping[Label, Factor]] = field(repr=False, compare=False)
    column: str | None = None
    idf: float = 1.0
    title: str = ""
    refined: Mapping[Label, float] = field(default_factory=dict)

    @cached_property
    def factors(self) -> Mapping[Label, Factor]:
        """label → the probability behind the weight, exact; empty for `absent`, and where nothing is estimated."""
        return self._factors()

    def __getstate__(self) -> dict[str, Any]:
        state = {**vars(self), "_factors": Known.by(lambda: dict(self.factors))}
        state.pop("factors", None)
        return state

    def difference(self, label: Label, against: Label) -> float:
        """What the item says for `label` and against the other; 0 where both are impossible."""
        one, two = self.contributions[label], self.contributions[against]
        return 0.0 if one == two else one - two

    def refined_difference(self, label: Label, against: Label) -> float:
        """What refined weights say for `label` and against the other."""
        return self.refined[label] - self.refined[against] if self.refined else 0.0


@dataclass(frozen=True)
class Vocabulary:
    """The terms of V, with those that a text lacks.

    size     how many terms V has, UNK included where the view has it
    names    the first of them, in the order of V
    lacking  those of `names` that the text lacks, which are added zero times; under the Bernoulli model their absence
             is added once
    """

    size: int
    names: list[str]
    lacking: list[Item]


@dataclass(frozen=True)
class Explanation:
    """The sum behind a verdict, item by item.

    document    column → its value as it was read, a text or a number; None where it is missing
    texts       text column → the text as it was read, in composed form, and each term in reading order with where it
                starts and ends
    verdict     the answer that is explained
    items       the summands, in the order in which they are added
    events      text column → its event model; for "complement" the factors are P(t|not c), and weights are minus their
                logarithms
    normalized  complement only: the text columns whose weights are also divided by the sum of their absolute values
    is_plain    whether the document is a text and not a row of columns
    weightings  text column → the weighting of its terms, where that is not by count
    with_idf    the text columns whose counts and weights are multiplied by idf
    rule        the calibration that made the log scores of the sums; None: they are the same
    known       how many terms and values of the document are known
    against     the label to compare the winner with; None: the runner-up
    unknown     column → how its unknown terms or values are treated
    naive       the explanation by naive Bayes alone, where the model has refined weights; else None
    naive_factor  what the log scores of naive Bayes are multiplied by beside refined weights

    >>> from likelier import train
    >>> model = train([("cheap watches", "spam"), ("lunch at noon", "ham")])
    >>> explanation = model.explain("cheap lunch watches")
    >>> [(item.name, round(item.weights["spam"] - item.weights["ham"], 3)) for item in explanation.items]
    [('prior', 0.0), ('cheap', 0.827), ('lunch', -0.56), ('watches', 0.827)]
    """

    document: Mapping[str, str | float | None]
    texts: Mapping[str, Located]
    verdict: Verdict
    items: list[Item]
    events: Mapping[str, str]
    normalized: frozenset[str]
    is_plain: bool
    _powers: Callable[[], Mapping[Label, Sequence[Power]]] = field(repr=False, compare=False)
    weightings: Mapping[str, str] = field(default_factory=dict)
    with_idf: frozenset[str] = frozenset()
    rule: Calibration | None = None
    known: int = 0
    against: Label | None = None
    unknown: Mapping[str, str] = field(default_factory=dict)
    _vocabulary: Callable[[], Mapping[str, Vocabulary]] = field(default=dict, repr=False, compare=False)
    naive: Explanation | None = None
    naive_factor: float = 1.0

    @property
    def calibration(self) -> str | None:
        """The rule that made the probabilities of the sums, by its name; None: they are Bayes' rule alone."""
        return None if self.rule is None else self.rule.name

    @property
    def text(self) -> str:
        """The first text, as it was read."""
        return next(iter(self.texts.values()), ("", []))[0]

    @property
    def spans(self) -> list[tuple[str, int, int]]:
        """Each term of the first text, in reading order, with its start and end in `text`."""
        return next(iter(self.texts.values()), ("", []))[1]

    @cached_property
    def labels(self) -> list[Label]:
        """The labels, most probable first."""
        scores = self.verdict.log_scores
        return sorted(scores, key=lambda label: (-scores[label], label != self.verdict.label))

    @property
    def winner(self) -> Label:
        """The most probable label, whether or not it was chosen."""
        return self.labels[0]

    @property
    def runner_up(self) -> Label | None:
        """The second most probable label; None when there is only one."""
        return self.labels[1] if len(self.labels) > 1 else None

    @cached_property
    def compared(self) -> list[Label]:
        """The winner and the label it is compared with: `against`, else the runner-up; or the only label."""
        if self.against is None or self.against == self.winner:
            return self.labels[:2]
        return [self.winner, self.against]

    @cached_property
    def sums(self) -> dict[Label, float]:
        """label → the sum of the contributions."""
        return _sums(self.items, self.verdict.log_scores)

    @cached_property
    def refined_sums(self) -> dict[Label, float]:
        """label → what refined weights add to its log score in all."""
        return {label: math.fsum(item.refined.get(label, 0.0) for item in self.items) for label in self.log_scores}

    @property
    def naive_scores(self) -> dict[Label, float]:
        """label → the score of naive Bayes: the sum without what a calibration adds."""
        return _sums([item for item in self.items if item.kind != "correction"], self.verdict.log_scores)

    @property
    def log_scores(self) -> dict[Label, float]:
        """label → the log score of the verdict: the sum, calibrated where the view is.

        With refined weights: `naive_factor` times that, and what they add.
        """
        return self.verdict.log_scores

    @property
    def log_odds(self) -> float:
        """The winner's log score minus that of the other label; infinite when only the winner is possible."""
        return self._odds(self.log_scores)

    @property
    def _naive_odds(self) -> float:
        """The same by naive Bayes alone, for the labels that are compared here."""
        return self._odds((self.naive or self).log_scores)

    def _odds(self, scores: Mapping[Label, float]) -> float:
        if len(self.compared) < 2:
            return math.inf
        one, two = (scores[label] for label in self.compared)
        return 0.0 if one == two else one - two

    @cached_property
    def joint(self) -> dict[Label, Fraction]:
        """label → P(c) times all factors, exact. For the complement model factors divide instead.

        Normalized complement weights, densities, idf and weightings by logarithms have no such product: an error.
        """
        return {
            label: math.prod((base**times for base, times in of), start=Fraction(1))
            for label, of in self._powers().items()
        }

    @cached_property
    def vocabulary(self) -> Mapping[str, Vocabulary]:
        """text column → the first terms of its vocabulary, and those that the text lacks."""
        return self._vocabulary()

    @property
    def posterior(self) -> dict[Label, Fraction] | None:
        """label → joint / sum of joints, exact; None when every joint is 0."""
        total = sum(self.joint.values())
        return {label: joint / total for label, joint in self.joint.items()} if total else None

    def strongest(self, label: Label | None = None, against: Label | None = None) -> list[Item]:
        """Terms and values, strongest for the label first, those against it last. Default: the two compared."""
        terms = [item for item in self.items if item.kind in EVIDENCE]
        if label is None or against is None:
            label, against, *_ = [*self.compared, None]
        return terms if against is None else sorted(terms, key=lambda item: -self._says(item, label, against))

    def _says(self, item: Item, label: Label, against: Label) -> float:
        """What the item says for `label`; refined weights are brought to the scale of the sum."""
        return item.difference(label, against) + self._scale * item.refined_difference(label, against)

    @cached_property
    def _scale(self) -> float:
        """How much of the sum one of the log score is, about."""
        apart, calibrated = abs(self._odds(self.sums)), self.naive_factor * abs(self._naive_odds)
        return apart / calibrated if 0 < calibrated < math.inf and apart < math.inf else 1.0

    def __getstate__(self) -> dict[str, Any]:
        known = {"_powers": Known.by(self._powers), "_vocabulary": Known.by(lambda: self.vocabulary)}
        return {**vars(self), **known}  # not the product of the powers, which may be millions of digits

    # The forms are made elsewhere; they are imported when asked for.

    def __str__(self) -> str:
        from likelier._explain.terminal import render

        return render(self)

    def to_text(self, *, color: bool = False, width: int = 80, full: bool = False) -> str:
        """Sentences and a table with bars for the terminal; full: with each label's fractions and logarithms."""
        from likelier._explain.terminal import render

        check_flag("color", color)
        check_flag("full", full)
        return render(self, color=color, width=checked_width(width), full=full)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for JSON."""
        from likelier._explain.plain import to_dict

        return to_dict(self)

    def to_html(self, *, full: bool = False) -> str:
        """A piece of HTML: the text with its words highlighted by weight, and the table; full: as for `to_text`."""
        from likelier._explain.html import render

        check_flag("full", full)
        return render(self, full=full)

    def _repr_html_(self) -> str:
        return self.to_html()  # what notebooks show

    def to_latex(self, *, document: bool = False) -> str:
        """The derivation, as a lecturer would write it; document: a complete LaTeX document."""
        from likelier._explain.derivation import derivation, readable_form

        return derivation(self, form=readable_form(self)).to_latex(document=document)

    def to_svg(self) -> str:
        """A picture: from the prior to the verdict, a bar for each term."""
        from likelier._explain.picture import picture

        return picture(self)


def _sums(items: Sequence[Item], labels: Mapping[Label, float]) -> dict[Label, float]:
    sums = dict.fromkeys(labels, 0.0)
    for index, item in enumerate(items):
        for label, contribution in item.contributions.items():
            sums[label] = contribution if index == 0 else sums[label] + contribution
    return sums
