"""The tables: what training leaves behind. Adding, subtracting and merging are exact, in any order.

by_column     `Counts`: how many documents each label has, and a table for each column
term_counts   the table of one text column
value_counts  the table of one categorical, binary or numeric column
moments       numbers as terms, and the exact sums behind mean and variance
one_document  one text more or less, without building a table for it
snapshot      one state of the counts as arrays, from the kernel's table or from a file
vocabulary    figures about the terms of a table that a view reads
frequent      the words of texts, most frequent first
pruning       a limit on the vocabulary while documents are counted
tables        counts from plain mappings, and as plain arrays
in_words      counts in words: their size, each label with its most telling terms
making        counts together with a schema or an analyzer
refusals      counts, schemas, analyzers and ledgers that do not go together
"""
