"""`likelier learn`, and what `likelier forget` shares with it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter

import click

from likelier._cli.shared.failures import Misuse, keeps
from likelier._cli.shared.file_options import ReadingOptions, labeled_options
from likelier._cli.shared.options import LISTED, as_label, by_option, model_argument, screen_options, threads_option
from likelier._cli.shared.output import Screen, documents_in_words, plural
from likelier._cli.shared.program import TYPED, command, option
from likelier._cli.shared.progress import reported, updated
from likelier._cli.shared.typed import Asking, TypedInput, argument, check_not_files, missing_files, placed, typed
from likelier._documents.labels import Label, misspelling_of
from likelier._model.models import Model, load


@dataclass(frozen=True)
class Change:
    """The arguments of `learn` and `forget`."""

    model: Path
    files: tuple[str, ...]
    as_label: str | None
    mail: bool
    by: str | None
    reading: ReadingOptions
    threads: int | None
    screen: Screen

    @property
    def command(self) -> str:
        return f"likelier {click.get_current_context().command.name} {self.model}"

    @property
    def undo(self) -> str:
        """The command that forgets what `learn` has learned: the same with another name."""
        typed = [word for word in click.get_current_context().meta[TYPED] if word != "--once"]
        words = ["likelier", "forget", *typed]
        return shlex.join(words) + ("" if self.files else " < FILE")

    def documents(self) -> Any:
        """The documents to learn or to forget: of files, or typed ones with a label."""
        with keeps(self.model):
            if self.as_label is not None:
                return [(document, self.as_label) for document in self._typed(self.as_label)]
            if self.mail:
                raise Misuse("--mail requires --as LABEL", hint=f"{self.command} --as spam --mail < FILE")
            if not self.files:
                raise Misuse(
                    "expected FILE or --as LABEL", hint=f'{self.command} FILE, or {self.command} --as LABEL "text"'
                )
            return self.reading.for_model(load(self.model).schema).documents(self.files, labeled=True)

    def _typed(self, label: str) -> list[Any]:
        schema = load(self.model).schema
        self.reading.for_model(schema)  # checks --text
        command = f"{self.command} --as {shlex.quote(label)}"
        documents = typed(self.files, schema, command)
        self._check_texts([each for each in documents if isinstance(each, str)], label, command)
        if len(documents) < 2:
            given = {name: self.reading.given[name] for name in ("encoding", "max_document")}
            documents = [TypedInput(schema, self.screen, self.command, self.mail, **given).document(self.files)]
        Asking(schema, self.screen).note_ignored(documents)
        for document in documents:
            if isinstance(document, str) and not document.strip():
                raise Misuse(f"expected a text that is not empty, got {document!r}", hint=f'{command} "text"')
        return documents

    def _check_texts(self, texts: Sequence[str], label: str, command: str) -> None:
        """Refuse file names in place of texts, whether the files exist or not."""
        check_not_files(texts, f"{self.command} {shlex.quote(label)}={{}}")
        for name in missing_files(texts):
            hint = f"check the name; if it is a text: echo {shlex.quote(name)} | {command}"
            raise Misuse(f"no such file: {name!r}", hint=hint)

    def apply(self, model: Model, documents: Any, work: Callable[..., Any], *, new: bool) -> tuple[int, Any]:
        """Call `work` with the documents; returns their number and the result. new: new labels are fine."""
        if isinstance(documents, list):
            pairs = [(each, as_label(label, model.labels, new=new)) for each, label in documents]
            with placed(argument(len(pairs))), catch_warnings():
                simplefilter("ignore")  # missing columns are obvious here
                return len(pairs), work(pairs, by=self.by)
        with reported(documents, self.reading, self.screen):
            result = work(documents, threads=self.threads, by=self.by)
        return documents.rows, result


def change_options(function: Any) -> Any:
    """The arguments and options of `learn` and `forget`."""
    decorators = [
        model_argument,
        click.argument("files", nargs=-1, metavar="[FILE...]"),
        option("--as", "as_label", metavar="LABEL", group="Documents", help="Label of the documents in the arguments."),
        option("--mail", is_flag=True, group="Documents", help="With --as: read one email from standard input."),
        by_option,
        labeled_options,
        threads_option,
        screen_options,
    ]
    for decorate in reversed(decorators):
        function = decorate(function)
    return function


@command(
    usage='MODEL FILE... | MODEL --as LABEL ["TEXT"... | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        "likelier learn shop.likelier messages.tsv",
        'likelier learn shop.likelier --as returns "My parcel arrived broken"',
        "likelier learn tickets.likelier --as delivery channel=phone days=9",
        "likelier learn shop.likelier --as billing --mail < mail.eml",
        "likelier learn shop.likelier messages.tsv --once --by anna",
    ],
)
@option(
    "--once", is_flag=True, group="Documents", help="Do not count documents again that the model has already learned."
)
@change_options
def learn(once: bool, **given: Any) -> None:
    """Add documents to a model.

    FILE is anything that `train` reads, with the columns of the model. With --as, each
    argument is a text, or COLUMN=VALUE arguments form one document; without arguments,
    standard input is one text or JSON object, or with --mail one email. The result is the
    same as training on everything at once. A document that was learned before counts
    again, unless --once is given. Repeated documents and new labels are reported.
    """
    change = Change(**given)
    documents = change.documents()
    with updated(change.model, change.screen) as model:
        before = model.labels
        count, known = change.apply(model, documents, partial(model.learn_many, once=once), new=True)
        total, after = documents_in_words(model.documents), model.labels
    if before:  # in an empty model all labels are new
        _report_new_labels(before, after, change, undo=None if once and known else change.undo)
    said = _not_again(count, known) if once else f"learned {plural(count, 'document')}{_again(count, known)}"
    change.screen.done(f"{said}; {change.model} now has {total}")


def _not_again(count: int, known: int) -> str:
    learned = f"learned {plural(count - known, 'new document')}"
    return f"{learned}, {known:,} {'was' if known == 1 else 'were'} learned before" if known else learned


def _again(count: int, known: int) -> str:
    if not known:
        return ""
    if count == 1:
        return ", which was learned before and counts again"
    return f", {known:,} of which {'was' if known == 1 else 'were'} learned before and count{'s' * (known == 1)} again"


def _report_new_labels(before: Sequence[Label], after: Sequence[Label], change: Change, *, undo: str | None) -> None:
    """Name new labels; warn of those that may be misspelled, with the command that undoes it if there is one."""
    known = set(before)
    new = [label for label in after if label not in known]
    alike = {label: close for label in new if (close := misspelling_of(label, before)) is not None}
    if alike:
        slips = ", ".join(f"{label!r} (did you mean {close!r}?)" for label, close in list(alike.items())[:LISTED])
        change.screen.warning(f"new label{'s' * (len(alike) > 1)}: {slips}", hint=undo and f"to undo: {undo}")
    fine = [repr(label) for label in new if label not in alike]
    if fine:
        more = f" and {len(fine) - LISTED:,} more" if len(fine) > LISTED else ""
        change.screen.note(f"new label{'s' * (len(fine) > 1)}: {', '.join(fine[:LISTED])}{more}")
