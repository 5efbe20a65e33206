"""Timings as a table for people and as JSON for the tables of the documentation."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from environment import ROOT
from measure import Timing

OURS, THEIRS = "likelier", "scikit-learn"


def table(timings: Sequence[Timing]) -> str:
    """One line for each task and peer; microseconds where one text is asked after the other."""
    lines = [f"{'task':<24} {'':<20} {'best':>14} {'median':>14} {'ratio best':>11} {'median':>8}"]
    for timing in timings:
        best, median = ratios(timings, timing)
        speeds = f"{_speed(timing, timing.best):>14} {_speed(timing, timing.median):>14}"
        lines.append(f"{timing.task:<24} {timing.peer:<20} {speeds} {best:>10.1f}x {median:>7.1f}x")
    return "\n".join(lines)


def as_json(timings: Sequence[Timing]) -> list[dict[str, object]]:
    """Every raw time, with the figures of the table."""
    rows = []
    for timing in timings:
        best, median = ratios(timings, timing)
        figures: dict[str, object] = {"best": timing.best, "median": timing.median}
        figures |= {"ratio_best": best, "ratio_median": median}
        figures["megabytes_per_second"] = timing.megabytes / timing.best
        if timing.texts:
            figures["microseconds_per_text"] = timing.best / timing.texts * 1e6
        rows.append(asdict(timing) | figures)
    return rows


def ratios(timings: Sequence[Timing], timing: Timing) -> tuple[float, float]:
    """How many times as fast as scikit-learn, for each byte: best against best, median against median."""
    theirs = next(each for each in timings if (each.task, each.peer) == (timing.task, THEIRS))
    size = timing.megabytes / theirs.megabytes
    return theirs.best / timing.best * size, theirs.median / timing.median * size


def write(file: Path, result: dict[str, object]) -> None:
    """The result as JSON."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    tell(f"written: {file.resolve().relative_to(ROOT)}")


def tell(line: str) -> None:
    """What is going on, to stderr."""
    print(line, file=sys.stderr, flush=True)


def count(text: str) -> int:
    """A number of repetitions, as an option."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, got {number}")
    return number


def _speed(timing: Timing, seconds: float) -> str:
    if timing.texts:
        return f"{seconds / timing.texts * 1e6:.1f} µs"
    return f"{timing.megabytes / seconds:.1f} MB/s"
