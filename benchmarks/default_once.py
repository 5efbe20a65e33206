"""One task of default.py in a process of its own: to see its peak of memory, or to end it when it takes too long.

Each step prints a line of JSON as soon as it is done.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import default_sets
import memory


def main(task: str, name: str, data: str) -> None:
    """Loads the set and does the task: "memory" or "grid"."""
    TASKS[task](name, Path(data))


def _memory(name: str, data: Path) -> None:
    """What training without options takes beside texts and program."""
    part = default_sets.load(name, data).all
    import likelier as lk

    lk.train([("warm up", "a"), ("start", "b")])  # what is imported on the way is no memory of this training
    memory.start_anew()
    before = memory.peak()
    model = lk.train(texts=part.texts, labels=part.labels)
    _print(documents=model.documents, before_megabytes=before, peak_megabytes=memory.peak())


def _grid(name: str, data: Path) -> None:
    """The time of the search on all documents, then its accuracy."""
    import default_models

    found = default_sets.load(name, data)
    start = time.perf_counter()
    search = default_models.train(default_models.GRID, found.all)
    _print(seconds=time.perf_counter() - start, best=str(search.best_params_))
    models = [search] if found.has_own_test else [default_models.train(default_models.GRID, a) for a, _ in found.splits]
    right = sum(default_models.right(model, test) for model, (_, test) in zip(models, found.splits, strict=True))
    documents = sum(len(test.texts) for _, test in found.splits)
    _print(accuracy=right / documents, right=right)


def _print(**figures: Any) -> None:
    print(json.dumps(figures), flush=True)


TASKS = {"memory": _memory, "grid": _grid}


if __name__ == "__main__":
    main(*sys.argv[1:])
