"""Calibration: log scores to probabilities that come true as often as they say.

`rules.py`, `toplabel.py` and `isotonic.py` have the rules, `plain.py` their form in files; `fitting.py` fits them and
`choosing.py` chooses among them, both on scores of documents whose label is known and that the model has not learnt.
"""

from likelier.calibrate.isotonic import Isotonic
from likelier.calibrate.plain import calibration_from_dict, calibration_to_dict
from likelier.calibrate.rules import Calibration, NoCalibration, Platt, Temperature
from likelier.calibrate.toplabel import TopLabel

__all__ = [
    "Calibration",
    "Isotonic",
    "NoCalibration",
    "Platt",
    "Temperature",
    "TopLabel",
    "calibration_from_dict",
    "calibration_to_dict",
]
