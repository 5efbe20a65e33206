"""Data goes to stdout, everything else to stderr; color and progress bars only to a terminal.

NO_COLOR and --no-color turn color off, FORCE_COLOR and --color on. COLUMNS is the width; the default without a terminal
is 80.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TextIO, cast

from likelier._show.cells import LEFT_TO_RIGHT, STEERING, STYLES, clean, paint, wrap
from likelier._show.layout import GAP as GAP
from likelier._show.layout import LABEL_CELLS as LABEL_CELLS
from likelier._show.table import Table as Table
from likelier._show.words import Number, counted, number

NARROW, USUAL = 40, 80
PREFIXES = {"error:": "1;31", "warning:": "1;33", "hint:": "1"}  # with their styles


def wants_color(stream: TextIO, wish: bool | None = None) -> bool:
    """Whether to write color: `wish`, else NO_COLOR or FORCE_COLOR, else whether the stream is a terminal."""
    if wish is not None:
        return wish
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def columns(stream: TextIO) -> int:
    """The width of the stream, in characters."""
    if os.environ.get("COLUMNS", "").isdecimal() or stream.isatty():
        return max(shutil.get_terminal_size((USUAL, 24)).columns, NARROW)
    return USUAL


class Terminal:
    """A terminal that data cannot control.

    Control characters and changes of the writing direction are shown as escapes, as in JSON. Colors and the codes of
    the progress bar pass only through `painted`, which commands use for their own output.
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
    """The stream; if it is a terminal, data cannot control it."""
    return cast(TextIO, Terminal(stream, _DATA)) if stream.isatty() and not isinstance(stream, Terminal) else stream


def painted(stream: TextIO) -> TextIO:
    """The stream for text that a command has colored; anything from data in it is `clean`."""
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

    color  --color or --no-color; None: by the stream
    quiet  only errors and warnings on stderr
    """

    color: bool | None = None
    quiet: bool = False

    @property
    def width(self) -> int:
        """The width of stdout."""
        return columns(sys.stdout)

    @property
    def colored(self) -> bool:
        """Whether stdout has color."""
        return wants_color(sys.stdout, self.color)

    def note(self, text: str) -> None:
        """A remark, to stderr."""
        if not self.quiet:
            for line in wrap(clean(text), columns(sys.stderr)):
                shown = paint(line, "faint", wants_color(sys.stderr, self.color))
                print(shown, file=painted(sys.stderr), flush=True)

    def done(self, text: str) -> None:
        """What was done, to stderr."""
        if not self.quiet:
            print("\n".join(wrap(clean(text), columns(sys.stderr))), file=painted(sys.stderr))

    def warning(self, text: str, hint: str | None = None) -> None:
        """A warning, to stderr, even when quiet."""
        color = wants_color(sys.stderr, self.color)
        for line in (f"warning: {clean(text)}", *([] if hint is None else [f"hint: {clean(hint)}"])):
            print(styled_prefix(line) if color else line, file=painted(sys.stderr))

    def warning_detail(self, text: str) -> None:
        """A line below a warning."""
        for line in wrap(clean(text), columns(sys.stderr) - len(GAP)):
            print(GAP + line, file=painted(sys.stderr))

    def report(self, table: Table) -> None:
        """A table, to stderr."""
        if not self.quiet:
            for line in table.lines(columns(sys.stderr), wants_color(sys.stderr, self.color)):
                print(line, file=painted(sys.stderr))


whole, plural = number, counted


def documents_in_words(value: Number) -> str:
    """`12,345 documents`; weights may make it `2.5 documents`."""
    return counted(value, "document")
