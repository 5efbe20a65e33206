"""From what the user typed to what is read: paths, wildcards, folders, "-" for standard input, LABEL=PATH."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._read.folders import Asked, check_labels, file_source, folder_sources
from likelier._read.formats import checked_kind, stem
from likelier._read.streams import DataSource, Pipe, is_pipe, open_file, shown, standard_input

PathLike = str | os.PathLike[str]


def find(sources: PathLike | Iterable[PathLike], *, kind: str | None = None, labeled: bool = False) -> list[DataSource]:
    """All that the sources name, each looked at: its kind, its compression, its label.

    kind: overrides what names and contents say.
    labeled: documents without a label are an error; tables may have theirs in a column.
    """
    asked = Asked(checked_kind(kind), None, labeled)
    several = isinstance(sources, Iterable) and not isinstance(sources, str | bytes | os.PathLike)
    typed: Any = sources if several else [sources]
    found = [source for each in typed for source in _sources(checked_source(each), asked)]
    if not found:
        raise error("sources-none")
    _refuse_twice(found)
    if labeled:
        check_labels(found)
    return found


def checked_source(typed: object) -> str:
    """The name of one source."""
    path = os.fspath(typed) if isinstance(typed, str | os.PathLike) else None
    if not isinstance(path, str) or not path or "\0" in path:
        raise error("source-kind", got=typed)
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


def _missing(path: str, typed: str) -> LikelierError:
    if glob.has_magic(path):
        return error("pattern-empty", path=shown(path))
    folder, name = os.path.split(os.path.expanduser(path))
    if not os.path.isdir(folder or "."):
        above, last = os.path.split(folder)
        near = _near(above, last)
        without = "file-missing.folder-near" if near else "file-missing.folder"
        return error(without, path=shown(path), missing=shown(folder), folder=shown(above) or ".", near=near)
    near, as_label = _near(folder, name), f" (nor a file named {shown(typed)!r})" if typed != path else ""
    case = "file-missing.near" if near else "file-missing"
    return error(case, path=shown(path), as_label=as_label, folder=shown(folder) or ".", near=near)


def _near(folder: str, name: str) -> str:
    try:
        names = sorted(os.listdir(folder or "."))
    except OSError:
        names = []
    lower = {each.lower(): each for each in names}
    close = [lower[each] for each in get_close_matches(name.lower(), lower, n=3, cutoff=0.6)]
    close += [each for each in names if stem(each) == name and each not in close][:3]
    return " or ".join(repr(shown(os.path.join(folder, each))) for each in close)


def _of_path(path: str, asked: Asked) -> list[DataSource]:
    if path != "-" and os.path.isdir(path):
        return folder_sources(path, asked)
    if asked.kind in ("maildir", "labels"):
        raise error("folder-expected", kind=asked.kind, path="standard input" if path == "-" else shown(path))
    pipe = standard_input() if path == "-" else Pipe(open_file(path), shown(path)) if is_pipe(path) else None
    found = file_source(path, asked.kind, asked.label, pipe)
    if pipe and found.kind == "parquet":
        raise error("parquet-piped", source=found.name_shown)
    return [found]


def _refuse_twice(sources: list[DataSource]) -> None:
    """A file that is named twice would be counted twice."""
    seen: set[str] = set()
    for source in sources:
        real = source.path if source.once else os.path.realpath(source.path)
        if real in seen:
            raise error("source-twice", source=source.name_shown)
        seen.add(real)
