"""A place with the demo's files and a model, in which commands are run."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import likelier as lk
from likelier._cli.commands import likelier as program
from likelier._cli.commands.demo import FILES
from likelier.demo import documents

MAIL = b"""\
From: anna@example.org
Subject: =?utf-8?q?My_parcel?=
Content-Type: text/html; charset=utf-8

<p>Where is my <b>parcel</b>? The carrier did not deliver it.</p>
"""


@pytest.fixture(scope="session")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the demo's files, mail.eml, shop.likelier, shop2.likelier and tickets.likelier.

    The models have textbook settings, whose figures can be told by hand; test_choosing.py is about chosen ones.
    """
    folder = tmp_path_factory.mktemp("shop")
    for name in FILES:
        folder.joinpath(name).write_bytes(files("likelier.demo").joinpath(name).read_bytes())
    folder.joinpath("mail.eml").write_bytes(MAIL)
    lk.train(documents(), view="textbook").save(folder / "shop.likelier")
    lk.train(documents()[:50], view="textbook").save(folder / "shop2.likelier")
    lk.train(folder / "tickets.csv", label="team", view="textbook").save(folder / "tickets.likelier")
    return folder


@pytest.fixture
def here(shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of that folder, as the current one."""
    folder = tmp_path / "here"
    shutil.copytree(shop, folder)
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    return folder


Run = Callable[..., Result]


@pytest.fixture
def run(here: Path) -> Run:
    """Runs a command in this process."""

    def call(*arguments: str, given: str | bytes = "", environment: dict[str, str] | None = None) -> Result:
        return CliRunner().invoke(program, list(arguments), input=given, env=environment, prog_name="likelier")

    return call


@pytest.fixture
def output(run: Run) -> Callable[..., str]:
    """What a command that succeeds writes to stdout."""

    def call(*arguments: str, **given: str) -> str:
        result = run(*arguments, **given)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    return call
