"""The clock: times of a task, on a given number of cores."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Timing:
    """The times of one peer in one task, one of each for every repetition, in seconds."""

    task: str
    peer: str
    threads: int
    megabytes: float
    texts: int = 0  # where the time of one text is of interest
    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)

    @property
    def best(self) -> float:
        """Of the wall-clock times: the one with the fewest disturbances."""
        return min(self.wall)

    @property
    def median(self) -> float:
        """Of the wall-clock times."""
        return statistics.median(self.wall)

    def add(self, work: Callable[[], Any]) -> Any:
        """Does the work, notes its time, and gives its result.

        Existing objects are hidden from the garbage collector, so that no task pays for the models of others.
        """
        gc.collect()
        gc.freeze()
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.process_time() - processor)
        gc.unfreeze()
        return result


def can_pin() -> bool:
    """Whether this system lets a process choose its cores."""
    return hasattr(os, "sched_setaffinity")


def cores_allowed() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if can_pin() else os.cpu_count() or 1


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Pins the process to this many cores; where the system cannot, only the number of threads limits it."""
    if not can_pin():
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-count:])  # the first core serves most interrupts
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
