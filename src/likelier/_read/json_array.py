"""JSON arrays of objects, as JSON Lines: `[{"text": "..."}, ...]` becomes one line for each element.

Only one block and one element are held at a time. Elements are found by Python's parser, which is quick; the kernel
reads the lines. Line breaks of an element are outside of its strings, so they become spaces.
"""

from __future__ import annotations

import json
from codecs import getincrementaldecoder
from collections.abc import Iterable, Iterator

from likelier._base.errors import LikelierError, error
from likelier._read.faults import line_of, too_long

_DECODER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_BLANK = " \t\r\n"
_OF_NUMBERS = "0123456789.eE+-"


def is_array(text: str) -> bool:
    """Whether a JSON text is an array."""
    return text.lstrip("\ufeff \t\r\n").startswith("[")


class ArrayLines:
    """The elements of an array, as lines, in blocks; line N has element N."""

    def __init__(self, source: str, blocks: Iterable[bytes], limit: int) -> None:
        """limit: bytes of an element."""
        self._source, self._limit = source, limit
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")  # the kernel reports what is not UTF-8
        self._blocks = iter(blocks)
        self._text, self._at, self._ended = "", 0, False
        self._line, self._line_at = 1, 0  # the line in which `_text` begins at `_line_at`

    def __iter__(self) -> Iterator[bytes]:
        self._expect("[")
        if self._next() == "]":
            self._at += 1
            self._close()
            return
        while True:
            lines = []
            more = True
            while more:
                lines.append(self._element())
                more = self._expect(",]") == ","
                if more and self._at >= len(self._text) // 2:
                    break
            yield "".join(lines).encode(errors="surrogateescape")
            if not more:
                self._close()
                return

    def _element(self) -> str:
        self._next()
        while True:
            try:
                _, end = _DECODER.raw_decode(self._text, self._at)
                if self._ended or (end < len(self._text) and self._text[end] not in _OF_NUMBERS):  # a number may go on
                    break
            except (ValueError, RecursionError) as failure:
                if self._ended:
                    raise self._broken(failure) from None
            if len(self._text) - self._at > self._limit:
                raise too_long(self._place(self._at), self._limit, row=True)
            self._read_on()
        found, self._at = self._text[self._at : end], end
        return found.replace("\r", " ").replace("\n", " ") + "\n"

    def _expect(self, allowed: str) -> str:
        found = self._next()
        if not found or found not in allowed:
            got = repr(found) if found else "the end of the file"
            raise self._invalid(f"expected {' or '.join(map(repr, allowed))}, got {got}", self._at)
        self._at += 1
        return found

    def _next(self) -> str:
        """The next character that is not blank; "" at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _BLANK:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._read_on()

    def _close(self) -> None:
        if found := self._next():
            raise self._invalid(f"expected the end of the file, got {found!r}", self._at)

    def _read_on(self) -> None:
        """Read as much again as there is, so that looking at it takes linear time; drop what was passed."""
        self._line += self._text.count("\n", 0, self._at)
        last = self._text.rfind("\n", 0, self._at)
        self._line_at = self._line_at + self._at if last < 0 else self._at - last - 1
        parts, size = [self._text[self._at :]], 0
        while size <= len(parts[0]) and not self._ended:
            block = next(self._blocks, None)
            self._ended = block is None
            parts.append(self._decoder.decode(block or b"", block is None))
            size += len(parts[-1])
        self._text, self._at = "".join(parts), 0

    def _broken(self, failure: Exception) -> LikelierError:
        if isinstance(failure, json.JSONDecodeError):
            return self._invalid(f"{failure.msg[:1].lower()}{failure.msg[1:]}", min(failure.pos, len(self._text)))
        return self._invalid("nested too deeply", self._at)

    def _invalid(self, reason: str, at: int) -> LikelierError:
        return error("json-array", where=self._place(at), reason=reason)

    def _place(self, at: int) -> str:
        line = self._line + self._text.count("\n", 0, at)
        last = self._text.rfind("\n", 0, at)
        return line_of(self._source, line, at - last if last >= 0 else self._line_at + at + 1)
