"""Servers of our own, started as a user starts them: `likelier serve` in a process, asked over HTTP."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import likelier as lk
from likelier.demo import documents
from postgres import Postgres, program
from serving import Served
from sockets import is_well


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL of our own; without its programs the tests are skipped, except where CI=true."""
    if program("postgres") is None or program("initdb") is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
            "there is no PostgreSQL: apt-get install postgresql"
        )
    started = Postgres()
    yield started
    started.remove()


@pytest.fixture
def database(postgres: Postgres) -> Iterator[str]:
    """The address of a new database, whose PostgreSQL runs."""
    postgres.start()
    url = postgres.database()
    yield url
    postgres.drop(url)


@pytest.fixture(scope="module")
def _lasting(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("lasting")
    shutil.copy(models / "shop.likelier", folder)
    found = Served(folder / "shop.likelier", "--teach-openly", "--max-body", "1000000")
    yield found
    found.kill()
    assert '"level":"error"' not in found.errors


@pytest.fixture
def tough(_lasting: Served) -> Iterator[Served]:
    """One server for all tests of a module, which everybody may teach; it must be well after each of them."""
    before = is_well(_lasting.url)
    yield _lasting
    assert is_well(_lasting.url) == before
