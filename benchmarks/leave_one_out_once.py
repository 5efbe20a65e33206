"""One task of leave_one_out.py in a process of its own, so that its peak of memory can be seen.

It imports no more than the task needs. Memory used temporarily by reading and training is freed before the task.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import corpora
import likelier as lk
import memory
from likelier._documents.batch import Batch
from likelier._evaluate.leaving.one_out import leave_one_out


def main(task: str, event: str, corpus: str, data: str, documents: str, size: str, threads: str) -> None:
    """Trains, does the task, and prints the megabytes of texts, model and program before it."""
    part = corpora.load(corpus, Path(data), quick=size == "quick").train.first(int(documents))
    model = lk.train(texts=part.texts, labels=part.labels, threads=int(threads), view="textbook")
    view = model.textbook(event=event, alpha=1)
    memory.start_anew()
    print(json.dumps({"before_megabytes": memory.peak()}))
    if task == "classification":
        view.classify_many(part.texts, threads=int(threads))
    else:
        leave_one_out(view, Batch.of_texts(part.texts, part.labels), int(threads))


if __name__ == "__main__":
    main(*sys.argv[1:])
