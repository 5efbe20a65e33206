"""From scores to probabilities: divided by their sum, in each form; what a calibration makes of it; the decision."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

from likelier._base.numbers import log_of_fraction
from likelier._documents.labels import Label
from likelier._explain.asked import DOCUMENT, LABEL
from likelier._explain.calculation import Calculation, Line, Step, score_symbol
from likelier._explain.explanation import Explanation
from likelier._explain.multiplied import is_short, named
from likelier._show.blocks import Block, Sentence
from likelier._show.decimals import E, by_logarithm, exact_decimal, in_digits, logarithm
from likelier._show.expressions import (
    Chain,
    Equations,
    Expression,
    Minus,
    Number,
    Power,
    Probability,
    Quotient,
    Sum,
    Symbol,
    of_fraction,
)

MOST_LABELS = 3  # whose scores are added one by one
MOST_ADDED = 12  # digits of fractions that are added

_BAYES = Symbol("P_Bayes", r"P_{\text{Bayes}}", "<msub><mi>P</mi><mtext>Bayes</mtext></msub>")
_EACH = Symbol("c'", "c'", "<mi>c′</mi>")
_ALL = Symbol(
    "Σ e^q(c')",
    r"\sum_{c'} e^{q(c')}",
    f"<munder><mo>∑</mo><mi>c′</mi></munder>{Power(E, score_symbol(_EACH)).mathml()}",
)
_OTHERS = Symbol(
    "Σ e^(q(c')-q(c))",
    r"\sum_{c' \neq c} e^{q(c')-q(c)}",
    "<munder><mo>∑</mo><mrow><mi>c′</mi><mo>≠</mo><mi>c</mi></mrow></munder>"
    f"{Power(E, Sum([score_symbol(_EACH), Minus(score_symbol(LABEL))])).mathml()}",
)
_ARGMAX = Symbol(
    "argmax P(c|d)",
    r"\operatorname*{arg\,max}_{c} P(c \mid d)",
    f'<munder><mi>arg max</mi><mi>c</mi></munder><mspace width="0.2em"/>{Probability(LABEL, DOCUMENT).mathml()}',
)
_CHOSEN = Symbol("ĉ", r"\hat{c}", "<mover><mi>c</mi><mo>^</mo></mover>")


def probabilities(calculation: Calculation, labels: Sequence[Label], *, by_logarithms: bool) -> list[Block]:
    """Bayes' rule for these labels, and the calibration after it."""
    explanation = calculation.explanation
    scores = {label: _score(calculation, label, by_logarithms) for label in explanation.labels}
    total = log_sum(list(scores.values()))
    if total == -math.inf:
        return [Sentence(["Every label has probability 0, so that ", Probability(LABEL, DOCUMENT), " is not defined."])]
    lines = [_symbols()] if by_logarithms else []
    lines += [_line(calculation, label, scores, total, by_logarithms) for label in labels]
    return [Equations(lines), *calibrated(explanation, labels)]


def _score(calculation: Calculation, label: Label, by_logarithms: bool) -> float:
    if calculation.rounded is None:
        return calculation.explanation.naive_scores[label]
    if by_logarithms:
        return calculation.score(label)
    value = calculation.rounded_value(label)
    if value is None:
        return calculation.explanation.naive_scores[label]
    return log_of_fraction(value)


def _symbols() -> Line:
    e_to_q = Power(E, score_symbol(LABEL))
    return Probability(LABEL, DOCUMENT), [
        ("=", Quotient(e_to_q, _ALL)),
        ("=", Quotient(Number("1"), Sum([Number("1"), _OTHERS]))),
    ]


def _line(
    calculation: Calculation, label: Label, scores: dict[Label, float], total: float, by_logarithms: bool
) -> Line:
    explanation, left = calculation.explanation, posterior(calculation.explanation, label)
    score, places = scores[label], calculation.places
    if score == -math.inf:
        return left, [("=", Number("0"))]
    others = [each for each in explanation.labels if each != label and scores[each] > -math.inf]
    if not others:
        own = Power(E, logarithm(score, places)) if by_logarithms else _product(calculation, label, score)
        return left, [("=", Quotient(own, own)), ("=", Number("1"))]
    if by_logarithms:
        return left, [*_exponentials(scores, label, others, places), ("≈", share(score - total, places))]
    possible = [each for each in scores if scores[each] > -math.inf]
    exact = _exact(calculation, label, possible)
    if exact is not None:
        return left, exact
    values = [_product(calculation, each, scores[each]) for each in possible]
    under = Sum(values) if len(values) <= MOST_LABELS else by_logarithm(total)
    divided = Quotient(_product(calculation, label, score), under)
    return left, [("=", divided), ("≈", share(score - total, calculation.rounded))]


def posterior(explanation: Explanation, label: Label) -> Expression:
    """P(c|d); by Bayes' rule alone, where a calibration follows."""
    return Probability(named(label), DOCUMENT, "P" if explanation.calibration is None else _BAYES)


def _product(calculation: Calculation, label: Label, score: float) -> Expression:
    """A product as it was worked out."""
    value = calculation.rounded_value(label) if calculation.rounded is not None else None
    return by_logarithm(score) if value is None else Number(in_digits(value))


def _exponentials(scores: dict[Label, float], label: Label, others: list[Label], places: int) -> list[Step]:
    """e^q / sum of e^q, and the same so that no power is too small for a computer."""
    own = Power(E, logarithm(scores[label], places))
    if len(others) >= MOST_LABELS:
        rest = by_logarithm(log_sum([scores[each] - scores[label] for each in others]))
        return [("=", Quotient(own, _ALL)), ("≈", Quotient(Number("1"), Sum([Number("1"), rest])))]
    powers = [Power(E, logarithm(scores[each], places)) for each in others]
    apart = [Power(E, logarithm(scores[each] - scores[label], places)) for each in others]
    return [("=", Quotient(own, Sum([own, *powers]))), ("=", Quotient(Number("1"), Sum([Number("1"), *apart])))]


def _exact(calculation: Calculation, label: Label, possible: Sequence[Label]) -> list[Step] | None:
    """Worked out in fractions, where there are few and they are short."""
    if calculation.rounded is not None or len(possible) > MOST_LABELS:
        return None
    products = {each: calculation.factors.exact(each) for each in possible}
    found = [product for product in products.values() if product is not None and is_short(product, MOST_ADDED)]
    own = products[label]
    if own is None or len(found) < len(products) or not is_short(value := own / sum(found, Fraction(0))):
        return None
    decimal = exact_decimal(value)
    last = ("≈", share(math.log(value))) if decimal is None else ("=", Number(decimal))
    return [
        ("=", Quotient(of_fraction(own), Sum(list(map(of_fraction, found))))),
        ("=", Chain([("=", of_fraction(value)), last])),
    ]


def share(log: float, places: int | None = None) -> Expression:
    """The probability with this logarithm: four decimals, or a power of ten where those would be zeros."""
    value = math.exp(log)
    return Number(f"{value:.{places or 4}f}") if value >= 10 ** -(places or 4) else by_logarithm(log)


def log_sum(logarithms: list[float]) -> float:
    """log of the sum of the numbers with these logarithms.

    >>> round(log_sum([math.log(2), math.log(3)]), 12) == round(math.log(5), 12)
    True
    """
    highest = max(logarithms)
    if math.isinf(highest):
        return highest
    return highest + math.log(math.fsum(math.exp(value - highest) for value in logarithms))


def calibrated(explanation: Explanation, labels: Sequence[Label]) -> list[Block]:
    """What a calibration makes of Bayes' rule; nothing where there is none."""
    if explanation.calibration is None:
        return []
    lines: list[Line] = []
    for label in labels:
        value, is_possible = explanation.verdict.probabilities[label], explanation.log_scores[label] > -math.inf
        step: Step
        if value < 1e-300:
            step = ("<", Number("1e-300")) if is_possible else ("=", Number("0"))
        else:
            step = ("≈", share(math.log(value)))
        lines.append((Probability(named(label), DOCUMENT), [step]))
    said = f"These probabilities are calibrated by {explanation.calibration}:"
    return [Sentence([said]), Equations(lines)]


def decision(explanation: Explanation) -> list[Block]:
    """The label that is chosen, or why there is none."""
    verdict = explanation.verdict
    reason = [Sentence([f"{verdict.reason[0].upper()}{verdict.reason[1:]}."])] if verdict.reason else []
    if verdict.label is None:
        return [*reason, Sentence(["No label is chosen."], strong=True)]
    by_most: list[Step] = [("=", _ARGMAX)] if verdict.label == explanation.winner else []
    return [*reason, Sentence([Chain([("", _CHOSEN), *by_most, ("=", named(verdict.label))])], strong=True)]
