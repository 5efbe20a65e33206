"""Where naivety fails: the joint distribution of two columns beside the product of their marginals.

    P(x,y|c)  and  P(x|c) P(y|c),    where  P(x|c) = sum of P(x,y'|c) over all y'

Naive Bayes decides by P(c) P(x|c) P(y|c). Where the columns depend on each other although the label is known, that may
be another label than the one of P(c) P(x,y|c).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from likelier._base.checks import check_flag, checked_names
from likelier._board.pairs import Pairs, read_pairs
from likelier._documents.labels import Label
from likelier._estimate.prior import Prior, check_prior, priors_of
from likelier._show import latex
from likelier._show.expressions import (
    Chain,
    Expression,
    Joined,
    Name,
    Probability,
    Product,
    Relation,
    in_decimals,
)
from likelier._show.table import Cell, Table, own
from likelier._show.words import listed

_CLOSE = Fraction(1, 10**9)  # floats are rounded


@dataclass(frozen=True)
class JointTable(Table):
    """Joint probabilities of two columns, beside the product of the marginals.

    holds        whether all are equal, so that the columns are independent under each label
    decisions    what both decide for the values to classify; None if there are none
    naive_label  the label by the product; None where no label has the highest number
    joint_label  the label by the joint distribution

    >>> from likelier import joint_table
    >>> table = joint_table({"x": {(0, 0): 1, (1, 1): 2}, "y": {(0, 1): 3, (1, 0): 1}}, asked=(1, 1))
    >>> table.holds, table.naive_label, table.joint_label
    (False, 'x', 'x')
    """

    holds: bool = True
    decisions: Table | None = None
    naive_label: Label | None = None
    joint_label: Label | None = None

    def to_text(self, *, width: int | None = None, color: bool = False) -> str:
        """For a terminal of this width; the decisions follow."""
        return "\n\n".join(table.to_text(width=width, color=color) for table in self._tables)

    def to_markdown(self) -> str:
        """As GitHub and notebooks read it; the decisions follow."""
        return "\n\n".join(table.to_markdown() for table in self._tables)

    def to_html(self, *, name: str = "") -> str:
        """The `<table>`; that of the decisions follows."""
        return "\n".join(table.to_html(name=name) for table in self._tables)

    def to_latex(self, *, math: bool = False, document: bool = False) -> str:
        """A `tabular`; that of the decisions follows. document: a complete one with the notes."""
        check_flag("document", document)
        if not document:
            return "\n\n".join(table.to_latex(math=math) for table in self._tables)
        parts = [part for table in self._tables for part in (table.to_latex(), *map(latex.text, table.notes))]
        return latex.document("\n\n".join(parts), title=self.caption)

    def renamed(self, names: Mapping[str, str], caption: str | None = None) -> Self:
        """The table with other words for likelier's own; so have the decisions."""
        decisions = None if self.decisions is None else self.decisions.renamed(names)
        return replace(super().renamed(names, caption), decisions=decisions)

    @property
    def _tables(self) -> list[Table]:
        first = Table(self.heading, self.body, self.numbers, self.foot, self.caption, self.flexible, notes=self.notes)
        return [first, *([] if self.decisions is None else [self.decisions])]


def joint_table(
    data: Any,
    names: Sequence[str] = ("x1", "x2"),
    *,
    asked: Sequence[object] | Mapping[str, object] | None = None,
    prior: Prior | None = None,
    label: str | None = None,
    labels: Iterable[Label] | None = None,
    weights: Iterable[float] | None = None,
) -> JointTable:
    """Whether the naive assumption holds for two columns: joint probabilities beside the product of the marginals.

    data: for each label a mapping of pairs of values to probabilities or counts; or documents, as for `train`.
    names: of the two columns.
    asked: a value of each, to classify; `decisions` has the labels by the product and by the joint probability.
    prior: "fitted", "uniform" or a mapping. Default: fitted to counts; uniform for probabilities.
    label, labels, weights: as for `train`.

    >>> pairs = {
    ...     0: {(0, 0): 0.30, (0, 1): 0.35, (1, 0): 0.15, (1, 1): 0.20},
    ...     1: {(0, 0): 0.00, (0, 1): 0.30, (1, 0): 0.65, (1, 1): 0.05},
    ... }
    >>> print(joint_table(pairs, asked=(1, 1)))
    label  x1  x2  P(x1, x2|c)  P(x1|c) · P(x2|c)                        product
    0      0   0          0.30  (0.30+0.35) · (0.30+0.15) = 0.65 · 0.45   0.2925
    0      0   1          0.35  (0.30+0.35) · (0.35+0.20) = 0.65 · 0.55   0.3575
    0      1   0          0.15  (0.15+0.20) · (0.30+0.15) = 0.35 · 0.45   0.1575
    0      1   1          0.20  (0.15+0.20) · (0.35+0.20) = 0.35 · 0.55   0.1925
    1      0   0          0.00  (0.00+0.30) · (0.00+0.65) = 0.30 · 0.65    0.195
    1      0   1          0.30  (0.00+0.30) · (0.30+0.05) = 0.30 · 0.35    0.105
    1      1   0          0.65  (0.65+0.05) · (0.00+0.65) = 0.70 · 0.65    0.455
    1      1   1          0.05  (0.65+0.05) · (0.30+0.05) = 0.70 · 0.35    0.245
    the assumption does not hold: P(x1=0, x2=0|1) is 0.00, and the product is 0.195
    <BLANKLINE>
    label  P(c) · P(x1=1|c) · P(x2=1|c)  product  P(c) · P(x1=1, x2=1|c)  joint
    0      0.5 · 0.35 · 0.55             0.09625  0.5 · 0.20                0.1
    1      0.5 · 0.70 · 0.35              0.1225  0.5 · 0.05              0.025
    by the product: 1, 0.1225 against 0.09625
    by the joint: 0, 0.1 against 0.025
    the decisions differ
    """
    two = checked_names(names)
    pairs = read_pairs(data, two, label=label, labels=labels, weights=weights)
    prior = prior if prior is not None else "fitted" if pairs.are_counts else "uniform"
    check_prior(prior)
    before = priors_of(pairs.labels, prior, [pairs.total(label) for label in pairs.labels])
    return _Board(pairs, two, dict(zip(pairs.labels, before, strict=True))).table(asked)


@dataclass(frozen=True)
class _Board:
    """What is written: cells and notes."""

    pairs: Pairs
    names: tuple[str, str]
    prior: Mapping[Label, Fraction]
    given: Expression = field(default_factory=lambda: Name("c"))

    def table(self, asked: object) -> JointTable:
        one, other = map(Name, self.names)
        product = Product([Probability(one, self.given), Probability(other, self.given)])
        joint = Probability(Joined([one, other]), self.given)
        heading = [own("label"), *self.names, _formula(joint), _formula(product), own("product")]
        body = [self._row(label, pair) for label, pair in self._all]
        found = {} if asked is None else self._decided(self.pairs.asked(asked, self.names))
        farthest = max((self._apart(label, pair), -place) for place, (label, pair) in enumerate(self._all))
        holds = farthest[0] <= _CLOSE
        notes = (*self.pairs.notes, _HOLDS if holds else self._fails(*self._all[-farthest[1]]))
        return JointTable(heading, body, {3, 5}, flexible=4, notes=notes, draw=self.draw, holds=holds, **found)

    def draw(self, names: Mapping[str, str] | None = None) -> str:
        """Both numbers of each pair as bars, a panel for each label; names: other words for the two."""
        from likelier._show.pictures import Bar, paired_bars

        def bars(label: Label, pair: tuple[str, str]) -> tuple[str, list[Bar]]:
            numbers = (self.pairs.joint(label, pair), self.pairs.product(label, pair))
            drawn = [Bar(float(number), in_decimals(number)[1].text()) for number in numbers]
            return Joined(self._events(pair)).plain(), drawn

        panels = {str(label): [bars(label, pair) for pair in self.pairs.every] for label in self.pairs.labels}
        series = ("joint probability", "product of the marginals")
        return paired_bars("", panels, [(names or {}).get(each, each) for each in series])

    @property
    def _all(self) -> list[tuple[Label, tuple[str, str]]]:
        return [(label, pair) for label in self.pairs.labels for pair in self.pairs.every]

    def _row(self, label: Label, pair: tuple[str, str]) -> list[Any]:
        joint, product = self.pairs.joint(label, pair), self.pairs.product(label, pair)
        marginals = [Product(parts) for parts in self.pairs.worked(label, pair)]
        steps = [("=", each) for each in marginals if marginals.count(each) == 1 or each is marginals[-1]]
        shown = self.pairs.written(label, joint)
        return [str(label), *pair, _formula(shown, joint), _formula(Chain(steps)), _result(product)]

    def _apart(self, label: Label, pair: tuple[str, str]) -> Fraction:
        return abs(self.pairs.joint(label, pair) - self.pairs.product(label, pair))

    def _fails(self, label: Label, pair: tuple[str, str]) -> str:
        event = Probability(Joined(self._events(pair)), str(label)).plain()
        joint, product = self.pairs.joint(label, pair), self.pairs.product(label, pair)
        shown = self.pairs.written(label, joint).text()
        return f"the assumption does not hold: {event} is {shown}, and the product is {in_decimals(product)[1].text()}"

    def _events(self, pair: tuple[str, str]) -> list[Expression]:
        return [Relation(Name(name), Name(value)) for name, value in zip(self.names, pair, strict=True)]

    def _decided(self, pair: tuple[str, str]) -> dict[str, Any]:
        """The decisions about two values."""
        one, other = self._events(pair)
        start = Probability(self.given)
        naive = Product([start, Probability(one, self.given), Probability(other, self.given)])
        joint = Product([start, Probability(Joined([one, other]), self.given)])
        heading = [own("label"), _formula(naive), own("product"), _formula(joint), own("joint")]
        products = {each: self.prior[each] * self.pairs.product(each, pair) for each in self.pairs.labels}
        joints = {each: self.prior[each] * self.pairs.joint(each, pair) for each in self.pairs.labels}
        body = [self._scores(each, pair, products[each], joints[each]) for each in self.pairs.labels]
        (by_product, one_note), (by_joint, other_note) = _winner(products, "product"), _winner(joints, "joint")
        notes = (one_note, other_note, f"the decisions {'agree' if by_product == by_joint else 'differ'}")
        return {
            "decisions": Table(heading, body, {2, 4}, flexible=1, notes=notes),
            "naive_label": by_product,
            "joint_label": by_joint,
        }

    def _scores(self, label: Label, pair: tuple[str, str], product: Fraction, joint: Fraction) -> list[Any]:
        start = self.pairs.prior(self.prior[label])
        naive = Product([start, *self.pairs.worked(label, pair)[1]])
        true = Product([start, self.pairs.written(label, self.pairs.joint(label, pair))])
        return [str(label), _formula(naive), _result(product), _formula(true), _result(joint)]


_HOLDS = "the assumption holds: every joint probability is the product"


def _winner(scores: Mapping[Label, Fraction], what: str) -> tuple[Label | None, str]:
    ranked = sorted(scores, key=lambda label: -scores[label])
    best = [label for label in ranked if scores[label] == scores[ranked[0]]]
    shown = {label: in_decimals(score)[1].text() for label, score in scores.items()}
    if len(best) > 1:
        return None, f"by the {what}: no label, {listed(best)} have {shown[best[0]]} each"
    against = f" against {shown[ranked[1]]}" if len(ranked) > 1 else ""
    return best[0], f"by the {what}: {best[0]}, {shown[best[0]]}{against}"


def _formula(expression: Expression, value: Any = None) -> Cell:
    html = f"<math>{expression.mathml()}</math>"
    return Cell(expression.plain(), value, html=html, latex=expression.latex())


def _result(value: Fraction) -> Cell:
    number = in_decimals(value)[1]
    return Cell(number.text(), value, latex=number.latex())
