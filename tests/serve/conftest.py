"""Servers of our own, started as a user starts them: `likelier serve` in a process, asked over HTTP."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import likelier as lk
from likelier.demo import documents
from serving import Served


@pytest.fixture(scope="session")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with shop.likelier (texts) and tickets.likelier (columns), with textbook settings."""
    folder = tmp_path_factory.mktemp("models")
    lk.train(documents(), view="textbook").save(folder / "shop.likelier")
    rows = [
        {"subject": "invoice is wrong", "channel": "mail", "days": 31, "team": "billing"},
        {"subject": "pay out the refund", "channel": "mail", "days": 20, "team": "billing"},
        {"subject": "where is my parcel", "channel": "chat", "days": 4, "team": "delivery"},
        {"subject": "parcel came damaged", "channel": "chat", "days": 6, "team": "delivery"},
    ]
    lk.train(rows, label="team", view="textbook").save(folder / "tickets.likelier")
    return folder


@pytest.fixture
def folder(models: Path, tmp_path: Path) -> Path:
    """A copy of these models."""
    return Path(shutil.copytree(models, tmp_path / "served"))


@pytest.fixture
def serve(folder: Path) -> Iterator[Callable[..., Served]]:
    """Starts `likelier serve`; what still runs at the end of the test is ended."""
    started: list[Served] = []

    def start(model: str = "shop.likelier", *options: str, **given: object) -> Served:
        started.append(Served(folder / model, *options, **given))  # type: ignore[arg-type]
        return started[-1]

    yield start
    for each in started:
        each.kill()


@pytest.fixture
def shop(serve: Callable[..., Served]) -> Served:
    """A server that everybody may teach."""
    return serve("shop.likelier", "--teach-openly")
