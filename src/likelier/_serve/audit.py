"""Who teaches what the others contradict: a learning server can be poisoned.

For each name, the model forgets all that this name taught, and says what it would have answered to those documents. That is
the picture of the others. Some contradictions are normal, and their share is at least

    p0 = max(mean of 1 - P(verdict), share of contradictions in the lessons of all other names)

With k contradictions among n documents the warning is given if n >= 10 and so many are next to impossible by chance, over
all names (Bonferroni):

    P(X >= k) < 0.001 / names,   X binomial(n, p0)

Documents without any known term say nothing and are left out.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from likelier._model.exchange import Exchange
from likelier._model.models import Model
from likelier._read.intake import asked
from likelier._serve.lessons import Lesson, loaded_document, loaded_label, net
from likelier._serve.live import Live
from likelier._serve.log import Log, Wanted
from likelier._serve.reports import report

LEAST = 10  # documents of a name
MOST = 2_000  # documents of a name that are judged: the last ones
LEVEL = 0.001
SHARE = 0.05  # of the time may be spent on this
NAMES = 1_000  # that are judged


@dataclass(frozen=True)
class Teacher:
    """One name, and how its documents look to the model of all others."""

    name: str
    documents: int  # in the model
    judged: int = 0
    contradictions: int = 0
    expected: float = 0.0  # share of contradictions
    chance: float = 1.0  # of so many or more
    suspicious: bool = False


def binomial_tail(k: int, n: int, p: float) -> float:
    """P(X >= k) for X binomial(n, p).

    >>> binomial_tail(2, 2, 0.5), binomial_tail(0, 5, 0.1)
    (0.25, 1.0)
    """
    if k <= 0:
        return 1.0
    if p <= 0 or p >= 1:
        return float(p >= 1)
    logs = [
        math.lgamma(n + 1) - math.lgamma(x + 1) - math.lgamma(n - x + 1) + x * math.log(p) + (n - x) * math.log1p(-p)
        for x in range(k, n + 1)
    ]
    return min(1.0, math.fsum(map(math.exp, logs)))


def judged(model: Model, taught: Sequence[Lesson]) -> tuple[int, int, float]:
    """Of the documents of one name: how many say something, how many contradict, and the sum of 1 - P(verdict)."""
    learned, _ = net([each._replace(forgot=None) for each in taught])
    mine = Exchange(model, (), learned)
    mine.make()
    try:
        return _contradictions(model, taught[-MOST:]) if len(model.labels) > 1 else (0, 0, 0.0)
    finally:
        mine.take_back()


def _contradictions(others: Model, taught: Sequence[Lesson]) -> tuple[int, int, float]:
    verdicts = others.view().classify_many(asked(others.schema, [loaded_document(each) for each in taught]))
    number, against, doubt = 0, 0, 0.0
    for lesson, verdict in zip(taught, verdicts, strict=True):
        assert lesson.learned is not None
        label = loaded_label(lesson.learned)
        if verdict.label is not None and verdict.unknown_share < 1 and label in others.labels:
            number, against = number + 1, against + (verdict.label != label)
            doubt += 1 - verdict.probability
    return number, against, doubt


def audited(model: Model, log: Log, position: int) -> list[Teacher]:
    """Every name that has taught something that is in the model, the most contradicted first.

    model: a copy, as it was at this position.
    """
    by_name: dict[str, list[Lesson]] = {}
    for chunk in log.every(Wanted(active=position)):
        for each in chunk:
            by_name.setdefault(each.name, []).append(each)
    if len(by_name) > NAMES or model.pruned is not None:
        return [Teacher(name, len(taught)) for name, taught in by_name.items()]
    found = {}
    for name, taught in by_name.items():
        whole = [each for each in taught if each.document is not None]
        found[name] = judged(model, whole) if len(whole) == len(taught) else (0, 0, 0.0)
    numbers, against = (sum(each[place] for each in found.values()) for place in (0, 1))
    teachers = []
    for name, (number, mine, doubt) in found.items():
        others = (against - mine) / (numbers - number) if numbers > number else 0.0
        expected = min(1.0, max(others, doubt / number if number else 0.0))
        chance = binomial_tail(mine, number, expected)
        is_odd = number >= LEAST and chance < LEVEL / len(found)
        teachers.append(Teacher(name, len(by_name[name]), number, mine, expected, chance, is_odd))
    return sorted(teachers, key=lambda each: (each.chance, each.name))


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
        """The audit of the model as it is now, and where that stands in the log."""
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
