"""All targets of speed, in one table: what is wanted, and where a result file has what was measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

SCIKIT = "× scikit-learn"
LARGEST = 5_000  # megabytes of the file that training must have seen

Result = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """A bound on one figure of a result file."""

    work: str
    bound: float
    unit: str
    result: str  # file without .json
    measured: Callable[[Result], float | None]  # None where the result does not say
    at_least: bool = True

    @property
    def wanted(self) -> str:
        """The bound in words."""
        return f"{'at least' if self.at_least else 'at most'} {self.in_units(self.bound)}"

    def in_units(self, figure: float) -> str:
        """With the unit behind it."""
        return f"{shown(figure)}{'' if self.unit.startswith('×') else ' '}{self.unit}"

    def reached(self, figure: float) -> bool:
        """Whether a figure is good enough."""
        return figure >= self.bound if self.at_least else figure <= self.bound

    def verdict(self, figure: float) -> str:
        """Met, or missed and by how much."""
        if self.reached(figure):
            return "met"
        factor = self.bound / figure if self.at_least else figure / self.bound
        return (
            f"missed by {figure - self.bound:.0f} points" if self.unit == "%" else f"missed by a factor of {factor:.2f}"
        )


def shown(figure: float) -> str:
    """With three digits, and no more behind the point than make sense."""
    if figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.3g}"


def _speed(task: str, peer: str) -> Callable[[Result], float | None]:
    def measured(result: Result) -> float | None:
        rows = [row for row in result["timings"] if (row["task"], row["peer"]) == (task, peer)]
        return rows[0]["ratio_best"] if rows else None

    return measured


def _lemmas(language: str) -> Callable[[Result], float | None]:
    return lambda result: _speed(language, "likelier, 2 threads")(result)


def _change(what: str) -> Callable[[Result], float | None]:
    """The slowest of all views and sizes, in microseconds."""
    return lambda result: max((row[what] for row in result["rows"] if row["peer"] == "likelier"), default=None)


def _mllib(task: str) -> Callable[[Result], float | None]:
    """How many times as quick as MLlib, with both cores."""

    def measured(result: Result) -> float | None:
        both = [row["engines"] for row in result["rows"] if "MLlib" in row["engines"]]
        return min(both[0]["MLlib"][task]) / min(both[0]["likelier"][task]) if both else None

    return measured


def _polars(result: Result) -> float | None:
    best = {task["task"]: task["best"] for task in result.get("csv", {"tasks": ()})["tasks"]}
    return best["likelier train"] / best["Polars"] if "Polars" in best else None


QUICK_BY_DEFAULT = ("imdb50k", "20news_bydate", "reuters_single_raw", "tatoeba_langid", "sms_spam", "tickets")


def _default(part: str, figure: str, names: tuple[str, ...] = ()) -> Callable[[Result], float | None]:
    """The largest figure of all sets, or of those that are named; None if one is missing."""

    def measured(result: Result) -> float | None:
        rows = result.get(part, {}).get("rows", {})
        found = [rows.get(name, {}).get(figure) for name in names or rows]
        return None if None in found else max(found, default=None)

    return measured


def _imports(result: Result) -> float | None:
    best = {row["command"]: row["best"] for row in result["rows"]}
    return best["import likelier"] / best["import sklearn"] * 100


def _spread(line: str) -> Callable[[Result], float | None]:
    """How much slower the slowest size is than the fastest, in percent of that; None if the largest is not there."""

    def measured(result: Result) -> float | None:
        rows = [row for row in result["rows"] if row["line"] == line]
        speeds = [row["megabytes_per_second"] for row in rows]
        complete = rows and all(speeds) and max(row["megabytes"] for row in rows) >= LARGEST
        return (1 - min(speeds) / max(speeds)) * 100 if complete else None

    return measured


def _growth(what: str) -> Callable[[Result], float | None]:
    """A cost for each count or posting, with all data against a quarter of it."""

    def measured(result: Result) -> float | None:
        costs = [row[what] for row in sorted(result["rows"], key=lambda row: row["cells"]) if "error" not in row]
        complete = len(costs) > 1 and len(costs) == len(result["rows"]) and min(costs) > 0
        return costs[-1] / costs[0] if complete else None

    return measured


OURS, TWO = "likelier", "likelier, 2 threads"
TARGETS = (
    Target("train, words, 1 thread", 25, SCIKIT, "speed", _speed("train words", OURS)),
    Target("train, words, 2 threads", 40, SCIKIT, "speed", _speed("train words", TWO)),
    Target("train, words and bigrams, 2 threads", 30, SCIKIT, "speed", _speed("train words and bigrams", TWO)),
    Target("train, German lemmas, 2 threads", 25, SCIKIT, "lemmas", _lemmas("German")),
    Target("train, Russian lemmas, 2 threads", 25, SCIKIT, "lemmas", _lemmas("Russian")),
    Target("classify many, 1 thread", 25, SCIKIT, "speed", _speed("classify", OURS)),
    Target("classify many, 2 threads", 45, SCIKIT, "speed", _speed("classify", TWO)),
    Target("classify one text of 140 characters", 30, SCIKIT, "speed", _speed("one text", OURS)),
    Target("learn one tweet, then classify one", 200, "µs", "change", _change("learn"), at_least=False),
    Target("forget one tweet, then classify one", 200, "µs", "change", _change("forget"), at_least=False),
    Target(
        "exact leave-one-out", 4, "batch classifications", "leave-one-out-imdb", lambda r: r["ratio"], at_least=False
    ),
    Target("train on Spark", 5, "× MLlib", "spark", _mllib("train")),
    Target("classify on Spark", 5, "× MLlib", "spark", _mllib("classify")),
    Target("train from CSV, end to end", 4, "× Polars reading the file", "reading", _polars, at_least=False),
    Target(
        "10,000 labels: memory per count",
        1.2,
        "× the value for a quarter of the data",
        "many-labels",
        _growth("bytes_per_count"),
        at_least=False,
    ),
    Target(
        "10,000 labels: time per posting",
        1.2,
        "× the value for a quarter of the data",
        "many-labels",
        _growth("nanoseconds_per_posting"),
        at_least=False,
    ),
    Target("10 MB to 5 GB, fixed vocabulary: spread of speed", 20, "%", "scaling", _spread("fixed"), at_least=False),
    Target(
        "10 MB to 5 GB, growing vocabulary: spread of speed", 20, "%", "scaling", _spread("growing"), at_least=False
    ),
    Target(
        "train with default settings, six corpora: the slowest",
        1,
        "× one fit of scikit-learn",
        "default",
        _default("times", "ratio", QUICK_BY_DEFAULT),
        at_least=False,
    ),
    Target(
        "train with default settings, all corpora: the slowest",
        2,
        "× one fit of scikit-learn",
        "default",
        _default("times", "ratio"),
        at_least=False,
    ),
    Target(
        "default settings: spread of five orders",
        0.5,
        "points",
        "default",
        _default("steady", "spread"),
        at_least=False,
    ),
    Target(
        "train with default settings: memory beside the texts",
        600,
        "MB",
        "default",
        _default("memory", "more_megabytes"),
        at_least=False,
    ),
    Target("import likelier", 20, "% of import sklearn", "startup", _imports, at_least=False),
)


def of(result_name: str, result: Result) -> Iterator[tuple[Target, float]]:
    """The targets that a result has figures for."""
    for target in TARGETS:
        if target.result == result_name and (figure := target.measured(result)) is not None:
            yield target, figure


def as_json(result_name: str, result: Result) -> list[dict[str, object]]:
    """For the result file."""
    return [
        {"work": target.work, "target": target.wanted, "measured": figure, "met": target.reached(figure)}
        for target, figure in of(result_name, result)
    ]


def lines(result_name: str, result: Result) -> list[str]:
    """For the end of a table in the terminal."""
    return [
        f"{target.work}: {target.in_units(figure)}, wanted: {target.wanted}, {target.verdict(figure)}"
        for target, figure in of(result_name, result)
    ]
