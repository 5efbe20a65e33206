"""Generated corpora for properties, and every setting they must hold under."""

from __future__ import annotations

import itertools

from hypothesis import strategies as st

import likelier as lk

WORDS = ["goat", "wolf", "dwarf", "seven", "молоко", "ziege", "中文", "a", "don't"]

texts = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
labels = st.sampled_from(["ham", "spam", "news"])
documents = st.lists(st.tuples(texts, labels), min_size=1, max_size=12)
weights = st.sampled_from([0.25, 0.3, 0.5, 1, 1.000001, 2, 3])

EVENTS = ["multinomial", "binary", "bernoulli", "complement"]
UNKNOWN = ["ignore", "zero", "smooth", "grow", "unk"]
SMOOTHINGS = [
    lk.Additive(1),
    lk.Additive(0.3),
    lk.MEstimate(2),
    lk.MEstimate(5, p="background"),
    lk.JelinekMercer(0.6),
    lk.AbsoluteDiscounting(0.5),
]
UNSMOOTHED = [lk.Additive(0), lk.MEstimate(0), lk.JelinekMercer(1), lk.AbsoluteDiscounting(0)]

every_view = [
    {"event": event, "smoothing": smoothing, "unknown": unknown}
    for event, smoothing, unknown in itertools.product(EVENTS, SMOOTHINGS + UNSMOOTHED, UNKNOWN)
    if not (event == "complement" and smoothing in UNSMOOTHED)
]
views = st.sampled_from(every_view)


def model_of(pairs: list[tuple[str, str]], **options: object) -> lk.Model:
    given = {"view": "textbook", **options}
    return lk.train(texts=[text for text, _ in pairs], labels=[label for _, label in pairs], **given)  # type: ignore[arg-type]
