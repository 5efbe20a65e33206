"""Which encoding a text is in, if none is named.

A byte order mark decides. Without one, the first characters beyond ASCII decide between UTF-8 and cp1252, which
Windows writes in Western Europe; ASCII is the same in both, so nothing has to be read twice.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain

from likelier._read.encodings import Position, guess_encoding, marked_wide, refuse_wide, to_utf8

WESTERN = "cp1252"
_CP1252 = bytes(code for code in range(256) if code not in (0x81, 0x8D, 0x8F, 0x90, 0x9D))
_STRAY = re.compile("[\udc80-\udcff]")


class Caution(str):
    """A note that is shown as a warning: a guess that changes what is read."""


def read_as_western(name: str, others: str = "") -> Caution:
    """The warning for a file that is read as cp1252 though no encoding was named."""
    said = f"{name} is not UTF-8; likelier reads it{others} as {WESTERN}"
    return Caution(f"{said}. If that is wrong, name the encoding, such as encoding='cp1250'")


def is_western(text: bytes, *, before: bytes = b"", final: bool = True) -> bool | None:
    """Whether a text is in cp1252 rather than in UTF-8; None if its only character beyond ASCII is cut off.

    before: ASCII that precedes it.
    A broken byte or two in a text that is otherwise UTF-8 does not make it cp1252.

    >>> is_western("Größe".encode("cp1252")), is_western("Größe".encode()), is_western("надо".encode("cp1251"))
    (True, False, False)
    """
    decoded = codecs.getincrementaldecoder("utf-8")("surrogateescape").decode(text, final)
    stray = len(_STRAY.findall(decoded))
    high = len(decoded) - len(decoded.encode("ascii", "ignore")) - stray
    if not stray:
        return False if high or final else None
    fits = stray > 10 * high and not text.translate(None, _CP1252)
    return fits and guess_encoding(before + text + b" ") == WESTERN


class Found:
    """What was found out about the encoding of a text, as far as it was read.

    cautions  what it is read as, if not UTF-8
    marked    whether a spreadsheet needs a byte order mark to read a copy in UTF-8, as it has one or is not UTF-8
    """

    def __init__(self, *, marked: bool = False) -> None:
        self.cautions: list[str] = []
        self.marked = marked

    def western(self, name: str) -> None:
        self.marked = True
        self.cautions.append(read_as_western(name))


def detected(pieces: Iterator[bytes], name: str, found: Found) -> Iterator[bytes]:
    """The text as UTF-8 without a byte order mark."""
    head = _head(pieces)
    wide = marked_wide(head)
    if wide is not None:
        found.marked = True
        found.cautions.append(f"encoding of {name}: {wide}, by its byte order mark")
        yield from to_utf8(chain([head], pieces), wide, name)
        return
    refuse_wide(head, name)
    position, before, held = Position(), b"", b""
    if head.startswith(codecs.BOM_UTF8):
        found.marked = True
        yield head.removeprefix(codecs.BOM_UTF8)
        yield from pieces
        return
    for piece in chain([head], pieces):
        text, held = held + piece, b""
        western = False if text.isascii() else is_western(text, before=before, final=False)
        if western:
            found.western(name)
            yield from to_utf8(chain([text], pieces), WESTERN, name, position)
            return
        if western is None:
            held = text
            continue
        yield text
        if not text.isascii():
            break
        position.line += text.count(b"\n")
        before = text
    else:
        if held and is_western(held, before=before):
            found.western(name)
            held = held.decode(WESTERN).encode()
        yield held
    yield from pieces


def _head(pieces: Iterator[bytes]) -> bytes:
    head = b""
    for piece in pieces:
        head += piece
        if len(head) >= 4 or b"\n" in head:
            break
    return head


def unmarked(pieces: Iterator[bytes], name: str, found: Found) -> Iterator[bytes]:
    """Text that the user named as UTF-8, without a byte order mark; UTF-16 is refused at once."""
    head = _head(pieces)
    refuse_wide(head, name)
    found.marked = head.startswith(codecs.BOM_UTF8)
    yield head.removeprefix(codecs.BOM_UTF8)
    yield from pieces
