"""likelier: which label is likelier for this text, and why."""

from typing import TYPE_CHECKING, Any

from likelier._answer.decisions import LeastCost, MostProbable, Thresholds
from likelier._answer.rule import bayes_rule
from likelier._answer.verdict import Verdict, Verdicts
from likelier._base.errors import FileError, InputError, KernelError, LearningError, LikelierError, SettingError
from likelier._base.version import VERSION
from likelier._counts.by_column import Counts
from likelier._estimate.numeric import ByInformation, Cuts, EqualFrequency, EqualWidth, Gaussian
from likelier._estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate
from likelier._explain.explanation import Explanation
from likelier._model.models import Model, load, updating
from likelier._model.view import View
from likelier._read.reader import Documents, read
from likelier._text.analyzer import Analyzer
from likelier._train.trainer import train

if TYPE_CHECKING:
    from likelier._evaluate.dependence.search import dependence

__version__ = VERSION

__all__ = [
    "AbsoluteDiscounting",
    "Additive",
    "Analyzer",
    "ByInformation",
    "Counts",
    "Cuts",
    "Documents",
    "EqualFrequency",
    "EqualWidth",
    "Explanation",
    "FileError",
    "Gaussian",
    "InputError",
    "JelinekMercer",
    "KernelError",
    "LearningError",
    "LeastCost",
    "LikelierError",
    "MEstimate",
    "Model",
    "MostProbable",
    "SettingError",
    "Thresholds",
    "Verdict",
    "Verdicts",
    "View",
    "bayes_rule",
    "dependence",
    "load",
    "read",
    "train",
    "updating",
]


def __getattr__(name: str) -> Any:
    """What few need is imported when it is asked for."""
    if name == "dependence":
        from likelier._evaluate.dependence.search import dependence

        return dependence
    raise AttributeError(f"module 'likelier' has no attribute {name!r}")
