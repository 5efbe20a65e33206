"""Model files of all versions give the answers that they gave when they were written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from golden.answers import HERE, answers, processor

FILES = sorted(HERE.glob("*.likelier"))


def _read(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    heading, *lines = map(json.loads, path.with_suffix(".jsonl").read_text("utf-8").splitlines())
    return heading, lines


def _numbers(answers: list[dict[str, Any]]) -> list[float]:
    """Those that may differ in their last bits between processors."""
    return [float.fromhex(each) for one in answers for name in ("log scores", "probabilities") for each in one[name]]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_model_answers_and_explains_as_when_it_was_written(path: Path) -> None:
    heading, lines = _read(path)
    model = lk.load(path)
    assert list(model.labels) == heading["labels"]
    documents = [line.pop("document") for line in lines]
    found = answers(model, documents)
    if processor() == heading["processor"]:
        assert found == lines
    else:
        assert [each["label"] for each in found] == [line["label"] for line in lines]
        assert _numbers(found) == pytest.approx(_numbers(lines), rel=1e-12)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_model_answers_many_as_one_by_one(path: Path) -> None:
    _, lines = _read(path)
    model = lk.load(path)
    documents = [line["document"] for line in lines]
    assert list(model.classify_many(documents)) == [model.classify(document) for document in documents]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_stored_model_is_written_with_the_same_bytes(path: Path, tmp_path: Path) -> None:
    lk.load(path).save(tmp_path / "again.likelier")
    assert (tmp_path / "again.likelier").read_bytes() == path.read_bytes()


def test_the_files_are_of_all_versions() -> None:
    versions = {re.search(rb'"version":"(\d)"', path.read_bytes()[:200])[1] for path in FILES}
    assert versions == {b"1", b"2", b"3", b"4", b"5"}
