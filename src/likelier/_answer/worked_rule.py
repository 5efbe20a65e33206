r"""Bayes' rule with names for the two events, as it is written on a board: in symbols, with numbers, the result.

>>> print(rule(names=("positive", "amazing"), count_a=35, count_b=5, count_both=4, total=100).to_text(width=100))
P(positive|amazing) = P(positive and amazing) / P(amazing)
P(amazing|positive) = P(positive and amazing) / P(positive)
P(positive and amazing) = P(amazing|positive) · P(positive)
P(positive|amazing) = P(amazing|positive) · P(positive) / P(amazing)
<BLANKLINE>
P(positive) = N(positive) / N = 35/100 = 0.35
P(not positive) = 1 - P(positive) = 1 - 35/100 = 65/100 = 0.65
P(amazing) = N(amazing) / N = 5/100 = 0.05
P(not amazing) = 1 - P(amazing) = 1 - 5/100 = 95/100 = 0.95
P(positive and amazing) = N(positive and amazing) / N = 4/100 = 0.04
P(amazing|positive) = P(positive and amazing) / P(positive) = 4/100 / (35/100) = 4/35 ≈ 0.1143
P(positive|amazing) = P(positive and amazing) / P(amazing) = 4/100 / (5/100) = 4/5 = 0.8
<BLANKLINE>
given amazing, positive is 2.29 times as probable as before
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Self

from likelier._answer.rule import COUNTS, Formula, Step, Written, derived, incomplete, names_in
from likelier._base.checks import checked_names, checked_words
from likelier._base.errors import error
from likelier._base.numbers import Real
from likelier._show import latex
from likelier._show.cells import clean, wrap
from likelier._show.expressions import (
    And,
    Equations,
    Expression,
    Minus,
    Name,
    Not,
    Number,
    Probability,
    Product,
    Quotient,
    Sum,
    Symbol,
    in_decimals,
)
from likelier._show.html_words import in_section, shown
from likelier._show.table import Cell, Table, own

Line = tuple[Expression, Sequence[tuple[str, Expression]]]
WIDTH = 80  # of text, where none is given


def rule(
    names: Sequence[str] = ("A", "B"),
    *,
    prior: Real | str | None = None,
    likelihood: Real | str | None = None,
    evidence: Real | str | None = None,
    joint: Real | str | None = None,
    likelihood_otherwise: Real | str | None = None,
    count_a: int | None = None,
    count_b: int | None = None,
    count_both: int | None = None,
    total: int | None = None,
) -> Rule:
    """Bayes' rule and conditional probability, with all that follows from probabilities or from counts.

    names: of the events A and B.
    prior, likelihood, evidence, joint, likelihood_otherwise: P(A), P(B|A), P(B), P(A and B), P(B|not A).
    A float is shown as a decimal, a Fraction as a fraction; "4/100" and "80%" can be given too.
    count_a, count_b, count_both, total: how many cases are A, are B, are both, and are there at all.

    >>> from likelier import rule
    >>> found = rule(("arthrosis", "stiff joint"), prior=0.0001, likelihood=0.8, evidence=0.1)
    >>> float(found), found.joint, found.likelihood_otherwise
    (0.0008, Fraction(1, 12500), None)
    """
    given = {
        "prior": prior,
        "likelihood": likelihood,
        "evidence": evidence,
        "joint": joint,
        "likelihood_otherwise": likelihood_otherwise,
        "count_a": count_a,
        "count_b": count_b,
        "count_both": count_both,
        "total": total,
    }
    return Rule(checked_names(names), derived(given))


@dataclass(frozen=True)
class Rule:
    """Two events: what was given and what follows, in symbols, with numbers, and the result; `float` is P(A|B).

    names                 of the events A and B
    prior                 P(A), an exact fraction; None, like the others, if it is not known
    prior_complement      P(not A)
    evidence              P(B)
    evidence_complement   P(not B)
    joint                 P(A and B)
    likelihood            P(B|A)
    likelihood_otherwise  P(B|not A), if it was given
    posterior             P(A|B)

    >>> from likelier import rule
    >>> found = rule(("positive", "amazing"), count_a=35, count_b=5, count_both=4, total=100)
    >>> found.posterior, float(found), found.rows()[-1]["numbers"]
    (Fraction(4, 5), 0.8, '4/100 / (5/100) = 4/5')
    """

    names: tuple[str, str]
    steps: Mapping[str, Step] = field(repr=False)
    words: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    prior: Fraction | None = field(init=False)
    prior_complement: Fraction | None = field(init=False)
    evidence: Fraction | None = field(init=False)
    evidence_complement: Fraction | None = field(init=False)
    joint: Fraction | None = field(init=False)
    likelihood: Fraction | None = field(init=False)
    likelihood_otherwise: Fraction | None = field(init=False)
    posterior: Fraction | None = field(init=False)

    def __post_init__(self) -> None:
        for name in _EVENTS:
            found = self.steps.get(name)
            object.__setattr__(self, name, None if found is None else found.number.value)

    def __float__(self) -> float:
        if self.posterior is None:
            raise incomplete({name: step for name, step in self.steps.items() if step.formula is None})
        return float(self.posterior)

    def __str__(self) -> str:
        return self.to_text()

    # ---- formulas ------------------------------------------------------------------------------------------------

    @property
    def general(self) -> Equations:
        """Bayes' rule from the two conditional probabilities, in symbols."""
        posterior, likelihood, joint, prior, evidence = map(
            self._symbol, ("posterior", "likelihood", "joint", "prior", "evidence")
        )
        lines: list[Line] = [
            (posterior, [("=", Quotient(joint, evidence, wide=True))]),
            (likelihood, [("=", Quotient(joint, prior, wide=True))]),
            (joint, [("=", Product([likelihood, prior]))]),
            (posterior, [("=", Quotient(Product([likelihood, prior]), evidence, wide=True))]),
        ]
        return Equations(lines)

    @property
    def worked(self) -> Equations:
        """What was given and what follows, with its numbers."""
        return Equations([(self._symbol(name), self._steps(name)) for name in self._shown], chained=True)

    def renamed(self, names: Mapping[str, str]) -> Self:
        """With other words in the picture and in the headings of tables, as in another language; so for whole notes.

        >>> found = rule(("A", "B"), prior=0.4, likelihood=0.25, evidence=0.13)
        >>> "weder noch" in found.renamed({"neither": "weder noch"}).to_svg()
        True
        """
        return replace(self, words=checked_words(names))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the result means, in a sentence."""
        return tuple(self.words.get(note, note) for note in self._notes)

    @property
    def _notes(self) -> tuple[str, ...]:
        one, other = (Name(name).plain() for name in self.names)
        if self.posterior is None:
            return (f"P({one}|{other}) does not follow from these numbers",)
        if not self.prior or self.posterior == self.prior:
            return () if self.prior is None else (f"given {other}, {one} is as probable as before",)
        times = self.posterior / self.prior
        written = f"{float(times):.3g}" if 0.001 < times < 1000 else in_decimals(times)[1].text()
        return (f"given {other}, {one} is {written} times as probable as before",)

    @property
    def _shown(self) -> list[str]:
        return [name for name in self.steps if name in _EVENTS]

    def _symbol(self, name: str) -> Expression:
        one, other = map(Name, self.names)
        if name == "total":
            return Symbol("N", "N")
        event, given = (_EVENTS | _COUNTED)[name](one, other)
        return Probability(event, given, "N" if name in COUNTS else "P")

    def _steps(self, name: str) -> list[tuple[str, Expression]]:
        number, formula = self.steps[name].number, self.steps[name].formula
        if formula is None:
            return _result(number)
        worked = _expression(formula, lambda part: _result(self.steps[part].number)[0][1])
        rough = any(_result(self.steps[part].number)[0][0] == "≈" for part in names_in(formula))
        steps = [("=", _expression(formula, self._symbol)), ("≈" if rough else "=", worked)]
        return [*steps, *(step for step in _result(number) if step[1].text() != worked.text())]

    def _table(self, exact: bool = True) -> Table:
        """A row for each probability: its formula in symbols, with numbers, and the result."""
        heading = [own("probability"), own("formula"), own("numbers"), own("result")]
        return Table(heading, [self._row(name, exact) for name in self._shown], {3}, notes=self.notes).renamed(
            self.words
        )

    def _row(self, name: str, exact: bool) -> list[Any]:
        value, (*worked, (_, result)) = self.steps[name].number.value, self._steps(name)
        expressions = [step for _, step in worked]
        symbols = [expressions.pop(0)] if self.steps[name].formula else []
        last = Cell(result.text(), value if exact else float(value), latex=result.latex())
        return [*map(_cell, ([self._symbol(name)], symbols, expressions)), last]

    # ---- forms ---------------------------------------------------------------------------------------------------

    def to_text(self, *, width: int | None = None, color: bool = False) -> str:
        """For a terminal of this width."""
        width = width or WIDTH
        notes = [line for note in self.notes for line in wrap(clean(note), width)]
        return "\n".join([self.general.text(width), "", self.worked.text(width), *([""] if notes else []), *notes])

    def to_markdown(self) -> str:
        """A table of the probabilities with their formulas."""
        return self._table().to_markdown()

    def to_csv(self) -> str:
        """The same rows with a line of names; results in full."""
        return self._table(exact=False).to_csv()

    def rows(self) -> list[dict[str, Any]]:
        """The same rows as mappings; the result is an exact fraction."""
        return self._table().rows()

    def to_html(self) -> str:
        """Formulas in MathML, and the picture if there is one; for a page or a notebook."""
        notes = "".join(f'<p class="note">{shown(note)}</p>' for note in self.notes)
        picture = f"<figure>{self.to_svg()}</figure>" if self._has_picture else ""
        return in_section(
            *(f'<div class="wide">{part.mathml()}</div>' for part in (self.general, self.worked)), notes, picture
        )

    @property
    def _has_picture(self) -> bool:
        return None not in (self.prior, self.evidence, self.joint)

    def to_svg(self) -> str:
        """Both events as circles whose areas fit: a Venn diagram. It takes P(A), P(B) and P(A and B)."""
        if self.prior is None or self.evidence is None or self.joint is None:
            raise error("rule-without-picture")
        from likelier._show.pictures import venn

        sizes = (self.prior, self.evidence, self.joint)
        if "total" not in self.steps:
            return venn(self.names, *sizes, written=_decimal, words=self.words)
        return venn(self.names, *(int(self.steps[name].number.value) for name in COUNTS), words=self.words)

    def to_latex(self, *, document: bool = False) -> str:
        """`align*` environments of amsmath; document: a complete LaTeX document."""
        body = "\n\n".join([self.general.latex(), self.worked.latex(), *map(latex.text, self.notes)])
        return latex.document(body, title="Bayes' rule") if document else body

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values: each probability as a decimal and as an exact fraction."""
        values = {name: self.steps[name].number.value for name in self._shown}
        numbers = {name: {"value": float(value), "exact": str(value)} for name, value in values.items()}
        posterior = None if self.posterior is None else float(self.posterior)
        exact = None if self.posterior is None else str(self.posterior)
        return {"names": list(self.names), "posterior": posterior, "exact": exact, "probabilities": numbers}

    def _repr_html_(self) -> str:
        return self.to_html()


Events = Callable[[Expression, Expression], tuple[Expression, Expression | None]]
_EVENTS: dict[str, Events] = {
    "prior": lambda one, other: (one, None),
    "prior_complement": lambda one, other: (Not(one), None),
    "evidence": lambda one, other: (other, None),
    "evidence_complement": lambda one, other: (Not(other), None),
    "joint": lambda one, other: (And(one, other), None),
    "joint_otherwise": lambda one, other: (And(other, Not(one)), None),
    "likelihood": lambda one, other: (other, one),
    "likelihood_otherwise": lambda one, other: (other, Not(one)),
    "posterior": lambda one, other: (one, other),
}
_COUNTED = {
    "count_a": _EVENTS["prior"],
    "count_b": _EVENTS["evidence"],
    "count_both": _EVENTS["joint"],
}


def _expression(formula: Formula, of: Callable[[str], Expression]) -> Expression:
    if isinstance(formula, str):
        return of(formula)
    if isinstance(formula, int):
        return Number(str(formula))
    sign, *parts = formula
    one, other = (_expression(part, of) for part in parts)
    if sign == "/":
        is_plain = all(isinstance(part, Number) and part.written.isdecimal() for part in (one, other))
        return Quotient(one, other, wide=not is_plain)
    if sign == "·":
        return Product([one, other])
    return Sum([one, other if sign == "+" else Minus(other)])


def _result(number: Written) -> list[tuple[str, Expression]]:
    """A number as it is written, and as a decimal if that is something else."""
    decimal = in_decimals(number.value)
    if number.over is None or number.over == 1:
        return [decimal]
    numerator = Number(str(number.value * number.over))
    return [("=", Quotient(numerator, Number(str(number.over)))), decimal]


def _decimal(number: Real) -> str:
    return in_decimals(Fraction(number))[1].text()


def _cell(parts: Sequence[Expression]) -> Cell:
    """Steps of an equation in a cell of a table."""
    text, formula = " = ".join(part.plain() for part in parts), " = ".join(part.latex() for part in parts)
    return Cell(text, latex=formula) if parts else Cell("")
