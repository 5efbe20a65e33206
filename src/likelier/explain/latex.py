r"""An explanation as the derivation that a lecturer writes, for a document with `amsmath`.

A short text is a product of fractions for each label; a longer one would fill the page, so it is a table of
logarithms. Exact fractions are written out where they are short.

Terms and labels stand in \text{}; letters that pdfLaTeX does not know need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import math
from fractions import Fraction

from likelier.counts.labels import Label
from likelier.explain.explanation import Explanation, Item
from likelier.explain.latex_text import decimal, formula, fraction, log_sum, name, scientific, text
from likelier.explain.table import Row, compared, places, rows

MOST_FACTORS = 12  # distinct terms of a product
MOST_ROWS = 15  # terms in the table of logarithms
MOST_PRODUCTS = 6  # labels whose product is written out
MOST_POSTERIORS = 10
MOST_ABSENT = 200  # terms, up to which their exact product is worked out
LINE = 64  # characters of numbers in one line of a product


def render(explanation: Explanation) -> str:
    """The derivation."""
    derivation = _sums(explanation) if _is_long(explanation) else _products(explanation)
    parts = [*derivation, *_posterior(explanation), *_decision(explanation), *_left_out(explanation)]
    return "\n".join(parts)


def _is_long(explanation: Explanation) -> bool:
    terms = [item for item in explanation.items if item.kind == "term"]
    return len(terms) > MOST_FACTORS or explanation.normalized


def _likelihood(explanation: Explanation, label: str) -> str:
    """P(d|c) as a formula."""
    if explanation.event == "bernoulli":
        return rf"\prod_{{t \in d}} P(t \mid {label}) \prod_{{t \notin d}} \bigl(1 - P(t \mid {label})\bigr)"
    if explanation.event == "complement":
        return rf"\Big/ \prod_{{t \in d}} P(t \mid \overline{{{label}}})^{{n_t}}"
    power = "" if explanation.event == "binary" else "^{n_t}"
    return rf"\prod_{{t \in d}} P(t \mid {label}){power}"


# ---- the product -------------------------------------------------------------------------------------------------


def _products(explanation: Explanation) -> list[str]:
    lines = [_terms(explanation)]
    for label in explanation.labels[:MOST_PRODUCTS]:
        lines += _product(explanation, label)
    return lines


def _terms(explanation: Explanation) -> str:
    items = [item for item in explanation.items if item.kind == "term"]
    shown = [name(item.name) + (rf"^{{{item.times}}}" if item.times > 1 else "") for item in items]
    return r"\noindent $d = \{" + r",\allowbreak\ ".join(shown) + r"\}$"


def _product(explanation: Explanation, label: Label) -> list[str]:
    """P(c) times every factor, with numbers, and what comes out."""
    factors = [(_size(item, label), _power(item, label)) for item in explanation.items if item.factors]
    factors += [(10, _absent(explanation, item, label)) for item in explanation.items if item.kind == "absent"]
    factors += [(1, "0") for item in explanation.items if _is_zero(item)]
    (_, prior), *others = factors
    named = name(label)
    return [
        r"\begin{align*}",
        rf"& P({named}) {_likelihood(explanation, named)} \\",
        *_broken(prior, others, divides=explanation.event == "complement"),
        rf"&\quad {_outcome(explanation, label)}",
        r"\end{align*}",
    ]


def _broken(prior: str, factors: list[tuple[int, str]], *, divides: bool) -> list[str]:
    """The factors in lines that fit the page."""
    lines, used = [rf"&\quad = {prior}"], 4
    for place, (size, factor) in enumerate(factors):
        sign = (r"\Big/ \Bigl(" if place == 0 else r"\cdot") if divides else r"\cdot"
        if used + size > LINE:
            lines.append(rf"&\qquad {sign} {factor}")
            used = size
        else:
            lines[-1] += f" {sign} {factor}"
            used += size
    lines[-1] += r" \Bigr)" if divides and factors else ""
    return [rf"{line} \\" for line in lines]


def _size(item: Item, label: Label) -> int:
    worked = item.factors[label].formula
    return 3 + max(len(worked.numerator), len(worked.denominator or ""))


def _power(item: Item, label: Label) -> str:
    factor = formula(item.factors[label].formula)
    if item.times > 1:
        return rf"\left({factor}\right)^{{{item.times}}}"
    is_sum = item.factors[label].formula.denominator is None and " " in item.factors[label].formula.numerator
    return rf"\left({factor}\right)" if is_sum else factor


def _is_zero(item: Item) -> bool:
    """Unknown terms that make every label impossible, by policy and not by a factor."""
    return item.kind == "unknown" and not item.factors and -math.inf in item.contributions.values()


def _absent(explanation: Explanation, item: Item, label: Label) -> str:
    """The product of 1 - P over the absent terms: what the other factors leave of the joint probability."""
    value = scientific(item.contributions[label])
    if _is_exact(explanation):
        present = math.prod((_raised(each, label) for each in explanation.items if each.factors), start=Fraction(1))
        value = fraction(explanation.joint[label] / present) or value if present else value
    return rf"\underbrace{{{value}}}_{{\text{{{text(item.name)}}}}}"


def _raised(item: Item, label: Label) -> Fraction:
    return Fraction(item.factors[label].value ** item.times)


def _is_exact(explanation: Explanation) -> bool:
    """Whether the exact joint probability costs little."""
    absent = [item.terms for item in explanation.items if item.kind == "absent"]
    times = sum(item.times for item in explanation.items)
    return not _is_long(explanation) and sum(absent) <= MOST_ABSENT and times <= MOST_ABSENT


def _outcome(explanation: Explanation, label: Label) -> str:
    score = explanation.log_scores[label]
    if score == -math.inf:
        return "= 0"
    exact = fraction(explanation.joint[label]) if _is_exact(explanation) else None
    return rf"= {exact} \approx {scientific(score)}" if exact else rf"\approx {scientific(score)}"


# ---- the table of logarithms -------------------------------------------------------------------------------------


def _sums(explanation: Explanation) -> list[str]:
    table, labels = rows(explanation, MOST_ROWS), compared(explanation)
    digits = places(table)
    total = " & ".join(["q(c)", *(decimal(explanation.log_scores[label], digits) for label in labels)])
    return [
        r"\[",
        _score(explanation),
        r"\]",
        r"\[",
        r"\renewcommand{\arraystretch}{1.4}",
        rf"\begin{{array}}{{@{{}}l{'r' * len(labels)}@{{}}}}",
        rf"t & {' & '.join(map(name, labels))} \\ \hline",
        *(rf"{_row(explanation, row, digits)} \\" for row in table),
        rf"\hline {total}",
        r"\end{array}",
        r"\]",
        *_other_scores(explanation),
    ]


def _other_scores(explanation: Explanation) -> list[str]:
    others = explanation.labels[2:MOST_POSTERIORS]
    scores = [rf"q({name(label)}) = {decimal(explanation.log_scores[label])}" for label in others]
    lines = [r",\quad ".join(scores[place : place + 2]) for place in range(0, len(scores), 2)]
    return [r"\begin{gather*}", " \\\\\n".join(lines), r"\end{gather*}"] if lines else []


def _score(explanation: Explanation) -> str:
    if explanation.normalized:
        return r"q(c) = \log P(c) + \sum_{t \in d} n_t w_{tc}, \quad" + (
            r" w_{tc} = \frac{-\log P(t \mid \overline{c})}{\sum_v \lvert \log P(v \mid \overline{c}) \rvert}"
        )
    if explanation.event == "complement":
        return r"q(c) = \log P(c) - \sum_{t \in d} n_t \log P(t \mid \overline{c})"
    if explanation.event == "bernoulli":
        return r"q(c) = \log P(c) + \sum_{t \in d} \log P(t \mid c) + \sum_{t \notin d} \log\bigl(1 - P(t \mid c)\bigr)"
    return r"q(c) = \log P(c) + \sum_{t \in d} n_t \log P(t \mid c)"


def _row(explanation: Explanation, row: Row, digits: int) -> str:
    cells = [_summand(explanation, row, place, digits) for place in range(len(row.contributions))]
    return " & ".join([name(row.name), *cells])


def _summand(explanation: Explanation, row: Row, place: int, digits: int) -> str:
    value = decimal(row.contributions[place], digits)
    if not row.factors or not row.times:
        return value
    times = "" if row.times == 1 else f"{row.times} "
    if row.kind != "prior" and explanation.normalized:
        return rf"{times}\cdot {decimal(row.contributions[place] / row.times, digits)} = {value}" if times else value
    sign = "-" if explanation.event == "complement" and row.kind != "prior" else ""
    return rf"{sign}{times}\log {formula(row.factors[place].formula, small=True)} = {value}"


# ---- posterior and decision --------------------------------------------------------------------------------------


def _posterior(explanation: Explanation) -> list[str]:
    total = log_sum(list(explanation.log_scores.values()))
    if total == -math.inf:
        return [r"Every label has probability $0$, so that $P(c \mid d)$ is not defined."]
    lines = [
        rf"P({name(label)} \mid d) &= {_probability(explanation, label, total)}"
        for label in explanation.labels[:MOST_POSTERIORS]
    ]
    return [r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}"]


def _probability(explanation: Explanation, label: Label, total: float) -> str:
    """How the posterior of a label is worked out, exact and as a decimal."""
    score, value = explanation.log_scores[label], explanation.verdict.probabilities[label]
    if score == -math.inf:
        return "0"
    posterior = explanation.posterior if _is_exact(explanation) else None
    exact = fraction(posterior[label]) if posterior else None
    steps = [_share(explanation, label, total), *([exact] if exact else [])]
    shown = f"{value:.4f}" if value >= 0.0001 else scientific(score - total)
    return " = ".join(steps) + ("" if exact == "1" else rf" \approx {shown}")


def _share(explanation: Explanation, label: Label, total: float) -> str:
    score = explanation.log_scores[label]
    if not _is_long(explanation):
        return rf"\frac{{{scientific(score)}}}{{{scientific(total)}}}"
    return rf"\frac{{e^{{{decimal(score)}}}}}{{\sum_{{c}} e^{{q(c)}}}}"


def _decision(explanation: Explanation) -> list[str]:
    verdict = explanation.verdict
    reason = [text(verdict.reason) + "."] if verdict.reason else []
    if verdict.label is None:
        return ["", *reason]
    rule = r" = \operatorname*{arg\,max}_{c} P(c \mid d)" if verdict.label == explanation.winner else ""
    return ["\\[", rf"\hat{{c}}{rule} = {name(verdict.label)}", "\\]", *reason]


def _left_out(explanation: Explanation) -> list[str]:
    ignored = [item for item in explanation.items if item.kind == "unknown" and not item.factors and not _is_zero(item)]
    return [f"Unknown and left out: {text(item.name)}." for item in ignored]
