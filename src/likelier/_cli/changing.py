"""What `learn` and `forget` have in common: which documents, and the model file that changes."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, simplefilter

import click

from likelier._cli.asking import check_not_files, missing_files, one_text
from likelier._cli.columns import known_columns, label_option, text_option
from likelier._cli.documents import Asking, Document, argument, check_text_column, of_line, placed, typed
from likelier._cli.failures import Misuse, keeps
from likelier._cli.models import told
from likelier._cli.options import ReadingOptions, model_argument, reading_options, screen_options, threads_option
from likelier._cli.output import Screen
from likelier._cli.program import TYPED, option
from likelier._cli.values import as_label

if TYPE_CHECKING:
    from likelier._documents.schema import Schema
    from likelier._model.models import Model


@dataclass(frozen=True)
class Change:
    """The arguments of `learn` and `forget`."""

    files: tuple[str, ...]
    as_label: str | None
    mail: bool
    text: str | None
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
        option(
            "--as", "as_label", metavar="LABEL", group="Documents", help="The arguments are documents with this label."
        ),
        option("--mail", is_flag=True, group="Documents", help="With --as: standard input is one mail."),
        text_option,
        label_option,
        reading_options,
        threads_option,
        screen_options,
    ]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


def documents_of(change: Change, model: Path, screen: Screen, command: str) -> Any:
    """The documents to learn or to forget: of files, or typed ones with a label."""
    from likelier._cli.models import load

    if change.as_label is None:
        if change.mail:
            raise Misuse("--mail needs the label of the mail", hint=f"{command} --as spam --mail < FILE")
        if not change.files:
            raise Misuse("there is nothing to read", hint=f'{command} FILE, or {command} --as LABEL "text"')
    schema = load(model).schema
    columns = known_columns(schema, change.text)
    if change.as_label is None:
        reading = change.reading.with_columns(label=change.label, **columns)
        return reading.documents(list(change.files), labelled=True)
    asked = f"{command} --as {shlex.quote(change.as_label)}"
    documents = typed(change.files, schema, asked)
    _check_texts([each for each in documents if isinstance(each, str)], change.as_label, command)
    if len(documents) < 2 and not (documents and isinstance(documents[0], dict)):
        documents = [_one_text(change, schema, screen, command)]
    Asking(schema, screen).say_ignored(documents)
    for document in documents:
        if isinstance(document, str) and not document.strip():
            raise Misuse(f"a text must not be empty, got {document!r}", hint=f'{asked} "text"')
    return [(document, change.as_label) for document in documents]


def _one_text(change: Change, schema: Schema, screen: Screen, command: str) -> Document:
    """One text: the argument, one mail, or all of standard input, which may be a JSON object."""
    if change.mail or change.files:
        check_text_column(schema, change.files[0] if change.files else "--mail", command)
    given = {name: change.reading.given[name] for name in ("encoding", "max_document")}
    text = one_text(change.files, mail=change.mail, **given, screen=screen, command=command)
    return text if change.mail or change.files else of_line(text, schema, "standard input", command)


def _check_texts(texts: Sequence[str], label: str, command: str) -> None:
    """Names of files are no texts, whether the files are there or not."""
    check_not_files(texts, f"{command} {shlex.quote(label)}={{}}")
    for name in missing_files(texts):
        hint = f"look at the name; or, if it is a text: echo {shlex.quote(name)} | {command} --as {shlex.quote(label)}"
        raise Misuse(f"there is no file {name!r}", hint=hint)


@contextmanager
def changing(path: Path, screen: Screen) -> Iterator[Model]:
    """The model of a file, which is saved when the block ends without an error."""
    from likelier._model.models import updating

    def waiting() -> None:
        screen.note(f"another process is changing {path}; waiting for it")

    with keeps(path), updating(path, waiting=waiting) as model:
        yield model


def apply(
    change: Change, model: Model, documents: Any, what: str, screen: Screen, work: Callable[..., Any]
) -> tuple[int, Any]:
    """Does the work with the documents; how many there were, and what it gave."""
    if isinstance(documents, list):
        pairs = [(each, as_label(label, model.labels, new=what == "learn")) for each, label in documents]
        with placed(argument(len(pairs))), catch_warnings():
            simplefilter("ignore")  # that columns are missing, which is plain to see
            result = work(pairs)
        return len(pairs), result
    with told(documents, change.reading, screen):
        result = work(documents, threads=change.threads)
    return documents.rows, result
