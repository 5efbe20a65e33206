"""How files are read: their format, and the columns of tables."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import Decorator, option_group
from likelier._cli.shared.program import option
from likelier._cli.shared.targets import NewFile
from likelier._documents.schema import Schema
from likelier._read.formats import GIVEN
from likelier._read.reader import Documents, read

ONLY_FILES = ("kind", "delimiter", "quote", "header", "sheet", "text", "on_error")  # meaningless for texts as arguments


@dataclass(frozen=True)
class ReadingOptions:
    """How files are read.

    given    the arguments of `read`
    rejects  where to write skipped rows
    typed    the options given that apply to files only
    """

    given: dict[str, Any] = field(default_factory=dict)
    rejects: Path | None = None
    typed: tuple[str, ...] = ()

    def documents(self, sources: tuple[str, ...], *, labeled: bool, **more: Any) -> Documents:
        """The documents of files."""
        return read(list(sources), labeled=labeled, rejects=self.rejects, **self.given, **more)

    def for_model(self, schema: Schema) -> ReadingOptions:
        """The same with the columns of a model; of plain texts, --text may name the column."""
        if self.given["text"] is not None and not schema.is_plain:
            raise Misuse(
                f"--text names the column of plain texts, but this model has columns: {schema.in_words()}",
                hint="omit --text; the columns of the file must have the names of those of the model",
            )
        return self.with_columns(schema=schema)

    def with_columns(self, **columns: Any) -> ReadingOptions:
        """The same for certain columns: their names and kinds, or a model's schema."""
        return replace(self, given={**self.given, **columns})


def _reading(delimiter: str | None, on_error: str, rejects: Path | None, **more: Any) -> ReadingOptions:
    if rejects is not None and on_error != "skip":
        raise Misuse("--rejects requires --on-error skip", hint=f"--on-error skip --rejects {rejects}")
    context = click.get_current_context()
    typed = tuple(
        parameter.opts[-1]
        for parameter in context.command.params
        if parameter.name in ONLY_FILES and context.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT
    )
    delimiter = {"\\t": "\t", "tab": "\t"}.get(delimiter or "", delimiter)
    return ReadingOptions({"delimiter": delimiter, "on_error": on_error, **more}, rejects, typed)


max_document_option = option(
    "--max-document", default="64MB", metavar="SIZE", group="Input", help="Maximum size of a document. Default: 64MB."
)
_LABEL = option("--label", metavar="COLUMN", help="Column with the labels. Default: guessed, if unambiguous.")
_TEXT = option("--text", metavar="COLUMN", help="Column with the texts. Default: guessed, if unambiguous.")
_FORMAT: tuple[Decorator[Any], ...] = (
    option("--kind", metavar="KIND", help=f"File format: {', '.join(GIVEN)}. Default: by file name."),
    option("--encoding", metavar="NAME", help="Text encoding, e.g. cp1250. Default: UTF-8; else detected."),
    option("--delimiter", metavar="CHARACTER", help="Field delimiter; 'tab' for a tab. Default: detected."),
    option("--quote", metavar="CHARACTER", help="Quote character, '' for none. Default: \"; in TSV: detected."),
    option("--no-header", "header", flag_value=False, default=True, help="No header line; columns are named 1, 2, ..."),
    option("--sheet", metavar="NAME", help="Sheet of a spreadsheet. Default: the first."),
    max_document_option,
    option(
        "--on-error",
        type=click.Choice(["stop", "skip"]),
        default="stop",
        help="Stop at a malformed row, or skip it. Default: stop.",
    ),
    option("--rejects", type=NewFile("rejects.csv"), help="Write skipped rows to FILE."),
)
format_options = option_group("reading", _reading, *_FORMAT, group="Reading")
unlabeled_options = option_group("reading", _reading, _TEXT, *_FORMAT, group="Reading")
labeled_options = option_group("reading", _reading, _TEXT, _LABEL, *_FORMAT, group="Reading")


# ---- columns of a new model --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ColumnOptions:
    """What was given about columns.

    reading  the names by kind, as `read` takes them
    bind     columns that count as one
    numbers  COLUMN=RULE, as `--numbers` takes them
    """

    reading: dict[str, Any]
    bind: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]


def _columns(
    label: str | None,
    text: tuple[str, ...],
    numeric: tuple[str, ...],
    bind: tuple[tuple[str, str], ...],
    missing_values: tuple[str, ...],
    **kinds: tuple[str, ...],
) -> ColumnOptions:
    named = [each.rpartition("=")[0] or each for each in numeric]
    reading: dict[str, Any] = {"label": label, "text": text[0] if len(text) == 1 else list(text) or None}
    reading |= {"numeric": named, **{kind: list(names) for kind, names in kinds.items()}}
    if missing_values:
        reading["missing_values"] = list(missing_values)
    return ColumnOptions(reading, bind, tuple(each for each in numeric if each.rpartition("=")[0]))


def _column(name: str, help: str, metavar: str = "COLUMN", **more: Any) -> Decorator[Any]:
    return option(name, multiple=True, metavar=metavar, help=f"{help} Repeatable.", **more)


column_options = option_group(
    "columns",
    _columns,
    _LABEL,
    _column("--text", "Text column. If it is the only column, documents are plain texts."),
    _column("--categorical", "Categorical column."),
    _column("--binary", "Binary (yes/no) column."),
    _column("--numeric", "Numeric column, with its rule if given, see --numbers.", "COLUMN[=RULE]"),
    _column("--ignore", "Column to ignore when kinds are guessed."),
    _column("--bind", "Two dependent columns to count as one.", "COLUMN COLUMN", nargs=2),
    option(
        "--missing-value",
        "missing_values",
        multiple=True,
        metavar="TEXT",
        help="Text that marks a missing value. Default: ?, NA, N/A, NaN, null. Repeatable.",
    ),
    group="Columns",
)
