"""Tables and charts of speed, from stored results. pages.py puts them into the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import charts
import default_tables as default
from charts import Bar
from targets import TARGETS, Target, shown

Result = dict[str, Any]
Results = dict[str, Result]  # by the names of their files
MAIN = ("speed-imdb", "speed-zipf")  # the targets are about the first that is there
NOT_YET = "not measured yet"
TRAINING = ("train words", "Training on words, movie reviews")  # task, title of its chart


# ---- tables ----------------------------------------------------------------------------------------------------------


def summary(results: Results) -> list[str]:
    """likelier against scikit-learn, task by task, and training without options."""
    result = results[MAIN[0]]
    theirs = {row["task"]: row for row in result["timings"] if row["peer"] == "scikit-learn"}
    rows = ["| task | likelier | scikit-learn | speedup |", "|---|---|---|---|"]
    for row in result["timings"]:
        if row["peer"].startswith("likelier"):
            name = f"{row['task']}{row['peer'].removeprefix('likelier')}"
            speeds = f"{_speed(row)} | {_speed(theirs[row['task']])}"
            rows.append(f"| {name} | {speeds} | {row['ratio_best']:.1f} |")
    return [*rows, default.summary(results.get("default", {}))]


def targets(results: Results) -> list[str]:
    """Every target, the measured figure, and whether the target is met or by how much it is missed."""
    rows = ["| task | target | measured | |", "|---|---|---|---|"]
    for target in TARGETS:
        figure = _measured(target, results)
        cells = ("", NOT_YET) if figure is None else (target.in_units(figure), target.verdict(figure))
        rows.append(f"| {target.work} | {target.wanted} | {cells[0]} | {cells[1]} |")
    return rows


def _measured(target: Target, results: Results) -> float | None:
    names = MAIN if target.result == "speed" else (target.result,)
    found = [results[name] for name in names if name in results]
    return target.measured(found[0]) if found else None


def by_corpus(results: Results) -> list[str]:
    """Speedup over scikit-learn, for each task and corpus."""
    names = {name: result["corpus"]["name"] for name, result in results.items() if _is_full(result)}
    if not names:
        return []
    tasks = dict.fromkeys(
        (row["task"], row["peer"])
        for name in names
        for row in results[name]["timings"]
        if row["peer"].startswith("likelier")
    )
    rows = [f"| task | {' | '.join(names.values())} |", "|---" * (len(names) + 1) + "|"]
    for task, peer in tasks:
        found = [_row(results[name], task, peer) for name in names]
        cells = " | ".join(f"{row['ratio_best']:.1f}" if row else "" for row in found)
        rows.append(f"| {task}{peer.removeprefix('likelier')} | {cells} |")
    return rows


def _is_full(result: Result) -> bool:
    """Whether a result has the tasks of today."""
    return any(row["task"] == "one text" for row in result["timings"])


def _row(result: Result, task: str, peer: str) -> Result | None:
    return next((row for row in result["timings"] if (row["task"], row["peer"]) == (task, peer)), None)


def of_peers(result: Result) -> list[str]:
    """Every peer on the same texts, and what it computes."""
    if "peers" not in result:
        return []
    rows = ["| | train words | classify | one text | what it computes |", "|---|---|---|---|---|"]
    for name, about in result["peers"].items():
        found = [_row(result, task, name) for task in ("train words", "classify", "one text")]
        cells = " | ".join(_speed(row) if row else "" for row in found)
        sample = f"; {about['sample']}" if about["sample"] else ""
        rows.append(f"| {name} | {cells} | {about['definition']}{sample} |")
    left_out = [f"{name} was left out: {reason}." for name, reason in result.get("left_out", {}).items()]
    return [*rows, *([""] if left_out else []), *left_out]


def _speed(row: Result) -> str:
    if "microseconds_per_text" in row:
        return f"{shown(row['microseconds_per_text'])} µs"
    return f"{shown(row['megabytes_per_second'])} MB/s"


def lemmas(result: Result) -> list[str]:
    """Training with lemmas."""
    rows = ["| language | | MB/s | speedup |", "|---|---|---|---|"]
    for row in result["timings"]:
        speeds = f"{shown(row['megabytes_per_second'])} | {row['ratio_best']:.1f}"
        rows.append(f"| {row['task']} | {row['peer']} | {speeds} |")
    return rows


def change(result: Result) -> list[str]:
    """Microseconds by size and view."""
    rows = ["| terms | | view | learn and classify, µs | forget and classify, µs |", "|---|---|---|---|---|"]
    for row in result["rows"]:
        forget = shown(row["forget"]) if "forget" in row else "cannot"
        rows.append(f"| {row['terms']:,} | {row['peer']} | {row['view']} | {shown(row['learn'])} | {forget} |")
    return rows


def many_labels(result: Result) -> list[str]:
    """Memory and time by size."""
    head = "training, s | training, MB | classifying, MB | bytes per count | one verdict, µs | ns per posting"
    rows = [f"| labels | terms | counts | {head} |", "|---" * 9 + "|"]
    for row in result["rows"]:
        sizes = f"{row['labels']:,} | {row['terms']:,} | {row['cells']:,}"
        if "error" in row:
            rows.append(f"| {sizes} | {row['error']} | | | | | |")
            continue
        memory = f"{row['training_memory']:,.0f} | {row['asking_memory']:,.0f} | {row['bytes_per_count']:.0f}"
        times = f"{shown(row['kinds']['mixed']['microseconds'])} | {row['nanoseconds_per_posting']:.1f}"
        rows.append(f"| {sizes} | {row['training_seconds']:.1f} | {memory} | {times} |")
    return rows


def scaling(result: Result) -> list[str]:
    """Speed and memory by size."""
    rows = ["| vocabulary | MB | terms | MB/s | memory, MB |", "|---|---|---|---|---|"]
    for row in result["rows"]:
        speed = shown(row["megabytes_per_second"]) if row["megabytes_per_second"] else "too short to measure"
        about = f"{row['line']} | {row['megabytes']:,.0f} | {row['terms']:,}"
        rows.append(f"| {about} | {speed} | {row['peak_megabytes']:,.0f} |")
    start = result["starting"]
    skipped = [f"Left out: {reason}." for reason in result["skipped"]]
    startup = f"Startup takes {start['best']:.2f} s and {start['peak_megabytes']:.0f} MB; the speeds exclude that time."
    return [*rows, "", " ".join([startup, *skipped])]


def limit(result: Result) -> list[str]:
    """The steps of training."""
    rows = ["| step | what it does | MB/s | share of training, % |", "|---|---|---|---|"]
    for row in result["rows"]:
        figures = f"{row['megabytes_per_second']:,.0f} | {row['share'] * 100:.0f}"
        rows.append(f"| {row['step']} | {row['what']} | {figures} |")
    return rows


def functions(result: Result) -> list[str]:
    """The share of each kernel function in the time of training."""
    if isinstance(result["functions"], str):
        return ["| function |", "|---|", f"| {result['functions']} |"]
    rows = ["| kernel function | share of training time, % |", "|---|---|"]
    return rows + [f"| `{each['function']}` | {each['share'] * 100:.1f} |" for each in result["functions"]]


# ---- charts ----------------------------------------------------------------------------------------------------------


def chart_of_task(task: str, title: str) -> Callable[[Result], str | None]:
    """Bars of all peers in one task: MB/s, or texts per second."""

    def chart(result: Result) -> str | None:
        rows = [row for row in result["timings"] if row["task"] == task]
        if not rows or "peers" not in result:
            return None
        found = []
        for row in rows:
            figure = 1 / row["best"] * (row["texts"] or row["megabytes"])
            unit = "texts/s" if row["texts"] else "MB/s"
            found.append(Bar(row["peer"], figure, f"{shown(figure)} {unit}", row["peer"].startswith("likelier")))
        return charts.bars(title, sorted(found, key=lambda bar: -bar.figure))

    return chart


def chart_of_training(results: Results) -> str | None:
    """Bars of training on movie reviews."""
    return chart_of_task(*TRAINING)(results[MAIN[0]])


def chart_of_change(result: Result) -> str:
    """Microseconds over the size of the model."""
    series: dict[str, list[tuple[float, float]]] = {}
    for row in result["rows"]:
        name = row["view"] if row["peer"] == "likelier" else row["peer"]
        series.setdefault(name, []).append((row["terms"], row["learn"]))
    bound = next(target.bound for target in TARGETS if target.result == "change")
    title = "Learn one tweet, then classify one, in microseconds"
    return charts.lines(title, series, "terms of the model", ("target", bound))


def chart_of_scaling(field: str, title: str) -> Callable[[Result], str | None]:
    """Lines over the size of the file."""

    def chart(result: Result) -> str | None:
        series: dict[str, list[tuple[float, float]]] = {}
        for row in result["rows"]:
            if row[field]:
                series.setdefault(row["line"], []).append((row["megabytes"], row[field]))
        return charts.lines(title, series, "megabytes of CSV") if series else None

    return chart


def chart_of_labels(result: Result) -> str | None:
    """Microseconds of a verdict over its postings."""
    series = {
        f"{row['labels']:,} labels": sorted((each["postings"], each["microseconds"]) for each in row["kinds"].values())
        for row in result["rows"]
        if "error" not in row
    }
    title = "One verdict of a model with many labels, in microseconds"
    return charts.lines(title, series, "postings of the words in the text") if series else None


def chart_of_limit(result: Result) -> str:
    """Bars of the steps."""
    rows = [Bar(r["step"], r["best"], f"{shown(r['best'] * 1e3)} ms", r["step"] == "train") for r in result["rows"]]
    return charts.bars(f"One pass over {result['corpus']['megabytes']:.0f} MB, step by step", rows)
