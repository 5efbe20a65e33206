"""Reading: from what a user has to batches of documents.

intake      what Python has: pairs, columns, data frames, names of files
sources     what the user typed: files, patterns, folders, mail boxes, standard input (kinds, layouts, foreign)
streams     from a file to blocks of UTF-8 (compression, encodings)
tables      from blocks to columns: CSV, TSV, JSON Lines; parquet and frames do the same for theirs
columns     which column holds the text and which the label
folders     documents that are files or mails (boxes, mail, charsets, html)
documents   all of them as batches; usable, faults and rejects see to rows that cannot be used
ahead       the next batch is read while the last one is counted
"""
