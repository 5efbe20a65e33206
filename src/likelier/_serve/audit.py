"""Who teaches what the others contradict: a learning server can be poisoned.

For each name, a copy of the model forgets all that this name taught: that is the picture of the others. It says what it
would have answered to the documents of the name, and the taught label contradicts it k times of n. Some contradictions
are normal. The picture contradicts the others' own documents too, each judged without itself (leave-one-out), and it
knows how unsure it is:

    p0 = (wrong + 10 u) / (judged + 10),   at least u = mean of 1 - P(verdict)

with `wrong` of the `judged` documents of the others, and ten made-up ones that keep few documents from saying much. The
warning is given if n >= 10 and that many are next to impossible by chance, over all names (Bonferroni):

    P(X >= k) < 0.001 / names,   X binomial(n, p0)

Documents without any known term say nothing and are left out. Whoever stands out the most is set aside, and the others
are judged again without that name: the picture of somebody who is right must not be that of somebody who is not.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from likelier._evaluate.figures.significance import binomial_tail
from likelier._model.exchange import Exchange
from likelier._model.models import Model
from likelier._read.intake import asked
from likelier._serve.lessons import Lesson, loaded_document, loaded_label, weight_of
from likelier._serve.live import Live
from likelier._serve.log import Log, Wanted
from likelier._serve.reports import report
from likelier._serve.spans import net

LEAST = 10  # documents of a name
MOST = 2_000  # documents of a name that are judged: the last ones
LEVEL = 0.001
SHARE = 0.05  # of the time may be spent on this
NAMES = 50  # that are judged: those who taught the most


@dataclass(frozen=True)
class Teacher:
    """One name, and how its documents look to the model of all others."""

    name: str
    documents: int  # in the model
    judged: int = 0
    contradictions: int = 0
    expected: float = 0.0  # share of contradictions
    chance: float = 1.0  # of that many or more
    suspicious: bool = False


def judged(model: Model, name: str, by_name: Mapping[str, Sequence[Lesson]]) -> Teacher:
    """How the documents of one name look to the model of all others; it is as before at the end."""
    taught = by_name[name]
    if any(each.document is None for each in taught):
        return Teacher(name, len(taught))
    mine = forgotten(model, taught)
    try:
        if len(model.labels) < 2:
            return Teacher(name, len(taught))
        number, against, doubt = _contradictions(model, taught[-MOST:])
        others = [each for other, lessons in by_name.items() if other != name for each in lessons[-MOST:]]
        wrong, out_of = _mistakes(model, others[-MOST:])
    finally:
        mine.take_back()
    unsure = doubt / number if number else 0.0
    expected = max(unsure, (wrong + LEAST * unsure) / (out_of + LEAST))
    chance = binomial_tail(against, number, expected)
    is_odd = number >= LEAST and chance < LEVEL / len(by_name)
    return Teacher(name, len(taught), number, against, expected, chance, is_odd)


def forgotten(model: Model, taught: Sequence[Lesson]) -> Exchange:
    """The model without these documents; `take_back` brings them back."""
    learned, _ = net([each._replace(forgot=None, took=None) for each in taught])
    found = Exchange(model, (), learned)
    found.make()
    return found


def _contradictions(others: Model, taught: Sequence[Lesson]) -> tuple[int, int, float]:
    """How many documents say something, how many contradict, and the sum of 1 - P(verdict)."""
    verdicts = others.view().classify_many(asked(others.schema, [loaded_document(each) for each in taught]))
    number, against, doubt = 0, 0, 0.0
    for lesson, verdict in zip(taught, verdicts, strict=True):
        label = loaded_label(lesson.learned or "null")
        if verdict.label is not None and verdict.unknown_share < 1 and label in others.labels:
            number, against = number + 1, against + (verdict.label != label)
            doubt += 1 - verdict.probability
    return number, against, doubt


def _mistakes(others: Model, taught: Sequence[Lesson]) -> tuple[float, float]:
    """How many of the others' own documents are contradicted, each judged without itself, and of how many."""
    known = [each for each in taught if each.document is not None]
    if not known:
        return 0.0, 0.0
    pairs = [(loaded_document(each), loaded_label(each.learned or "null")) for each in known]
    weights = [weight_of(each.weight) for each in known]
    return (1 - others.evaluate(pairs, weights=weights).figures.accuracy.share) * len(known), float(len(known))


def audited(model: Model, log: Log, position: int) -> list[Teacher]:
    """Every name that has taught something that is in the model, the most contradicted first.

    model: a copy, as it was at this position.
    """
    by_name: dict[str, list[Lesson]] = {}
    for chunk in log.every(Wanted(active=position)):
        for each in chunk:
            by_name.setdefault(each.name, []).append(each)
    most = sorted(by_name, key=lambda name: len(by_name[name]), reverse=True)[:NAMES] if model.pruned is None else []
    left = {name: by_name[name] for name in most}
    odd, aside = list[Teacher](), list[Exchange]()
    while True:
        found = sorted((judged(model, name, left) for name in left), key=lambda each: (each.chance, each.name))
        if not found or not found[0].suspicious:
            break
        odd.append(found[0])
        aside.append(forgotten(model, left.pop(found[0].name)))
    for exchange in reversed(aside):
        exchange.take_back()
    return [*odd, *found, *(Teacher(name, len(taught)) for name, taught in by_name.items() if name not in most)]


class Audit:
    """The last audit. A new one is made when somebody asks, and now and then in the background."""

    def __init__(self) -> None:
        self.teachers: list[Teacher] = []
        self.position = -1
        self._lock = threading.Lock()
        self._warned: set[str] = set()
        self.rest = 0.0  # seconds to wait before the next one in the background

    @property
    def suspicious(self) -> int:
        """How many names stand out."""
        return sum(each.suspicious for each in self.teachers)

    def made(self, live: Live, log: Log) -> tuple[list[Teacher], tuple[int, str]]:
        """The audit of the model as it is now, and where that belongs in the log."""
        with self._lock:
            with live.reading() as at:
                model = live.model.copy() if at[0] != self.position else None
            if model is not None:
                begin = time.monotonic()
                self.teachers, self.position = audited(model, log, at[0]), at[0]
                self.rest = (time.monotonic() - begin) / SHARE
                self._warn()
            return self.teachers, at

    def _warn(self) -> None:
        """A line in the report for each name that stands out, once."""
        odd = [each for each in self.teachers if each.suspicious]
        for each in odd:
            if each.name not in self._warned:
                report("warning", "teacher-suspicious", **asdict(each))
        self._warned = {each.name for each in odd}
