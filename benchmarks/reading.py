"""Training on large files: `likelier train FILE -o MODEL --quiet` against readers that only read the file.

The rows are made from movie reviews where they are at hand, else from generated texts; files.py says how. Every
measurement is a process of its own. Readers are timed without their start and their imports, likelier's training with
them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

import corpora
import likelier as lk
import report
import targets
from corpora import DATA
from environment import environment
from files import FORMATS, PLAIN, SEED, Halves, halves, rows, write
from measure import on_cores
from processes import run, training
from readers import ONLY_CSV, OURS, READERS, THREADS

MEGABYTES = 1_000  # a megabyte is a million bytes; of the file before it is packed
QUICK_MEGABYTES = 10
REPEAT = 3
MOST_PEAK, LEAST_RATIO = 700, 0.5  # targets: MB, and the speed of training against that of a reader
CHECKED_MEGABYTES = 2
READERS_FILE = Path(__file__).with_name("readers.py")
RESULTS = Path(__file__).resolve().parent / "results"
TRAIN = "likelier train"


class Different(Exception):
    """What was read is not what was written, so nothing may be compared."""


# ---- measuring -------------------------------------------------------------------------------------------------------


def check(documents: Halves, form: str, folder: Path) -> dict[str, Any]:
    """A small file trains to the same counts as its rows in memory."""
    file, model = folder / f"small.{form}", folder / "small.likelier"
    written = write(file, documents, CHECKED_MEGABYTES)
    run(training(file, model))
    some = [(text, label) for (label, text, _), _ in zip(rows(documents, PLAIN), range(written["rows"]), strict=False)]
    trained, expected = lk.load(model).counts, lk.train(some, view="textbook").counts
    if trained.digest() != expected.digest():
        raise Different(f"{file.name}: the counts of the trained model are not those of its rows in memory")
    return {"rows": written["rows"], "terms": expected.vocabulary_size, "digest": expected.digest()}


def measure(file: Path, written: dict[str, Any], repeat: int) -> list[dict[str, Any]]:
    """All tasks in turn, again and again."""
    model = file.with_name("model.likelier")
    names = [name for name in READERS if name not in ONLY_CSV or ".csv" in file.name]
    commands = {TRAIN: training(file, model)}
    commands |= {name: [sys.executable, str(READERS_FILE), name, str(file)] for name in names}
    runs: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
    for repetition in range(repeat):
        report.tell(f"{file.name}: repetition {repetition + 1} of {repeat}")
        for name, command in commands.items():
            runs[name].append(run(command))
    if runs[OURS][-1]["found"] != _expected(written):
        raise Different(f"{file.name}: {OURS} found {runs[OURS][-1]['found']}, there are {_expected(written)}")
    if (learned := lk.load(model).documents) != written["rows"]:
        raise Different(f"{file.name}: the model has {learned} documents, the file {written['rows']}")
    trained = min(each["seconds"] for each in runs[TRAIN])
    return [_row(name, runs[name], written, trained) for name in commands]


def _expected(written: dict[str, Any]) -> list[int]:
    return [written["rows"], written["text_bytes"]]


def _row(name: str, runs: list[dict[str, Any]], written: dict[str, Any], trained: float) -> dict[str, Any]:
    best = min(each["seconds"] for each in runs)
    return {
        "task": name,
        "megabytes_per_second": written["megabytes"] / best,
        "peak_megabytes": max(each["peak_megabytes"] for each in runs),
        "training_ratio": best / trained,
        "best": best,
        "right": all(each["found"] in (None, _expected(written)) for each in runs),  # rows, and bytes of their texts
        "runs": runs,
    }


# ---- the whole -------------------------------------------------------------------------------------------------------


def main() -> int:
    """Measures every format, prints a table for each and writes the result file."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    corpus = options.corpus or ("imdb" if corpora.is_there(options.data) else "zipf")
    full = options.megabytes >= MEGABYTES
    loaded = corpora.load(corpus, options.data, quick=not full)
    documents = halves(loaded.train.texts + loaded.test.texts, loaded.train.labels + loaded.test.labels)
    about |= {"versions": about["versions"] | _versions(), "corpus": corpus, "seed": SEED, "threads": THREADS}  # type: ignore[operator]
    folder = Path(tempfile.mkdtemp(prefix="likelier-reading-", dir=options.folder))
    try:
        for form in options.format:
            entry = about | _measured(documents, form, folder, options)
            _note(RESULTS / f"reading{'' if full else '-quick'}.json", form, entry)
    except Different as error:
        report.tell(f"error: {error}")
        return 1
    finally:
        if options.keep:
            report.tell(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    return 0


def _measured(documents: Halves, form: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    checked = check(documents, form, folder)
    file = folder / f"rows.{form}"
    report.tell(f"writing {file}")
    written = write(file, documents, options.megabytes)
    with on_cores(THREADS):
        tasks = measure(file, written, options.repeat)
    if not options.keep:
        file.unlink()
    print(table(form, written, tasks), flush=True)
    found = {"file": written, "checked": checked, "tasks": tasks}
    print("\n".join([*targets.lines("reading", {form: found}), ""]), flush=True)
    return found | {"targets": targets.as_json("reading", {form: found})}


def table(form: str, written: dict[str, Any], tasks: list[dict[str, Any]]) -> str:
    """Speed and memory of each, and what became of the targets."""
    lines = [f"{form}: {written['megabytes']:.0f} MB, {written['rows']:,} rows"]
    lines.append(f"{'':<18} {'MB/s':>8} {'peak MB':>8} {'train is':>9}")
    for task in tasks:
        figures = f"{task['megabytes_per_second']:>8.0f} {task['peak_megabytes']:>8.0f} {task['training_ratio']:>8.2f}x"
        lines.append(f"{task['task']:<18} {figures}{'' if task['right'] else '  wrong: ' + _wrong(task, written)}")
    lines.append(f"peak under {MOST_PEAK} MB: {'yes' if tasks[0]['peak_megabytes'] < MOST_PEAK else 'no'}")
    for verdict, reached in (("at least", True), ("less than", False)):
        names = [task["task"] for task in tasks[1:] if (task["training_ratio"] >= LEAST_RATIO) == reached]
        lines.append(f"{verdict} {LEAST_RATIO} of the speed of: {', '.join(names) or 'none'}")
    return "\n".join([*lines, ""])


def _wrong(task: dict[str, Any], written: dict[str, Any]) -> str:
    rows, size = (found - true for found, true in zip(task["runs"][0]["found"], _expected(written), strict=True))
    return f"{rows:+} rows, {size:+} bytes of text"


def _versions() -> dict[str, str]:
    return {package: version(package) for package in ("duckdb", "polars", "pyarrow")}


def _note(file: Path, form: str, entry: dict[str, Any]) -> None:
    """Puts the entry of a format into the result file; those of other formats stay."""
    before = json.loads(file.read_text("utf-8")) if file.is_file() else {}
    report.write(file, before | {form: entry})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training on large files against readers.")
    parser.add_argument("--quick", action="store_true", help="a small CSV file, once: does it run?")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, metavar="N", help=f"of each file; {MEGABYTES}")
    parser.add_argument("--repeat", type=report.count, default=REPEAT, metavar="N", help=f"repetitions; {REPEAT}")
    parser.add_argument("--format", nargs="+", choices=FORMATS, default=FORMATS[:3], help="csv, jsonl and csv.gz")
    parser.add_argument(
        "--corpus", choices=["imdb", "zipf"], help="movie reviews if they are there, else generated texts"
    )
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the movie reviews")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where files are written; the system's for such")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    options = parser.parse_args()
    if options.quick:
        options.megabytes, options.repeat, options.format = QUICK_MEGABYTES, 1, FORMATS[:1]
    return options


if __name__ == "__main__":
    sys.exit(main())
