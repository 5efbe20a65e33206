"""What `likelier classify` writes for other programs: CSV, TSV, spreadsheets, JSON or the bare label."""

from __future__ import annotations

import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time
from pathlib import Path
from typing import Any, Protocol, TextIO

from likelier._answer.verdict import Verdicts
from likelier._base.errors import error
from likelier._cli.commands.classify_output import Aligned, AskedDocument, ExplainedAnswers, Printed
from likelier._cli.shared.failures import ESCAPED, Misuse
from likelier._cli.shared.output import Screen, plural
from likelier._cli.shared.targets import one_line, row_writer
from likelier._model.view import View
from likelier._text.texts import listed_texts

NAMES = ("label", "probability", "unknown_share", "reason")
PREFIX = "likelier_"
MOST_ROWS, MOST_CHARACTERS = 1 << 20, 32_767  # of a sheet, of a cell
LARGEST_EXACT = 10**15  # a spreadsheet has 15 digits


@dataclass(frozen=True)
class How:
    """How verdicts are written.

    output  the file; None for stdout
    digits  decimals of probabilities
    """

    explain: bool
    probabilities: bool
    digits: int
    output: Path | None


class Write(Protocol):
    """Writes verdicts, part by part."""

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None: ...
    def close(self) -> None: ...


def writer(form: str, file: TextIO, view: View, screen: Screen, how: How) -> Write:
    """A function that writes verdicts in this format."""
    if how.explain and form not in ("table", "json"):
        raise Misuse(f"--explain does not work with --format {form}", hint="--format json --explain")
    if form == "label":
        return BareLabels(file)
    if form == "table":
        return ExplainedAnswers(file, view, screen) if how.explain else Aligned(file, view, screen, how.probabilities)
    return RECORDS[form](form, file, view, screen, how)


class BareLabels(Printed):
    """One label a line."""

    def __init__(self, file: TextIO) -> None:
        self.file = file

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        self.file.writelines(f"{'' if label is None else one_line(label)}\n" for label in verdicts.labels)


class Records(ABC):
    """Verdicts as records with named fields."""

    def __init__(self, form: str, file: TextIO, view: View, screen: Screen, how: How) -> None:
        self.form, self.file, self.view, self.screen, self.how = form, file, view, screen, how
        self.names: dict[str, str] = {}

    @abstractmethod
    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None: ...

    def close(self) -> None:  # noqa: B027
        """Finish the file."""

    def name_results(self, part: AskedDocument) -> None:
        """Choose names for the new columns that the file does not have."""
        if self.names:
            return
        taken = {name for row in part.rows or [] for name in row}
        wanted = [*NAMES, "probabilities", *(f"P({label})" for label in self.view.labels), "explanation"]
        prefix = ""
        while any(prefix + name in taken for name in wanted):
            prefix += PREFIX
        if prefix:
            there = next(name for name in wanted if name in taken)
            self.screen.note(f"the file already has a column {there!r}; the new columns are {prefix}label and so on")
        self.names = {name: prefix + name for name in wanted}

    def results(self, verdicts: Verdicts) -> list[list[Any]]:
        """label, probability, unknown_share and reason of each document."""
        probability, unknown = (
            map(self.number, each.tolist()) for each in (verdicts.probability, verdicts.unknown_share)
        )
        return [list(row) for row in zip(verdicts.labels, probability, unknown, verdicts.reasons, strict=True)]

    def number(self, value: float) -> Any:
        """A number, rounded to `digits` decimals."""
        return round(value, self.how.digits)


class Rows(Records):
    """A table with a header line."""

    columns: list[str] | None = None

    @abstractmethod
    def write(self, rows: Iterable[list[Any]]) -> None:
        """Write some rows; the first one is the header."""

    def begin(self, part: AskedDocument) -> None:
        """Prepare the file, by the first documents."""

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        self.name_results(part)
        labels = [self.names[f"P({label})"] for label in self.view.labels] if self.how.probabilities else []
        names = [self.names[name] for name in NAMES] + labels
        if self.columns is None:
            self.begin(part)
            self.columns = list(dict.fromkeys(name for row in part.rows for name in row)) if part.rows else ["text"]
            self.write([[*self.columns, *names] if part.rows else [*names, "text"]])
        results = self.results(verdicts)
        if self.how.probabilities:
            every = verdicts.probabilities.tolist()
            results = [[*row, *map(self.number, each)] for row, each in zip(results, every, strict=True)]
        if part.rows is None:
            self.write([*row, text] for row, text in zip(results, listed_texts(part.texts), strict=True))
        else:
            self.write([*self._fields(row), *new] for row, new in zip(part.rows, results, strict=True))

    def _fields(self, row: dict[str, Any]) -> list[Any]:
        assert self.columns is not None
        if list(row) == self.columns:
            return list(row.values())
        if not set(row) <= set(self.columns):
            extra = next(name for name in row if name not in self.columns)
            raise Misuse(
                f"all rows must have the columns of the first, {', '.join(map(repr, self.columns))}, got {extra!r}",
                hint="--format json allows rows with different columns",
            )
        return [row.get(name, "") for name in self.columns]


class SeparatedValues(Rows):
    """CSV or TSV; a file has the layout of the one that was read, if that is the same sort of file."""

    def begin(self, part: AskedDocument) -> None:
        layout = part.layout if self.how.output is not None and part.layout is not None else None
        layout = layout if layout is not None and layout.kind == self.form else None
        if layout is not None and layout.marked:
            self.file.write("\ufeff")
        self._write = row_writer(self.file, tabs=self.form == "tsv", layout=layout)

    def write(self, rows: Iterable[list[Any]]) -> None:
        self._write(rows)

    def number(self, value: float) -> str:
        """Without an exponent, which many programs take for text."""
        whole, point, decimals = f"{value:.{self.how.digits}f}".partition(".")
        return whole + point + (decimals.rstrip("0") or "0")


class Workbook(Rows):
    """A spreadsheet (.xlsx). Texts are texts, whatever they begin with: a sheet never holds a formula."""

    def __init__(self, form: str, file: TextIO, view: View, screen: Screen, how: How) -> None:
        super().__init__(form, file, view, screen, how)
        try:
            from xlsxwriter import Workbook
        except ImportError:
            raise error("spreadsheet-extra", what=f"writing {how.output}", package="XlsxWriter") from None
        self._book = Workbook(getattr(file, "buffer"), {"constant_memory": True})  # noqa: B009 - not of every TextIO
        self._sheet = self._book.add_worksheet("likelier")
        self._sheet.freeze_panes(1, 0)
        self._dates = {
            kind: self._book.add_format({"num_format": shown})
            for kind, shown in ((date, "yyyy-mm-dd"), (datetime, "yyyy-mm-dd hh:mm:ss"), (time, "hh:mm:ss"))
        }
        self._rows = self._cut = 0

    def write(self, rows: Iterable[list[Any]]) -> None:
        for row in rows:
            if self._rows == MOST_ROWS:
                raise Misuse(f"a spreadsheet has at most {MOST_ROWS:,} rows", hint="--output answers.csv")
            for column, value in enumerate(row):
                self._write_cell(column, value)
            self._rows += 1

    def _write_cell(self, column: int, value: Any) -> None:
        place = self._rows, column
        if value is None or value == "":
            return
        if isinstance(value, bool):
            self._sheet.write_boolean(*place, value)
        elif isinstance(value, int | float) and math.isfinite(value) and abs(value) < LARGEST_EXACT:
            self._sheet.write_number(*place, value)
        elif type(value) in self._dates:
            self._sheet.write_datetime(*place, value, self._dates[type(value)])
        else:
            text = str(value).encode(errors=ESCAPED).decode()
            self._cut += len(text) > MOST_CHARACTERS
            self._sheet.write_string(*place, text[:MOST_CHARACTERS])

    def close(self) -> None:
        self._book.close()
        if self._cut:
            self.screen.warning(
                f"cut off {plural(self._cut, 'text')} at {MOST_CHARACTERS:,} characters, the most that a cell can hold",
                hint="--output answers.csv keeps them whole",
            )


class Objects(Records):
    """JSON Lines: one object for each document; or an array, where one was read and the name of the file allows it."""

    before = ""  # what precedes the next object of an array
    is_array = False

    def __call__(self, part: AskedDocument, verdicts: Verdicts) -> None:
        self.name_results(part)
        keys = [self.names[name] for name in NAMES]
        texts = listed_texts(part.texts) if part.rows is None else []
        lines = []
        for place, result in enumerate(self.results(verdicts)):
            before = {"text": texts[place]} if part.rows is None else dict(part.rows[place])
            record = before | dict(zip(keys, result, strict=True))
            if self.how.probabilities:
                each = map(self.number, verdicts.probabilities[place].tolist())
                record[self.names["probabilities"]] = dict(zip(map(str, self.view.labels), each, strict=True))
            if self.how.explain:
                record[self.names["explanation"]] = part.explanation(self.view, place, verdicts).to_dict()
            lines.append(json.dumps(record, ensure_ascii=False, default=str))
        self._write(lines, part)

    def _write(self, lines: list[str], part: AskedDocument) -> None:
        if not self.before:
            read = part.layout is not None and part.layout.kind == "json"
            self.is_array = read and self.how.output is not None and self.how.output.suffix.lower() == ".json"
            self.before = "[\n" if self.is_array else "\n"
        if not self.is_array:
            self.file.writelines(f"{line}\n" for line in lines)
        elif lines:
            self.file.write(self.before + ",\n".join(lines))
            self.before = ",\n"

    def close(self) -> None:
        if self.is_array:
            self.file.write("[]\n" if self.before == "[\n" else "\n]\n")


RECORDS: dict[str, type[Records]] = {"csv": SeparatedValues, "tsv": SeparatedValues, "xlsx": Workbook, "json": Objects}
