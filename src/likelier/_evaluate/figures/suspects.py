"""Documents to look at: the most confident mistakes, and labels that are likely wrong. Rows only, the worst first.

Both are ranked by numbers that a verdict gives:

    mistakes      P(decided|d), then the log odds of the decided label against the true one
    label errors  ln P(decided|d) - ln P(given|d)                     among those whose verdict is sure enough

Probabilities of long documents are often 0 or 1 to the last digit; `log_scores` tell them apart where they are given.
"""

from __future__ import annotations

import numpy as np

from likelier._answer.decisions import NONE
from likelier._base.checks import checked_k
from likelier._base.errors import SettingError
from likelier._base.numbers import is_number
from likelier._evaluate.figures.judged import UNKNOWN, Columns, Floats, is_right, of_column


def confident_mistakes(
    truth: Columns, decided: Columns, probabilities: Floats, k: int | None = None, *, log_scores: Floats | None = None
) -> Columns:
    """Rows of documents that were given another label than they have, the surest verdict first; `k`: at most so many.

    >>> sure = np.array([[0.9, 0.1], [0.8, 0.2], [0.3, 0.7]])
    >>> confident_mistakes(np.array([1, 1, 1]), np.array([0, 0, 1]), sure).tolist()
    [0, 1]
    """
    rows = np.flatnonzero((decided != NONE) & ~is_right(truth, decided))
    decided, probabilities = decided[rows], probabilities[rows]
    odds = log_odds(decided, truth[rows], probabilities, None if log_scores is None else log_scores[rows])
    most = None if k is None else checked_k(k)
    return rows[np.lexsort((-odds, -of_column(probabilities, decided)))][:most]  # stable: of equal ones the first


def label_errors(
    truth: Columns,
    decided: Columns,
    probabilities: Floats,
    at_least: float = 0.9,
    *,
    log_scores: Floats | None = None,
) -> Columns:
    """Rows of documents whose verdict is another label with at least this probability, the highest log odds first.

    Documents without a label, and those whose given label is not among the labels, are not among them.

    >>> sure = np.array([[0.95, 0.05], [0.8, 0.2], [0.99, 0.01]])
    >>> label_errors(np.array([1, 1, 1]), np.array([0, 0, 0]), sure).tolist()
    [2, 0]
    """
    if not (is_number(at_least) and 0 <= at_least <= 1):  # this way round, so that NaN is refused too
        raise SettingError(
            code="label-errors-range",
            message=f"`at_least` must be a probability from 0 to 1, got {at_least!r}",
            hint="0.99 lists fewer documents than 0.9, and surer ones",
        )
    sure = of_column(probabilities, decided) >= at_least
    rows = np.flatnonzero((decided != NONE) & (truth != UNKNOWN) & (truth != decided) & sure)
    odds = log_odds(decided[rows], truth[rows], probabilities[rows], None if log_scores is None else log_scores[rows])
    return rows[np.lexsort((-of_column(probabilities[rows], decided[rows]), -odds))]


def log_odds(decided: Columns, truth: Columns, probabilities: Floats, log_scores: Floats | None = None) -> Floats:
    """How much likelier the decided label is than the true one, (documents,); infinite where that is impossible.

    >>> log_odds(np.array([0, 0]), np.array([1, -1]), np.array([[0.9, 0.1], [0.9, 0.1]])).round(4).tolist()
    [2.1972, inf]
    """
    with np.errstate(divide="ignore"):
        one, two = (
            np.log(of_column(probabilities, columns)) if log_scores is None else _score(log_scores, columns)
            for columns in (decided, truth)
        )
    both = np.isneginf(one) & np.isneginf(two)  # 0 to 0: neither is likelier
    return np.where(both, 0.0, np.where(both, 0.0, one) - np.where(both, 0.0, two))


def _score(log_scores: Floats, columns: Columns) -> Floats:
    return np.where(columns < 0, -np.inf, of_column(log_scores, columns))
