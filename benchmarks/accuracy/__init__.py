"""Accuracy on text sets: `run.py` is the place to start."""
