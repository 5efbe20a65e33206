"""The examples of the guide and of the docstrings, run on the cluster."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import Any

import pytest

import likelier.spark
import likelier.spark.ml
from likelier.demo import documents

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "spark.md"
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def run(text: str, name: str, names: dict[str, Any]) -> None:
    """Runs the examples in a text, also those that are skipped elsewhere because they need Spark."""
    found = doctest.DocTestParser().get_doctest(text.replace("# doctest: +SKIP", ""), names, name, None, 0)
    assert found.examples
    runner = doctest.DocTestRunner(optionflags=OPTIONS)
    told: list[str] = []
    assert runner.run(found, out=told.append).failed == 0, "".join(told)


def test_the_examples_of_the_guide_do_what_it_says(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = GUIDE.read_text("utf-8")
    for name in ("mail", "checkpoint"):  # Spark's Java is in the folder that it was started in
        text = text.replace(f'"{name}"', f'"{tmp_path / name}"')
    run(text, "spark.md", {"spark": spark})


@pytest.mark.parametrize("name", [*likelier.spark.__all__, *likelier.spark.ml.__all__])
def test_the_examples_of_docstrings_do_what_they_say(spark: Any, name: str, tmp_path: Path) -> None:
    from likelier import train

    model = train([("cheap watches", "spam"), ("lunch at noon", "ham")], ledger=False)
    public = {**vars(likelier.spark.ml), **vars(likelier.spark)}
    names = {**public, "spark": spark, "model": model, "folder": tmp_path, "documents": documents}
    run(str(public[name].__doc__), name, names)
