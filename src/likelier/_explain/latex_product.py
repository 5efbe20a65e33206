r"""The product behind each label, in LaTeX.

    P(c) * product of P(t|c)^n                         a text
    P(c) * P(sex = male|c) * p(age = 22|c) * ...       a document with columns

The complement model divides by its factors: they stand last, in a bracket.
"""

from __future__ import annotations

import math
import re
from fractions import Fraction

from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._estimate.smoothing import Formula
from likelier._explain.explanation import EVIDENCE, Explanation, Item
from likelier._show.latex import density, fraction, name, scientific, value, worked

MOST_FACTORS = 12  # distinct terms and values of a product; a density takes the room of two
MOST_PRODUCTS = 6  # labels whose product is written out
MOST_ABSENT = 200  # terms, up to which their exact product is worked out
LINE = 64  # characters of numbers in one line of a product

_NORMAL = re.compile(r"N\((.+); (.+), (.+)\)")  # as `Normal.formula` writes it
Piece = tuple[int, str]  # about how many characters it takes, and a factor with the sign before it


def is_long(explanation: Explanation) -> bool:
    """Whether a product would fill the page, or there is none."""
    evidence = [item for item in explanation.items if item.kind in EVIDENCE]
    has_none = bool(explanation.normalized or explanation.weightings or explanation.with_idf)
    return has_none or sum(2 if is_density(item) else 1 for item in evidence) > MOST_FACTORS


def is_exact(explanation: Explanation) -> bool:
    """Whether there is an exact joint probability, and it costs little."""
    absent = [item.terms for item in explanation.items if item.kind == "absent"]
    times = sum(item.times for item in explanation.items)
    costs_little = sum(absent) <= MOST_ABSENT and times <= MOST_ABSENT
    return costs_little and not is_long(explanation) and not any(map(is_density, explanation.items))


def is_zero(item: Item) -> bool:
    """Unknown terms that make every label impossible, by policy and not by a factor."""
    return item.kind == "unknown" and not item.factors and -math.inf in item.contributions.values()


def is_density(item: Item) -> bool:
    """Whether it is a number under a normal distribution."""
    return item.kind == "value" and any(factor.is_density for factor in item.factors.values())


def products(explanation: Explanation) -> list[str]:
    """The document that is classified, and the product of each label."""
    asked = _terms(explanation, None) if explanation.is_plain else _document(explanation)
    lines = [rf"\noindent $d = {asked}$"]
    for label in explanation.labels[:MOST_PRODUCTS]:
        lines += _product(explanation, label)
    return lines


def _product(explanation: Explanation, label: Label) -> list[str]:
    """P(c) times every factor, with numbers, and what comes out."""
    has_density = any(map(is_density, explanation.items))
    return [
        r"\begin{align*}",
        *_broken("&", _symbols(explanation, label)),
        *_broken(r"&\quad \approx" if has_density else r"&\quad =", _numbers(explanation, label)),
        *(_broken(r"&\quad \approx", _decimals(explanation, label)) if has_density else []),
        rf"&\quad {_outcome(explanation, label)}",
        r"\end{align*}",
    ]


def _broken(start: str, pieces: list[Piece]) -> list[str]:
    """The pieces in lines that fit the page."""
    lines, used = [start], 0
    for place, (size, piece) in enumerate(pieces):
        if place and used + size > LINE:
            lines.append(rf"&\qquad {piece}")
            used = size
        else:
            lines[-1] += f" {piece}"
            used += size
    return [rf"{line} \\" for line in lines]


# ---- the classified document -------------------------------------------------------------------------------------


def _terms(explanation: Explanation, column: str | None) -> str:
    items = [item for item in explanation.items if item.kind == "term" and item.column == column]
    shown = [name(item.name) + (rf"^{{{item.times}}}" if item.times > 1 else "") for item in items]
    return r"\{" + r",\allowbreak\ ".join(shown) + r"\}"


def _document(explanation: Explanation) -> str:
    values = {item.column: _equation(explanation, item) for item in explanation.items if _has_value(explanation, item)}
    texts = {column: rf"{name(column)} = {_terms(explanation, column)}" for column in explanation.texts}
    shown = [(values | texts)[column] for column in explanation.document if column in values or column in texts]
    return "(" + r",\allowbreak\ ".join(shown) + ")"


def _has_value(explanation: Explanation, item: Item) -> bool:
    """A value that takes part: an unknown one does where something is estimated for it."""
    is_column = item.column is not None and item.column not in explanation.texts
    return is_column and (item.kind == "value" or bool(item.factors))


def _equation(explanation: Explanation, item: Item) -> str:
    """`sex = male`; an interval has a name that says it all."""
    assert item.column is not None
    read, shown = explanation.document[item.column], item.name.removeprefix(f"{item.column} ")
    is_interval = isinstance(read, float) and shown != f"{read:.12g}"
    return name(item.name) if is_interval else f"{name(item.column)} = {value(shown)}"


# ---- in symbols --------------------------------------------------------------------------------------------------


def _symbols(explanation: Explanation, label: Label) -> list[Piece]:
    """The product as a formula: column by column, for a plain text the whole."""
    named = name(label)
    if explanation.is_plain:
        return [(LINE, rf"P({named}) {_likelihood(explanation.events[PLAIN], named, 'd')}")]
    values = {item.column: item for item in explanation.items if item.factors and _has_value(explanation, item)}
    there = [column for column in explanation.document if column in values or column in explanation.texts]
    pieces = [(5 + len(str(label)), f"P({named})")]
    for column in sorted(there, key=lambda column: explanation.events.get(column) == "complement"):
        if column in values:
            pieces.append(_value_symbol(explanation, values[column], label))
        else:
            pieces.append(_text_symbol(column, explanation.events[column], label))
    return pieces


def _value_symbol(explanation: Explanation, item: Item, label: Label) -> Piece:
    symbol = "p" if is_density(item) else "P"
    size = 9 + (len(item.name) + len(str(label))) * 6 // 7  # words are narrower than numbers
    return size, rf"\cdot {symbol}({_equation(explanation, item)} \mid {name(label)})"


def _text_symbol(column: str, event: str, label: Label) -> Piece:
    size = (36 if event == "bernoulli" else 18) + len(str(label)) + len(column) // 2
    sign = "" if event == "complement" else r"\cdot "
    return size, f"{sign}{_likelihood(event, name(label), name(column))}"


def _likelihood(event: str, label: str, words: str) -> str:
    """P(d|c) of a text as a formula; `words` stands for its terms."""
    if event == "bernoulli":
        absent = rf"\prod_{{t \notin {words}}} \bigl(1 - P(t \mid {label})\bigr)"
        return rf"\prod_{{t \in {words}}} P(t \mid {label}) {absent}"
    if event == "complement":
        return rf"\Big/ \prod_{{t \in {words}}} P(t \mid \overline{{{label}}})^{{n_t}}"
    power = "" if event == "binary" else "^{n_t}"
    return rf"\prod_{{t \in {words}}} P(t \mid {label}){power}"


# ---- in numbers --------------------------------------------------------------------------------------------------


def _numbers(explanation: Explanation, label: Label) -> list[Piece]:
    """Every factor, with the sign before it."""
    prior, *others = (item for item in explanation.items if item.factors)
    multiplied = [_factor(item, label) for item in others if not _divides(explanation, item)]
    multiplied += [(10, _absent(explanation, item, label)) for item in explanation.items if item.kind == "absent"]
    multiplied += [(1, "0") for item in explanation.items if is_zero(item)]
    divisors = [_factor(item, label) for item in others if _divides(explanation, item)]
    size, first = _factor(prior, label)
    return [(size, first), *((size, rf"\cdot {factor}") for size, factor in multiplied), *_bracketed(divisors)]


def _bracketed(divisors: list[Piece]) -> list[Piece]:
    if not divisors:
        return []
    signs = [r"\Big/ \Bigl(", *[r"\cdot"] * (len(divisors) - 1)]
    pieces = [(size, f"{sign} {piece}") for sign, (size, piece) in zip(signs, divisors, strict=True)]
    size, last = pieces.pop()
    return [*pieces, (size, rf"{last} \Bigr)")]


def _divides(explanation: Explanation, item: Item) -> bool:
    """Whether it is a factor of the complement model."""
    event = explanation.events.get(PLAIN if explanation.is_plain else item.column or "")
    return event == "complement" and item.kind != "prior"


def _factor(item: Item, label: Label) -> Piece:
    formula = item.factors[label].formula
    if item.factors[label].is_density:
        x, mean, variance = normal_numbers(formula)
        return 10 + len(variance) + (len(x) + len(mean)) * 2 // 3, density(x, mean, variance)
    shown = worked(formula.numerator, formula.denominator)
    size = max(len(formula.numerator), len(formula.denominator or ""))
    power = rf"^{{{item.times}}}" if item.times > 1 else ""
    is_sum = formula.denominator is None and " " in formula.numerator
    return 3 + size, rf"\left({shown}\right){power}" if power or is_sum else shown


def normal_numbers(formula: Formula) -> tuple[str, str, str]:
    """Number, mean and variance of a worked density."""
    x, mean, variance = _NORMAL.fullmatch(formula.numerator).groups()  # type: ignore[union-attr]
    return x, mean, variance


def _decimals(explanation: Explanation, label: Label) -> list[Piece]:
    """Every factor worked out."""
    items = [item for item in explanation.items if item.factors or item.kind == "absent" or is_zero(item)]
    first, *others = (scientific(item.contributions[label]) for item in items)
    return [(len(first), first), *((len(each), rf"\cdot {each}") for each in others)]


def _absent(explanation: Explanation, item: Item, label: Label) -> str:
    """The product of 1 - P over the absent terms: what the other factors leave of the joint probability."""
    shown = scientific(item.contributions[label])
    if is_exact(explanation) and [each.kind for each in explanation.items].count("absent") == 1:
        present = math.prod((_raised(explanation, each, label) for each in explanation.items), start=Fraction(1))
        shown = fraction(explanation.joint[label] / present) or shown if present else shown
    return rf"\underbrace{{{shown}}}_{{{name(item.title)}}}"


def _raised(explanation: Explanation, item: Item, label: Label) -> Fraction:
    if not item.factors:
        return Fraction(1)
    return Fraction(item.factors[label].value) ** int(-item.times if _divides(explanation, item) else item.times)


def _outcome(explanation: Explanation, label: Label) -> str:
    score = explanation.naive_scores[label]
    if score == -math.inf:
        return "= 0"
    exact = fraction(explanation.joint[label]) if is_exact(explanation) else None
    return rf"= {exact} \approx {scientific(score)}" if exact else rf"\approx {scientific(score)}"
