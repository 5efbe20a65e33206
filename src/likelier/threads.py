"""How many threads to use."""

from __future__ import annotations

import os

from likelier.errors import SettingError

MOST = 1 << 12  # more are of no use anywhere


def checked_threads(threads: int | None) -> int:
    """The number given, or all cores that this process may use.

    >>> checked_threads(2)
    2
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
        raise SettingError(
            code="threads-range",
            message=f"`threads` must be a whole number of 1 or more, got {threads!r}",
            hint="leave it out to use all cores",
        )
    return min(threads, MOST)
