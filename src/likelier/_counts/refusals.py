"""What counts refuse, and why."""

from __future__ import annotations

from typing import get_args

from likelier._base.checks import is_one_of
from likelier._base.errors import InputError, LearningError
from likelier._counts.stored import Statistic
from likelier._documents.weighting import Extra


def check_kind(counts: object, other: object) -> None:
    """Whether the other counts are of the same kind: of plain texts, or of documents with columns."""
    if not isinstance(other, type(counts)):
        raise InputError(
            code="counts-unlike",
            message=f"{type(counts).__name__} are added to and taken from {type(counts).__name__},"
            f" got {type(other).__name__}",
            hint="count both as plain texts, or both with the same columns",
        )


def check_statistic(statistic: object, weighting: Extra | None) -> None:
    """Whether counts with this weighting have such a statistic."""
    if not is_one_of(statistic, get_args(Statistic)):
        raise InputError(
            code="statistic-unknown",
            message=f"`statistic` must be 'tf', 'df' or 'weighted', got {statistic!r}",
            hint="'tf' counts occurrences, 'df' counts documents, 'weighted' is the sum of a weighting",
        )
    if statistic == "weighted" and weighting is None:
        raise InputError(
            code="nothing-weighted",
            message="these counts have no weighted sums: they were made without a weighting",
            hint="count one: train(documents, view={'weighting': 'log'})",
        )


def check_weightings(one: Extra | None, two: Extra | None) -> None:
    """Whether counts with these weightings can be added."""
    if one != two:
        raise LearningError(
            code="weightings-differ",
            message=f"counts can be added when they have the same weighting, got {one or 'none'} and {two or 'none'}",
            hint="count both with the same weighting",
        )


def not_held() -> LearningError:
    """The error for counts that cannot be subtracted."""
    return LearningError(
        code="counts-not-held",
        message="only what was learnt can be forgotten, and these counts are not part of the model's",
        hint="give the document with the label and the weight it was learnt with",
    )


def too_large() -> LearningError:
    """The error for sums that would be larger than a number of the table can be."""
    return LearningError(
        code="counts-too-large",
        message="the sums of a label go up to 2**62 units, and these would be larger; a unit is 1, or one millionth if"
        " weights are not whole, and 65536 times smaller in the sums of a weighting",
        hint="smaller weights, or whole ones: only their ratios matter for the likelihoods",
    )
