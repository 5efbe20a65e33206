"""Views that weigh, skip and choose terms, drawn together with models that have counted what they need."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

import likelier as lk
from corpora import SMOOTHINGS, UNKNOWN, UNSMOOTHED, WORDS, labels, texts, weights
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema, plain
from reference import views

EXTRA = ["log", "count-length", "once-length", "log-length"]
WEIGHTINGS = ["count", "once", *EXTRA]
ANALYZERS = [lk.Analyzer(), lk.Analyzer(ngrams=2), lk.Analyzer(ngrams=(2, 2)), lk.Analyzer(stop_words=["wolf"])]
LEFT_OUT = [*WORDS, "goat wolf", "wolf goat", "yeti", "never"]


@dataclass(frozen=True)
class Case:
    """A model, its documents as text, label and weight, and the settings of a view."""

    model: lk.Model
    documents: list[tuple[str, str, float]]
    settings: dict[str, Any]

    @property
    def view(self) -> lk.View:
        return self.model.textbook(**self.settings)

    @property
    def definition(self) -> views.View:
        """The same view in plain Python."""
        kind = self.model.schema.only_text
        asked = self.settings["ngrams"] or kind.analyzer.ngram_range
        settings = {name: value for name, value in self.settings.items() if name != "ngrams"}
        return views.View([_document(kind, *each) for each in self.documents], orders=asked, **settings)

    def terms(self, text: str) -> list[str]:
        """The terms of a question."""
        asked = self.settings["ngrams"] or self.model.analyzer.ngram_range
        return self.model.analyzer.with_ngrams(asked).terms(text)


def _document(kind: Text, text: str, label: str, weight: float) -> views.Document:
    counted = kind.analyzer.with_ngrams(kind.counted).terms(text)
    return views.Document(counted, set(kind.analyzer.terms(text)), label, Fraction(str(weight)))


def model_of(schema: Schema, triples: list[tuple[str, str, float]]) -> lk.Model:
    model = lk.Model(schema=schema, ledger=False)
    model.learn_many(
        texts=[text for text, _, _ in triples],
        labels=[each for _, each, _ in triples],
        weights=[w for *_, w in triples],
    )
    return model


def is_possible(settings: dict[str, Any], unit: int) -> bool:
    """Whether there is such a view."""
    event, smoothing, unknown = settings["event"], settings["smoothing"], settings["unknown"]
    is_weighed = settings["weighting"] not in ("count", "once") or settings["idf"]
    return not (
        (event == "complement" and smoothing.is_off)
        or (event == "bernoulli" and unknown == "unk" and settings["min_count"] > 1)
        or (settings["idf"] and unknown == "unk")
        or (isinstance(smoothing, lk.AbsoluteDiscounting) and (is_weighed or unit != 1))
    )


@st.composite
def cases(draw: Any, weighted: Any = weights, most: int = 8) -> Case:
    """Any model with any view that fits it."""
    analyzer = draw(st.sampled_from(ANALYZERS))
    extra = draw(st.sampled_from([None, *EXTRA]))
    kind = Text(analyzer, draw(st.sampled_from([None, 2, 3])), extra)
    triples = draw(st.lists(st.tuples(texts, labels, weighted), min_size=1, max_size=most))
    model = model_of(Schema({"text": kind}), triples)
    event = draw(st.sampled_from(["multinomial", "complement", "multinomial", "complement", "binary", "bernoulli"]))
    scaled = event in ("multinomial", "complement")
    low, high = kind.counted
    asked = [None, *((first, last) for first in range(low, high + 1) for last in range(first, high + 1))]
    chosen = {
        "event": event,
        "smoothing": draw(st.sampled_from(SMOOTHINGS + UNSMOOTHED)),
        "unknown": draw(st.sampled_from(UNKNOWN)),
        "weighting": draw(st.sampled_from(["count", "once", *([extra] * 3 if extra else [])])) if scaled else "count",
        "idf": draw(st.booleans()) if scaled else False,
        "ngrams": draw(st.sampled_from(asked)),
        "stop_words": tuple(draw(st.lists(st.sampled_from(LEFT_OUT), max_size=3))),
        "min_count": draw(st.sampled_from([1, 1, 1.5, 2, 3])),
        "normalize": event == "complement" and draw(st.booleans()),
    }
    from hypothesis import assume

    assume(is_possible(chosen, model.counts.sizes.unit))
    return Case(model, triples, chosen)


__all__ = ["Case", "cases", "is_possible", "model_of", "plain"]
