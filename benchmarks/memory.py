"""The peak of memory of a process, from a point in time on."""

from __future__ import annotations

import ctypes
import gc
import resource
import sys
from pathlib import Path


def start_anew() -> None:
    """Frees memory that was used temporarily, and resets the peak, where the system can do that (Linux).

    Elsewhere the peak is that of the whole process.
    """
    gc.collect()
    if sys.platform == "linux":
        getattr(ctypes.CDLL(None), "malloc_trim", lambda _: 0)(0)  # not every C library has it
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak is what is there now


def peak() -> float:
    """Megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024) / 1e6
