"""From weights to a verdict: scores, posterior, calibration, decision.

scores             prior and what each column adds, for many documents
posterior          log scores to probabilities, to distances from the best label, to odds
calibration        the rules with few numbers: none, discount; of older files: temperature, Platt
isotonic           the rules with rising maps: isotonic, top label
calibration_plain  calibrations as JSON values, and back
decisions          most probable, thresholds, least cost
verdict            scores to verdicts under the settings of a view: the answer, or many answers as arrays
rule               Bayes' rule with numbers: what follows from some probabilities or counts
worked_rule        the same with names, in symbols and with numbers, in every form
"""
