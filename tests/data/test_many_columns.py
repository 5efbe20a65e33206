"""Many columns and long records take time by their number and length, not by the square."""

from __future__ import annotations

import json

import pytest

import likelier as lk
from likelier._documents.kinds import Categorical
from likelier._documents.schema import Schema
from likelier._read.faults import MAX_DOCUMENT
from likelier._read.text_tables import DelimitedFile, Dialect, JsonLines

MANY = 200_000  # work that grows with the square would not end


@pytest.fixture(scope="module")
def wide(tmp_path_factory):
    """Two rows with many columns, as CSV and as JSON Lines, the text behind them."""
    names = [*(f"c{place}" for place in range(MANY)), "label", "text"]
    rows = [["1"] * MANY + [label, "one two"] for label in "ab"]
    folder = tmp_path_factory.mktemp("wide")
    folder.joinpath("a.csv").write_text("\n".join(map(",".join, [names, *rows])))
    folder.joinpath("a.jsonl").write_text("\n".join(json.dumps(dict(zip(names, row, strict=True))) for row in rows))
    return folder


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_two_of_many_columns_are_read(wide, kind):
    model = lk.train(wide / f"a.{kind}", text="text", label="label")
    assert model == lk.train([("one two", "a"), ("one two", "b")])


def test_all_of_many_columns_are_kept(wide):
    (batch,) = lk.read(wide / "a.csv", text="text", label="label", all_columns=True)
    assert len(batch.rows()[0]) == MANY + 2


def test_many_columns_are_ignored(wide):
    documents = lk.read(wide / "a.csv", label="label", ignore=[f"c{place}" for place in range(MANY)])
    assert lk.train(documents) == lk.train([("one two", "a"), ("one two", "b")])


def test_many_columns_are_left_out_of_those_that_are_guessed(wide):
    named = [f"c{place}" for place in range(MANY)]
    reading = lk.read(wide / "a.csv", label="label", text=["text"], ignore=named, others="guess")
    assert [list(batch.schema.columns) for batch in reading if batch.schema] == [["text"]]


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_many_columns_are_read_under_a_schema(wide, kind):
    schema = Schema({f"c{place}": Categorical() for place in range(20_000)})
    (batch,) = lk.read(wide / f"a.{kind}", label="label", schema=schema)
    assert len(batch.columns) == 20_000


def test_a_column_that_many_have_twice_is_named(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(",".join(["label", "text", *map(str, range(MANY)), "7"]) + "\n")
    with pytest.raises(lk.InputError, match="every column needs a name of its own, got '7' twice"):
        lk.train(path)


# ---- long records ------------------------------------------------------------------------------------------------


def test_a_long_first_line_of_json_may_come_in_small_blocks():
    blocks = [b'{"text": "', *[b"x" * 100] * 200_000, b'"}\n']
    (read,) = JsonLines("a", blocks, limit=MAX_DOCUMENT, batch=1 << 30).read(["text"])
    assert len(str(read.columns["text"].to_list()[0])) == 20_000_000


@pytest.mark.parametrize("ending", ["", "\n"], ids=["one line", "many lines"])
def test_a_long_head_of_a_table_may_come_in_small_blocks(ending):
    blocks = [b'label,"', *[b"x" * 99 + (ending or "x").encode()] * 200_000, b'"\na,b\n']
    table = DelimitedFile("a", blocks, Dialect(), usual=",", limit=MAX_DOCUMENT)
    assert [len(name) for name in table.names] == [5, 20_000_000]
