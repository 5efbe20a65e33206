"""Counts to weights: one small module for each event model, smoothing, prior and unknown-word policy.

estimator     from the counts of one column to weights, under one event model, smoothing and unknown-word policy
multinomial, binary, bernoulli, complement    the event models
evidence      the numbers that a smoothing rule turns into a probability
smoothing     the smoothing rules
prior         the prior
idf           inverse document frequency
combinations  policies for unknown terms, and which settings go together
view_vocabulary  the counts as a view reads them
spread        sums over the whole vocabulary, by how many terms have the same counts
telling       how well terms tell a label from the others
absence       what the absence of terms adds under the Bernoulli model
sparse        weights where there are many labels
remembered    the weights of single texts' terms, remembered until the counts change
exact         the same estimates as fractions
numeric       how a view reads a numeric column
gaussian      a normal distribution for each label
intervals     cut points, their names, and the interval of a number
"""
