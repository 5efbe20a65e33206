"""likelier: which label is likelier for this text, and why."""

from typing import TYPE_CHECKING, Any

from likelier.counts import Counts
from likelier.data.documents import Documents, read
from likelier.decide import LeastCost, MostProbable, Thresholds
from likelier.errors import FileError, InputError, KernelError, LearningError, LikelierError, SettingError
from likelier.estimate.numeric import ByInformation, Cuts, EqualFrequency, EqualWidth, Gaussian
from likelier.estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate
from likelier.explain import Explanation
from likelier.model import Model, load, updating
from likelier.rule import bayes_rule
from likelier.text.analyzer import Analyzer
from likelier.training import train
from likelier.verdict import Verdict, Verdicts
from likelier.version import VERSION
from likelier.view import View

if TYPE_CHECKING:
    from likelier.evaluate.dependence import dependence

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
        from likelier.evaluate.dependence import dependence

        return dependence
    raise AttributeError(f"module 'likelier' has no attribute {name!r}")
