"""Files that likelier does not read, told by their name or their first bytes, and what to do with them instead."""

from __future__ import annotations

from typing import NamedTuple

from likelier._base.errors import FileError


class Foreign(NamedTuple):
    what: str
    hint: str


_SPREADSHEET = Foreign("a spreadsheet", "open it and save it as CSV (UTF-8)")
_ARCHIVE = Foreign("an archive", "unpack it, then give the files or the folder in it")
_PAPER = Foreign("a formatted document", "save it as plain text (.txt)")
_OUTLOOK = Foreign("an Outlook file", "export the mails as .eml files or as one .mbox file")
_ARROW = Foreign("an Arrow file", "write it as Parquet, or read it in Python and pass the table to likelier")
_DATABASE = Foreign("a database", "export the table as CSV or Parquet")
_OFFICE = Foreign(
    "an Office file or a ZIP archive", "save a spreadsheet as CSV (UTF-8), a text as .txt; unpack an archive"
)
_MODEL = Foreign("a model of likelier", "`likelier inspect` shows a model, `likelier merge` joins several")
_IMAGE = Foreign("an image", "likelier reads text; leave images out")
_PYTHON = Foreign("a pickled Python object", "write it as CSV or Parquet; a pickle can run code, so it is never opened")

_NAMES = {
    ".xlsx .xls .xlsm .xlsb .ods .numbers": _SPREADSHEET,
    ".zip .tar .tgz .tbz2 .txz .7z .rar": _ARCHIVE,
    ".pdf .doc .docx .odt .rtf .ppt .pptx": _PAPER,
    ".msg .pst .ost": _OUTLOOK,
    ".arrow .feather .orc .avro": _ARROW,
    ".sqlite .sqlite3 .db .duckdb .mdb .accdb": _DATABASE,
    ".likelier": _MODEL,
    ".png .jpg .jpeg .gif .webp": _IMAGE,
    ".pkl .pickle .joblib": _PYTHON,
}
BY_NAME = {ending: foreign for endings, foreign in _NAMES.items() for ending in endings.split()}

BY_FIRST_BYTES = {
    b"PK\x03\x04": _OFFICE,
    b"PK\x05\x06": _ARCHIVE,
    b"%PDF-": _PAPER,
    b"{\\rtf": _PAPER,
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": _OFFICE,
    b"!BDN": _OUTLOOK,
    b"ARROW1": _ARROW,
    b"Obj\x01": _ARROW,
    b"ORC": _ARROW,
    b"SQLite format 3\x00": _DATABASE,
    b"7z\xbc\xaf\x27\x1c": _ARCHIVE,
    b"Rar!\x1a\x07": _ARCHIVE,
    b"\x89PNG\r\n": _IMAGE,
    b"\xff\xd8\xff": _IMAGE,
    b"GIF8": _IMAGE,
}
_TAR = slice(257, 262)


def refuse_by_name(ending: str, name: str) -> None:
    """Raise if the ending, such as ".xlsx", is one of a file that likelier does not read."""
    if ending in BY_NAME:
        raise refused(BY_NAME[ending], name)


def refuse_by_content(head: bytes, name: str) -> None:
    """Raise if the first bytes are those of a file that likelier does not read."""
    found = foreign_of(head)
    if found is not None:
        raise refused(found, name)


def foreign_of(head: bytes) -> Foreign | None:
    """What a file is, if its first bytes are those of one that likelier does not read."""
    for first, foreign in BY_FIRST_BYTES.items():
        if head.startswith(first) and (len(first) > 4 or _is_binary(head)):
            return foreign
    return _ARCHIVE if head[_TAR] == b"ustar" else None


def _is_binary(head: bytes) -> bool:
    return b"\0" in head  # "GIF8" or "ORC" may begin a text as well; the files have zero bytes


def refused(foreign: Foreign, name: str) -> FileError:
    return FileError(
        code="file-foreign", message=f"{name} is {foreign.what}, which likelier does not read", hint=foreign.hint
    )
