"""Where texts come from when they are asked about: arguments, standard input, one mail, files."""

from __future__ import annotations

import codecs
import os
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import Any, BinaryIO

from likelier._base.errors import InputError
from likelier._cli.failures import Misuse
from likelier._cli.output import Screen

PIECE = 1 << 20  # bytes that are read at once, if they are there


def check_not_files(texts: Sequence[str], hint: str) -> None:
    """A text that is the name of a file was most likely meant as the file."""
    for text in texts:
        if len(text) < 1000 and "\0" not in text and os.path.exists(text):
            raise Misuse(f"{text!r} is a file, and texts are expected here", hint=hint.format(shlex.quote(text)))


def missing_files(texts: Sequence[str]) -> list[str]:
    """Texts that look like the names of files, of a kind that is read; `check_not_files` has found none there."""
    from likelier._read.formats import kind_by_name

    return [text for text in texts if len(text.split()) == 1 and "://" not in text and kind_by_name(text)]


def warn_of_names(texts: Sequence[str], screen: Screen) -> None:
    """A question about a wrong text does no harm, so it is answered."""
    for text in missing_files(texts):
        screen.warning(f"there is no file {text!r}, so it is taken as a text")


def standard_input(screen: Screen, what: str = "a text") -> BinaryIO:
    """Standard input; a person at the keyboard is told what to do."""
    if sys.stdin is None:  # it was closed: `<&-`
        raise Misuse("there is no standard input to read from", hint="give the text as an argument")
    if sys.stdin.isatty():
        screen.note(f"type {what} and press Enter; Ctrl-D ends")
    return sys.stdin.buffer


class _Bounded:
    """A stream that holds one document."""

    def __init__(self, stream: BinaryIO, limit: int) -> None:
        self._stream, self._limit, self._read = stream, limit, 0

    def read1(self, size: int) -> bytes:
        from likelier._read.faults import too_long

        piece: bytes = self._stream.read1(size)  # type: ignore[attr-defined]
        self._read += len(piece)
        if self._read > self._limit:
            raise too_long("standard input", self._limit, skip=False)
        return piece


def whole_text(stream: BinaryIO, encoding: str, max_document: str) -> str:
    """All of standard input as one text."""
    from likelier._read.faults import LARGEST, checked_limit

    lines = list(lines_as_they_come(_Bounded(stream, checked_limit(max_document)), encoding, LARGEST))
    return "\n".join(line for part in lines for line in part)


def lines_as_they_come(stream: Any, encoding: str = "utf-8", longest: int | str | None = None) -> Iterator[list[str]]:
    """The complete lines that are there, again and again; it waits only when there is none.

    So every line is answered at once in a pipe, and a million lines are still taken in large parts.
    longest: how long a line may be, in bytes of UTF-8. Default: that of a document.
    """
    from likelier._read.encodings import checked_encoding
    from likelier._read.faults import MAX_DOCUMENT, checked_limit, too_long

    limit = checked_limit(longest or MAX_DOCUMENT)
    decoder = codecs.getincrementaldecoder(checked_encoding(encoding))()
    begun: list[str] = []  # pieces of a line that is not complete
    seen = size = 0  # lines that are complete, and bytes of the one that is not
    while piece := stream.read1(PIECE):
        try:
            first, *more = decoder.decode(piece).split("\n")
        except UnicodeError as error:
            good = piece[: getattr(error, "start", 0)].count(b"\n")
            raise _undecodable(seen + good + 1, encoding, error) from None
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
    except UnicodeError as error:
        raise _undecodable(seen + 1, encoding, error) from None
    if rest:
        yield [_clean_end(rest, first=not seen)]


def _clean_end(line: str, *, first: bool) -> str:
    return (line.removeprefix("\ufeff") if first else line).removesuffix("\r")


def _size(text: str) -> int:
    return len(text.encode(errors="surrogatepass"))


def _undecodable(line: int, encoding: str, error: UnicodeError) -> InputError:
    message = f"standard input must be {encoding.upper()}, but line {line} is not: {error}"
    if isinstance(error, UnicodeDecodeError):
        byte = error.object[error.start]
        message = f"standard input must be {error.encoding.upper()}, got the byte 0x{byte:02X} in line {line}"
    return InputError(
        code="input-encoding",
        message=message,
        hint="name the encoding, for example encoding='cp1252'",
    )


def one_text(
    texts: Sequence[str], *, mail: bool, encoding: str, max_document: str, screen: Screen, command: str
) -> str:
    """Exactly one text: the argument, one mail, or all of standard input."""
    if mail and texts:
        raise Misuse("--mail reads the mail from standard input, so there is no TEXT", hint=f"{command} --mail < FILE")
    if mail:
        return mail_text(encoding, max_document)
    if len(texts) == 1 and texts[0] != "-":
        return texts[0]
    return whole_text(standard_input(screen), encoding, max_document)


def mail_text(encoding: str, max_document: str) -> str:
    """The mail on standard input as text: headers decoded, HTML turned to text, attachments skipped."""
    from likelier._read.reader import read

    documents = read("-", kind="mail", labelled=False, encoding=encoding, max_document=max_document)
    found = [text for batch in documents for text in texts_of(batch.texts)]
    return "\n".join(found)


def texts_of(column: Any) -> list[str]:
    """The texts of a batch as a list."""
    return column if isinstance(column, list) else column.to_list()
