"""What a server reports about itself: one JSON object a line, on standard error. No texts and no tokens."""

from __future__ import annotations

import sys
import threading
import time
from contextlib import suppress
from typing import Any

from likelier._serve.lessons import encoded

_lock = threading.Lock()


def report(level: str, event: str, **details: Any) -> None:
    """Writes a line."""
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    line = encoded({"at": at, "level": level, "event": event, **details}).decode()
    with _lock, suppress(OSError, ValueError):  # nobody reads it any more
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
