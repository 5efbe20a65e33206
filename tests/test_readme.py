"""The README's figures are those of the stored benchmark, and its links lead somewhere.

Its Python runs as a doctest, its commands run in `test_walkthrough.py`.
"""

from __future__ import annotations

import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_tables_of_figures_are_made_from_the_stored_results():
    script = runpy.run_path(str(ROOT / "benchmarks" / "pages.py"))
    for path, page in script["pages"]().items():
        assert path.read_text("utf-8") == page
    for mark, name, _, _ in script["TABLES"]:
        assert f"<!-- {mark} -->\n\n| " in (ROOT / name).read_text("utf-8")


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
