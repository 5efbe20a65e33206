"""What users hold: a view on counts, and a model."""
