"""Tables as a notebook shows them, in a real browser, beside the rules that Jupyter has for tables."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import nbformat
import pytest

import likelier as lk

tool = runpy.run_path(str(Path(__file__).parents[2] / "tools" / "notebooks.py"))
TEXTS = [("cheap watches", "spam"), ("cheap pills", "spam"), ("lunch today", "ham"), ("lunch at noon", "ham")]


def notebook() -> Any:
    """Already run, with what there is to see."""
    model = lk.train(TEXTS)
    things = [model, model.counts, model.view(), model.evaluate(TEXTS), model.explain("cheap lunch")]
    cells = []
    for place, thing in enumerate(things):
        data = {"text/html": thing._repr_html_(), "text/plain": "x"}
        output = {"output_type": "execute_result", "data": data, "metadata": {}, "execution_count": place + 1}
        about = {"cell_type": "code", "id": str(place), "metadata": {}, "source": "x", "execution_count": place + 1}
        cells.append({**about, "outputs": [output]})
    return nbformat.reads(
        json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), as_version=4
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_stand_on_the_left_and_numbers_on_the_right(browser: Any, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(tool["as_page"](notebook(), "notebook", scheme), encoding="utf-8")
    context = browser.new_context(viewport={"width": 1000, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    page.route("http*://**", lambda route: route.abort())
    page.goto(path.as_uri(), wait_until="domcontentloaded")

    def styles(selector: str, name: str) -> set[str]:
        return set(page.locator(selector).evaluate_all(f"all => all.map(each => getComputedStyle(each)['{name}'])"))

    assert page.locator("section.likelier").count() == 5
    assert styles(".likelier tbody th", "textAlign") == {"start"}
    assert styles(".likelier td.n", "textAlign") == {"end"}
    assert styles(".likelier tbody tr", "backgroundColor") == {"rgba(0, 0, 0, 0)"}  # no stripes
    assert len(styles(".likelier", "backgroundColor")) == 1
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()
