"""Text encodings: which one is meant, which one it may be, and where a text breaks its rules.

UTF-8 passes through as bytes. Anything else is decoded piece by piece and encoded again as UTF-8.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from difflib import get_close_matches
from functools import lru_cache

from likelier._base.errors import InputError, SettingError

# Text codecs by name only: they read something else, or take quadratic time.
_NO_TEXT = {"idna", "punycode", "undefined", "unicode-escape", "unicode_escape", "raw-unicode-escape", "rot13"}
_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


@lru_cache(maxsize=256)
def canonical(name: str) -> str | None:
    """The codec's own name, or None where Python has no such text encoding.

    >>> canonical("UTF8"), canonical("latin-1"), canonical("zlib")
    ('utf-8', 'iso8859-1', None)
    """
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError, UnicodeError, ImportError, TypeError):
        return None
    if not getattr(found, "_is_text_encoding", True) or found.name in _NO_TEXT:
        return None
    return "utf-8" if found.name == "utf-8-sig" else found.name


def checked_encoding(name: str) -> str:
    """The codec's own name; a byte order mark is always taken off, so `utf-8-sig` is `utf-8`."""
    found = canonical(name) if isinstance(name, str) else None
    if found is None:
        raise SettingError(
            code="encoding-unknown",
            message=f"`encoding` must be a text encoding that Python knows, got {name!r}",
            hint=_close_names(name) if isinstance(name, str) else 'for example "utf-8", "cp1252" or "utf-16"',
        )
    return found


def _close_names(name: str) -> str:
    from encodings.aliases import aliases

    known = {spelling.replace("_", "-") for spelling in {*aliases, *aliases.values()} if canonical(spelling)}
    close = get_close_matches(name.lower().replace("_", "-"), sorted(known), n=3)
    return f"did you mean {' or '.join(close)}?" if close else "for example utf-8, cp1252, latin-1, utf-16 or koi8-r"


def mark_of(head: bytes) -> str | None:
    """The encoding that a byte order mark announces."""
    return next((name for mark, name in _MARKS if head.startswith(mark)), None)


def wide_of(head: bytes) -> str | None:
    """UTF-16 or UTF-32, by its mark or by the zero bytes that it has in text of Latin letters."""
    mark = mark_of(head)
    if mark is not None:
        return None if mark == "utf-8" else mark
    even, odd = head[0:4096:2], head[1:4096:2]
    if len(odd) >= 2 and odd.count(0) > 0.6 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if len(odd) >= 2 and even.count(0) > 0.6 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return None


_HIGH = bytes(range(0x80, 0x100))
_LETTERS = bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B))


def guess_encoding(block: bytes) -> str:
    """The encoding that bytes may be in: a guess for a hint, by marks, zero bytes and the share of high bytes.

    >>> guess_encoding("Größe".encode("cp1252")), guess_encoding("надо купить молоко".encode("koi8-r"))
    ('cp1252', 'koi8-r')
    """
    wide = wide_of(block)
    if wide is not None:
        return wide
    high = block.translate(None, bytes(range(0x80)))
    letters = len(block) - len(block.translate(None, _LETTERS))
    if not high or _is_utf8(block):
        return "utf-8"
    if len(high) < letters:
        return "cp1252"  # Western: accents stand among plain letters
    # Cyrillic: nearly all letters are high, and most are small. The three encodings keep small letters apart.
    low, upper = _count(high, 0xC0, 0xDF), _count(high, 0xE0, 0xFF)
    if _count(high, 0x80, 0xAF) > max(low, upper):
        return "cp866"
    return "koi8-r" if low > upper else "cp1251"


def _count(high: bytes, first: int, last: int) -> int:
    return len(high) - len(high.translate(None, bytes(range(first, last + 1))))


def _is_utf8(block: bytes) -> bool:
    try:
        codecs.getincrementaldecoder("utf-8")().decode(block)
    except UnicodeDecodeError:
        return False
    return True


def refuse_wide(head: bytes, name: str) -> None:
    """Raise if a file that is read as UTF-8 begins like UTF-16 or UTF-32."""
    wide = wide_of(head)
    if wide is not None:
        raise InputError(
            code="encoding-wide",
            message=f"{name} is not UTF-8: it begins like {wide.upper()}",
            hint=f"name it: encoding={wide!r}",
        )


class Position:
    """Line and column (both from 1, in characters) behind the text that was read so far."""

    def __init__(self) -> None:
        self.line = 1
        self.column = 1

    def pass_over(self, text: str) -> None:
        self.line += text.count("\n")
        end = text.rfind("\n")
        self.column = len(text) - end if end >= 0 else self.column + len(text)


def to_utf8(pieces: Iterator[bytes], encoding: str, name: str) -> Iterator[bytes]:
    """The same text as UTF-8; a byte that does not decode is an InputError with its line and column."""
    decoder = codecs.getincrementaldecoder(encoding)()
    position = Position()
    begun = False
    for piece in pieces:
        state = decoder.getstate()
        try:
            text = decoder.decode(piece)
        except UnicodeError:
            decoder.setstate(state)
            byte = _first_bad(decoder, piece, position)
            raise undecodable(name, encoding, position, byte, piece) from None
        position.pass_over(text)
        if text:
            yield _encoded(text if begun else text.removeprefix("\ufeff"), name, position)
            begun = True
    try:
        decoder.decode(b"", True)
    except UnicodeError:
        raise undecodable(name, encoding, position, None, b"") from None


def _first_bad(decoder: codecs.IncrementalDecoder, piece: bytes, position: Position) -> int | None:
    """Halve the piece until the first byte at which decoding fails is left alone; works for codecs with a state too."""
    while True:
        half = piece[: max(1, len(piece) // 2)]
        state = decoder.getstate()
        try:
            position.pass_over(decoder.decode(half))
        except UnicodeDecodeError as error:
            if len(half) == 1:
                return error.object[error.start] if error.start < len(error.object) else half[0]
            decoder.setstate(state)
            piece = half
        except UnicodeError:
            return half[0]
        else:
            piece = piece[len(half) :]
            if not piece:
                return None


def _encoded(text: str, name: str, position: Position) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:  # UTF-7 and some others let lone surrogates through
        raise undecodable(name, "the encoding", position, None, b"") from None


def undecodable(name: str, encoding: str, position: Position, byte: int | None, around: bytes) -> InputError:
    """The error for a text that is not valid in its encoding."""
    what = "the text ends within a character" if byte is None else f"byte 0x{byte:02X} is not valid"
    guess = guess_encoding(around) if around else "cp1252"
    hint = f"name the right encoding, perhaps encoding={guess!r}" if guess != encoding else "name the right encoding"
    return InputError(
        code="encoding-invalid",
        message=f"{name} line {position.line} column {position.column}: {what} in {encoding}",
        hint=hint,
    )
