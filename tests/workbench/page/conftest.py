"""Servers with something to label, and browsers that look at them."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from serving import Labeled
from workbench.browser import FIRST, HOSTILE, LABELS, TRUTH, Screen, tickets


@pytest.fixture(scope="session")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tickets.likelier and its log: six labels, and the first texts labeled as they should be."""
    folder = tmp_path_factory.mktemp("begun")
    bench = Labeled(folder / "tickets.likelier", str(tickets(folder)), "--labels", ",".join(LABELS))
    for _ in range(FIRST):
        asked = bench.state()["queue"][0]
        bench.do("answer", place=asked["place"], label=TRUTH[asked["text"]])
    bench.stop()
    return folder


@pytest.fixture(scope="session")
def begun_hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with labels and texts that are markup, or turn the writing direction."""
    folder = tmp_path_factory.mktemp("hostile")
    texts = [f"{each} {number} {word}" for number, word in enumerate(("one", "two")) for each in HOSTILE]
    bench = Labeled(folder / "tickets.likelier", str(tickets(folder, texts)))
    for label in HOSTILE[:2]:
        bench.do("labels", label=label)
    for number in range(6):
        asked = bench.state()["queue"][0]
        bench.do("answer", place=asked["place"], label=HOSTILE[number % 2])
    bench.do("word", word="<b>bold</b>", label=HOSTILE[0])
    bench.stop()
    return folder


@pytest.fixture
def running() -> Iterator[list[Labeled]]:
    """Servers that end with the test."""
    started: list[Labeled] = []
    yield started
    for each in started:
        each.kill()


@pytest.fixture
def labeled(begun: Path, tmp_path: Path, running: list[Labeled]) -> Labeled:
    """A server that goes on with a copy of what was begun."""
    folder = shutil.copytree(begun, tmp_path / "labeled")
    running.append(Labeled(folder / "tickets.likelier"))
    running[-1].state()
    return running[-1]


@pytest.fixture
def hostile(begun_hostile: Path, tmp_path: Path, running: list[Labeled]) -> Labeled:
    """The same with hostile labels and texts."""
    folder = shutil.copytree(begun_hostile, tmp_path / "hostile")
    running.append(Labeled(folder / "tickets.likelier"))
    running[-1].state()
    return running[-1]


@pytest.fixture
def new(tmp_path: Path, running: list[Labeled]) -> Callable[..., Labeled]:
    """Starts `likelier label` with these options, for a model that does not exist yet."""

    def start(*options: object) -> Labeled:
        running.append(Labeled(tmp_path / "new.likelier", *map(str, options)))
        return running[-1]

    return start


@pytest.fixture
def screen(browser: Any) -> Iterator[Callable[..., Screen]]:
    """Shows a server in a browser of its own. At the end of the test no browser may have complained."""
    shown: list[Screen] = []

    def show(served: Any, *, width: int = 1280, height: int = 800, scheme: str = "light") -> Screen:
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        shown.append(Screen(context, served.url))
        return shown[-1]

    yield show
    for each in shown:
        each.page.context.close()
    assert [complaint for each in shown for complaint in each.complaints] == []
