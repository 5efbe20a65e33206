"""What each column of a document adds to its score, and why: one module for each sort of column.

words        a text column: its terms under an event model
values       a categorical, binary or bound column: its value
numbers      a numeric column: the density of a normal distribution, or the interval as a value
one_text     one plain text, from the text to its verdict in few steps
registry     which class belongs to which kind of column; the estimates of all columns under settings
"""
