"""Bytes of a mail to text: charsets as mails name them, often wrongly. Nothing here raises."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_qp
from collections.abc import Iterator
from contextlib import suppress
from itertools import groupby
from operator import itemgetter

from likelier._read.encodings import canonical
from likelier._read.html import single_spaced

# As browsers do: the larger charset that writers meant.
_LARGER = {"iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
_ALIASES = {"iso-8859-8-i": "iso8859-8", "x-sjis": "cp932", "x-gbk": "gb18030", "x-user-defined": "cp1252"}
_UNDECLARED = frozenset(["ascii", "utf-8"])  # 8-bit text in these is something else

# An encoded word. It may hold blanks and question marks, which are not allowed and not rare, but no other word.
_WORD = re.compile(rb"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bBqQ])\?((?:[^?=]++|\?(?!=)|=(?!\?[^=]))*+)\?=")
_SEVERAL_WORDS = re.compile(rb"[^\s][ \t]++[^\s]")
_NOT_BASE64 = re.sub(rb"[A-Za-z0-9+/]", b"", bytes(range(256)))


def decode(raw: bytes, charset: str, fallback: str) -> str:
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
        return single_spaced(decode(raw, "", fallback))
    runs = groupby(_pieces(raw), key=itemgetter(0))
    return single_spaced("".join(_run([piece for _, piece in run], charset, fallback) for charset, run in runs))


def _pieces(raw: bytes) -> Iterator[tuple[str, bytes]]:
    """Encoded words and what stands between them, each with its charset. Blanks between two words do not count."""
    end = 0
    for word in _WORD.finditer(raw):
        between = raw[end : word.start()]
        if between.strip() or not end:
            yield "", between
        yield word[1].decode("latin-1").lower(), _encoded_word(word)
        end = word.end()
    yield "", raw[end:]


def _encoded_word(word: re.Match[bytes]) -> bytes:
    if word[2] in b"bB":
        return _base64(b"".join(word[3].split()))
    return a2b_qp(word[3], header=True)


def _run(words: list[bytes], charset: str, fallback: str) -> str:
    """Words in one charset: together, as a character may begin in one and end in the next, or else one by one."""
    codec = _codec(charset)
    if codec and len(words) > 1:
        with suppress(UnicodeError, ValueError):
            return _whole_characters(b"".join(words).decode(codec))
    return "".join(decode(word, charset, fallback) for word in words)
