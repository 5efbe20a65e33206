"""The page of an evaluation: one HTML file that needs nothing from outside and that a manager can read.

page      the summary, all parts in their order, and the file
quality   confusion, precision and recall, calibration, curves
notebook  an evaluation as a notebook shows it
details   terms, mistakes, likely label errors, settings, the model
elements  numbers, tables, sections and charts; style.css: light, dark and on paper
"""

from likelier._evaluate.report.details import TriedRow
from likelier._evaluate.report.page import report, save_report

__all__ = ["TriedRow", "report", "save_report"]
