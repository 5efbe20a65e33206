"""Puts the stored figures into the pages that show them: `python benchmarks/pages.py`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"


def speed(result: dict[str, Any]) -> list[str]:
    """Training and classification against scikit-learn."""
    rows = ["| work | | MB/s | times scikit-learn |", "|---|---|---|---|"]
    for timing in result["timings"]:
        speed, ratio = timing["megabytes_per_second"], timing["ratio_best"]
        rows.append(f"| {timing['task']} | {timing['peer']} | {speed:.0f} | {ratio:.1f} |")
    return rows


def reading(result: dict[str, Any]) -> list[str]:
    """Reading a CSV file, and training from it."""
    rows = ["| what | MB/s | memory, MB | |", "|---|---|---|---|"]
    for task in result["csv"]["tasks"]:
        figures = f"{task['megabytes_per_second']:,.0f} | {task['peak_megabytes']:,.0f}"
        rows.append(f"| {task['task']} | {figures} | {'' if task['right'] else 'some rows wrong'} |")
    return rows


def model_file(result: dict[str, Any]) -> list[str]:
    """Saving, loading and a first answer."""
    rows = ["| terms | | MB | save, s | load, s | first answer, s | from a shell, s |", "|---|---|---|---|---|---|---|"]
    for size in result["rows"]:
        for peer in ("likelier", "scikit-learn"):
            figures = [size[peer][name] for name in ("megabytes", "save", "load", "first_answer", "shell")]
            shown = [f"{figure:.0f}" if figure >= 10 else f"{figure:.2g}" for figure in figures]
            rows.append(f"| {size['terms']:,} | {peer} | {' | '.join(shown)} |")
    return rows


def tables(result: dict[str, Any]) -> list[str]:
    """Accuracy on tables: all models with several kinds of column, and scikit-learn's best on each kind."""
    rows = ["| table | model | columns | accuracy, % | mean of other folds, % |", "|---|---|---|---|---|"]
    for judged in result["accuracy"]:
        means = judged.get("other_seeds", {}).get("mean", {})
        shown: dict[str, dict[str, Any]] = {}
        for row in sorted(judged["rows"], key=lambda row: row["right"]):  # of one kind the best comes last, and stays
            shown[row["model"] if not row["required"] else row["columns"]] = row
        for row in sorted(shown.values(), key=judged["rows"].index):
            name = row["model"].removesuffix(f", {row['columns']}")
            mean = f"{means[row['model']] * 100:.2f}" if means else ""
            rows.append(f"| {judged['table']} | {name} | {row['columns']} | {row['accuracy'] * 100:.2f} | {mean} |")
    return rows


def table_agreement(result: dict[str, Any]) -> list[str]:
    """The largest differences of log scores where the definitions agree."""
    rows = [
        "| table | columns | documents | scikit-learn | largest difference | relative |",
        "|---|---|---|---|---|---|",
    ]
    for row in result["agreement"]:
        about = f"{row['table']} | {row['columns']} {row['kind']} | {row['documents']:,} | {row['peer']}"
        rows.append(f"| {about} | {row['largest']:.0e} | {row['largest_relative']:.0e} |")
    return rows


def table_speed(result: dict[str, Any]) -> list[str]:
    """Training and classification of the census."""
    rows = ["| work | | seconds | times scikit-learn |", "|---|---|---|---|"]
    for timing in result["speed"]:
        rows.append(f"| {timing['task']} | {timing['peer']} | {timing['best']:.3f} | {timing['ratio_best']:.1f} |")
    return rows


def text_counts(result: dict[str, Any]) -> list[str]:
    """TextCounts against CountVectorizer."""
    rows = ["| work | | seconds | times CountVectorizer |", "|---|---|---|---|"]
    for timing in result["timings"]:
        rows.append(f"| {timing['task']} | {timing['peer']} | {timing['best']:.2f} | {timing['ratio_best']:.1f} |")
    return rows


# name of the marks in the page, page, result, table
TABLES: list[tuple[str, str, str, Callable[[dict[str, Any]], list[str]]]] = [
    ("speed", "README.md", "speed-imdb.json", speed),
    ("reading", "docs/guides/reading-data.md", "reading.json", reading),
    ("model-file", "docs/model-file.md", "model-file.json", model_file),
    ("tables", "docs/guides/tables.md", "tables.json", tables),
    ("table-agreement", "benchmarks/README.md", "tables.json", table_agreement),
    ("table-speed", "benchmarks/README.md", "tables.json", table_speed),
    ("text-counts", "docs/guides/scikit-learn.md", "text-counts.json", text_counts),
]


def with_table(page: str, mark: str, rows: list[str]) -> str:
    """The page with these rows between its marks."""
    between = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- end of {mark} -->)", re.DOTALL)
    return between.sub("\n".join(["", *rows, "", ""]).replace("\\", r"\\"), page)


def pages() -> dict[Path, str]:
    """Every page as it should be."""
    found: dict[Path, str] = {}
    for mark, name, result, table in TABLES:
        if not (RESULTS / result).exists():  # not measured yet
            continue
        path = ROOT / name
        page = found.get(path) or path.read_text("utf-8")
        found[path] = with_table(page, mark, table(json.loads((RESULTS / result).read_text("utf-8"))))
    return found


if __name__ == "__main__":
    for path, page in pages().items():
        path.write_text(page, encoding="utf-8")
