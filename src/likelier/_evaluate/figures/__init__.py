"""The figures of an evaluation: pure functions on arrays, without a model or a text.

metrics        all of them, each made when it is asked for; mistakes and labels that are likely wrong
arrays         what goes in: truth, decisions, probabilities, weights
decisions      accuracy; precision, recall, F and their averages; confusion
losses         log loss, Brier score, calibration
curves         ROC, precision-recall, gains of one label against the rest
thresholds     from which probability on a label is given, by a target; what decisions cost
significance   confidence intervals and tests; comparison: two sets of verdicts on the same documents
rendering      as JSON values, and as text for the terminal
"""

from likelier._evaluate.figures.comparison import Comparison, compare
from likelier._evaluate.figures.metrics import Figures
from likelier._evaluate.figures.significance import Interval, wilson
from likelier._evaluate.figures.thresholds import Threshold, threshold

__all__ = ["Comparison", "Figures", "Interval", "Threshold", "compare", "threshold", "wilson"]
