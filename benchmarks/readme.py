"""Puts the figures of `results/speed-imdb.json` into the README: `python benchmarks/readme.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULT = ROOT / "benchmarks" / "results" / "speed-imdb.json"
BETWEEN = re.compile(r"(?<=<!-- speed -->\n).*?(?=<!-- end of speed -->)", re.DOTALL)


def table(result: dict[str, Any]) -> str:
    """The timings as Markdown."""
    rows = ["| work | | MB/s | times scikit-learn |", "|---|---|---|---|"]
    for timing in result["timings"]:
        speed, ratio = timing["megabytes_per_second"], timing["ratio_best"]
        rows.append(f"| {timing['task']} | {timing['peer']} | {speed:.0f} | {ratio:.1f} |")
    return "\n".join(["", *rows, "", ""])


def with_table(readme: str, result: dict[str, Any]) -> str:
    """The README with the figures of this result."""
    return BETWEEN.sub(table(result).replace("\\", r"\\"), readme)


if __name__ == "__main__":
    file = ROOT / "README.md"
    file.write_text(with_table(file.read_text("utf-8"), json.loads(RESULT.read_text("utf-8"))), encoding="utf-8")
