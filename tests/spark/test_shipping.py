"""Models in the workers, without Spark: each is loaded once, and rows are scored as many at a time as there is room."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import likelier as lk
from likelier._kernel import ArrowReader
from likelier._read.choice import choose
from likelier._read.tabular import ArrowTable
from likelier.demo import documents
from likelier.spark import _classifying, _judging, _shipping
from likelier.spark._choosing import named
from likelier.spark._classifying import Classifying
from likelier.spark._judging import Judging, unpacked
from likelier.spark._partition import Reading
from likelier.spark._shipping import shipped_model

TABLE = pa.table({"text": [text for text, _ in documents()], "label": [label for _, label in documents()]})
MODEL = lk.train(TABLE, text="text", label="label", view="textbook")


def reading_of(table: pa.Table, label: str | None) -> Reading:
    reader = ArrowReader(table)
    asked = named(text="text", schema=MODEL.schema)
    choice = choose(ArrowTable("the table", reader, reader.names), asked, label=label, labeled=label is not None)
    return Reading(choice)


def test_a_process_loads_a_model_once_and_keeps_the_last_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_shipping, "shipped_path", lambda name: str(tmp_path / name))
    monkeypatch.setattr(_shipping, "_loaded", type(_shipping._loaded)())
    MODEL.save(tmp_path / "a.likelier")
    first = shipped_model("a.likelier")
    (tmp_path / "a.likelier").unlink()
    assert shipped_model("a.likelier") is first
    carried = [shipped_model(f"{number}.likelier", MODEL.to_bytes()) for number in range(_shipping.LOADED - 1)]
    assert shipped_model("a.likelier") is first
    assert shipped_model("another.likelier", MODEL.to_bytes()).counts == MODEL.counts
    assert shipped_model("a.likelier") is first  # asked last
    with pytest.raises(lk.FileError, match=r"0\.likelier"):
        shipped_model("0.likelier")
    assert carried[0].counts == MODEL.counts


def test_rows_are_classified_as_many_at_a_time_as_their_scores_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = TABLE.select(["text"])
    classifying = Classifying("model", reading_of(texts, None), (0,), True, "str")
    (whole,) = classifying.rows(texts.to_batches(), MODEL.view(), "partition 0")
    monkeypatch.setattr(_classifying, "SCORES", 7 * len(MODEL.labels) + 1)
    parts = list(classifying.rows(texts.to_batches(), MODEL.view(), "partition 0"))
    assert {len(part) for part in parts[:-1]} == {7}
    assert pa.Table.from_batches(parts).to_pylist() == pa.Table.from_batches([whole]).to_pylist()
    monkeypatch.setattr(_classifying, "SCORES", 1)
    assert len(next(classifying.rows(texts.to_batches(), MODEL.view(), "partition 0"))) == 1


def test_rows_are_judged_as_many_at_a_time_as_one_row_of_scores_may_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_judging, "SCORES", 50 * len(MODEL.labels))
    monkeypatch.setattr(_judging, "shipped_model", lambda name: MODEL)
    judging = Judging("model", reading_of(TABLE, "label"), "leave-one-out")
    rows: list[dict[str, Any]] = [row for part in judging(TABLE.to_batches()) for row in part.to_pylist()]
    parts = [unpacked(row["part"]) for row in rows]
    assert [row["number"] for row in rows] == list(range(6))
    assert [len(part["truth"]) for part in parts[:-1]] == [50, 50, 50, 50, 40]
    assert [*parts[-1]] == ["reasons"]
    local = MODEL.evaluate(TABLE).scores.values
    assert [row for part in parts[:-1] for row in part["values"].tolist()] == local.tolist()
