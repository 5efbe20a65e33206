"""What happens to rows that cannot be used: the first one stops the reading, or all are skipped and written down."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TextIO

from likelier.data.faults import Fault
from likelier.errors import FileError, SettingError

COLUMNS = ("file", "line", "column", "code", "message", "row")


class Rejects:
    """Counts the rows that were skipped, and writes them to a CSV file that appears when the reading is done."""

    def __init__(self, on_error: str, path: str | os.PathLike[str] | None) -> None:
        if on_error not in ("stop", "skip"):
            raise SettingError(
                code="on-error-unknown",
                message=f"`on_error` must be 'stop' or 'skip', got {on_error!r}",
                hint="'stop' shows the first broken row, 'skip' goes on and counts them",
            )
        self.skip = on_error == "skip"
        self.path = None if path is None else Path(path)
        self.count = 0
        self._file: TextIO | None = None

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
            assert self.path is not None
            try:
                self._file = self._temporary.open("w", encoding="utf-8", newline="")
            except OSError as error:
                raise FileError(
                    code="rejects-not-written",
                    message=f"the rejected rows cannot be written to {str(self.path)!r}: {error.strerror}",
                    hint="name a file in a directory that exists and may be written to",
                ) from error
            csv.writer(self._file).writerow(COLUMNS)
        return csv.writer(self._file)

    def finish(self) -> None:
        """Gives the file its name; without rejected rows there is none."""
        if self._file is not None:
            self._file.close()
            assert self.path is not None
            self._temporary.replace(self.path)
            self._file = None

    def discard(self) -> None:
        """Takes back what was written."""
        if self._file is not None:
            self._file.close()
            self._temporary.unlink(missing_ok=True)
            self._file = None

    @property
    def _temporary(self) -> Path:
        assert self.path is not None
        return self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
