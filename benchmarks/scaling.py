"""Training on files from 10 MB to 5 GB: whether speed stays and what memory grows with.

Each size is a CSV file that is written, used and removed (see files.py); `likelier train` is a process of its own, with
its peak of memory. The time for a file of a few rows is the startup time, which is subtracted before speeds are
compared. Lines:

    fixed        no row has a word that was not there before
    growing      half of the rows have a new word
    no ledger    as fixed, and no fingerprints of documents are kept
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import corpora
import likelier as lk
import report
import targets
from environment import environment
from files import Halves, halves, write
from measure import on_cores
from processes import run, training
from readers import THREADS

RESULTS = Path(__file__).resolve().parent / "results"
SIZES = (10, 100, 1_000, 5_000)  # megabytes
QUICK_SIZES = (2, 10)
STARTING = 0.01  # megabytes of the file for the cost of starting
REPEAT, SMALL_REPEAT = 3, 15  # up to 100 MB starting takes longer than training, so that it must be known well
SMALL = 100
ROOM = 1.3  # of the file's size, that must be free on the disk


@dataclass(frozen=True)
class Line:
    """One line of the chart: a kind of file, and options of `likelier train`."""

    growing: bool
    options: tuple[str, ...] = ()


LINES = {"fixed": Line(False), "growing": Line(True), "no ledger": Line(False, ("--no-ledger",))}


def main() -> int:
    """Measures every line and size, prints the table and writes the result file."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    sizes = [size for size in (QUICK_SIZES if options.quick else SIZES) if size <= options.largest]
    name = "imdb" if corpora.is_there(options.data) else "zipf"
    corpus = corpora.load(name, options.data, quick=options.quick)
    documents = halves(corpus.train.texts + corpus.test.texts, corpus.train.labels + corpus.test.labels)
    repeat = 0 if options.quick else options.repeat
    skipped: list[str] = []
    with tempfile.TemporaryDirectory(prefix="likelier-scaling-", dir=options.folder) as folder, on_cores(THREADS):
        starting = _starting(documents, Path(folder), repeat)
        report.tell(f"start-up: {starting['best']:.2f} s, {starting['peak_megabytes']:.0f} MB")
        rows = _rows(documents, sizes, Path(folder), starting["best"], repeat, skipped)
    result = about | {"quick": options.quick, "corpus": name, "threads": THREADS, "starting": starting, "rows": rows}
    result["skipped"] = skipped
    print("\n".join([table(rows), "", *targets.lines("scaling", result)]))
    file = RESULTS / f"scaling{'' if sizes == list(SIZES) else '-quick'}.json"
    report.write(file, result | {"targets": targets.as_json("scaling", result)})
    return 0


def _starting(documents: Halves, folder: Path, repeat: int) -> dict[str, Any]:
    file, model = folder / "few.csv", folder / "few.likelier"
    write(file, documents, STARTING)
    runs = [run(training(file, model)) for _ in range(_often(0, repeat))]
    return {"best": min(each["seconds"] for each in runs), "peak_megabytes": runs[0]["peak_megabytes"], "runs": runs}


def _rows(
    documents: Halves, sizes: list[int], folder: Path, starting: float, repeat: int, skipped: list[str]
) -> list[dict[str, Any]]:
    rows = []
    for size in sizes:
        if shutil.disk_usage(folder).free < size * 1e6 * ROOM:
            skipped.append(f"{size} MB: not enough room on the disk")
            report.tell(f"left out: {skipped[-1]}")
            continue
        for growing in (False, True):
            file = folder / "rows.csv"
            report.tell(f"writing {size:,} MB, {'growing' if growing else 'fixed'} vocabulary")
            written = write(file, documents, size, growing)
            lines = {name: line for name, line in LINES.items() if line.growing == growing}
            for name, measured in _measured(file, lines, _often(size, repeat)).items():
                rows.append({"line": name, **_row(measured, written, starting)})
            file.unlink()
    return sorted(rows, key=lambda row: list(LINES).index(row["line"]))


def _often(size: float, repeat: int) -> int:
    """How many repetitions; two in a quick run."""
    return max(repeat, SMALL_REPEAT if repeat and size <= SMALL else 2)


def _measured(file: Path, lines: dict[str, Line], repeat: int) -> dict[str, dict[str, Any]]:
    """A B A B ...: all see the same disturbances."""
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in lines}
    found: dict[str, dict[str, Any]] = {}
    for repetition in range(repeat):
        report.tell(f"repetition {repetition + 1} of {repeat}")
        for name, line in lines.items():
            model = file.with_name(f"{list(LINES).index(name)}.likelier")
            runs[name].append(run([*training(file, model), *line.options]))
            if not repetition:
                trained = lk.load(model)
                found[name] = {"terms": trained.counts.vocabulary_size, "documents": int(trained.documents)}
                found[name]["model_megabytes"] = model.stat().st_size / 1e6
            model.unlink()
    return {name: {"runs": runs[name], **found[name]} for name in lines}


def _row(measured: dict[str, Any], written: dict[str, Any], starting: float) -> dict[str, Any]:
    if measured["documents"] != written["rows"]:
        raise AssertionError(f"the model has {measured['documents']} documents, the file {written['rows']}")
    best = min(each["seconds"] for each in measured["runs"])
    return {
        "megabytes": written["megabytes"],
        "best": best,
        "megabytes_per_second": written["megabytes"] / (best - starting) if best > starting else None,
        "megabytes_per_second_with_start": written["megabytes"] / best,
        "peak_megabytes": max(each["peak_megabytes"] for each in measured["runs"]),
        **measured,
    }


def table(rows: list[dict[str, Any]]) -> str:
    """Speed and memory by line and size."""
    lines = [f"{'':<10} {'MB':>8} {'documents':>10} {'terms':>10} {'seconds':>8} {'MB/s':>7} {'peak MB':>8}"]
    for row in rows:
        sizes = f"{row['megabytes']:>8,.0f} {row['documents']:>10,} {row['terms']:>10,}"
        speed = f"{row['megabytes_per_second']:>7.0f}" if row["megabytes_per_second"] else f"{'?':>7}"
        lines.append(f"{row['line']:<10} {sizes} {row['best']:>8.2f} {speed} {row['peak_megabytes']:>8,.0f}")
    return "\n".join([*lines, "MB/s without the cost of starting; ?: it took no longer than that"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training on files of growing size.")
    parser.add_argument("--quick", action="store_true", help="small files, once: does it run?")
    parser.add_argument("--largest", type=float, default=SIZES[-1], metavar="MB", help=f"file; {SIZES[-1]}")
    parser.add_argument("--repeat", type=report.count, default=REPEAT, metavar="N", help=f"repetitions; {REPEAT}")
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help="folder with the movie reviews")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where files are written; the system's for such")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
