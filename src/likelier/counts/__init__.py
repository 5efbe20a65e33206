"""The tables: what training leaves behind. Adding, subtracting and merging are exact, in any order."""

from likelier.counts.counts import Counts
from likelier.counts.labels import Label

__all__ = ["Counts", "Label"]
