"""Paths of model files."""

from __future__ import annotations

import os
import stat

from likelier._base.errors import error

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
