"""Training: labeled documents to a model, under settings chosen by exact leave-one-out.

trainer     `train`: read ──▶ (sample ──▶ choose) ──▶ count ──▶ model
sample      the documents that settings are judged on
candidates  the settings that are tried
judge       exact leave-one-out of a candidate
texts       the search for plain texts
copies      documents on which leave-one-out is too kind
search      the rounds from many candidates to one

What was tried and why is a `likelier._settings.selection.Selection`; `likelier._model.one_pass` counts.
"""
