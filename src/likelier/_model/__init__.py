"""What users hold: a view on counts, and a model.

models       a schema and its counts, the stored view, the ledger; learn, forget, save
one_pass     labeled documents to a model: read, count
view         counts under settings, which can be asked
column_view  one column of a view
"""
