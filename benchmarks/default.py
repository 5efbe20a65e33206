"""Training without options, `lk.train(texts, labels)`: how long it takes, how good and how steady it is, its memory.

Parts: `times` (against one fit of scikit-learn, in turn, the best of several), `accuracy` (on test parts or in folds),
`grid` (a search of scikit-learn over as many settings, once, ended after some time), `steady` (the same documents in
five orders), `few` (20 to 200 documents), `memory` (beside the texts). See README.md.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from threadpoolctl import threadpool_limits

import corpora
import default_models as models
import default_sets
import default_tables
import measure
import processes
import report
import targets
from accuracy.auto import figures_of
from default_sets import DefaultSet
from environment import environment

RESULTS = Path(__file__).resolve().parent / "results"
ONCE = Path(__file__).with_name("default_once.py")
REPEAT, QUICK_REPEAT = 5, 1
CORES = 2
GRID_SECONDS, QUICK_GRID_SECONDS = 60.0, 20.0  # after which a search is ended
TIMED = (models.DEFAULT, models.ONE_FIT, models.TEXTBOOK)
JUDGED = (models.DEFAULT, models.TEXTBOOK, models.ONE_FIT, models.LINEAR)
QUICK_SETS = (default_sets.TICKETS, "sms_spam", "trec6")
STEADY_SETS, SHUFFLES = ("reuters_single_raw", "imdb50k", "rusentiment"), 5
FEW_SETS, FEW, DRAWS = ("20news_bydate", "imdb50k", "tatoeba_langid"), (20, 50, 100, 200), 5
FEW_MODELS = (models.DEFAULT, models.FIXED, models.TEXTBOOK)
FEW_JUDGED = 5_000  # documents of the test part

Rows = dict[str, dict[str, Any]]  # by the name of the set


def main() -> int:
    """Runs the parts, stores each as soon as it is there, and prints the tables."""
    options = _options()
    missing = [name for name in options.names if not default_sets.is_there(name, options.data)]
    if missing:
        report.tell(f"error: {', '.join(missing)} not found in {options.data} (as .jsonl.gz)")
        report.tell("hint: --data DIR says where the sets are")
        return 2
    file = RESULTS / f"default{'-quick' if options.is_part else ''}.json"
    is_kept = file.is_file() and not options.is_part  # parts that are not run now keep their figures
    result: dict[str, Any] = json.loads(file.read_text("utf-8")) if is_kept else {}
    for part in options.parts:
        about = environment()  # first, so that the load average is not our own
        wanted = options.names if options.is_part else list(PARTS[part][0])
        report.tell(f"{part}: {', '.join(wanted)}")
        rows = PARTS[part][1](wanted, options)
        result = {**result, part: {**about, "rows": rows}}
        if not options.dry:
            report.write(file, result | {"targets": targets.as_json("default", result)})
    print(default_tables.in_terminal(result))
    print("\n".join(["", *targets.lines("default", result)]))
    return 0


# ---- parts -----------------------------------------------------------------------------------------------------------


def _times(names: list[str], options: argparse.Namespace) -> Rows:
    """Seconds of training. A B C A B C ...: all see the same disturbances."""
    rows: Rows = {}
    for name in names:
        found = default_sets.load(name, options.data)
        part = found.all
        timings = {model: measure.Timing(name, model, CORES, part.megabytes) for model in TIMED}
        for model in TIMED:
            models.train(model, part.first(200))  # imports, and what is made once
        with threadpool_limits(limits=CORES), measure.on_cores(min(CORES, measure.cores_allowed())):
            for repetition in range(options.repeat):
                report.tell(f"{name}: repetition {repetition + 1} of {options.repeat}")
                for model, timing in timings.items():
                    timing.add(lambda model=model, part=part: models.train(model, part))
        seconds = {
            model: {"best": each.best, "median": each.median, "wall": each.wall} for model, each in timings.items()
        }
        ratio = timings[models.DEFAULT].best / timings[models.ONE_FIT].best
        rows[name] = {**found.facts(), "seconds": seconds, "ratio": ratio}
    return rows


def _accuracy(names: list[str], options: argparse.Namespace) -> Rows:
    """The share of right verdicts, and the probabilities of likelier."""
    return {name: _judged(default_sets.load(name, options.data)) for name in names}


def _judged(found: DefaultSet) -> dict[str, Any]:
    right, evaluations, chosen = dict.fromkeys(JUDGED, 0), [], []
    for place, (train, test) in enumerate(found.splits):
        report.tell(f"{found.name}: split {place + 1} of {len(found.splits)}")
        for name in JUDGED:
            model = models.train(name, train)
            right[name] += models.right(model, test)
            if name == models.DEFAULT:
                evaluations.append(model.evaluate(texts=test.texts, labels=test.labels, method="held-out"))
                chosen.append(_settings(model))
    figures = figures_of(evaluations)
    return {
        **found.facts(),
        "accuracy": {name: number / figures["documents"] for name, number in right.items()},
        **{name: figures[name] for name in ("log_loss", "brier", "calibration_error")},
        "settings": chosen,
    }


def _settings(model: Any) -> str:
    chosen = [each.settings for each in model.selection.tried if each.chosen] if model.selection else []
    return chosen[0] if chosen else str(model.settings)


def _grid(names: list[str], options: argparse.Namespace) -> Rows:
    """Time and accuracy of the search; where it is ended, only after how many seconds."""
    rows: Rows = {}
    for name in names:
        report.tell(f"{name}: GridSearchCV, at most {options.grid_seconds:g} s")
        rows[name] = {"limit": options.grid_seconds} | _until(
            options.grid_seconds, _command("grid", name, options.data)
        )
    return rows


def _command(task: str, name: str, data: Path) -> list[str]:
    return [sys.executable, str(ONCE), task, name, str(data)]


def _until(seconds: float, command: list[str]) -> dict[str, Any]:
    """What a process printed, until it ended or was ended."""
    environ = processes.child_environment()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environ, start_new_session=True) as process:
        try:
            printed = process.communicate(timeout=seconds)[0]
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)  # with the processes that it started
            printed = process.communicate()[0]
    if process.returncode not in (0, -signal.SIGKILL):
        raise SystemExit(f"error: {' '.join(command)} failed with exit code {process.returncode}")
    return {name: value for line in printed.splitlines() for name, value in json.loads(line).items()}


def _steady(names: list[str], options: argparse.Namespace) -> Rows:
    """Accuracy after training on the same documents in several orders."""
    rows: Rows = {}
    for name in names:
        found = default_sets.load(name, options.data)
        ((train, test),) = found.splits[:1]
        figures, chosen = [], []
        for seed in range(1, SHUFFLES + 1):
            report.tell(f"{name}: order {seed} of {SHUFFLES}")
            model = models.train(models.DEFAULT, default_sets.shuffled(train, seed))
            figures.append(models.right(model, test) / len(test.texts))
            chosen.append(_settings(model))
        spread = (max(figures) - min(figures)) * 100
        rows[name] = {**found.facts(), "accuracy": figures, "settings": chosen, "spread": spread}
    return rows


def _few(names: list[str], options: argparse.Namespace) -> Rows:
    """Mean accuracy with few documents."""
    rows: Rows = {}
    for name in names:
        found = default_sets.load(name, options.data)
        train, test = found.splits[0]
        test = default_sets.shuffled(test, 0).first(FEW_JUDGED)
        curves: dict[str, dict[str, float]] = {model: {} for model in FEW_MODELS}
        for documents in FEW:
            report.tell(f"{name}: {documents} documents, {DRAWS} draws")
            draws = [default_sets.shuffled(train, seed).first(documents) for seed in range(1, DRAWS + 1)]
            for model, curve in curves.items():
                found_right = [models.right(models.train(model, draw), test) for draw in draws]
                curve[str(documents)] = fmean(found_right) / len(test.texts)
        rows[name] = {**found.facts(), "judged": len(test.texts), "accuracy": curves}
    return rows


def _memory(names: list[str], options: argparse.Namespace) -> Rows:
    """Megabytes beside texts and program."""
    rows: Rows = {}
    for name in names:
        report.tell(f"{name}: memory")
        figures = processes.run(_command("memory", name, options.data))
        before, peak = figures["before_megabytes"], figures["peak_megabytes"]
        rows[name] = {"before_megabytes": before, "peak_megabytes": peak, "more_megabytes": peak - before}
    return rows


# name → the sets, and what it measures
PARTS: dict[str, tuple[tuple[str, ...], Callable[[list[str], argparse.Namespace], Rows]]] = {
    "times": (default_sets.NAMES, _times),
    "accuracy": (default_sets.NAMES, _accuracy),
    "grid": (default_sets.NAMES, _grid),
    "memory": (default_sets.NAMES, _memory),
    "steady": (STEADY_SETS, _steady),
    "few": (FEW_SETS, _few),
}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training without options against scikit-learn.")
    parser.add_argument(
        "names", nargs="*", metavar="SET", help=f"all if none is given; {', '.join(default_sets.NAMES)}"
    )
    parser.add_argument("--parts", metavar="PARTS", help=f"all if none is given; some of {','.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="three small sets: does it run?")
    parser.add_argument("--repeat", type=report.count, metavar="N", help=f"repetitions of `times`; {REPEAT}")
    parser.add_argument(
        "--grid-seconds", type=float, metavar="N", help=f"after which a search is ended; {GRID_SECONDS:g}"
    )
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help="folder with the sets")
    parser.add_argument("--dry", action="store_true", help="write no result")
    options = parser.parse_args()
    options.parts = options.parts.split(",") if options.parts else list(PARTS)
    unknown = [name for name in options.names if name not in default_sets.NAMES]
    unknown += [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(
            f"{unknown[0]!r} is neither a set ({', '.join(default_sets.NAMES)}) nor a part ({', '.join(PARTS)})"
        )
    options.is_part = bool(options.names) or options.quick
    options.names = options.names or list(QUICK_SETS if options.quick else default_sets.NAMES)
    options.repeat = options.repeat or (QUICK_REPEAT if options.quick else REPEAT)
    options.grid_seconds = options.grid_seconds or (QUICK_GRID_SECONDS if options.quick else GRID_SECONDS)
    return options


if __name__ == "__main__":
    sys.exit(main())
