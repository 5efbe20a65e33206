"""Takes a score apart into its items."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np

from likelier._answer.scores import Bag, bag
from likelier._answer.verdict import Verdict
from likelier._base.errors import SettingError
from likelier._base.numbers import Floats
from likelier._documents.labels import Label
from likelier._documents.values import Choices, Numbers, Texts, Values
from likelier._estimate.absence import columns
from likelier._estimate.estimator import Estimator
from likelier._estimate.parts import Estimates, IntervalPart, NormalPart, Part, ValuePart, Words
from likelier._estimate.smoothing import Formula, Rounded, short
from likelier._explain.explanation import Explanation, Factor, Item, Kind, Located, Power
from likelier._text.texts import text_at

MakeFactor = Callable[[int], Factor]


def explanation(
    estimates: Estimates, values: Mapping[str, Values], verdict: Verdict, *, plain: bool, calibration: str | None = None
) -> Explanation:
    """The explanation of one document's verdict.

    plain: the document is a text and not a row of columns
    calibration: the name of the rule that made the probabilities of the scores, if there is one
    """
    items, given, texts, document = [_prior(estimates)], [], {}, dict[str, str | float | None]()
    for name, part in estimates.parts.items():
        column = _column(part, values[name], estimates.labels, None if plain else name)
        document[name] = None if column is None else column.read
        if column is None:
            continue
        items += column.items()
        given.append(column)
        if isinstance(column, _Words):
            texts[name] = column.located
    missing = [name for name, value in document.items() if value is None]
    if missing:
        items.append(_missing(missing, estimates.labels))

    def powers() -> dict[Label, list[Power]]:
        return {
            label: [(estimates.priors[place], 1), *(power for each in given for power in each.powers(place))]
            for place, label in enumerate(estimates.labels)
        }

    words = {name: part.estimator for name, part in estimates.parts.items() if isinstance(part, Words)}
    return Explanation(
        document,
        texts,
        verdict,
        _titled(items, words),
        {name: each.event_name for name, each in words.items()},
        frozenset(name for name, each in words.items() if each.normalize),
        plain,
        powers,
        {name: each.weighting for name, each in words.items() if not each.event.ONCE and each.weighting != "count"},
        frozenset(name for name, each in words.items() if each.reading.idf is not None),
        calibration,
    )


def _titled(items: list[Item], texts: Collection[str]) -> list[Item]:
    """The items, terms with their column where there are several text columns or a value has the same name."""
    values = {item.name for item in items if item.kind == "value"}

    def titled(item: Item) -> Item:
        is_word = item.kind != "value" and item.column in texts
        is_unclear = is_word and (len(texts) > 1 or item.name in values)
        return replace(item, title=f"{item.column}: {item.name}") if is_unclear else item

    return list(map(titled, items))


def _item(
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
    by_label = dict(zip(labels, weights.tolist(), strict=True))
    added = {label: times * weight if times else 0.0 for label, weight in by_label.items()}

    def factors() -> dict[Label, Factor]:
        return {} if factor is None else {label: factor(place) for place, label in enumerate(labels)}

    shown = int(times) if times == int(times) else times
    return Item(kind, name, terms, shown, by_label, added, factors, column, idf, title=name)


def _prior(estimates: Estimates) -> Item:
    def factor(place: int) -> Factor:
        value = estimates.priors[place]
        if estimates.documents is None:
            return Factor(Formula(short(value)), value)
        return Factor(Formula(short(estimates.documents[place]), short(sum(estimates.documents))), value)

    return _item("prior", "prior", estimates.labels, estimates.log_prior, factor, terms=0)


def _missing(names: list[str], labels: tuple[Label, ...]) -> Item:
    return _item("missing", ", ".join(names), labels, np.zeros(len(labels)), None, terms=len(names), times=0)


def _column(
    part: Part, values: Values, labels: tuple[Label, ...], name: str | None
) -> _Words | _Value | _Number | None:
    """What a column of one document adds; None when it is missing."""
    if isinstance(part, Words):
        assert isinstance(values, Texts)
        return None if len(values.missing) else _Words(part, text_at(values.texts, 0), labels, name)
    if isinstance(part, NormalPart):
        assert isinstance(values, Numbers)
        number = float(values.numbers[0])
        return None if math.isnan(number) else _Number(part, number, labels)
    choices = part.choices(values) if isinstance(part, IntervalPart) and isinstance(values, Numbers) else values
    assert isinstance(choices, Choices)
    place = int(choices.which[0])
    if place < 0:
        return None
    read = float(values.numbers[0]) if isinstance(values, Numbers) else choices.values[place]
    return _Value(part, choices.values[place], labels, read)


class _Number:
    """A number under a normal distribution."""

    def __init__(self, part: NormalPart, number: float, labels: tuple[Label, ...]) -> None:
        self.part, self.number, self.labels = part, number, labels
        self.read = number

    def items(self) -> list[Item]:
        part, number = self.part, self.number
        weights = part.weights(np.array([number]))[0]

        def factor(place: int) -> Factor:
            return Factor(part.formula(number, place), part.density(number, place))

        makes = None if part.normal.is_constant else factor
        return [_item("value", part.shown(number), self.labels, weights, makes, column=part.name)]

    def powers(self, place: int) -> list[Power]:
        if self.part.normal.is_constant:
            return []
        raise SettingError(
            code="density-not-exact",
            message=f"{self.part.name!r} is read under a normal distribution,"
            " whose densities are no fractions, so there is no exact product",
            hint="view(numeric='information') reads numbers in intervals, whose probabilities are fractions",
        )


class _Value:
    """A value or an interval."""

    def __init__(self, part: ValuePart, value: str, labels: tuple[Label, ...], read: str | float) -> None:
        """read: the value itself, where it is the interval of a number."""
        self.part, self.value, self.labels, self.read = part, value, labels, read
        self.known = part.estimator.knows(value)
        self.exact = part.estimator.exact.holding([value] if self.known else [])

    def items(self) -> list[Item]:
        weights, _ = self.part.weights([self.value])
        is_estimated = self.known or self.part.estimator.unknown not in ("ignore", "zero")
        factor = self._factor if is_estimated else None
        shown, kind = self.part.shown(self.value), "value" if self.known else "unknown"
        return [_item(kind, shown, self.labels, weights[0], factor, column=self.part.name)]  # type: ignore[arg-type]

    def _factor(self, place: int) -> Factor:
        exact, term, grown = self.exact, self._term, self._grown
        return Factor(exact.formula(term, place, grown), exact.likelihood(term, place, grown))

    @property
    def _term(self) -> str | None:
        return self.value if self.known else None

    @property
    def _grown(self) -> int:
        return 0 if self.known else self.part.grown

    def powers(self, place: int) -> list[Power]:
        if self.known or self.part.estimator.unknown not in ("ignore", "zero"):
            return [(self.exact.likelihood(self._term, place, self._grown), 1)]
        return [] if self.part.estimator.unknown == "ignore" else [(Fraction(0), 1)]


class _Words:
    """The terms of a text."""

    def __init__(self, part: Words, text: str, labels: tuple[Label, ...], column: str | None) -> None:
        self.estimator: Estimator = part.estimator
        self.found: Bag = bag(part.estimator, text, part.analyzer.analysis)
        read, spans = part.analyzer.locate(text)
        skipped = set(self.found.skipped)
        self.located: Located = read, [span for span in spans if span[0] not in skipped]
        self.read = self.located[0]
        self.labels = labels
        self.column = column
        self.names = part.estimator.reading.names(self.found.ids)
        self.exact = part.estimator.exact.holding(self.names)
        self.grown = len(self.found.unknown) if part.estimator.unknown == "grow" else 0

    def items(self) -> list[Item]:
        return [*self.terms(), *self.absent(), *self.unknown()]

    def _item(self, kind: Kind, name: str, weights: Floats, factor: MakeFactor | None, **more: Any) -> Item:
        return _item(kind, name, self.labels, weights, factor, column=self.column, **more)

    def _factor_of(self, term: str | None) -> MakeFactor:
        exact, grown, is_long = self.exact, self.grown, not self.estimator.has_whole_counts

        def factor(column: int) -> Factor:
            value = exact.likelihood(term, column, grown)
            return Factor(exact.formula(term, column, grown), Rounded(value) if is_long else value)

        return factor

    def terms(self) -> list[Item]:
        estimator, ids = self.estimator, self.found.ids
        idf = estimator.idf_of(ids)
        weights = estimator.weight(estimator.ratio_of(ids, self.grown), idf)
        factors = np.ones(len(ids)) if idf is None else idf
        rows = zip(self.names, self.found.times.tolist(), weights, factors.tolist(), strict=True)
        return [
            self._item("term", name, row, self._factor_of(name), times=times, idf=idf) for name, times, row, idf in rows
        ]

    def absent(self) -> list[Item]:
        """Bernoulli: the terms of V that the text lacks."""
        if not self.estimator.absence:
            return []
        rows = np.hstack(columns(self.estimator.ratio_of(self.found.ids)))
        none = np.zeros(2 * len(self.labels))
        present, required = np.split(np.add.accumulate(np.vstack([none, rows]))[-1:], 2, axis=1)
        unknown = np.array([len(self.found.unknown)], dtype=np.uint32)
        weights = self.estimator.absence.of_texts(present, required, unknown)[0]
        lacking = self.estimator.reading.size - len(self.found.ids)
        lacking += self.estimator.unknown == "unk" and not self.found.unknown
        return [self._item("absent", f"{lacking} absent terms", weights, None, terms=lacking)]

    def unknown(self) -> list[Item]:
        if not self.found.unknown:
            return []
        names, times = self.found.unknown, self.found.unknown_total(self.estimator)
        factor = None if self.estimator.unknown in ("ignore", "zero") else self._factor_of(None)
        weights, idf = self.estimator.unknown_weight(len(names)), self.estimator.reading.idf
        of_unknown = 1.0 if idf is None else idf.of_unknown
        return [self._item("unknown", ", ".join(names), weights, factor, terms=len(names), times=times, idf=of_unknown)]

    # ---- exact ---------------------------------------------------------------------------------------------------

    def powers(self, column: int) -> list[Power]:
        """Every factor, and how often it is one."""
        estimator = self.estimator
        if estimator.normalize:
            raise SettingError(
                code="normalized-not-exact",
                message="normalised complement weights are no logarithms of fractions, so there is no exact product",
                hint="view(event='complement', normalize=False)",
            )
        if estimator.scale == "log" or estimator.reading.idf is not None:
            raise SettingError(
                code="weighted-not-exact",
                message="with idf, or a weighting by logarithms, probabilities are raised to powers that are not whole,"
                " so there is no exact product",
                hint="view(weighting='count', idf=False)",
            )
        sign = -1 if estimator.event_name == "complement" else 1
        found = [
            (self.exact.likelihood(name, column, self.grown), sign * int(times))
            for name, times in zip(self.names, self.found.times.tolist(), strict=True)
        ]
        if self.found.unknown and estimator.unknown == "zero":
            return [(Fraction(0), 1)]
        if self.found.unknown and estimator.unknown != "ignore":
            unseen = self.exact.likelihood(None, column, self.grown)
            found.append((unseen, sign * int(self.found.unknown_total(estimator)) if unseen else 1))
        if not estimator.absence:
            return found
        with estimator.counts.gate.reading:
            return [*found, *self._absent_powers(column)]

    def _absent_powers(self, column: int) -> list[Power]:
        """Terms with the same counts have the same probability, so that each is worked out once."""
        reading = self.estimator.reading
        present = set(self.found.ids.tolist())
        absent = np.array([i for i in reading.kept_ids.tolist() if i not in present], dtype=np.uint32)
        rows = reading.snapshot.rows(absent, reading.statistic)
        alike = Counter(map(bytes, rows))
        example = dict(zip(map(bytes, rows), reading.names(absent), strict=True))
        found = [(1 - self.estimator.exact.likelihood(example[row], column), times) for row, times in alike.items()]
        if self.estimator.unknown == "unk" and not self.found.unknown:
            found.append((1 - self.estimator.exact.likelihood(None, column), 1))
        return found
