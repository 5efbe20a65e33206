"""Settings chosen by evidence.

sample      the documents they are judged on
candidates  what is tried
judging     exact leave-one-out of a candidate
choosing    which one of those that were judged
search      the rounds from many candidates to one
selection   what comes out, and why
"""

from likelier.evaluate.selection.choosing import By
from likelier.evaluate.selection.search import select
from likelier.evaluate.selection.selection import Selection, Tried

__all__ = ["By", "Selection", "Tried", "select"]
