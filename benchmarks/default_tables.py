"""Tables and charts of training without options, from the result of default.py. pages.py puts them into the pages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import charts
from charts import Bar

Result = dict[str, Any]
DEFAULT, TEXTBOOK, FIXED = "likelier", "likelier, textbook", "likelier, fixed view"
ONE_FIT, LINEAR = "scikit-learn, one fit", "scikit-learn, LinearSVC"


def _rows(result: Result, part: str) -> dict[str, Any]:
    return result[part]["rows"] if part in result else {}


def summary(result: Result) -> str:
    """Movie reviews, as a row of the table of the README."""
    measured = _rows(result, "times").get("imdb50k")
    work = "train without options, settings chosen, 2 threads"
    if measured is None:
        return f"| {work} | not measured yet | | |"
    speeds = [f"{measured['megabytes'] / measured['seconds'][name]['best']:.3g} MB/s" for name in (DEFAULT, ONE_FIT)]
    return f"| {work} | {' | '.join(speeds)} | {1 / measured['ratio']:.1f} |"


def linear(result: Result) -> list[str]:
    """Accuracy beside a linear model."""
    judged = _rows(result, "accuracy")
    if not judged:
        return []
    rows = ["| corpus | likelier, % | LinearSVC, % | difference |", "|---|---|---|---|"]
    ahead = 0
    for row in judged.values():
        ours, theirs = (row["accuracy"][name] for name in (DEFAULT, LINEAR))
        ahead += ours > theirs
        rows.append(f"| {row['title']} | {_percent(ours)} | {_percent(theirs)} | {(ours - theirs) * 100:+.2f} |")
    return [*rows, "", f"likelier is ahead on {ahead} of these {len(judged)} corpora."]


def times(result: Result) -> list[str]:
    """Seconds of training, and memory."""
    measured, grid, memory = (_rows(result, part) for part in ("times", "grid", "memory"))
    if not measured:
        return []
    head = "documents | MB | likelier, s | one fit, s | ratio | GridSearchCV, s | textbook, s | memory, MB"
    rows = [f"| corpus | {head} |", "|---" * 9 + "|"]
    for name, row in measured.items():
        seconds = {model: _seconds(each["best"]) for model, each in row["seconds"].items()}
        sizes = f"{row['documents']:,} | {row['megabytes']:.1f} | {seconds[DEFAULT]} | {seconds[ONE_FIT]}"
        more = f"{memory[name]['more_megabytes']:,.0f}" if name in memory else ""
        cells = f"{row['ratio']:.2f} | {_search(grid.get(name))} | {seconds[TEXTBOOK]} | {more}"
        rows.append(f"| {row['title']} | {sizes} | {cells} |")
    return rows


def _search(row: Result | None) -> str:
    if row is None:
        return ""
    return _seconds(row["seconds"]) if "seconds" in row else f"more than {row['limit']:g}"


def accuracy(result: Result) -> list[str]:
    """The share of right verdicts, and how good the probabilities are."""
    judged, grid = _rows(result, "accuracy"), _rows(result, "grid")
    if not judged:
        return []
    names = "likelier | textbook | one fit | GridSearchCV | LinearSVC"
    rows = [f"| corpus | {names} | log loss | calibration error |", "|---" * 8 + "|"]
    for name, row in judged.items():
        found = row["accuracy"]
        search = grid.get(name, {}).get("accuracy")
        shares = [found[DEFAULT], found[TEXTBOOK], found[ONE_FIT], search, found[LINEAR]]
        loss = "infinite" if row["log_loss"] is None else f"{row['log_loss']:.3f}"
        cells = " | ".join("" if share is None else _percent(share) for share in shares)
        rows.append(f"| {row['title']} | {cells} | {loss} | {_percent(row['calibration_error'])} |")
    return rows


def steady(result: Result) -> list[str]:
    """The lowest and the highest accuracy after training on the same documents in several orders."""
    found = _rows(result, "steady")
    rows = ["| corpus | lowest, % | highest, % | spread |", "|---|---|---|---|"]
    for row in found.values():
        ends = f"{_percent(min(row['accuracy']))} | {_percent(max(row['accuracy']))}"
        rows.append(f"| {row['title']} | {ends} | {row['spread']:.2f} |")
    return rows if found else []


def few(result: Result) -> list[str]:
    """Accuracy with few documents."""
    found = _rows(result, "few")
    rows = ["| corpus | documents | likelier, % | fixed view, % | textbook, % |", "|---|---|---|---|---|"]
    for row in found.values():
        for documents in row["accuracy"][DEFAULT]:
            cells = " | ".join(_percent(row["accuracy"][name][documents]) for name in (DEFAULT, FIXED, TEXTBOOK))
            rows.append(f"| {row['title']} | {documents} | {cells} |")
    return rows if found else []


def chart(result: Result) -> str | None:
    """Bars of the time that training without options takes, for that of one fit of scikit-learn."""
    found = sorted(_rows(result, "times").values(), key=lambda row: row["ratio"])
    rows = []
    for row in found:
        best = {model: _seconds(each["best"]) for model, each in row["seconds"].items()}
        shown = f"{row['ratio']:.2f} ({best[DEFAULT]} s to {best[ONE_FIT]} s)"
        rows.append(Bar(row["title"], row["ratio"], shown, ours=True))
    title = "Training with chosen settings; 1 is the time of one fit of scikit-learn"
    return charts.bars(title, rows) if rows else None


def in_terminal(result: Result) -> str:
    """All tables that there are figures for."""
    tables: list[Callable[[Result], list[str]]] = [times, accuracy, steady, few]
    return "\n\n".join("\n".join(rows) for rows in (table(result) for table in tables) if rows)


def _seconds(seconds: float) -> str:
    return f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}"


def _percent(share: float) -> str:
    return f"{share * 100:.2f}"
