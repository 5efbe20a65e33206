"""What a file is: its kind and compression, by its name and by its first bytes. Where the two differ, the bytes count.

Kinds of tables: csv, tsv, jsonl, json (an array), spreadsheet, parquet. Kinds of documents: mbox, maildir, mail, txt,
html; and two of folders: "mails" and "texts" say how the files are read whose names tell nothing.
"""

from __future__ import annotations

import json
import os
import re
from difflib import get_close_matches
from typing import NamedTuple

from likelier._base.errors import error
from likelier._read.compression import HEAD_BYTES, compression_of, decompressed_head
from likelier._read.encodings import wide_of
from likelier._read.json_array import is_array
from likelier._read.spreadsheets import is_workbook

TABLES = ("csv", "tsv", "jsonl", "json", "spreadsheet", "parquet")
GIVEN = (*TABLES, "mbox", "maildir", "mail", "txt", "html", "labels")
_SAME = {"eml": "mail", "mails": "mail", "text": "txt", "ndjson": "jsonl"}
_SAME |= dict.fromkeys(["xlsx", "xls", "ods", "excel"], "spreadsheet")
_NAMED = {  # kind → endings of names
    "csv": ".csv",
    "tsv": ".tsv .tab",
    "jsonl": ".jsonl .ndjson .json",
    "spreadsheet": ".xlsx .xls .xlsm .xlsb .ods",
    "parquet": ".parquet .pq",
    "mbox": ".mbox",
    "mail": ".eml",
    "txt": ".txt",
    "html": ".html .htm",
}
_ENDINGS = {ending: kind for kind, endings in _NAMED.items() for ending in endings.split()}
_PACKED = (".gz", ".gzip", ".zst", ".zstd", ".bz2", ".xz")

_HEADERS = frozenset(
    b"bcc cc content-transfer-encoding content-type date delivered-to from in-reply-to lines list-id message-id "
    b"mime-version newsgroups nntp-posting-host organization path received references reply-to return-path sender "
    b"subject to x-mailer xref".split()
)
HEADER_LINE = rb"([!-9;-~]*+)[ \t]*+:|[ \t]|>?From "  # or one that goes on with the header before it
_HEADER_LINE = re.compile(HEADER_LINE)
_ARRAY = re.compile(rb"\s*+\[\s*+\{\s*+\"")
_BOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")  # .xlsx and .ods; .xls
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")


class Look(NamedTuple):
    """What a file is, and a note where that was not plain from its name."""

    kind: str
    compression: str | None
    note: str | None = None


def checked_kind(kind: str | None) -> str | None:
    """The kind as it is called here; "eml" and "mail" are the same."""
    if kind is None:
        return None
    named = _SAME.get(kind, kind) if isinstance(kind, str) else ""
    if named not in GIVEN:
        near = get_close_matches(str(kind), GIVEN, n=1)
        raise error("kind-unknown.near" if near else "kind-unknown", known=", ".join(GIVEN), got=kind, near=near)
    return named


def endings(name: str) -> tuple[str, bool]:
    """The ending that says the kind, and whether one for compression follows it.

    >>> endings("Mails.CSV.gz"), endings("0001.bfc8d64d12")
    (('.csv', True), ('.bfc8d64d12', False))
    """
    stem, ending = os.path.splitext(os.path.basename(name).lower())
    if ending in _PACKED:
        return os.path.splitext(stem)[1], True
    return ending, False


def kind_by_name(name: str) -> str | None:
    """The kind, where the name says it."""
    return _ENDINGS.get(endings(name)[0])


def stem(name: str) -> str:
    """The name without the endings for kind and compression.

    >>> stem("old/spam.mbox.gz"), stem("comp.graphics")
    ('spam', 'comp.graphics')
    """
    base = os.path.basename(name.rstrip(os.sep))
    for known in (_PACKED, tuple(_ENDINGS)):
        root, ending = os.path.splitext(base)
        if ending.lower() in known and root:
            base = root
    return base


def look(name: str, head: bytes, *, kind: str | None = None) -> Look:
    """Decide by the name and the first bytes. `kind` overrides both, but not what the bytes rule out."""
    ending, packed = endings(name)
    compression = compression_of(head)
    if packed and compression is None and _CONTROLS.search(head[:64]):
        raise error("file-damaged.name", name=name)
    inner = decompressed_head(head)
    foreign = (None if kind else _FOREIGN_NAMES.get(ending)) or foreign_of(inner)
    if is_workbook(inner) or (foreign is _OFFICE and (kind or _ENDINGS.get(ending)) == "spreadsheet"):
        foreign = None
    if foreign is not None:
        raise error("file-foreign", name=name, what=foreign.what, hint=foreign.hint)
    if compression and compression_of(inner):
        raise error("file-packed-twice", name=name)
    found, note = (kind, None) if kind else _kind(name, _ENDINGS.get(ending), inner)
    _check(found, name, inner, compression)
    if found in ("json", "jsonl"):
        found = "json" if is_array(as_text(inner)) else "jsonl"
    return Look(found, compression, note)


def _kind(name: str, named: str | None, head: bytes) -> tuple[str, str | None]:
    seen = sniff(head)
    if named is None:
        return seen, f"{name} is read as {seen} (guessed by its content)"
    lies = (
        (seen in ("parquet", "spreadsheet") and named != seen)
        or (named in ("csv", "tsv") and seen == "jsonl")
        or (named == "spreadsheet" and seen in ("csv", "tsv"))  # many a web page exports a table as .xls
    )
    return (seen, f"{name} is read as {seen}, which it is in spite of its name") if lies else (named, None)


def _check(kind: str, name: str, head: bytes, compression: str | None) -> None:
    """Refuse a file that cannot be of this kind."""
    if kind == "parquet" and compression:
        raise error("parquet-packed", name=name, compression=compression)
    if kind == "parquet" and not head.startswith(b"PAR1"):
        raise error("parquet-foreign", name=name, head=head[:4])
    if kind == "mbox" and head.strip() and not head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").startswith(b"From "):
        raise error("mbox-foreign", name=name, got=head[:20])
    if kind == "spreadsheet" and not head.startswith(_BOOKS):
        raise error("spreadsheet-foreign", name=name, head=head[:20])
    if kind in ("json", "jsonl"):
        _check_json(name, head, compression)


def _check_json(name: str, head: bytes, compression: str | None) -> None:
    first = as_text(head).lstrip("\ufeff \t\r\n")
    opening = first.partition("\n")[0].strip()
    if not (opening in ("{", '{"data": [') and "\n" in first):
        return
    unpack = {"gzip": "gzip -dc", "zstd": "zstd -dc", "bz2": "bzip2 -dc", "xz": "xz -dc", None: "cat"}[compression]
    raise error("json-not-lines", name=name, unpack=unpack, stem=stem(name))


def as_text(head: bytes) -> str:
    """The first bytes as text, for looking at them only."""
    return head.decode(wide_of(head) or "utf-8", errors="replace")


def sniff(head: bytes) -> str:
    """The kind by content alone; "txt" where nothing tells more."""
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if text.startswith(b"PAR1"):
        return "parquet"
    if is_workbook(head):
        return "spreadsheet"
    if text.startswith(b"From ") and is_mail(text):
        return "mbox"
    if _is_json_line(text):
        return "jsonl"
    return "mail" if is_mail(text) else _separated(as_text(head)) or "txt"


def _is_json_line(head: bytes) -> bool:
    if _ARRAY.match(head):
        return True
    line = head.lstrip().partition(b"\n")[0]
    if not line.startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(line, parse_int=str), dict)
    except RecursionError:
        return True
    except ValueError:
        return len(line) >= HEAD_BYTES // 2 and line.startswith((b'{"', b'{ "'))  # the line is longer than the look


def is_mail(head: bytes) -> bool:
    """Whether the text begins with mail headers: two of the usual ones, nothing else before an empty line."""
    names = set()
    for line in head.split(b"\n", 60)[:60]:
        if not line.strip(b"\r"):
            break
        header = _HEADER_LINE.match(line)
        if header is None:
            return False
        names.add((header[1] or b"").lower())
    return len(names & _HEADERS) >= 2


def _separated(text: str) -> str | None:
    """CSV or TSV, if the first lines have equally many tabs or commas."""
    lines = [line for line in text.split("\n")[:6] if line.strip()]
    lines = lines[:-1] if len(text) >= HEAD_BYTES and len(lines) > 2 else lines  # the last may be cut off
    for kind, delimiter in (("tsv", "\t"), ("csv", ","), ("csv", ";")):
        counts = {line.count(delimiter) for line in lines}
        if len(lines) >= 2 and (counts == {max(counts)} or '"' in text) and min(counts) > 0:
            return kind
    return None


# ---- files that likelier does not read -----------------------------------------------------------------------------


class Foreign(NamedTuple):
    """A file that likelier does not read, and what to do with it instead."""

    what: str
    hint: str


_SPREADSHEET = Foreign("a spreadsheet of Numbers", "export it as .xlsx or CSV")
_ARCHIVE = Foreign("an archive", "unpack it, then give the files or the folder in it")
_PAPER = Foreign("a formatted document", "save it as plain text (.txt)")
_OUTLOOK = Foreign("an Outlook file", "export the mails as .eml files or as one .mbox file")
_ARROW = Foreign("an Arrow file", "write it as Parquet, or read it in Python and pass the table to likelier")
_DATABASE = Foreign("a database", "export the table as CSV or Parquet")
_OFFICE = Foreign(
    "an Office file or a ZIP archive",
    "save a text as .txt; unpack an archive; the name of a spreadsheet ends with .xlsx, .xls or .ods",
)
_MODEL = Foreign("a model of likelier", "`likelier inspect` shows a model, `likelier merge` joins several")
_IMAGE = Foreign("an image", "likelier reads text; leave images out")
_PYTHON = Foreign("a pickled Python object", "write it as CSV or Parquet; a pickle can run code, so it is never opened")

_NAMES = {
    ".numbers": _SPREADSHEET,
    ".zip .tar .tgz .tbz2 .txz .7z .rar": _ARCHIVE,
    ".pdf .doc .docx .odt .rtf .ppt .pptx": _PAPER,
    ".msg .pst .ost": _OUTLOOK,
    ".arrow .feather .orc .avro": _ARROW,
    ".sqlite .sqlite3 .db .duckdb .mdb .accdb": _DATABASE,
    ".likelier": _MODEL,
    ".png .jpg .jpeg .gif .webp": _IMAGE,
    ".pkl .pickle .joblib": _PYTHON,
}
_FOREIGN_NAMES = {ending: foreign for endings, foreign in _NAMES.items() for ending in endings.split()}
_FOREIGN_BYTES = {
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


def foreign_of(head: bytes) -> Foreign | None:
    """What a file is, if its first bytes are those of one that likelier does not read."""
    for first, foreign in _FOREIGN_BYTES.items():
        # "GIF8" or "ORC" may begin a text as well; the files have zero bytes.
        if head.startswith(first) and (len(first) > 4 or b"\0" in head):
            return foreign
    return _ARCHIVE if head[_TAR] == b"ustar" else None
