"""The text of a mail, as its reader sees it: some headers, then the body.

Which headers count: Subject and From. They are what a reader sees, and any new mail has them. Received, List-*,
Delivered-To and the marks of other spam filters say how a mail came in; in a collection they often give the label away,
and a model that learnt them fails on mail that came another way. To is mostly one's own address. Others by `headers`.

Of alternatives the plain text is taken, unless it is empty or a stub; HTML is turned to text; a mail within the mail is
read like it; attachments are left out, with their names.

The parser is our own: the standard library's recurses for each level and takes quadratic time on deep nesting, and it
decodes what is thrown away. This one never raises, whatever the bytes are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from likelier.data.charsets import decode, header_text, transfer_decoded
from likelier.data.html import to_text

HEADERS = ("subject", "from")
DEEPEST = 20  # parts in parts; real mails have up to about 6. It bounds the work: each level reads its bytes once more
MOST_BYTES = 10_000  # of a header that is taken apart
STUB_WORDS = 40  # "your program cannot show HTML, see http://..." and the like
STUB_SHARE = 5

_HEADER_LINE = re.compile(rb"([!-9;-~]{1,200})[ \t]*+:|[ \t]|>?From ")
_PARAMETER = re.compile(rb""";\s*+([^\s=;]{1,60})\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;]*+))""", re.DOTALL)
_HTML_START = re.compile(
    rb"\s*(?:<!doctype html|<(?:x-)?html|<head|<body|<table|<div|<center|<font|<p)\b", re.IGNORECASE
)
# A part begins somewhere, though nothing in the headers says so, or another boundary than this one.
_UNTOLD_BOUNDARY = re.compile(rb"^--([^\r\n]{1,200}?)[ \t]*\r?\ncontent-[a-z-]{1,30}:", re.IGNORECASE | re.MULTILINE)
_META_CHARSET = re.compile(rb"""charset\s*+=\s*+["']?([\w-]{1,40})""", re.IGNORECASE)
_ALTERNATIVE = b"multipart/alternative"
_HTML = frozenset([b"text/html", b"application/xhtml+xml"])
_NOT_PROSE = frozenset([b"text/calendar", b"text/x-vcard", b"text/vcard", b"text/css", b"text/rfc822-headers"])


class Part(NamedTuple):
    """A mail or a part of one: its headers, with lower-case names, and its body."""

    headers: list[tuple[bytes, bytes]]
    body: bytes

    def all(self, name: bytes) -> list[bytes]:
        return [value for header, value in self.headers if header == name]

    def first(self, name: bytes) -> bytes:
        return next(iter(self.all(name)), b"")[:MOST_BYTES]


def text_of(raw: bytes, *, headers: Sequence[str] = HEADERS, fallback: str = "cp1252") -> str:
    r"""The text of a mail; any bytes will do.

    headers: the names of those that count, in this order.
    fallback: the encoding of 8-bit text that names none and is not UTF-8.

    >>> text_of(b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nReceived: from x\n\nHello there")
    'Grüße\nHello there'
    """
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    reader = _Reader(tuple(name.lower().encode() for name in headers), fallback)
    return reader.mail(raw, 0).replace("\0", "")


def parse(raw: bytes) -> Part:
    """Headers and body; the body begins behind the first empty line, or at the first line that is no header."""
    headers: list[tuple[bytes, list[bytes]]] = [(b"", [])]
    position = 0
    while position < len(raw):
        end = raw.find(b"\n", position) + 1 or len(raw)
        line = raw[position:end]
        if not line.strip():
            position = end
            break
        header = _HEADER_LINE.match(line)
        if header is None:
            break
        if header[1]:
            headers.append((header[1].lower(), [line[header.end() :]]))
        else:
            headers[-1][1].append(line)
        position = end
    return Part([(name, b"".join(lines)) for name, lines in headers[1:]], raw[position:])


def split(body: bytes, boundary: bytes) -> list[bytes]:
    """The parts of a multipart body; the last may lack its end."""
    delimiter = b"--" + boundary
    parts: list[bytes] = []
    start, position = -1, 0
    while (found := body.find(delimiter, position)) >= 0:
        position = found + len(delimiter)
        if found and body[found - 1] != 10:
            continue
        end = body.find(b"\n", found) + 1 or len(body)
        tail = body[position:end].strip()
        if tail not in (b"", b"--"):  # another boundary that begins like this one
            continue
        if start >= 0:
            parts.append(body[start:found].removesuffix(b"\n").removesuffix(b"\r"))
        start = position = end
        if tail:
            return parts
    return [*parts, body[start:]] if start >= 0 else parts


def _pieces(body: bytes, boundary: bytes | None) -> list[bytes]:
    """The parts by the boundary that was told, else by the one that is there."""
    parts = split(body, boundary) if boundary else []
    untold = None if parts else _UNTOLD_BOUNDARY.search(body[:10_000])
    return split(body, untold[1]) if untold else parts


class _Reader:
    def __init__(self, headers: tuple[bytes, ...], fallback: str) -> None:
        self._headers, self._fallback = headers, fallback

    def mail(self, raw: bytes, depth: int) -> str:
        part = parse(raw)
        wanted = [value for name in self._headers for value in part.all(name)]
        lines = [header_text(value, self._fallback) for value in wanted]
        return "\n".join(line for line in [*lines, self.part(part, depth)] if line)

    def part(self, part: Part, depth: int, default: bytes = b"text/plain") -> str:
        said = part.first(b"content-type")
        kind, parameters = _content_type(said, default)
        if (kind.startswith(b"multipart/") or not said) and depth < DEEPEST:
            parts = [parse(piece) for piece in _pieces(part.body, parameters.get(b"boundary"))]
            if parts and (kind == _ALTERNATIVE or not said):
                return self.alternative(parts, depth)
            if parts:
                inner = b"message/rfc822" if kind == b"multipart/digest" else b"text/plain"
                return self.joined(parts, depth, inner)
        if kind == b"message/rfc822" and depth < DEEPEST:
            return self.mail(_body(part), depth + 1)
        if part.first(b"content-disposition").partition(b";")[0].strip().lower() == b"attachment":
            return ""
        if kind.startswith((b"text/", b"multipart/")) and kind not in _NOT_PROSE:
            return self.text(_body(part), kind, parameters.get(b"charset", b""))
        return ""

    def joined(self, parts: list[Part], depth: int, default: bytes) -> str:
        texts = (self.part(part, depth + 1, default) for part in parts)
        return "\n".join(text for text in texts if text)

    def alternative(self, parts: list[Part], depth: int) -> str:
        """The plain text, unless it is empty or only says that there is more in HTML."""
        plain, rich = "", ""
        others = []
        for part in parts:
            is_plain = _content_type(part.first(b"content-type"), b"text/plain")[0] == b"text/plain"
            if not is_plain:
                others.append(part)
            elif not plain:
                plain = self.part(part, depth + 1)
        words = len(plain.split())
        if words >= STUB_WORDS:
            return plain
        for part in reversed(others):  # the last is the richest
            rich = rich or self.part(part, depth + 1)
        return rich if rich and len(rich.split()) >= STUB_SHARE * words else plain

    def text(self, raw: bytes, kind: bytes, charset: bytes) -> str:
        is_html = kind in _HTML or _HTML_START.match(raw) is not None
        if is_html and not charset and (named := _META_CHARSET.search(raw[:4096])):
            charset = named[1]
        text = decode(raw, charset.decode("latin-1"), self._fallback)
        return to_text(text) if is_html else text.replace("\r\n", "\n").strip()


def _body(part: Part) -> bytes:
    return transfer_decoded(part.body, part.first(b"content-transfer-encoding").strip().lower())


def _content_type(value: bytes, default: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    kind = value.partition(b";")[0].strip().lower()
    found = {name.lower(): quoted or bare.strip(b"\"'") for name, quoted, bare in _PARAMETER.findall(value)}
    return kind if b"/" in kind else default, found
