"""Pages in a real browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from report.examples import page_of


class Seen:
    """A page in the browser, and what it did while it was shown."""

    def __init__(self, page: Any, path: Path) -> None:
        self.page, self.requests, self.complaints = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (self.complaints.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())

    def open_all(self) -> None:
        """Unfolds everything."""
        self.page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")

    def color(self, selector: str, name: str = "color") -> str:
        """A computed color."""
        return self.page.locator(selector).first.evaluate(f"each => getComputedStyle(each)['{name}']")


@pytest.fixture
def show(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Seen]]:
    """Shows the page of an example at a width, in light or dark."""
    contexts = []

    def shown(example: Callable[[], Any], *, width: int = 1100, scheme: str = "light") -> Seen:
        path = tmp_path / f"{example.__name__}.html"
        path.write_text(page_of(example), encoding="utf-8")
        contexts.append(browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme))
        return Seen(contexts[-1].new_page(), path)

    yield shown
    for context in contexts:
        context.close()
