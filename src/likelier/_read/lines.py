"""Text from a stream: its lines as they arrive, or all of it as one text."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._read.encodings import checked_encoding
from likelier._read.faults import LARGEST, MAX_DOCUMENT, checked_limit, too_long

PIECE = 1 << 20  # bytes to read at once, if available


def whole_text(stream: Any, encoding: str | None, max_document: str) -> str:
    """All of the stream as one text."""
    limit = checked_limit(max_document)
    pieces, size = [], 0
    while piece := stream.read1(PIECE):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise too_long("standard input", limit, skip=False)
    lines = arriving_lines(BytesIO(b"".join(pieces)), encoding, LARGEST)
    return "\n".join(line for part in lines for line in part)


def arriving_lines(stream: Any, encoding: str | None = None, longest: int | str | None = None) -> Iterator[list[str]]:
    """The complete lines available, again and again; it waits only if there are none.

    So in a pipe every line is answered at once, while a million lines are still taken in large parts.
    encoding: None for UTF-8.
    longest: maximum length of a line, in bytes of UTF-8. Default: that of a document.
    """
    limit = checked_limit(longest or MAX_DOCUMENT)
    encoding = checked_encoding("utf-8" if encoding is None else encoding)
    decoder = codecs.getincrementaldecoder(encoding)()
    begun: list[str] = []  # pieces of an incomplete line
    seen = size = 0  # complete lines, and bytes of the incomplete one
    while piece := stream.read1(PIECE):
        try:
            first, *more = decoder.decode(piece).split("\n")
        except UnicodeError as reason:
            good = piece[: getattr(reason, "start", 0)].count(b"\n")
            raise _undecodable(seen + good + 1, encoding, reason) from None
        begun.append(first)
        size += _size(first)
        sizes = [size, *(_size(line) if 4 * len(line) > limit else 0 for line in more)]
        if max(sizes) > limit:
            place = next(place for place, each in enumerate(sizes, seen + 1) if each > limit)
            raise too_long(f"line {place} of standard input", limit, skip=False)
        if more:
            size = _size(more[-1])
            lines = ["".join(begun), *more[:-1]]
            begun = more[-1:]
            seen += len(lines)
            yield [_clean_end(line, first=seen == len(lines) and place == 0) for place, line in enumerate(lines)]
    try:
        rest = "".join([*begun, decoder.decode(b"", True)])
    except UnicodeError as reason:
        raise _undecodable(seen + 1, encoding, reason) from None
    if rest:
        yield [_clean_end(rest, first=not seen)]


def _clean_end(line: str, *, first: bool) -> str:
    return (line.removeprefix("\ufeff") if first else line).removesuffix("\r")


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _undecodable(line: int, encoding: str, reason: UnicodeError) -> LikelierError:
    if isinstance(reason, UnicodeDecodeError):
        byte = reason.object[reason.start]
        return error("input-encoding.byte", encoding=reason.encoding.upper(), byte=byte, line=line)
    return error("input-encoding", encoding=encoding.upper(), line=line, reason=reason)
