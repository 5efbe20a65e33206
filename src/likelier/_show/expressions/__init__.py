r"""A formula in every form: text for a terminal, LaTeX for a document, MathML for a page.

>>> sieben = Power(Probability("sieben", "OK"), 2)
>>> print(Product([Probability("OK"), sieben]))
P(OK) · P(sieben|OK)²
>>> print(Product([Probability("OK"), sieben]).latex())
P(\text{OK}) \cdot P(\text{sieben} \mid \text{OK})^{2}
>>> print(parsed("(2 + 1) / (5 + 7)"), parsed("(2 + 1) / (5 + 7)").latex())
(2+1)/(5+7) \frac{2+1}{5+7}

Text from outside is a `Name` and harmless in each form.

atoms      numbers, names, symbols, probabilities
compound   sums, products, fractions, powers, logarithms
numbers    formulas of numbers: from their text, from a fraction, and what they are worth
equations  steps on one line, or below each other
"""

from likelier._show.expressions.atoms import (
    ATOM,
    DOTS,
    INFINITY,
    POWER,
    PRODUCT,
    SUM,
    Expression,
    Name,
    Number,
    Probability,
    Symbol,
    in_brackets,
)
from likelier._show.expressions.compound import (
    And,
    Bracket,
    Joined,
    Log,
    Minus,
    Not,
    Power,
    Product,
    Quotient,
    Relation,
    Sum,
)
from likelier._show.expressions.equations import Chain, Equations
from likelier._show.expressions.numbers import MOST_DIGITS, in_decimals, of_fraction, parsed, worth

__all__ = [
    "ATOM",
    "DOTS",
    "INFINITY",
    "MOST_DIGITS",
    "POWER",
    "PRODUCT",
    "SUM",
    "And",
    "Bracket",
    "Chain",
    "Equations",
    "Expression",
    "Joined",
    "Log",
    "Minus",
    "Name",
    "Not",
    "Number",
    "Power",
    "Probability",
    "Product",
    "Quotient",
    "Relation",
    "Sum",
    "Symbol",
    "in_brackets",
    "in_decimals",
    "of_fraction",
    "parsed",
    "worth",
]
