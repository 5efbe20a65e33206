"""Exact leave-one-out: every document judged by the counts without it, in about one pass.

one_out          the scores of documents, column by column
bags             the documents that are left out, and their terms
held             the counts that they are left out of; idf without them
without          the counts without each of them
terms            what their terms add
over_vocabulary  what absent terms and norms add up to without each of them
intervals        the cut points of numbers without each of them
numbers          means and variances without each of them
"""
