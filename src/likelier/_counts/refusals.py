"""What counts refuse, and why."""

from __future__ import annotations

from typing import get_args

from likelier._base.checks import is_one_of
from likelier._base.errors import InputError, LearningError
from likelier._counts.stored import Statistic
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema
from likelier._documents.weighting import Extra


def check_kind(counts: object, other: object) -> None:
    """Whether these are counts too, of one column or of all."""
    if not isinstance(other, type(counts)):
        raise InputError(
            code="counts-unlike",
            message=f"{type(counts).__name__} are added to and taken from {type(counts).__name__},"
            f" got {type(other).__name__}",
            hint="counts.add(other.counts)",
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


def schemas_differ(one: Schema, two: Schema) -> LearningError:
    """The error for documents with other columns."""
    unlike = [name for name in {**one.columns, **two.columns} if one.columns.get(name) != two.columns.get(name)]
    mine, theirs = (schema.columns.get(unlike[0]) if unlike else None for schema in (one, two))
    if isinstance(mine, Text) and isinstance(theirs, Text) and mine.analyzer == theirs.analyzer:
        return counting_differs(mine, theirs, f" of {unlike[0]!r}")
    return LearningError(
        code="schemas-differ",
        message="counts can be added when their columns, kinds and analyzers are equal,"
        f" got {one.in_words()} and {two.in_words()}" + (f"; {unlike[0]!r} differs" if unlike else ""),
        hint="train both with the same text=, categorical=, binary= and numeric=",
    )


def counting_differs(one: Text, two: Text, where: str = "") -> LearningError:
    """The error for texts that are analysed alike, and of which different things are counted."""
    counted = [
        f"n-grams {'-'.join(map(str, text.counted))}, weighting {text.weighting or 'none'}" for text in (one, two)
    ]
    return LearningError(
        code="counting-differs",
        message=f"counts can be added when the same n-grams and the same weighting{where} are counted,"
        f" got {counted[0]} and {counted[1]}",
        hint="train both in the same way",
    )
