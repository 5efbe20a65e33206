"""What was dropped on the way, as a text of the header: for each text column that has lost something.

    {"text": {"terms": 12, "tokens": 15, "bound": 2, "unit": 1}}

Tokens and bound are multiples of 1/unit. The column of plain texts is "text".
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from likelier._counts.mixed import MixedCounts, table_of
from likelier._counts.pruning import Pruned
from likelier._counts.term_counts import Counts
from likelier._documents.kinds import PLAIN
from likelier._documents.schema import Schema
from likelier._documents.weights import UNIT
from likelier._storage.layout import Nonsense

PRUNED = "pruned"  # the name of the text
_FIELDS = {"terms", "tokens", "bound", "unit"}


def pruned_to_plain(counts: Counts | MixedCounts) -> dict[str, dict[str, int]]:
    """What each text column has lost; empty if none has lost anything."""
    return {name: _to_plain(table.pruned) for name, table in _tables(counts).items() if table.pruned is not None}


def put_pruned(counts: Counts | MixedCounts, stored: object, schema: Schema) -> None:
    """Puts what was lost into the counts. Nothing about it is trusted."""
    if not isinstance(stored, dict) or not stored or not stored.keys() <= schema.texts.keys():
        raise Nonsense("'pruned' does not name text columns")
    tables = _tables(counts)
    for name, lost in stored.items():
        tables[name].pruned = _from_plain(lost)


def _tables(counts: Counts | MixedCounts) -> Mapping[str, Counts]:
    if isinstance(counts, Counts):
        return {PLAIN: counts}
    return {name: table_of(column) for name, column in counts.columns.items()}


def _to_plain(pruned: Pruned) -> dict[str, int]:
    unit = 1 if all(number == int(number) for number in (pruned.tokens, pruned.bound)) else UNIT
    return {
        "terms": pruned.terms,
        "tokens": int(pruned.tokens * unit),
        "bound": int(pruned.bound * unit),
        "unit": unit,
    }


def _from_plain(stored: Any) -> Pruned:
    if not isinstance(stored, dict) or stored.keys() != _FIELDS or {*map(type, stored.values())} != {int}:
        raise Nonsense("'pruned' has not the numbers that it should have")
    terms, tokens, bound, unit = (stored[name] for name in ("terms", "tokens", "bound", "unit"))
    if unit not in (1, UNIT) or not 1 <= terms <= tokens * UNIT or not 1 <= bound <= tokens:
        raise Nonsense("'pruned' has numbers that cannot be")
    return Pruned(terms, _number(tokens, unit), _number(bound, unit))


def _number(units: int, unit: int) -> int | Fraction:
    value = Fraction(units, unit)
    return int(value) if value.denominator == 1 else value
