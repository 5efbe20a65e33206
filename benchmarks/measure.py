"""Times of the tasks, side by side: every repetition runs all peers in turn, so that all see the same disturbances."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from corpora import Corpus
from peers import Peer

TASKS = ("training", "classification")


@dataclass
class Timing:
    """The times of one peer in one task, one of each for every repetition, in seconds."""

    task: str
    peer: str
    threads: int
    megabytes: float
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
        """Does the work, notes its time, and gives its result."""
        gc.collect()
        wall, processor = time.perf_counter(), time.process_time()
        result = work()
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.process_time() - processor)
        return result


def side_by_side(corpus: Corpus, peers: Sequence[Peer], repeat: int, tell: Callable[[str], None]) -> list[Timing]:
    """All timings: A B C A B C ... in each task."""
    sizes = {"training": corpus.train.megabytes, "classification": corpus.test.megabytes}
    timings = {
        (task, peer.name): Timing(task, peer.name, peer.threads, sizes[task]) for task in TASKS for peer in peers
    }
    for repetition in range(repeat):
        tell(f"repetition {repetition + 1} of {repeat}")
        trained = {}
        for peer in peers:
            with on_cores(peer.threads):
                trained[peer.name] = timings["training", peer.name].add(lambda peer=peer: peer.train(corpus.train))
        for peer in peers:
            model = trained.pop(peer.name)
            with on_cores(peer.threads):
                timings["classification", peer.name].add(
                    lambda peer=peer, model=model: peer.classify(model, corpus.test.texts)
                )
    return list(timings.values())


def warm_up(corpus: Corpus, peers: Sequence[Peer], documents: int = 200) -> None:
    """Imports and first calls, which are not part of the tasks."""
    few = corpus.train.first(documents)
    for peer in peers:
        peer.classify(peer.train(few), few.texts)


def can_pin() -> bool:
    """Whether this system lets a process choose its cores."""
    return hasattr(os, "sched_setaffinity")


def cores_allowed() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if can_pin() else os.cpu_count() or 1


@contextmanager
def on_cores(count: int) -> Iterator[None]:
    """Keeps the process on so many cores; where the system cannot, only the number of threads limits it."""
    if not can_pin():
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(before)[-count:])  # the first core serves most interrupts
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)
