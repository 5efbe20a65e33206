"""The text of a mail, as its reader sees it: some headers, then the body.

Which headers count: Subject and From. They are what a reader sees, and any new mail has them. Received, List-*,
Delivered-To and the marks of other spam filters say how a mail came in; in a collection they often give the label away,
and a model that learned them fails on mail that came another way. To is mostly one's own address. Others by `headers`.

Of alternatives the plain text is taken, unless it is empty or a stub; HTML is turned to text; a mail within the mail is
read like it; attachments are left out, with their names.

The parser is our own: the standard library's recurses for each level and takes quadratic time on deep nesting, and it
decodes what is thrown away. This one never raises, whatever the bytes are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import unquote_to_bytes

from likelier._read.encodings import decoded_mail, header_text, transfer_decoded
from likelier._read.formats import HEADER_LINE
from likelier._read.html_text import to_text

HEADERS = ("subject", "from")
DEEPEST = 20  # parts in parts; real mails have up to about 6. It bounds the work: each level reads its bytes once more
DECODED = 7  # levels that a mail in the mail counts for if it is encoded: it is held once more
MOST_PARTS = 10_000  # of a mail; what follows belongs to the last one
MOST_SAME = 1000  # headers of one name
MOST_BYTES = 10_000  # of a header that is taken apart
STUB_WORDS = 40  # "your program cannot show HTML, see http://..." and the like
STUB_SHARE = 5

_NO_HEADER = re.compile(rb"^(?!%s)" % HEADER_LINE, re.MULTILINE)
_EMPTY_LINE = re.compile(rb"\r*+\n")
_LONE_RETURN = re.compile(rb"\r(?![\r\n])")  # it ends a header, too
_TOKEN = re.compile(rb"\s*+([^\s;(]*+)")
_PARAMETER = re.compile(rb""";\s*+([^\s=;]{1,60})\s*+=\s*+(?:"((?:[^"\\]|\\.)*+)"|([^\s;]*+))""", re.DOTALL)
_PIECE = re.compile(rb"([^*]+)(?:\*([0-9]{1,3}))?(\*?)")  # RFC 2231: name, name*, name*0, name*0*
_ESCAPED = re.compile(rb"\\(.)", re.DOTALL)
_HTML_START = re.compile(
    rb"\s*+(?:<!doctype html|<(?:x-)?html|<head|<body|<table|<div|<center|<font|<p)\b", re.IGNORECASE
)
# A part begins somewhere, though nothing in the headers says so, or another boundary than this one.
_UNTOLD_BOUNDARY = re.compile(rb"^--([^\r\n]{1,200}?)[ \t]*\r?\ncontent-[a-z-]{1,30}:", re.IGNORECASE | re.MULTILINE)
_META_CHARSET = re.compile(rb"""charset\s*+=\s*+["']?([\w-]{1,40})""", re.IGNORECASE)
_ALTERNATIVE = b"multipart/alternative"
_HTML = frozenset([b"text/html", b"application/xhtml+xml"])
_NOT_PROSE = frozenset([b"text/calendar", b"text/x-vcard", b"text/vcard", b"text/css", b"text/rfc822-headers"])
_TYPE, _ENCODING, _DISPOSITION = b"content-type", b"content-transfer-encoding", b"content-disposition"


class Span(NamedTuple):
    """Bytes of a mail where they lie. Parts in parts hold the same bytes, and none of them is a copy."""

    raw: bytes
    start: int
    end: int


class MailPart(NamedTuple):
    """A mail or a part of one: the headers that count, with lower-case names, and its body."""

    headers: dict[bytes, list[bytes]]
    body: Span

    def first(self, name: bytes) -> bytes:
        return next(iter(self.headers.get(name, [])), b"")[:MOST_BYTES]

    def token(self, name: bytes) -> bytes:
        """The first word of a header, without a comment or parameters behind it."""
        return _token(self.first(name))

    def decoded(self) -> bytes:
        raw, start, end = self.body
        return transfer_decoded(raw[start:end], self.token(_ENCODING))


def text_of(raw: bytes, *, headers: Sequence[str] = HEADERS, fallback: str = "cp1252") -> str:
    r"""The text of a mail; any bytes will do.

    headers: the names of those that count, in this order.
    fallback: the encoding of 8-bit text that names none and is not UTF-8.

    >>> text_of(b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\nReceived: from x\n\nHello there")
    'Grüße\nHello there'
    """
    if b"\n" not in raw:
        raw = raw.replace(b"\r", b"\n")
    elif found := _LONE_RETURN.search(raw, 0, end := _headers_end(raw)):
        raw = raw[: found.start()] + _LONE_RETURN.sub(b"\n", raw[found.start() : end]) + raw[end:]
    reader = _Reader(tuple(name.lower().encode() for name in headers), fallback)
    return reader.mail(Span(raw, 0, len(raw)), 0).replace("\0", "")


def _headers_end(raw: bytes) -> int:
    ends = (raw.find(line) for line in (b"\n\n", b"\n\r\n"))
    return min((end + 1 for end in ends if end >= 0), default=len(raw))


@lru_cache(maxsize=16)
def _headers_named(names: tuple[bytes, ...]) -> re.Pattern[bytes]:
    any_of_them = b"|".join(map(re.escape, names))
    return re.compile(rb"^(%s)[ \t]*+:([^\n]*+(?:\n[ \t][^\n]*+)*+)" % any_of_them, re.IGNORECASE | re.MULTILINE)


def parse(span: Span, names: tuple[bytes, ...]) -> MailPart:
    """Headers with these names, and the body: behind the first empty line, or from the first line that is no header on.

    A line of blanks is not empty: it goes on with the header before it.
    """
    raw, start, end = span
    found = _NO_HEADER.search(raw, start, end)
    body = found.start() if found else end
    headers: dict[bytes, list[bytes]] = {}
    for header in _headers_named(names).finditer(raw, start, body):
        same = headers.setdefault(header[1].lower(), [])
        if len(same) < MOST_SAME:
            same.append(header[2])
    empty = _EMPTY_LINE.match(raw, body, end)
    return MailPart(headers, Span(raw, empty.end() if empty else body, end))


def split(body: Span, boundary: bytes, most: int = MOST_PARTS) -> list[Span]:
    """The parts of a multipart body; the last may lack its end."""
    raw, begin, stop = body
    delimiter = b"--" + boundary
    parts: list[Span] = []
    start, position = -1, begin
    while len(parts) < most and (found := raw.find(delimiter, position, stop)) >= 0:
        position = found + len(delimiter)
        if found > begin and raw[found - 1] != 10:
            continue
        end = raw.find(b"\n", found, stop) + 1 or stop
        tail = raw[position:end].strip()
        if tail not in (b"", b"--"):  # another boundary that begins like this one
            continue
        if start >= 0:
            parts.append(Span(raw, start, max(start, _line_end(raw, start, found))))
        start = position = end
        if tail:
            return parts
    return [*parts, Span(raw, start, stop)] if start >= 0 else parts


def _line_end(raw: bytes, start: int, end: int) -> int:
    """Where a text ends whose last line end belongs to what follows."""
    end -= raw.endswith(b"\n", start, end)
    return end - raw.endswith(b"\r", start, end)


class _Reader:
    def __init__(self, headers: tuple[bytes, ...], fallback: str) -> None:
        self._headers, self._fallback = headers, fallback
        self._names = (*headers, _TYPE, _ENCODING, _DISPOSITION)
        self._parts = 0

    def mail(self, raw: Span, depth: int) -> str:
        part = parse(raw, self._names)
        wanted = [value for name in self._headers for value in part.headers.get(name, [])]
        lines = [header_text(value, self._fallback) for value in wanted]
        return "\n".join(line for line in [*lines, self.part(part, depth)] if line)

    def part(self, part: MailPart, depth: int, default: bytes = b"text/plain") -> str:
        said = part.first(_TYPE)
        kind, parameters = _content_type(said, default)
        if (kind.startswith(b"multipart/") or not said) and depth < DEEPEST:
            parts = self.parts(part.body, parameters.get(b"boundary", b"").rstrip())
            if parts and (kind == _ALTERNATIVE or not said):
                return self.alternative(parts, depth)
            if parts:
                inner = b"message/rfc822" if kind == b"multipart/digest" else b"text/plain"
                return self.joined(parts, depth, inner)
        if kind == b"message/rfc822" and depth < DEEPEST:
            return self.inner(part, depth)
        if part.token(_DISPOSITION) == b"attachment":
            return ""
        if kind.startswith((b"text/", b"multipart/", b"message/rfc822")) and kind not in _NOT_PROSE:
            return self.text(part.decoded(), kind, parameters.get(b"charset", b""))
        return ""

    def parts(self, body: Span, boundary: bytes) -> list[MailPart]:
        """The parts by the boundary that the header declares, else by the one that is there."""
        left = MOST_PARTS - self._parts
        found = split(body, boundary, left) if boundary and left > 0 else []
        if not found and left > 0:
            raw, start, end = body
            untold = _UNTOLD_BOUNDARY.search(raw, start, min(end, start + 10_000))
            found = split(body, untold[1], left) if untold else []
        self._parts += len(found)
        return [parse(span, self._names) for span in found]

    def inner(self, part: MailPart, depth: int) -> str:
        """A mail in the mail."""
        if part.token(_ENCODING) not in (b"base64", b"quoted-printable"):
            return self.mail(part.body, depth + 1)
        raw = part.decoded()
        return self.mail(Span(raw, 0, len(raw)), depth + DECODED)

    def joined(self, parts: list[MailPart], depth: int, default: bytes) -> str:
        texts = (self.part(part, depth + 1, default) for part in parts)
        return "\n".join(text for text in texts if text)

    def alternative(self, parts: list[MailPart], depth: int) -> str:
        """The plain text, unless it is empty or only says that there is more in HTML."""
        plain, rich = "", ""
        others = []
        for part in parts:
            is_plain = _content_type(part.first(_TYPE), b"text/plain")[0] == b"text/plain"
            if not is_plain:
                others.append(part)
            elif not plain:
                plain = self.part(part, depth + 1)
        words = len(plain.split(None, STUB_WORDS))
        if words >= STUB_WORDS:
            return plain
        for part in reversed(others):  # the last is the richest
            rich = rich or self.part(part, depth + 1)
        longer = STUB_SHARE * words
        return rich if rich and len(rich.split(None, longer)) >= longer else plain

    def text(self, raw: bytes, kind: bytes, charset: bytes) -> str:
        is_html = kind in _HTML or _HTML_START.match(raw) is not None
        if is_html and not charset and (named := _META_CHARSET.search(raw[:4096])):
            charset = named[1]
        text = decoded_mail(raw, charset.decode("latin-1"), self._fallback)
        return to_text(text) if is_html else text.replace("\r\n", "\n").strip()


def _token(value: bytes) -> bytes:
    found = _TOKEN.match(value)
    return found[1].lower() if found else b""


def _content_type(value: bytes, default: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    """The kind, and the parameters: of several with one name the first, of one in pieces all of them (RFC 2231)."""
    pieces: dict[bytes, dict[int, bytes]] = {}
    for name, quoted, bare in _PARAMETER.findall(value):
        piece = _PIECE.fullmatch(name.lower())
        if piece is None:
            continue
        text, place = _ESCAPED.sub(rb"\1", quoted) or bare.strip(b"\"'"), int(piece[2] or 0)
        if piece[3]:  # charset'language'text, with %XX
            text = unquote_to_bytes(text.split(b"'", 2)[-1] if place == 0 else text)
        pieces.setdefault(piece[1], {}).setdefault(place, text)
    kind = _token(value)
    found = {name: b"".join(text for _, text in sorted(texts.items())) for name, texts in pieces.items()}
    return kind if b"/" in kind else b"text/plain" if value.strip() else default, found
