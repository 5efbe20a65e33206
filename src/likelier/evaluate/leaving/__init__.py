"""Exact leave-one-out: every document judged by the counts without it, in about one pass."""

from likelier.evaluate.leaving.leaving import Leaving, leave_one_out

__all__ = ["Leaving", "leave_one_out"]
