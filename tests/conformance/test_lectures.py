"""Every table, formula with numbers, and picture of the five lectures, by the call that makes it.

`lectures.json` has a list for each lecture, made by going through it line by line. `setup` is Python for its texts and
models. Each entry has `where` (the heading in the lecture), `what`, `call` (an expression), and what must come out:

    rows      all rows of the table, each a list of cells as `rows()` has them; a fraction as "7/22"
    cells     some cells: [row, column, text as shown]; row: its first cell
    shows     texts that the printed form has, spaces and line breaks aside
    value     a number, to as many decimals as it is written with in `digits`
    equals    the value itself; a fraction as "7/22"
    draws     texts that the picture has
"""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

LECTURES: list[dict[str, Any]] = json.loads(Path(__file__).with_name("lectures.json").read_text(encoding="utf-8"))
ENTRIES = [(lecture, entry) for lecture in LECTURES for entry in lecture["entries"]]
EXPECTED = {"rows", "cells", "shows", "value", "equals", "draws"}
_spaces: dict[str, dict[str, Any]] = {}


def namespace(lecture: dict[str, Any]) -> dict[str, Any]:
    """What the setup of a lecture defines; made once."""
    if lecture["name"] not in _spaces:
        made: dict[str, Any] = {}
        exec("\n".join(lecture["setup"]), made)
        _spaces[lecture["name"]] = made
    return _spaces[lecture["name"]]


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def squeezed(text: str) -> str:
    return re.sub(r"\s+", "", text)


def shown_cells(table: Any) -> dict[tuple[str, str], str]:
    """(row, column) → the text in the cell."""
    heading, *lines = [
        re.split(r"(?<!\\) \| ", line[2:-2]) for line in table.to_markdown().split("\n\n")[0].splitlines()
    ]
    return {(line[0], column): text for line in lines[1:] for column, text in zip(heading, line, strict=True)}


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text)


@pytest.mark.parametrize(("lecture", "entry"), ENTRIES, ids=[f"{one['name']}/{two['id']}" for one, two in ENTRIES])
def test_it_comes_out(lecture: dict[str, Any], entry: dict[str, Any]) -> None:
    found = eval(entry["call"], namespace(lecture))
    assert EXPECTED & set(entry), "an entry says what must come out"
    if "rows" in entry:
        assert [plain(list(row.values())) for row in found.rows()] == entry["rows"]
    if "cells" in entry:
        cells = {
            (unescaped(row), unescaped(column)): unescaped(text) for (row, column), text in shown_cells(found).items()
        }
        for row, column, text in entry["cells"]:
            assert cells[row, column] == text
    for text in entry.get("shows", ()):
        assert squeezed(text) in squeezed(str(found))
    if "value" in entry:
        assert round(float(found), entry["digits"]) == entry["value"]
    if "equals" in entry:
        assert plain(found) == entry["equals"]
    for text in entry.get("draws", ()):
        assert text in found.to_svg()


def test_all_five_lectures_are_there_and_no_entry_is_twice() -> None:
    assert len({lecture["source"] for lecture in LECTURES}) == len(LECTURES) == 5
    assert len({(one["name"], two["id"]) for one, two in ENTRIES}) == len(ENTRIES)
