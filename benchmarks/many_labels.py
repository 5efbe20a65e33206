"""Ten thousand labels and a million terms: what memory and the time of a verdict grow with.

The texts are made up: each label has a hundred terms of its own and two thousand words of Zipf's frequencies, in five
documents. Nothing may grow with labels times terms. So the same is done with half and a quarter of labels and terms:
the counts that are not zero are then half and a quarter as many, labels times terms a quarter and a sixteenth.

Training is `likelier train`, asking is many_labels_once.py; both are processes of their own, and memory is their peak
over that of one which loads a model of one document.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import report
import targets
from environment import environment
from processes import run, training

RESULTS = Path(__file__).resolve().parent / "results"
ONCE = Path(__file__).with_name("many_labels_once.py")
LABELS, TERMS = 10_000, 1_000_000
QUICK_LABELS, QUICK_TERMS = 200, 20_000
SHARES = (0.25, 0.5, 1)
WORDS, DOCUMENTS = 2_000, 5  # of each label
SEED = 20240701


def main() -> int:
    """Measures every share, prints the table and writes the result file; exit code 1 if one could not be done."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    labels, terms = (QUICK_LABELS, QUICK_TERMS) if options.quick else (options.labels, options.terms)
    rows = []
    with tempfile.TemporaryDirectory(prefix="likelier-labels-", dir=options.folder) as folder:
        nothing = _nothing(Path(folder))
        for share in SHARES:
            rows.append(_row(round(labels * share), round(terms * share), Path(folder), nothing))
    result = about | {"quick": options.quick, "seed": SEED, "nothing": nothing, "rows": rows}
    print("\n".join([table(rows), "", *targets.lines("many-labels", result)]))
    file = RESULTS / f"many-labels{'' if (labels, terms) == (LABELS, TERMS) else '-quick'}.json"
    report.write(file, result | {"targets": targets.as_json("many-labels", result)})
    return 1 if any("error" in row for row in rows) else 0


def _write(file: Path, labels: int, terms: int) -> np.ndarray[Any, Any]:
    """A CSV file; gives for each term the number of labels that have it."""
    random = np.random.default_rng(SEED)
    postings = np.zeros(terms, dtype=np.int64)
    own = terms // labels
    with file.open("w", encoding="utf-8") as stream:
        stream.write("label,text\n")
        for label in range(labels):
            ranks = (np.exp(random.random(WORDS) * np.log(terms)) - 1).astype(np.int64)
            words = random.permutation(np.concatenate([ranks, np.arange(label * own, (label + 1) * own)]))
            postings[np.unique(words)] += 1
            for part in np.array_split(words, DOCUMENTS):
                stream.write(f"l{label},{' '.join(f'w{word}' for word in part.tolist())}\n")
    return postings


def _nothing(folder: Path) -> dict[str, float]:
    """Memory of processes that do the same with next to nothing."""
    file, model, postings = folder / "one.csv", folder / "one.likelier", folder / "one.npy"
    file.write_text("label,text\nl0,w0 w1\nl1,w1 w2\n", encoding="utf-8")
    np.save(postings, np.array([1, 2, 1]))
    trained = run(training(file, model))["peak_megabytes"]
    return {"training": trained, "asking": run(_asking(model, postings))["peak_megabytes"]}


def _asking(model: Path, postings: Path) -> list[str]:
    return [sys.executable, str(ONCE), str(model), str(postings)]


def _row(labels: int, terms: int, folder: Path, nothing: dict[str, float]) -> dict[str, Any]:
    report.tell(f"{labels:,} labels, {terms:,} terms: writing")
    file, model, array = folder / "rows.csv", folder / "model.likelier", folder / "postings.npy"
    postings = _write(file, labels, terms)
    np.save(array, postings)
    cells = int(postings.sum())
    row: dict[str, Any] = {"labels": labels, "terms": terms, "cells": cells, "megabytes": file.stat().st_size / 1e6}
    try:
        report.tell(f"{labels:,} labels, {terms:,} terms, {cells:,} counts: training")
        trained = run(training(file, model))
        row |= {"training_seconds": trained["seconds"], "model_megabytes": model.stat().st_size / 1e6}
        row["training_memory"] = trained["peak_megabytes"] - nothing["training"]
        report.tell(f"{labels:,} labels, {terms:,} terms: asking")
        asked = run(_asking(model, array))
    except subprocess.CalledProcessError as error:
        report.tell(f"error: {labels:,} labels: exit code {error.returncode}")
        return row | {"error": f"exit code {error.returncode}"}
    memory = asked["peak_megabytes"] - nothing["asking"]
    row |= {"asking_memory": memory, "bytes_per_count": memory * 1e6 / cells}
    return row | {name: asked[name] for name in ("kinds", "batch", "fixed_microseconds", "nanoseconds_per_posting")}


def table(rows: list[dict[str, Any]]) -> str:
    """Memory and times by size."""
    lines = [f"{'labels':>8} {'terms':>10} {'counts':>12} {'train s':>8} {'MB':>8} {'ask MB':>8} {'bytes/count':>12}"]
    for row in rows:
        sizes = f"{row['labels']:>8,} {row['terms']:>10,} {row['cells']:>12,}"
        if "error" in row:
            lines.append(f"{sizes} {row['error']}")
            continue
        memory = f"{row['training_memory']:>8,.0f} {row['asking_memory']:>8,.0f} {row['bytes_per_count']:>12.1f}"
        lines.append(f"{sizes} {row['training_seconds']:>8.2f} {memory}")
        lines += [
            f"{'':>8} {kind}: {each['postings']:,.0f} postings, {each['microseconds']:,.0f} µs"
            for kind, each in row["kinds"].items()
        ]
        lines.append(
            f"{'':>8} {row['fixed_microseconds']:,.0f} µs + {row['nanoseconds_per_posting']:.1f} ns for each posting; "
            f"in a batch {row['batch']['microseconds']:,.0f} µs for {row['batch']['postings']:,.0f}"
        )
    return "\n".join(lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure a model of very many labels.")
    parser.add_argument("--quick", action="store_true", help="few labels: does it run?")
    parser.add_argument("--labels", type=int, default=LABELS, metavar="N", help=f"{LABELS}")
    parser.add_argument("--terms", type=int, default=TERMS, metavar="N", help=f"{TERMS}")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where files are written; the system's for such")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
