"""What a command writes never takes the place of what it reads, nor of a model unless it makes one.

Every command is checked before it begins: the options of the type `NewFile` against the options and arguments that
name files. Files are compared themselves and not by their names, so a link to a file is that file.
"""

from __future__ import annotations

import glob
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import click

from likelier._base.errors import LikelierError
from likelier._cli.failures import Misuse

READ = ("model", "models", "files", "inputs", "stop_words", "replacements")  # parameters that name files to read
Identity = tuple[int, int]


class NewFile(click.Path):
    """The name of a file to write.

    example  a name to suggest
    model    whether the file will be a model, which may replace a model
    """

    def __init__(self, example: str, *, model: bool = False) -> None:
        super().__init__(dir_okay=False, path_type=Path)
        self.example, self.model = example, model


def check_targets(context: click.Context) -> None:
    """Refuses to write over what is read, over a model, or to one file twice."""
    seen: dict[str, str] = {}
    for parameter in context.command.get_params(context):
        path = context.params.get(parameter.name or "")
        if isinstance(parameter.type, NewFile) and path is not None and (parameter.type.model or str(path) != "-"):
            option = max(parameter.opts, key=len)
            if str(path) == "-":
                raise _refused("a model is written to a file, not to standard output", option, parameter.type)
            other = seen.setdefault(os.path.realpath(path), option)
            if other != option:
                raise _refused(f"{other} and {option} name the same file, {path}", option, parameter.type)
            _check(path, option, parameter.type, context.params)


def _check(path: Path, option: str, target: NewFile, given: dict[str, Any]) -> None:
    identity = _identity(path)
    if identity is None:
        return
    for typed in _typed(given):
        if identity in _read(typed, given.get("kind"), folders=not target.model):
            known_as = "" if typed == str(path) else f", as {typed}"
            raise _refused(f"{path} is read by this command{known_as}, so {option} does not replace it", option, target)
    if identity == _standard_input():
        raise _refused(f"{path} is standard input, so {option} does not replace it", option, target)
    if not target.model:
        from likelier._storage.writing import is_model

        if is_model(path):
            raise _refused(f"{path} is a likelier model, so {option} does not replace it", option, target)


def _refused(message: str, option: str, target: NewFile) -> Misuse:
    example = target.example
    while os.path.lexists(example):
        example = f"new-{example}"
    return Misuse(message, hint=f"name another file: {option} {example}")


def _identity(path: str | Path) -> Identity | None:
    """What two names of one file have in common; None for what is no file."""
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
    """The files that are read for FILE, LABEL=FILE, file:FILE, a pattern, or a folder."""
    for name in (typed, typed.partition("=")[2], typed.removeprefix("file:")):
        path = os.path.expanduser(name)
        for match in [path] if os.path.lexists(path) else glob.glob(path, recursive=True):
            if not os.path.isdir(match):
                yield _identity(match)
            elif folders:
                yield from _read_in(match, kind)


def _read_in(folder: str, kind: str | None) -> Iterator[Identity | None]:
    from likelier._read.sources import find

    sources = []
    with suppress(LikelierError):  # the reading will say what is wrong
        sources = find(folder, kind=kind)
    for source in sources:
        if not os.path.isdir(source.path):
            yield _identity(source.path)
        for place, _, names in os.walk(source.path):
            yield from (_identity(os.path.join(place, name)) for name in names)
