"""Reading ahead: the next batch is read while the last one is counted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from queue import Empty, Full, Queue
from threading import Event, Thread
from typing import TypeVar

Item = TypeVar("Item")
PATIENCE = 0.1  # seconds between two looks whether the other side is still there, and for Ctrl-C


def ahead(items: Iterable[Item]) -> Iterator[Item]:
    """The same items, with one being made on a thread of its own while another is used.

    >>> list(ahead(range(5)))
    [0, 1, 2, 3, 4]
    """
    queue: Queue[tuple[bool, Item | BaseException | None]] = Queue(maxsize=1)
    stop = Event()

    def put(last: bool, value: Item | BaseException | None) -> None:
        while not stop.is_set():
            with suppress(Full):
                queue.put((last, value), timeout=PATIENCE)
                return

    def work() -> None:
        try:
            for item in items:
                put(False, item)
                if stop.is_set():
                    return
            put(True, None)
        except BaseException as error:  # it is raised where the items are used
            put(True, error)

    thread = Thread(target=work, name="likelier reading ahead", daemon=True)
    thread.start()
    try:
        while True:
            with suppress(Empty):
                last, value = queue.get(timeout=PATIENCE)
                if isinstance(value, BaseException) and last:
                    raise value
                if last:
                    return
                yield value  # type: ignore[misc]
    finally:
        stop.set()
        thread.join()
