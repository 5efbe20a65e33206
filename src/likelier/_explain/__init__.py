"""Why a text gets its verdict: the sum item by item, for the terminal, as HTML, LaTeX and plain values.

explanation    the sum behind a verdict, item by item
build          takes a score apart into its items
steps          what a calibration does with the sum
sentences      decision, reasons, odds and notes in words
table          the items and the labels as tables
terminal       text for the terminal
html           a piece of HTML
picture        from the prior to the verdict, as a picture
derivation     the derivation, as on a board: the object with all its forms
asked          its document, and what becomes of unknown terms
multiplied     one factor: in symbols and in numbers
factors        all that is multiplied, and what is left out of a long text
calculation    the product of a label, or its sum of logarithms, step by step
ratios         two labels compared, factor by factor
normalization  from scores to probabilities, and the decision
expanded       counts written out over the documents
plain          plain values, ready for JSON
"""

from likelier._explain.explanation import Explanation, Factor, Item

__all__ = ["Explanation", "Factor", "Item"]
