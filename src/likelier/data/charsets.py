"""Bytes of a mail to text: charsets as mails name them, often wrongly. Nothing here raises."""

from __future__ import annotations

import re
from binascii import Error, a2b_base64, a2b_qp

from likelier.data.encodings import canonical

# As browsers do: the larger charset that writers meant.
_LARGER = {"iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949"}
_ALIASES = {"iso-8859-8-i": "iso8859-8", "x-sjis": "cp932", "x-gbk": "gb18030", "x-user-defined": "cp1252"}
_UNDECLARED = frozenset(["ascii", "utf-8"])  # 8-bit text in these is something else

_WORD = re.compile(r"=\?([^?\s*]{1,60})(?:\*[^?\s]{0,20})?\?([bBqQ])\?([^?\s]*)\?=")
_BETWEEN_WORDS = re.compile(r"(\?=)[ \t\r\n]++(?==\?)")
_SEVERAL_WORDS = re.compile(rb"[^\s][ \t]++[^\s]")
_NOT_BASE64 = re.compile(rb"[^A-Za-z0-9+/]+")


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
        clean = _NOT_BASE64.sub(b"", raw)
        clean = clean[: len(clean) - (len(clean) % 4 == 1)]
        return a2b_base64(clean + b"=" * (-len(clean) % 4))


def header_text(raw: bytes, fallback: str) -> str:
    """A header's value: unfolded, 8-bit bytes and encoded words decoded."""
    text = decode(raw, "utf-8", fallback)
    if "=?" in text:
        text = _WORD.sub(lambda word: _encoded_word(word, fallback), _BETWEEN_WORDS.sub(r"\1", text))
    return " ".join(text.split())


def _encoded_word(word: re.Match[str], fallback: str) -> str:
    charset, how, content = word[1], word[2].lower(), word[3].encode()
    raw = _base64(content) if how == "b" else a2b_qp(content, header=True)
    return decode(raw, charset, fallback)
