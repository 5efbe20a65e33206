"""One task of leave_one_out.py in a process of its own, so that its peak of memory can be seen.

It imports no more than the task needs. Memory used temporarily by reading and training is freed before the task, and
the peak is reset, where the system can do that (Linux); elsewhere the peak is that of the whole process.
"""

from __future__ import annotations

import ctypes
import gc
import json
import resource
import sys
from pathlib import Path

import corpora
import likelier as lk
from likelier._documents.batch import Batch
from likelier._evaluate.leaving.one_out import leave_one_out


def main(task: str, event: str, corpus: str, data: str, documents: str, size: str, threads: str) -> None:
    """Trains, does the task, and prints the megabytes of texts, model and program before it."""
    part = corpora.load(corpus, Path(data), quick=size == "quick").train.first(int(documents))
    model = lk.train(texts=part.texts, labels=part.labels, threads=int(threads), view="textbook")
    view = model.textbook(event=event, alpha=1)
    _start_anew()
    print(json.dumps({"before_megabytes": _peak()}))
    if task == "classification":
        view.classify_many(part.texts, threads=int(threads))
    else:
        leave_one_out(view, Batch.of_texts(part.texts, part.labels), int(threads))


def _start_anew() -> None:
    gc.collect()
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)(0)  # not every C library has it
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak is what is there now


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6


if __name__ == "__main__":
    main(*sys.argv[1:])
