"""What the pages say about Spark: a table of seconds and speeds, and a chart."""

from __future__ import annotations

from typing import Any

import charts
from targets import shown

TASKS = {"train": ("training", "documents"), "classify": ("classifying", "asked")}


def spark(result: dict[str, Any]) -> list[str]:
    """Seconds by task, engine and number of cores, and what it takes to start."""
    head = "| task | engine | cores | 100 texts, s | all texts, s | texts per second | × MLlib |"
    rows = [head, "|---|---|---|---|---|---|---|"]
    for task, (name, size) in TASKS.items():
        for row in result["rows"]:
            for engine, times in row["engines"].items():
                few, best = min(times[f"few_{task}"]), min(times[task])
                theirs = row["engines"].get("MLlib")
                ratio = "" if theirs is None or engine == "MLlib" else shown(min(theirs[task]) / best)
                speed = f"{result[size] / best:,.0f}"
                rows.append(f"| {name} | {engine} | {row['cores']} | {few:.1f} | {best:.1f} | {speed} | {ratio} |")
    return rows


def starting(result: dict[str, Any]) -> list[str]:
    """What it takes before the first text is read."""
    rows = ["| | seconds |", "|---|---|"]
    row = result["rows"][0]
    rows.append(f"| a session: the driver's Java, and executors on two workers | {row['session']:.1f} |")
    for engine, times in row["engines"].items():
        rows.append(f"| first training and first verdicts of {engine}, on 100 texts | {times['first']:.1f} |")
    return rows


def chart(result: dict[str, Any]) -> str:
    """Texts per second by task, engine and number of cores."""
    bars = []
    for task, (name, size) in TASKS.items():
        for row in result["rows"]:
            for engine, times in row["engines"].items():
                speed = result[size] / min(times[task])
                cores = f"{row['cores']} core{'s' * (row['cores'] > 1)}"
                bars.append(charts.Bar(f"{name}, {engine}, {cores}", speed, f"{speed:,.0f}", engine == "likelier"))
    return charts.bars("Texts per second on a Spark cluster", bars)
