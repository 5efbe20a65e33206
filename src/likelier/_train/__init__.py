"""Settings chosen by evidence.

sample      the documents they are judged on
candidates  what is tried
judging     exact leave-one-out of a candidate
choosing    which one of those that were judged
search      the rounds from many candidates to one
selection   what comes out, and why
"""

from likelier._settings.selection import Selection, Tried
from likelier._train.choosing import By
from likelier._train.search import select

__all__ = ["By", "Selection", "Tried", "select"]
