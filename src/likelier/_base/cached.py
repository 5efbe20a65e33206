"""Attributes that are computed when they are first asked for.

In Python 3.11 `functools.cached_property` has one lock for all objects of a class, so that an answer would wait for
those of other models, and a forked process for ever if another thread held it. It went in 3.12. Threads that ask at
the same time may both compute the value, which is the same.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.version_info >= (3, 12):
    from functools import cached_property as cached_property
else:
    import functools

    class cached_property(functools.cached_property):
        """The same without a lock."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))
