"""How far Spark has come, by the tasks of the stages that run now."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

from pyspark.sql import DataFrame

from likelier._show.progress import COUNTING, Report, silent

EVERY = 0.5  # seconds


@contextmanager
def watched(frame: DataFrame, report: Report) -> Iterator[None]:
    """While the block runs, reports how many tasks of the running stages are done; nothing through Spark Connect."""
    context = getattr(frame.sparkSession, "_sc", None)
    if report is silent or context is None:
        yield
        return
    stop = Event()
    thread = Thread(target=_watch, args=(context.statusTracker(), report, stop), name="likelier progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _watch(tracker: Any, report: Report, stop: Event) -> None:
    while not stop.wait(EVERY):
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        total = sum(stage.numTasks for stage in stages if stage is not None)
        if total:
            report(sum(stage.numCompletedTasks for stage in stages if stage is not None), total, COUNTING)
