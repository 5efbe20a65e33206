"""Writing a file all at once, and durably.

The new content is written under another name in the same folder, brought to the disk, and takes the place of the old
file in one step. A process that is killed leaves the old file, and perhaps a hidden temporary one, which the next
writer of that file removes: it can tell, because whoever writes one holds a lock on it.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

# Elsewhere a file is moved open: closed, and so unlocked, it could be taken for a leftover.
MOVES_CLOSED = os.name == "nt"
CANNOT_SYNC = (errno.EINVAL, errno.EACCES)  # some file systems cannot sync folders, some folders may not be read


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[int]:
    """A new open file that takes the place of `path` when the block ends well.

    A link stays a link; owner and permissions stay. A device or a pipe, such as /dev/stdout, is written to directly.
    """
    if os.path.exists(path) and not os.path.isfile(path):
        device = os.open(path, os.O_WRONLY)  # by this name: a pipe behind /dev/stdout has no other; a folder says so
        try:
            yield device
        finally:
            os.close(device)
        return
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    if not os.path.isdir(folder):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", folder)
    _remove_leftovers(target)
    before = os.stat(target) if os.path.isfile(target) else None
    temporary, file = _new_file(target, private=before is not None)
    try:
        try:
            if before is not None:
                _take_over(file, before)
            yield file
            os.fsync(file)
            if not MOVES_CLOSED:
                os.replace(temporary, target)
        finally:
            os.close(file)
        if MOVES_CLOSED:
            os.replace(temporary, target)
    except BaseException:  # Ctrl-C too
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _sync_folder(folder)


def write_all(file: int, piece: bytes | memoryview) -> None:
    """Writes all bytes to an open file."""
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(file, rest) :]


def try_lock(file: int) -> bool:
    """Locks an open file, if nobody else has."""
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _new_file(target: str, *, private: bool) -> tuple[str, int]:
    """A new file beside the target, locked as long as it is open."""
    import secrets  # when it is needed: importing likelier should be quick

    folder, name = os.path.split(target)
    while True:
        temporary = os.path.join(folder, f".{name}.{secrets.token_hex(8)}.tmp")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        file = os.open(temporary, flags, 0o600 if private else 0o666)
        with suppress(OSError):  # a disk without locks
            try_lock(file)
        if os.fstat(file).st_nlink:
            return temporary, file
        os.close(file)  # somebody took it for a leftover before the lock was set


def _remove_leftovers(target: str) -> None:
    """Removes temporary files of processes that were killed: those that nobody has locked."""
    folder, name = os.path.split(target)
    pattern = re.compile(rf"\.{re.escape(name)}\.[0-9a-f]{{16}}\.tmp")
    found: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:  # a folder that may be written need not be readable
        named = [entry for entry in entries if pattern.fullmatch(entry.name)]
        found = [entry.path for entry in named if entry.is_file(follow_symlinks=False)]
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)  # a pipe would wait for a writer
    for path in found:
        with suppress(OSError):
            file = os.open(path, flags)
            try:
                if try_lock(file):
                    os.unlink(path)
            finally:
                os.close(file)


def _take_over(file: int, before: os.stat_result) -> None:
    """The owner and the permissions of the file that will be replaced."""
    if not hasattr(os, "fchown"):
        return
    with suppress(OSError):  # only the administrator may give files away
        os.fchown(file, before.st_uid, before.st_gid)
    os.fchmod(file, before.st_mode & 0o7777)


def _sync_folder(folder: str) -> None:
    """The new name too survives a power failure; Windows has nothing for that."""
    if os.name != "posix":
        return
    try:
        directory = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    except OSError as error:
        if error.errno not in CANNOT_SYNC:
            raise
