"""Writing a model file: all or nothing, and durable.

The new content is written under another name in the same folder, brought to the disk, and takes the place of the old
file in one step. A process that is killed leaves the old file, and perhaps a hidden temporary one, which the next save
removes: it can tell, because whoever writes one holds a lock on it.
"""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from likelier._base.errors import FileError, error
from likelier._storage import layout, parts
from likelier._storage.layout import Array
from likelier._storage.locking import try_lock
from likelier._storage.parts import Stored
from likelier._storage.paths import PathLike, check_is_file, checked_path

Content = tuple[bytearray, dict[str, Array]]  # the head, and what stands behind it
# Elsewhere a file is moved open: closed, and so unlocked, it could be taken for a left-over.
MOVES_CLOSED = os.name == "nt"


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
        target = os.path.realpath(name)  # a link stays a link
        before = _existing(name, target)
        _remove_left_overs(target)
        _replace(target, before, head, arrays)


def to_bytes(stored: Stored) -> bytes:
    """The content of the model's file."""
    head, arrays = _content("the content", stored)
    return b"".join([head, *(array.data.cast("B") for array in arrays.values() if array.size)])


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
        _existing(name, target)
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


def _replace(target: str, before: os.stat_result | None, head: bytearray, arrays: Mapping[str, Array]) -> None:
    temporary, file = _new_file(target, private=before is not None)
    try:
        try:
            if before is not None:
                _take_over(file, before)
            for piece in (memoryview(head), *(array.data.cast("B") for array in arrays.values() if array.size)):
                _write(file, piece)
            os.fsync(file)
            if not MOVES_CLOSED:
                os.replace(temporary, target)
        finally:
            os.close(file)
        if MOVES_CLOSED:
            os.replace(temporary, target)
    except BaseException:  # Ctrl-C too
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
    _bring_to_disk(os.path.dirname(target))


def _write(file: int, piece: memoryview) -> None:
    while piece:
        piece = piece[os.write(file, piece) :]


def _new_file(target: str, *, private: bool) -> tuple[str, int]:
    """A new file beside the target, locked as long as it is open."""
    import secrets  # when it is needed: importing likelier should be quick

    folder, name = os.path.split(target)
    while True:
        temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        file = os.open(temporary, flags, 0o600 if private else 0o666)
        try_lock(file)
        if os.fstat(file).st_nlink:
            return temporary, file
        os.close(file)  # somebody took it for a left-over before the lock was set


def _remove_left_overs(target: str) -> None:
    """Removes temporary files of processes that were killed: those that nobody has locked."""
    folder, name = os.path.split(target)
    pattern = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{16}}\.tmp")
    with os.scandir(folder) as entries:
        named = [entry for entry in entries if pattern.fullmatch(entry.name)]
        found = [entry.path for entry in named if entry.is_file(follow_symlinks=False)]
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)  # a pipe would wait for a writer
    for path in found:
        with contextlib.suppress(OSError):
            file = os.open(path, flags)
            try:
                if try_lock(file):
                    os.unlink(path)
            finally:
                os.close(file)


def _existing(name: str, target: str) -> os.stat_result | None:
    """What is known of the file that will be replaced; None when there is none."""
    try:
        check_is_file(target)
    except FileNotFoundError:
        return None
    before = os.stat(target)
    with open(target, "rb"):
        pass  # or the error that says why not
    if before.st_size and not is_model(target):
        raise error("not-a-model", name=name)
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "it is write-protected", target)
    return before


def _take_over(file: int, before: os.stat_result) -> None:
    """The owner and the permissions of the file that will be replaced."""
    if not hasattr(os, "fchown"):
        return
    with contextlib.suppress(OSError):  # only the administrator may give files away
        os.fchown(file, before.st_uid, before.st_gid)
    os.fchmod(file, before.st_mode & 0o7777)


def _bring_to_disk(folder: str) -> None:
    """The new name too survives a power failure; Windows has nothing for that."""
    if os.name != "posix":
        return
    directory = os.open(folder or ".", os.O_RDONLY)
    try:
        os.fsync(directory)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems have no such thing
            raise
    finally:
        os.close(directory)


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
