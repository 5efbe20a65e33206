"""Why a text gets its verdict: the sum item by item, for the terminal, as HTML, LaTeX and plain values.

explanation    the sum behind a verdict, item by item
build          takes a score apart into its items
steps          what a calibration does with the sum
sentences      decision, reasons, odds and notes in words
table          the items and the labels as tables
terminal       text for the terminal
html           a piece of HTML
latex          the derivation in LaTeX
latex_product  the product of each label in LaTeX
plain          plain values, ready for JSON
"""

from likelier._explain.explanation import Explanation, Factor, Item

__all__ = ["Explanation", "Factor", "Item"]
