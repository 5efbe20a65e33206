"""Bytes to text: which encoding is meant, which one it may be, and where a text breaks its rules.

In tables UTF-8 passes through as bytes; anything else is decoded piece by piece and encoded again as UTF-8. Mails name
their charsets, often wrongly, so for them nothing is an error.
"""

from __future__ import annotations

import codecs
import re
from binascii import Error, a2b_base64, a2b_qp
from collections.abc import Iterator
from contextlib import suppress
from difflib import get_close_matches
from functools import lru_cache
from itertools import groupby
from operator import itemgetter

from likelier._base.errors import LikelierError, error
from likelier._read.html_text import single_spaced

# Text codecs by name only: they read something else, or take quadratic time.
_NO_TEXT = {"idna", "punycode", "undefined", "unicode-escape", "unicode_escape", "raw-unicode-escape", "rot13"}
_MARKS = (  # UTF-32 first: its mark begins with that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LETTERS = bytes(range(0x41, 0x5B)) + bytes(range(0x61, 0x7B))

# As browsers do: the larger charset that writers meant.
_LARGER = {"iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
_ALIASES = {"iso-8859-8-i": "iso8859-8", "x-sjis": "cp932", "x-gbk": "gb18030", "x-user-defined": "cp1252"}
_UNDECLARED = frozenset(["ascii", "utf-8"])  # 8-bit text in these is something else

# An encoded word. It may hold blanks and question marks, which are not allowed and not rare, but no other word.
_WORD = re.compile(rb"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bBqQ])\?((?:[^?=]++|\?(?!=)|=(?!\?[^=]))*+)\?=")
_SEVERAL_WORDS = re.compile(rb"[^\s][ \t]++[^\s]")
_NOT_BASE64 = re.sub(rb"[A-Za-z0-9+/]", b"", bytes(range(256)))


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
        near = _near(name) if isinstance(name, str) else ""
        raise error("encoding-unknown.near" if near else "encoding-unknown", got=name, near=near)
    return found


def _near(name: str) -> str:
    from encodings.aliases import aliases

    known = {spelling.replace("_", "-") for spelling in {*aliases, *aliases.values()} if canonical(spelling)}
    return " or ".join(get_close_matches(name.lower().replace("_", "-"), sorted(known), n=3))


def wide_of(head: bytes) -> str | None:
    """UTF-16 or UTF-32, by its mark or by the zero bytes that it has in text of Latin letters."""
    marked = next((name for mark, name in _MARKS if head.startswith(mark)), None)
    if marked is not None:
        return None if marked == "utf-8" else marked
    even, odd = head[0:4096:2], head[1:4096:2]
    if len(odd) >= 2 and odd.count(0) > 0.6 * len(odd) and even.count(0) < 0.1 * len(even):
        return "utf-16-le"
    if len(odd) >= 2 and even.count(0) > 0.6 * len(even) and odd.count(0) < 0.1 * len(odd):
        return "utf-16-be"
    return None


def marked_wide(head: bytes) -> str | None:
    """UTF-16 or UTF-32, by its mark."""
    return next((name for mark, name in _MARKS if head.startswith(mark) and name != "utf-8"), None)


def guess_encoding(block: bytes) -> str:
    """The encoding that bytes may be in: a guess for a hint, by marks, zero bytes and the share of high bytes.

    >>> guess_encoding("Größe".encode("cp1252")), guess_encoding("надо купить молоко".encode("koi8-r"))
    ('cp1252', 'koi8-r')
    """
    if (wide := wide_of(block)) is not None:
        return wide
    high = block.translate(None, bytes(range(0x80)))
    letters = len(block) - len(block.translate(None, _LETTERS))
    with suppress(UnicodeDecodeError):
        codecs.getincrementaldecoder("utf-8")().decode(block)
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


def refuse_wide(head: bytes, name: str) -> None:
    """Raise if a file that is read as UTF-8 begins like UTF-16 or UTF-32."""
    if (wide := wide_of(head)) is not None:
        raise error("encoding-wide", name=name, shown=wide.upper(), wide=wide)


class Position:
    """Line and character (both from 1) behind the text that was read so far."""

    def __init__(self) -> None:
        self.line = 1
        self.character = 1

    def pass_over(self, text: str) -> None:
        self.line += text.count("\n")
        end = text.rfind("\n")
        self.character = len(text) - end if end >= 0 else self.character + len(text)


def to_utf8(pieces: Iterator[bytes], encoding: str, name: str, position: Position | None = None) -> Iterator[bytes]:
    """The same text as UTF-8; a byte that does not decode is an InputError with its line and column."""
    decoder = codecs.getincrementaldecoder(encoding)()
    position = position or Position()
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


def undecodable(name: str, encoding: str, position: Position, byte: int | None, around: bytes) -> LikelierError:
    """The error for a text that is not valid in its encoding."""
    what = "the text ends within a character" if byte is None else f"byte 0x{byte:02X} is not valid"
    guess = guess_encoding(around) if around else "cp1252"
    case = "encoding-invalid.guess" if guess != encoding else "encoding-invalid"
    place = f"{name} line {position.line} column {position.character}"
    return error(case, place=place, what=what, encoding=encoding, guess=guess)


# ---- mails ---------------------------------------------------------------------------------------------------------


def decoded_mail(raw: bytes, charset: str, fallback: str) -> str:
    """The text in the charset that is named; if it is not that, in UTF-8; if it is not that either, in `fallback`."""
    if raw.isascii() and not charset.lower().startswith(("utf-7", "utf-16", "utf-32", "iso-2022", "hz")):
        return raw.decode("ascii")
    name = _codec(charset)
    tried = dict.fromkeys([name or "utf-8", "utf-8"])
    for codec in tried:
        try:
            return _whole_characters(raw.decode(codec))
        except (UnicodeError, ValueError):
            continue
    last = fallback if name is None or name in _UNDECLARED else name
    return _whole_characters(raw.decode(last, errors="replace"))


def _codec(charset: str) -> str | None:
    charset = charset.strip().lower()
    found = canonical(_ALIASES.get(charset, charset)) if 0 < len(charset) <= 60 else None
    return _LARGER.get(found, found) if found else None


def _whole_characters(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:  # UTF-7 lets lone surrogates through
        return text.encode("utf-8", "replace").decode()
    return text


def transfer_decoded(raw: bytes, encoding: bytes) -> bytes:
    """Base64 and quoted-printable undone, as far as they are whole."""
    if encoding == b"base64":
        return _base64(raw)
    return a2b_qp(raw) if encoding == b"quoted-printable" else raw


def _base64(raw: bytes) -> bytes:
    """Mailing lists add their footer behind the end, as plain text: from the first line with several words on."""
    words = _SEVERAL_WORDS.search(raw)
    if words is not None:
        raw_base64 = raw[: raw.rfind(b"\n", 0, words.start()) + 1]
        return _base64(raw_base64) if raw_base64.strip() else raw  # it was never base64
    try:
        return a2b_base64(raw)
    except Error:
        clean = raw.translate(None, _NOT_BASE64)
        clean = clean[: len(clean) - (len(clean) % 4 == 1)]
        return a2b_base64(clean + b"=" * (-len(clean) % 4))


def header_text(raw: bytes, fallback: str) -> str:
    """A header's value: unfolded, 8-bit bytes and encoded words decoded."""
    if b"=?" not in raw:
        return single_spaced(decoded_mail(raw, "", fallback))
    runs = groupby(_pieces(raw), key=itemgetter(0))
    return single_spaced("".join(_run([piece for _, piece in run], charset, fallback) for charset, run in runs))


def _pieces(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """Encoded words and what stands between them, each with its charset. Blanks between two words do not count."""
    end = 0
    for word in _WORD.finditer(raw):
        between = raw[end : word.start()]
        if between.strip() or not end:
            yield "", between
        is_base64 = word[2] in b"bB"
        text = _base64(b"".join(word[3].split())) if is_base64 else a2b_qp(word[3], header=True)
        yield word[1].decode("latin-1").lower(), text
        end = word.end()
    yield "", raw[end:]


def _run(words: list[bytes], charset: str, fallback: str) -> str:
    """Words in one charset: together, as a character may begin in one and end in the next, or else one by one."""
    codec = _codec(charset)
    if codec and len(words) > 1:
        with suppress(UnicodeError, ValueError):
            return _whole_characters(b"".join(words).decode(codec))
    return "".join(decoded_mail(word, charset, fallback) for word in words)
