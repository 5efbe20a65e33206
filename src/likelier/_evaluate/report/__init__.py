"""The page of an evaluation: one HTML file that needs nothing from outside and that a manager can read.

page         all parts in their order; saving: the file, all or nothing
summary      the verdict in one sentence and the figures that matter most
confusion    which label is taken for which; labels: precision and recall; terms: what tells each label
calibration  whether probabilities are honest; finding: precision-recall and ROC curves
documents    the most confident mistakes, and labels that may be wrong
tried        settings that were tried; facts: how it was judged, the settings, the model
charts       drawings as SVG; tables, words: what all parts are made of; style: light, dark and on paper
"""

from likelier._evaluate.report.page import report
from likelier._evaluate.report.saving import save_report
from likelier._evaluate.report.tried import Tried

__all__ = ["Tried", "report", "save_report"]
