"""From weights to a verdict: scores, posterior, calibration, decision."""
