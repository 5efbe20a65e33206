"""Takes a score apart into its items."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from likelier._answer.calibration import Calibration, Discount, NoCalibration
from likelier._answer.scores import Estimates
from likelier._answer.verdict import Verdict
from likelier._base.numbers import Floats
from likelier._documents.labels import Label, checked_label, unknown_label
from likelier._documents.values import Values
from likelier._estimate.smoothing import Formula, short
from likelier._explain.explanation import Explanation, Factor, Item, Kind, Located, Power, Vocabulary

MakeFactor = Callable[[int], Factor]


class Factors(Mapping[Label, Factor]):
    """label → factor, each worked out when it is asked for: of many labels few are shown."""

    def __init__(self, labels: Sequence[Label], make: MakeFactor) -> None:
        self._places = {label: place for place, label in enumerate(labels)}
        self._make = make
        self._made: dict[Label, Factor] = {}

    def __getitem__(self, label: Label) -> Factor:
        if label not in self._made:
            self._made[label] = self._make(self._places[label])
        return self._made[label]

    def __iter__(self) -> Iterator[Label]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __repr__(self) -> str:
        return repr(dict(self))


class Explained(ABC):
    """What one column of one document adds, to be taken apart."""

    read: str | float  # the value as it was read
    located: Located | None = None  # of a text, the terms and where they stand

    @abstractmethod
    def items(self) -> list[Item]:
        """The summands, in the order in which they are added."""

    @abstractmethod
    def powers(self, place: int) -> list[Power]:
        """Every factor under a label, exact, and how often it is one."""

    def vocabulary(self) -> Vocabulary | None:
        """The first terms of V, and those that the text lacks; None for anything but a text."""
        return None


def explanation(
    estimates: Estimates,
    values: Mapping[str, Values],
    verdict: Verdict,
    *,
    plain: bool,
    rule: Calibration,
    known: int,
    against: Label | None = None,
) -> Explanation:
    """The explanation of one document's verdict.

    plain: the document is a text and not a row of columns
    rule: that made the log scores of the sums
    known: how many terms and values of the document are known
    against: the label to compare with; the runner-up if not given
    """
    if against is not None and checked_label(against) not in estimates.labels:
        raise unknown_label(against, list(estimates.labels))
    items, texts, document = [_prior(estimates)], {}, dict[str, str | float | None]()
    given: dict[str, Explained] = {}
    for name, part in estimates.parts.items():
        column: Explained | None = part.explained(values[name], estimates.labels, plain=plain)
        document[name] = None if column is None else column.read
        if column is None:
            continue
        items += column.items()
        given[name] = column
        if column.located is not None:
            texts[name] = column.located
    missing = [name for name, value in document.items() if value is None]
    if missing:
        items.append(_missing(missing, estimates.labels))
    items += _correction(rule, known, estimates)

    def powers() -> dict[Label, list[Power]]:
        return {
            label: [(estimates.priors[place], 1), *(power for each in given.values() for power in each.powers(place))]
            for place, label in enumerate(estimates.labels)
        }

    def vocabulary() -> dict[str, Vocabulary]:
        found = {name: each.vocabulary() for name, each in given.items()}
        return {name: each for name, each in found.items() if each is not None}

    words: dict[str, Any] = {name: part.estimator for name, part in estimates.parts.items() if part.of_terms}
    return Explanation(
        document=document,
        texts=texts,
        verdict=verdict,
        items=_titled(items, words),
        events={name: each.event_name for name, each in words.items()},
        normalized=frozenset(name for name, each in words.items() if each.normalize),
        is_plain=plain,
        _powers=powers,
        weightings={
            name: each.weighting for name, each in words.items() if not each.event.ONCE and each.weighting != "count"
        },
        with_idf=frozenset(name for name, each in words.items() if each.reading.idf is not None),
        rule=None if isinstance(rule, NoCalibration) else rule,
        known=known,
        against=None if against is None else checked_label(against),
        unknown={name: part.estimator.unknown for name, part in estimates.parts.items() if part.estimator is not None},
        _vocabulary=vocabulary,
    )


def _titled(items: list[Item], texts: Collection[str]) -> list[Item]:
    """The items, terms with their column where there are several text columns or a value has the same name."""
    values = {item.name for item in items if item.kind == "value"}

    def titled(item: Item) -> Item:
        is_word = item.kind != "value" and item.column in texts
        is_unclear = is_word and (len(texts) > 1 or item.name in values)
        return replace(item, title=f"{item.column}: {item.name}") if is_unclear else item

    return list(map(titled, items))


def item(
    kind: Kind,
    name: str,
    labels: tuple[Label, ...],
    weights: Floats,
    factor: MakeFactor | None,
    *,
    terms: int = 1,
    times: float = 1,
    idf: float = 1.0,
    column: str | None = None,
) -> Item:
    """One summand: what it adds under each label, and the probability behind it."""
    by_label = dict(zip(labels, weights.tolist(), strict=True))
    added = {label: times * weight if times else 0.0 for label, weight in by_label.items()}

    def factors() -> Mapping[Label, Factor]:
        return {} if factor is None else Factors(labels, factor)

    shown = int(times) if times == int(times) else times
    return Item(
        kind=kind,
        name=name,
        terms=terms,
        times=shown,
        weights=by_label,
        contributions=added,
        _factors=factors,
        column=column,
        idf=idf,
        title=name,
    )


def _prior(estimates: Estimates) -> Item:
    def factor(place: int) -> Factor:
        value = estimates.priors[place]
        if estimates.documents is None:
            return Factor(Formula(short(value)), value)
        return Factor(Formula(short(estimates.documents[place]), short(sum(estimates.documents))), value)

    return item("prior", "prior", estimates.labels, estimates.log_prior, factor, terms=0)


def _missing(names: list[str], labels: tuple[Label, ...]) -> Item:
    return item("missing", ", ".join(names), labels, np.zeros(len(labels)), None, terms=len(names), times=0)


def _correction(rule: Calibration, known: int, estimates: Estimates) -> list[Item]:
    """What a discount adds to each label's log prior, or that it leaves it out."""
    if not isinstance(rule, Discount) or not known or not (rule.offsets or rule.without_prior):
        return []
    log_prior = np.where(np.isneginf(estimates.log_prior), 0.0, estimates.log_prior)
    weights = rule.added_to(log_prior, estimates.labels)
    return [item("correction", "correction of the prior", estimates.labels, weights, None, terms=0)]
