"""Formulas as text, LaTeX and MathML."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explain.examples import HOSTILE
from likelier._show.cells import width
from likelier._show.expressions import (
    And,
    Bracket,
    Chain,
    Equations,
    Expression,
    Joined,
    Log,
    Minus,
    Name,
    Not,
    Number,
    Power,
    Probability,
    Product,
    Quotient,
    Relation,
    Sum,
    in_decimals,
    of_fraction,
    parsed,
    worth,
)

numbers = st.fractions(0, 1000, max_denominator=8).filter(lambda value: value.denominator in (1, 2, 4, 8))
atoms = numbers.map(lambda value: Number(f"{float(value):g}"))
names = st.sampled_from(
    ["goat", "stiff joint", HOSTILE, "a|b", "<b>", r"\input{x}", "x^2_1", "مزعج", "中文", "$%&#", ""]
)


def combined(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(parts, min_size=2, max_size=4)
    return st.one_of(
        several.map(Sum),
        several.map(lambda each: Sum(each, tight=True)),
        several.map(Product),
        st.tuples(parts, parts).map(lambda each: Quotient(*each)),
        parts.map(Minus),
        parts.map(Bracket),
    )


worked = st.recursive(atoms, combined, max_leaves=8)
leaves = st.one_of(atoms, names.map(Name), st.tuples(names, names).map(lambda each: Probability(*each)))


def anything(parts: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    pairs = st.tuples(parts, parts)
    return st.one_of(
        combined(parts),
        parts.map(Log),
        parts.map(Not),
        pairs.map(lambda each: Power(*each)),
        st.tuples(parts, st.integers(-3, 12)).map(lambda each: Power(*each)),
        pairs.map(lambda each: Relation(*each)),
        pairs.map(Joined),
        pairs.map(lambda each: And(*each)),
        pairs.map(lambda each: Probability(*each)),
        pairs.map(lambda each: Chain([("=", each[0]), ("≈", each[1])])),
    )


formulas = st.recursive(leaves, anything, max_leaves=8)


def by_python(text: str) -> Fraction:
    """What a text is worth when Python reads it, in fractions."""
    return eval(
        re.sub(r"\d+(?:\.\d+)?", lambda found: f"Fraction('{found[0]}')", text.replace("·", "*")),
        {"Fraction": Fraction},
    )


@given(worked)
def test_the_text_of_a_formula_means_what_the_formula_is_worth(formula: Expression) -> None:
    value = worth(formula)
    if value is None:  # a division by 0
        with pytest.raises(ZeroDivisionError):
            by_python(formula.text())
    else:
        assert by_python(formula.text()) == value
        if "-" not in formula.text():  # of minus signs, worked formulas have the simple ones only
            assert worth(parsed(formula.text())) == value


@given(formulas)
def test_every_formula_is_well_formed_and_harmless_in_every_form(formula: Expression) -> None:
    for math in (f"<math>{formula.mathml()}</math>", Equations([(formula, [("=", formula), ("≈", formula)])]).mathml()):
        assert ElementTree.fromstring(math.replace("&#160;", " ")) is not None
    latex = formula.latex()
    bare = re.sub(r"\\.", "", latex)
    assert bare.count("{") == bare.count("}")
    assert latex.count(r"\left(") == latex.count(r"\right)")
    assert r"\input" not in latex
    assert "\x1b" not in formula.text()


@given(st.lists(atoms, min_size=1, max_size=60), st.sampled_from([Product, Sum]), st.integers(20, 120))
def test_long_formulas_are_broken_between_their_parts_and_nothing_is_lost(
    parts: list[Expression], kind: Any, width: int
) -> None:
    lines = Equations([(Name("x"), [("=", kind(parts))])])
    assert re.sub(r"\s", "", lines.text(width)) == re.sub(r"\s", "", f"x={kind(parts)}")
    assert all(len(line) <= max(width, 20) + 12 for line in lines.text(width).splitlines())
    assert [*re.finditer(r"\d+(?:\.\d+)?", lines.latex())].__len__() == len(parts)


@pytest.mark.parametrize(
    ("formula", "text", "latex"),
    [
        (Power(Probability("sieben", "OK"), 2), "P(sieben|OK)²", r"P(\text{sieben} \mid \text{OK})^{2}"),
        (Sum([Number("1"), Minus(Number("0.4"))]), "1 - 0.4", "1 - 0.4"),
        (Product([Sum([Number("1"), Number("2")]), Number("3")]), "(1 + 2) · 3", r"\left(1 + 2\right) \cdot 3"),
        (Quotient(Number("1"), Quotient(Number("2"), Number("3"))), "1/(2/3)", r"\frac{1}{\;\frac{2}{3}\;}"),
        (Number("3.2e-09"), "3.2·10⁻⁹", r"3.2 \cdot 10^{-9}"),
        (Log(parsed("2/3")), "log(2/3)", r"\log \frac{2}{3}"),
        (Probability(Not(Name("a"))), "P(not a)", r"P(\overline{\text{a}})"),
    ],
)
def test_formulas_are_written_like_this(formula: Expression, text: str, latex: str) -> None:
    assert formula.text() == text
    assert formula.latex() == latex


@given(st.fractions(-10, 10, max_denominator=10**6))
def test_fractions_keep_their_value(value: Fraction) -> None:
    assert worth(of_fraction(value)) == value
    sign, number = in_decimals(value)
    near = Fraction(number.written)
    assert near == value if sign == "=" else abs(near - value) <= abs(value) / 1000


def test_signs_are_in_one_column_beside_wide_and_combined_characters() -> None:
    for name, wide in (("垃圾", 4), ("e\u0301", 1)):
        lines = Equations([(Probability(name), [("=", Number("0.50")), ("=", Number("0.5"))])]).text().split("\n")
        assert lines[1] == " " * (wide + 4) + "= 0.5"
    product = Product([Probability("垃圾")] * 10)
    lines = Equations([(Probability("垃圾"), [("=", product)])]).text(40).split("\n")
    assert max(map(width, lines)) <= 40


def test_where_a_fraction_has_a_bar_it_takes_the_room_of_its_longer_part() -> None:
    left = Log(Quotient(Probability("sieben", "OK"), Probability("sieben", "SPAM")))
    ratio = Log(Quotient(parsed("7/29"), parsed("3/15")))
    steps = [("=", Chain([("=", ratio), ("≈", Log(Number("1.207"))), ("≈", Number("0.1881"))]))]
    equations = Equations([(left, steps)])
    assert len(equations.latex().split("\n")) == 3
    assert equations.mathml().count("<mtr>") == 1


def test_the_minus_of_a_number_after_a_sign_starts_a_row_of_its_own() -> None:
    minus = "<mrow><mo>−</mo><mn>0.5</mn></mrow>"
    assert Chain([("=", Log(Number("2"))), ("≈", Number("-0.5"))]).mathml().endswith(f"<mo>≈</mo>{minus}")
    assert Relation(Name("x"), Number("-0.5")).mathml().endswith(f"<mo>=</mo>{minus}")
