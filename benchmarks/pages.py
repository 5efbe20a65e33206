"""Puts the stored figures into the pages that show them, as tables and charts: `python benchmarks/pages.py`."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

import default_tables as default
import labeling_tables as labeling
import spark_tables as on_spark
import speed_tables as speed

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results"
CHARTS = ROOT / "docs" / "charts"
SPEED = "docs/speed.md"
NOT_YET = ["| |", "|---|", f"| {speed.NOT_YET} |"]


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
    rows = ["| task | | seconds | speedup |", "|---|---|---|---|"]
    for timing in result["speed"]:
        rows.append(f"| {timing['task']} | {timing['peer']} | {timing['best']:.3f} | {timing['ratio_best']:.1f} |")
    return rows


def text_counts(result: dict[str, Any]) -> list[str]:
    """TextCounts against CountVectorizer."""
    rows = ["| work | | seconds | times CountVectorizer |", "|---|---|---|---|"]
    for timing in result["timings"]:
        rows.append(f"| {timing['task']} | {timing['peer']} | {timing['best']:.2f} | {timing['ratio_best']:.1f} |")
    return rows


def accuracy(results: dict[str, Any]) -> list[str]:
    """likelier with default options against the best naive Bayes of scikit-learn, and whether the targets are met."""
    head = "best of scikit-learn | % | likelier, % | difference | calibration error, % | seconds | chosen"
    rows = [f"| corpus | {head} |", "|---|---|---|---|---|---|---|---|"]
    summaries = {name: result["summary"] for name, result in results.items()}
    for name, row in summaries.items():
        ours = f"{_percent(row['best_accuracy'])} | {_percent(row['accuracy'])} | {row['difference'] * 100:+.2f}"
        errors = f"{_percent(row['error_before'])} → {_percent(row['error_after'])}"
        often = "" if row["splits"] == 1 else f" ({row['times']} of {row['splits']} folds)"
        seconds = f"{row['seconds']:.0f}" if row["seconds"] >= 10 else f"{row['seconds']:.1f}"
        how = f"{errors} | {seconds} | {row['settings']}{often}"
        rows.append(f"| {name} | {row['best']} | {ours} | {how} |")
    near, ahead, calibrated = (sum(row[which] for row in summaries.values()) for which in ("near", "ahead", "honest"))
    notes = [
        f"likelier is ahead on {ahead} of these {len(summaries)} corpora, and at most 0.2 points behind on {near}.",
        f"Calibration reduces the calibration error to a third or less on {calibrated}.",
    ]
    return [*rows, "", *notes]


def accuracy_of_peers(results: dict[str, Any]) -> list[str]:
    """All models of scikit-learn, with words, and with words and bigrams."""
    peers = {name: result["peers"] for name, result in results.items()}
    models = list(dict.fromkeys(row["model"] for rows in peers.values() for row in rows))
    lines = [f"| corpus | {' | '.join(models)} |", "|---" * (len(models) + 1) + "|"]
    for name, rows in peers.items():
        cells = [" / ".join(_percent(row["accuracy"]) for row in rows if row["model"] == model) for model in models]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return lines


def calibration(results: dict[str, Any]) -> list[str]:
    """Calibration errors on the test set, before and after."""
    rows = ["| corpus | textbook, % | calibrated | chosen settings, % | calibrated | by |", "|---|---|---|---|---|---|"]
    for name, result in results.items():
        figures, runs = result["likelier"]["figures"], result["likelier"]["runs"]
        which = ("textbook", "textbook, calibrated", "auto, not calibrated", "auto")
        errors = " | ".join(_percent(figures[each]["calibration_error"]) for each in which)
        rules = sorted({run["calibration"].partition(" ")[0].rstrip(",:") for run in runs})
        rows.append(f"| {name} | {errors} | {', '.join(rules)} |")
    return rows


def refined(result: dict[str, Any]) -> list[str]:
    """Refined weights beside naive Bayes and linear models."""
    models = ("likelier", "likelier, refined", "tf-idf SVM", "NB-weighted regression")
    rows = [f"| corpus | {' | '.join(models)} |", "|---" * 5 + "|"]
    for name, each in result["accuracy"].items():
        found = {row["model"]: row for row in each["models"]}
        shares = [_percent(found[model]["accuracy"]) if model in found else "" for model in models]
        rows.append(f"| {name} | {' | '.join(shares)} |")
    return rows


def times_refined(result: dict[str, Any]) -> list[str]:
    """Seconds and memory of training and classifying, beside those of a linear model."""
    head = "| corpus | training, s | classification, s | MB | SVM: training, s | classification, s | MB | ratio |"
    rows = [head, "|---" * 8 + "|"]
    for name, each in result["times"].items():
        cells = [
            f"{row['train_seconds']:.1f} | {row['classify_seconds']:.1f} | {row['peak_megabytes']:,.0f}"
            for row in each["models"].values()
        ]
        rows.append(f"| {name} | {' | '.join(cells)} | {each['ratio']:.2f} |")
    return rows


def few_refined(result: dict[str, Any]) -> list[str]:
    """With few documents: refined less without, with its standard error."""
    sizes = list(dict.fromkeys(row["documents"] for each in result["few"].values() for row in each["rows"]))
    rows = [f"| corpus | {' | '.join(map(str, sizes))} |", "|---" * (len(sizes) + 1) + "|"]
    for name, each in result["few"].items():
        found = {row["documents"]: f"{row['difference'] * 100:+.1f} ± {row['error'] * 100:.1f}" for row in each["rows"]}
        rows.append(f"| {name} | {' | '.join(found.get(size, '') for size in sizes)} |")
    return rows


def leave_one_out(result: dict[str, Any]) -> list[str]:
    """Exact leave-one-out against one classification of the same documents."""
    rows = ["| event model | threads | classification, s | leave-one-out, s | ratio |", "|---|---|---|---|---|"]
    times = {(row["event"], row["threads"], row["task"]): row for row in result["timings"]}
    for (event, threads, task), row in times.items():
        if task == "leave-one-out":
            once = times[event, threads, "classification"]["best"]
            rows.append(f"| {event} | {threads} | {once:.2f} | {row['best']:.2f} | {row['ratio_best']:.1f} |")
    return rows


def leave_one_out_memory(result: dict[str, Any]) -> list[str]:
    """Memory beyond texts and model."""
    rows = ["| event model | documents | classification, MB | leave-one-out, MB |", "|---|---|---|---|"]
    found = {(row["event"], row["documents"], row["task"]): row["more"] for row in result["memory"]}
    for (event, documents, task), more in found.items():
        if task == "leave-one-out":
            rows.append(f"| {event} | {documents:,} | {found[event, documents, 'classification']:.0f} | {more:.0f} |")
    return rows


def _percent(share: float) -> str:
    return f"{share * 100:.2f}"


# name of the marks in the page, page, result (or folder of results), table
TABLES: list[tuple[str, str, str, Callable[[dict[str, Any]], list[str]]]] = [
    ("speed", "README.md", "*.json", speed.summary),
    ("targets", SPEED, "*.json", speed.targets),
    ("default-times", SPEED, "default.json", default.times),
    ("default-accuracy", SPEED, "default.json", default.accuracy),
    ("default-steady", SPEED, "default.json", default.steady),
    ("default-few", SPEED, "default.json", default.few),
    ("speed-by-corpus", SPEED, "speed-*.json", speed.by_corpus),
    ("speed-of-peers", SPEED, "speed-imdb.json", speed.of_peers),
    ("lemmas", SPEED, "lemmas.json", speed.lemmas),
    ("change", SPEED, "change.json", speed.change),
    ("many-labels", SPEED, "many-labels.json", speed.many_labels),
    ("scaling", SPEED, "scaling.json", speed.scaling),
    ("spark", SPEED, "spark.json", on_spark.spark),
    ("spark-starting", SPEED, "spark.json", on_spark.starting),
    ("limit", SPEED, "limit.json", speed.limit),
    ("functions", SPEED, "limit.json", speed.functions),
    ("reading", "docs/guides/reading-data.md", "reading.json", reading),
    ("model-file", "docs/model-file.md", "model-file.json", model_file),
    ("tables", "docs/guides/tables.md", "tables.json", tables),
    ("table-agreement", "benchmarks/README.md", "tables.json", table_agreement),
    ("table-speed", "benchmarks/README.md", "tables.json", table_speed),
    ("text-counts", "docs/guides/scikit-learn.md", "text-counts.json", text_counts),
    ("accuracy", "docs/accuracy.md", "../accuracy/results", accuracy),
    ("accuracy-of-peers", "docs/accuracy.md", "../accuracy/results", accuracy_of_peers),
    ("linear", "docs/accuracy.md", "default.json", default.linear),
    ("refined", "docs/accuracy.md", "refined.json", refined),
    ("refined-times", "docs/accuracy.md", "refined.json", times_refined),
    ("refined-few", "docs/accuracy.md", "refined.json", few_refined),
    ("calibration", "docs/accuracy.md", "../accuracy/results", calibration),
    ("labeling-answers", "docs/guides/labeling.md", "labeling.json", labeling.answers),
    ("labeling-intervals", "docs/accuracy.md", "labeling.json", labeling.intervals),
    ("labeling-errors", "docs/accuracy.md", "labeling.json", labeling.errors),
    ("labeling-pool", "docs/accuracy.md", "labeling.json", labeling.pool),
    ("labeling-page", SPEED, "workbench.json", labeling.page),
    ("leave-one-out", "docs/accuracy.md", "leave-one-out-imdb.json", leave_one_out),
    ("leave-one-out-memory", "docs/accuracy.md", "leave-one-out-imdb.json", leave_one_out_memory),
]


# name of the marks, under whose table it stands → name of the file, what it shows, chart
DRAWN: dict[str, list[tuple[str, str, Callable[[dict[str, Any]], str | None]]]] = {
    "speed": [("training", "Training speed", speed.chart_of_training)],
    "speed-of-peers": [
        ("training", "Training speed", speed.chart_of_task(*speed.TRAINING)),
        ("classification", "Speed in batches", speed.chart_of_task("classify", "Classifying many movie reviews")),
        ("one-text", "Texts per second", speed.chart_of_task("one text", "Classifying one text of 140 characters")),
    ],
    "default-times": [("default", "Time of training with chosen settings", default.chart)],
    "change": [("change", "Microseconds by model size", speed.chart_of_change)],
    "many-labels": [("many-labels", "Microseconds by postings", speed.chart_of_labels)],
    "scaling": [
        ("scaling-speed", "Speed by size", speed.chart_of_scaling("megabytes_per_second", "Training from CSV, MB/s")),
        ("scaling-memory", "Memory by size", speed.chart_of_scaling("peak_megabytes", "Memory of training, MB")),
    ],
    "spark": [("spark", "Texts per second", on_spark.chart)],
    "limit": [("limit", "Steps of training", speed.chart_of_limit)],
}


def with_table(page: str, mark: str, rows: list[str]) -> str:
    """The page with these rows between its marks."""
    between = re.compile(rf"(?<=<!-- {mark} -->\n).*?(?=<!-- end of {mark} -->)", re.DOTALL)
    return between.sub("\n".join(["", *rows, "", ""]).replace("\\", r"\\"), page)


def pages() -> dict[Path, str]:
    """Every page as it should be, and every chart."""
    found: dict[Path, str] = {}
    for mark, name, result, table in TABLES:
        figures = stored(RESULTS / result)
        path = ROOT / name
        page = found.get(path) or path.read_text("utf-8")
        drawn = charts(mark, figures) if figures else {}
        shown = [f"![{what}]({os.path.relpath(file, path.parent)})" for file, (what, _) in drawn.items()]
        rows = (table(figures) if figures else []) or NOT_YET
        found[path] = with_table(page, mark, [*rows, *([""] if shown else []), *shown])
        found |= {file: chart for file, (_, chart) in drawn.items()}
    return found


def charts(mark: str, figures: dict[str, Any]) -> dict[Path, tuple[str, str]]:
    """File → what it shows, and the chart; none where the figures do not say."""
    drawn = {CHARTS / f"{stem}.svg": (what, chart(figures)) for stem, what, chart in DRAWN.get(mark, ())}
    return {file: (what, chart) for file, (what, chart) in drawn.items() if chart is not None}


def stored(path: Path) -> dict[str, Any]:
    """A result; or those that a pattern names; or those in a folder, the one with the fewest documents first.

    Several are given by their names. Nothing if none is there; quick runs do not count.
    """
    if "*" in path.name:
        files = (file for file in sorted(path.parent.glob(path.name)) if not file.stem.endswith("-quick"))
        return {file.stem: json.loads(file.read_text("utf-8")) for file in files}
    if not path.is_dir():
        return json.loads(path.read_text("utf-8")) if path.is_file() else {}
    results = {file.stem: json.loads(file.read_text("utf-8")) for file in sorted(path.glob("*.json"))}
    return dict(sorted(results.items(), key=lambda item: _documents(item[1])))


def _documents(result: dict[str, Any]) -> int:
    return sum(part["documents"] for part in result["set"]["parts"][0].values())


if __name__ == "__main__":
    CHARTS.mkdir(exist_ok=True)
    for path, page in pages().items():
        path.write_text(page, encoding="utf-8")
