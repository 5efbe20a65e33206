"""What exact leave-one-out costs: each document judged by the counts without it, against classifying all of them once.

Both start from the same texts in memory and estimate the weights anew. `classification` ends with labels and
probabilities, `leave-one-out` with log scores, `evaluation` with labels and probabilities made from these. Memory is
that of a process of its own, see leave_one_out_once.py.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

import corpora
import likelier as lk
import measure
import processes
import report
import targets
from corpora import DATA
from environment import environment
from likelier._documents.batch import Batch
from likelier._evaluate.leaving.one_out import leave_one_out

RESULTS = Path(__file__).resolve().parent / "results"
ONCE = Path(__file__).with_name("leave_one_out_once.py")
REPEAT, QUICK_REPEAT = 5, 2
TARGET = 4  # times one classification
EVENTS = ("multinomial", "bernoulli", "complement")  # the target is for the first
CLASSIFICATION, LEAVING, EVALUATION = "classification", "leave-one-out", "evaluation"
CHECKED = 20  # documents that are really forgotten
TOLERANCE = 1e-12  # of a log score, or of its size where that is above 1


def main() -> int:
    """Checks that leave-one-out is exact, times it, looks at memory, prints a table and writes the result file."""
    options = _options()
    name = options.corpus or ("imdb" if corpora.is_there(options.data) else "zipf")
    about = environment()  # first, so that the load average is not our own
    part = corpora.load(name, options.data, quick=options.quick).train
    model = lk.train(texts=part.texts, labels=part.labels, view="textbook")
    apart = max(_apart(model, part, event) for event in EVENTS)
    report.tell(f"{CHECKED} documents really forgotten: log scores are {apart:.1e} apart at most")
    if not apart <= TOLERANCE:  # this way round, so that NaN is refused too
        report.tell(f"error: they must agree to {TOLERANCE:g}, so nothing is timed")
        return 1
    with threadpool_limits(limits=1):  # of the numerical libraries under NumPy
        timings = _timed(model, part, options.repeat or (QUICK_REPEAT if options.quick else REPEAT))
    rows = as_rows(timings)
    memory = _memory(name, options.data, len(part.texts), options.quick)
    print(table(rows, memory))
    if not options.dry:
        file = RESULTS / f"leave-one-out-{name}{'-quick' if options.quick else ''}.json"
        figures = {"target": TARGET, "ratio": _headline(rows), "apart": apart, "timings": rows, "memory": memory}
        result = {**about, "quick": options.quick, "corpus": {"name": name, **part.facts()}, **figures}
        report.write(file, result | {"targets": targets.as_json(f"leave-one-out-{name}", result)})
    return 0


def _apart(model: lk.Model, part: corpora.Part, event: str) -> float:
    """The largest difference from really forgetting a document, over some of them."""
    batch = Batch.of_texts(part.texts, part.labels)
    exact = leave_one_out(model.textbook(event=event, alpha=1), batch, 1).values
    found = 0.0
    for place in np.linspace(0, len(part.texts) - 1, CHECKED, dtype=int).tolist():
        text, label = part.texts[place], part.labels[place]
        model.forget(text, label)
        really = model.textbook(event=event, alpha=1).classify_many([text]).log_scores[0]
        model.learn(text, label)
        found = max(found, float((np.abs(exact[place] - really) / np.maximum(1, np.abs(really))).max()))
    return found


# ---- time ------------------------------------------------------------------------------------------------------------


def _timed(model: lk.Model, part: corpora.Part, repeat: int) -> list[measure.Timing]:
    """A B C A B C ...: all see the same disturbances."""
    threads = [1, 2] if measure.cores_allowed() >= 2 else [1]
    works = [
        (measure.Timing(task, event, number, part.megabytes), work)
        for event in EVENTS
        for number in threads
        for task, work in _tasks(model, part, event, number).items()
    ]
    for repetition in range(repeat + 1):
        report.tell(f"repetition {repetition} of {repeat}" if repetition else "warming up")
        for timing, work in works:
            with measure.on_cores(timing.threads):
                timing.add(work) if repetition else work()
    return [timing for timing, _ in works]


def _tasks(model: lk.Model, part: corpora.Part, event: str, threads: int) -> dict[str, Callable[[], object]]:
    texts, labels = part.texts, part.labels

    def view() -> lk.View:  # a new one, so that estimating the weights is part of the task
        return model.textbook(event=event, alpha=1)

    def classify() -> object:
        verdicts = view().classify_many(texts, threads=threads)
        return verdicts.labels, verdicts.probabilities

    def evaluate() -> object:
        verdicts = view().evaluate(texts=texts, labels=labels, threads=threads).verdicts
        return verdicts.labels, verdicts.probabilities

    return {
        CLASSIFICATION: classify,
        LEAVING: lambda: leave_one_out(view(), Batch.of_texts(texts, labels), threads),
        EVALUATION: evaluate,
    }


def as_rows(timings: list[measure.Timing]) -> list[dict[str, Any]]:
    """Every raw time, and how many times one classification by the same event model and threads it is."""
    once = {(each.peer, each.threads): each for each in timings if each.task == CLASSIFICATION}
    rows = []
    for each in timings:
        base = once[each.peer, each.threads]
        raw = {"wall": each.wall, "processor": each.processor}
        about = {"task": each.task, "event": each.peer, "threads": each.threads, "megabytes": each.megabytes}
        ratios = {"ratio_best": each.best / base.best, "ratio_median": each.median / base.median}
        rows.append({**about, "best": each.best, "median": each.median, **ratios, **raw})
    return rows


def _headline(rows: list[dict[str, Any]]) -> float:
    """The worst ratio of the first event model."""
    return max(row["ratio_best"] for row in rows if row["event"] == EVENTS[0] and row["task"] == LEAVING)


# ---- memory ----------------------------------------------------------------------------------------------------------


def _memory(corpus: str, data: Path, documents: int, quick: bool) -> list[dict[str, Any]]:
    """Of processes that train and then do one task, with all documents and with half of them."""
    threads = min(measure.cores_allowed(), 2)
    rows = []
    for number in (documents, documents // 2):
        for event, task in [(event, task) for event in EVENTS for task in (CLASSIFICATION, LEAVING)]:
            report.tell(f"memory: {task}, {event}, {number:,} documents")
            size = [str(number), "quick" if quick else "full"]
            run = processes.run([sys.executable, str(ONCE), task, event, corpus, str(data), *size, str(threads)])
            peak, before = run["peak_megabytes"], run["before_megabytes"]
            about = {"task": task, "event": event, "documents": number, "threads": threads}
            rows.append({**about, "before": before, "peak": peak, "more": peak - before})
    return rows


# ---- for people ------------------------------------------------------------------------------------------------------


def table(rows: list[dict[str, Any]], memory: list[dict[str, Any]]) -> str:
    """Times and ratios, memory, and what became of the target."""
    lines = [f"{'':<15} {'':<12} {'threads':>7} {'best s':>8} {'median':>8} {'ratio':>7} {'median':>7}"]
    for row in rows:
        figures = f"{row['best']:>8.3f} {row['median']:>8.3f} {row['ratio_best']:>6.2f}x {row['ratio_median']:>6.2f}x"
        lines.append(f"{row['task']:<15} {row['event']:<12} {row['threads']:>7} {figures}")
    lines.append("")
    lines += [
        f"{row['task']:<15} {row['event']:<12} {row['documents']:>7,} documents: "
        f"{row['peak']:.0f} MB, {row['more']:.0f} more than texts and model"
        for row in memory
    ]
    ratio = _headline(rows)
    reached = "reached" if ratio <= TARGET else "missed"
    return "\n".join([*lines, "", f"leave-one-out: {ratio:.2f} times, the target of at most {TARGET} is {reached}"])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure exact leave-one-out against one classification.")
    parser.add_argument("--quick", action="store_true", help="a small piece of the corpus: does it run?")
    parser.add_argument(
        "--repeat", type=int, metavar="N", help=f"repetitions; {REPEAT}, or {QUICK_REPEAT} with --quick"
    )
    parser.add_argument(
        "--corpus", choices=["imdb", "zipf"], help="movie reviews if they are there, else generated texts"
    )
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the movie reviews")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
