"""Training on large files: `likelier train FILE -o MODEL --quiet` against readers that only read the file.

The rows are made from film reviews where they are at hand, else from made-up texts (see zipf.py): the first half of
one document, then a line feed, then the second half of another one with the same label. Half of the rows have a new
word between them, so that the vocabulary grows with the file, as it does in nature. Hardly two rows are the same.

Every measurement is a process of its own, started by a small one: the peak of a child's memory is never less than that
of the process that started it. Readers are timed without their start and their imports, likelier's training with them.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import corpora
import likelier as lk
import report
from corpora import DATA
from environment import environment
from measure import on_cores
from readers import ONLY_CSV, OURS, READERS, THREADS, opened
from zipf import SYLLABLES

SEED = 20240301
MEGABYTES = 1_000  # a megabyte is a million bytes; of the file before it is packed
REPEAT = 3
MOST_PEAK, LEAST_RATIO = 700, 0.5  # targets: MB, and the speed of training against that of a reader
CHECKED_MEGABYTES = 2
READERS_FILE = Path(__file__).with_name("readers.py")
RESULTS = Path(__file__).resolve().parent / "results"
TRAIN = "likelier train"

LAUNCHER = """
import json, os, resource, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps({"wall": time.perf_counter() - start, "processor": used.ru_utime + used.ru_stime,
                  "peak_megabytes": used.ru_maxrss * unit / 1e6}))
sys.exit(os.waitstatus_to_exitcode(status))
"""


class Different(Exception):
    """What was read is not what was written, so nothing may be compared."""


# ---- the file --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Form:
    """How a row is written: a line feed and a piece of text as they stand in the file, and the rest."""

    line_feed: str
    escaped: Callable[[str], str]
    row: str
    head: str = ""


PLAIN = Form("\n", str, "")
FORMS = {
    "csv": Form("\n", lambda text: text.replace('"', '""'), '{},{},"{}"\n', "id,label,text\n"),
    "jsonl": Form(
        "\\n", lambda text: json.dumps(text, ensure_ascii=False)[1:-1], '{{"id": {}, "label": "{}", "text": "{}"}}\n'
    ),
}
FORMATS = ("csv", "jsonl", "csv.gz", "jsonl.gz")

Halves = dict[str, list[tuple[str, str]]]  # label → both halves of each document


def halves(texts: Sequence[str], labels: Sequence[str]) -> Halves:
    """Documents cut at the space before their middle."""
    cut: Halves = {}
    for text, label in zip(texts, labels, strict=True):
        text = text.replace("\r", " ")
        place = max(text.rfind(" ", 0, len(text) // 2), 0)
        cut.setdefault(label, []).append((text[:place], text[place:].strip()))
    return cut


def rows(documents: Halves, form: Form) -> Iterator[tuple[str, str, int]]:
    """Label, text as it stands in such a file, and bytes of the text; without end, and the same for all forms."""
    random = np.random.default_rng(SEED)
    names = sorted(documents)
    written = {
        name: [[(form.escaped(half), len(half.encode())) for half in both] for both in documents[name]]
        for name in names
    }
    while True:
        picks = random.integers(1 << 40, size=(10_000, 4)).tolist()
        for first, second, which, new in picks:
            there = written[name := names[which % len(names)]]
            head, tail = there[first % len(there)][0], there[second % len(there)][1]
            word = " " + _new_word(new) if new % 2 else ""
            yield name, f"{head[0]}{word}{form.line_feed}{tail[0]}", head[1] + len(word) + 1 + tail[1]


def _new_word(number: int) -> str:
    base = len(SYLLABLES)
    return "".join(SYLLABLES[number // base**place % base] for place in range(4))


def write(file: Path, documents: Halves, megabytes: float) -> dict[str, Any]:
    """Writes rows until the file is that large before packing, and says what it holds."""
    form = FORMS[file.suffixes[0][1:]]
    size, number, text_bytes = 0, 0, 0
    with opened(file, "wb") as stream:
        size += stream.write(form.head.encode())
        for label, text, length in rows(documents, form):
            if size >= megabytes * 1e6:
                break
            number, text_bytes = number + 1, text_bytes + length
            size += stream.write(form.row.format(number, label, text).encode())
    return {"rows": number, "text_bytes": text_bytes, "megabytes": size / 1e6, "on_disk": file.stat().st_size / 1e6}


# ---- measuring -------------------------------------------------------------------------------------------------------


def program() -> list[str]:
    """The command `likelier`, also where it is not installed as a script."""
    script = Path(sys.executable).with_name("likelier")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "likelier.cli"]


def child_environment() -> dict[str, str]:
    """That of this process, but modules are compiled only once."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def training(file: Path, model: Path) -> list[str]:
    """The command that is measured."""
    return [*program(), "train", str(file), "-o", str(model), "--view", "textbook", "--quiet"]


def run(command: list[str]) -> dict[str, Any]:
    """Times and peak memory of a process, and what it printed."""
    environ = child_environment() | {"POLARS_MAX_THREADS": str(THREADS)}
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *command]
    done = subprocess.run(launcher, check=True, stdout=subprocess.PIPE, text=True, env=environ)
    *printed, used = done.stdout.splitlines()
    figures = json.loads(used)
    return {"seconds": figures["wall"], "found": None} | figures | (json.loads(printed[-1]) if printed else {})


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
        tell(f"{file.name}: repetition {repetition + 1} of {repeat}")
        for name, command in commands.items():
            runs[name].append(run(command))
    if runs[OURS][-1]["found"] != _expected(written):
        raise Different(f"{file.name}: {OURS} found {runs[OURS][-1]['found']}, there are {_expected(written)}")
    if (learnt := lk.load(model).documents) != written["rows"]:
        raise Different(f"{file.name}: the model has {learnt} documents, the file {written['rows']}")
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
        tell(f"error: {error}")
        return 1
    finally:
        if options.keep:
            tell(f"kept: {folder}")
        else:
            shutil.rmtree(folder)
    return 0


def _measured(documents: Halves, form: str, folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    checked = check(documents, form, folder)
    file = folder / f"rows.{form}"
    tell(f"writing {file}")
    written = write(file, documents, options.megabytes)
    with on_cores(THREADS):
        tasks = measure(file, written, options.repeat)
    if not options.keep:
        file.unlink()
    print(table(form, written, tasks), flush=True)
    return {"file": written, "checked": checked, "tasks": tasks}


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


def tell(line: str) -> None:
    """Progress, which is not the result."""
    print(line, file=sys.stderr, flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training on large files against readers.")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, metavar="N", help=f"of each file; {MEGABYTES}")
    parser.add_argument("--repeat", type=int, default=REPEAT, metavar="N", help=f"repetitions; {REPEAT}")
    parser.add_argument("--format", nargs="+", choices=FORMATS, default=FORMATS[:3], help="csv, jsonl and csv.gz")
    parser.add_argument("--corpus", choices=["imdb", "zipf"], help="film reviews if they are there, else made-up texts")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the film reviews")
    parser.add_argument("--folder", type=Path, metavar="DIR", help="where files are written; the system's for such")
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
