"""Timings as a table for people and as JSON for the tables of the documentation."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from measure import TASKS, Timing

TARGET = 15  # times as fast as scikit-learn, on one core
OURS, THEIRS = "likelier", "scikit-learn"


def table(timings: Sequence[Timing]) -> str:
    """One line for each task and peer, then what became of the target."""
    lines = [f"{'task':<15} {'':<20} {'MB/s best':>10} {'median':>8} {'ratio best':>11} {'median':>8}"]
    for timing in timings:
        best, median = _ratios(timings, timing)
        speeds = f"{timing.megabytes / timing.best:>10.1f} {timing.megabytes / timing.median:>8.1f}"
        lines.append(f"{timing.task:<15} {timing.peer:<20} {speeds} {best:>10.1f}x {median:>7.1f}x")
    return "\n".join([*lines, "", *(_verdict(task, ratio) for task, ratio in ratios(timings).items())])


def ratios(timings: Sequence[Timing]) -> dict[str, float]:
    """Task → how many times as fast as scikit-learn likelier is on one core, best against best."""
    return {task: _ratios(timings, _find(timings, task, OURS))[0] for task in TASKS}


def as_json(timings: Sequence[Timing]) -> list[dict[str, object]]:
    """Every raw time, with the figures of the table."""
    rows = []
    for timing in timings:
        best, median = _ratios(timings, timing)
        figures = {"best": timing.best, "median": timing.median, "ratio_best": best, "ratio_median": median}
        rows.append(asdict(timing) | figures | {"megabytes_per_second": timing.megabytes / timing.best})
    return rows


def write(file: Path, result: dict[str, object]) -> None:
    """The result as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def _find(timings: Sequence[Timing], task: str, peer: str) -> Timing:
    return next(timing for timing in timings if (timing.task, timing.peer) == (task, peer))


def _ratios(timings: Sequence[Timing], timing: Timing) -> tuple[float, float]:
    """How many times as fast as scikit-learn: best against best, median against median."""
    theirs = _find(timings, timing.task, THEIRS)
    return theirs.best / timing.best, theirs.median / timing.median


def _verdict(task: str, ratio: float) -> str:
    if ratio >= TARGET:
        return f"{task}: {ratio:.1f}x, the target of {TARGET}x is reached"
    return f"{task}: {ratio:.1f}x, the target of {TARGET}x is missed: {TARGET / ratio:.2f} times the speed is needed"


def tell(line: str) -> None:
    """What is going on, to stderr."""
    print(line, file=sys.stderr, flush=True)
