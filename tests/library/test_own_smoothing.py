"""A smoothing of one's own: one class is enough for every event model, and its line in `KINDS` for a name."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from click.testing import CliRunner

import likelier as lk
from corpora import EVENTS, UNKNOWN, model_of
from evaluate.test_leaving import check, of_texts
from likelier._base.numbers import exact
from likelier._cli.commands import likelier as program
from likelier._estimate import smoothing, sparse
from likelier._estimate.evidence import Evidence, Ratio
from likelier._estimate.smoothing import Formula, Shape, short

PAIRS = [
    ("goat wolf goat", "ham"),
    ("goat wolf goat", "ham"),
    ("", "ham"),
    ("wolf wolf dwarf", "spam"),  # the only one with "dwarf"
    ("seven seven goat", "spam"),
    ("seven goat wolf", "news"),  # the only one of its label
]


@dataclass(frozen=True)
class WittenBell:
    """(n + b u q) / (N + b u): the more different terms a label has, the more it expects new ones."""

    strength: Any = 1

    @property
    def is_off(self) -> bool:
        return bool(self.strength == 0)

    def ratio(self, e: Evidence) -> Ratio:
        empty = e.total == 0
        return Ratio(
            e.count + (self.strength * e.seen + empty) * e.share, e.total + self.strength * e.seen * (1 - empty) + empty
        )

    def formula(self, e: Evidence) -> Formula:
        more = short(self.strength * e.seen)
        return Formula(f"{short(e.count)} + {more} · {short(e.share)}", f"{short(e.total)} + {more}")

    def exact(self) -> WittenBell:
        return replace(self, strength=exact(self.strength))


@dataclass(frozen=True)
class Quick(WittenBell):
    """The same, and what is quick with it."""

    shape: ClassVar = Shape("both", ("multinomial", "binary"), may_leave_zeros=False)


@pytest.fixture(autouse=True)
def kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(smoothing.KINDS, "witten-bell", WittenBell)
    monkeypatch.setitem(smoothing.KINDS, "quick", Quick)


def test_a_view_and_its_explanation_have_the_numbers_of_the_formula():
    view = model_of(PAIRS).view(smoothing=WittenBell(2))
    # "goat" 4 times of 6 under "ham", where 2 terms were seen; 6 times of 15 in all
    assert view.likelihood("goat", "ham") == pytest.approx(14 / 25)
    goat = view.explain("goat").items[-1]
    assert str(goat.factors["ham"]) == "(4 + 4 · 0.4) / (6 + 4) = 14/25"


@pytest.mark.parametrize("rule", [WittenBell(0.5), Quick(0.5)], ids=str)
@pytest.mark.parametrize("event", EVENTS)
def test_leaving_one_out_equals_brute_force(event: str, rule: WittenBell) -> None:
    for unknown in UNKNOWN:
        for normalize in {False, event == "complement"}:
            check(*of_texts(PAIRS), event=event, smoothing=rule, unknown=unknown, normalize=normalize)


@pytest.mark.parametrize("event", EVENTS)
def test_what_is_quick_gives_the_same(event: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sparse, "MANY_LABELS", 2)
    texts = ["goat wolf", "dwarf new", ""]
    slow, quick = (model_of(PAIRS).view(event=event, smoothing=rule) for rule in (WittenBell(), Quick()))
    assert (slow.estimator.is_sparse, quick.estimator.is_sparse) == (False, event in Quick.shape.factors_in)
    found, expected = quick.classify_many(texts).log_scores, slow.classify_many(texts).log_scores
    np.testing.assert_allclose(found, expected, rtol=1e-12)


def test_a_subclass_says_anew_what_is_quick():
    class Other(lk.Additive):
        pass

    assert smoothing.shape_of(lk.Additive()).is_separable
    assert smoothing.shape_of(Other()) == Shape()


def test_it_is_stored_and_has_a_name_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "a.likelier"
    model_of(PAIRS).save(path)
    result = CliRunner().invoke(program, ["view", str(path), "--smoothing", "witten-bell:0.5"])
    assert result.exit_code == 0
    assert "witten-bell:0.5" in result.output
    assert lk.load(path).settings.smoothing == WittenBell(0.5)
    assert smoothing.smoothing_to_dict(WittenBell(0.5)) == {"kind": "witten-bell", "strength": 0.5}
    assert smoothing.smoothing_named("witten-bell") == WittenBell()
    with pytest.raises(lk.SettingError, match=r"one of additive:1, .*witten-bell:1"):
        smoothing.smoothing_named("witten")
