"""Writing a model file: all at once, and only in place of nothing, an empty file or a model."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager

from likelier._base.errors import FileError, error
from likelier._base.files import replacing, write_all
from likelier._storage import layout, parts
from likelier._storage.layout import Array
from likelier._storage.locking import PathLike, check_is_file, checked_path
from likelier._storage.parts import Stored

Content = tuple[bytearray, dict[str, Array]]  # the head, and the arrays after it


def save(path: PathLike, stored: Stored) -> None:
    """Writes the model to this file, which must be new, empty or a model."""
    write(path, content(path, stored))


def content(path: PathLike, stored: Stored) -> Content:
    """What the model's file will hold, at this path. It does not change when the model does."""
    return _content(checked_path(path), stored)


def write(path: PathLike, content: Content) -> None:
    """Writes this to the file, which must be new, empty or a model."""
    name = checked_path(path)
    head, arrays = content
    with _errors_named(name):
        _check_existing(name, os.path.realpath(name))
        with replacing(name) as file:
            for piece in (memoryview(head), *_bytes_of(arrays)):
                write_all(file, piece)


def checksum(content: Content) -> str:
    """The checksum of the file with this content, as it is in its header."""
    return layout.checksum_in(content[0])


def to_bytes(stored: Stored) -> bytes:
    """The content of the model's file."""
    head, arrays = _content("the content", stored)
    return b"".join([head, *_bytes_of(arrays)])


def _bytes_of(arrays: dict[str, Array]) -> list[memoryview]:
    return [array.data.cast("B") for array in arrays.values() if array.size]


def _content(name: str, stored: Stored) -> Content:
    arrays = layout.in_order(parts.arrays_of(stored))
    head = layout.header_bytes(parts.version_of(stored), parts.texts_of(stored), arrays)
    _check_length(name, head)
    layout.sign(head, arrays)
    return head, arrays


def check_target(path: PathLike) -> None:
    """Raises what would stop `save` from writing to this file: for those who want to know before they begin to work."""
    name = checked_path(path)
    with _errors_named(name):
        target = os.path.realpath(name)
        folder = os.path.dirname(target)
        _check_existing(name, target)
        if not os.path.isdir(folder):
            raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, "its folder is write-protected", folder)


def is_model(path: PathLike) -> bool:
    """Whether a file begins like a model; False for what cannot be opened."""
    try:
        with open(path, "rb") as file:
            return file.read(8 + len(layout.FORMAT))[8:] == layout.FORMAT
    except OSError:
        return False


def _check_existing(name: str, target: str) -> None:
    """Refuses to replace what is no model, or write-protected."""
    try:
        check_is_file(target)
    except FileNotFoundError:
        return
    with open(target, "rb"):
        pass  # or the error that says why not
    if os.path.getsize(target) and not is_model(target):
        raise error("not-a-model", name=name)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected", target)


def _check_length(name: str, head: bytearray) -> None:
    if len(head) - 8 > layout.LONGEST_HEADER:
        raise error("model-file-header", most=layout.LONGEST_HEADER, got=len(head) - 8, name=name)


@contextmanager
def _errors_named(name: str) -> Iterator[None]:
    try:
        yield
    except FileError:
        raise
    except PermissionError as failure:
        raise error(
            "model-file-write-permission", name=name, reason=failure.strerror, folder=os.path.dirname(name) or "."
        ) from failure
    except FileNotFoundError as failure:
        raise error(
            "model-file-folder",
            name=name,
            missing=os.path.dirname(os.path.realpath(name)),
            folder=os.path.dirname(name) or ".",
        ) from failure
    except OSError as failure:
        raise error("model-file-write", name=name, reason=failure.strerror or failure) from failure
