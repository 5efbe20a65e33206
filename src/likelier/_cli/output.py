"""What stands where: data on stdout, everything else on stderr; colour and bars only where a person watches.

NO_COLOR and --no-color switch colours off, FORCE_COLOR and --color on. COLUMNS is the width; without it and without a
terminal it is 80.
"""

from __future__ import annotations

import csv
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO, cast

from likelier._base.files import replacing
from likelier._cli.failures import ESCAPED
from likelier._show.cells import LEFT_TO_RIGHT, STEERING, STYLES, clean, paint, wrap
from likelier._show.layout import GAP as GAP
from likelier._show.table import Table as Table
from likelier._show.words import Number, counted, number

NARROW, USUAL = 40, 80
LABEL_CELLS = 24  # most cells of a label in a table
PREFIXES = {"error:": "1;31", "warning:": "1;33", "hint:": "1"}  # and their styles


def wants_color(stream: TextIO, wish: bool | None = None) -> bool:
    """Whether to write colours: as wished, as NO_COLOR or FORCE_COLOR say, or where a terminal can show them."""
    if wish is not None:
        return wish
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def columns(stream: TextIO) -> int:
    """How wide the stream is, in characters."""
    if os.environ.get("COLUMNS", "").isdecimal() or stream.isatty():
        return max(shutil.get_terminal_size((USUAL, 24)).columns, NARROW)
    return USUAL


class Terminal:
    """A stream to a terminal that data cannot steer.

    Control characters and changes of the writing direction are shown as escapes, in the form in which JSON has them.
    Colours, and what the progress bar needs, pass only where a command writes them itself: in `painted`.
    """

    def __init__(self, stream: TextIO, steering: re.Pattern[str]) -> None:
        self.stream, self._steering = stream, steering

    def write(self, text: str) -> int:
        self.stream.write(self._steering.sub(_escaped, text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


_STEERING = f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff{STEERING}]"
_OWN = rf"(?P<own>\x1b\[(?:0|{'|'.join([*STYLES.values(), *PREFIXES.values()])})m|\r\x1b\[K|{LEFT_TO_RIGHT})"
_DATA, _PAINTED = re.compile(_STEERING), re.compile(f"{_OWN}|{_STEERING}")


def _escaped(found: re.Match[str]) -> str:
    return found[0] if found.groupdict().get("own") else f"\\u{ord(found[0]):04x}"


def guarded(stream: TextIO) -> TextIO:
    """The stream, where it is a terminal such that data cannot steer it."""
    return cast(TextIO, Terminal(stream, _DATA)) if stream.isatty() and not isinstance(stream, Terminal) else stream


def painted(stream: TextIO) -> TextIO:
    """The same for text that a command has coloured; what came from data in it is `clean`."""
    return cast(TextIO, Terminal(stream.stream, _PAINTED)) if isinstance(stream, Terminal) else stream


def styled_prefix(line: str) -> str:
    """`error:` in bold red, `hint:` in bold."""
    for prefix, style in PREFIXES.items():
        if line.startswith(prefix):
            return f"\x1b[{style}m{prefix}\x1b[0m{line.removeprefix(prefix)}"
    return line


@dataclass(frozen=True)
class Screen:
    """Where a command writes.

    color  as wished by --color or --no-color; None: decided for each stream
    quiet  only errors and warnings on stderr
    """

    color: bool | None = None
    quiet: bool = False

    @property
    def width(self) -> int:
        """Of stdout."""
        return columns(sys.stdout)

    @property
    def colored(self) -> bool:
        """Whether stdout has colours."""
        return wants_color(sys.stdout, self.color)

    def data(self, text: str) -> None:
        """What was asked for, to stdout."""
        print(text)

    def lines(self, lines: Sequence[str]) -> None:
        """The same for people: lines with colours."""
        for line in lines:
            print(line, file=painted(sys.stdout))

    def note(self, text: str) -> None:
        """Something good to know, to stderr."""
        if not self.quiet:
            for line in wrap(clean(text), columns(sys.stderr)):
                shown = paint(line, "faint", wants_color(sys.stderr, self.color))
                print(shown, file=painted(sys.stderr), flush=True)

    def done(self, text: str) -> None:
        """What was done, to stderr."""
        if not self.quiet:
            print("\n".join(wrap(clean(text), columns(sys.stderr))), file=painted(sys.stderr))

    def warning(self, text: str, hint: str | None = None) -> None:
        """Something that may be wrong, to stderr, also when quiet."""
        color = wants_color(sys.stderr, self.color)
        for line in (f"warning: {clean(text)}", *([] if hint is None else [f"hint: {clean(hint)}"])):
            print(styled_prefix(line) if color else line, file=painted(sys.stderr))

    def report(self, table: Table) -> None:
        """A table that is no data, to stderr."""
        if not self.quiet:
            for line in table.lines(columns(sys.stderr), wants_color(sys.stderr, self.color)):
                print(line, file=painted(sys.stderr))


def share(part: float) -> str:
    """A part of the whole in per cent: what is there is not 0.0 %."""
    return "<0.1 %" if 0 < part < 0.0005 else f"{part:.1%}".replace("%", " %")


whole, plural = number, counted


def documents_in_words(value: Number) -> str:
    """Documents by their weights: `12,345 documents`, `2.5 documents`."""
    return counted(value, "document")


def row_writer(file: TextIO, *, tabs: bool) -> Callable[[Iterable[Iterable[object]]], None]:
    """What writes rows, as CSV or as TSV. TSV has no quotes, so tabs and line breaks in a value become spaces."""
    if not tabs:
        return csv.writer(file, lineterminator="\n").writerows
    out = csv.writer(file, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
    return lambda rows: out.writerows(map(one_line, row) for row in rows)


def one_line(value: object) -> object:
    """Text without tabs and line breaks; other values as they are."""
    return value.translate(_SPACES) if isinstance(value, str) else value


_SPACES = str.maketrans("\t\n\r", "   ")


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """The file to write to; it appears under its name only when the block ends well. None or `-` is stdout."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    with replacing(path) as file, open(file, "w", encoding="utf-8", errors=ESCAPED, newline="", closefd=False) as text:
        yield guarded(text)  # /dev/stdout may be a terminal
