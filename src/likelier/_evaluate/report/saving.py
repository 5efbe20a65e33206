"""The page as a file. It appears under its name only when it is whole."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from likelier._base.errors import FileError
from likelier._base.files import replacing, write_all
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
        with replacing(target) as file:
            write_all(file, page)
    except OSError as error:
        raise FileError(
            code="report-write",
            message=f"the page {target} cannot be written: {error.strerror or error}",
            hint="choose another folder or name, such as report.html",
        ) from error
