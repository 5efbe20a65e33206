"""Labels that may be wrong, by two witnesses that have not seen the label: words, and pieces of words.

    log odds = mean over the witnesses of  max over c' of log P(c'|d) - log P(c|d)

c is the label of the document d. Both probabilities are by exact leave-one-out, and calibrated on the same documents
(`Discount`), so that a long text does not contradict its label more than a short one, and the witnesses speak in the
same unit. Words are those of the view; the model of pieces is made for this question from the labeled texts, unless
these are very many. The mean is of log probabilities, and the maximum that of the means.

Each witness errs in its own way, on texts with rare words or with common pieces; a wrong label contradicts both. On ten
sets they find more than either alone: `errors` in benchmarks/results/labeling.json.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._evaluate.calibrate.discount import fit_discount
from likelier._evaluate.evaluation import Evaluation
from likelier._label import starting
from likelier._label.judging import evaluation
from likelier._label.pool import Pool
from likelier._model.view import View

MOST_OF_PIECES = 4 << 20  # bytes of the labeled texts; cutting more into pieces would keep people waiting


class Suspicious(NamedTuple):
    """A label that may be wrong: without the document itself, `likelier` is ahead by these log odds."""

    place: int
    label: Label
    likelier: Label
    log_odds: float


def suspicious(view: View, pool: Pool, labeled: Mapping[int, Label], k: int) -> list[Suspicious]:
    """The labels that words and pieces of words contradict most."""
    if len(view.counts.labels) < 2 or not labeled:
        return []
    by_words = evaluation(view, pool, labeled)
    shares = [_log_shares(by_words)]
    if _has_pieces(pool, labeled) and {*labeled.values()} == {*by_words.labels}:
        shares.append(_of_pieces(pool, labeled, by_words.labels))
    found = np.mean(shares, axis=0)  # (documents, labels)
    rows, truth = np.arange(len(found)), by_words.truth
    own = found[rows, truth]
    found[rows, truth] = -np.inf
    best = found.argmax(axis=1)
    odds = np.where(
        np.isfinite(own), found[rows, best] - own, -np.inf
    )  # the only document of its label: no contradiction
    order = [int(row) for row in np.lexsort((rows, -odds)) if odds[row] > 0][:k]
    places, labels = list(labeled), by_words.labels
    return [Suspicious(places[row], labeled[places[row]], labels[best[row]], float(odds[row])) for row in order]


def _log_shares(judged: Evaluation) -> Floats:  # (documents, labels)
    """The logarithms of calibrated probabilities."""
    scores = judged.verdicts.log_scores
    known = judged.scores.known
    rule = fit_discount(scores, judged.truth, known)
    scores = scores if rule is None else rule.calibrated(scores, judged.labels, known=known)
    behind = scores - scores.max(axis=1, keepdims=True)
    return np.asarray(behind - np.log(np.exp(behind).sum(axis=1, keepdims=True)))


def _has_pieces(pool: Pool, labeled: Mapping[int, Label]) -> bool:
    return float(pool.sizes[[*labeled]].sum()) <= MOST_OF_PIECES


def _of_pieces(pool: Pool, labeled: Mapping[int, Label], labels: tuple[Label, ...]) -> Floats:
    """The same by a model of pieces, with the labels in this order."""
    model = starting.model_of_pieces(len(labels))
    model.learn_many(texts=[pool.texts[place] for place in labeled], labels=list(labeled.values()))
    judged = evaluation(model.view(), pool, labeled)
    return _log_shares(judged)[:, [judged.labels.index(label) for label in labels]]
