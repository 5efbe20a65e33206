"""What holds for all tests, and a real browser: Debian's chromium, steered by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("likelier", deadline=None)  # how long an example takes says more about the machine
settings.load_profile("likelier")

NAMES = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Started once; without chromium the tests are skipped, except where CI=true."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
            "there is no chromium: apt-get install chromium"
        )
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield started
        started.close()
