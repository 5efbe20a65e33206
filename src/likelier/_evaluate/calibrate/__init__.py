"""Fitting a calibration, and choosing one, on scores of documents with known labels that the model did not learn."""
