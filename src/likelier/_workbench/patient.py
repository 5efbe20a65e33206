"""A labeling that judges its pool in small steps, so that a lesson never waits long.

As long as documents are being classified the counts cannot change, and a lesson waits. Between two steps it can come in;
then the verdicts of both sides of it do not belong together, and `Labeling.refill` begins again, but not for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from likelier._label.labeling import Labeling
from likelier._label.queue import Judged

STEP = 2000  # texts


class PatientLabeling(Labeling):
    """A labeling for a server."""

    def _judged(self, free: Any) -> Judged | None:
        places = self._pool.looked_at(free)
        if len(self.model.labels) < 2 or not len(places):
            return None
        view, sizes = self.view(), self._pool.sizes
        batch = self._pool.batch(view)
        steps = [places[start : start + STEP] for start in range(0, len(places), STEP)]
        return joined([Judged.of(some, view.classify_many(batch.keep(some)), sizes[some]) for some in steps])


def joined(parts: list[Judged]) -> Judged | None:
    """The verdicts on all; None if there were other labels in between."""
    if len({each.labels for each in parts}) > 1:
        return None
    names = ("places", "columns", "certainty", "unknown")
    places, columns, certainty, unknown = (np.concatenate([getattr(each, name) for each in parts]) for name in names)
    return Judged(places, columns, certainty, unknown, parts[0].labels)
