"""Files to write: a result replaces neither an input nor, unless it is a model, a model.

Every command is checked before it starts: options of the type `NewFile` against options and arguments that name files.
Files are compared by identity and not by name, so a link to a file is that file.
"""

from __future__ import annotations

import csv
import glob
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TextIO

import click

from likelier._base.errors import LikelierError
from likelier._base.files import replacing
from likelier._cli.shared.failures import ESCAPED, Misuse
from likelier._cli.shared.output import Screen, columns, guarded, painted, wants_color
from likelier._cli.shared.program import Function, option
from likelier._read.sources import find
from likelier._read.tabular import Layout
from likelier._show.words import listed
from likelier._storage.save_file import is_model

READ = (
    "model",
    "models",
    "files",
    "inputs",
    "source",
    "stop_words",
    "replacements",
)  # parameters that name files to read
Identity = tuple[int, int]


class NewFile(click.Path):
    """The name of a file to write.

    example  a name to suggest
    model    whether it is a model, which may replace a model
    formats  ending of the name → format, where --format does not say it
    """

    def __init__(self, example: str, *, model: bool = False, formats: Mapping[str, str] | None = None) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self.example, self.model, self.formats = example, model, formats

    def get_metavar(self, param: click.Parameter, ctx: click.Context) -> str:
        return "MODEL" if self.model else "FILE"


TABLE_OR_JSON = {".json": "json", ".jsonl": "json", ".txt": "table"}


def output_option(example: str, formats: Mapping[str, str] = TABLE_OR_JSON) -> Callable[[Function], Function]:
    """`--output FILE`."""
    text = "Write to FILE instead of stdout, once complete."
    return option("--output", "-o", type=NewFile(example, formats=formats), group="Output", help=text)


def format_option(function: Function) -> Function:
    """`--format table` or `json`."""
    text = "Output format. Default: by the name of the --output file, else table."
    return option("--format", "form", type=click.Choice(["table", "json"]), group="Output", help=text)(function)


def report_option(function: Function) -> Function:
    """`--report FILE`."""
    text = "Also write an HTML report with charts; it works offline."
    return option("--report", type=NewFile("report.html"), group="Output", help=text)(function)


def check_targets(context: click.Context) -> None:
    """Refuse to overwrite an input or a model, or to write one file twice."""
    seen: dict[str, str] = {}
    for parameter in context.command.get_params(context):
        path = context.params.get(parameter.name or "")
        if isinstance(parameter.type, NewFile) and path is not None and (parameter.type.model or str(path) != "-"):
            option = max(parameter.opts, key=len)
            if str(path) == "-":
                raise _refused("a model cannot be written to standard output", option, parameter.type)
            other = seen.setdefault(os.path.realpath(path), option)
            if other != option:
                raise _refused(f"{other} and {option} name the same file, {path}", option, parameter.type)
            _check(path, option, parameter.type, context.params)
            if parameter.type.formats and context.params.get("form") is None:
                _check_suffix(path, parameter.type.formats)


def _check(path: Path, option: str, target: NewFile, given: dict[str, Any]) -> None:
    identity = _identity(path)
    if identity is None:
        return
    for typed in _typed(given):
        if identity in _read(typed, given.get("kind"), folders=not target.model):
            known_as = "" if typed == str(path) else f", as {typed}"
            raise _refused(f"{option} would overwrite {path}, an input of this command{known_as}", option, target)
    if identity == _standard_input():
        raise _refused(f"{option} would overwrite {path}, which is standard input", option, target)
    if not target.model and is_model(path):
        raise _refused(f"{option} would overwrite {path}, a likelier model", option, target)


def _check_suffix(path: Path, formats: Mapping[str, str]) -> None:
    """A file must hold what its name says, so an unknown ending is refused."""
    if path.suffix and path.suffix.lower() not in formats and not (path.exists() and not path.is_file()):  # a device
        raise Misuse(
            f"the name of the --output file must end with {listed(formats, 'or')}, got {str(path)!r}",
            hint=f"--output {path.name.partition('.')[0]}{next(iter(formats))}, or choose the format with --format",
        )


def _refused(message: str, option: str, target: NewFile) -> Misuse:
    example = target.example
    while os.path.lexists(example):
        example = f"new-{example}"
    return Misuse(message, hint=f"choose another file: {option} {example}")


def _identity(path: str | Path) -> Identity | None:
    """The same for two names of one file; None if there is no such file."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None


def _standard_input() -> Identity | None:
    with suppress(OSError, ValueError, AttributeError):
        found = os.fstat(sys.stdin.fileno())
        return (found.st_dev, found.st_ino) if stat.S_ISREG(found.st_mode) else None
    return None


def _typed(given: dict[str, Any]) -> Iterator[str]:
    for name in READ:
        value = given.get(name)
        for each in value if isinstance(value, tuple) else (value,):
            if each is not None:
                yield str(each)


def _read(typed: str, kind: str | None, *, folders: bool) -> Iterator[Identity | None]:
    """The files behind FILE, LABEL=FILE, file:FILE, a pattern, or a folder."""
    for name in (typed, typed.partition("=")[2], typed.removeprefix("file:")):
        path = os.path.expanduser(name)
        for match in [path] if os.path.lexists(path) else glob.glob(path, recursive=True):
            if not os.path.isdir(match):
                yield _identity(match)
            elif folders:
                yield from _read_in(match, kind)


def _read_in(folder: str, kind: str | None) -> Iterator[Identity | None]:
    sources = []
    with suppress(LikelierError):  # reported when it is read
        sources = find(folder, kind=kind)
    for source in sources:
        if not os.path.isdir(source.path):
            yield _identity(source.path)
        for place, _, names in os.walk(source.path):
            yield from (_identity(os.path.join(place, name)) for name in names)


# ---- writing -----------------------------------------------------------------------------------------------------


class Result(Protocol):
    """What a command found, for people and as JSON values."""

    def lines(self, room: int, color: bool) -> list[str]: ...
    def plain(self) -> dict[str, Any]: ...


def show(found: Result, screen: Screen, *, as_json: bool, output: Path | None = None) -> None:
    """Print a result, or write it to a file."""
    with written(output) as file:
        if as_json:
            print(json.dumps(found.plain(), ensure_ascii=False, allow_nan=False), file=file)
        else:
            color = wants_color(file, screen.color) if output is None else bool(screen.color)
            print("\n".join(found.lines(columns(file), color)), file=painted(file))


def is_json(form: str | None, output: Path | None) -> bool:
    """Whether to write JSON: by --format, or else by the name of the file."""
    return (form or by_suffix(output, TABLE_OR_JSON, "table")) == "json"


def by_suffix(output: Path | None, formats: Mapping[str, str], otherwise: str) -> str:
    """The format that the name of a file says."""
    return otherwise if output is None else formats.get(output.suffix.lower(), otherwise)


def row_writer(
    file: TextIO, *, tabs: bool, layout: Layout | None = None
) -> Callable[[Iterable[Iterable[object]]], None]:
    """A function that writes rows as CSV or TSV, in the layout of another file if there is one.

    TSV has no quotes unless the other file has them, so tabs and line breaks become spaces.
    """
    layout = layout or (Layout("tsv", "\t", "") if tabs else Layout("csv"))
    if layout.kind == "tsv" and not layout.quote:
        out = csv.writer(file, delimiter="\t", lineterminator=layout.line_end, quoting=csv.QUOTE_NONE, quotechar=None)
        return lambda rows: out.writerows(map(one_line, row) for row in rows)
    return csv.writer(
        file,
        delimiter=layout.delimiter,
        quotechar=layout.quote or '"',
        quoting=csv.QUOTE_ALL if layout.all_quoted else csv.QUOTE_MINIMAL,
        lineterminator=layout.line_end,
    ).writerows


def one_line(value: object) -> object:
    """Text without tabs and line breaks; other values as they are."""
    return value.translate(_SPACES) if isinstance(value, str) else value


_SPACES = str.maketrans("\t\n\r", "   ")


@contextmanager
def written(path: Path | None) -> Iterator[TextIO]:
    """The file to write to; it appears under its name when the block succeeds. None or `-` is stdout."""
    if path is None or str(path) == "-":
        yield sys.stdout
        return
    with replacing(path) as file, open(file, "w", encoding="utf-8", errors=ESCAPED, newline="", closefd=False) as text:
        yield guarded(text)  # /dev/stdout may be a terminal
