"""Data frames of any library: through Arrow where they offer it, else column by column."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from likelier._kernel import ArrowReader, Column
from likelier.data.batch import Batch
from likelier.data.columns import Choice, choose
from likelier.data.documents import Origin, Reading
from likelier.data.faults import Fault, missing_label, missing_text
from likelier.data.rejects import Rejects
from likelier.data.tables import SAMPLE_ROWS
from likelier.data.usable import rows_of_columns, usable
from likelier.errors import InputError
from likelier.text.texts import checked_texts

LABEL_KINDS = ("text", "int", "bool", "null")


class FrameOrigin(Origin):
    """A data frame; its labels may also be whole numbers or truth values."""

    def __init__(self, frame: Any) -> None:
        self.frame = frame
        self.name = f"the {type(frame).__name__}"
        self.once = not hasattr(frame, "shape")  # a reader that is used up, not a table

    def batches(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        stream = _arrow(self.frame)
        if stream is None:
            yield from self._without_arrow(reading, rejects, notes)
            return
        first = stream.next(list(range(len(stream.names))))
        choice = self._choose(stream.names, first, reading)
        notes.extend(choice.notes)
        self._check_kinds(choice, dict(zip(stream.names, stream.kinds, strict=True)))
        yield from self._with_arrow(stream, first, choice, reading, rejects)

    def _choose(self, names: list[str], first: list[Column] | None, reading: Reading) -> Choice:
        def sample() -> dict[str, list[str | None]]:
            return {name: _spelled(column) for name, column in zip(names, first or [], strict=first is not None)}

        options = {"text": reading.text, "label": reading.label}
        return choose(names, sample, labelled=reading.labelled, source=self.name, **options)

    def _check_kinds(self, choice: Choice, kinds: dict[str, str]) -> None:
        for name, allowed in ((choice.text, ("text", "null")), (choice.label, LABEL_KINDS)):
            if name is not None and kinds[name] not in allowed:
                raise InputError(
                    code="column-values",
                    message=f"a text column holds text, and a label column text, whole numbers or truth values;"
                    f" column {name!r} of {self.name} holds {kinds[name]}",
                    hint="turn it into text first, or name another column with `text` or `label`",
                )

    def _with_arrow(
        self, stream: ArrowReader, first: list[Column] | None, choice: Choice, reading: Reading, rejects: Rejects
    ) -> Iterator[Batch]:
        chosen = [name for name in (choice.text, choice.label) if name is not None]
        wanted = stream.names if reading.all_columns else chosen
        places = [stream.names.index(name) for name in wanted]
        columns = None if first is None else [first[place] for place in places]
        before = 0
        while columns is not None:
            by_name = dict(zip(wanted, columns, strict=True))
            start, before = before, before + len(columns[0])
            rows_of = rows_of_columns(by_name) if reading.all_columns else None
            yield usable(by_name, choice, self._place_from(start), rejects, rows_of=rows_of)
            columns = stream.next(places)

    def _place_from(self, start: int) -> Any:
        return lambda row: (self.name, "row", start + row)

    def _without_arrow(self, reading: Reading, rejects: Rejects, notes: list[str]) -> Iterator[Batch]:
        """pandas without PyArrow: columns as lists."""
        columns = {str(name): [_plain(value) for value in self.frame[name].tolist()] for name in self.frame.columns}

        def sample() -> dict[str, list[str | None]]:
            few = {name: values[:SAMPLE_ROWS] for name, values in columns.items()}
            return {name: [None if value is None else str(value) for value in few[name]] for name in few}

        options = {"text": reading.text, "label": reading.label}
        choice = choose(list(columns), sample, labelled=reading.labelled, source=self.name, **options)
        notes.extend(choice.notes)
        missing = self._missing(columns, choice)
        rejects.take(missing.values())
        left = [row for row in range(len(columns[choice.text])) if row not in missing]
        kept = {name: [values[row] for row in left] for name, values in columns.items()}
        yield Batch(
            checked_texts(kept[choice.text]),
            None if choice.label is None else kept[choice.label],
            where=lambda row: f"{self.name} row {left[row]}",
            rows=lambda: [dict(zip(kept, row, strict=True)) for row in zip(*kept.values(), strict=True)],
        )

    def _missing(self, columns: dict[str, list[Any]], choice: Choice) -> dict[int, Fault]:
        found = {}
        for row, text in enumerate(columns[choice.text]):
            if choice.label is not None and columns[choice.label][row] is None:
                found[row] = missing_label(self.name, row, choice.label, unit="row")
            elif text is None:
                found[row] = missing_text(self.name, row, choice.text, unit="row")
        return found


def _arrow(frame: Any) -> ArrowReader | None:
    if not hasattr(frame, "__arrow_c_stream__") and not hasattr(frame, "__arrow_c_array__"):
        return None
    try:
        return ArrowReader(frame)
    except ImportError:  # pandas without PyArrow
        return None


def _spelled(column: Column) -> list[str | None]:
    few = np.arange(min(SAMPLE_ROWS, len(column)), dtype=np.uint32)
    if column.kind not in LABEL_KINDS:
        return [None] * len(few)
    return [None if value is None else str(value) for value in column.keep(few).to_list()]


def _plain(value: object) -> object:
    return None if value != value else value  # only NaN differs from itself
