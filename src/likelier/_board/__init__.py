"""What a lecturer writes on the board: the tables behind a view.

outcomes     which terms, values, labels and columns a table shows, and in which order
bag          texts as a bag of words: document by term
counts       label by term: how often each was counted
chances      probabilities as they are written: (2+1)/(5+7), 3/12, 1/4, 0.25
likelihoods  label by term: P(t|c) worked out, with and without smoothing; the prior
numbers      numeric columns: mean, variance, density
ratios       two labels side by side: likelihoods, their ratio, its logarithm
tables       all of these as methods of a view
pairs        the values of two columns together, by label
joint        where naivety fails: a joint distribution against the product
"""
