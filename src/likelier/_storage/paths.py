"""Paths of model files."""

from __future__ import annotations

import os
import stat

from likelier._base.errors import FileError, InputError

PathLike = str | os.PathLike[str]


def checked_path(path: object) -> str:
    """The path as text."""
    if isinstance(path, str | os.PathLike):
        plain = os.fspath(path)
        if isinstance(plain, str) and _can_be_a_name(plain):
            return plain
    raise InputError(
        code="path-kind",
        message=f"the path of a model is text or a pathlib.Path, got {type(path).__name__} {path!r:.60}",
        hint='"spam.likelier"',
    )


def _can_be_a_name(path: str) -> bool:
    try:
        return b"\0" not in os.fsencode(path) and path != ""
    except UnicodeEncodeError:
        return False


def check_is_file(name: str) -> None:
    """Refuses folders, devices and pipes; a file that is not there is no matter of this."""
    mode = os.stat(name).st_mode
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise FileError(
            code="model-file-kind",
            message=f"a model is one file, and {name} is {kind}",
            hint=f"{os.path.join(name, 'model.likelier')}" if stat.S_ISDIR(mode) else "give the name of a file",
        )


def missing(name: str) -> FileError:
    """The error for a model file that is not there."""
    return FileError(
        code="model-file-missing",
        message=f"there is no file {name}",
        hint="make a model with `likelier train FILE -o MODEL` or model.save(path)",
    )
