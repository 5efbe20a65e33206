"""What Spark does with the rows of partitions, done here: added up by their keys, sorted, and given in pieces.

And rows of all kinds, for hypothesis to choose from.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import strategies as st

import likelier as lk
from corpora import WORDS, weights
from likelier._model.counted import hold
from likelier._model.one_pass import to_count
from likelier._read.choice import choose
from likelier._storage.parts import arrays_of
from likelier._train.trainer import given_settings
from likelier.spark._choosing import named, no_documents, under
from likelier.spark._counting import Counting
from likelier.spark._gathered import Gathered
from likelier.spark._partition import Reading
from likelier.spark._rows import KEYS, NUMBERS, SCHEMA

TEXT = st.lists(st.sampled_from([*WORDS, "\0", "  ", "a\nb"]), max_size=6).map(" ".join)
NUMBER = st.one_of(st.none(), st.floats(-1e150, 1e150), st.sampled_from([0.1, -0.0, 1e-300, 5e-324, 3.0, math.nan]))
VALUE = st.sampled_from(["red", "blue", "?", "", None, "grün"])
ROWS = st.fixed_dictionaries(
    {
        "label": st.sampled_from(["ham", "spam", "été", "a b"]),
        "text": TEXT,
        "other": st.one_of(st.none(), TEXT),
        "color": VALUE,
        "size": NUMBER,
        "new": st.sampled_from([True, False, None]),
        "weight": weights,
    }
)
FIELDS = pa.schema(
    [
        ("label", pa.string()),
        ("text", pa.string()),
        ("other", pa.string()),
        ("color", pa.string()),
        ("size", pa.float64()),
        ("new", pa.bool_()),
        ("weight", pa.float64()),
    ]
)
FRAMES = st.lists(ROWS, min_size=1, max_size=12)


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=FIELDS)


def saved_counts(model: lk.Model) -> dict[str, bytes]:
    """The counts as the model file has them: every array, byte for byte."""
    return {name: array.tobytes() for name, array in arrays_of(model._stored()).items()}


def added_up(rows: Sequence[pa.RecordBatch], piece: int) -> Iterator[pa.Table]:
    """The sums of the numbers by key, in pieces of this number of rows."""
    table = pa.Table.from_batches(rows, SCHEMA)
    sums = table.group_by(list(KEYS)).aggregate([(name, "sum") for name in NUMBERS])
    sums = sums.rename_columns([*KEYS, *NUMBERS])
    order = pc.sort_indices(sums, [(name, "ascending") for name in KEYS])
    sums = sums.take(order)
    for start in range(0, len(sums), piece):
        yield sums.slice(start, piece)


def counted(parts: Sequence[Sequence[pa.RecordBatch]], counting: Counting, piece: int = 7) -> Gathered:
    """What all parts have counted, added up."""
    rows = [row for number, part in enumerate(parts) for row in counting.rows(part, f"partition {number}")]
    return Gathered(counting.schema, counting.unit, added_up(rows, piece))


def trained(table: pa.Table, parts: Sequence[pa.Table], *, most: int, weights: str | None, **options: Any) -> lk.Model:
    """A model of a table whose parts are counted one by one; `most` cells before a table is given away."""
    from likelier._kernel import ArrowReader
    from likelier._read.tabular import ArrowTable

    view, analyzer = options.pop("view", "textbook"), options.pop("analyzer", None)
    label = options.pop("label", "label")
    reader = ArrowReader(table)
    choice = choose(ArrowTable("the table", reader, reader.names), named(**options), label=label, labeled=True)
    reading = Reading(choice, weights=weights)
    data = to_count(
        [no_documents(choice)],
        analyzer=analyzer,
        **{name: each for name, each in options.items() if name in ("text", "numeric")},
    )

    def fill(model: lk.Model) -> None:
        counting = Counting(under(reading, model.schema), model.schema, ledger=True, most=most)
        some = [part.select(reading.columns).to_batches(max_chunksize=2) for part in parts]
        found = counted(some, counting)
        hold(model, found.counts, found.ledger)

    settings = given_settings(view, data.rules)
    model = data.model(settings=settings, fill=fill)
    model.settings = settings
    return model
