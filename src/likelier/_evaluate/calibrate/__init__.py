"""Calibration: a rule is fitted to scores of documents that the model had not learned, and chosen by log loss.

calibration_set      the documents that rules are fitted to, as distances and true labels
scaling              fits a temperature, and Platt's rule
isotonic_regression  fits rising maps: isotonic, top label
choose               cross-validates all rules and takes the simplest that is as good as the best

The rules themselves are in `likelier._answer`: `calibration` and `isotonic`.
"""
