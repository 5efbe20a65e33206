"""From files to texts: of a pool, or of a request that brings a file.

A table has a column with the texts: the one that is named, or the one that the library would take, or the one with the
longest texts. In a plain text file every line is a text; in a folder every file or mail is one.
"""

from __future__ import annotations

import csv
import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from likelier._base.errors import LikelierError, error, status_of
from likelier._read.faults import MAX_DOCUMENT
from likelier._read.formats import kind_by_name
from likelier._read.lines import arriving_lines
from likelier._read.origins import ReadOptions, TableOrigin, file_origins
from likelier._read.reader import read
from likelier._read.wanted import wanted
from likelier._text.texts import listed_texts

MOST_TEXTS = 1_000_000
MOST_CHARACTERS = 1 << 30
LONGEST_NAME = 100  # characters of the name of a file


class Texts(NamedTuple):
    """Texts of files.

    columns  those of the last table; empty if there was none
    column   the one that the texts are from
    """

    texts: list[str]
    columns: list[str]
    column: str | None


def texts_of(paths: Sequence[str], column: str | None = None, encoding: str | None = None) -> Texts:
    """The texts of files, folders and mailboxes; empty ones are left out."""
    found = Texts([], [], None)
    for path in paths:
        one = _of_lines(path, encoding) if _is_lines(path) else _of_documents(path, column, encoding)
        found = Texts(found.texts + one.texts, one.columns or found.columns, one.column or found.column)
    if not found.texts:
        raise error("pool-empty", name=", ".join(paths))
    return found


def _is_lines(path: str) -> bool:
    return kind_by_name(path) == "txt" and os.path.isfile(path)


def _of_lines(path: str, encoding: str | None) -> Texts:
    documents = read(path, labeled=False, kind="txt", encoding=encoding)
    whole = "\n".join(text for batch in documents for text in listed_texts(batch.texts))
    lines = arriving_lines(BytesIO(whole.encode()), None, MAX_DOCUMENT)
    return Texts(_some(line for part in lines for line in part), [], None)


def _of_documents(path: str, column: str | None, encoding: str | None) -> Texts:
    columns = columns_of(path, encoding)
    chosen = text_column(path, column, encoding) if columns else None
    documents = read(path, labeled=False, text=chosen, encoding=encoding)
    return Texts(_some(text for batch in documents for text in listed_texts(batch.texts)), columns, chosen)


def _some(texts: Iterable[str]) -> list[str]:
    found, size = [], 0
    for text in texts:
        if text.strip():
            found.append(text)
            size += len(text)
            if len(found) > MOST_TEXTS or size > MOST_CHARACTERS:
                raise error("pool-too-large", most=f"{MOST_TEXTS:,}")
    return found


# ---- columns -----------------------------------------------------------------------------------------------------


def columns_of(path: str, encoding: str | None = None) -> list[str]:
    """The columns of a table; none if it is something else."""
    return list(_sampled(path, encoding))


def text_column(path: str, named: str | None, encoding: str | None = None) -> str:
    """The column with the texts."""
    if named is not None:
        return named
    sample = _sampled(path, encoding)
    documents = read(path, labeled=False, encoding=encoding)
    try:
        for _ in documents:
            break
        noted = [name for name in sample if f"text column: {name!r} (guessed)" in documents.notes]
        if noted:
            return noted[0]
    except LikelierError as failure:
        if failure.code != "column-unclear":
            raise
    return max(sample, key=lambda name: sum(len(value or "") for value in sample[name]))


def _sampled(path: str, encoding: str | None) -> dict[str, list[str | None]]:
    """The first rows of a table, by column."""
    for origin in file_origins([path], None, labeled=False):
        if isinstance(origin, TableOrigin):
            try:
                table = origin.open(ReadOptions(wanted=wanted().as_plain(), labeled=False, encoding=encoding))
                return {name: table.sample()[name] for name in table.names}
            finally:
                origin.close()
    return {}


def as_table(path: Path) -> Path:
    """The same file if it is a table; else a table of its texts."""
    if columns_of(str(path)):
        return path
    found = path.with_name(f"{path.name}-texts.csv")
    with found.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text"], *([text] for text in texts_of([str(path)]).texts)])
    return found


# ---- files of requests -------------------------------------------------------------------------------------------


@contextmanager
def uploaded(name: str, content: bytes) -> Iterator[Path]:
    """A file that a request brought, for as long as it is looked at; errors call it by its own name."""
    safe = "".join(each for each in Path(name.replace("\\", "/")).name if each.isprintable())[-LONGEST_NAME:].strip()
    with tempfile.TemporaryDirectory(prefix="likelier-") as folder:
        path = Path(folder, safe.lstrip(".") or "file")
        try:
            path.write_bytes(content)
            yield path
        except LikelierError as failure:
            message, hint = (each.replace(f"{folder}{os.sep}", "") for each in (failure.message, failure.hint))
            code = failure.code if status_of(failure) < 500 else "upload-unreadable"
            raise type(failure)(code=code, message=message, hint=hint) from None
        except OSError as failure:
            raise error("upload-unreadable", reason=failure.strerror or type(failure).__name__) from None
