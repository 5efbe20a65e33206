"""likelier: which label is likelier for this text, and why."""

from likelier.counts import Counts
from likelier.data.documents import Documents, read
from likelier.decide import LeastCost, MostProbable, Thresholds
from likelier.errors import FileError, InputError, LearningError, LikelierError, SettingError
from likelier.estimate.smoothing import AbsoluteDiscounting, Additive, JelinekMercer, MEstimate
from likelier.explain import Explanation
from likelier.model import Model, load, updating
from likelier.rule import bayes_rule
from likelier.text.analyzer import Analyzer
from likelier.training import train
from likelier.verdict import Verdict, Verdicts
from likelier.version import VERSION
from likelier.view import View

__version__ = VERSION

__all__ = [
    "AbsoluteDiscounting",
    "Additive",
    "Analyzer",
    "Counts",
    "Documents",
    "Explanation",
    "FileError",
    "InputError",
    "JelinekMercer",
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
    "load",
    "read",
    "train",
    "updating",
]
