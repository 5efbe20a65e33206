"""The parts of a formula that have no parts of their own: numbers, names, symbols, probabilities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from likelier._show import latex
from likelier._show.cells import LEFT_TO_RIGHT, clean
from likelier._show.html_words import shown

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly an expression holds together
RAISED = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
RELATIONS = {"=": "=", "≈": r"\approx", ">": ">", "<": "<", "∝": r"\propto", "→": r"\rightarrow"}


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

    def plain(self) -> str:
        """The text without marks for a terminal: for a cell or a sentence, which gets its own."""
        return self.text().replace(LEFT_TO_RIGHT, "")

    def __str__(self) -> str:
        return self.text()


def text_of(part: Expression, least: int) -> str:
    return part.text() if part.level >= least else f"({part.text()})"


def latex_of(part: Expression, least: int) -> str:
    return part.latex() if part.level >= least else rf"\left({part.latex()}\right)"


def mathml_of(part: Expression, least: int) -> str:
    inner = part.mathml()
    return f"<mrow>{inner}</mrow>" if part.level >= least else f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>"


def in_brackets(inner: str) -> str:
    """MathML between small brackets, as after the name of a function."""
    return f'<mrow><mo stretchy="false">(</mo>{inner}<mo stretchy="false">)</mo></mrow>'


def sign_in_mathml(sign: str) -> str:
    """A sign as MathML has it."""
    return "−" if sign == "-" else sign


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """A number as Python writes it: `-0.25`, `3.2e-09`. It is shown with a power of ten in place of `e`."""

    written: str

    @property
    def level(self) -> int:  # type: ignore[override]
        return SUM if self.written.startswith("-") else PRODUCT if "e" in self.written else ATOM

    def text(self) -> str:
        mantissa, _, exponent = self.written.partition("e")
        return f"{mantissa}·10{str(int(exponent)).translate(RAISED)}" if exponent else mantissa

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

    >>> from likelier._show.expressions import Joined
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
