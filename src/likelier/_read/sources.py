"""From what was typed to what is read: paths, wildcards, folders, "-" for standard input, LABEL=PATH."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable
from difflib import get_close_matches

from likelier._base.errors import FileError, InputError
from likelier._read.kinds import checked_kind, look, stem
from likelier._read.layouts import check_labels, folder_sources, label_of
from likelier._read.source import Source, shown
from likelier._read.streams import Pipe, head_of, is_pipe, open_file, standard_input

Typed = str | os.PathLike[str]


def find(sources: Typed | Iterable[Typed], *, kind: str | None = None, needs_labels: bool = False) -> list[Source]:
    """All that the sources name, each looked at: its kind, its compression, its label.

    kind: overrides what names and contents say.
    needs_labels: documents without a label are an error; tables may have theirs in a column.
    """
    given = checked_kind(kind)
    listed = [sources] if isinstance(sources, str | os.PathLike) else list(_checked(sources))
    found = [source for typed in listed for source in _sources(checked_source(typed), given, needs_labels)]
    if not found:
        raise InputError(
            code="sources-none",
            message="there is nothing to read: no file was named",
            hint="name a file, or - for standard input",
        )
    _refuse_twice(found)
    if needs_labels:
        check_labels(found)
    return found


def _checked(sources: object) -> Iterable[Typed]:
    if not isinstance(sources, Iterable) or isinstance(sources, bytes):
        checked_source(sources)
    return sources  # type: ignore[return-value]


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


def _sources(typed: str, kind: str | None, labelled: bool) -> list[Source]:
    label, paths = _resolved(typed)
    return [source for path in paths for source in _of_path(path, kind, label, labelled)]


def _resolved(typed: str) -> tuple[str | None, list[str]]:
    """The label, if one is given, and the paths. What exists under the name as typed comes first."""
    paths = _matching(typed)
    if paths:
        return None, paths
    label, equals, path = typed.partition("=")
    if not (equals and label.strip() and path):
        raise _missing(typed, typed)
    paths = _matching(path)
    if not paths:
        raise _missing(path, typed)
    return label.strip(), paths


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


def _of_path(path: str, kind: str | None, label: str | None, labelled: bool) -> list[Source]:
    if path == "-":
        return [_piped(standard_input(), "-", "standard input", kind, label)]
    if os.path.isdir(path):
        return folder_sources(path, kind=kind, label=label, labelled=labelled)
    if is_pipe(path):
        return [_piped(Pipe(open_file(path), shown(path)), path, shown(path), kind, label)]
    seen = look(shown(path), head_of(path), kind=_of_file(kind, path))
    own = label_of(path) if seen.kind == "mbox" else None
    return [Source(path, seen.kind, seen.compression, label or own, shown(path), seen.note)]


def _of_file(kind: str | None, path: str) -> str | None:
    if kind in ("maildir", "labels"):
        raise FileError(
            code="folder-expected",
            message=f"kind={kind!r} is a folder, but {shown(path)} is none",
            hint="name the folder, or leave `kind` out",
        )
    return kind


def _piped(pipe: Pipe, path: str, name: str, kind: str | None, label: str | None) -> Source:
    seen = look(name, pipe.look(), kind=_of_file(kind, name))
    if seen.kind == "parquet":
        raise FileError(
            code="parquet-piped",
            message=f"{name} is a Parquet file, and those cannot be read from a pipe: their index stands at the end",
            hint="write it to a file first",
        )
    return Source(path, seen.kind, seen.compression, label, name, seen.note, pipe)


def _refuse_twice(sources: list[Source]) -> None:
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
