"""A kind of column is a class and its line in `KINDS`: everything else follows from what it says of itself."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import pandas as pd
import pytest

import likelier as lk
from likelier._documents.kinds import KINDS, Kind


@dataclass(frozen=True, slots=True)
class Day(Kind):
    """A day of the week: one of seven, seen or not, however long its name is written."""

    name: ClassVar = "day"
    is_closed: ClassVar = True
    can_be_bound: ClassVar = True
    rule: ClassVar = "a column of days holds names of days"

    @property
    def declared(self) -> tuple[str, ...]:
        return ("mon", "tue", "wed", "thu", "fri", "sat", "sun")

    def value(self, text: str) -> str | None:
        return text[:3].lower() if text[:3].lower() in self.declared else None


@dataclass(frozen=True, slots=True)
class Tide(Kind):
    """Ebb or flow, as it is written."""

    name: ClassVar = "tide"
    is_closed: ClassVar = True
    rule: ClassVar = "a column of tides holds ebb or flow"

    @property
    def declared(self) -> tuple[str, ...]:
        return ("ebb", "flow")


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(KINDS, "day", Day)


ROWS = [("Monday", "work"), ("tue", "work"), ("Tuesday", "work"), ("Sat", "rest"), ("Sunday", "rest"), ("fri", "rest")]


def model(**view: object) -> lk.Model:
    made = lk.Model(schema=lk.Schema({"when": Day(), "text": lk.Text()}))
    for day, label in ROWS:
        made.learn({"when": day, "text": "goat"}, label)
    made.set_view(**view)  # type: ignore[arg-type]
    return made


def test_its_values_are_counted_as_it_spells_them() -> None:
    counts = model().counts
    assert list(counts.cells("when")) == [
        *(("fri", "rest", 1, 1), ("mon", "work", 1, 1), ("sat", "rest", 1, 1), ("sun", "rest", 1, 1)),
        ("tue", "work", 2, 2),
    ]


def test_all_days_are_possible_seen_or_not() -> None:
    view = model().view()
    assert view.likelihood("tue", "work", column="when") == Fraction(2 + 1, 3 + 7)
    assert view.likelihood("wed", "rest", column="when") == Fraction(0 + 1, 3 + 7)
    assert view.classify({"when": "TUESDAY", "text": "goat"}).label == "work"


def test_it_is_explained_saved_and_loaded() -> None:
    made = model()
    assert "(2+1)/(3+7)" in made.explain({"when": "tue", "text": ""}).to_text(full=True)
    loaded = lk.Model.from_bytes(made.to_bytes())
    assert loaded == made
    assert loaded.schema.columns["when"] == Day()


def test_leave_one_out_is_brute_force() -> None:
    made, documents = model(), [({"when": day, "text": "goat"}, label) for day, label in ROWS]
    found = made.evaluate(documents).verdicts
    for row, (document, label) in enumerate(documents):
        without = made.copy()
        without.forget(document, label)
        assert found[row].probabilities == pytest.approx(without.classify(document).probabilities, rel=1e-12)


def test_what_is_no_day_is_refused_with_its_rule() -> None:
    with pytest.raises(lk.InputError, match="someday") as caught:
        model().learn({"when": "someday", "text": "goat"}, "rest")
    assert caught.value.code == "value-kind"


def test_it_is_read_from_a_data_frame_and_can_be_bound() -> None:
    frame = pd.DataFrame({"when": ["Monday", "sun"], "text": ["goat", "goat"]})
    assert [verdict.label for verdict in model().classify_many(frame)] == ["work", "rest"]
    schema = lk.Schema({"when": Day(), "often": lk.Binary()}).bound([("when", "often")])
    assert schema.in_words() == "when & often bound"


def test_it_has_the_settings_of_columns_of_values() -> None:
    assert model(columns={"when": {"alpha": 0}}).view().likelihood("wed", "rest", column="when") == 0


def test_a_closed_kind_takes_its_declared_values_and_no_others() -> None:
    made = lk.Model(schema=lk.Schema({"tide": Tide()}))
    made.learn({"tide": "ebb"}, "low")
    with pytest.raises(lk.InputError, match="flood"):
        made.learn({"tide": "flood"}, "high")
    assert list(made.counts.cells("tide")) == [("ebb", "low", 1, 1)]
