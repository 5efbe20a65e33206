"""What a file is that is not a model: by its first bytes.

From a path to a stored model. Nothing in the file is trusted, and nothing is allocated that it does not hold.

First what is cheap: is it a file, does it begin like a model, of which version, is it as long as its header says. Then
the checksum, and only then the parts.

The file is read and not mapped. Mapped, the checksum would hold for what the bytes were, not for what they are when
they are used; and a file that is cut short by somebody else would end the process. Reading costs a fifth to a quarter
more than hashing a mapped file (0.23 s and 0.18 s for 311 MB), which is little beside making the table of counts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO

import numpy as np

from likelier._base.errors import FileError, error
from likelier._storage import layout, parts
from likelier._storage.layout import Array, Header, Nonsense
from likelier._storage.locking import PathLike, check_is_file, checked_path
from likelier._storage.parts import Stored, Unusable

_BEGINNINGS = {
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"PK\x03\x04": "a zip file",
    b"PAR1": "a Parquet file",
    b"ARROW1": "an Arrow file",
    b"\x93NUMPY": "a NumPy array",
    b"\x89HDF": "an HDF5 file",
    b"SQLite format 3\x00": "an SQLite database",
    b"\x80\x02": "a pickle",
    b"\x80\x03": "a pickle",
    b"\x80\x04": "a pickle",
    b"\x80\x05": "a pickle",
    b"%PDF": "a PDF",
    b"From ": "a mailbox",
    b"{": "JSON",
    b"[": "JSON",
}


def looks_like(start: bytes) -> str | None:
    r"""What the first bytes of a file look like, if that is easy to tell.

    >>> looks_like(b"PK\x03\x04..."), looks_like(b"label,text\nspam,buy now\n")
    ('a zip file', 'text')
    """
    for beginning, name in _BEGINNINGS.items():
        if start.startswith(beginning):
            return name
    if start[8:9] == b"{":
        return "a safetensors file of something else"
    return "text" if _is_text(start) else None


def _is_text(start: bytes) -> bool:
    try:
        text = start[: max(len(start) - 3, 1)].decode("utf-8", "strict")  # a character may be cut in two at the end
    except UnicodeDecodeError as error:
        text = start[: error.start].decode() if error.start >= len(start) - 6 else "\x00"
    return all(character.isprintable() or character in "\t\r\n\ufeff" for character in text)


Opened = BufferedReader | BytesIO
_PIECE = 1 << 20  # bytes that are read and hashed at a time
_VERSION = re.compile(re.escape(layout.FORMAT) + rb'(\d{1,9})"')


def load(path: PathLike) -> Stored:
    """The model in this file, or a FileError that says why there is none."""
    name = checked_path(path)
    return _stored(name, *_read(name))


def from_bytes(content: bytes) -> Stored:
    """The model whose file has this content, or a FileError that says why there is none."""
    if not isinstance(content, bytes | bytearray | memoryview):
        raise error("content-kind", got=content)
    content = bytes(content)
    with BytesIO(content) as file:
        return _stored("the content", *_read_from("the content", file, len(content)))


def _stored(name: str, header: Header, arrays: dict[str, Array]) -> Stored:
    try:
        return parts.stored_from(header.texts, arrays)
    except Nonsense as reason:
        raise error("model-file-inconsistent", name=name, reason=reason) from reason
    except Unusable as reason:
        message, hint = reason.args
        raise error("model-file-settings", name=name, message=message, hint=hint) from (reason)


def counts_digest(path: PathLike) -> str:
    """SHA-256 of the counts in this file: equal for equal counts, however they were made."""
    name = checked_path(path)
    header, arrays = _read(name)
    try:
        parts.check_names(header.texts, arrays)
        return parts.digest(header.texts, arrays)
    except Nonsense as reason:
        raise error("model-file-inconsistent", name=name, reason=reason) from reason


def checksum_of(path: PathLike) -> str:
    """The checksum that this file says it has; it names the file's content."""
    name = checked_path(path)
    with _opened(name) as file:
        return layout.checksum_in(_head(name, file, os.fstat(file.fileno()).st_size))


def _read(name: str) -> tuple[Header, dict[str, Array]]:
    with _opened(name) as file:
        return _read_from(name, file, os.fstat(file.fileno()).st_size)


def _read_from(name: str, file: Opened, size: int) -> tuple[Header, dict[str, Array]]:
    head = _head(name, file, size)
    try:
        header = layout.parse(bytes(head[8:]))
    except Nonsense as reason:
        _checked_rest(name, file, head, size - len(head))
        raise error("model-file-inconsistent", name=name, reason=reason) from reason
    missing = len(head) + header.size - size
    if missing > 0:
        raise error("model-file-truncated", name=name, reason=f"{missing} bytes are missing at its end")
    data = _checked_rest(name, file, head, size - len(head))
    if missing < 0:
        raise error("model-file-inconsistent", name=name, reason=Nonsense("there is more than the header accounts for"))
    return header, {
        entry.name: data[entry.begin : entry.end].view(layout.DTYPES[entry.dtype]).reshape(entry.shape)
        for entry in header.entries
    }


def _head(name: str, file: Opened, size: int) -> bytearray:
    """Length and header, when the file begins like a model of a version that is known and is long enough."""
    start = file.read(8 + layout.START + layout.DIGITS)
    if not start:
        raise error("model-file-empty", name=name)
    _check_version(name, start)
    length = int.from_bytes(start[:8], "little")
    if len(start) < 8 + layout.START + layout.DIGITS or 8 + length > size:
        raise error("model-file-truncated", name=name, reason="its header is not complete")
    fits = len(start) - 8 <= length <= layout.LONGEST_HEADER and length % 8 == 0
    if not fits or not start[8:].startswith(layout.STARTS):
        raise error("model-file-damaged", name=name)
    head = bytearray(start) + file.read(8 + length - len(start))
    if len(head) != 8 + length:
        raise error("model-file-truncated", name=name, reason="its header is not complete")
    return head


def _check_version(name: str, start: bytes) -> None:
    known = layout.FORMAT[: max(len(start) - 8, 0)]
    if len(start) < 9 or start[8 : 8 + len(known)] != known:
        what = looks_like(start)
        raise error("model-file-foreign.known" if what else "model-file-foreign", name=name, what=what)
    version = _VERSION.match(start, 8)
    if version and int(version[1]) > layout.VERSION:
        raise error("model-file-newer", name=name, version=int(version[1]), newest=layout.VERSION)


def _checked_rest(name: str, file: Opened, head: bytearray, size: int) -> Array:
    """All bytes after the header, once the checksum is right."""
    import hashlib  # when it is needed: importing likelier should be quick

    wanted = layout.put_checksum(head, b"0" * layout.DIGITS)
    digest = hashlib.sha256(head)
    data = np.empty(size, dtype=np.uint8)
    for begin in range(0, size, _PIECE):
        piece = data[begin : begin + _PIECE].data
        if file.readinto(piece) != len(piece):
            raise error("model-file-truncated", name=name, reason="it became shorter while it was read")
        digest.update(piece)
    if digest.hexdigest().encode() != wanted:
        raise error("model-file-damaged", name=name)
    return data


@contextmanager
def _opened(name: str) -> Iterator[BufferedReader]:
    try:
        check_is_file(name)
        with open(name, "rb") as file:
            yield file
    except FileError:
        raise
    except FileNotFoundError as failure:
        raise error("model-file-missing", name=name) from failure
    except PermissionError as failure:
        raise error("model-file-permission", name=name, reason=failure.strerror) from failure
    except (OSError, MemoryError) as failure:
        raise error(
            "model-file-unreadable",
            name=name,
            reason=getattr(failure, "strerror", None) or str(failure) or "not enough memory",
        ) from failure
