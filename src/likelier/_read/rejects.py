"""Faults stop the reading, or they are skipped: counted by reason, and written to a CSV file once all is read."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TextIO

from likelier._base.checks import check_one_of
from likelier._base.errors import LikelierError, error
from likelier._read.faults import Fault, RowOf, with_row

HEADER = ("file", "line", "column", "code", "message", "row")
_HEADING = ",".join(HEADER).encode()


class Rejects:
    """What is done with faults: `on_error` is "stop" or "skip", `path` names the file for those that are skipped."""

    def __init__(self, on_error: str = "stop", path: str | os.PathLike[str] | None = None) -> None:
        check_one_of("on-error-unknown", on_error, ("stop", "skip"))
        self.skip = on_error == "skip"
        self.path = None if path is None else Path(_checked_path(path))
        self._target = Path(os.devnull) if path is None else Path(os.path.realpath(path))  # a link stays a link
        self._check_target()
        self._token = os.urandom(8).hex()
        self.reasons: dict[str, tuple[int, str]] = {}  # code → how many, and the message of the first
        self._file: TextIO | None = None

    def _check_target(self) -> None:
        """Data that is named by mistake must not be lost: only an older file of rejected rows is replaced."""
        if not self._target.is_file():
            return
        try:
            with self._target.open("rb") as file:
                start = file.read(len(_HEADING))
        except OSError as failure:
            raise self._not_written(failure) from failure
        if start not in (b"", _HEADING):
            raise error("rejects-over-other", path=str(self.path))

    def _not_written(self, failure: OSError) -> LikelierError:
        return error("rejects-not-written", path=str(self.path), reason=failure.strerror)

    @property
    def count(self) -> int:
        """How many were skipped."""
        return sum(count for count, _ in self.reasons.values())

    def start(self) -> None:
        """Forget earlier faults: the reading starts again."""
        self.end(keep=False)
        self.reasons.clear()

    def take(self, faults: Iterable[Fault], row_of: RowOf | None = None) -> None:
        """Raise the first one, or count and write them all."""
        for fault in sorted(faults, key=lambda fault: fault.line):
            source, line, character, failure, raw = fault if row_of is None else with_row(fault, row_of)
            if not self.skip:
                raise failure
            count, first = self.reasons.get(failure.code, (0, failure.message))
            self.reasons[failure.code] = count + 1, first
            if self.path is not None:
                self._writer().writerow([source, line, character, failure.code, failure.message, raw])

    def _writer(self) -> Any:
        if self._file is None:
            try:
                mode: Literal["w", "x"] = "w" if self._temporary == self._target else "x"
                self._file = self._temporary.open(mode, encoding="utf-8", newline="")
            except OSError as failure:
                raise self._not_written(failure) from failure
            csv.writer(self._file).writerow(HEADER)
        return csv.writer(self._file)

    def end(self, *, keep: bool) -> None:
        """Give the file its name, or take back what was written; without rejected rows there is no file."""
        if self._file is None:
            return
        self._file.close()
        self._file = None
        if self._temporary != self._target and keep:
            self._temporary.replace(self._target)
        elif self._temporary != self._target:
            self._temporary.unlink(missing_ok=True)

    @property
    def _temporary(self) -> Path:
        """Beside the file; a device or a pipe is written to itself."""
        if self._target.exists() and not self._target.is_file():
            return self._target
        return self._target.with_name(f".{self._target.name}.{self._token}.tmp")


def _checked_path(path: object) -> str | os.PathLike[str]:
    if isinstance(path, str | os.PathLike) and isinstance(os.fspath(path), str):
        with suppress(UnicodeEncodeError):
            if b"\0" not in os.fsencode(path):
                return path
    raise error("rejects-kind", got=path)
