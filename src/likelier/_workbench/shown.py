"""What pages show of a labeling, as plain values: its state, questions with their words weighed, lessons.

A question is cut wherever a term begins or ends. A part's weight is what the terms that cover it say for the winner
against the runner-up; a term that occurs several times has its weight shared out among them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from itertools import pairwise
from typing import Any

from likelier._explain.explanation import Explanation
from likelier._label.judging import Accuracy
from likelier._label.labeling import Labeling
from likelier._label.lessons import Lesson
from likelier._model.models import Model
from likelier._serve.asking import shortened
from likelier._serve.calls import in_iso
from likelier._serve.lessons import weight_of
from likelier._workbench.bench import Workbench
from likelier._workbench.store import Line

Plain = dict[str, Any]
LONGEST = 300  # characters of a text in a list
MOST_TERMS = 2000  # of a text whose words are weighed


def state(bench: Workbench) -> Plain:
    """All that the page for labeling shows."""
    version, settled, labeling, judgment = bench.version, bench.is_settled, bench.labeling, bench.judgment
    asked, progress, changed = bench.queue(), labeling.progress(), labeling.changed
    live = bench.service.live
    questions = [question(labeling, live.model, each.place, each.how) for each in asked]
    with live.reading() as (position, digest):
        return {
            "version": version,
            "settled": settled,
            "labels": list(labeling.labels),
            "queue": questions,
            "progress": {**vars(progress), "by_label": _named(progress.by_label.items())},
            "accuracy": accuracy(judgment.accuracy),
            "changed": None if changed is None else changed._asdict(),
            "enough": judgment.enough,
            "last": last(labeling),
            "words": [
                {"word": word, "label": label, "weight": weight} for (word, label), weight in labeling.words.items()
            ],
            "telling": _named(
                (label, [{"term": each.term, "times": weight_of(float(each.times))} for each in terms])
                for label, terms in judgment.telling
            ),
            "position": position,
            "digest": digest,
        }


def _named(pairs: Any) -> Plain:
    """By label, which is text in the keys of JSON."""
    return {str(label): value for label, value in pairs}


def accuracy(found: Accuracy) -> Plain:
    """The accuracy with its interval."""
    return asdict(found)


def last(labeling: Labeling) -> Plain | None:
    """What undo would take back."""
    lessons = labeling.lessons
    if not lessons:
        return None
    return {"kind": lessons[-1].kind, **named(labeling, lessons[-1])}


def named(labeling: Labeling, lesson: Lesson) -> Plain:
    """A lesson in short."""
    text = text_of(labeling, lesson)
    return {"number": lesson.number, "text": None if text is None else short(text), "label": _label(lesson)}


def text_of(labeling: Labeling, lesson: Lesson) -> str | None:
    """The word, or the first text."""
    if lesson.word is not None:
        return lesson.word
    return labeling.texts[lesson.places[0]] if lesson.places else None


def _label(lesson: Lesson) -> Any:
    return lesson.label if lesson.word is not None else next(iter(lesson.labels), None)


def short(text: str) -> str:
    """A text in a list.

    >>> len(short("a" * 1000))
    300
    """
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


# ---- questions ---------------------------------------------------------------------------------------------------


def question(labeling: Labeling, model: Model, place: int, how: str | None = None) -> Plain:
    """A text with its verdict, and what its words say."""
    mark, text = labeling.mark(place), labeling.texts[place]
    if how is None:
        queued = {each.place: each.how for each in labeling.next(5)}
        how = mark.how if mark is not None else queued.get(place, "found")
    found = verdict(model, text)
    return {"place": place, "text": text, "how": how, "label": None if mark is None else mark.label, **found}


def verdict(model: Model, text: str) -> Plain:
    """The verdict on a text, and the parts of the text; null as long as there are not two labels to choose from."""
    if len(model.labels) < 2:
        return {"verdict": None, "parts": []}
    explanation = model.explain(text)
    found = explanation.verdict
    return {
        "text": explanation.text or text,  # as it was read: the parts are parts of this
        "verdict": {
            "label": found.label,
            "probability": found.probability,
            "probabilities": shortened(_named(found.probabilities.items()), None),
            "unknown_share": found.unknown_share,
            "reason": found.reason,
        },
        "parts": parts(explanation) if len(explanation.spans) <= MOST_TERMS else [],
    }


def parts(explanation: Explanation) -> list[Plain]:
    """The parts of a text that say something, in order; places are counted in characters (code points)."""
    weights, spans = _weights(explanation), [each for each in explanation.spans if each[2] > each[1]]
    edges = sorted({edge for _, start, end in spans for edge in (start, end)})
    starting: dict[int, list[tuple[int, str]]] = {}
    for term, start, end in spans:
        starting.setdefault(start, []).append((end, term))
    found, covering = [], list[tuple[int, str]]()
    for start, end in pairwise(edges):
        covering = [each for each in covering if each[0] > start] + starting.get(start, [])
        terms = [term for _, term in covering if term in weights]
        if terms and not explanation.text[start:end].isspace():
            found.append(_part(explanation, start, end, terms, math.fsum(weights[term] for term in terms)))
    return found


def _part(explanation: Explanation, start: int, end: int, terms: Sequence[str], weight: float) -> Plain:
    label = explanation.compared[0 if weight >= 0 else 1]
    return {"start": start, "end": end, "term": ", ".join(dict.fromkeys(terms)), "label": label, "weight": weight}


def _weights(explanation: Explanation) -> dict[str, float]:
    """Known term → what one of its occurrences says for the winner against the runner-up; infinite ones count 100."""
    occurrences = Counter(term for term, _, _ in explanation.spans)
    known = [item for item in explanation.items if item.kind == "term" and item.name in occurrences]
    return {
        item.name: min(100.0, max(-100.0, item.difference(*explanation.compared))) / occurrences[item.name]
        for item in known
    }


# ---- lessons -----------------------------------------------------------------------------------------------------


def history(labeling: Labeling, line: Line, *, undone: bool) -> Plain:
    """A lesson, for the list of all."""
    lesson = line.lesson
    text = text_of(labeling, lesson)
    before = next(iter(lesson.labels_before), None) if lesson.word is None else None
    return {
        "number": line.number,
        "kind": lesson.kind,
        "at": in_iso(line.at),
        "by": line.name,
        "text": None if text is None else short(text),
        "label": _label(lesson),
        "before": before,
        "how": lesson.how,
        "places": len(lesson.places),
        "weight": lesson.weight,
        "undoes": lesson.undoes,
        "undone": undone,
    }
