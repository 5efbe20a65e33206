"""Evaluation: every document is judged by a model that has not seen it.

run         `evaluate`: read ──▶ judge by a method ──▶ Evaluation
splits      the methods: leave-one-out, folds, held-out, time-ordered; documents that are equal
evaluation  what comes out: verdicts, figures, mistakes with their explanations

leaving/     leave-one-out as a subtraction: scores by the counts without each document
figures/     accuracy, precision, recall, log loss, calibration, curves, cost, paired tests
calibrate/   fits and chooses calibrations
dependence/  columns and terms that depend on each other, against the naive assumption
report/      the page for the browser
"""
