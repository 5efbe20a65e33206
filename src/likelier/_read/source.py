"""One thing that documents are read from, found and looked at, but not yet read."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from likelier._base.errors import FileError

if TYPE_CHECKING:
    from likelier._read.streams import Pipe


class Passes:
    """What the files of a source were in the first pass over them, which they must be in every other pass."""

    def __init__(self) -> None:
        self._files = array("q")
        self._complete = False

    def opened(self, place: int, file: int, name: str) -> int:
        """The state of an open file, which is the first one of a pass (0), the second (1), ..."""
        state = _state(file)
        if place == len(self._files) and not self._complete:
            self._files.append(state)
        if place >= len(self._files) or self._files[place] != state:
            raise _changed(name)
        return state

    def ended(self, files: int, name: str) -> None:
        """A pass has come to its end, with so many files."""
        self._complete = True
        if files < len(self._files):
            raise _changed(name)


def check_unchanged(state: int, file: int, name: str) -> None:
    """Raises where a file was written to while it was read."""
    if _state(file) != state:
        raise _changed(name)


def _state(file: int) -> int:
    """Which file it is, how long, and when it was written, in 8 bytes: a folder may have a million files."""
    seen = os.fstat(file)
    return hash((seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns))


def _changed(name: str) -> FileError:
    return FileError(
        code="file-changed",
        message=f"a file must stay the same until all passes over it are done, but {name} changed while it was read",
        hint="wait until nothing writes to it, or read a copy; after a change call read(...) again",
    )


@dataclass(frozen=True)
class Source:
    """A file, a folder or a pipe.

    kind         csv, tsv, jsonl, parquet; mbox, maildir, mail, txt, html; for folders also mails, texts
    compression  gzip, zstd, bz2, xz or None
    label        the label of all its documents, if its name or its folder gives one
    note         what was guessed about it
    pipe         for what can be read only once
    passes       notices files that change from one pass to the next
    """

    path: str
    kind: str
    compression: str | None
    label: str | None
    name_shown: str
    note: str | None = None
    pipe: Pipe | None = field(default=None, compare=False, repr=False)
    passes: Passes = field(default_factory=Passes, compare=False, repr=False)

    @property
    def once(self) -> bool:
        return self.pipe is not None


def shown(path: str) -> str:
    r"""A path as it can be printed anywhere.

    >>> print(shown("a\nb.csv"), shown("M\udcfcll"))
    a\nb.csv M\xfcll
    """
    if path.isprintable():
        return path
    return "".join(_escape(character) for character in path)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte of a name that is not UTF-8
    return character if character.isprintable() else character.encode("unicode_escape").decode()
