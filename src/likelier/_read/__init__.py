"""Reading: from what a user has to batches of documents.

intake      what Python has: pairs, rows, columns, data frames, names of files; and questions
sources     what the user typed: files, patterns, folders, mail boxes, standard input (kinds, layouts, foreign)
streams     from a file to blocks of UTF-8 (compression, encodings)
tables      from blocks to columns: CSV, TSV, JSON Lines; parquet, frames and rows do the same for theirs
columns     which columns are read, and as what (wanted, head, guessing, noting)
prepare     from columns as they are read to values as they are counted (spelling, binding, pieces)
folders     documents that are files or mails (boxes, mail, charsets, html)
documents   all of them as batches; usable, unusable, faults and rejects see to rows that cannot be used
ahead       the next batch is read while the last one is counted
"""
