"""From a file to blocks of UTF-8: sources, opening, decompressing, decoding, and how far the reading has come."""

from __future__ import annotations

import os
import stat
import sys
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from typing import BinaryIO

from likelier._base.errors import LikelierError, error
from likelier._read.compression import HEAD_BYTES, compression_of, decompressed
from likelier._read.detection import Found, detected, unmarked
from likelier._read.encodings import checked_encoding, to_utf8

BLOCK_BYTES = 1 << 20  # what is read fits into a processor's own cache, where it is looked at three or four times
DETECT = "detect"  # the compression


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
            raise error("file-changed", name=name)
        return state

    def ended(self, files: int, name: str) -> None:
        """Ends a pass, with the number of its files."""
        self._complete = True
        if files < len(self._files):
            raise error("file-changed", name=name)


def check_unchanged(state: int, file: int, name: str) -> None:
    """Raises where a file was written to while it was read."""
    if _state(file) != state:
        raise error("file-changed", name=name)


def _state(file: int) -> int:
    """Which file it is, how long, and when it was written, in 8 bytes: a folder may have a million files."""
    seen = os.fstat(file)
    return hash((seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns))


@dataclass(frozen=True)
class DataSource:
    """A file, a folder or a pipe.

    kind         a table: csv, tsv, jsonl, json, spreadsheet, parquet; documents: mbox, maildir, mail, txt, html;
                 for folders also mails, texts
    compression  gzip, zstd, bz2, xz or None; "detect": look when it is opened
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
    return path if path.isprintable() else "".join(map(_escape, path))


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte of a name that is not UTF-8
    return character if character.isprintable() else character.encode("unicode_escape").decode()


# ---- opening ----------------------------------------------------------------------------------------------------


class Pipe:
    """Standard input, or a pipe that has a name: it can be looked into and read once."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._head = b""
        self._taken = False

    def look(self) -> bytes:
        """The first bytes: enough to tell what it is, without waiting for more than the first line."""
        while len(self._head) < HEAD_BYTES and not (len(self._head) >= 16 and b"\n" in self._head):
            if not (piece := _read_some(self._stream, HEAD_BYTES)):
                break
            self._head += piece
        return self._head

    def take(self) -> tuple[bytes, BinaryIO]:
        """What was looked at, and the stream that goes on behind it."""
        if self._taken:
            raise error("read-once", source=self._name)
        self._taken = True
        return self._head, self._stream


def _read_some(stream: BinaryIO, size: int) -> bytes:
    """What there is, up to `size` bytes, without waiting for all of it."""
    return getattr(stream, "read1", stream.read)(size) or b""


def _read(stream: BinaryIO, size: int, path: str) -> bytes:
    try:
        return _read_some(stream, size)
    except OSError as error:
        raise cannot_read(path, error) from None


def standard_input() -> Pipe:
    """Standard input as bytes."""
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None or sys.stdin.closed:
        raise error("stdin-missing")
    return Pipe(buffer, "standard input")


def is_pipe(path: str) -> bool:
    """Whether a path is a pipe or a device, as in `likelier train <(command)`."""
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or stat.S_ISSOCK(mode)


def open_file(path: str) -> BinaryIO:
    """The file, opened; all that can go wrong is a FileError."""
    try:
        return open(path, "rb", buffering=0)
    except OSError as error:
        raise cannot_read(path, error) from None


def cannot_read(path: str, failure: OSError) -> LikelierError:
    """The error for what the system says about a file."""
    if isinstance(failure, PermissionError):
        return error("file-permission", path=shown(path))
    return error("file-unreadable", path=shown(path), reason=failure.strerror or failure)


def size_of(path: str) -> int:
    """Bytes of a file on disk."""
    try:
        return os.stat(path).st_size
    except OSError as error:
        raise cannot_read(path, error) from None


# ---- reading ----------------------------------------------------------------------------------------------------


class Pieces:
    """The decompressed bytes of a source, piece by piece.

    position: bytes of the file used so far; total: its size, or None for a pipe.
    """

    def __init__(self, source: DataSource, size: int | None = None, *, place: int = 0) -> None:
        """place: among the files that are opened in one pass over the source."""
        size = size or BLOCK_BYTES
        self.position = 0
        self.total = None if source.once else size_of(source.path)
        self._source, self._place = source, place
        self._head = b""
        self._stream: BinaryIO | None = None
        if source.pipe is not None:
            self._head, self._stream = source.pipe.take()
        self._pieces = self._unpacked(size)

    def _unpacked(self, size: int) -> Iterator[bytes]:
        packed = self._source.compression
        raw = self._raw(max(1 << 12, size // 4) if packed else size)
        if packed == DETECT:
            first = next(raw, b"")
            packed, raw = compression_of(first), chain([first], raw)
        yield from decompressed(raw, packed, self._source.name_shown, size) if packed else raw

    def _raw(self, size: int) -> Iterator[bytes]:
        name, state = self._source.name_shown, None
        if self._stream is None:  # only now: a file that is not read need not be closed
            self._stream = open_file(self._source.path)
            state = self._source.passes.opened(self._place, self._stream.fileno(), name)
        piece = self._head
        while piece or (piece := _read(self._stream, size, self._source.path)):
            self.position += len(piece)
            yield piece
            piece = b""
        if state is not None:
            check_unchanged(state, self._stream.fileno(), name)

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._pieces
        finally:
            self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._stream is not None and self._source.path != "-":
            self._stream.close()


class TextBlocks(Pieces):
    """The text of a CSV, TSV or JSON Lines source as UTF-8 without a byte order mark, in blocks that are cut anywhere.

    UTF-8 is passed on as it is, valid or not: who reads the rows can say more about what is wrong with them.
    """

    def __init__(self, source: DataSource, *, encoding: str | None = None, size: int | None = None) -> None:
        """encoding: None to detect it; then `found` has what it is, if not UTF-8."""
        codec, name = None if encoding is None else checked_encoding(encoding), source.name_shown
        self.found = Found(marked=codec not in (None, "utf-8"))
        super().__init__(source, size)
        if codec is None:
            text = detected(self._pieces, name, self.found)
        else:
            text = unmarked(self._pieces, name, self.found) if codec == "utf-8" else to_utf8(self._pieces, codec, name)
        self._pieces = filter(None, text)


def joined(pieces: Iterable[bytes], limit: int) -> bytes:
    """All pieces as one; of more than `limit` bytes one more than that, and what follows is not read."""
    found, size = [], 0
    for piece in pieces:
        found.append(piece)
        size += len(piece)
        if size > limit:
            break
    return b"".join(found)[: limit + 1]


def head_of(path: str) -> bytes:
    """The first bytes of a file."""
    with open_file(path) as stream:
        try:
            return stream.read(HEAD_BYTES)
        except OSError as error:
            raise cannot_read(path, error) from None
