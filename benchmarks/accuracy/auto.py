"""likelier with default options, and how well its probabilities are calibrated.

The test part is asked once, after all is chosen and fitted. Calibration is judged in two ways: of the settings that
`train` chose, and of the textbook's; before and after a rule that was fitted by leave-one-out on the training part.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import likelier as lk
from accuracy.sets import Split
from corpora import Part
from likelier._answer.calibration import NoCalibration
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.metrics import Figures

if TYPE_CHECKING:
    from likelier._settings.selection import Selection

SHOWN = 10  # of the settings tried
AUTO, AUTO_PLAIN = "auto", "auto, not calibrated"
TEXTBOOK, TEXTBOOK_PLAIN = "textbook, calibrated", "textbook"


def judged(splits: Sequence[Split], tell: Callable[[str], None]) -> dict[str, Any]:
    """Figures over all splits, and what was chosen in each."""
    runs, evaluations = [], []
    for place, (train, test) in enumerate(splits):
        tell(f"likelier, split {place + 1} of {len(splits)}")
        run, found = _judged(train, test)
        tell(f"  {run['training_seconds']:.1f} s: {run['settings']}")
        runs.append(run)
        evaluations.append(found)
    names = (AUTO, AUTO_PLAIN, TEXTBOOK, TEXTBOOK_PLAIN)
    return {"figures": {name: figures_of([each[name] for each in evaluations]) for name in names}, "runs": runs}


def _judged(train: Part, test: Part) -> tuple[dict[str, Any], dict[str, Evaluation]]:
    """What was chosen on the training part, and the verdicts on the test part."""
    start = time.perf_counter()
    model = lk.train(texts=train.texts, labels=train.labels)
    trained = time.perf_counter()
    verdicts = model.classify_many(test.texts)
    _ = verdicts.labels, verdicts.probabilities
    asked = time.perf_counter()
    rule = model.textbook().evaluate(texts=train.texts, labels=train.labels).calibration().rule
    chosen, textbook = (
        view.evaluate(texts=test.texts, labels=test.labels, method="held-out")
        for view in (model.view(), model.textbook())
    )
    assert model.selection is not None
    run = {
        "training_seconds": trained - start,
        "classification_seconds": asked - trained,
        "calibration": model.settings.calibration.name,
        "calibration_of_textbook": rule.name,
        **selected(model.selection),
    }
    return run, {
        AUTO: chosen,
        AUTO_PLAIN: chosen.under(calibration=NoCalibration()),
        TEXTBOOK: textbook.under(calibration=rule),
        TEXTBOOK_PLAIN: textbook,
    }


def selected(selection: Selection) -> dict[str, Any]:
    """The settings chosen in words, and how many were tried on how many documents."""
    words = [each.settings for each in selection.tried if each.chosen]
    looks = Counter(each.documents for each in selection.tried)
    best = selection.to_dict()["tried"][:SHOWN]
    return {
        "settings": words[0] if words else "textbook",
        "why": selection.why,
        "documents": selection.documents,
        "judged": selection.judged,
        "tried": len(selection.tried),
        "looks": [{"documents": documents, "settings": looks[documents]} for documents in sorted(looks)],
        "best": best,
    }


def figures_of(evaluations: Sequence[Evaluation]) -> dict[str, Any]:
    """Figures of all documents together."""
    labels = evaluations[0].labels
    assert all(each.labels == labels for each in evaluations)
    figures = Figures(
        truth=np.concatenate([each.truth for each in evaluations]),
        decided=np.concatenate([each.verdicts.columns for each in evaluations]),
        probabilities=np.concatenate([each.verdicts.probabilities for each in evaluations]),
        labels=labels,
    )
    loss = figures.log_loss.loss
    return {
        "documents": len(figures),
        "right": int(figures.right.sum()),
        "accuracy": figures.accuracy.share,
        "calibration_error": figures.calibration_error,
        "calibration_error_by_mass": figures.reliability_by_mass.expected_error,
        "log_loss": loss if math.isfinite(loss) else None,  # JSON has no infinity
        "brier": figures.brier,
    }
