"""`likelier classify`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from likelier._cli.asking import check_not_files, lines_as_they_come, mail_text, standard_input, warn_of_names
from likelier._cli.columns import known_columns, text_option
from likelier._cli.documents import Asking, Document, argument, check_text_column, of_line, typed
from likelier._cli.failures import Misuse, keeps
from likelier._cli.options import (
    ReadingOptions,
    model_argument,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier._cli.output import Screen, written
from likelier._cli.program import command, option
from likelier._cli.results import Part, writer
from likelier._cli.targets import NewFile
from likelier._cli.viewing import ViewOptions

if TYPE_CHECKING:
    from likelier._documents.schema import Schema

FORMATS = ("table", "json", "csv", "tsv", "label")
BY_SUFFIX = {".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv", ".tsv": "tsv"}


@dataclass(frozen=True)
class Question:
    """What is asked: documents as arguments, files, or neither."""

    model: Path
    schema: Schema
    arguments: tuple[str, ...]
    inputs: tuple[str, ...]
    mail: bool
    reading: ReadingOptions
    screen: Screen
    bar: bool

    @property
    def command(self) -> str:
        return f"likelier classify {self.model}"

    def check(self) -> None:
        """Whether the ways of asking go together."""
        ways = [bool(self.arguments), bool(self.inputs), self.mail]
        if sum(ways) > 1:
            raise Misuse("texts, --input and --mail are three ways to ask", hint=f"{self.command} --input FILE")
        for each in self.arguments:
            way = "<" if each.endswith(".txt") else "--input"  # which would take a .txt as one document
            check_not_files([each], f"{self.command} {way} {{}}")
        if self.mail:
            check_text_column(self.schema, "--mail", self.command)
        for_files = [] if self.inputs else self.reading.for_tables
        if for_files:
            raise Misuse(
                f"{for_files[0]} is for files, and no file is named",
                hint=f"{self.command} --input FILE; standard input is a file too: --input -",
            )

    def parts(self) -> Iterator[Part]:
        """The documents, as many at once as there are."""
        asking = Asking(self.schema, self.screen)
        encoding, longest = (self.reading.given[name] for name in ("encoding", "max_document"))
        if self.arguments:
            documents = typed(self.arguments, self.schema, self.command)
            warn_of_names([each for each in documents if isinstance(each, str)], self.screen)
            yield self._part(documents, asking, argument(len(documents)))
        elif self.mail:
            part = self._part([mail_text(encoding, longest)], asking, lambda _: "the mail")
            yield replace(part, rows=[{}])  # many lines of text: the verdict stands alone
        elif self.inputs:
            yield from self._of_files()
        else:
            what = "a text" if self.schema.is_plain else 'a JSON object such as {"COLUMN": "VALUE"}'
            lines = lines_as_they_come(standard_input(self.screen, what), encoding, longest)
            yield from map(Part, lines) if self.schema.is_plain else self._of_lines(lines, asking)

    def _of_lines(self, lines: Iterator[list[str]], asking: Asking) -> Iterator[Part]:
        before = 0
        for some in lines:
            places = [f"line {number} of standard input" for number in range(before + 1, before + len(some) + 1)]
            before += len(some)
            there = [pair for pair in zip(some, places, strict=True) if pair[0].strip() or len(self.schema.texts) == 1]
            if there:
                documents = [of_line(line, self.schema, place, self.command) for line, place in there]
                yield self._part(documents, asking, partial(_place, there))

    def _part(self, documents: list[Document], asking: Asking, where: Callable[[int], str]) -> Part:
        if self.schema.is_plain:
            return Part(documents)
        name = next(iter(self.schema.texts), "")
        rows = [{name: each} if isinstance(each, str) else each for each in documents]
        return Part((), rows, asking.about(documents, where))

    def _of_files(self) -> Iterator[Part]:
        from likelier._cli.models import told

        for path in self.inputs:
            if path.endswith(".txt") and os.path.isfile(path) and self.reading.given["kind"] is None:
                self.screen.note(f"{path} is one document; for one text a line: likelier classify MODEL < {path}")
        documents = self.reading.documents(list(self.inputs), labelled=False, all_columns=True)
        with told(documents, self.reading, self.screen, bar=self.bar) as say:
            for batch in documents:
                say()
                plain = self.schema.is_plain
                yield Part(batch.texts if plain else (), batch.rows(), None if plain else batch)


@command(
    usage='MODEL ["TEXT"... | COLUMN=VALUE...] [--input FILE] [OPTIONS]',
    examples=[
        'likelier classify shop.likelier "Where is my parcel?"',
        "likelier classify shop.likelier --input messages.tsv --output answers.csv",
        "likelier classify shop.likelier --threshold 0.9 < new_messages.txt",
        'likelier classify tickets.likelier "subject=Where is it?" channel=phone days=9',
        "likelier classify shop.likelier --mail --exit-code --code returns=0 < mail.eml",
    ],
)
@model_argument
@click.argument("arguments", nargs=-1, metavar="[TEXT...]")
@option("--input", "-i", "inputs", multiple=True, metavar="FILE", group="Input", help="A file of any kind. Repeatable.")
@option("--mail", is_flag=True, group="Input", help="Standard input is one mail.")
@option("--format", "form", type=click.Choice(FORMATS), group="Output", help="See above; json is one object a line.")
@option(
    "--output",
    "-o",
    type=NewFile("answers.csv"),
    metavar="FILE",
    group="Output",
    help="Write to a file, when complete.",
)
@option("--probabilities", is_flag=True, group="Output", help="Also the probability of every label.")
@option("--explain", is_flag=True, group="Output", help="Also why; with --format table or json.")
@option("--exit-code", is_flag=True, group="Output", help="The exit status is the label's; for one text.")
@option(
    "--code",
    "codes",
    multiple=True,
    metavar="LABEL=NUMBER",
    group="Output",
    help="With --exit-code: another number for a label. Repeatable.",
)
@text_option
@reading_options
@view_options
@threads_option
@screen_options
def classify(
    model: Path,
    arguments: tuple[str, ...],
    inputs: tuple[str, ...],
    mail: bool,
    form: str | None,
    output: Path | None,
    probabilities: bool,
    explain: bool,
    exit_code: bool,
    codes: tuple[str, ...],
    text: str | None,
    reading: ReadingOptions,
    view: ViewOptions,
    threads: int | None,
    screen: Screen,
) -> int:
    """Say which label is likelier for each document.

    Documents are texts as arguments, or rows of files (--input), or lines of standard
    input, each answered as soon as it is there. For a model with columns, COLUMN=VALUE
    arguments are together one document, and lines are JSON objects. View options hold for
    this question only.

    The result has the columns label (empty: none), probability, unknown_share (of the
    text's terms) and reason. The columns of a file come first; if it has one of these
    names, the new ones are called likelier_label and so on. Formats: table for people, the
    default on a terminal; tsv and csv with a line of names, tsv is the default otherwise;
    json, one object a line; label, nothing else. csv and json keep every value as it is;
    tsv has no quotes, so tabs and line breaks within a value become spaces.

    With --exit-code the exit status is 10 for the first label in sorted order, 11 for the
    second and so on, 1 for no label, 2 for an error; with --quiet nothing is printed.
    """
    from likelier._cli.exits import Exits
    from likelier._cli.models import load

    loaded = load(model)
    reading = reading.with_columns(**known_columns(loaded.schema, text))
    question = Question(model, loaded.schema, arguments, inputs, mail, reading, screen, bar=output is not None)
    question.check()
    exits = Exits(loaded.labels, codes) if exit_code else None
    if codes and exits is None:
        raise Misuse("--code goes with --exit-code", hint=f"--exit-code --code {codes[0]}")
    asked = view.of(loaded)
    parts = exits.only_one(question.parts()) if exits else question.parts()
    with keeps(output), written(output) as file:
        form = form or chosen_format(output, explain)
        silent = exits is not None and screen.quiet
        write = writer(form, file, asked, screen, explain=explain, probabilities=probabilities)
        for part in parts:
            verdicts = asked.classify_many(part.asked, threads=threads)
            if exits:
                exits.take(verdicts)
            if not silent:
                write(part, verdicts)
                file.flush()
    return exits.status if exits else 0


def _place(lines: list[tuple[str, str]], row: int) -> str:
    return lines[row][1]


def chosen_format(output: Path | None, explain: bool) -> str:
    """What the file's name says; a table for people, tab-separated values otherwise."""
    if output is not None:
        return BY_SUFFIX.get(output.suffix.lower(), "table" if explain else "tsv")
    return "table" if explain or sys.stdout.isatty() else "tsv"
