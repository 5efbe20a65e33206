"""Calibration: a rule is fitted to scores of documents that the model had not learned, and chosen by log loss.

discount  fits a `Discount`
choose    compares it with no calibration and with the current rule, by cross-validation

The rules themselves are in `likelier._answer`: `calibration` and `isotonic`.
"""
