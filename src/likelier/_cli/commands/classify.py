"""`likelier classify`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from likelier._cli.commands.classify_output import AskedDocument
from likelier._cli.commands.classify_records import How, writer
from likelier._cli.shared.engines import Engine, engine_options
from likelier._cli.shared.failures import ERROR, Misuse, keeps
from likelier._cli.shared.file_options import ReadingOptions, unlabeled_options
from likelier._cli.shared.options import as_label, model_argument, screen_options, split_label, threads_option
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import reported
from likelier._cli.shared.targets import by_suffix, output_option, written
from likelier._cli.shared.typed import (
    Asking,
    Document,
    argument,
    check_not_files,
    check_text_column,
    mail_text,
    of_line,
    standard_input,
    typed,
    warn_of_names,
)
from likelier._cli.shared.view_options import ViewOptions, view_options
from likelier._documents.labels import Label
from likelier._documents.schema import Schema
from likelier._model.models import load
from likelier._model.view import View
from likelier._read.lines import arriving_lines
from likelier._read.reader import read

FORMATS = ("table", "json", "csv", "tsv", "xlsx", "label")
BY_SUFFIX = {".csv": "csv", ".tsv": "tsv", ".tab": "tsv", ".xlsx": "xlsx", ".json": "json"}
BY_SUFFIX |= {".jsonl": "json", ".ndjson": "json", ".txt": "text"}
FIRST, NO_LABEL, MOST = 10, 1, 200  # exit statuses: of the first label, of no label; most labels


@dataclass(frozen=True)
class Question:
    """The documents to classify: arguments, files, one email, or lines of standard input."""

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
        """Refuse options that contradict each other."""
        ways = [bool(self.arguments), bool(self.inputs), self.mail]
        if sum(ways) > 1:
            raise Misuse("TEXT, --input and --mail are mutually exclusive", hint=f"{self.command} --input FILE")
        for each in self.arguments:
            way = "<" if each.endswith(".txt") else "--input"  # for --input, a .txt is one document
            check_not_files([each], f"{self.command} {way} {{}}")
        if self.mail:
            check_text_column(self.schema, "--mail", self.command)
        if self.reading.typed and not self.inputs:
            raise Misuse(
                f"{self.reading.typed[0]} requires --input",
                hint=f"{self.command} --input FILE; for standard input: --input -",
            )

    def parts(self) -> Iterator[AskedDocument]:
        """The documents, in parts as they become available."""
        asking = Asking(self.schema, self.screen)
        encoding, longest = (self.reading.given[name] for name in ("encoding", "max_document"))
        if self.arguments:
            documents = typed(self.arguments, self.schema, self.command)
            warn_of_names([each for each in documents if isinstance(each, str)], self.screen)
            yield self._part(documents, asking, argument(len(documents)))
        elif self.mail:
            part = self._part([mail_text(encoding, longest)], asking, lambda _: "the mail")
            yield replace(part, rows=[{}])  # many lines of text are not repeated
        elif self.inputs:
            yield from self._of_files()
        else:
            what = "a text" if self.schema.is_plain else 'a JSON object such as {"COLUMN": "VALUE"}'
            lines = arriving_lines(standard_input(self.screen, what), encoding, longest)
            yield from map(AskedDocument, lines) if self.schema.is_plain else self._of_lines(lines, asking)

    def _of_lines(self, lines: Iterator[list[str]], asking: Asking) -> Iterator[AskedDocument]:
        before = 0
        for some in lines:
            places = [f"line {number} of standard input" for number in range(before + 1, before + len(some) + 1)]
            before += len(some)
            there = [pair for pair in zip(some, places, strict=True) if pair[0].strip() or len(self.schema.texts) == 1]
            if there:
                documents = [of_line(line, self.schema, place, self.command) for line, place in there]
                yield self._part(documents, asking, partial(_place, there))

    def _part(self, documents: list[Document], asking: Asking, where: Callable[[int], str]) -> AskedDocument:
        if self.schema.is_plain:
            return AskedDocument(documents)
        name = next(iter(self.schema.texts), "")
        rows = [{name: each} if isinstance(each, str) else each for each in documents]
        return AskedDocument((), rows, asking.about(documents, where))

    def _of_files(self) -> Iterator[AskedDocument]:
        for path in self.inputs:
            if path.endswith(".txt") and os.path.isfile(path) and self.reading.given["kind"] is None:
                self.screen.note(f"{path} is one document; to classify its lines: likelier classify MODEL < {path}")
        documents = self.reading.documents(self.inputs, labeled=False, all_columns=True)
        with reported(documents, self.reading, self.screen, with_bar=self.bar) as report:
            for batch in documents:
                report()
                plain = self.schema.is_plain
                asked = batch.texts if plain else ()
                yield AskedDocument(asked, batch.rows(), None if plain else batch, documents.layout)


def exit_statuses(labels: Sequence[Label], given: Iterable[str]) -> dict[Label | None, int]:
    """Labels as exit statuses: 10 for the first in sorted order, 11 for the second, ...; 1 for none; or as given."""
    if len(labels) > MOST:
        raise Misuse(f"--exit-code supports at most {MOST} labels, the model has {len(labels)}", hint="--format label")
    found: dict[Label | None, int] = {None: NO_LABEL, **{label: FIRST + place for place, label in enumerate(labels)}}
    for text in given:
        label, number = split_label(text, "--code")
        if not isinstance(number, int) or not 0 <= number <= 255 or number == ERROR:
            raise Misuse(
                f"an exit status is an integer from 0 to 255 other than {ERROR} (error), got {text!r}",
                hint=f"--code {label}=0",
            )
        found[as_label(label, labels)] = number
    return found


def _only_one(parts: Iterable[AskedDocument]) -> list[AskedDocument]:
    """The documents, if there is exactly one."""
    found: list[AskedDocument] = []
    for part in parts:
        found.append(part)
        if sum(map(len, found)) > 1:
            break
    if sum(map(len, found)) != 1:
        raise Misuse(
            f"--exit-code requires one document, got {'more' if found else 'none'}",
            hint="give one text, or one email with --mail",
        )
    return found


@command(
    usage='MODEL ["TEXT"... | COLUMN=VALUE...] [--input FILE] [OPTIONS]',
    examples=[
        'likelier classify shop.likelier "Where is my parcel?"',
        "likelier classify shop.likelier --input messages.tsv --output answers.csv",
        "likelier classify shop.likelier --threshold 0.9 < new_messages.txt",
        'likelier classify tickets.likelier "subject=Where is it?" channel=phone days=9',
        "likelier classify shop.likelier --mail --exit-code --code returns=0 < mail.eml",
        "likelier classify mail.likelier --engine spark --input 'file:///new/*.parquet' --output answers",
    ],
)
@model_argument
@click.argument("arguments", nargs=-1, metavar="[TEXT...]")
@option("--input", "-i", "inputs", multiple=True, metavar="FILE", group="Input", help="File to classify. Repeatable.")
@option("--mail", is_flag=True, group="Input", help="Read one email from standard input.")
@option("--format", "form", type=click.Choice(FORMATS), group="Output", help="Output format, see above.")
@output_option("answers.csv", BY_SUFFIX)
@option("--probabilities", is_flag=True, group="Output", help="Include the probabilities of all labels.")
@option(
    "--digits",
    type=click.IntRange(1, 17),
    default=6,
    metavar="N",
    group="Output",
    help="Decimals of probabilities, other than in a table. Default: 6.",
)
@option("--explain", is_flag=True, group="Output", help="Include explanations; for the formats table and json.")
@option("--exit-code", is_flag=True, group="Output", help="Return the label as exit status; for one document.")
@option(
    "--code", "codes", multiple=True, metavar="LABEL=NUMBER", group="Output", help="Exit status of LABEL. Repeatable."
)
@unlabeled_options
@view_options
@engine_options
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
    digits: int,
    explain: bool,
    exit_code: bool,
    codes: tuple[str, ...],
    reading: ReadingOptions,
    view: ViewOptions,
    engine: Engine,
    threads: int | None,
    screen: Screen,
) -> int:
    """Classify documents.

    Documents are texts in the arguments, rows of files (--input), or lines of standard
    input, which are classified as they arrive. For a model with columns, COLUMN=VALUE
    arguments form one document, and lines are JSON objects. View options apply to this
    command only and are not stored.

    The output has the columns label (empty: none), probability, unknown_share (share of
    unknown terms) and reason. The columns of a file come first; if it has one of these
    names, the new columns are called likelier_label and so on. Formats: table (default in a
    terminal), tsv (default otherwise) and csv with a header line, xlsx for spreadsheets,
    json with one object per line, and label with the bare label. csv and json preserve
    every value; tsv has no quotes, so tabs and line breaks become spaces.

    The name of the --output file sets the format: .csv, .tsv, .xlsx, .json, .jsonl, .txt. A
    .csv or .tsv file is written like the --input file of this kind: with the same
    delimiter, quotes, line ends and byte order mark. For a JSON array, .json is an array.

    With --exit-code, the exit status is 10 for the first label in sorted order, 11 for the
    second and so on, 1 for no label, 2 for an error; with --quiet nothing is printed.

    With --engine spark, the workers of a Spark cluster classify the rows of --input, which
    is Parquet, CSV, TSV or JSON Lines at an address that all of them can reach, and write
    the folder --output: Parquet, or what its name ends with (.csv, .tsv, .jsonl).
    """
    loaded = load(model)
    reading = reading.for_model(loaded.schema)
    if engine.is_spark:
        from likelier._cli.commands.classify_spark import classify_on_spark

        with keeps(output):
            classify_on_spark(engine, view.of(loaded), inputs, output, reading, screen, probabilities=probabilities)
        return 0
    question = Question(model, loaded.schema, arguments, inputs, mail, reading, screen, bar=output is not None)
    question.check()
    statuses = exit_statuses(loaded.labels, codes) if exit_code else None
    if codes and statuses is None:
        raise Misuse("--code requires --exit-code", hint=f"--exit-code --code {codes[0]}")
    asked = view.of(loaded)
    parts = _only_one(question.parts()) if statuses else question.parts()
    status = 0
    with keeps(output), written(output) as file:
        form = chosen_format(form, output, explain)
        silent = statuses is not None and screen.quiet
        how = How(explain=explain, probabilities=probabilities, digits=digits, output=output)
        write = writer(form, file, asked, screen, how)
        for part in parts:
            verdicts = asked.classify_many(part.asked, threads=threads)
            if statuses:
                status = statuses[verdicts.labels[0]]
            if not silent:
                write(part, verdicts)
                file.flush()
        write.close()
    return status


def _place(lines: list[tuple[str, str]], row: int) -> str:
    return lines[row][1]


def classify_file(view: View, source: Path, target: Path, text: str | None) -> None:
    """Classifies the rows of a file, and writes them to another one with labels and probabilities.

    text: the column with the texts, where documents are plain texts.
    """
    documents = read(source, schema=view.schema, labeled=False, all_columns=True, text=text)
    screen = Screen(color=False, quiet=True)
    with written(target) as file:
        how = How(explain=False, probabilities=False, digits=6, output=target)
        write = writer(by_suffix(target, BY_SUFFIX, "csv"), file, view, screen, how)
        for batch in documents:
            plain = view.schema.is_plain
            part = AskedDocument(batch.texts if plain else (), batch.rows(), None if plain else batch, documents.layout)
            write(part, view.classify_many(part.asked))
        write.close()


def chosen_format(form: str | None, output: Path | None, explain: bool) -> str:
    """By the name of the file; a table in a terminal, tab-separated values otherwise."""
    is_book = output is not None and output.suffix.lower() == ".xlsx"
    if form is not None and is_book != (form == "xlsx"):
        raise Misuse(
            f"--format {form} does not fit --output {'standard output' if output is None else output}",
            hint="--format xlsx requires a file: --output answers.xlsx" if form == "xlsx" else "omit --format",
        )
    if form is not None:
        return form
    found = by_suffix(output, BY_SUFFIX, "text")
    if found != "text":
        return found
    return "table" if explain or (output is None and sys.stdout.isatty()) else "tsv"
