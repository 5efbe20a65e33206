"""`likelier classify`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from likelier.cli.asking import check_not_files, lines_as_they_come, mail_text, standard_input, warn_of_names
from likelier.cli.failures import Misuse, keeps
from likelier.cli.options import (
    ReadingOptions,
    model_argument,
    reading_options,
    screen_options,
    threads_option,
    view_options,
)
from likelier.cli.output import Screen, written
from likelier.cli.program import command, option
from likelier.cli.targets import NewFile
from likelier.cli.viewing import ViewOptions

if TYPE_CHECKING:
    from likelier.cli.results import Part

FORMATS = ("table", "json", "csv", "tsv", "label")
BY_SUFFIX = {".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv", ".tsv": "tsv"}


@dataclass(frozen=True)
class Question:
    """What is asked: texts as arguments, files, or neither."""

    texts: tuple[str, ...]
    inputs: tuple[str, ...]
    mail: bool
    reading: ReadingOptions
    screen: Screen
    bar: bool

    def check(self, model: Path) -> None:
        """Whether the ways of asking go together."""
        ways = [bool(self.texts), bool(self.inputs), self.mail]
        if sum(ways) > 1:
            raise Misuse(
                "texts, --input and --mail are three ways to ask", hint=f"likelier classify {model} --input FILE"
            )
        for text in self.texts:
            way = "<" if text.endswith(".txt") else "--input"  # which would take a .txt as one document
            check_not_files([text], f"likelier classify {model} {way} {{}}")
        warn_of_names(self.texts, self.screen)

    def parts(self) -> Iterator[Part]:
        """The documents, as many at once as there are."""
        from likelier.cli.results import Part

        if self.texts:
            yield Part(list(self.texts))
        elif self.mail:
            yield Part([mail_text()], [{}])  # many lines of text: the verdict stands alone
        elif self.inputs:
            yield from self._of_files()
        else:
            encoding = self.reading.given.get("encoding", "utf-8")
            yield from map(Part, lines_as_they_come(standard_input(self.screen), encoding))

    def _of_files(self) -> Iterator[Part]:
        from likelier.cli.models import told
        from likelier.cli.results import Part

        for path in self.inputs:
            if path.endswith(".txt") and os.path.isfile(path) and self.reading.given["kind"] is None:
                self.screen.note(f"{path} is one document; for one text a line: likelier classify MODEL < {path}")
        documents = self.reading.documents(list(self.inputs), labelled=False, all_columns=True)
        with told(documents, self.reading, self.screen, bar=self.bar) as say:
            for batch in documents:
                say()
                yield Part(batch.texts, batch.rows())


@command(
    usage='MODEL ["TEXT"...] [--input FILE] [OPTIONS]',
    examples=[
        'likelier classify shop.likelier "Where is my parcel?"',
        "likelier classify shop.likelier --input messages.tsv --output answers.csv",
        "likelier classify shop.likelier --threshold 0.9 < new_messages.txt",
        "likelier classify shop.likelier --mail --exit-code --code returns=0 < mail.eml",
    ],
)
@model_argument
@click.argument("texts", nargs=-1, metavar="[TEXT...]")
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
@reading_options
@view_options
@threads_option
@screen_options
def classify(
    model: Path,
    texts: tuple[str, ...],
    inputs: tuple[str, ...],
    mail: bool,
    form: str | None,
    output: Path | None,
    probabilities: bool,
    explain: bool,
    exit_code: bool,
    codes: tuple[str, ...],
    reading: ReadingOptions,
    view: ViewOptions,
    threads: int | None,
    screen: Screen,
) -> int:
    """Say which label is likelier for each text.

    Texts are arguments, or documents of files (--input), or lines of standard input, each
    answered as soon as it is there. View options hold for this question only.

    The result has the columns label (empty: none), probability, unknown_share (of the
    text's terms) and reason. The columns of a file come first; if it has one of these
    names, the new ones are called likelier_label and so on. Formats: table for people, the
    default on a terminal; tsv and csv with a line of names, tsv is the default otherwise;
    json, one object a line; label, nothing else. csv and json keep every value as it is;
    tsv has no quotes, so tabs and line breaks within a value become spaces.

    With --exit-code the exit status is 10 for the first label in sorted order, 11 for the
    second and so on, 1 for no label, 2 for an error; with --quiet nothing is printed.
    """
    from likelier.cli.exits import Exits
    from likelier.cli.models import load
    from likelier.cli.results import writer

    question = Question(texts, inputs, mail, reading, screen, bar=output is not None)
    question.check(model)
    loaded = load(model)
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
            verdicts = asked.classify_many(part.texts, threads=threads)
            if exits:
                exits.take(verdicts)
            if not silent:
                write(part, verdicts)
                file.flush()
    return exits.status if exits else 0


def chosen_format(output: Path | None, explain: bool) -> str:
    """What the file's name says; a table for people, tab-separated values otherwise."""
    if output is not None:
        return BY_SUFFIX.get(output.suffix.lower(), "table" if explain else "tsv")
    return "table" if explain or sys.stdout.isatty() else "tsv"
