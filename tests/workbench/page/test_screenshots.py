"""Pictures of all screens, light and dark, narrow and wide; the guide shows some of them.

With LIKELIER_SCREENSHOTS=FOLDER they are kept there to be looked at. With LIKELIER_SCREENSHOTS=docs those of the guide
are made anew: `CI=true LIKELIER_SCREENSHOTS=docs pytest tests/workbench/page/test_screenshots.py`.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest

from serving import Labeled
from workbench.browser import SCREENS, TRUTH, Screen, tickets

ROOT = Path(__file__).parents[3]
GUIDE = ROOT / "docs" / "guides"
LARGEST = 100_000  # bytes of a picture in the guide
SHOWN = ("billing", "delivery", "praise")
LABELED = 60
# name → screen, scheme, width and height of the window, what is at its top
PICTURES = {
    "start": ("start", "light", 900, 640, "header"),
    "label": ("label", "light", 1100, 620, "header"),
    "label-narrow": ("label", "dark", 320, 640, "header"),
    "check": ("check", "light", 900, 620, "header"),
    "words": ("words", "dark", 900, 700, "section:has(#ratios)"),
    "classify": ("classify", "light", 900, 640, "header"),
}


def prepared(seen: Screen, name: str) -> Screen:
    """A screen with something to see."""
    seen.open(name)
    if name == "classify":
        seen.page.get_by_label("Type, and watch").fill("there is a mistake on my invoice")
        seen.page.locator("#chances div").first.wait_for()
        seen.page.get_by_label("Least probability").fill("90")
        seen.page.locator("#sure", has_text="drawn at random").wait_for()
    if name == "history":
        seen.page.get_by_label("A text").fill("there is a mistake on my invoice")
        seen.page.get_by_role("button", name="Find the lessons").click()
        seen.page.locator("#caused li").first.wait_for()
    if name == "words":
        seen.page.get_by_label("Any text").fill("my invoice is wrong")
        seen.page.get_by_role("button", name="Work it out").click()
        seen.page.locator("#derivation math").first.wait_for()
    if name == "check":
        seen.page.locator("#calibration svg").wait_for()
    seen.page.mouse.move(1, 1)
    seen.page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
    return seen


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Messages to a shop, half of them labeled; a word was taught."""
    folder = tmp_path_factory.mktemp("pictures")
    texts = [text for text, label in TRUTH.items() if label in SHOWN]
    bench = Labeled(folder / "messages.likelier", str(tickets(folder, texts)), "--labels", ",".join(SHOWN))
    for _ in range(LABELED):
        asked = bench.state()["queue"][0]
        bench.do("answer", place=asked["place"], label=TRUTH[asked["text"]])
    bench.do("word", word="parcel", label="delivery")
    bench.state()
    yield bench
    bench.kill()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_every_screen_can_be_pictured(served: Any, screen: Any, tmp_path: Path, scheme: str, width: int) -> None:
    folder = Path(os.environ.get("LIKELIER_SCREENSHOTS") or tmp_path)
    folder = tmp_path if folder.name == "docs" else folder
    folder.mkdir(exist_ok=True, parents=True)
    seen, pictures = screen(served, scheme=scheme, width=width), []
    for name in SCREENS:
        path = folder / f"{name}-{scheme}-{width}.png"
        pictures.append(prepared(seen, name).page.screenshot(path=path, full_page=True))
    assert len(set(pictures)) == len(SCREENS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_of_the_guide_can_be_made(served: Any, screen: Any, tmp_path: Path, name: str) -> None:
    where, scheme, width, height, top = PICTURES[name]
    folder = GUIDE / "labeling" if os.environ.get("LIKELIER_SCREENSHOTS") == "docs" else tmp_path
    folder.mkdir(exist_ok=True)
    seen = prepared(screen(served, scheme=scheme, width=width, height=height), where)
    seen.page.locator(top).evaluate("each => each.scrollIntoView()")
    assert len(seen.page.screenshot(path=folder / f"{name}.png")) < LARGEST


def test_the_guide_shows_all_of_its_pictures_and_they_are_small() -> None:
    shown = re.findall(r"!\[[^\]]+\]\(labeling/([\w-]+)\.png\)", (GUIDE / "labeling.md").read_text("utf-8"))
    assert sorted(shown) == sorted(PICTURES)
    assert sorted(path.stem for path in (GUIDE / "labeling").iterdir()) == sorted(PICTURES)
    assert max(path.stat().st_size for path in (GUIDE / "labeling").iterdir()) < LARGEST
