"""What `learn` and `forget` have in common: which documents, and the model file that changes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier.cli.asking import check_not_files, missing_files, one_text
from likelier.cli.failures import Misuse, keeps
from likelier.cli.models import told
from likelier.cli.options import (
    ReadingOptions,
    label_option,
    model_argument,
    reading_options,
    screen_options,
    threads_option,
)
from likelier.cli.output import Screen
from likelier.cli.program import TYPED, option
from likelier.cli.values import as_label

if TYPE_CHECKING:
    from likelier.model import Model


@dataclass(frozen=True)
class Change:
    """The arguments of `learn` and `forget`."""

    files: tuple[str, ...]
    as_label: str | None
    mail: bool
    label: str | None
    reading: ReadingOptions
    threads: int | None

    @property
    def undone(self) -> str:
        """The command that forgets what `learn` has learnt: the same with another name."""
        words = ["likelier", "forget", *click.get_current_context().meta[TYPED]]
        return shlex.join(words) + ("" if self.files else " < FILE")


def change_options(function: Any) -> Any:
    """The arguments and options of `learn` and `forget`."""
    decorators = [
        model_argument,
        click.argument("files", nargs=-1, metavar="[FILE...]"),
        option("--as", "as_label", metavar="LABEL", group="Texts", help="The arguments are texts with this label."),
        option("--mail", is_flag=True, group="Texts", help="With --as: standard input is one mail."),
        label_option,
        reading_options,
        threads_option,
        screen_options,
    ]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def documents_of(change: Change, screen: Screen, command: str) -> Any:
    """The documents to learn or to forget: of files, or texts with a label."""
    if change.as_label is None:
        if change.mail:
            raise Misuse("--mail needs the label of the mail", hint=f"{command} --as spam --mail < FILE")
        if not change.files:
            raise Misuse("there is nothing to read", hint=f'{command} FILE, or {command} --as LABEL "text"')
        return change.reading.with_label(change.label).documents(list(change.files), labelled=True)
    asked = f"{command} --as {shlex.quote(change.as_label)}"
    check_not_files(change.files, f"{command} {shlex.quote(change.as_label)}={{}}")
    for name in missing_files(change.files):
        hint = f"look at the name; or, if it is a text: echo {shlex.quote(name)} | {asked}"
        raise Misuse(f"there is no file {name!r}", hint=hint)
    texts = change.files
    if len(texts) < 2:
        encoding = change.reading.given.get("encoding", "utf-8")
        texts = (one_text(texts, mail=change.mail, encoding=encoding, screen=screen, command=command),)
    for text in texts:
        if not text.strip():
            raise Misuse(f"a text must not be empty, got {text!r}", hint=f'{asked} "text"')
    return [(text, change.as_label) for text in texts]


@contextmanager
def changing(path: Path, screen: Screen) -> Iterator[Model]:
    """The model of a file, which is saved when the block ends without an error."""
    from likelier.model import updating

    def waiting() -> None:
        screen.note(f"another process is changing {path}; waiting for it")

    with keeps(path), updating(path, waiting=waiting) as model:
        yield model


def apply(
    change: Change, model: Model, documents: Any, what: str, screen: Screen, work: Callable[..., Any]
) -> tuple[int, Any]:
    """Does the work with the documents; how many there were, and what it gave."""
    if isinstance(documents, list):
        pairs = [(text, as_label(label, model.labels, new=what == "learn")) for text, label in documents]
        result = work(pairs)
        return len(pairs), result
    with told(documents, change.reading, screen):
        result = work(documents, threads=change.threads)
    return documents.rows, result
