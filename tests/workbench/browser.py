"""The workbench as somebody sees it: a screen in a real browser, and everything that goes wrong there."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from likelier.demo import documents

SCREENS = {
    "start": "/",
    "label": "/label",
    "check": "/check",
    "words": "/words",
    "classify": "/classify",
    "history": "/history",
    "export": "/export",
}
TRUTH = dict(documents())
LABELS = ("billing", "delivery", "praise", "returns", "spam", "technical")
FIRST = 12  # texts that are labeled before a test begins
HOSTILE = ("<script>alert(1)</script>", "<img src=x onerror=alert(2)>", "\u202egnirts\u202c", '" onmouseover="alert(3)')


def tickets(folder: Path, texts: Iterable[str] = TRUTH) -> Path:
    """A CSV file with a number, a channel and a text in each row."""
    path = folder / "tickets.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["number", "channel", "text"])
        rows.writerows((number, "mail", text) for number, text in enumerate(texts, 1))
    return path


class Screen:
    """A screen in a browser. It fails by itself if the browser complains: errors, dialogs, violations of the policy."""

    def __init__(self, context: Any, url: str) -> None:
        self.url, self.page = url, context.new_page()
        self.complaints: list[str] = []
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda failure: self.complaints.append(str(failure)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        self.page.set_default_timeout(60_000)  # machines may be busy

    def _said(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(f"{message.text} {message.location}")

    def open(self, name: str, anchor: str = "") -> Screen:
        """Goes to a screen and waits until it shows what is there."""
        self.page.goto(f"{self.url}{SCREENS[name]}{anchor}", wait_until="load")
        self.page.locator(READY[name]).first.wait_for(state="attached")
        return self

    def press(self, *keys: str) -> None:
        """Presses keys, one after the other."""
        for key in keys:
            self.page.keyboard.press(key)

    def text(self, selector: str) -> str:
        """What is there to read."""
        return str(self.page.locator(selector).inner_text())

    def wait(self, condition: str, given: Any = None) -> None:
        """Until an expression of JavaScript is true."""
        self.page.wait_for_function(condition, arg=given)

    def wait_for_text(self, selector: str, words: str) -> None:
        """Until an element contains these words."""
        self.wait("([at, words]) => document.querySelector(at)?.textContent.includes(words)", [selector, words])

    @property
    def document(self) -> str:
        """The text that is to be labeled."""
        return str(self.page.locator("#text").text_content())

    def answer(self) -> str:
        """Presses the key of the right label, and waits for the next text; the text that was answered."""
        text = self.document
        self.press(str(LABELS.index(TRUTH[text]) + 1))
        self.wait("text => document.querySelector('#text').textContent !== text", text)
        return text

    def saved(self, labeled: int) -> None:
        """Waits until the server has that many labels."""
        self.wait_for_text("#progress", f"{labeled:,} of ")


# What is there once a screen shows the state.
READY = {
    "start": "#pool:not(:empty)",
    "label": "#progress:not(:empty)",
    "check": "#accuracy:not(:empty)",
    "words": "#settings > div",
    "classify": "#count:not(:empty)",
    "history": "#lessons > li, #none:not([hidden])",
    "export": "#stands:not(:empty)",
}


def unfolded(seen: Screen, name: str, text: str = "the refund is late") -> Screen:
    """A screen with all that it can show."""
    seen.open(name)
    seen.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    if name == "label":
        seen.page.locator("#explanation table").first.wait_for()
        seen.page.get_by_role("button", name="Which lessons caused it?").click()
        seen.page.locator("#caused *").first.wait_for()
    if name == "words":
        seen.page.locator("#ratios td").first.wait_for()
        seen.page.get_by_label("Any text").fill(text)
        seen.page.get_by_role("button", name="Work it out").click()
        seen.page.locator("#derivation math").first.wait_for()
    if name == "classify":
        seen.page.get_by_label("Type, and watch").fill(text)
        seen.page.locator("#explanation table").first.wait_for()
    if name == "check":
        seen.page.locator("#calibration svg").wait_for()
    return seen
