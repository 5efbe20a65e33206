"""Exact leave-one-out: every document judged by the counts without it, in about one pass."""

from likelier._evaluate.leaving.leaving import Leaving, leave_one_out
from likelier._evaluate.leaving.prepared import Prepared, prepare

__all__ = ["Leaving", "Prepared", "leave_one_out", "prepare"]
