"""Paths of model files.

One at a time: whoever changes a model file holds a lock on it, from reading to writing.

The lock is on the file itself (`flock`), and a save puts a new file in its place. So whoever has waited looks whether
the name still means the file that is locked now, and if not, waits for the new one.

Windows cannot replace a file that is open. There the lock is on a file beside the model, which filelock makes and
removes. On POSIX that file would have to stay, and its folder to be writable, so there filelock is not used.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from likelier._base.errors import FileError, error
from likelier._base.files import fcntl, try_lock

PathLike = str | os.PathLike[str]


def checked_path(path: object) -> str:
    """The path as text."""
    if isinstance(path, str | os.PathLike):
        plain = os.fspath(path)
        if isinstance(plain, str) and _can_be_a_name(plain):
            return plain
    raise error("path-kind", got=path)


def _can_be_a_name(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path) and path != ""
    except UnicodeEncodeError:
        return False


def check_is_file(name: str) -> None:
    """Refuses folders, devices and pipes; a file that is not there is no matter of this."""
    mode = os.stat(name).st_mode
    if not stat.S_ISREG(mode):
        case = "model-file-kind.folder" if stat.S_ISDIR(mode) else "model-file-kind"
        raise error(case, name=name, inside=os.path.join(name, "model.likelier"))


@contextmanager
def locked(path: PathLike, waiting: Callable[[], object] | None = None) -> Iterator[None]:
    """Nobody else changes this model file inside the block, in which it can be saved once.

    waiting: called once when another process has the file at the moment.
    """
    name = checked_path(path)
    unlock = (_lock_beside if fcntl is None else _lock_itself)(name, waiting or (lambda: None))
    try:
        yield
    finally:
        unlock()


def _lock_beside(name: str, waiting: Callable[[], object]) -> Callable[[], object]:
    from filelock import FileLock, Timeout

    os.close(_open(name))  # or the error that says why not
    lock = FileLock(f"{os.path.realpath(name)}.lock")
    try:
        try:
            lock.acquire(blocking=False)
        except Timeout:
            waiting()
            lock.acquire()
    except OSError as failure:
        raise error("model-file-lock", name=name, reason=failure.strerror or failure) from failure
    return lock.release


def _lock_itself(name: str, waiting: Callable[[], object]) -> Callable[[], object]:
    file = _locked_file(name, waiting)
    return lambda: os.close(file)


def _locked_file(name: str, waiting: Callable[[], object]) -> int:
    told = False
    while True:
        file = _open(name)
        try:
            if not try_lock(file):
                if not told:
                    waiting()
                told = True
                fcntl.flock(file, fcntl.LOCK_EX)
            if _is_current(name, file):
                return file
        except OSError as failure:
            os.close(file)
            raise error("model-file-lock", name=name, reason=failure.strerror or failure) from failure
        except BaseException:
            os.close(file)
            raise
        os.close(file)


def _is_current(name: str, file: int) -> bool:
    with contextlib.suppress(FileNotFoundError):
        return os.path.samestat(os.stat(name), os.fstat(file))
    return False  # the next look says that it is missing


def _open(name: str) -> int:
    try:
        check_is_file(name)
        try:
            return os.open(name, os.O_RDWR)  # network file systems lock only what may be written
        except PermissionError:
            return os.open(name, os.O_RDONLY)
    except FileError:
        raise
    except FileNotFoundError as failure:
        raise error("model-file-missing", name=name) from failure
    except OSError as failure:
        raise error("model-file-lock", name=name, reason=failure.strerror or failure) from failure
