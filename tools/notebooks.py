"""Jupyter notebooks, made of the pages in docs/lectures: `python tools/notebooks.py`.

The prose becomes Markdown cells and every executed example a code cell, without prompts and outputs. What a page prints
is an expression in the notebook if a notebook has a better form of it, such as a table. A `<details>` with examples
becomes collapsed cells: the solution of an exercise. A picture is drawn again, unless the cell above shows it.

    --check         compare the stored notebooks with the pages, and write nothing
    --run FOLDER    write executed notebooks to FOLDER
    --html FOLDER   write executed notebooks as pages to FOLDER
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import doctest
import hashlib
import io
import json
import os
import posixpath
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[1] / "docs" / "lectures"
FOLDER = "notebooks"
BLOCK = re.compile(r"^```(?:pycon|python)\n((?:(?!^```).*\n)*?)^```\n?", re.MULTILINE)
DETAILS = re.compile(r"^<details[^>]*>\s*<summary>(.*?)</summary>\n(.*?)^</details>\n?", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"^```math\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"(^```.*?^```$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^<!-- picture: (.+?) -->\n!\[[^\]]*\]\([^)]+\)\n?", re.MULTILINE)
LINK = re.compile(r"(!?\[[^\]]*\]\()([^)\s]+)(\))")
DIRECTIVE = re.compile(r"\s*#\s*doctest:.*$", re.MULTILINE)
INSTALL = {
    "en": "This notebook needs likelier. If it is not installed, run `%pip install likelier` in a cell of its own.",
    "de": "Dieses Notebook braucht likelier. Falls es nicht installiert ist: `%pip install likelier` in einer eigenen"
    " Zelle ausführen.",
    "ru": "Этому блокноту нужен likelier. Если он не установлен, выполните `%pip install likelier` в отдельной ячейке.",
}


@dataclass
class Page:
    """A page on its way to a notebook, which runs the examples as it goes."""

    name: str
    text: str
    siblings: frozenset[str] = frozenset()  # the names of all pages that become notebooks
    names: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})  # of the examples
    cells: list[dict[str, Any]] = field(default_factory=list)

    def notebook(self) -> dict[str, Any]:
        """The notebook, as JSON has it."""
        language = re.search(r"[-.](de|ru)$", self.name)
        self.add_markdown(INSTALL[language[1] if language else "en"])
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            end = 0
            for found in DETAILS.finditer(self.text):
                self.add(self.text[end : found.start()])
                self.add_solution(found[1].strip(), found[2])
                end = found.end()
            self.add(self.text[end:])
        kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
        about = {"kernelspec": kernel, "language_info": {"name": "python"}}
        return {"cells": list(_with_ids(self.cells)), "metadata": about, "nbformat": 4, "nbformat_minor": 5}

    # ---- prose -----------------------------------------------------------------------------------------------

    def add(self, text: str) -> None:
        """Prose, examples and pictures."""
        end = 0
        for found in sorted([*BLOCK.finditer(text), *PICTURE.finditer(text)], key=lambda each: each.start()):
            if found.re is PICTURE or ">>> " in found[1]:
                self.add_markdown(text[end : found.start()])
                (self.add_picture if found.re is PICTURE else self.add_code)(found[1])
                end = found.end()
        self.add_markdown(text[end:])

    def add_solution(self, summary: str, text: str) -> None:
        """What a page folds away: prose that is folded in the notebook too, and collapsed cells."""
        start = len(self.cells)
        self.add(text)
        inner, self.cells[start:] = self.cells[start:], []
        self.add_markdown(f"**{summary}**" if inner and inner[0]["cell_type"] == "code" else "")
        for cell in inner:
            if cell["cell_type"] == "code":
                cell["metadata"]["jupyter"] = {"source_hidden": True, "outputs_hidden": True}
            else:
                prose = "".join(cell["source"])
                cell["source"] = _lines(f"<details>\n<summary>{summary}</summary>\n\n{prose}\n\n</details>")
            self.cells.append(cell)

    def add_markdown(self, text: str) -> None:
        """Prose with formulas and links that work in a notebook."""
        text = FORMULA.sub(lambda found: f"$$\n{found[1]}$$", text)
        parts = re.sub(r"\$`([^`\n]+)`\$", r"$\1$", text.strip())
        shown = "".join(part if part.startswith("`") else LINK.sub(self._link, part) for part in FENCED.split(parts))
        if shown:
            self.cells.append({"cell_type": "markdown", "metadata": {}, "source": _lines(shown)})

    def _link(self, found: re.Match[str]) -> str:
        path, mark, anchor = found[2].partition("#")
        if "://" in path or path.startswith("mailto:"):
            return found[0]
        if not path:
            return f"{found[1]}#{self._anchors().get(anchor, anchor)}{found[3]}"
        if path.endswith(".md") and path.removesuffix(".md") in self.siblings:
            return f"{found[1]}{path.removesuffix('.md')}.ipynb{found[3]}"
        return f"{found[1]}{posixpath.join('..', path)}{mark}{anchor}{found[3]}"

    def _anchors(self) -> dict[str, str]:
        """Of each heading: its anchor in a page, and in a notebook."""
        headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", self.text), re.MULTILINE)
        return {re.sub(r"[^\w\- ]", "", each.lower()).replace(" ", "-"): each.replace(" ", "-") for each in headings}

    # ---- examples --------------------------------------------------------------------------------------------

    def add_picture(self, call: str) -> None:
        """A cell that draws it, so that the notebook needs no other file; none where a table shows it already."""
        shown = next((cell["source"][-1] for cell in reversed(self.cells) if cell["cell_type"] == "code"), "")
        if shown != call:
            self._add_cell(["from IPython.display import SVG", "", f"SVG(({call}).to_svg())"], ["picture"])

    def add_code(self, block: str) -> None:
        """A cell for every output of the block."""
        sources: list[str] = []
        for example in doctest.DocTestParser().get_examples(block, self.name):
            source, tags = self._run(example)
            sources.append(DIRECTIVE.sub("", source).rstrip("\n"))
            if example.want or tags:
                self._add_cell(sources, tags)
                sources = []
        if sources:
            self._add_cell(sources, [])

    def _add_cell(self, sources: list[str], tags: list[str]) -> None:
        metadata = {"tags": tags} if tags else {}
        source = _lines("\n".join(sources))
        self.cells.append(
            {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": source}
        )

    def _run(self, example: doctest.Example) -> tuple[str, list[str]]:
        """The source as a notebook has it, and the tags of its cell."""
        if example.options.get(doctest.SKIP):
            return example.source, []
        expression = _printed(example.source)
        printed: list[Any] = []
        self.names["print"] = lambda *values, **options: printed.extend(values) or print(*values, **options)
        with contextlib.redirect_stdout(io.StringIO()):
            try:
                exec(compile(example.source, f"{self.name}.md", "single"), self.names)
            except Exception:
                if example.exc_msg is None:
                    raise
        if example.exc_msg is not None:
            return example.source, ["raises-exception"]
        is_rich = expression is not None and hasattr(printed[-1], "_repr_html_")
        return (str(expression), ["table"]) if is_rich else (example.source, [])


def _printed(source: str) -> str | None:
    """The expression, if the statement prints one and nothing else."""
    match ast.parse(source).body:
        case [ast.Expr(ast.Call(ast.Name("print"), [argument], []))] if not isinstance(argument, ast.Starred):
            return ast.get_source_segment(source, argument)
    return None


def _lines(text: str) -> list[str]:
    return text.splitlines(keepends=True)


def _with_ids(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """With names that stay the same while the cell does."""
    seen: dict[str, int] = {}
    for cell in cells:
        name = hashlib.sha256("".join(cell["source"]).encode()).hexdigest()[:12]
        seen[name] = seen.get(name, 0) + 1
        yield {"id": name if seen[name] == 1 else f"{name}-{seen[name]}", **cell}


def written(notebook: dict[str, Any]) -> str:
    """The notebook as a file has it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def notebooks(pages: Path = PAGES) -> dict[str, str]:
    """The files that the folder of notebooks has, by name."""
    found = {path.stem: path.read_text("utf-8") for path in sorted(pages.glob("*.md")) if path.stem != "README"}
    names = frozenset(found)
    return {f"{name}.ipynb": written(Page(name, text, names).notebook()) for name, text in found.items()}


# ---- running ---------------------------------------------------------------------------------------------------


def executed(content: str) -> Any:
    """The notebook with its outputs, by a kernel of this Python that imports the same likelier."""
    import nbformat
    from jupyter_client.kernelspec import KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from nbclient import NotebookClient

    import likelier

    notebook = nbformat.reads(content, as_version=4)
    with tempfile.TemporaryDirectory() as name:
        spec, here = Path(name, "kernels", "python3"), Path(name, "here")
        spec.mkdir(parents=True)
        here.mkdir()
        source = str(Path(likelier.__file__).parents[1])
        kernel = {
            "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
            "display_name": "Python 3",
            "language": "python",
            "env": {
                "PYTHONPATH": os.pathsep.join(filter(None, [source, os.environ.get("PYTHONPATH")])),
                "IPYTHONDIR": name,
            },
        }
        spec.joinpath("kernel.json").write_text(json.dumps(kernel))
        specs = KernelSpecManager(kernel_dirs=[str(spec.parent)], ensure_native_kernel=False)
        manager = AsyncKernelManager(kernel_name="python3", kernel_spec_manager=specs)
        client = NotebookClient(notebook, timeout=600, km=manager, resources={"metadata": {"path": str(here)}})
        client.execute()
    for cell in notebook.cells:
        if "outputs" in cell:  # without progress bars, which are drawn over
            cell.outputs = [each for each in cell.outputs if each.get("name") != "stderr" or "\r" not in each.text]
    return notebook


def as_page(notebook: Any, title: str, theme: str = "light") -> str:
    """An executed notebook as HTML."""
    from nbconvert import HTMLExporter

    return HTMLExporter(theme=theme).from_notebook_node(notebook, {"metadata": {"name": title}})[0]


def main() -> int:
    """What the options ask for."""
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="compare the stored notebooks with the pages")
    parser.add_argument("--run", type=Path, metavar="FOLDER", help="write executed notebooks to FOLDER")
    parser.add_argument("--html", type=Path, metavar="FOLDER", help="write executed notebooks as pages to FOLDER")
    parser.add_argument("--pages", type=Path, default=PAGES, help="the folder of the pages; default: docs/lectures")
    asked = parser.parse_args()
    made, folder = notebooks(asked.pages), asked.pages / FOLDER
    if asked.run or asked.html:
        for name, content in made.items():
            _write_executed(name, content, asked.run, asked.html)
        return 0
    stored = {path.name: path.read_text("utf-8") for path in folder.glob("*.ipynb")}
    differing = sorted(name for name in {*made, *stored} if made.get(name) != stored.get(name))
    if asked.check:
        for name in differing:
            print(f"{name} is not what its page says. hint: python tools/notebooks.py", file=sys.stderr)
        return bool(differing)
    for name in differing:
        folder.mkdir(exist_ok=True)
        if name in made:
            folder.joinpath(name).write_text(made[name], encoding="utf-8")
        else:
            folder.joinpath(name).unlink()
    return 0


def _write_executed(name: str, content: str, as_notebook: Path | None, as_html: Path | None) -> None:
    import nbformat

    notebook = executed(content)
    for folder, suffix in ((as_notebook, ".ipynb"), (as_html, ".html")):
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            text = nbformat.writes(notebook) if suffix == ".ipynb" else as_page(notebook, Path(name).stem)
            folder.joinpath(name).with_suffix(suffix).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
