"""From a file to blocks of UTF-8: opening, decompressing, decoding, and how far the reading has come."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain
from typing import BinaryIO

from likelier._base.errors import FileError
from likelier._read.compression import compression_of, decompressed
from likelier._read.encodings import checked_encoding, refuse_wide, to_utf8
from likelier._read.faults import read_once
from likelier._read.kinds import HEAD_BYTES
from likelier._read.source import Passes, Source, check_unchanged, shown

BLOCK_BYTES = 1 << 20  # what is read fits into a processor's own cache, where it is looked at three or four times


class Pipe:
    """Standard input, or a pipe that has a name: it can be looked into and read once."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self._stream, self._name = stream, name
        self._head = b""
        self._taken = False

    def look(self) -> bytes:
        """The first bytes: enough to tell what it is, without waiting for more than the first line."""
        while len(self._head) < HEAD_BYTES and not (len(self._head) >= 16 and b"\n" in self._head):
            piece = read_some(self._stream, HEAD_BYTES)
            self._head += piece
            if not piece:
                break
        return self._head

    def take(self) -> tuple[bytes, BinaryIO]:
        """What was looked at, and the stream that goes on behind it."""
        if self._taken:
            raise read_once(self._name)
        self._taken = True
        return self._head, self._stream


def read_some(stream: BinaryIO, size: int) -> bytes:
    """What there is, up to `size` bytes, without waiting for all of it."""
    return getattr(stream, "read1", stream.read)(size) or b""


def _read(stream: BinaryIO, size: int, path: str) -> bytes:
    try:
        return read_some(stream, size)
    except OSError as error:
        raise cannot_read(path, error) from None


def standard_input() -> Pipe:
    """Standard input as bytes."""
    buffer = getattr(sys.stdin, "buffer", None)
    if buffer is None or sys.stdin.closed:
        raise FileError(
            code="stdin-missing",
            message="there is no standard input to read from",
            hint="give the name of a file instead of -",
        )
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


def cannot_read(path: str, error: OSError) -> FileError:
    """The error for what the system says about a file."""
    if isinstance(error, PermissionError):
        return FileError(
            code="file-permission",
            message=f"{shown(path)} may not be read by this user",
            hint=f"ls -ld '{shown(path)}' shows who may",
        )
    return FileError(
        code="file-unreadable",
        message=f"{shown(path)} cannot be read: {error.strerror or error}",
        hint="check that the file is still there and can be opened",
    )


class Pieces:
    """The decompressed bytes of a source, piece by piece.

    position: bytes of the file used so far; total: its size, or None for a pipe.
    """

    def __init__(self, source: Source, size: int = BLOCK_BYTES, *, place: int = 0) -> None:
        """place: among the files that are opened in one pass over the source."""
        self.name = source.name_shown
        self.position = 0
        self.total = None if source.once else size_of(source.path)
        self._path = source.path
        self._passes, self._place = source.passes, place
        self._head = b""
        self._stream: BinaryIO | None = None
        if source.pipe is not None:
            self._head, self._stream = source.pipe.take()
        raw = self._raw(size if source.compression is None else max(1 << 12, size // 4))
        self._pieces = decompressed(raw, source.compression, self.name, size) if source.compression else raw

    def _raw(self, size: int) -> Iterator[bytes]:
        if self._stream is not None:
            yield from self._rest(self._stream, size)
            return
        self._stream = file = open_file(self._path)  # only now: a file that is not read need not be closed
        state = self._passes.opened(self._place, file.fileno(), self.name)
        yield from self._rest(file, size)
        check_unchanged(state, file.fileno(), self.name)

    def _rest(self, stream: BinaryIO, size: int) -> Iterator[bytes]:
        piece = self._head
        while piece or (piece := _read(stream, size, self._path)):
            self.position += len(piece)
            yield piece
            piece = b""

    def __iter__(self) -> Iterator[bytes]:
        try:
            yield from self._pieces
        finally:
            self.close()

    def close(self) -> None:
        """Close the file; standard input stays open."""
        if self._stream is not None and self._path != "-":
            self._stream.close()


def size_of(path: str) -> int:
    """Bytes of a file on disk."""
    try:
        return os.stat(path).st_size
    except OSError as error:
        raise cannot_read(path, error) from None


class Blocks:
    """The text of a table as UTF-8 without a byte order mark, in blocks that are cut anywhere.

    UTF-8 is passed on as it is, valid or not: who reads the rows can say more about what is wrong with them.
    position, total: bytes of the file, as it is on disk.
    """

    def __init__(self, source: Source, *, encoding: str = "utf-8", size: int = BLOCK_BYTES) -> None:
        codec = checked_encoding(encoding)
        self._source = Pieces(source, size)
        pieces = iter(self._source)
        utf8 = codec == "utf-8"
        self._blocks = _unmarked(pieces, source.name_shown) if utf8 else to_utf8(pieces, codec, source.name_shown)

    @property
    def position(self) -> int:
        return self._source.position

    @property
    def total(self) -> int | None:
        return self._source.total

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            return next(self._blocks)
        except BaseException:  # the end, too
            self.close()
            raise

    def close(self) -> None:
        """Stop reading before the end."""
        self._source.close()


def _unmarked(pieces: Iterator[bytes], name: str) -> Iterator[bytes]:
    """Without a byte order mark; UTF-16 is refused at once."""
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= 4 or b"\n" in head:
            break
    refuse_wide(head, name)
    head = head.removeprefix(b"\xef\xbb\xbf")
    if head:
        yield head
    yield from pieces


def blocks(source: Source, *, encoding: str = "utf-8", size: int = BLOCK_BYTES) -> Blocks:
    """The text of a CSV, TSV or JSON Lines source, in blocks of UTF-8."""
    return Blocks(source, encoding=encoding, size=size)


def whole(path: str, name: str, limit: int, passes: Passes, place: int) -> tuple[bytes, int]:
    """All bytes of a file, decompressed if it is compressed, whatever its name is; and its size on disk.

    Of more than `limit` bytes one more than that, which are read and decompressed no further.
    """
    with open_file(path) as stream:
        state = passes.opened(place, stream.fileno(), name)
        size = os.fstat(stream.fileno()).st_size
        pieces = iter(partial(_read, stream, BLOCK_BYTES // 4, path), b"")
        first = next(pieces, b"")
        compression = compression_of(first)
        raw = chain([first], pieces)
        found = joined(decompressed(raw, compression, name, BLOCK_BYTES) if compression else raw, limit)
        check_unchanged(state, stream.fileno(), name)
        return found, size


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
