r"""The sum of logarithms behind each label, as a table in LaTeX."""

from __future__ import annotations

from likelier._documents.kinds import PLAIN
from likelier._explain.explanation import Explanation, Item
from likelier._explain.latex_product import is_density
from likelier._explain.latex_text import decimal, formula, name, short_density
from likelier._explain.table import Row, compared, often, places, rows

MOST_ROWS = 15  # terms and values


def sums(explanation: Explanation, most_labels: int) -> list[str]:
    """The formula, the table for the winner and the runner-up, and the sums of other labels."""
    table, labels = (
        [row for row in rows(explanation, MOST_ROWS) if not _is_left_out(explanation, row)],
        compared(explanation),
    )
    digits = places(table)
    total = " & ".join(["q(c)", *(decimal(explanation.log_scores[label], digits) for label in labels)])
    return [
        r"\[",
        *_score(explanation),
        r"\]",
        r"\[",
        r"\renewcommand{\arraystretch}{1.4}",
        rf"\begin{{array}}{{@{{}}l{'r' * len(labels)}@{{}}}}",
        rf"{'t' if explanation.is_plain else 'x'} & {' & '.join(map(name, labels))} \\ \hline",
        *(rf"{_row(explanation, row, digits)} \\" for row in table),
        rf"\hline {total}",
        r"\end{array}",
        r"\]",
        *_other_scores(explanation, most_labels),
    ]


def _is_left_out(explanation: Explanation, row: Row) -> bool:
    """Columns that say nothing: a sentence names them."""
    says_nothing = row.kind in ("unknown", "missing") and not row.factors and not any(row.contributions)
    return says_nothing and not explanation.is_plain


def _other_scores(explanation: Explanation, most: int) -> list[str]:
    others = explanation.labels[2:most]
    scores = [rf"q({name(label)}) = {decimal(explanation.log_scores[label])}" for label in others]
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


def _row(explanation: Explanation, row: Row, digits: int) -> str:
    cells = [_summand(explanation, row, place, digits) for place in range(len(row.contributions))]
    return " & ".join([name(row.name), *cells])


def _summand(explanation: Explanation, row: Row, place: int, digits: int) -> str:
    shown = decimal(row.contributions[place], digits)
    if not row.factors or not row.times:
        return shown
    column = PLAIN if explanation.is_plain else row.column
    times = "" if row.times == 1 else f"{often(row.times)} "
    if row.kind != "prior" and column in explanation.normalized:
        return rf"{times}\cdot {decimal(row.contributions[place] / row.times, digits)} = {shown}" if times else shown
    sign = "-" if row.kind != "prior" and explanation.events.get(column or "") == "complement" else ""
    worked = row.factors[place].formula
    factor = short_density(worked) if row.factors[place].is_density else formula(worked, small=True)
    return rf"{sign}{times}\log {factor} = {shown}"
