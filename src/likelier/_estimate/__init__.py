"""Counts to weights: one small module for each event model, smoothing, prior and unknown-word policy."""
