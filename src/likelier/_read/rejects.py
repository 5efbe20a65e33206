"""What happens to rows that cannot be used: the first one stops the reading, or all are skipped and written down."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, TextIO

from likelier._base.checks import is_one_of
from likelier._base.errors import FileError, SettingError
from likelier._read.faults import Fault

COLUMNS = ("file", "line", "column", "code", "message", "row")
_HEADING = ",".join(COLUMNS).encode()


class Rejects:
    """Counts the rows that were skipped, and writes them to a CSV file that appears when the reading is done."""

    def __init__(self, on_error: str, path: str | os.PathLike[str] | None) -> None:
        if not is_one_of(on_error, ("stop", "skip")):
            raise SettingError(
                code="on-error-unknown",
                message=f"`on_error` must be 'stop' or 'skip', got {on_error!r}",
                hint="'stop' shows the first broken row, 'skip' goes on and counts them",
            )
        self.skip = on_error == "skip"
        self.path = None if path is None else Path(_checked_path(path))
        self._target = Path(os.devnull) if path is None else Path(os.path.realpath(path))  # a link stays a link
        self._check_target()
        self._token = os.urandom(8).hex()
        self.count = 0
        self._file: TextIO | None = None

    def _check_target(self) -> None:
        """Data that is named by mistake must not be lost: only an older file of rejected rows is replaced."""
        if not self._target.is_file():
            return
        try:
            with self._target.open("rb") as file:
                start = file.read(len(_HEADING))
        except OSError as error:
            raise self._not_written(error) from error
        if start not in (b"", _HEADING):
            raise FileError(
                code="rejects-over-other",
                message="rejected rows are written to a new file or over older rejected rows,"
                f" but {str(self.path)!r} is something else",
                hint="name another file, such as rejects='rejects.csv'",
            )

    def _not_written(self, error: OSError) -> FileError:
        return FileError(
            code="rejects-not-written",
            message=f"the rejected rows cannot be written to {str(self.path)!r}: {error.strerror}",
            hint="name a file in a directory that exists and may be written to",
        )

    def start(self) -> None:
        """Forgets what was noted: the reading starts again."""
        self.discard()
        self.count = 0

    def take(self, faults: Iterable[Fault]) -> None:
        """Raises the first one, or notes them all."""
        for fault in sorted(faults, key=lambda fault: fault.line):
            if not self.skip:
                raise fault.error
            self.count += 1
            if self.path is not None:
                self._writer().writerow(
                    [fault.source, fault.line, fault.column, fault.error.code, fault.error.message, fault.raw]
                )

    def _writer(self) -> Any:
        if self._file is None:
            try:
                mode: Literal["w", "x"] = "w" if self._temporary == self._target else "x"
                self._file = self._temporary.open(mode, encoding="utf-8", newline="")
            except OSError as error:
                raise self._not_written(error) from error
            csv.writer(self._file).writerow(COLUMNS)
        return csv.writer(self._file)

    def finish(self) -> None:
        """Gives the file its name; without rejected rows there is none."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if self._temporary != self._target:
                self._temporary.replace(self._target)

    def discard(self) -> None:
        """Takes back what was written."""
        if self._file is not None:
            self._file.close()
            self._file = None
            if self._temporary != self._target:
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
    raise SettingError(
        code="rejects-kind",
        message=f"`rejects` must be the name of a file, got {path!r:.60}",
        hint="rejects='rejects.csv'",
    )
