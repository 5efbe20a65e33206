"""Which terms, values, labels and columns a table shows, and in which order.

Outcomes are the terms of a text column, the values of others, and the intervals of numbers. A table of a large
vocabulary shows the most frequent ones and says how many more there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from likelier._answer.scores import Part
from likelier._base.checks import check_one_of, checked_k, has_entries, is_one_of
from likelier._base.errors import error
from likelier._columns.numbers import IntervalPart
from likelier._counts.snapshot import Statistic
from likelier._counts.term_counts import Number
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._estimate.estimator import Estimator
from likelier._estimate.smoothing import Rounded, short
from likelier._estimate.view_vocabulary import UNKNOWN, Ids, Reading
from likelier._show.table import Cell, own
from likelier._show.words import counted, number

Order = Literal["first", "sorted", "frequent"]
By = Literal["label", "term"]
ORDERS = ("first", "sorted", "frequent")
MOST_NAMED = 20  # terms that a note on UNK names
MOST_LABELS = 12
WIDE = 12  # outcomes in one row
UNK = "UNK"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A term or value of a column: its name, and the term itself; None for UNK."""

    name: str
    term: str | None


@dataclass(frozen=True)
class Shown:
    """The outcomes of one column that a table shows.

    more   how many there are beside them
    grown  how many of them are unknown terms by which |V| grows
    """

    part: Part
    outcomes: list[Outcome]
    more: int = 0
    grown: int = 0

    @property
    def estimator(self) -> Estimator:
        """What estimates them."""
        found: Estimator = self.part.estimator
        return found

    def named(self, outcome: Outcome) -> str:
        """The outcome in a heading: a value with its column."""
        if isinstance(self.part, IntervalPart):
            return f"{self.part.name} {outcome.name}"
        return outcome.name if self.part.of_terms else f"{self.part.name}={outcome.name}"

    def cell(self, outcome: Outcome) -> Cell:
        """The outcome in a row of its own; the names of intervals are likelier's words."""
        return own(outcome.name) if isinstance(self.part, IntervalPart) else Cell(outcome.name, outcome.name)

    def numbers(self, outcome: Outcome, reading: Reading) -> list[Number]:
        """How often it was counted under each label."""
        return [in_numbers(int(each), reading) for each in self._units(outcome, reading).tolist()]

    def _units(self, outcome: Outcome, reading: Reading) -> Any:  # (labels,)
        if outcome.term is None:
            return reading.unk_row
        found = self.estimator.counts.find(outcome.term)
        ids = np.array([] if found is None else [found], dtype=np.uint32)
        return reading.snapshot.rows(ids, reading.statistic).sum(axis=0, dtype=np.uint64)


def in_numbers(units: int, reading: Reading) -> Number:
    """A number of units as what it counts."""
    return whole(Fraction(units, reading.unit))


def whole(value: Fraction) -> Number:
    """An integer where it is one."""
    return value.numerator if value.denominator == 1 else value


def count_cell(value: Number) -> Cell:
    """A count, exact; one that is not whole is shown with a few digits."""
    return Cell(f"{value:,}" if isinstance(value, int) else short(Rounded(value)), value)


def reading_by(estimator: Estimator, statistic: Statistic | None) -> Reading:
    """The vocabulary of a view, counted as the view does, or otherwise."""
    usual: Statistic = "df" if estimator.once else "tf"
    return estimator.reading.counted_by(usual if statistic is None else statistic)


# ---- choosing ----------------------------------------------------------------------------------------------------


def chosen_parts(parts: Mapping[str, Part], column: str | None) -> dict[str, Part]:
    """The columns that a table shows: all, or one."""
    if column is None:
        return dict(parts)
    if not is_one_of(column, parts):
        raise error("column-unknown", columns=", ".join(map(repr, parts)), got=column, first=next(iter(parts)))
    return {column: parts[column]}


def chosen_labels(labels: Sequence[Label], wanted: Iterable[Label] | None) -> list[Label]:
    """The labels of a table in their order."""
    if wanted is None:
        return list(labels[:MOST_LABELS])
    if isinstance(wanted, str) or not has_entries(wanted):
        raise error("table-labels", got=wanted)
    found = list(dict.fromkeys(map(checked_label, wanted)))
    for label in found:
        if label not in labels:
            raise unknown_label(label, list(labels))
    if not found:
        raise error("table-labels", got=wanted)
    return found


def on_labels(labels: Sequence[Label], picked: Sequence[Label], *, asked: bool, summed: bool) -> list[str]:
    """A note on labels that are not shown; asked: the others were chosen; summed: the table has sums over labels."""
    return _left_out(len(labels) - len(picked), "label", summed) if summed or not asked else []


def _left_out(more: int, what: str, summed: bool) -> list[str]:
    return [f"… {counted(more, f'more {what}')}{'; sums are over all of them' if summed else ''}"] if more else []


def chosen(part: Part, *, order: Order, most: int | None, terms: Sequence[str] | None) -> Shown:
    """The outcomes of a column that a table shows.

    order: of first sight, of names, or the most frequent first
    most: how many at most; the most frequent ones. None: all
    terms: just these, in this order
    """
    check_one_of("table-order", order, ORDERS)
    if terms is not None:
        return _given(part, terms)
    found, more = _names(part, order, None if most is None else checked_k(most, "most"))
    outcomes = [Outcome(name, name) for name in found]
    if has_unk(part.estimator):
        outcomes.append(Outcome(UNK, None))
    return Shown(part, outcomes, more)


def has_unk(estimator: Estimator) -> bool:
    """Whether UNK is an outcome of this view."""
    return bool(int(estimator.sums_in_units.outcomes) > estimator.reading.size + estimator.unseen)


def checked_terms(terms: object) -> list[str]:
    """The terms of a table, each once."""
    found = list(terms) if not isinstance(terms, str) and has_entries(terms) else None
    if found is None or not all(isinstance(term, str) for term in found):
        raise error("terms-not-a-list", got=terms if found is None else found)
    return list(dict.fromkeys(found))


def _given(part: Part, named: Sequence[str]) -> Shown:
    estimator: Estimator = part.estimator
    strangers = [term for term in named if not estimator.knows(term) and not (term == UNK and has_unk(estimator))]
    for term in strangers:
        if estimator.reading.skips(term):
            raise error("term-left-out", term=term)
        if estimator.unknown == "ignore":
            raise error("term-unknown", term=term)
    unknown = set(strangers) | ({UNK} if has_unk(estimator) and not estimator.knows(UNK) else set())
    outcomes = [Outcome(term, None if term in unknown else term) for term in named]
    more = int(estimator.sums_in_units.outcomes) - (len(named) - len(strangers)) if named else 0
    return Shown(part, outcomes, more, grown=len(strangers) if estimator.unknown == "grow" else 0)


def _names(part: Part, order: Order, most: int | None) -> tuple[list[str], int]:
    """The outcomes, UNK apart, and how many more there are."""
    estimator: Estimator = part.estimator
    reading = estimator.reading
    ids = reading.kept_ids
    unseen = sorted(value for value in estimator.declared if estimator.counts.find(value) is None)
    if most is not None and len(ids) > most:
        ids = _most_frequent(reading, ids, most)
        more, unseen = reading.size - most + len(unseen), []
    else:
        more = 0
    names = reading.names(ids)
    if order == "frequent":
        totals = dict(zip(names, reading.totals(ids).tolist(), strict=True))
        return [*sorted(names, key=lambda name: (-totals[name], name)), *unseen], more
    if order == "first" and isinstance(part, IntervalPart):
        return sorted([*names, *unseen], key=part.intervals.index), more
    return ([*names, *unseen] if order == "first" else sorted([*names, *unseen])), more


def _most_frequent(reading: Reading, ids: Ids, most: int) -> Ids:
    """The most frequent terms, in the order they have; of equally frequent ones the first."""
    totals = reading.totals(ids)
    highest = np.argsort(-totals, kind="stable")[:most]
    return np.sort(ids[highest])


def laid_out(by: By | None, shown: Sequence[Shown], *, plain: bool) -> By:
    """Whether labels are the rows, or terms are; several columns have their values below each other."""
    if by is not None:
        check_one_of("table-by", by, ("label", "term"))
    if not plain and len(shown) > 1:
        return "term"
    return by or ("label" if len(shown[0].outcomes) <= WIDE else "term")


def remarks(shown: Sequence[Shown], *, summed: bool) -> list[str]:
    """Notes on outcomes that are not shown, and on those that UNK holds; summed: the table has sums."""
    notes = _left_out(sum(each.more for each in shown), "term", summed)
    return [*notes, *(note for each in shown if (note := _rare(each)))]


def _rare(shown: Shown) -> str:
    """Which terms are UNK because they are too rare."""
    estimator = shown.estimator
    reading = estimator.reading
    if not has_unk(estimator) or reading.least == 1:
        return ""
    ids = reading.snapshot.all_ids
    rare = ids[(reading.states_of(ids) == UNKNOWN) & (reading.snapshot.sums_of_terms(ids, "tf") > 0)]
    if not len(rare):
        return ""
    names = reading.names(rare[:MOST_NAMED])
    more = f" and {len(rare) - MOST_NAMED:,} more" if len(rare) > MOST_NAMED else ""
    least = number(Fraction(reading.least, estimator.counts.unit))
    return f"UNK holds {', '.join(names)}{more}: seen fewer than {least} times"
