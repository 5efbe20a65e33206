"""Pairs of values of two columns, by label: as probabilities or counts that are given, or counted in documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from likelier._base.errors import LikelierError, error
from likelier._base.numbers import exact, is_decimal, is_number
from likelier._documents.batch import Batch
from likelier._documents.labels import Label, checked_labels, distinct_labels
from likelier._documents.spelling import is_single, spelled
from likelier._documents.values import Choices, Numbers, Values
from likelier._documents.weights import checked_weights
from likelier._read.intake import labeled
from likelier._read.kept import KeptDocuments
from likelier._read.reader import Documents
from likelier._show import latex
from likelier._show.expressions import MOST_DIGITS, Expression, Number, Quotient, Sum, in_decimals, of_fraction
from likelier._show.words import counted, listed

MOST = 2**53  # a number that is given
MOST_VALUES = 20  # of each column
MOST_SUMMANDS = 6  # that are written out
_CLOSE = Fraction(1, 10**9)  # floats are rounded

Pair = tuple[str, str]


@dataclass(frozen=True)
class Pairs:
    """For each label a number for each pair of values.

    are_counts  whether the numbers are counts; otherwise those of a label sum to 1
    """

    numbers: Mapping[Label, Mapping[Pair, Fraction]]
    values: tuple[Sequence[str], Sequence[str]]
    are_counts: bool
    notes: tuple[str, ...] = ()

    @property
    def labels(self) -> list[Label]:
        return list(self.numbers)

    @cached_property
    def every(self) -> list[Pair]:
        """All pairs, also those that no label has."""
        return [(one, other) for one in self.values[0] for other in self.values[1]]

    def total(self, label: Label) -> Fraction:
        """The sum of the numbers of a label."""
        return sum(self.numbers[label].values(), Fraction())

    # ---- probabilities -------------------------------------------------------------------------------------------

    def joint(self, label: Label, pair: Pair) -> Fraction:
        """P(x,y|c)."""
        return self.numbers[label].get(pair, Fraction()) / self._over(label)

    def product(self, label: Label, pair: Pair) -> Fraction:
        """P(x|c) P(y|c)."""
        one, other = (sum(parts, Fraction()) for parts in self._summands(label, pair))
        return one * other / self._over(label) ** 2

    def _over(self, label: Label) -> Fraction:
        return self.total(label) if self.are_counts else Fraction(1)

    def _summands(self, label: Label, pair: Pair) -> tuple[list[Fraction], list[Fraction]]:
        numbers = self.numbers[label]
        one = [numbers.get((pair[0], value), Fraction()) for value in self.values[1]]
        other = [numbers.get((value, pair[1]), Fraction()) for value in self.values[0]]
        return one, other

    # ---- as they are written -------------------------------------------------------------------------------------

    def worked(self, label: Label, pair: Pair) -> list[list[Expression]]:
        """P(x|c) and P(y|c) as sums, then as numbers; only as numbers where the sums would be long."""
        summands = self._summands(label, pair)
        sums = [self._sum(label, parts) for parts in summands]
        numbers = [self.written(label, sum(parts, Fraction()) / self._over(label)) for parts in summands]
        return [numbers if max(map(len, summands)) > MOST_SUMMANDS else sums, numbers]

    def _sum(self, label: Label, parts: Sequence[Fraction]) -> Expression:
        written = Sum([self._number(part) for part in parts], tight=True) if len(parts) > 1 else self._number(parts[0])
        return Quotient(written, self._number(self.total(label))) if self.are_counts else written

    def written(self, label: Label, probability: Fraction) -> Expression:
        """A probability with the denominator of its label, or with as many decimals as the others have."""
        if not self.are_counts:
            return self._number(probability)
        total = self.total(label)
        return Quotient(self._number(probability * total), self._number(total))

    def prior(self, probability: Fraction) -> Expression:
        """P(c)."""
        if not self.are_counts:
            return in_decimals(probability)[1] if is_decimal(probability) else of_fraction(probability)
        total = sum(map(self.total, self.labels), Fraction())
        own = probability * total
        return of_fraction(probability) if own.denominator > 1 else Quotient(self._number(own), self._number(total))

    def _number(self, value: Fraction) -> Expression:
        if self._places is None:
            return of_fraction(value)
        return Number(f"{float(value):.{self._places}f}")

    @cached_property
    def _places(self) -> int | None:
        """Digits after the point of all numbers; None if they are not decimals."""
        numbers = [number for label in self.labels for number in self.numbers[label].values()]
        for places in range(MOST_DIGITS + 1):
            if all((number * 10**places).denominator == 1 for number in numbers):
                return places
        return None

    # ---- questions -----------------------------------------------------------------------------------------------

    def asked(self, asked: object, names: Pair) -> Pair:
        """The pair of values to classify."""
        first, second = names
        if isinstance(asked, Mapping):
            asked = [asked[name] for name in names] if set(asked) == set(names) else None
        if not isinstance(asked, list | tuple) or len(asked) != 2:
            raise error("joint-asked", first=first, second=second, got=asked)
        one, other = (_known(*each) for each in zip(names, asked, self.values, strict=True))
        return one, other


def _known(name: str, value: object, values: Sequence[str]) -> str:
    found = spelled(value) if is_single(value) else None
    if found not in values:
        raise error("joint-asked.value", name=name, listed=listed(map(repr, values)), got=value)
    return str(found)


# ---- reading -----------------------------------------------------------------------------------------------------


def read_pairs(data: Any, names: Pair, **reading: Any) -> Pairs:
    """Pairs that are given by label, or those of documents."""
    if isinstance(data, Mapping) and all(option is None for option in reading.values()):
        return _checked(_given(data), names)
    options: dict[str, Any] = {} if isinstance(data, Documents | KeptDocuments) else {"categorical": list(names)}
    found: dict[Label, dict[Pair, Fraction]] = {}
    missing = 0
    for batch in _batches(data, names, options | reading):
        missing += _count(batch, names, found)
    notes = (f"left out: {counted(missing, 'document')} without one of the two values",) if missing else ()
    pairs = _checked({label: own for label, own in found.items() if own}, names, notes, are_counts=True)
    return replace(pairs, values=(_in_order(pairs.values[0]), _in_order(pairs.values[1])))


def _batches(data: Any, names: Pair, options: dict[str, Any]) -> Iterable[Batch]:
    try:
        return labeled(data, **options)
    except LikelierError as failure:
        if failure.code != "columns-without-names":
            raise
        raise error("joint-column", name=names[0], reason="is not there") from None


def _in_order(values: Sequence[str]) -> list[str]:
    """Numbers by size; other values as they came."""
    return sorted(values, key=float) if all(map(latex.is_number, values)) else list(values)


def _given(data: Mapping[Any, Any]) -> dict[Label, dict[Pair, Fraction]]:
    """The numbers of each label, exact."""
    found = {}
    for label, given in zip(checked_labels(list(data)), data.values(), strict=True):
        numbers: dict[Pair, Fraction] = {}
        for pair, number in given.items() if isinstance(given, Mapping) else [(None, given)]:
            values = _spelled(pair)
            if values is None or values in numbers or not is_number(number) or not 0 <= number <= MOST:
                raise error("joint-distribution", label=label, got={pair: number} if pair is not None else given)
            numbers[values] = exact(number)
        found[label] = numbers
    return found


def _spelled(pair: object) -> Pair | None:
    if not isinstance(pair, tuple) or len(pair) != 2 or not all(map(is_single, pair)):
        return None
    one, other = map(spelled, pair)
    return None if one is None or other is None else (one, other)


def _checked(
    numbers: Mapping[Label, Mapping[Pair, Fraction]],
    names: Pair,
    notes: tuple[str, ...] = (),
    *,
    are_counts: bool | None = None,
) -> Pairs:
    sums = {label: sum(given.values(), Fraction()) for label, given in numbers.items()}
    if not sums or not all(sums.values()):
        raise error("joint-distribution.empty", got=dict(numbers) if numbers else "no labels")
    if are_counts is None:
        are_counts = any(abs(total - 1) > _CLOSE for total in sums.values())
        for label, total in sums.items():
            if are_counts and any(number.denominator > 1 for number in numbers[label].values()):
                raise error("joint-distribution.sum", label=label, got=float(total))
    values = tuple(dict.fromkeys(pair[at] for given in numbers.values() for pair in given) for at in (0, 1))
    for name, own in zip(names, values, strict=True):
        if len(own) > MOST_VALUES:
            raise error("joint-values", most=MOST_VALUES, name=name, got=len(own))
    one, other = map(list, values)
    return Pairs(numbers, (one, other), are_counts, notes)


def _count(batch: Batch, names: Pair, found: dict[Label, dict[Pair, Fraction]]) -> int:
    """Adds the pairs of a batch; how many documents have none."""
    assert batch.labels is not None
    one, other = (_choices(batch.columns.get(name), name) for name in names)
    labels, which = distinct_labels(batch.labels)
    units, unit = np.ones(len(batch), dtype=np.uint64), 1
    if batch.weights is not None:
        units, unit = checked_weights(batch.weights)
    there = (one.which >= 0) & (other.which >= 0)
    columns = (each[there].tolist() for each in (which, one.which, other.which, units))
    for label, first, second, weight in zip(*columns, strict=True):
        own, pair = found.setdefault(labels[label], {}), (one.values[first], other.values[second])
        if weight:
            own[pair] = own.get(pair, Fraction()) + Fraction(weight, unit)
    return int((~there).sum())


def _choices(values: Values | None, name: str) -> Choices:
    if isinstance(values, Numbers):
        distinct, which = np.unique(values.numbers, return_inverse=True)
        texts = [spelled(float(number)) for number in distinct if number == number]
        return Choices([str(text) for text in texts], np.where(np.isnan(values.numbers), -1, which).astype(np.intp))
    if isinstance(values, Choices):
        return values
    raise error("joint-column", name=name, reason="is not there" if values is None else "is text")
