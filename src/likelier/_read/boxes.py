"""Mail boxes, one mail at a time: mbox and Maildir.

In an mbox a mail begins with a line "From ..." at the start of the file or behind an empty line. Not every program
escapes such lines in texts (">From "), so one counts only if a header follows or if it holds a time and a year. The
standard library's `mailbox` reads a file twice, only from disk, and asks for the empty line alone.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from likelier._read.source import shown
from likelier._read.streams import cannot_read

_HEADER = re.compile(rb"[!-9;-~]{1,200}[ \t]*+:|>From ")
_TIME = re.compile(rb"\d:\d\d")
_YEAR = re.compile(rb"\b(?:19|20)\d\d\b")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)
_LONGEST_LINE = 1000  # of a line "From ..."
_LOOK = 2 * _LONGEST_LINE  # bytes that decide whether a mail begins
_BEFORE = 3  # bytes before it that decide, too


class Mail(NamedTuple):
    """A mail as it stands in an mbox, and the line on which it begins."""

    line: int
    raw: bytes


def mbox(pieces: Iterable[bytes], limit: int) -> Iterator[Mail]:
    """The mails of an mbox that comes in pieces, without their "From " lines; holds one piece and one mail.

    Of a mail with more than `limit` bytes the first ones are given as they stand, one more than the limit.
    """
    rest = bytearray()
    line, searched = 1, 0
    is_long, passed = False, 0  # whether the mail was given already, and lines of it that were dropped
    for piece in chain(pieces, [b""]):
        rest += piece
        decided = len(rest) - _LOOK if piece else len(rest)
        begin = 0
        while 0 <= (found := rest.find(b"\nFrom ", searched)) < decided:
            searched = found + 1
            if _begins(rest, searched):
                if not is_long:
                    yield Mail(line, _mail(rest[begin:searched], limit))
                line += passed + rest.count(b"\n", begin, searched)
                begin, is_long, passed = searched, False, 0
        searched = max(searched, decided - 10, 0) - begin
        del rest[:begin]
        if not is_long and searched > limit + _BEFORE:
            yield Mail(line, bytes(rest[: limit + 1]))
            is_long = True
        if is_long:
            dropped = max(0, searched - _BEFORE)
            passed += rest.count(b"\n", 0, dropped)
            searched -= dropped
            del rest[:dropped]
    if rest.strip() and not is_long:
        yield Mail(line, _mail(rest, limit))


def _begins(text: bytearray, start: int) -> bool:
    if not text.startswith((b"\n\n", b"\r\n"), start - 2) or not text.endswith(b"\n", 0, start):
        return False
    if text[start - 2] == 13 and text[start - 3] != 10:
        return False  # "\r\n" ends a line with words in it
    end = text.find(b"\n", start, start + _LONGEST_LINE)
    line = text[start:end]
    return end >= 0 and bool(_HEADER.match(text, end + 1) or (_TIME.search(line) and _YEAR.search(line)))


def _mail(raw: bytearray, limit: int) -> bytes:
    return _clean(bytes(raw)) if len(raw) <= limit else bytes(raw[: limit + 1])


def _clean(raw: bytes) -> bytes:
    raw = raw.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if raw.startswith(b"From "):
        raw = raw[raw.find(b"\n") + 1 or len(raw) :]
    raw = raw.removesuffix(b"\n").removesuffix(b"\r")  # the empty line before the next mail
    return _ESCAPED.sub(rb"\1", raw) if b">From " in raw else raw


def is_maildir(path: str) -> bool:
    """Whether a folder is a Maildir: it has `cur` and `new`."""
    return all(os.path.isdir(os.path.join(path, part)) for part in ("cur", "new"))


def maildir_files(path: str) -> Iterator[tuple[str, str]]:
    """The paths of the mails in a Maildir, and how they are called in messages."""
    for part in ("cur", "new"):
        folder = os.path.join(path, part)
        try:
            names = sorted(entry.name for entry in os.scandir(folder) if entry.is_file())
        except OSError as error:
            raise cannot_read(folder, error) from None
        for name in names:
            if not name.startswith("."):
                yield os.path.join(folder, name), shown(os.path.join(folder, name))
