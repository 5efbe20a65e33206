"""Reading ahead: the next batch is read while the last one is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")
PATIENCE = 0.1  # seconds between two looks whether the other side is still there, and for Ctrl-C


class _End(Exception):
    """There are no more items."""


def ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The same items, with one being made on a thread of its own while another is used.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    queue: Queue[tuple[Item | None, BaseException | None]] = Queue(maxsize=1)
    stop = Event()
    thread = Thread(target=_work, args=(items, queue, stop), name="likelier reading ahead", daemon=True)
    thread.start()
    try:
        while True:
            item, error = _next(queue)
            if error is not None:
                raise error
            yield item  # type: ignore[misc]
    except _End:
        return
    finally:
        stop.set()
        thread.join(
            timeout=PATIENCE
        )  # it may be waiting for a pipe in which nothing comes; it is no part of the result


def _work(items: Iterable[Item], queue: Queue[tuple[Item | None, BaseException | None]], stop: Event) -> None:
    try:
        for item in items:
            _put(queue, (item, None), stop)
            if stop.is_set():
                return
        _put(queue, (None, _End()), stop)
    except BaseException as error:  # it is raised where the items are used
        _put(queue, (None, error), stop)


def _put(queue: Queue[Item], value: Item, stop: Event) -> None:
    while not stop.is_set():
        with suppress(Full):
            queue.put(value, timeout=PATIENCE)
            return


def _next(queue: Queue[Item]) -> Item:
    while True:
        with suppress(Empty):
            return queue.get(timeout=PATIENCE)
