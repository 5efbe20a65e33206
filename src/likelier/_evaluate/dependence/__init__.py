"""Where the naive assumption hurts, and what helps.

search       the question, the pairs that are worth a closer look, and the answer
information  how much one of a pair says about the other, given the label, and how much of that is chance
corpus       the documents that are looked at, and the values of their columns
terms        the words of their texts, and two of them as neighbors
trials       the remedies tried: what they do to the verdicts of the whole model
pairs        one pair: its figures, its remedies, and its values one by one
"""

from likelier._evaluate.dependence.search import Dependence, dependence

__all__ = ["Dependence", "dependence"]
