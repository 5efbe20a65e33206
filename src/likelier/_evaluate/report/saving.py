"""The page as a file. It appears under its name only when it is whole."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from tempfile import mkstemp
from typing import Any

from likelier._base.errors import FileError
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.report.page import report


def save_report(path: str | os.PathLike[str], evaluation: Evaluation, **given: Any) -> None:
    """Writes the page of an evaluation to a file; the other arguments are those of `report`."""
    page = report(evaluation, **given).encode("utf-8")
    target = Path(path)
    if not target.resolve().parent.is_dir():
        raise FileError(
            code="report-folder",
            message=f"the page {target} cannot be written: there is no folder {target.resolve().parent}",
            hint=f"mkdir -p {target.parent}",
        )
    try:
        _write(target.resolve(), page)  # a link stays a link
    except OSError as error:
        raise FileError(
            code="report-write",
            message=f"the page {target} cannot be written: {error.strerror or error}",
            hint="choose another folder or name, such as report.html",
        ) from error


def _write(target: Path, page: bytes) -> None:
    if target.exists() and not target.is_file():  # a pipe, /dev/stdout; a folder says so itself
        with open(target, "wb") as device:
            device.write(page)
        return
    handle, temporary = mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with open(handle, "wb") as file:
            file.write(page)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:  # Ctrl-C too
        with suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """The permissions of the file that is replaced, or those of a new file."""
    with suppress(OSError):
        return target.stat().st_mode & 0o7777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
