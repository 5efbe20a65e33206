"""The tables: what training leaves behind. Adding, subtracting and merging are exact, in any order."""

from likelier._counts.term_counts import Counts
from likelier._documents.labels import Label

__all__ = ["Counts", "Label"]
