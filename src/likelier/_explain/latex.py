r"""An explanation as the derivation that a lecturer writes, for a document with `amsmath`.

A short text is a product of fractions for each label; a longer one would fill the page, so it is a table of
logarithms. Exact fractions are written out where they are short. A document with columns is the same, column by column;
where one of them has a normal distribution, there is a density with its numbers put in, and decimals come out.

Terms and labels are wrapped in \text{}; letters that pdfLaTeX does not know need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import math

from likelier._documents.kinds import PLAIN
from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation, Item
from likelier._explain.latex_product import is_density, is_exact, is_long, is_zero, normal_numbers, products
from likelier._explain.sentences import weightings
from likelier._explain.table import Row, often, places, rows
from likelier._show.latex import decimal, fraction, name, normal, scientific, text, worked
from likelier._show.table import Cell, Table

MOST_POSTERIORS = 10
MOST_ROWS = 15  # terms and values of a sum


def render(explanation: Explanation) -> str:
    """The derivation."""
    derivation = _sums(explanation) if is_long(explanation) else products(explanation)
    weighing = [text(line[0].upper() + line[1:]) + "." for line in weightings(explanation)]
    parts = [*derivation, *_posterior(explanation), *_decision(explanation), *_left_out(explanation), *weighing]
    return "\n".join(parts)


def _posterior(explanation: Explanation) -> list[str]:
    total = _log_sum(list(explanation.naive_scores.values()))
    if total == -math.inf:
        return [r"Every label has probability $0$, so that $P(c \mid d)$ is not defined."]
    symbol = "P" if explanation.calibration is None else r"P_{\text{Bayes}}"
    labels = explanation.labels[:MOST_POSTERIORS]
    by_scores = [rf"{symbol}({name(label)} \mid d) &= {_probability(explanation, label, total)}" for label in labels]
    return [*_aligned(by_scores), *_calibrated(explanation, labels)]


def _aligned(lines: list[str]) -> list[str]:
    return [r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}"]


def _calibrated(explanation: Explanation, labels: list[Label]) -> list[str]:
    """What a calibration makes of Bayes' rule; nothing where there is none."""
    if explanation.calibration is None:
        return []
    lines = [rf"P({name(label)} \mid d) &{_calibrated_share(explanation, label)}" for label in labels]
    return [f"These probabilities are calibrated by {text(explanation.calibration)}:", *_aligned(lines)]


def _calibrated_share(explanation: Explanation, label: Label) -> str:
    if explanation.naive_scores[label] == -math.inf:
        return "= 0"
    value = explanation.verdict.probabilities[label]
    return rf"\approx {_decimal(value, math.log(value))}" if value >= 1e-300 else "< 10^{-300}"


def _decimal(value: float, logarithm: float) -> str:
    """A probability: four decimals, or a power of ten where those would be zeros."""
    return f"{value:.4f}" if value >= 0.0001 else scientific(logarithm)


def _probability(explanation: Explanation, label: Label, total: float) -> str:
    """How the posterior of a label is worked out by Bayes' rule, exact and as a decimal."""
    score = explanation.naive_scores[label]
    if score == -math.inf:
        return "0"
    posterior = explanation.posterior if is_exact(explanation) else None
    exact = fraction(posterior[label]) if posterior else None
    steps = [_share(explanation, label, total), *([exact] if exact else [])]
    shown = _decimal(math.exp(score - total), score - total)
    return " = ".join(steps) + ("" if exact == "1" else rf" \approx {shown}")


def _share(explanation: Explanation, label: Label, total: float) -> str:
    score = explanation.naive_scores[label]
    if not is_long(explanation):
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
    why = {"value": "Always the same", "unknown": "Unknown", "missing": "Missing"}
    without = [item for item in explanation.items if item.kind in why and not item.factors and not is_zero(item)]
    names = {kind: [item.title for item in without if item.kind == kind] for kind in why}
    return [f"{why[kind]} and left out: {text(', '.join(found))}." for kind, found in names.items() if found]


def _log_sum(logarithms: list[float]) -> float:
    """log of the sum of the numbers with these logarithms.

    >>> round(_log_sum([math.log(2), math.log(3)]), 12) == round(math.log(5), 12)
    True
    """
    highest = max(logarithms)
    if highest == -math.inf:
        return highest
    return highest + math.log(math.fsum(math.exp(value - highest) for value in logarithms))


# ---- the sum of logarithms ---------------------------------------------------------------------------------------


def _sums(explanation: Explanation) -> list[str]:
    """The formula, the table for the winner and the runner-up, and the sums of other labels."""
    shown = [row for row in rows(explanation, MOST_ROWS, full=True) if not _is_left_out(explanation, row)]
    labels, digits = explanation.compared, places(shown)
    table = Table(
        [Cell("", latex="t" if explanation.is_plain else "x"), *map(str, labels)],
        [[row.name, *_summands(explanation, row, digits)] for row in shown],
        numbers={1, 2},
        foot=[[_formula("q(c)"), *(_formula(decimal(explanation.naive_scores[label], digits)) for label in labels)]],
    )
    return [
        r"\[",
        *_score(explanation),
        r"\]",
        r"\[",
        r"\renewcommand{\arraystretch}{1.4}",
        table.to_latex(math=True),
        r"\]",
        *_other_scores(explanation),
    ]


def _formula(latex: str) -> Cell:
    return Cell("", latex=latex)


def _is_left_out(explanation: Explanation, row: Row) -> bool:
    """Columns that say nothing, which a sentence names; and what only the calibration adds."""
    if row.kind == "correction":
        return True
    says_nothing = row.kind in ("unknown", "missing") and not row.factors and not any(row.contributions)
    return says_nothing and not explanation.is_plain


def _other_scores(explanation: Explanation) -> list[str]:
    others = [label for label in explanation.labels if label not in explanation.compared][: MOST_POSTERIORS - 2]
    scores = [rf"q({name(label)}) = {decimal(explanation.naive_scores[label])}" for label in others]
    lines = [r",\quad ".join(scores[place : place + 2]) for place in range(0, len(scores), 2)]
    return [r"\begin{gather*}", " \\\\\n".join(lines), r"\end{gather*}"] if lines else []


def _score(explanation: Explanation) -> list[str]:
    """The formula of the sum, column by column, and what else it needs."""
    parts, has_density = [r"q(c) = \log P(c)"], any(map(is_density, explanation.items))
    if any(_is_value(explanation, item) and item.factors and not is_density(item) for item in explanation.items):
        parts.append(r"+ \sum_{j} \log P(x_j \mid c)")
    if has_density:
        parts.append(r"+ \sum_{j} \log p(x_j \mid c)")
    parts += [_words(explanation, column) for column in explanation.texts]
    lines = [" ".join(parts[place : place + 3]) for place in range(0, len(parts), 3)]
    shown = [*lines, *([_WEIGHTS] if explanation.normalized else []), *([_DENSITY] if has_density else [])]
    if explanation.is_plain:
        return [r", \quad ".join(shown)]
    return [r"\begin{gathered}", " \\\\\n".join(shown), r"\end{gathered}"] if len(shown) > 1 else shown


def _is_value(explanation: Explanation, item: Item) -> bool:
    return item.column is not None and item.column not in explanation.events


_WEIGHTS = r"w_{tc} = \frac{-\log P(t \mid \overline{c})}{\sum_v \lvert \log P(v \mid \overline{c}) \rvert}"
_DENSITY = (
    r"p(x \mid c) = \mathcal{N}(x; \mu, \sigma^2)"
    r" = \frac{1}{\sqrt{2\pi\sigma^2}}\, e^{-\frac{(x-\mu)^2}{2\sigma^2}}"
)


def _words(explanation: Explanation, column: str) -> str:
    """What a text adds."""
    words, event = "d" if explanation.is_plain else name(column), explanation.events[column]
    if column in explanation.normalized:
        return rf"+ \sum_{{t \in {words}}} n_t w_{{tc}}"
    if event == "complement":
        return rf"- \sum_{{t \in {words}}} n_t \log P(t \mid \overline{{c}})"
    if event == "bernoulli":
        absent = rf"\sum_{{t \notin {words}}} \log\bigl(1 - P(t \mid c)\bigr)"
        return rf"+ \sum_{{t \in {words}}} \log P(t \mid c) + {absent}"
    return rf"+ \sum_{{t \in {words}}} n_t \log P(t \mid c)"


def _summands(explanation: Explanation, row: Row, digits: int) -> list[Cell]:
    return [_formula(_summand(explanation, row, place, digits)) for place in range(len(row.contributions))]


def _summand(explanation: Explanation, row: Row, place: int, digits: int) -> str:
    shown = decimal(row.contributions[place], digits)
    if not row.factors or not row.times:
        return shown
    column = PLAIN if explanation.is_plain else row.column
    times = "" if row.times == 1 else f"{often(row.times)} "
    if row.kind != "prior" and column in explanation.normalized:
        return rf"{times}\cdot {decimal(row.contributions[place] / row.times, digits)} = {shown}" if times else shown
    sign = "-" if row.kind != "prior" and explanation.events.get(column or "") == "complement" else ""
    formula, is_density = row.factors[place].formula, row.factors[place].is_density
    factor = (
        normal(*normal_numbers(formula)) if is_density else worked(formula.numerator, formula.denominator, small=True)
    )
    return rf"{sign}{times}\log {factor} = {shown}"
