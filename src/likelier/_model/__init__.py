"""What users hold: a view on counts, and a model.

merging      models that count different things brought to what both count
models       a schema and its counts, the stored view, the ledger; learn, forget, save
by_ledger    changes that depend on what was learned: once only, another label
one_pass     labeled documents to a model: read, count
counted      documents that were counted elsewhere
view         counts under settings, which can be asked
in_words     models and views as a notebook shows them
column_view  one column of a view
expanded     the labeled documents behind a view, by which derivations write counts out
"""
