"""`likelier label` in processes of their own, as a user starts it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from likelier.demo import documents
from serving import Labeled


@pytest.fixture
def pool(tmp_path: Path) -> Path:
    """A CSV file with messages to a shop, without their labels."""
    path = tmp_path / "messages.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["id", "message"])
        rows.writerows((number, text) for number, (text, _) in enumerate(documents()))
    return path


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Labeled]]:
    """Starts `likelier label`; what still runs at the end of the test is ended."""
    started: list[Labeled] = []

    def start(*options: object, model: str = "shop.likelier") -> Labeled:
        started.append(Labeled(tmp_path / model, *map(str, options)))
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.fixture
def shop(start: Callable[..., Labeled], pool: Path) -> Labeled:
    """Messages to a shop that are to be labeled."""
    return start(pool, "--labels", "billing,delivery")
