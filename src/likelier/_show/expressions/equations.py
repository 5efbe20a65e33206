"""Equations: steps on one line, or below each other with their signs in one column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from likelier._show import cells
from likelier._show.expressions.atoms import (
    RELATIONS,
    SUM,
    Expression,
    sign_in_mathml,
)
from likelier._show.expressions.compound import Bracket, Log, Minus, Power, Product, Quotient, Sum, without_sign
from likelier._show.html_words import shown

Measure = Callable[[Expression], int]


@dataclass(frozen=True, slots=True)
class Chain(Expression):
    """Steps of an equation on one line, without the sign of the first.

    >>> from likelier._show.expressions import Number, parsed
    >>> print(Chain([("=", parsed("4/35")), ("≈", Number("0.1143"))]))
    4/35 ≈ 0.1143
    """

    steps: Sequence[tuple[str, Expression]]
    level: ClassVar[int] = SUM

    def text(self) -> str:
        (_, first), *others = self.steps
        return "".join([first.text(), *(f" {sign} {step.text()}" for sign, step in others)])

    def latex(self) -> str:
        (_, first), *others = self.steps
        return "".join([first.latex(), *(f" {RELATIONS[sign]} {step.latex()}" for sign, step in others)])

    def mathml(self) -> str:
        (_, first), *others = self.steps
        # each in a row of its own, where a minus sign is that of a number
        rest = (f"<mo>{shown(sign)}</mo><mrow>{step.mathml()}</mrow>" for sign, step in others)
        return "".join([first.mathml(), *rest])


@dataclass(frozen=True, slots=True)
class Equations:
    r"""Equations below each other, their signs in one column: left, then steps of a sign and an expression each.

    Each step has a line of its own; a product or a sum that is too long for a line is broken between its parts.
    chained: a line has as many steps of an equation as fit.

    >>> from likelier._show.expressions import Number, Probability
    >>> steps = [("=", Product([Number("0.5"), Number("0.2")])), ("=", Number("0.1"))]
    >>> lines = Equations([(Probability("A"), steps)])
    >>> print(lines.text())
    P(A) = 0.5 · 0.2
         = 0.1
    >>> print(lines.latex())
    \begin{align*}
    P(\text{A}) &= 0.5 \cdot 0.2 \\
    &= 0.1
    \end{align*}
    """

    lines: Sequence[tuple[Expression, Sequence[tuple[str, Expression]]]]
    chained: bool = False

    def _fitted(self, width: int, measure: Measure) -> Iterable[tuple[Expression, Sequence[tuple[str, Expression]]]]:
        """The lines, with as many steps in each chain as fit, if that is wanted."""
        for left, steps in self.lines:
            yield left, list(_chains(steps, width - measure(left) - 3, measure)) if self.chained else steps

    def text(self, width: int = 80) -> str:
        """For a terminal of this width."""
        found = []
        for left, steps in self._fitted(width, _length):
            start = left.text()
            indent = "   " if _is_long(left, steps, width, _length) else " " * _length(left)
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width - len(indent) - 3, _length)
                if place == 0 and len(indent) < _length(left):
                    found.append(start)
                before = start if place == 0 and len(indent) == _length(left) else indent
                found.append(f"{before} {sign} {pieces[0].text()}")
                found += [f"{indent}   {joint} {rest.text()}" for joint, rest in map(_joined_on, pieces[1:])]
        return "\n".join(line.rstrip() for line in found)

    def latex(self, width: int = 72) -> str:
        """In `align*`; width: about how many characters fit in a line."""
        rows = []
        for left, steps in self._fitted(width, _breadth):
            long = _is_long(left, steps, width, _breadth)
            rows += [f"& {left.latex()}"] if long else []
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width if long else width - _breadth(left), _breadth)
                before = left.latex() + " " if place == 0 and not long else ""
                between = r"\quad " if long else ""
                rows.append(rf"{before}&{between}{RELATIONS[sign]} {pieces[0].latex()}")
                for joint, rest in map(_joined_on, pieces[1:]):
                    rows.append(rf"&\quad {between}{_JOINTS[joint]} {rest.latex()}")
        return "\n".join([r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"])

    def mathml(self, width: int = 96) -> str:
        """A `<math>` block."""
        rows = []
        for left, steps in self._fitted(width, _breadth):
            long = _is_long(left, steps, width, _breadth)
            rows += [_row("", "", left.mathml())] if long else []
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width if long else width - _breadth(left), _breadth)
                start = left.mathml() if place == 0 and not long else ""
                rows.append(_row(start, f"<mo>{shown(sign)}</mo>", pieces[0].mathml()))
                for joint, rest in map(_joined_on, pieces[1:]):
                    rows.append(_row("", "", f'<mspace width="1em"/><mo>{sign_in_mathml(joint)}</mo>{rest.mathml()}'))
        return f'<math display="block"><mtable class="steps" displaystyle="true">{"".join(rows)}</mtable></math>'


def _chains(steps: Sequence[tuple[str, Expression]], width: int, measure: Measure) -> Iterable[tuple[str, Expression]]:
    line: list[tuple[str, Expression]] = []
    for step in steps:
        if line and measure(Chain([*line, step])) > width:
            yield line[0][0], Chain(line) if len(line) > 1 else line[0][1]
            line = []
        line.append(step)
    yield line[0][0], Chain(line) if len(line) > 1 else line[0][1]


def _row(left: str, sign: str, right: str) -> str:
    return f"<mtr><mtd><mrow>{left}</mrow></mtd><mtd><mrow>{sign}</mrow></mtd><mtd><mrow>{right}</mrow></mtd></mtr>"


def _is_long(left: Expression, steps: Sequence[tuple[str, Expression]], width: int, measure: Measure) -> bool:
    """Whether the left side needs a line of its own: what is right of it would have little room, and needs more."""
    size = measure(left)
    return size > width // 3 and any(size + measure(step) + 3 > width for _, step in steps)


_JOINTS = {"·": r"\cdot", "+": "+", "-": "-"}


def _joined_on(piece: Expression) -> tuple[str, Expression]:
    """The sign before a piece that has a line of its own, and the piece without it."""
    if not isinstance(piece, Sum):
        return "·", piece
    sign, first = without_sign(piece.summands[0])
    return sign, Sum([first, *piece.summands[1:]], piece.tight)


def _pieces(step: Expression, width: int, measure: Measure) -> list[Expression]:
    """The expression in parts that each take about one line."""
    if isinstance(step, Product):
        return [Product(part) for part in _lines(step.factors, width, measure)]
    if isinstance(step, Sum):
        return [Sum(part, step.tight) for part in _lines(step.summands, width, measure)]
    return [step]


def _length(part: Expression) -> int:
    """How many cells of a terminal it takes."""
    return cells.width(part.text())


def _breadth(part: Expression) -> int:
    """About how many characters it takes where fractions have a bar."""
    match part:
        case Quotient(over, under):
            return max(_breadth(over), _breadth(under))
        case Power(base, exponent):
            return _breadth(base) + 2 + len(str(exponent)) * 2 // 3
        case Bracket(base) | Minus(base):
            return _breadth(base) + 3
        case Log(of):
            return _breadth(of) + 4
        case Product(parts) | Sum(parts):
            return sum(_breadth(each) + 2 for each in parts)
        case Chain(steps):
            return sum(_breadth(each) + 3 for _, each in steps)
    return _length(part)


def _lines(parts: Sequence[Expression], width: int, measure: Measure) -> Iterable[list[Expression]]:
    line, used = list[Expression](), 0
    for part in parts:
        size = measure(part) + 3
        if line and used + size > width:
            yield line
            line, used = [], 0
        line.append(part)
        used += size
    yield line
