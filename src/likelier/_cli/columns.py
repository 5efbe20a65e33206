"""The columns of a table: what `train` is told about them, and what a model knows of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from likelier._cli.failures import Misuse
from likelier._cli.options import option_group
from likelier._cli.program import option

if TYPE_CHECKING:
    from likelier._documents.schema import Schema


@dataclass(frozen=True)
class ColumnOptions:
    """What was said about columns.

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


column_options = option_group(
    "columns",
    _columns,
    option("--label", metavar="COLUMN", group="Columns", help="The column with the labels; guessed if it is clear."),
    option(
        "--text",
        multiple=True,
        metavar="COLUMN",
        group="Columns",
        help="A column with texts. One alone, and no other kind: documents are plain texts. Repeatable.",
    ),
    option(
        "--categorical",
        multiple=True,
        metavar="COLUMN",
        group="Columns",
        help="A column with one of some values. Repeatable.",
    ),
    option("--binary", multiple=True, metavar="COLUMN", group="Columns", help="A column with yes or no. Repeatable."),
    option(
        "--numeric",
        multiple=True,
        metavar="COLUMN[=RULE]",
        group="Columns",
        help="A column with numbers; what is behind the last = is how they are read, see --numbers. Repeatable.",
    ),
    option(
        "--ignore",
        multiple=True,
        metavar="COLUMN",
        group="Columns",
        help="A column to leave out when the kinds are guessed. Repeatable.",
    ),
    option(
        "--bind",
        nargs=2,
        multiple=True,
        metavar="COLUMN COLUMN",
        group="Columns",
        help="Two columns of values that depend on each other: they count as one. Repeatable.",
    ),
    option(
        "--missing-value",
        "missing_values",
        multiple=True,
        metavar="TEXT",
        group="Columns",
        help="How a missing value is written; without it, ?, NA, N/A, NaN or null. Repeatable.",
    ),
)


text_option = option(
    "--text", metavar="COLUMN", group="Reading", help="The column with the texts; guessed if it is clear."
)
label_option = option(
    "--label", metavar="COLUMN", group="Reading", help="The column with the labels; guessed if it is clear."
)


def known_columns(schema: Schema, text: str | None) -> dict[str, Any]:
    """For files that a model reads: its own columns; of plain texts, the column may be named."""
    if text is not None and not schema.is_plain:
        raise Misuse(
            f"--text names the column of plain texts, and this model has columns of its own: {schema.in_words()}",
            hint="leave --text out: the columns are found by their names, so name them in the file as they are here",
        )
    return {"schema": schema, "text": text}
