"""One thing that documents are read from, found and looked at, but not yet read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likelier.data.streams import Pipe


@dataclass(frozen=True)
class Source:
    """A file, a folder or a pipe.

    kind         csv, tsv, jsonl, parquet; mbox, maildir, mail, txt, html; for folders also mails, texts
    compression  gzip, zstd, bz2, xz or None
    label        the label of all its documents, if its name or its folder gives one
    note         what was guessed about it
    pipe         for what can be read only once
    """

    path: str
    kind: str
    compression: str | None
    label: str | None
    name_shown: str
    note: str | None = None
    pipe: Pipe | None = field(default=None, compare=False, repr=False)

    @property
    def once(self) -> bool:
        return self.pipe is not None


def shown(path: str) -> str:
    r"""A path as it can be printed anywhere.

    >>> print(shown("a\nb.csv"), shown("M\udcfcll"))
    a\nb.csv M\xfcll
    """
    if path.isprintable():
        return path
    return "".join(_escape(character) for character in path)


def _escape(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) - 0xDC00:02x}"  # a byte of a name that is not UTF-8
    return character if character.isprintable() else character.encode("unicode_escape").decode()
