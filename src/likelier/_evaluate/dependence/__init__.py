"""Where the naive assumption hurts, and what helps.

dependence   the question, and the answer for a whole model
source       the documents that are looked at
finding      which pairs are worth a closer look: columns and terms, counted together
information  how much one of a pair says about the other, given the label, and how much of that is chance
pair, pairs  one pair: its figures and its remedies; cells: value by value
trials       the remedies tried: what they do to a score (looks for columns, wordlooks for words)
showing      the answer as a table for the terminal
"""

from likelier._evaluate.dependence.dependence import Dependence, dependence

__all__ = ["Dependence", "dependence"]
