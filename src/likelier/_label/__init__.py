"""Labeling: people label a pool of texts, and the model learns with every answer.

labeling   `Labeling`: next, answer, skip, undo, accept, teach
drafts     lessons that are not taught yet
facts      what is known: places, progress, judgments
starting   a new model, with settings that suit most texts
lessons    what was taught, and how it is taken back
pool       the texts: their random order, search, copies
queue      what is asked next
state      which places are labeled, and the queue; changed by lessons alone
judging    accuracy, suspicious labels, contradictions, when to stop
words      how much a word counts that somebody taught
causes     the lessons without which a verdict would fall
"""
