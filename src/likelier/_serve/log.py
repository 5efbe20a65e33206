"""The log: all lessons in order, in a database. Two kinds of database, and one set of plain statements for both.

A turn is what one server does alone: it reads what others have written, and appends. All of a turn is written, or
nothing. Positions are numbered inside a turn, without gaps, and a turn begins when the one before is visible; so nobody
ever sees a position before the one that precedes it.

    lessons    one line for each lesson; `gone` is the position of the lesson that took out again what this one put in
    snapshots  which model file, by its checksum, stands at which position
    about      the version of these tables, the base of the digest, and so on
    pool       texts to be labeled, each at its place
    labeling   what was done with them; a line may stand for several lessons, from `first` to `position`, or for none
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from typing import Any, Self

from likelier._base.errors import LikelierError, error
from likelier._serve.lessons import Lesson
from likelier._serve.spans import COLUMNS, Span

CHUNK = 10_000  # lessons that are read at a time
VERSION = 2
_COLUMNS = ", ".join(Lesson._fields)
_REPLAYED = ", ".join(COLUMNS)
_STARTING = {"log-full": "log-full.start", "log-unavailable": "log-unavailable.start"}
_MARKS = ", ".join("?" * len(Lesson._fields))

MIGRATIONS: list[list[str]] = [  # to version 1, to version 2, and so on; {bytes} is the type of the database for bytes
    [
        "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
        """CREATE TABLE lessons (
            position BIGINT PRIMARY KEY, kind TEXT NOT NULL, at BIGINT NOT NULL, name TEXT NOT NULL,
            document TEXT, weight DOUBLE PRECISION NOT NULL, learned TEXT, forgot TEXT, put {bytes}, took {bytes},
            settings TEXT, refers BIGINT, digest {bytes} NOT NULL, ticket TEXT NOT NULL,
            key TEXT, request {bytes}, answer {bytes}, gone BIGINT)""",
        "CREATE UNIQUE INDEX lessons_key ON lessons (key, name) WHERE key IS NOT NULL",
        "CREATE UNIQUE INDEX lessons_refers ON lessons (refers) WHERE refers IS NOT NULL",
        "CREATE INDEX lessons_put ON lessons (put) WHERE put IS NOT NULL AND gone IS NULL",
        "CREATE INDEX lessons_load ON lessons (position) WHERE kind = 'load'",
        "CREATE TABLE snapshots (checksum TEXT PRIMARY KEY, position BIGINT NOT NULL, at BIGINT NOT NULL)",
    ],
    [
        "CREATE TABLE pool (place BIGINT PRIMARY KEY, document TEXT NOT NULL)",
        """CREATE TABLE labeling (
            number BIGINT PRIMARY KEY, first BIGINT NOT NULL, position BIGINT NOT NULL, at BIGINT NOT NULL,
            name TEXT NOT NULL, lesson TEXT NOT NULL)""",
    ],
]


@dataclass(frozen=True)
class Wanted:
    """Which lessons to list.

    active  only those whose document is in the model at this position
    """

    after: int = 0
    before: int | None = None
    limit: int = 100
    active: int | None = None
    erased: bool = False  # only those whose document was erased
    name: str | None = None
    label: str | None = None  # as JSON
    since: int | None = None
    until: int | None = None
    search: str | None = None
    kind: str | None = None
    newest_first: bool = False
    positions: Sequence[int] | None = None


class Rows(ABC):
    """A connection: runs a statement with `?` in place of values."""

    @abstractmethod
    def run(self, statement: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that the statement gives."""

    @abstractmethod
    def run_many(self, statement: str, values: Iterable[Sequence[Any]]) -> None:
        """The statement, once for each of these."""

    def announce(self) -> None:  # noqa: B027
        """Tells others that lessons were appended, once they are."""


class Log(ABC):
    """What both databases have in common."""

    name: str  # for messages, without passwords
    is_shared = False  # by several servers
    failure: type[Exception]  # what its statements raise
    is_open = False
    bytes_type: str
    contains: str  # a condition: whether a document holds a text, whatever its case

    @abstractmethod
    def turn(self) -> AbstractContextManager[Rows]:
        """Alone: everything that is run inside is written, or nothing."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Rows]:
        """For reading, from any thread."""

    @abstractmethod
    def close(self) -> None: ...

    def tidy(self) -> None:  # noqa: B027
        """What is good to do now and then."""

    def follow(self, heard: Callable[[], object]) -> None:  # noqa: B027
        """Calls `heard` when others may have appended, where there can be others."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- what it is ----------------------------------------------------------------------------------------------

    def prepare(self) -> None:
        """Brings the tables to this version; a log of a later version is refused."""
        with self.turn() as rows:
            found = int(about(rows, "version") or 0) if self.has_tables(rows) else 0
            if found > VERSION:
                raise error("log-version", name=self.name, got=found, version=VERSION)
            for statements in MIGRATIONS[found:]:
                for statement in statements:
                    rows.run(statement.format(bytes=self.bytes_type))
            if found < VERSION:
                set_about(rows, "version", VERSION)
        self.is_open = True

    @abstractmethod
    def has_tables(self, rows: Rows) -> bool:
        """Whether this database has a log."""

    def problem(self, code: str, reason: object) -> LikelierError:
        """An error with this code; with another hint for those who start a server."""
        return error(code if self.is_open else _STARTING.get(code, code), name=self.name, reason=reason)

    # ---- reading -------------------------------------------------------------------------------------------------

    def lessons(self, wanted: Wanted) -> list[Lesson]:
        """The lessons that are wanted, in order."""
        conditions, values = self.conditions(wanted)
        order = "DESC" if wanted.newest_first else "ASC"
        with self.reading() as rows:
            found = rows.run(
                f"SELECT {_COLUMNS} FROM lessons WHERE {' AND '.join(conditions)} ORDER BY position {order} LIMIT ?",
                [*values, wanted.limit],
            )
        return [Lesson(*row) for row in found]

    def conditions(self, wanted: Wanted) -> tuple[list[str], list[Any]]:
        """The conditions of a statement, and their values."""
        given: list[tuple[str, Any]] = [
            ("position > ?", wanted.after),
            ("position < ?", wanted.before),
            ("name = ?", wanted.name),
            ("kind = ?", wanted.kind),
            ("at >= ?", wanted.since),
            ("at < ?", wanted.until),
            (self.contains, None if wanted.search is None else self.pattern(wanted.search)),
        ]
        given = [(condition, value) for condition, value in given if value is not None]
        conditions, values = [condition for condition, _ in given], [value for _, value in given]
        if wanted.label is not None:
            conditions, values = [*conditions, "(learned = ? OR forgot = ?)"], [*values, wanted.label, wanted.label]
        if wanted.active is not None:
            conditions += ["put IS NOT NULL", "position <= ?", "(gone IS NULL OR gone > ?)"]
            conditions.append(  # a model that was swapped in has none of what was taught before
                "position > (SELECT COALESCE(MAX(position), 0) FROM lessons WHERE kind = 'load' AND position <= ?)"
            )
            values += [wanted.active] * 3
        if wanted.erased:
            conditions += ["(put IS NOT NULL OR took IS NOT NULL)", "document IS NULL"]
        if wanted.positions is not None:
            conditions.append(f"position IN ({', '.join('?' * len(wanted.positions)) or 'NULL'})")
            values += wanted.positions
        return conditions, values

    @abstractmethod
    def pattern(self, search: str) -> str:
        """The value for `contains`."""

    def every(self, wanted: Wanted) -> Iterator[list[Lesson]]:
        """All lessons from there on, some at a time: however many there are, memory is bounded."""
        after = wanted.after
        while chunk := self.lessons(
            Wanted(**{**vars(wanted), "after": after, "limit": CHUNK, "newest_first": False}),
        ):
            yield chunk
            after = chunk[-1].position

    def spans(self, after: int) -> Iterator[Span]:
        """All lessons after this position, some at a time: the next are read while these are replayed."""
        with ThreadPoolExecutor(1, "likelier reader") as reader:
            coming = reader.submit(self._span, after)
            while span := coming.result():
                coming = reader.submit(self._span, span.position[-1])
                yield span

    def _span(self, after: int) -> Span:
        with self.reading() as rows:
            return tail(rows, after)

    def position(self) -> int:
        """That of the last lesson; 0 without any."""
        with self.reading() as rows:
            return last(rows)[0]


# ---- inside a turn -----------------------------------------------------------------------------------------------


def about(rows: Rows, name: str) -> str | None:
    """What the log says about itself under this name."""
    found = rows.run("SELECT value FROM about WHERE name = ?", [name])
    return str(found[0][0]) if found else None


def set_about(rows: Rows, name: str, value: object) -> None:
    """Says this about the log."""
    rows.run("DELETE FROM about WHERE name = ?", [name])
    rows.run("INSERT INTO about (name, value) VALUES (?, ?)", [name, str(value)])


def last(rows: Rows) -> tuple[int, int]:
    """Position and time of the last lesson."""
    found = rows.run("SELECT position, at FROM lessons ORDER BY position DESC LIMIT 1")
    return (int(found[0][0]), int(found[0][1])) if found else (0, 0)


def tail(rows: Rows, after: int) -> Span:
    """The lessons after this position, some at a time."""
    found = rows.run(f"SELECT {_REPLAYED} FROM lessons WHERE position > ? ORDER BY position LIMIT ?", [after, CHUNK])
    return Span.of_rows(found)


def digest_at(rows: Rows, position: int) -> bytes | None:
    """The digest of the model after that lesson; None if there is no such lesson."""
    if position == 0:
        with suppress(ValueError):
            return bytes.fromhex(about(rows, "base") or "")
        return None
    found = rows.run("SELECT digest FROM lessons WHERE position = ?", [position])
    return bytes(found[0][0]) if found else None


def with_key(rows: Rows, name: str, key: str) -> Lesson | None:
    """The first lesson of the request that had this key."""
    found = rows.run(f"SELECT {_COLUMNS} FROM lessons WHERE name = ? AND key = ?", [name, key])
    return Lesson(*found[0]) if found else None


def append(rows: Rows, lessons: Sequence[Lesson]) -> None:
    """Writes lessons, and which documents are gone with them."""
    rows.run_many(f"INSERT INTO lessons ({_COLUMNS}) VALUES ({_MARKS})", lessons)
    # gone is the lesson that is undone, if it put in just this; else the last of one's own, or else of others
    rows.run_many(
        """UPDATE lessons SET gone = ? WHERE position = (
            SELECT position FROM lessons WHERE put = ? AND gone IS NULL AND position < ?
            ORDER BY CASE WHEN position = ? THEN 0 WHEN name = ? THEN 1 ELSE 2 END,
            position DESC LIMIT 1)""",
        [
            [each.position, each.took, each.position, each.refers or 0, each.name]
            for each in lessons
            if each.took is not None
        ],
    )
    if lessons:
        rows.announce()


def labeling_of(rows: Rows, positions: Sequence[int]) -> int | None:
    """The number of a line of the labeling that one of these lessons belongs to."""
    spans = rows.run("SELECT first, position, number FROM labeling WHERE first <= position ORDER BY first")
    ordered = sorted(positions)
    for first, last, number in spans:
        place = bisect_left(ordered, first)
        if place < len(ordered) and ordered[place] <= last:
            return int(number)
    return None


def labeled_by(rows: Rows, prints: Sequence[bytes]) -> int | None:
    """The number of a line of the labeling because of which one of these documents is in the model."""
    for mark in prints:
        found = rows.run(
            """SELECT number FROM labeling JOIN lessons ON lessons.position BETWEEN first AND labeling.position
               WHERE put = ? AND gone IS NULL LIMIT 1""",
            [mark],
        )
        if found:
            return int(found[0][0])
    return None


def undone_by(rows: Rows, position: int) -> int | None:
    """The lesson that undoes this one."""
    found = rows.run("SELECT position FROM lessons WHERE refers = ?", [position])
    return int(found[0][0]) if found else None


def note_snapshot(rows: Rows, checksum: str, position: int, at: int) -> None:
    """Says that the model file with this checksum stands at this position."""
    rows.run("DELETE FROM snapshots WHERE checksum = ?", [checksum])
    rows.run("INSERT INTO snapshots (checksum, position, at) VALUES (?, ?, ?)", [checksum, position, at])


def snapshot_position(rows: Rows, checksum: str) -> int | None:
    """At which position the model file with this checksum stands."""
    found = rows.run("SELECT position FROM snapshots WHERE checksum = ?", [checksum])
    return int(found[0][0]) if found else None


def erase(rows: Rows, position: int) -> None:
    """Erases the documents of all lessons up to this one, and leaves their fingerprints."""
    rows.run("UPDATE lessons SET document = NULL WHERE position <= ? AND document IS NOT NULL", [position])
