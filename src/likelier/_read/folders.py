"""What a folder holds.

mail/cur, mail/new          a Maildir; its label is its name
data/a.csv, data/b.csv      tables: all of them are read
boxes/ham.mbox, spam.mbox   mailboxes; the label is the name
corpus/ham/..., spam/...    one sub-folder for each label: texts, mails, mailboxes or Maildirs below it
texts/a.txt, texts/b.txt    documents without labels
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple
from unicodedata import normalize

from likelier._base.errors import error
from likelier._read.compression import decompressed_head
from likelier._read.formats import TABLES, is_mail, kind_by_name, look, sniff, stem
from likelier._read.streams import DataSource, Pipe, cannot_read, head_of, shown

SAMPLE_FOLDERS = 50
SAMPLE_FILES = 5  # of each folder


class Asked(NamedTuple):
    """How a source is to be read: as which kind, with which label for all its documents, and whether labels matter."""

    kind: str | None
    label: str | None
    labeled: bool


def folder_sources(path: str, asked: Asked) -> list[DataSource]:
    """What to read from a folder."""
    kind, label, _ = asked
    files, folders = _listed(path)
    if is_maildir(path) and kind in (None, "maildir", "mail", "labels"):
        return [_maildir(path, label)]
    if kind == "maildir":
        return _maildirs(path, folders, label)
    if kind in TABLES or kind == "mbox" or (kind is None and any(kind_by_name(name) in TABLES for name in files)):
        return _data_files(path, kind, label)
    boxes = [] if kind else [name for name in files if _is_box(os.path.join(path, name))]
    if boxes and label is None:
        return _boxes(path, files, boxes, asked.labeled)
    if folders and label is None:
        return _labels(path, files, folders, asked)
    if next(files_below(path), None) is None:
        raise error("folder-empty", path=shown(path))
    inside, note = _inside_of([path], kind)
    return [DataSource(path, inside, None, label, shown(path), note=note)]


def entries_of(path: str) -> list[os.DirEntry[str]]:
    """What is in a folder, in order, without hidden names and the locks of open spreadsheets."""
    try:
        return sorted(
            (entry for entry in os.scandir(path) if not entry.name.startswith((".", "~$"))),
            key=lambda entry: entry.name,
        )
    except OSError as error:
        raise cannot_read(path, error) from None


def files_below(folder: str) -> Iterator[str]:
    """The paths of all files in a folder and below it, in order."""
    for entry in entries_of(folder):
        if entry.is_dir(follow_symlinks=False):
            yield from files_below(entry.path)
        elif entry.is_file() or (entry.is_symlink() and not os.path.exists(entry.path)):
            yield entry.path  # a link that leads nowhere is reported when it is opened


def is_maildir(path: str) -> bool:
    """Whether a folder is a Maildir: it has `cur` and `new`."""
    return all(os.path.isdir(os.path.join(path, part)) for part in ("cur", "new"))


def maildir_files(path: str) -> Iterator[str]:
    """The paths of the mails in a Maildir."""
    for part in ("cur", "new"):
        yield from (entry.path for entry in entries_of(os.path.join(path, part)) if entry.is_file())


def _listed(path: str) -> tuple[list[str], list[str]]:
    """The names of the files and of the folders in a folder."""
    entries = entries_of(path)
    return [entry.name for entry in entries if entry.is_file()], [entry.name for entry in entries if entry.is_dir()]


def label_of(path: str) -> str:
    """The label that a name gives: without endings, and composed, as some systems store names decomposed."""
    return normalize("NFC", stem(os.path.abspath(path)).lstrip("."))


def file_source(path: str, kind: str | None, label: str | None = None, pipe: Pipe | None = None) -> DataSource:
    """A single file or pipe, looked at; the name of a mailbox is its label, if there is no other."""
    name = "standard input" if path == "-" else shown(path)
    seen = look(name, pipe.look() if pipe else head_of(path), kind=kind)
    own = label_of(path) if seen.kind == "mbox" and pipe is None else None
    return DataSource(path, seen.kind, seen.compression, label or own, name, note=seen.note, pipe=pipe)


def _files(number: int) -> str:
    return f"{number} file{'s' * (number != 1)}"


def _maildirs(path: str, folders: list[str], label: str | None) -> list[DataSource]:
    found = [joined for name in folders if is_maildir(joined := os.path.join(path, name))]
    if not found:
        raise error("maildir-foreign", path=shown(path))
    return [_maildir(each, label) for each in found]


def _maildir(path: str, label: str | None = None) -> DataSource:
    return DataSource(path, "maildir", None, label or label_of(path), shown(path))


def _data_files(path: str, kind: str | None, label: str | None) -> list[DataSource]:
    """All tables (or mailboxes) below a folder; other files are left out, with a note."""
    found, others = [], 0
    for file in files_below(path):
        if kind is None and kind_by_name(file) not in TABLES:
            others += 1
            continue
        found.append(file_source(file, kind, label))
    if not found:
        raise error("folder-empty", path=shown(path))
    return _noted(found, f"left out: {_files(others)} in {shown(path)}") if others else found


def _noted(sources: list[DataSource], note: str) -> list[DataSource]:
    """The first source has the note."""
    first = sources[0]
    return [replace(first, note=f"{note}; {first.note}" if first.note else note), *sources[1:]]


def _boxes(path: str, files: list[str], boxes: list[str], labeled: bool) -> list[DataSource]:
    found = [file_source(os.path.join(path, name), "mbox") for name in boxes]
    labels = ", ".join(str(source.label) for source in found[:10])
    others = f"; left out: {_files(len(files) - len(boxes))}" if len(files) > len(boxes) else ""
    said = f"mailboxes, their names are the labels ({labels})" if labeled else f"{len(found)} mailboxes"
    return _noted(found, f"{shown(path)}: {said}{others}")


def _is_box(path: str) -> bool:
    """An mbox by name, or by having at least two mails at its beginning."""
    named = kind_by_name(path)
    if named is not None:
        return named == "mbox"
    head = decompressed_head(head_of(path))
    return sniff(head) == "mbox" and head.count(b"\n\nFrom ") > 0


def _labels(path: str, files: list[str], folders: list[str], asked: Asked) -> list[DataSource]:
    """One sub-folder for each label."""
    full = [joined for name in folders if next(files_below(joined := os.path.join(path, name)), None) is not None]
    if not full:
        raise error("folder-empty", path=shown(path))
    plain = [each for each in full if not is_maildir(each)]
    inside, note = _inside_of(plain, asked.kind) if plain else ("maildir", None)
    found = [
        DataSource(each, "maildir" if is_maildir(each) else inside, None, label_of(each), shown(each)) for each in full
    ]
    some = ", ".join(str(source.label) for source in found[:10]) + (", ..." if len(found) > 10 else "")
    left = f"; left out: {_files(len(files))} beside the sub-folders" if files else ""
    what = f"sub-folders are the labels ({some})" if asked.labeled else "sub-folders are read"
    said = f"{shown(path)}: {len(found)} {what}{left}"
    return _noted(found, f"{said}; {note}" if note else said)


def _inside_of(folders: list[str], kind: str | None) -> tuple[str, str | None]:
    """How files are read whose names say nothing: the same in all folders, or labels would differ by it."""
    if kind in ("mail", "txt", "html", "mbox"):
        return kind, None
    sample = [
        file
        for folder in folders[:: max(1, len(folders) // SAMPLE_FOLDERS)]
        for file in islice((file for file in files_below(folder) if kind_by_name(file) is None), SAMPLE_FILES)
    ]
    if not sample:
        return "texts", None
    mails = sum(is_mail(decompressed_head(head_of(file))) for file in sample)
    if 2 * mails > len(sample):
        return "mails", "its files are read as mails (guessed by their headers; kind='txt' reads them unchanged)"
    return "texts", None


def check_labels(sources: list[DataSource]) -> None:
    """Raise if documents have no label: neither a folder nor a mailbox nor LABEL= gives one."""
    for source in sources:
        if source.label is not None or source.kind in TABLES:
            continue
        if source.once or os.path.isfile(source.path):
            raise error("document-without-label", source=source.name_shown, kind=source.kind, path=shown(source.path))
        raise error("folder-without-labels", source=source.name_shown)
