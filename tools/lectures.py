"""Runs the pages of docs/lectures: writes what their examples print, and their pictures.

    python tools/lectures.py            # rewrites all pages
    python tools/lectures.py goats.md   # or some
    python tools/lectures.py --check    # only says whether they are up to date

A page has blocks of `pycon`, all in one namespace. A picture is an image below a comment with the expression that draws
it, which is worked out after the block above it:

    <!-- picture: view.likelihood_table(before=True) -->
    ![Likelihoods before and after smoothing](pictures/goats-smoothing.svg)
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PAGES = Path(__file__).parents[1] / "docs" / "lectures"
BLOCK = re.compile(r"^(?P<indent> *)```pycon\n(?P<code>.*?)^(?P=indent)```$", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"<!-- picture: (?P<call>.+?) -->\n!\[[^\]]*\]\((?P<path>[^)]+)\)")


def run(page: Path) -> dict[Path, str]:
    """The page, and the pictures on it, as they should be."""
    text = page.read_text(encoding="utf-8")
    namespace: dict[str, Any] = {"__name__": "__main__"}
    files: dict[Path, str] = {}
    done, parts = 0, []
    for found in _in_order(text):
        parts.append(text[done : found.start()])
        done = found.end()
        if found.re is BLOCK:
            indent = found["indent"]
            parts.append(f"{indent}```pycon\n{_executed(found['code'], indent, namespace)}\n{indent}```")
        else:
            files[page.parent / found["path"]] = eval(found["call"], namespace).to_svg() + "\n"
            parts.append(found[0])
    return {page: "".join([*parts, text[done:]]), **files}


def _in_order(text: str) -> Iterator[re.Match[str]]:
    found = [*BLOCK.finditer(text), *PICTURE.finditer(text)]
    return iter(sorted(found, key=lambda match: match.start()))


def _executed(code: str, indent: str, namespace: dict[str, Any]) -> str:
    """The block with what its examples print now."""
    lines = []
    for example in doctest.DocTestParser().get_examples(code):
        first, *others = example.source.rstrip("\n").split("\n")
        lines += [f">>> {first}", *(f"... {line}".rstrip() for line in others)]
        lines += [line or "<BLANKLINE>" for line in _printed(example.source, namespace).rstrip("\n").split("\n")]
        lines = lines[:-1] if lines[-1] == "<BLANKLINE>" else lines
    return "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)


def _printed(source: str, namespace: dict[str, Any]) -> str:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            exec(compile(source, "<page>", "single"), namespace)
        except Exception as error:
            kind = type(error)
            name = kind.__name__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__name__}"
            return f"Traceback (most recent call last):\n    ...\n{name}: {error}"
    return out.getvalue()


def main(arguments: list[str]) -> int:
    """Rewrites pages, or says which are out of date."""
    check = "--check" in arguments
    names = [each for each in arguments if not each.startswith("-")]
    pages = [PAGES / name for name in names] or sorted(PAGES.glob("*.md"))
    stale = []
    for page in pages:
        with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
            files = run(page)
        for path, text in files.items():
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                stale.append(os.path.relpath(path, PAGES))
                if not check:
                    path.parent.mkdir(exist_ok=True)
                    path.write_text(text, encoding="utf-8")
    for name in stale:
        print(f"{name} {'is out of date' if check else 'written'}")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
