"""How good the model is, and which labels may be wrong; by exact leave-one-out, so that nothing judges itself.

Accuracy is that over random places alone. Places that were chosen because their labels are unsure are harder than
others: over them it would be far too low. And it would still be too low over random places whose labels had a say in
what was chosen later. The chosen places are those that the model with such a label is unsure of, and leaving the label
out leaves a gap just there: after 300 answers, 77 % in place of 83 % on one set. So random answers are kept apart once
there is a choice: the model learns from them, but what is asked next is decided by another one that does not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from likelier._answer.calibration import Calibration
from likelier._base.errors import error
from likelier._documents.labels import Label
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.significance import wilson
from likelier._label.pool import Pool
from likelier._label.state import FEWEST_APART, Changed
from likelier._model.view import View
from likelier._show.words import percent

WIDE = 0.1  # an interval that is not narrow
RECENT = 20  # lessons
FLIPPED = 0.002  # of the verdicts, on average by lesson
FEW = "too few to judge"
FEWEST_CALIBRATED = 20  # documents


@dataclass(frozen=True)
class Accuracy:
    """The share of right verdicts on new texts like those of the pool.

    share      over the random sample; None: too few to judge
    low, high  the 95 % confidence interval
    documents  the size of the random sample
    reason     why there is no share
    """

    share: float | None
    low: float | None
    high: float | None
    documents: int
    reason: str | None = None


class Suspicious(NamedTuple):
    """A label that may be wrong: without the document itself, `likelier` is ahead by these log odds."""

    place: int
    label: Label
    likelier: Label
    log_odds: float


class Contradiction(NamedTuple):
    """Places with the same words and different labels."""

    places: tuple[int, ...]
    labels: tuple[Label, ...]


def evaluation(view: View, pool: Pool, labeled: Mapping[int, Label]) -> Evaluation:
    """Each labeled place judged by the counts without it."""
    if not labeled:
        raise error("labeling-empty")
    return view.evaluate(texts=[pool.texts[place] for place in labeled], labels=list(labeled.values()))


def accuracy(view: View, pool: Pool, sample: Mapping[int, Label], at_least: float = 0.0) -> Accuracy:
    """Over a random sample of places and their labels.

    at_least: only over verdicts that are at least this probable, calibrated as `calibration` says.
    """
    if len(sample) < FEWEST_APART or len(view.counts.labels) < 2:
        return Accuracy(None, None, None, len(sample), FEW)
    judged = evaluation(view, pool, sample)
    if at_least and len(sample) >= FEWEST_CALIBRATED:
        judged = judged.under(calibration=judged.calibration().rule)
    columns = judged.verdicts.columns
    counted = (columns >= 0) & (judged.verdicts.probability >= at_least) if at_least else columns >= -1
    documents = int(counted.sum())
    if documents < FEWEST_APART:
        return Accuracy(None, None, None, documents, FEW)
    share = float((columns == judged.truth)[counted].mean())
    return Accuracy(share, *wilson(share, documents), documents)


def calibration(view: View, pool: Pool, sample: Mapping[int, Label]) -> Calibration:
    """The rule that calibrates verdicts on the texts of the pool, fitted to the random sample; that of the view if few.

    Without it verdicts are overconfident where labels are hard to tell apart: of those on German tweets that were at
    least 90 % sure, three of ten were wrong.
    """
    if len(sample) < FEWEST_CALIBRATED or len(view.counts.labels) < 2:
        return view.settings.calibration
    return evaluation(view, pool, sample).calibration().rule


def suspicious(view: View, pool: Pool, labeled: Mapping[int, Label], k: int) -> list[Suspicious]:
    """The labels that leave-one-out contradicts most: by the log odds, for what is known of each text (see `queue`)."""
    if len(view.counts.labels) < 2 or not labeled:
        return []
    judged = evaluation(view, pool, labeled)
    scores = judged.verdicts.log_scores  # (documents, labels)
    rows = np.arange(len(judged))
    own = scores[rows, judged.truth]
    others = scores.copy()
    others[rows, judged.truth] = -np.inf
    best = others.argmax(axis=1)
    odds = others[rows, best] - own
    odds[~np.isfinite(own)] = -np.inf  # the only document of its label is no contradiction
    by_known = odds / np.sqrt(np.maximum(judged.scores.known, 1))
    order = [int(row) for row in np.lexsort((rows, -by_known)) if odds[row] > 0][:k]
    places = list(labeled)
    return [Suspicious(places[row], labeled[places[row]], judged.labels[best[row]], float(odds[row])) for row in order]


def contradictions(pool: Pool, labeled: Mapping[int, Label]) -> list[Contradiction]:
    """Copies with different labels."""
    same: dict[tuple[str, ...], list[int]] = {}
    for place in labeled:
        same.setdefault(pool.sequence(place), []).append(place)
    groups = [(tuple(places), tuple(labeled[place] for place in places)) for places in same.values()]
    return [Contradiction(places, labels) for places, labels in groups if len(set(labels)) > 1]


def enough(found: Accuracy, recent: Sequence[Changed], left: int) -> str | None:
    """Why it is time to stop, if it is.

    >>> enough(Accuracy(0.9, 0.87, 0.93, 400), [Changed(2, 2000)] * 20, left=1600)
    'accuracy is 87.0 % to 93.0 %, and the last 20 lessons flipped 0.1 % of the verdicts each'
    """
    if not left:
        return "nothing is left to ask"
    if found.low is None or found.high is None or found.high - found.low > WIDE or len(recent) < RECENT:
        return None
    share = sum(each.flipped / max(each.of, 1) for each in recent) / len(recent)
    if share > FLIPPED:
        return None
    between = f"{percent(found.low)} to {percent(found.high)}"
    return f"accuracy is {between}, and the last {len(recent)} lessons flipped {100 * share:.1f} % of the verdicts each"
