"""Real tables that may stand beside the project."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

TABLES = Path(__file__).parents[2] / "shared" / "data" / "tables"


def table(name: str) -> tuple[list[list[str]], list[str]]:
    """The rows without the label, and the labels."""
    with gzip.open(TABLES / f"{name}.csv.gz", "rt") as file:
        _, *rows = csv.reader(file)
    return [row[1:] for row in rows], [row[0] for row in rows]
