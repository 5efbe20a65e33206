"""Why a text gets its verdict: the sum item by item, for the terminal, as HTML, LaTeX and plain values."""

from likelier._explain.explanation import Explanation, Factor, Item

__all__ = ["Explanation", "Factor", "Item"]
