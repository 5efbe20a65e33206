"""From what the user typed to what is read: paths, wildcards, folders, "-" for standard input, LABEL=PATH."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from likelier._base.errors import FileError, InputError
from likelier._read.folders import Asked, check_labels, file_source, folder_sources
from likelier._read.formats import checked_kind, stem
from likelier._read.streams import DataSource, Pipe, is_pipe, open_file, shown, standard_input

PathLike = str | os.PathLike[str]


def find(
    sources: PathLike | Iterable[PathLike], *, kind: str | None = None, labelled: bool = False
) -> list[DataSource]:
    """All that the sources name, each looked at: its kind, its compression, its label.

    kind: overrides what names and contents say.
    labelled: documents without a label are an error; tables may have theirs in a column.
    """
    asked = Asked(checked_kind(kind), None, labelled)
    several = isinstance(sources, Iterable) and not isinstance(sources, str | bytes | os.PathLike)
    typed: Any = sources if several else [sources]
    found = [source for each in typed for source in _sources(checked_source(each), asked)]
    if not found:
        raise InputError(
            code="sources-none",
            message="there is nothing to read: no file was named",
            hint="name a file, or - for standard input",
        )
    _refuse_twice(found)
    if labelled:
        check_labels(found)
    return found


def checked_source(typed: object) -> str:
    """The name of one source."""
    path = os.fspath(typed) if isinstance(typed, str | os.PathLike) else None
    if not isinstance(path, str) or not path or "\0" in path:
        raise InputError(
            code="source-kind",
            message=f"a source is a path, a pattern such as *.csv, a folder or -, got {typed!r:.60}",
            hint="read(['a.csv', 'b.csv']); documents in Python need no reading: train([('text', 'label'), ...])",
        )
    return path


def _sources(typed: str, asked: Asked) -> list[DataSource]:
    """What exists under the name as typed comes first; then LABEL=PATH."""
    paths = _matching(typed)
    if not paths:
        label, equals, path = typed.partition("=")
        if not (equals and label.strip() and path):
            raise _missing(typed, typed)
        paths, asked = _matching(path), asked._replace(label=label.strip())
        if not paths:
            raise _missing(path, typed)
    return [source for path in paths for source in _of_path(path, asked)]


def _matching(typed: str) -> list[str]:
    path = os.path.expanduser(typed)
    if path == "-" or os.path.lexists(path):
        return [path]
    return sorted(glob.glob(path, recursive=True)) if glob.has_magic(path) else []


def _missing(path: str, typed: str) -> FileError:
    if glob.has_magic(path):
        return FileError(
            code="pattern-empty",
            message=f"no file matches the pattern {shown(path)!r}",
            hint="look with ls; ** goes through folders, and names that begin with a dot do not match *",
        )
    folder, name = os.path.split(os.path.expanduser(path))
    if not os.path.isdir(folder or "."):
        return FileError(
            code="file-missing",
            message=f"there is no {shown(path)!r}: the folder {shown(folder)!r} does not exist",
            hint=_close(os.path.dirname(folder), os.path.basename(folder)),
        )
    as_label = f" (nor a file named {shown(typed)!r})" if typed != path else ""
    return FileError(
        code="file-missing",
        message=f"there is no file or folder {shown(path)!r}{as_label}",
        hint=_close(folder, name),
    )


def _close(folder: str, name: str) -> str:
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        names = []
    lower = {each.lower(): each for each in names}
    close = [lower[each] for each in get_close_matches(name.lower(), lower, n=3, cutoff=0.6)]
    close += [each for each in names if stem(each) == name and each not in close][:3]
    if close:
        return f"did you mean {' or '.join(repr(shown(os.path.join(folder, each))) for each in close)}?"
    return f"ls {shown(folder) or '.'} shows what is there"


def _of_path(path: str, asked: Asked) -> list[DataSource]:
    if path != "-" and os.path.isdir(path):
        return folder_sources(path, asked)
    if asked.kind in ("maildir", "labels"):
        raise FileError(
            code="folder-expected",
            message=f"kind={asked.kind!r} is a folder, but {'standard input' if path == '-' else shown(path)} is none",
            hint="name the folder, or leave `kind` out",
        )
    pipe = standard_input() if path == "-" else Pipe(open_file(path), shown(path)) if is_pipe(path) else None
    found = file_source(path, asked.kind, asked.label, pipe)
    if pipe and found.kind == "parquet":
        raise FileError(
            code="parquet-piped",
            message=f"{found.name_shown} is a Parquet file, and those cannot be read from a pipe:"
            " their index stands at the end",
            hint="write it to a file first",
        )
    return [found]


def _refuse_twice(sources: list[DataSource]) -> None:
    """A file that is named twice would be counted twice."""
    seen: set[str] = set()
    for source in sources:
        real = source.path if source.once else os.path.realpath(source.path)
        if real in seen:
            raise InputError(
                code="source-twice",
                message=f"{source.name_shown} is named twice, so its documents would count twice",
                hint="name each file once; a pattern may cover it already",
            )
        seen.add(real)
