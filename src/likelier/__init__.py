"""likelier: which label is likelier for this text, and why.

What users may import is in `__all__` here, in `likelier.sklearn` and in `likelier.demo`; docs/api.md lists it.
Everything else is private: its name begins with an underscore.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from likelier._answer.calibration import Discount, NoCalibration, Platt, Temperature
from likelier._answer.decisions import LeastCost, MostProbable, Thresholds
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._answer.rule import bayes_rule
from likelier._answer.verdict import Verdict, Verdicts
from likelier._base.errors import (
    FileError,
    InputError,
    KernelError,
    LearningError,
    LikelierError,
    ServerError,
    SettingError,
)
from likelier._base.version import VERSION
from likelier._counts.by_column import Counts
from likelier._documents.kinds import Binary, Categorical, Numeric, Text
from likelier._documents.schema import Schema
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, EqualWidth, Gaussian
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate
from likelier._explain.explanation import Explanation
from likelier._model.models import Model, load, updating
from likelier._model.view import View
from likelier._read.reader import Documents, read
from likelier._settings.values import Settings
from likelier._text.analyzer import Analyzer
from likelier._train.trainer import train

if TYPE_CHECKING:
    from likelier._answer.worked_rule import Rule, rule
    from likelier._board.bag import BagOfWords, bag_of_words
    from likelier._board.joint import JointTable, joint_table
    from likelier._evaluate.dependence.search import dependence
    from likelier._evaluate.evaluation import Evaluation
    from likelier._evaluate.report.page import report, save_report
    from likelier._explain.derivation import Derivation
    from likelier._label.labeling import Labeling
    from likelier._show.table import Table

__version__ = VERSION

__all__ = [
    "AbsoluteDiscounting",
    "Additive",
    "Analyzer",
    "BagOfWords",
    "Binary",
    "ByInformation",
    "Categorical",
    "Counts",
    "Cuts",
    "Derivation",
    "Discount",
    "Documents",
    "EqualFrequency",
    "EqualWidth",
    "Evaluation",
    "Explanation",
    "FileError",
    "Gaussian",
    "InputError",
    "Isotonic",
    "JelinekMercer",
    "JointTable",
    "KernelError",
    "Labeling",
    "LearningError",
    "LeastCost",
    "LikelierError",
    "MEstimate",
    "Model",
    "MostProbable",
    "NoCalibration",
    "Numeric",
    "Platt",
    "Rule",
    "Schema",
    "ServerError",
    "SettingError",
    "Settings",
    "Table",
    "Temperature",
    "Text",
    "Thresholds",
    "TopLabel",
    "Verdict",
    "Verdicts",
    "View",
    "bag_of_words",
    "bayes_rule",
    "dependence",
    "joint_table",
    "load",
    "read",
    "report",
    "rule",
    "save_report",
    "train",
    "updating",
]

_LATER = {  # name → its module; most programs never need them, so `import likelier` leaves them out
    "BagOfWords": "likelier._board.bag",
    "Derivation": "likelier._explain.derivation",
    "Evaluation": "likelier._evaluate.evaluation",
    "bag_of_words": "likelier._board.bag",
    "JointTable": "likelier._board.joint",
    "Labeling": "likelier._label.labeling",
    "Rule": "likelier._answer.worked_rule",
    "Table": "likelier._show.table",
    "dependence": "likelier._evaluate.dependence.search",
    "joint_table": "likelier._board.joint",
    "report": "likelier._evaluate.report.page",
    "rule": "likelier._answer.worked_rule",
    "save_report": "likelier._evaluate.report.page",
}

for _error in (LikelierError, FileError, InputError, KernelError, LearningError, ServerError, SettingError):
    _error.__module__ = __name__  # tracebacks show the name to import


def __getattr__(name: str) -> Any:
    """Imports a name of `_LATER` when it is first used."""
    if name in _LATER:
        return getattr(import_module(_LATER[name]), name)
    raise AttributeError(f"module 'likelier' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
