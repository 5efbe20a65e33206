"""The distance to the limit: where the time of training and classifying goes, one step more in every line, on one core.

A step that names others does what they do, so the difference is about the cost of what it adds (see STEPS). Then the
next bottleneck: in which functions of the kernel the processor is found during training, by `perf` where it is there.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import corpora
import likelier as lk
import report
from environment import ROOT, environment
from likelier._kernel import Ledger, Table
from measure import on_cores

RESULTS = Path(__file__).resolve().parent / "results"
REPEAT, QUICK_REPEAT = 7, 2
PROFILED, QUICK_PROFILED = 5.0, 1.0  # seconds
FUNCTIONS = 8
KERNEL = "_kernel"

# The first four are steps of the kernel alone (rust/examples/limit.rs), without Python and without the ledger.
KERNEL_STEPS = {"pass": "pass", "cut": "tokenize", "number": "assign ids", "count": "count"}
STEPS = {
    "pass": "read every byte once: the memory bandwidth",
    "tokenize": "find where words start and end",
    "assign ids": "tokenize + lowercase, and an id for each distinct word",
    "count": "assign ids + term and document frequencies by label",
    "from Python": "count + reading the texts from Python strings",
    "fingerprint": "from Python + the ledger of the documents",
    "train": "all of `likelier.train`: fingerprint + checks in Python",
    "classify": "all of `view.classify_many`: assign ids + adding weights, labels and probabilities",
}
EXAMPLE = [
    "cargo",
    "run",
    "--quiet",
    "--release",
    "--manifest-path",
    str(ROOT / "rust" / "Cargo.toml"),
    "--example",
    "limit",
]


def main() -> int:
    """Prints and writes milliseconds and MB/s of each step, the best of several, and the functions."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    name = "imdb" if corpora.is_there(options.data) else "zipf"
    part = corpora.load(name, options.data, quick=options.quick).train
    with on_cores(1):
        works = _works(part)
        rounds = []
        for repetition in range(QUICK_REPEAT if options.quick else REPEAT):
            report.tell(f"repetition {repetition + 1}")
            rounds.append({step: _seconds(work) for step, work in works.items()})
        kernel = _kernel_steps(part, len(rounds))
        functions = _profile(works["train"], QUICK_PROFILED if options.quick else PROFILED)
    rows = _rows([{**times, **steps} for times, steps in zip(rounds, kernel, strict=True)], part.megabytes)
    print(table(rows, functions))
    file = RESULTS / f"limit{'-quick' if options.quick else ''}.json"
    corpus = {"name": name, **part.facts()}
    report.write(file, about | {"quick": options.quick, "corpus": corpus, "rows": rows, "functions": functions})
    return 0


def _works(part: corpora.Part) -> dict[str, Callable[[], object]]:
    texts, names = part.texts, sorted(set(part.labels))
    labels = np.array([names.index(label) for label in part.labels], dtype=np.uint32)
    plain = lk.Analyzer().analysis
    model = lk.train(texts=texts, labels=part.labels, view="textbook", threads=1)
    return {
        "from Python": lambda: Table().count(texts, labels, None, plain, 1),
        "fingerprint": lambda: Table().count(texts, labels, None, plain, 1, Ledger(), names, 1_000_000),
        "train": lambda: lk.train(texts=texts, labels=part.labels, view="textbook", threads=1),
        "classify": lambda: model.textbook(alpha=1).classify_many(texts, threads=1).probabilities,
    }


def _kernel_steps(part: corpora.Part, repeat: int) -> list[dict[str, float]]:
    """The seconds of the kernel's steps in each repetition."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "texts")
        file.write_bytes(b"\0".join(text.encode() for text in part.texts))
        done = subprocess.run([*EXAMPLE, "--", str(file), str(repeat)], capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return [{KERNEL_STEPS[name]: times[place] for name, times in found.items()} for place in range(repeat)]


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _rows(rounds: list[dict[str, float]], megabytes: float) -> list[dict[str, Any]]:
    best = {step: min(times[step] for times in rounds) for step in STEPS}
    return [
        {
            "step": step,
            "what": what,
            "best": best[step],
            "megabytes_per_second": megabytes / best[step],
            "share": best[step] / best["train"],
            "seconds": [times[step] for times in rounds],
        }
        for step, what in STEPS.items()
    ]


# ---- the next bottleneck ---------------------------------------------------------------------------------------------


def _profile(work: Callable[[], object], seconds: float) -> list[dict[str, Any]] | str:
    """The functions of the kernel that most samples fall into, with their share of all; or why this is not known."""
    if shutil.which("perf") is None:
        return "perf was not found"
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder, "perf.data"))
        record = ["perf", "record", "--quiet", "-e", "cycles:u", "-F", "997", "-o", file, "-p", str(os.getpid())]
        recorder = subprocess.Popen(record, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(0.5)  # until it listens
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            work()
        recorder.send_signal(signal.SIGINT)
        recorder.wait()
        shown = ["perf", "report", "--stdio", "--no-children", "-i", file, "--sort", "dso,symbol", "-t", "\t"]
        done = subprocess.run(shown, capture_output=True, text=True)
    return _functions(done.stdout) or f"perf could not tell: {(done.stderr.splitlines() or ['no samples'])[-1]}"


def _functions(printed: str) -> list[dict[str, Any]]:
    found = []
    for line in printed.splitlines():
        cells = [cell.strip() for cell in line.split("\t")]
        if len(cells) >= 3 and cells[0].endswith("%") and KERNEL in cells[1]:
            symbol = cells[2].removeprefix("[.] ")
            found.append({"function": symbol, "share": float(cells[0].rstrip("%")) / 100})
    return found[:FUNCTIONS]


def table(rows: list[dict[str, Any]], functions: list[dict[str, Any]] | str) -> str:
    """Steps, then functions."""
    lines = [f"{'step':<14} {'ms':>9} {'MB/s':>8} {'of training':>13}"]
    for row in rows:
        figures = f"{row['best'] * 1e3:>9.1f} {row['megabytes_per_second']:>8,.0f} {row['share']:>12.0%}"
        lines.append(f"{row['step']:<14} {figures}  {row['what']}")
    told = (
        [functions]
        if isinstance(functions, str)
        else [f"{each['share']:>6.1%} {each['function']}" for each in functions]
    )
    return "\n".join([*lines, "", "where the processor is found during training:", *told])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure the steps of training and classifying.")
    parser.add_argument("--quick", action="store_true", help="a small piece of the corpus: does it run?")
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help="folder with the movie reviews")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
