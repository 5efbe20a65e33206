"""How much a word counts that somebody taught as a reason for a label.

The word is learned as a small document of its own, so it can be taken back exactly. Its weight is chosen by evidence:
of some weights, the one with the least log loss over the labeled documents, each judged by the counts without it. If
too few of them contain the word, that says nothing, and the word counts as much as one document.
"""

from __future__ import annotations

from collections.abc import Mapping

from likelier._documents.labels import Label
from likelier._label.judging import evaluation
from likelier._label.pool import Pool
from likelier._model.models import Model
from likelier._model.view import View

WEIGHTS = (0.25, 0.5, 1, 2, 4, 8)
USUAL = 1  # document
FEWEST = 5  # labeled documents with the word


def chosen_weight(model: Model, pool: Pool, labeled: Mapping[int, Label], word: str, label: Label) -> float:
    """The weight of a word that is to be taught."""
    terms = set(model.analyzer.terms(word)) if model.schema.is_plain else set()
    having = sum(bool(terms & set(model.analyzer.terms(pool.texts[place]))) for place in labeled)
    if having < FEWEST or len(model.labels) < 2:
        return USUAL
    trial, taught, losses = model.copy(), 0.0, {}
    for weight in WEIGHTS:
        trial.learn(word, label, weight=weight - taught)
        taught = weight
        view = View(trial.counts, trial.schema, model.settings)
        losses[weight] = round(evaluation(view, pool, labeled).figures.log_loss.loss, 9)
    return min(WEIGHTS, key=lambda weight: (losses[weight], abs(weight - USUAL)))
