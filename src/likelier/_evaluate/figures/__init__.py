"""The figures of an evaluation: pure functions on arrays, without a model or a text.

figures      all of them, each made when it is asked for
judged       what goes in: truth, decisions, probabilities, weights
accuracy     the share of right documents; intervals: how far it may be off
per_label    precision, recall, F, and their averages; confusion: which label is taken for which
losses       log loss and Brier score; reliability: whether probabilities are honest
curves       ROC, precision-recall, gains of one label against the rest
cost         what the decisions cost; thresholds, choices: from which probability on a label is given
paired       two sets of verdicts on the same documents; chance: whether their difference can be chance
suspects     the most confident mistakes, and labels that are likely wrong
plain        as JSON values; showing: as a report for the terminal
"""

from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.intervals import Interval, wilson
from likelier._evaluate.figures.paired import Comparison, compare
from likelier._evaluate.figures.suspects import confident_mistakes, label_errors
from likelier._evaluate.figures.thresholds import Threshold, threshold

__all__ = [
    "Comparison",
    "Figures",
    "Interval",
    "Threshold",
    "compare",
    "confident_mistakes",
    "label_errors",
    "threshold",
    "wilson",
]
