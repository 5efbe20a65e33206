"""Threads: how many to use, and how one model is shared by many.

Every model has a gate. Any number of threads read at the same time; one thread writes alone. A change waits for the
answers under way, and answers wait for a change that is waiting or under way, never for each other. So each answer is
that of one state between two changes. A thread may read again while it reads, and do both while it writes.

A change is whole also if Ctrl-C comes in the middle: it is heard when the change is done.

A fork waits until no other thread is inside a gate, so that the new process finds every model whole.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from likelier._base.errors import error
from likelier._kernel import Gate, after_fork, before_fork

MOST = 1 << 12  # more are of no use anywhere
Given = ParamSpec("Given")
Result = TypeVar("Result")


class Guarded(Protocol):
    """What has a gate."""

    @property
    def gate(self) -> Gate: ...


Owner = TypeVar("Owner", bound=Guarded)
Method = Callable[Concatenate[Owner, Given], Result]


def reading(method: Method[Owner, Given, Result]) -> Method[Owner, Given, Result]:
    """A method during which nothing changes."""

    @wraps(method)
    def guarded(self: Owner, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self.gate.reading:
            return method(self, *args, **kwargs)

    return guarded


def writing(method: Method[Owner, Given, Result]) -> Method[Owner, Given, Result]:
    """A method during which nobody else reads or changes anything."""

    @wraps(method)
    def guarded(self: Owner, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        with self.gate.writing:
            return method(self, *args, **kwargs)

    return guarded


@contextmanager
def changing(mine: Gate, other: Gate) -> Iterator[None]:
    """Writes the one and reads the other, entered in an order that is the same for all threads."""
    if other.number < mine.number:
        with other.reading, mine.writing, whole():
            yield
    else:
        with mine.writing, other.reading, whole():
            yield


_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGALRM", "SIGHUP") if hasattr(signal, name)]
_is_changing = False  # whether the main thread is in the middle of a change


@contextmanager
def whole() -> Iterator[None]:
    """Keeps Ctrl-C and other signals until the end, so that their handlers do not cut a change in two.

    Python calls the handlers in the main thread alone, between any two of its steps, and they may raise.
    """
    global _is_changing
    if threading.current_thread() is not threading.main_thread() or _is_changing:
        yield  # where no handler is called, or none any more
        return
    came: list[tuple[int, Any]] = []
    handlers = {number: handler for number in _SIGNALS if callable(handler := signal.getsignal(number))}
    try:
        _use(dict.fromkeys(handlers, lambda number, frame: came.append((number, frame))))
        _is_changing = True
        yield
    finally:
        _is_changing = False
        try:
            _use(handlers)
        except BaseException:  # raised by a handler that was back before the others
            _use(handlers)
            raise
        for number, frame in came:
            handlers[number](number, frame)


def _use(handlers: Mapping[int, Callable[[int, Any], Any]]) -> None:
    for number, handler in handlers.items():
        signal.signal(number, handler)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=before_fork, after_in_parent=lambda: after_fork(False), after_in_child=lambda: after_fork(True)
    )


def checked_threads(threads: int | None) -> int:
    """The number given, or all cores that this process may use.

    >>> checked_threads(2)
    2
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise error("threads-range", got=threads)
    return min(threads, MOST)
