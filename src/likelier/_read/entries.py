"""Documents that are files, or mails of a box: the text of each, its label, and where it is.

A text that cannot be read as text is a fault of that document, which stops the reading or is skipped, as for rows.

In an mbox a mail begins with a line "From ..." at the start of the file or behind an empty line. Not every program
escapes such lines in texts (">From "), so one counts only if a header follows or if it holds a time and a year. The
standard library's `mailbox` reads a file twice, only from disk, and asks for the empty line alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from likelier._base.errors import error
from likelier._read.detection import WESTERN, is_western, read_as_western
from likelier._read.encodings import Position, checked_encoding, guess_encoding, marked_wide, wide_of
from likelier._read.faults import MAX_DOCUMENT, Fault, line_of, too_long
from likelier._read.folders import files_below, maildir_files
from likelier._read.formats import TABLES, foreign_of, is_mail, kind_by_name
from likelier._read.html_text import to_text
from likelier._read.mail import text_of
from likelier._read.streams import DETECT, DataSource, Pieces, joined, shown, size_of

_SHOWN_BYTES = 200
_HEADER = re.compile(rb"[!-9;-~]{1,200}[ \t]*+:|>From ")
_TIME = re.compile(rb"\d:\d\d")
_YEAR = re.compile(rb"\b(?:19|20)\d\d\b")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LONGEST_LINE = 1000  # of a line "From ..."
_LOOK = 2 * _LONGEST_LINE  # bytes that decide whether a mail begins
_BEFORE = 3  # bytes before it that decide, too


class TextEntry(NamedTuple):
    """One document; with a fault its text is empty and must not be used."""

    text: str
    label: str | None
    where: str
    fault: Fault | None = None


class Entries:
    """The documents of a folder, a mailbox or a single file, one after the other.

    encoding         of plain texts; for mails, of those parts that name none and are not UTF-8; None to detect it
    limit            bytes that a document may have; of a longer one no more is read
    cautions         which encoding was detected, if not UTF-8
    position, total  bytes of the files, as they are on disk; total is None for a pipe
    """

    def __init__(self, source: DataSource, *, encoding: str | None = None, limit: int = MAX_DOCUMENT) -> None:
        self.position = 0
        self._files = 0  # opened so far
        self.total = None if source.once else _size(source)
        self._source, self._limit = source, limit
        self._detect = encoding is None
        self._codec = checked_encoding("utf-8" if encoding is None else encoding)
        self.cautions: list[str] = []

    def __iter__(self) -> Iterator[TextEntry]:
        source = self._source
        if source.kind == "maildir":
            for path in maildir_files(source.path):
                yield self._whole(self._below(path), "mail")
        elif source.kind in ("mails", "texts") or (not source.once and os.path.isdir(source.path)):
            yield from self._folder(source.path)
        elif source.kind == "mbox":
            yield from self._box(source)
        else:
            yield self._whole(source, source.kind)
        source.passes.ended(self._files, source.name_shown)

    def _pieces(self, source: DataSource) -> Pieces:
        self._files += 1
        return Pieces(source, place=self._files - 1)

    def _folder(self, folder: str) -> Iterator[TextEntry]:
        for path in files_below(folder):
            kind, source = self._kind(path), self._below(path)
            if kind == "mbox":
                yield from self._box(source)
            else:
                yield self._whole(source, kind)

    def _below(self, path: str) -> DataSource:
        return replace(self._source, path=path, compression=DETECT, name_shown=shown(path))

    def _kind(self, path: str) -> str:
        kind = self._source.kind
        if kind not in ("mails", "texts"):
            return kind  # it was given, and holds for all files
        named = kind_by_name(path)
        return named if named and named not in TABLES else kind.removesuffix("s").replace("text", "txt")

    def _box(self, source: DataSource) -> Iterator[TextEntry]:
        before = self.position
        pieces = self._pieces(source)
        for line, raw in mbox(pieces, self._limit):
            self.position = before + pieces.position
            yield self._document(raw, source.name_shown, "mail", line)
        self.position = before + pieces.position

    def _whole(self, source: DataSource, kind: str) -> TextEntry:
        pieces = self._pieces(source)
        raw = joined(pieces, self._limit)
        self.position += pieces.position if pieces.total is None else pieces.total
        return self._document(raw, source.name_shown, kind)

    def _document(self, raw: bytes, name: str, kind: str, line: int = 0) -> TextEntry:
        """line: where a mail begins that is not the whole file."""
        label, where = self._source.label, line_of(name, line)
        if len(raw) > self._limit:
            alone = self._source.once and not line  # nothing would be left
            fault = Fault(name, line, 0, too_long(where, self._limit, skip=not alone), _excerpt(raw))
            return TextEntry("", label, where, fault)
        if line or (kind == "mail" and not (b"\0" in raw and not is_mail(raw[:10_000]))):
            return TextEntry(text_of(raw, fallback="cp1252" if self._codec == "utf-8" else self._codec), label, where)
        try:
            text = self._decoded(raw, name).removeprefix("\ufeff")
        except UnicodeError as reason:
            fault = _binary(raw, name) if foreign_of(raw[:512]) else _undecodable(raw, name, self._codec, reason)
            return TextEntry("", label, name, fault)
        if "\0" in text:
            return TextEntry("", label, name, _binary(raw, name))
        return TextEntry(to_text(text) if kind == "html" else text, label, name)

    def _decoded(self, raw: bytes, name: str) -> str:
        codec = self._codec
        if self._detect and not raw.isascii() and not foreign_of(raw[:512]):
            codec = marked_wide(raw) or (WESTERN if is_western(raw) else codec)
        text = raw.decode(codec)
        if codec == WESTERN != self._codec and not self.cautions:
            others = "" if self._source.path == self._source.name_shown == name else ", and others like it,"
            self.cautions.append(read_as_western(name, others))
        return text


def _size(source: DataSource) -> int:
    if not os.path.isdir(source.path):
        return size_of(source.path)
    files = maildir_files(source.path) if source.kind == "maildir" else files_below(source.path)
    return sum(os.path.getsize(file) for file in files if os.path.exists(file))


def _undecodable(raw: bytes, name: str, codec: str, reason: UnicodeError) -> Fault:
    position = Position()
    what = "the text"
    if isinstance(reason, UnicodeDecodeError):
        position.pass_over(raw[: reason.start].decode(codec, errors="replace"))
        what = f"byte 0x{reason.object[reason.start]:02X}"
    guess = guess_encoding(raw[: 1 << 20])
    where = line_of(name, position.line, position.character)
    guess = guess if guess != codec else "cp1252"
    failure = error("text-encoding", what=what, encoding=codec, where=where, guess=guess)
    return Fault(name, position.line, position.character, failure, _excerpt(raw))


def _binary(raw: bytes, name: str) -> Fault:
    wide, foreign = wide_of(raw), foreign_of(raw[:512])
    if wide is not None and not foreign:
        failure, at = error("text-encoding.wide", name=name, shown=wide.upper(), guess=wide), Position()
        return Fault(name, at.line, at.character, failure, _excerpt(raw))
    failure = error("text-binary", name=name, what=f"is {foreign.what}" if foreign else "has zero bytes")
    return Fault(name, 0, 0, failure, _excerpt(raw))


def _excerpt(raw: bytes) -> str:
    return raw[:_SHOWN_BYTES].decode("utf-8", errors="backslashreplace")


# ---- mailboxes ----------------------------------------------------------------------------------------------------


def mbox(pieces: Iterable[bytes], limit: int) -> Iterator[tuple[int, bytes]]:
    """The mails of an mbox in pieces, each with its first line; without "From " lines. Holds one piece and one mail.

    Of a mail with more than `limit` bytes the first ones are given unchanged, one more than the limit.
    """
    rest = bytearray()
    line, searched = 1, 0
    is_long, passed = False, 0  # whether the mail was given already, and lines of it that were dropped
    for piece in chain(pieces, [b""]):
        rest += piece
        decided = len(rest) - _LOOK if piece else len(rest)
        begin = 0
        while 0 <= (found := rest.find(b"\nFrom ", searched)) < decided:
            searched = found + 1
            if _begins(rest, searched):
                if not is_long:
                    yield line, _mail(rest[begin:searched], limit)
                line += passed + rest.count(b"\n", begin, searched)
                begin, is_long, passed = searched, False, 0
        searched = max(searched, decided - 10, 0) - begin
        del rest[:begin]
        if not is_long and searched > limit + _BEFORE:
            yield line, bytes(rest[: limit + 1])
            is_long = True
        if is_long:
            dropped = max(0, searched - _BEFORE)
            passed += rest.count(b"\n", 0, dropped)
            searched -= dropped
            del rest[:dropped]
    if rest.strip() and not is_long:
        yield line, _mail(rest, limit)


def _begins(text: bytearray, start: int) -> bool:
    if not text.startswith((b"\n\n", b"\r\n"), start - 2) or not text.endswith(b"\n", 0, start):
        return False
    if text[start - 2] == 13 and text[start - 3] != 10:
        return False  # "\r\n" ends a line with words in it
    end = text.find(b"\n", start, start + _LONGEST_LINE)
    line = text[start:end]
    return end >= 0 and bool(_HEADER.match(text, end + 1) or (_TIME.search(line) and _YEAR.search(line)))


def _mail(raw: bytearray, limit: int) -> bytes:
    return _clean(bytes(raw)) if len(raw) <= limit else bytes(raw[: limit + 1])


def _clean(raw: bytes) -> bytes:
    raw = raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if raw.startswith(b"From "):
        raw = raw[raw.find(b"\n") + 1 or len(raw) :]
    raw = raw.removesuffix(b"\n").removesuffix(b"\r")  # the empty line before the next mail
    return _ESCAPED.sub(rb"\1", raw) if b">From " in raw else raw
