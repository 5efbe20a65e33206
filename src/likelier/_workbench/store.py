"""The pool of a labeling and its lessons, in the log's database; all is written in the turns of the scribe.

The state is all that does not follow from the lessons: the queue, labels without documents. It is that before one of
the lessons, or after all of them, which its number says; so after a crash the labeling goes back to the state, follows
the lessons since then, and asks the same questions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from likelier._label.labeling import Labeling
from likelier._label.lessons import Lesson
from likelier._model.models import Model
from likelier._serve.lessons import decoded, dumped
from likelier._serve.log import Log, Rows, about, last, set_about

_STATE, _SEED, _SUITS = "labeling", "labeling_seed", "labeling_suits"


class Line(NamedTuple):
    """A lesson of the labeling as it is stored.

    first, position  the lessons of the log that it stands for; first is behind position if there are none
    """

    number: int
    first: int
    position: int
    at: int
    name: str
    lesson: Lesson


@dataclass(frozen=True)
class Stored:
    """A labeling as it is stored."""

    texts: list[str]
    lessons: list[Lesson]
    state: Mapping[str, Any] | None
    seed: int

    def labeling(self, model: Model) -> Labeling:
        """The labeling as it was."""
        found = Labeling(self.texts, seed=self.seed, model=model, refills_later=True)
        if self.state is not None:
            found.restore(self.state, self.lessons)
        for label in model.labels:
            found.add_label(label)
        return found


def read(log: Log) -> Stored:
    """All that is stored. What was taught to a model that another one has replaced does not count any more."""
    with log.reading() as rows:
        texts = [decoded(document) for (document,) in rows.run("SELECT document FROM pool ORDER BY place")]
        barrier = int(rows.run("SELECT max(position) FROM lessons WHERE kind = 'load'")[0][0] or 0)
        lessons = [each.lesson for each in _lines(rows, "first > ? ORDER BY number", [barrier])]
        over = rows.run("SELECT max(number) FROM labeling WHERE first <= ?", [barrier])[0][0]
        stored, seed = about(rows, _STATE), about(rows, _SEED)
    state = None if stored is None else decoded(stored)
    if state is not None and over is not None:
        state["number"] = max(state["number"], int(over) + 1)  # numbers are given once
    return Stored(texts, lessons, state, int(seed or 0))


def lines(log: Log, before: int | None, limit: int) -> list[Line]:
    """The newest lessons before a number, the newest first."""
    with log.reading() as rows:
        return _lines(rows, "number < ? ORDER BY number DESC LIMIT ?", [1 << 62 if before is None else before, limit])


def line(rows: Rows, number: int) -> Line | None:
    """The lesson with this number."""
    return next(iter(_lines(rows, "number = ?", [number])), None)


def taught_by(rows: Rows, name: str, numbers: Sequence[int]) -> list[int]:
    """Those of these lessons that somebody with this name taught."""
    found = rows.run("SELECT number FROM labeling WHERE name = ? AND number >= ?", [name, min(numbers, default=0)])
    own = {int(number) for (number,) in found}
    return [number for number in numbers if number in own]


def undone(log: Log, numbers: Sequence[int]) -> set[int]:
    """Those of these lessons that were undone."""
    with log.reading() as rows:
        later = _lines(rows, "number > ?", [min(numbers, default=0)])
    return {each.lesson.undoes for each in later if each.lesson.undoes is not None} & {*numbers}


def _lines(rows: Rows, condition: str, values: Sequence[Any]) -> list[Line]:
    found = rows.run(f"SELECT number, first, position, at, name, lesson FROM labeling WHERE {condition}", values)
    return [Line._make([*row[:-1], Lesson.from_dict(decoded(row[-1]))]) for row in found]


# ---- inside a turn -----------------------------------------------------------------------------------------------


def write_line(rows: Rows, line: Line) -> None:
    """Writes a lesson."""
    rows.run("DELETE FROM labeling WHERE number = ?", [line.number])  # from a turn whose end was not heard of
    rows.run(
        "INSERT INTO labeling (number, first, position, at, name, lesson) VALUES (?, ?, ?, ?, ?, ?)",
        [*line[:-1], dumped(line.lesson.to_dict())],
    )


def write_state(rows: Rows, state: Mapping[str, Any]) -> None:
    """Writes the state."""
    set_about(rows, _STATE, dumped(state))


def add_texts(rows: Rows, start: int, texts: Iterable[str]) -> None:
    """More texts, from this place on."""
    rows.run_many(
        "INSERT INTO pool (place, document) VALUES (?, ?)",
        [[place, dumped(text)] for place, text in enumerate(texts, start)],
    )


def new_texts(there: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The texts that the pool does not have yet, as often as they are missing.

    >>> new_texts(["one", "two"], ["one", "one", "three"])
    ['one', 'three']
    """
    left, found = Counter(there), []
    for text in texts:
        if left[text] > 0:
            left[text] -= 1
        else:
            found.append(text)
    return found


def begin(log: Log, seed: int, *, suits: bool) -> None:
    """Notes how a new labeling begins: what its order depends on, and whether its model is its own."""
    with log.turn() as rows:
        if about(rows, _SEED) is None:
            set_about(rows, _SEED, seed)
            set_about(rows, _SUITS, int(suits and not last(rows)[0]))


def suits(log: Log) -> bool:
    """Whether the model was made for this labeling, so that its settings follow the labels and the texts."""
    with log.reading() as rows:
        return about(rows, _SUITS) == "1" and not rows.run("SELECT 1 FROM lessons WHERE kind = 'load' LIMIT 1")
