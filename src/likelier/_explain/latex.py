r"""An explanation as the derivation that a lecturer writes, for a document with `amsmath`.

A short text is a product of fractions for each label; a longer one would fill the page, so it is a table of
logarithms. Exact fractions are written out where they are short. A document with columns is the same, column by column;
where one of them has a normal distribution, there is a density with its numbers put in, and decimals come out.

Terms and labels stand in \text{}; letters that pdfLaTeX does not know need XeLaTeX or LuaLaTeX.
"""

from __future__ import annotations

import math

from likelier._documents.labels import Label
from likelier._explain.explanation import Explanation
from likelier._explain.latex_product import is_exact, is_long, is_zero, products
from likelier._explain.latex_sums import sums
from likelier._explain.latex_text import decimal, fraction, log_sum, name, scientific, text
from likelier._explain.table import weighed

MOST_POSTERIORS = 10


def render(explanation: Explanation) -> str:
    """The derivation."""
    derivation = sums(explanation, MOST_POSTERIORS) if is_long(explanation) else products(explanation)
    weighing = [text(line[0].upper() + line[1:]) + "." for line in weighed(explanation)]
    parts = [*derivation, *_posterior(explanation), *_decision(explanation), *_left_out(explanation), *weighing]
    return "\n".join(parts)


def _posterior(explanation: Explanation) -> list[str]:
    total = log_sum(list(explanation.log_scores.values()))
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
    lines = [rf"P({name(label)} \mid d) &{_honest(explanation, label)}" for label in labels]
    return [f"These probabilities are calibrated by {text(explanation.calibration)}:", *_aligned(lines)]


def _honest(explanation: Explanation, label: Label) -> str:
    if explanation.log_scores[label] == -math.inf:
        return "= 0"
    value = explanation.verdict.probabilities[label]
    return rf"\approx {_decimal(value, math.log(value))}" if value >= 1e-300 else "< 10^{-300}"


def _decimal(value: float, logarithm: float) -> str:
    """A probability: four decimals, or a power of ten where those would be zeros."""
    return f"{value:.4f}" if value >= 0.0001 else scientific(logarithm)


def _probability(explanation: Explanation, label: Label, total: float) -> str:
    """How the posterior of a label is worked out by Bayes' rule, exact and as a decimal."""
    score = explanation.log_scores[label]
    if score == -math.inf:
        return "0"
    posterior = explanation.posterior if is_exact(explanation) else None
    exact = fraction(posterior[label]) if posterior else None
    steps = [_share(explanation, label, total), *([exact] if exact else [])]
    shown = _decimal(math.exp(score - total), score - total)
    return " = ".join(steps) + ("" if exact == "1" else rf" \approx {shown}")


def _share(explanation: Explanation, label: Label, total: float) -> str:
    score = explanation.log_scores[label]
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
    names = {kind: [explanation.name_of(item) for item in without if item.kind == kind] for kind in why}
    return [f"{why[kind]} and left out: {text(', '.join(found))}." for kind, found in names.items() if found]
