"""A new model for labeling, with the settings that suit most texts: those with which `train` begins its choice.

Words and pairs of words count, each once by length, and complement is the event model for more than two labels. Alpha
is the mean weight of an occurrence in the pool, which is what `train` calls a strength of 1.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from likelier._base.threads import checked_threads
from likelier._documents.schema import plain
from likelier._documents.weights import Weighting
from likelier._estimate.smoothing import Additive
from likelier._kernel import Bags
from likelier._model.models import Model
from likelier._settings.values import TEXTBOOK, Settings
from likelier._text.analyzer import Analyzer
from likelier._train.texts import DIGITS, OWN

WEIGHTING: Weighting = "once-length"
NGRAMS = (1, 2)
STRENGTH = 1.0
LOOKED_AT = 2000  # texts
ALPHA = 0.3  # for texts that are not there yet


def new_model(texts: Sequence[str], labels: int) -> Model:
    """An empty model for a pool of texts.

    >>> new_model(["cheap watches", "lunch at noon"], 2).settings.smoothing
    Additive(alpha=0.63)
    """
    model = Model(schema=plain(Analyzer(), ngrams=NGRAMS, weighting=WEIGHTING))
    alpha = _mean_weight(list(texts[:LOOKED_AT]), model.analyzer)
    settings = TEXTBOOK.changed(weighting=WEIGHTING, ngrams=NGRAMS, smoothing=Additive(alpha))
    model.use_settings(suited(settings, labels))
    return model


def suited(settings: Settings, labels: int) -> Settings:
    """The settings for this number of labels."""
    if labels > 2:  # of two labels each is the other's complement
        return settings.changed(event="complement", prior="uniform")
    return settings.changed(event="multinomial", prior="fitted")


def _mean_weight(texts: list[str], analyzer: Analyzer) -> float:
    """What an occurrence counts on average."""
    labels = np.zeros(len(texts), dtype=np.uint32)
    own = analyzer.ngram_range
    bags = Bags(texts, labels, ["str:"], analyzer.counting(own, None), own, checked_threads(None))
    mean = STRENGTH * bags.mean_weight([OWN], "once", [OWN]) if texts else 0.0
    return float(f"{mean:.{DIGITS}g}") if mean > 0 else ALPHA
