"""Log loss and Brier score: how good the probabilities are. Lower is better, 0 is the best.

    log loss  = mean of  -ln P(true label | d)                                  (Good 1952)
    Brier     = mean of  sum over labels c of (P(c|d) - [c is true])²           (Brier 1950; from 0 to 2)

A true label of probability 0 makes the log loss infinite, whatever the other documents are. So it is given with
probabilities below a floor counted as the floor (2.2e-16, scikit-learn's, unless given), beside how many documents that
concerns; and without the floor, where it is finite.

The Brier score is the sum over all labels. scikit-learn halves it where there are two labels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from likelier._base.errors import SettingError
from likelier._base.numbers import is_number
from likelier._evaluate.figures.judged import Columns, Floats, each_weight, of_column

FLOOR = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True)
class LogLoss:
    """The log loss, in nats.

    loss        with probabilities below the floor counted as the floor: always finite
    exact       without the floor; None where it is infinite
    impossible  documents whose true label has probability 0, by weight
    floored     documents whose true label is below the floor, those among them, by weight
    floor       the floor
    """

    loss: float
    exact: float | None
    impossible: float
    floored: float
    floor: float


def log_losses(truth: Columns, probabilities: Floats, *, floor: float = FLOOR) -> Floats:  # (documents,)
    """The loss of each document.

    >>> log_losses(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]), floor=0.001).round(4).tolist()
    [0.6931, 6.9078]
    """
    if not (is_number(floor) and 0 < floor <= 1):  # this way round, so that NaN is refused too
        raise SettingError(
            code="floor-range",
            message=f"`floor` must be a number above 0 and at most 1, got {floor!r}",
            hint="floor=1e-15 counts a probability of 0 as one in 1,000,000,000,000,000",
        )
    return np.abs(np.log(np.clip(of_column(probabilities, truth), floor, 1.0)))


def log_loss(truth: Columns, probabilities: Floats, *, weights: Floats | None = None, floor: float = FLOOR) -> LogLoss:
    """The mean loss.

    >>> log_loss(np.array([0, 1]), np.array([[0.5, 0.5], [0.75, 0.25]]))  # (ln 2 + ln 4) / 2
    LogLoss(loss=1.0397207708399179, exact=1.0397207708399179, impossible=0.0, floored=0.0, floor=2.220446049250313e-16)
    """
    each = each_weight(weights, len(truth))
    of_truth = of_column(probabilities, truth)
    impossible = float(each[of_truth == 0].sum())
    smallest = np.finfo(np.float64).smallest_subnormal  # what is not 0 is not below it
    return LogLoss(
        mean(log_losses(truth, probabilities, floor=floor), each),
        None if impossible else mean(log_losses(truth, probabilities, floor=float(smallest)), each),
        impossible,
        float(each[of_truth < floor].sum()),
        floor,
    )


def brier_scores(truth: Columns, probabilities: Floats) -> Floats:  # (documents,)
    """The score of each document.

    >>> brier_scores(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]])).tolist()
    [0.5, 2.0]
    """
    of_truth = of_column(probabilities, truth)
    squares = np.einsum("dc,dc->d", probabilities, probabilities)
    return np.maximum(squares - of_truth * of_truth, 0.0) + (1 - of_truth) ** 2


def brier(truth: Columns, probabilities: Floats, *, weights: Floats | None = None) -> float:
    """The mean score.

    >>> brier(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]))
    1.25
    """
    return mean(brier_scores(truth, probabilities), each_weight(weights, len(truth)))


def mean(values: Floats, weights: Floats) -> float:
    """The mean by weight.

    >>> mean(np.array([1.0, 2.0]), np.array([3.0, 1.0]))
    1.25
    """
    return float((weights * values).sum()) / float(weights.sum())
