"""Refined weights: a layer beside the counts, which linear support vector machines have fitted.

weights  the machines of one text column: their terms, weights and margins
layer    all that a model holds of it; how its scores and those of naive Bayes become one sum
factors  the factor of each part, by log loss on scores that have not seen their document
told     an explanation with what refinement adds, item by item
"""
