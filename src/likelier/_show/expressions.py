r"""A formula in every form: text for a terminal, LaTeX for a document, MathML for a page.

>>> sieben = Power(Probability("sieben", "OK"), 2)
>>> print(Product([Probability("OK"), sieben]))
P(OK) · P(sieben|OK)²
>>> print(Product([Probability("OK"), sieben]).latex())
P(\text{OK}) \cdot P(\text{sieben} \mid \text{OK})^{2}
>>> print(parsed("(2 + 1) / (5 + 7)"), parsed("(2 + 1) / (5 + 7)").latex())
(2+1)/(5+7) \frac{2+1}{5+7}

Text from outside is a `Name` and harmless in each form.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

from likelier._base.numbers import is_decimal
from likelier._show import latex
from likelier._show.cells import clean
from likelier._show.html_words import shown

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly an expression holds together
_RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MOST_DIGITS = 12  # after the point, of a number that is not rounded
_RELATIONS = {"=": "=", "≈": r"\approx", ">": ">", "<": "<", "∝": r"\propto", "→": r"\rightarrow"}


class Expression(ABC):
    """A formula, or a part of one; `str` is its text."""

    level: ClassVar[int] = ATOM

    @abstractmethod
    def text(self) -> str:
        """For a terminal."""

    @abstractmethod
    def latex(self) -> str:
        """For a document, in math mode."""

    @abstractmethod
    def mathml(self) -> str:
        """For a page, within `<math>`."""

    def __str__(self) -> str:
        return self.text()


def _text(part: Expression, least: int) -> str:
    return part.text() if part.level >= least else f"({part.text()})"


def _latex(part: Expression, least: int) -> str:
    return part.latex() if part.level >= least else rf"\left({part.latex()}\right)"


def _mathml(part: Expression, least: int) -> str:
    inner = part.mathml()
    return f"<mrow>{inner}</mrow>" if part.level >= least else f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"


def in_brackets(inner: str) -> str:
    """MathML between small brackets, as after the name of a function."""
    return f'<mrow><mo stretchy="false">(</mo>{inner}<mo stretchy="false">)</mo></mrow>'


def _signs(sign: str) -> str:
    """A sign as MathML has it."""
    return "−" if sign == "-" else sign


# ---- atoms -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number as Python writes it: `-0.25`, `3.2e-09`. It is shown with a power of ten in place of `e`."""

    written: str

    @property
    def level(self) -> int:  # type: ignore[override]
        return SUM if self.written.startswith("-") else PRODUCT if "e" in self.written else ATOM

    def text(self) -> str:
        mantissa, _, exponent = self.written.partition("e")
        return f"{mantissa}·10{str(int(exponent)).translate(_RAISED)}" if exponent else mantissa

    def latex(self) -> str:
        return latex.number(self.written)

    def mathml(self) -> str:
        mantissa, _, exponent = self.written.partition("e")
        sign, digits = ("<mo>−</mo>", mantissa[1:]) if mantissa.startswith("-") else ("", mantissa)
        power = f"<mo>·</mo><msup><mn>10</mn><mn>{int(exponent)}</mn></msup>" if exponent else ""
        return f"{sign}<mn>{digits}</mn>{power}"


@dataclass(frozen=True, slots=True)
class Name(Expression):
    """Words from outside: a term, a label, an event."""

    words: str

    def text(self) -> str:
        return clean(" ".join(self.words.split()))

    def latex(self) -> str:
        return latex.name(self.words)

    def mathml(self) -> str:
        # not mtext: operators between such elements are set as if they were at the edge
        return f'<mi mathvariant="normal">{shown(self.words)}</mi>'


@dataclass(frozen=True, slots=True)
class Symbol(Expression):
    r"""A sign that is written in its own way in each form; MathML has the text, unless it is given.

    >>> Symbol("Σ", r"\sum").mathml()
    '<mi>Σ</mi>'
    """

    written: str
    in_latex: str
    in_mathml: str = ""

    def text(self) -> str:
        return self.written

    def latex(self) -> str:
        return self.in_latex

    def mathml(self) -> str:
        return self.in_mathml or f"<mi>{shown(self.written)}</mi>"


INFINITY = Symbol("∞", r"\infty", "<mn>∞</mn>")
DOTS = Symbol("…", r"\dots", "<mo>…</mo>")


@dataclass(frozen=True, slots=True)
class Probability(Expression):
    """P(event), or P(event|given): of words, or of expressions such as `Relation(Name("cough"), Number("1"))`.

    >>> print(Probability("spam"), Probability(Joined([Name("x"), Name("y")]), "spam"), Probability("22", "a", "p"))
    P(spam) P(x, y|spam) p(22|a)
    """

    event: str | Expression
    given: str | Expression | None = None
    letter: str | Expression = "P"

    def _parts(self) -> list[Expression]:
        parts = [self.event] if self.given is None else [self.event, self.given]
        return [Name(part) if isinstance(part, str) else part for part in parts]

    def text(self) -> str:
        letter = self.letter if isinstance(self.letter, str) else self.letter.text()
        return f"{letter}({'|'.join(part.text() for part in self._parts())})"

    def latex(self) -> str:
        inner = r" \mid ".join(part.latex() for part in self._parts())
        letter = self.letter if isinstance(self.letter, str) else self.letter.latex()
        return f"{letter}({inner})"

    def mathml(self) -> str:
        bar = '<mo lspace="0.2em" rspace="0.2em">|</mo>'
        inner = bar.join(f"<mrow>{part.mathml()}</mrow>" for part in self._parts())
        letter = f"<mi>{self.letter}</mi>" if isinstance(self.letter, str) else self.letter.mathml()
        return f"{letter}{in_brackets(inner)}"


# ---- put together ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Joined(Expression):
    """Several expressions with something between them: a comma, or a word such as " and "."""

    parts: Sequence[Expression]
    between: str = ", "

    def text(self) -> str:
        return self.between.join(part.text() for part in self.parts)

    def latex(self) -> str:
        between = rf" \text{{{self.between}}} " if self.between.strip().isalpha() else self.between.strip() + r"\, "
        return between.join(part.latex() for part in self.parts)

    def mathml(self) -> str:
        between = f"<mtext>{shown(self.between).replace(' ', '&#160;')}</mtext>"
        return between.join(f"<mrow>{part.mathml()}</mrow>" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Relation(Expression):
    """`cough=1`, `a > b`: two expressions with a sign between them."""

    left: Expression
    right: Expression
    sign: str = "="
    level: ClassVar[int] = SUM

    def text(self) -> str:
        gap = "" if self.sign == "=" else " "
        return f"{self.left.text()}{gap}{self.sign}{gap}{self.right.text()}"

    def latex(self) -> str:
        return f"{self.left.latex()} {_RELATIONS[self.sign]} {self.right.latex()}"

    def mathml(self) -> str:
        return f"{self.left.mathml()}<mo>{shown(self.sign)}</mo>{self.right.mathml()}"


@dataclass(frozen=True, slots=True)
class Not(Expression):
    r"""The opposite of an event.

    >>> print(Probability(Not(Name("spam"))), Not(Name("spam")).latex())
    P(not spam) \overline{\text{spam}}
    """

    event: Expression

    def text(self) -> str:
        return f"not {self.event.text()}"

    def latex(self) -> str:
        return rf"\overline{{{self.event.latex()}}}"

    def mathml(self) -> str:
        return f'<mrow class="not">{self.event.mathml()}</mrow>'


@dataclass(frozen=True, slots=True)
class And(Expression):
    r"""Two events together.

    >>> both = And(Name("spam"), Not(Name("cheap")))
    >>> print(Probability(both), both.latex())
    P(spam and not cheap) \text{spam} \cap \overline{\text{cheap}}
    """

    one: Expression
    other: Expression

    def text(self) -> str:
        return f"{self.one.text()} and {self.other.text()}"

    def latex(self) -> str:
        return rf"{self.one.latex()} \cap {self.other.latex()}"

    def mathml(self) -> str:
        return f"<mrow>{self.one.mathml()}</mrow><mo>∩</mo><mrow>{self.other.mathml()}</mrow>"


@dataclass(frozen=True, slots=True)
class Quotient(Expression):
    """A fraction; wide: with spaces, for longer parts.

    >>> print(parsed("4/35"), Quotient(Product([Number("0.25"), Number("0.4")]), Number("0.13"), wide=True))
    4/35 0.25 · 0.4 / 0.13
    """

    numerator: Expression
    denominator: Expression
    wide: bool = False
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        if self.wide:
            return f"{_text(self.numerator, PRODUCT)} / {_text(self.denominator, POWER)}"
        return f"{_text(self.numerator, POWER)}/{_text(self.denominator, POWER)}"

    def latex(self) -> str:
        return rf"\frac{{{self.numerator.latex()}}}{{{self.denominator.latex()}}}"

    def mathml(self) -> str:
        return f"<mfrac><mrow>{self.numerator.mathml()}</mrow><mrow>{self.denominator.mathml()}</mrow></mfrac>"


@dataclass(frozen=True, slots=True)
class Power(Expression):
    """An expression with an exponent.

    >>> print(Power(parsed("7/22"), 2), Power(Name("e"), Number("-7.629")))
    (7/22)² e^(-7.629)
    """

    base: Expression
    exponent: int | Expression
    level: ClassVar[int] = POWER

    def _exponent(self) -> Expression:
        return Number(str(self.exponent)) if isinstance(self.exponent, int) else self.exponent

    def text(self) -> str:
        base = _text(self.base, ATOM)
        if isinstance(self.exponent, int):
            return f"{base}{str(self.exponent).translate(_RAISED)}"
        return f"{base}^{_text(self.exponent, ATOM)}"

    def latex(self) -> str:
        return f"{_latex(self.base, ATOM)}^{{{self._exponent().latex()}}}"

    def mathml(self) -> str:
        return f"<msup>{_mathml(self.base, ATOM)}<mrow>{self._exponent().mathml()}</mrow></msup>"


@dataclass(frozen=True, slots=True)
class Product(Expression):
    """Factors with dots between them."""

    factors: Sequence[Expression]
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        return " · ".join(_text(factor, PRODUCT) for factor in self.factors)

    def latex(self) -> str:
        return r" \cdot ".join(_latex(factor, PRODUCT) for factor in self.factors)

    def mathml(self) -> str:
        return "<mo>·</mo>".join(_mathml(factor, PRODUCT) for factor in self.factors)


@dataclass(frozen=True, slots=True)
class Sum(Expression):
    """Summands, those with a minus sign after a minus sign; tight: without spaces, as in `(2+1)/(5+7)`.

    >>> print(Sum([Number("1"), Number("-2.5")]), Sum([Number("2"), Number("1")], tight=True))
    1 - 2.5 2+1
    """

    summands: Sequence[Expression]
    tight: bool = False
    level: ClassVar[int] = SUM

    def _signed(self) -> list[tuple[str, Expression]]:
        return [(sign, rest) for sign, rest in map(_without_sign, self.summands)]

    def text(self) -> str:
        gap = "" if self.tight else " "
        first, *others = self._signed()
        parts = [f"{'-' if first[0] == '-' else ''}{_text(first[1], PRODUCT)}"]
        return "".join([*parts, *(f"{gap}{sign}{gap}{_text(part, PRODUCT)}" for sign, part in others)])

    def latex(self) -> str:
        first, *others = self._signed()
        parts = [f"{'-' if first[0] == '-' else ''}{_latex(first[1], PRODUCT)}"]
        gap = "" if self.tight else " "
        return "".join([*parts, *(f"{gap}{sign}{gap}{_latex(part, PRODUCT)}" for sign, part in others)])

    def mathml(self) -> str:
        first, *others = self._signed()
        start = "<mo>−</mo>" if first[0] == "-" else ""
        rest = "".join(f"<mo>{_signs(sign)}</mo>{_mathml(part, PRODUCT)}" for sign, part in others)
        return f"{start}{_mathml(first[1], PRODUCT)}{rest}"


def _without_sign(summand: Expression) -> tuple[str, Expression]:
    if isinstance(summand, Minus):
        return "-", summand.part
    if isinstance(summand, Number) and summand.written.startswith("-"):
        return "-", Number(summand.written[1:])
    return "+", summand


@dataclass(frozen=True, slots=True)
class Minus(Expression):
    """An expression with a minus sign."""

    part: Expression
    level: ClassVar[int] = SUM

    def text(self) -> str:
        return f"-{_text(self.part, PRODUCT)}"

    def latex(self) -> str:
        return f"-{_latex(self.part, PRODUCT)}"

    def mathml(self) -> str:
        return f"<mo>−</mo>{_mathml(self.part, PRODUCT)}"


@dataclass(frozen=True, slots=True)
class Log(Expression):
    r"""A natural logarithm; of a fraction without brackets where a fraction has a bar.

    >>> print(Log(parsed("2/3")), Log(parsed("2/3")).latex())
    log(2/3) \log \frac{2}{3}
    """

    of: Expression
    level: ClassVar[int] = PRODUCT

    def text(self) -> str:
        return f"log({self.of.text()})" if self.of.level < ATOM else f"log {self.of.text()}"

    def latex(self) -> str:
        stands_alone = self.of.level == ATOM or isinstance(self.of, Quotient | Power)
        return rf"\log {self.of.latex()}" if stands_alone else rf"\log\left({self.of.latex()}\right)"

    def mathml(self) -> str:
        least = self.of.level if isinstance(self.of, Quotient | Power) else ATOM
        return f'<mi>log</mi><mspace width="0.17em"/>{_mathml(self.of, least)}'


@dataclass(frozen=True, slots=True)
class Bracket(Expression):
    """An expression in brackets that stay."""

    of: Expression

    def text(self) -> str:
        return f"({self.of.text()})"

    def latex(self) -> str:
        return rf"\left({self.of.latex()}\right)"

    def mathml(self) -> str:
        return f"<mrow><mo>(</mo>{self.of.mathml()}<mo>)</mo></mrow>"


# ---- from numbers ------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?(?:e[+-]?\d+)?|[()+·/-])")


def parsed(written: str) -> Expression:
    """A worked formula from its text, with numbers, + - · / and brackets.

    >>> print(parsed("0.7 · 1/4 + 2e-05"), parsed("(2 - 0.5) + 0.5 · 3 · 1/10"))
    0.7·1/4+2·10⁻⁵ (2-0.5)+0.5·3·1/10
    """
    tokens = _TOKEN.findall(written)
    found, rest = _parsed_sum(tokens)
    assert not rest, written
    return found


def _parsed_sum(tokens: list[str]) -> tuple[Expression, list[str]]:
    summand, tokens = _parsed_product(tokens)
    summands = [summand]
    while tokens and tokens[0] in "+-":
        sign = tokens[0]
        summand, tokens = _parsed_product(tokens[1:])
        summands.append(Minus(summand) if sign == "-" else summand)
    return (Sum(summands, tight=True), tokens) if len(summands) > 1 else (summands[0], tokens)


def _parsed_product(tokens: list[str]) -> tuple[Expression, list[str]]:
    factor, tokens = _parsed_quotient(tokens)
    factors = [factor]
    while tokens and tokens[0] == "·":
        factor, tokens = _parsed_quotient(tokens[1:])
        factors.append(factor)
    return (_Tight(factors), tokens) if len(factors) > 1 else (factors[0], tokens)


def _parsed_quotient(tokens: list[str]) -> tuple[Expression, list[str]]:
    one, tokens = _parsed_atom(tokens)
    if tokens and tokens[0] == "/":
        two, tokens = _parsed_atom(tokens[1:])
        return Quotient(_bare(one), _bare(two)), tokens
    return one, tokens


def _parsed_atom(tokens: list[str]) -> tuple[Expression, list[str]]:
    if tokens[0] == "-":
        return Number(f"-{tokens[1]}"), tokens[2:]
    if tokens[0] != "(":
        return Number(tokens[0]), tokens[1:]
    inner, rest = _parsed_sum(tokens[1:])
    return Bracket(inner), rest[1:]


def _bare(part: Expression) -> Expression:
    """Without brackets, which a fraction sets where it needs them."""
    return part.of if isinstance(part, Bracket) else part


class _Tight(Product):
    """A product within a worked formula, without spaces."""

    def text(self) -> str:
        return "·".join(_text(factor, PRODUCT) for factor in self.factors)


def of_fraction(value: Fraction) -> Expression:
    """An exact number.

    >>> print(of_fraction(Fraction(3, 4)), of_fraction(Fraction(-2)))
    3/4 -2
    """
    if value.denominator == 1:
        return Number(str(value.numerator))
    sign = Minus if value < 0 else None
    quotient = Quotient(Number(str(abs(value.numerator))), Number(str(value.denominator)))
    return quotient if sign is None else sign(quotient)


def worth(expression: Expression) -> Fraction | None:
    """The exact number behind a worked formula; None where there is a name or a symbol in it, or a division by 0.

    >>> worth(parsed("(6 + 1) / (15 + 7)")), worth(Name("x"))
    (Fraction(7, 22), None)
    """
    match expression:
        case Number(written):
            return Fraction(written)
        case Bracket(of):
            return worth(of)
        case Minus(part):
            found = worth(part)
            return None if found is None else -found
        case Quotient(one, two):
            over, under = worth(one), worth(two)
            return None if over is None or not under else over / under
        case Sum(parts) | Product(parts):
            found_parts = [worth(part) for part in parts]
            numbers = [number for number in found_parts if number is not None]
            if len(numbers) < len(found_parts):
                return None
            return sum(numbers, Fraction(0)) if isinstance(expression, Sum) else math.prod(numbers, start=Fraction(1))
    return None


def in_decimals(value: Fraction, digits: int = MOST_DIGITS) -> tuple[str, Number]:
    """An exact number as a decimal with its sign: all digits if they are few, else the first four and a rough sign.

    >>> [
    ...     f"{sign} {number}"
    ...     for sign, number in map(in_decimals, [Fraction(77, 800), Fraction(4, 35), Fraction(1, 12500)])
    ... ]
    ['= 0.09625', '≈ 0.1143', '= 0.00008']
    """
    if is_decimal(value) and value.denominator <= 10**digits and abs(value) < 10**digits:
        return "=", Number(_without_zeros(f"{value.numerator / Decimal(value.denominator):f}"))
    rounded, sign, exponent = f"{value.numerator / Decimal(value.denominator):.4g}".partition("e")
    return "≈", Number(f"{_without_zeros(rounded)}{sign}{exponent}")


def _without_zeros(written: str) -> str:
    return written.rstrip("0").rstrip(".") if "." in written else written


# ---- lines of equations ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Chain(Expression):
    """Steps of an equation on one line, without the sign of the first.

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
        return "".join([first.latex(), *(f" {_RELATIONS[sign]} {step.latex()}" for sign, step in others)])

    def mathml(self) -> str:
        (_, first), *others = self.steps
        return "".join([first.mathml(), *(f"<mo>{shown(sign)}</mo>{step.mathml()}" for sign, step in others)])


@dataclass(frozen=True, slots=True)
class Equations:
    r"""Equations below each other, their signs in one column: left, then steps of a sign and an expression each.

    Each step has a line of its own; a product or a sum that is too long for a line is broken between its parts.
    chained: a line has as many steps of an equation as fit.

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

    def _fitted(self, width: int) -> Iterable[tuple[Expression, Sequence[tuple[str, Expression]]]]:
        """The lines, with as many steps in each chain as fit, if that is wanted."""
        for left, steps in self.lines:
            yield left, list(_chains(steps, width - len(left.text()) - 3)) if self.chained else steps

    def text(self, width: int = 80) -> str:
        """For a terminal of this width."""
        found = []
        for left, steps in self._fitted(width):
            start = left.text()
            indent = "   " if _is_long(left, steps, width) else " " * len(start)
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width - len(indent) - 3, _length)
                if place == 0 and len(indent) < len(start):
                    found.append(start)
                before = start if place == 0 and len(indent) == len(start) else indent
                found.append(f"{before} {sign} {pieces[0].text()}")
                found += [f"{indent}   {joint} {rest.text()}" for joint, rest in map(_joined_on, pieces[1:])]
        return "\n".join(line.rstrip() for line in found)

    def latex(self, width: int = 72) -> str:
        """In `align*`; width: about how many characters fit in a line."""
        rows = []
        for left, steps in self._fitted(width):
            long = _is_long(left, steps, width)
            rows += [f"& {left.latex()}"] if long else []
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width if long else width - len(left.text()), _breadth)
                before = left.latex() + " " if place == 0 and not long else ""
                between = r"\quad " if long else ""
                rows.append(rf"{before}&{between}{_RELATIONS[sign]} {pieces[0].latex()}")
                for joint, rest in map(_joined_on, pieces[1:]):
                    rows.append(rf"&\quad {between}{_JOINTS[joint]} {rest.latex()}")
        return "\n".join([r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"])

    def mathml(self, width: int = 96) -> str:
        """A `<math>` block."""
        rows = []
        for left, steps in self._fitted(width):
            long = _is_long(left, steps, width)
            rows += [_row("", "", left.mathml())] if long else []
            for place, (sign, step) in enumerate(steps):
                pieces = _pieces(step, width if long else width - len(left.text()), _breadth)
                start = left.mathml() if place == 0 and not long else ""
                rows.append(_row(start, f"<mo>{shown(sign)}</mo>", pieces[0].mathml()))
                for joint, rest in map(_joined_on, pieces[1:]):
                    rows.append(_row("", "", f'<mspace width="1em"/><mo>{_signs(joint)}</mo>{rest.mathml()}'))
        return f'<math display="block"><mtable class="steps" displaystyle="true">{"".join(rows)}</mtable></math>'


def _chains(steps: Sequence[tuple[str, Expression]], width: int) -> Iterable[tuple[str, Expression]]:
    line: list[tuple[str, Expression]] = []
    for step in steps:
        if line and len(Chain([*line, step]).text()) > width:
            yield line[0][0], Chain(line) if len(line) > 1 else line[0][1]
            line = []
        line.append(step)
    yield line[0][0], Chain(line) if len(line) > 1 else line[0][1]


def _row(left: str, sign: str, right: str) -> str:
    return f"<mtr><mtd><mrow>{left}</mrow></mtd><mtd><mrow>{sign}</mrow></mtd><mtd><mrow>{right}</mrow></mtd></mtr>"


def _is_long(left: Expression, steps: Sequence[tuple[str, Expression]], width: int) -> bool:
    """Whether the left side needs a line of its own: what is right of it would have little room, and needs more."""
    size = len(left.text())
    return size > width // 3 and any(size + len(step.text()) + 3 > width for _, step in steps)


_JOINTS = {"·": r"\cdot", "+": "+", "-": "-"}


def _joined_on(piece: Expression) -> tuple[str, Expression]:
    """The sign before a piece that has a line of its own, and the piece without it."""
    if not isinstance(piece, Sum):
        return "·", piece
    sign, first = _without_sign(piece.summands[0])
    return sign, Sum([first, *piece.summands[1:]], piece.tight)


Measure = Callable[[Expression], int]


def _pieces(step: Expression, width: int, measure: Measure) -> list[Expression]:
    """The expression in parts that each take about one line."""
    if isinstance(step, Product):
        return [Product(part) for part in _lines(step.factors, width, measure)]
    if isinstance(step, Sum):
        return [Sum(part, step.tight) for part in _lines(step.summands, width, measure)]
    return [step]


def _length(part: Expression) -> int:
    """How many characters it takes."""
    return len(part.text())


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
