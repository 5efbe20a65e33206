"""Documents that are files, or mails of a box: the text of each, its label, and where it stands.

A text that cannot be read as text is a fault of that document, which stops the reading or is skipped, as for rows.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from likelier._base.errors import InputError
from likelier._read.boxes import maildir_files, mbox
from likelier._read.compression import compression_of
from likelier._read.encodings import Position, checked_encoding, guess_encoding, wide_of
from likelier._read.faults import Fault, place
from likelier._read.foreign import foreign_of
from likelier._read.html import to_text
from likelier._read.kinds import TABLES, is_mail, kind_by_name
from likelier._read.limits import MAX_DOCUMENT, too_long
from likelier._read.mail import HEADERS, text_of
from likelier._read.source import Source, shown
from likelier._read.streams import Pieces, cannot_read, head_of, joined, size_of, whole

_SHOWN_BYTES = 200


class Document(NamedTuple):
    """One document; with a fault its text is empty and must not be used."""

    text: str
    label: str | None
    where: str
    fault: Fault | None = None


class Walk:
    """The documents of a source, one after the other.

    position, total: bytes of the files, as they are on disk; total is None for a pipe.
    """

    def __init__(self, source: Source, *, encoding: str, headers: tuple[str, ...], limit: int) -> None:
        self.position = 0
        self._files = 0  # opened so far
        self.total = None if source.once else _size(source)
        self._source, self._headers, self._limit = source, headers, limit
        self._codec = checked_encoding(encoding)
        self._documents = self._all()

    def __iter__(self) -> Iterator[Document]:
        return self._documents

    def _all(self) -> Iterator[Document]:
        source = self._source
        if source.kind == "maildir":
            for path, name in maildir_files(source.path):
                yield self._file(path, name, "mail")
        elif source.kind in ("mails", "texts") or (not source.once and os.path.isdir(source.path)):
            yield from self._folder(source.path)
        elif source.kind == "mbox":
            yield from self._box(source)
        else:
            pieces = self._pieces(source)
            raw = joined(pieces, self._limit)
            self.position = pieces.position
            yield self._document(raw, source.name_shown, source.kind)
        source.passes.ended(self._files, source.name_shown)

    def _pieces(self, source: Source) -> Pieces:
        self._files += 1
        return Pieces(source, place=self._files - 1)

    def _folder(self, folder: str) -> Iterator[Document]:
        for path in files_below(folder):
            kind = self._kind(path)
            if kind == "mbox":
                packed = compression_of(head_of(path))
                yield from self._box(
                    replace(self._source, path=path, kind="mbox", compression=packed, name_shown=shown(path))
                )
            else:
                yield self._file(path, shown(path), kind)

    def _kind(self, path: str) -> str:
        kind = self._source.kind
        if kind not in ("mails", "texts"):
            return kind  # it was given, and holds for all files
        named = kind_by_name(path)
        return named if named and named not in TABLES else kind.removesuffix("s").replace("text", "txt")

    def _box(self, source: Source) -> Iterator[Document]:
        before = self.position
        pieces = self._pieces(source)
        for mail in mbox(pieces, self._limit):
            self.position = before + pieces.position
            yield self._document(mail.raw, source.name_shown, "mail", mail.line)
        self.position = before + pieces.position

    def _file(self, path: str, name: str, kind: str) -> Document:
        raw, size = whole(path, name, self._limit, self._source.passes, self._files)
        self._files += 1
        self.position += size
        return self._document(raw, name, kind)

    def _mail(self, raw: bytes) -> str:
        fallback = "cp1252" if self._codec == "utf-8" else self._codec
        return text_of(raw, headers=self._headers, fallback=fallback)

    def _document(self, raw: bytes, name: str, kind: str, line: int = 0) -> Document:
        """line: where a mail begins that is not the whole file."""
        label, where = self._source.label, place(name, line, 0)
        if len(raw) > self._limit:
            alone = self._source.once and not line  # nothing would be left
            error = too_long(where, self._limit, skip=not alone)
            return Document("", label, where, Fault(name, line, 0, error, _excerpt(raw)))
        if line or (kind == "mail" and not (b"\0" in raw and not is_mail(raw[:10_000]))):
            return Document(self._mail(raw), label, where)
        try:
            text = raw.decode(self._codec).removeprefix("\ufeff")
        except UnicodeError as error:
            fault = _binary(raw, name) if foreign_of(raw[:512]) else _undecodable(raw, name, self._codec, error)
            return Document("", label, name, fault)
        if "\0" in text:
            return Document("", label, name, _binary(raw, name))
        return Document(to_text(text) if kind == "html" else text, label, name)


def documents(
    source: Source, *, encoding: str = "utf-8", headers: tuple[str, ...] = HEADERS, limit: int = MAX_DOCUMENT
) -> Walk:
    """The documents of a folder, a mail box or a single file.

    encoding: of plain texts; for mails, of those parts that name none and are not UTF-8.
    headers: the headers of a mail that count.
    limit: bytes that a document may have; of a longer one no more is read.
    """
    return Walk(source, encoding=encoding, headers=headers, limit=limit)


def files_below(folder: str) -> Iterator[str]:
    """The paths of all files in a folder and below it, in order; hidden ones are left out."""
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError as error:
        raise cannot_read(folder, error) from None
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from files_below(entry.path)
        elif entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path)):
            yield entry.path  # a link that leads nowhere is told when it is opened


def _size(source: Source) -> int:
    if not os.path.isdir(source.path):
        return size_of(source.path)
    maildir = source.kind == "maildir"
    files = (path for path, _ in maildir_files(source.path)) if maildir else files_below(source.path)
    return sum(os.path.getsize(file) for file in files if os.path.exists(file))


def _undecodable(raw: bytes, name: str, codec: str, error: UnicodeError) -> Fault:
    position = Position()
    what = "the text"
    if isinstance(error, UnicodeDecodeError):
        position.pass_over(raw[: error.start].decode(codec, errors="replace"))
        what = f"byte 0x{error.object[error.start]:02X}"
    guess = guess_encoding(raw[: 1 << 20])
    message = f"{what} is not valid in {codec}, in {place(name, position.line, position.column)}"
    return _fault(raw, name, position, message, guess if guess != codec else "cp1252")


def _fault(raw: bytes, name: str, position: Position, message: str, guess: str) -> Fault:
    error = InputError(
        code="text-encoding",
        message=message,
        hint=f"name the encoding, perhaps encoding={guess!r}, or skip such files: on_error='skip'",
    )
    return Fault(name, position.line, position.column, error, _excerpt(raw))


def _binary(raw: bytes, name: str) -> Fault:
    wide = wide_of(raw)
    if wide is not None and not foreign_of(raw[:512]):
        return _fault(raw, name, Position(), f"{name} is not UTF-8: it begins like {wide.upper()}", wide)
    foreign = foreign_of(raw[:512])
    error = InputError(
        code="text-binary",
        message=f"a document must be text, but {name} {f'is {foreign.what}' if foreign else 'has zero bytes'}",
        hint="take the file away, or skip such files: on_error='skip'",
    )
    return Fault(name, 0, 0, error, _excerpt(raw))


def _excerpt(raw: bytes) -> str:
    return raw[:_SHOWN_BYTES].decode("utf-8", errors="backslashreplace")
