"""The notebooks of the lectures are what their pages say, and they run."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
TOOL = ROOT / "tools" / "notebooks.py"
PAGES = ROOT / "docs" / "lectures"
tool = runpy.run_path(str(TOOL))

SAMPLE = """\
# Counting words

The formula $P(t|c) = \\frac{n}{N}$ is in [smoothing](../concepts/smoothing.md#laplace); see [below](#two-exercises),
[the other page](other.md) and [far away](https://example.org/page.md). In code, `[this](link.md)` is none.

```pycon
>>> import likelier as lk
>>> model = lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")])
>>> model.labels
('ham', 'spam')
>>> print(model.explain("cheap"))
spam, probability ...
>>> print(model.view().prior("spam"))
1/2
>>> print(model.learn("cheap pills", "spam"))  # doctest: +ELLIPSIS
0
>>> model.documents
3
>>> lk.load("no such file")
Traceback (most recent call last):
    ...
FileNotFoundError: ...

```

```text
>>> this is no example
```

```math
P(t) = 1
```

## Two exercises

<details>
<summary>Solution</summary>

The prior, by hand:

```pycon
>>> for label in model.labels:
...     print(label)
ham
spam

```

</details>
<details><summary>Another</summary>

```pycon
>>> model.documents
3

```

</details>

Done.
"""


def made(text: str = SAMPLE, name: str = "sample") -> dict[str, Any]:
    return tool["Page"](name, text, frozenset({"sample", "other"})).notebook()


def sources(notebook: dict[str, Any], kind: str) -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def run(*options: object) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(filter(None, [str(ROOT / "src"), os.environ.get("PYTHONPATH")]))
    command = [sys.executable, str(TOOL), *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, timeout=1800)


# ---- the notebooks of the lectures -------------------------------------------------------------------------------


def test_the_notebooks_are_what_the_pages_say() -> None:
    stored = {path.name: path.read_text("utf-8") for path in PAGES.glob("notebooks/*.ipynb")}
    assert stored == tool["notebooks"](), "python tools/notebooks.py"


@pytest.mark.slow
def test_the_notebooks_run_without_errors_and_show_tables(tmp_path: Path) -> None:
    done = run("--run", tmp_path)
    assert done.returncode == 0, done.stderr
    assert {path.stem for path in tmp_path.iterdir()} == {path.stem for path in PAGES.glob("notebooks/*.ipynb")}
    for path in tmp_path.iterdir():
        check_outputs(nbformat.read(path, as_version=4))


def check_outputs(notebook: Any) -> None:
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            tags = cell.metadata.get("tags", [])
            kinds = [output.output_type for output in cell.outputs]
            assert ("error" in kinds) == ("raises-exception" in tags), cell
            if "table" in tags:
                assert "<section" in cell.outputs[-1].data["text/html"], cell


# ---- the tool ----------------------------------------------------------------------------------------------------


def test_a_notebook_is_valid_and_always_the_same() -> None:
    notebook = made()
    nbformat.validate(nbformat.from_dict(notebook))
    assert tool["written"](notebook) == tool["written"](made())
    assert nbformat.reads(tool["written"](notebook), as_version=4).metadata.kernelspec.name == "python3"
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(not cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")


def test_the_id_of_a_cell_does_not_depend_on_the_cells_before() -> None:
    before = {cell["id"] for cell in made()["cells"]}
    assert before < {cell["id"] for cell in made(SAMPLE + "\n```pycon\n>>> 1\n1\n\n```\n")["cells"]}


def test_every_output_has_a_cell_of_its_own_without_prompts() -> None:
    first, explained, prior, learned, documents, loaded, loop, again = sources(made(), "code")
    assert first.splitlines()[0] == "import likelier as lk"
    assert first.splitlines()[-1] == "model.labels"
    assert explained == 'model.explain("cheap")'  # a notebook shows it as a page does
    assert prior == 'print(model.view().prior("spam"))'  # 1/2 and not Fraction(1, 2)
    assert learned == 'print(model.learn("cheap pills", "spam"))'  # once, or the next one would fail as a doctest
    assert (documents, loaded, again) == ("model.documents", 'lk.load("no such file")', "model.documents")
    assert loop == "for label in model.labels:\n    print(label)"


def test_prose_keeps_formulas_and_its_links_work_from_the_folder_of_notebooks() -> None:
    install, prose, math, *_, end = sources(made(), "markdown")
    assert "%pip install likelier" in install
    assert r"$P(t|c) = \frac{n}{N}$" in prose
    assert "[smoothing](../../concepts/smoothing.md#laplace)" in prose
    assert "[below](#Two-exercises)" in prose
    assert "[the other page](other.ipynb)" in prose
    assert "[far away](https://example.org/page.md)" in prose
    assert "`[this](link.md)`" in prose
    assert "$$\nP(t) = 1\n$$" in math
    assert ">>> this is no example" in math
    assert end == "Done."


def test_solutions_are_collapsed() -> None:
    cells = made()["cells"]
    hidden = [cell for cell in cells if "jupyter" in cell["metadata"]]
    assert ["".join(cell["source"]).splitlines()[0] for cell in hidden] == [
        "for label in model.labels:",
        "model.documents",
    ]
    assert all(cell["metadata"]["jupyter"]["source_hidden"] for cell in hidden)
    prose = sources(made(), "markdown")
    assert "<details>\n<summary>Solution</summary>\n\nThe prior, by hand:\n\n</details>" in prose
    assert "**Another**" in prose


@pytest.mark.parametrize(("name", "word"), [("gips-de", "Zelle"), ("article.ru", "ячейке"), ("deutsch", "cell")])
def test_the_first_cell_is_in_the_language_of_the_page(name: str, word: str) -> None:
    assert word in sources(made("# A page\n", name), "markdown")[0]


PICTURES = """\
```pycon
>>> import likelier as lk
>>> table = lk.train([("a", "x"), ("b", "y")]).textbook().likelihood_table()
>>> print(table)
label ...

```

<!-- picture: table -->
![Bars](pictures/bars.svg)

Between.

<!-- picture: table.renamed({"label": "Klasse"}) -->
![The same](pictures/same.svg)
"""


def test_a_picture_is_drawn_by_a_cell_unless_the_table_above_shows_it() -> None:
    notebook = made(PICTURES)
    shown, drawn = sources(notebook, "code")
    assert shown.splitlines()[-1] == "table"
    assert drawn.splitlines()[-1] == 'SVG((table.renamed({"label": "Klasse"})).to_svg())'
    assert sources(notebook, "markdown")[1:] == ["Between."]  # no image, whose file would be missing


def test_a_page_with_a_mistake_is_not_made_into_a_notebook() -> None:
    with pytest.raises(ZeroDivisionError):
        made("```pycon\n>>> 1 / 0\n1\n\n```\n")


def test_check_finds_what_is_stale_missing_or_left_over(tmp_path: Path) -> None:
    tmp_path.joinpath("one.md").write_text("# One\n", encoding="utf-8")
    stored = tmp_path / "notebooks"
    assert run("--check", "--pages", tmp_path).returncode == 1
    assert run("--pages", tmp_path).returncode == 0
    assert run("--check", "--pages", tmp_path).returncode == 0
    tmp_path.joinpath("one.md").write_text("# Two\n", encoding="utf-8")
    stored.joinpath("old.ipynb").write_text("{}", encoding="utf-8")
    stale = run("--check", "--pages", tmp_path)
    assert stale.returncode == 1
    assert re.findall(r"^(\w+\.ipynb) is not", stale.stderr, re.MULTILINE) == ["old.ipynb", "one.ipynb"]
    assert run("--pages", tmp_path).returncode == 0
    assert [path.name for path in stored.iterdir()] == ["one.ipynb"]
    assert "# Two" in json.loads(stored.joinpath("one.ipynb").read_text("utf-8"))["cells"][1]["source"][0]


@pytest.mark.slow
def test_a_sample_runs_and_becomes_a_page(tmp_path: Path) -> None:
    tmp_path.joinpath("sample.md").write_text(SAMPLE, encoding="utf-8")
    done = run("--pages", tmp_path, "--run", tmp_path / "run", "--html", tmp_path / "html")
    assert done.returncode == 0, done.stderr
    notebook = nbformat.read(tmp_path / "run" / "sample.ipynb", as_version=4)
    check_outputs(notebook)
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    assert outputs[0][0].data["text/plain"] == "('ham', 'spam')"
    assert outputs[4][0].data["text/plain"] == "3"
    assert '<section class="likelier">' in tmp_path.joinpath("html", "sample.html").read_text("utf-8")
