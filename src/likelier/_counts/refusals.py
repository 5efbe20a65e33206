"""What counts refuse, and what goes together with them: schemas, analyzers, ledgers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from likelier._base.checks import check_one_of
from likelier._base.errors import LikelierError, error
from likelier._counts.snapshot import Statistic
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema
from likelier._documents.weights import Extra
from likelier._kernel import Ledger


def check_kind(counts: object, other: object) -> None:
    """Whether these are counts too, of one column or of all."""
    if not isinstance(other, type(counts)):
        raise error("counts-unlike", counts=counts, got=other)


def check_statistic(statistic: object, weighting: Extra | None) -> None:
    """Whether counts with this weighting have such a statistic."""
    check_one_of("statistic-unknown", statistic, get_args(Statistic))
    if statistic == "weighted" and weighting is None:
        raise error("nothing-weighted")


def check_weightings(one: Extra | None, two: Extra | None) -> None:
    """Whether counts with these weightings can be added."""
    if one != two:
        raise error("weightings-differ", got=one or "none", other=two or "none")


def schemas_differ(one: Schema, two: Schema) -> LikelierError:
    """The error for documents with other columns."""
    unlike = [name for name in {**one.columns, **two.columns} if one.columns.get(name) != two.columns.get(name)]
    mine, theirs = (schema.columns.get(unlike[0]) if unlike else None for schema in (one, two))
    if isinstance(mine, Text) and isinstance(theirs, Text) and mine.analyzer == theirs.analyzer:
        return counting_differs(mine, theirs, f" of {unlike[0]!r}")
    case = "schemas-differ.column" if unlike else "schemas-differ"
    return error(case, got=one.in_words(), other=two.in_words(), unlike=unlike)


def counting_differs(one: Text, two: Text, where: str = "") -> LikelierError:
    """The error for texts that are analyzed alike, and of which different things are counted."""
    counted = [
        f"n-grams {'-'.join(map(str, text.counted))}, weighting {text.weighting or 'none'}" for text in (one, two)
    ]
    return error("counting-differs", where=where, got=counted[0], other=counted[1])


@dataclass(frozen=True, slots=True)
class Learned:
    """How many of some documents a model has learned, with the same labels and weights.

    documents  how many there are
    known      how many of them it has learned
    every      whether it has learned each of them, as often as it is here
    """

    documents: int
    known: int
    every: bool


def learned(ledger: Ledger, part: Ledger) -> Learned:
    """What the ledger says about the documents of another one."""
    return Learned(len(part), ledger.common(part), every=ledger.holds(part))
