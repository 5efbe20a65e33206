"""The README's figures are those of the stored benchmark, and its links lead somewhere.

Its Python runs as a doctest, its commands run in `test_walkthrough.py`.
"""

from __future__ import annotations

import json
import re
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_the_table_of_speed_is_made_from_the_stored_result():
    script = runpy.run_path(str(ROOT / "benchmarks" / "readme.py"))
    result = json.loads(script["RESULT"].read_text("utf-8"))
    readme = (ROOT / "README.md").read_text("utf-8")
    assert script["with_table"](readme, result) == readme
    assert "times scikit-learn" in readme


def test_every_link_of_the_readme_leads_somewhere():
    links = re.findall(r"\]\(([^)\s]+)\)", (ROOT / "README.md").read_text("utf-8"))
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []
