"""LaTeX documents, compiled: what stands on their pages, and what TeX had to say."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest

ENGINES = ("pdflatex", "xelatex", "lualatex")
slow_engines = [engine if engine == "pdflatex" else pytest.param(engine, marks=pytest.mark.slow) for engine in ENGINES]


@dataclass(frozen=True)
class Typeset:
    """A compiled document.

    pages  the text of each page
    log    TeX's own words
    """

    pages: list[str]
    log: str

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.pages).split())

    @property
    def too_wide(self) -> list[str]:
        """What runs off the page."""
        return re.findall(r"^Overfull \\hbox.*$", self.log, re.MULTILINE)


def compiled(source: str, engine: str) -> Typeset:
    """The document by this engine, in a folder of its own and without a shell; TeX's error fails the test."""
    for program in (engine, "pdftotext"):
        if shutil.which(program) is None:
            (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(
                f"there is no {program}: CI=true make test installs TeX"
            )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.joinpath("page.tex").write_text(source, encoding="utf-8")
        options = ["-no-shell-escape", "-interaction=nonstopmode", "-halt-on-error"]
        done = subprocess.run([engine, *options, "page.tex"], cwd=folder, capture_output=True, timeout=600)
        written = folder / "page.log"
        log = written.read_text("utf-8", errors="replace") if written.exists() else done.stdout.decode(errors="replace")
        if done.returncode:
            found = re.search(r"^! .*?^l\.\d+.*?$|^! .*$", log, re.MULTILINE | re.DOTALL)
            pytest.fail(f"{engine}: {found[0][:2000] if found else log[-2000:]}")
        text = subprocess.run(["pdftotext", "-layout", "page.pdf", "-"], cwd=folder, capture_output=True, check=True)
        return Typeset(text.stdout.decode("utf-8", errors="replace").split("\f")[:-1], log)
