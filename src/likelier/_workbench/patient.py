"""A labeling that judges its pool in small steps, so that a lesson never waits long.

As long as documents are classified the counts cannot change, and a lesson waits. Between two steps it can come in;
then the verdicts of both sides of it do not belong together, and `Labeling.refill` begins again, but not for ever.
"""

from __future__ import annotations

import numpy as np

from likelier._label.labeling import Labeling
from likelier._label.pool import Places
from likelier._label.queue import Judged
from likelier._model.models import Model

STEP = 2000  # texts


class PatientLabeling(Labeling):
    """A labeling for a server."""

    def _judged(self, model: Model, places: Places) -> Judged | None:
        step = super()._judged
        judged = [step(model, places[start : start + STEP]) for start in range(0, len(places), STEP)]
        found = [each for each in judged if each is not None]
        return joined(found) if found and len(found) == len(judged) else None


def joined(parts: list[Judged]) -> Judged | None:
    """The verdicts on all; None if there were other labels in between."""
    if len({each.labels for each in parts}) > 1:
        return None
    names = ("places", "columns", "certainty", "unknown")
    places, columns, certainty, unknown = (np.concatenate([getattr(each, name) for each in parts]) for name in names)
    return Judged(places, columns, certainty, unknown, parts[0].labels)
