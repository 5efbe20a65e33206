"""What the pages say about speed: targets are met or missed by so much, and charts have all their text inside."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"


def script(name: str) -> ModuleType:
    """A module of the benchmarks; data classes look it up by its name."""
    spec = spec_from_file_location(f"benchmarks_{name}", BENCHMARKS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    sys.modules[spec.name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TARGETS, CHARTS = script("targets"), script("charts")


def target(bound: float, unit: str, at_least: bool):
    return TARGETS.Target("work", bound, unit, "result", lambda _: None, at_least)


@pytest.mark.parametrize(
    ("bound", "unit", "at_least", "figure", "verdict"),
    [
        (25, "× scikit-learn", True, 25, "met"),
        (25, "× scikit-learn", True, 20, "missed by a factor of 1.25"),
        (200, "µs", False, 200, "met"),
        (200, "µs", False, 500, "missed by a factor of 2.50"),
        (20, "%", False, 35, "missed by 15 points"),
    ],
)
def test_a_target_is_met_or_missed_by_so_much(bound, unit, at_least, figure, verdict):
    assert target(bound, unit, at_least).verdict(figure) == verdict


def test_a_bound_is_said_with_its_unit():
    assert target(25, "× scikit-learn", True).wanted == "at least 25× scikit-learn"
    assert target(200, "µs", False).wanted == "at most 200 µs"


def test_a_growth_is_not_told_where_a_size_failed():
    growth = [each for each in TARGETS.TARGETS if each.result == "many-labels"]
    rows = [{"cells": 1, "bytes_per_count": 10, "nanoseconds_per_posting": 2.0}, {"cells": 2, "error": "exit code 1"}]
    assert [each.measured({"rows": rows}) for each in growth] == [None, None]


def bars() -> str:
    rows = [("likelier, 2 threads", 300, True), ("a peer with quite a long name", 0.01, False)]
    return CHARTS.bars("Speed", [CHARTS.Bar(name, figure, f"{figure} MB/s", ours) for name, figure, ours in rows])


def lines() -> str:
    series = {f"a line with a name, {number}": [(10, 100 + number), (5_000, 101 + number)] for number in range(5)}
    return CHARTS.lines("Time", series, "megabytes", ("target", 200))


@pytest.mark.parametrize("chart", [bars, lines])
def test_all_text_of_a_chart_is_inside(chart):
    root = ElementTree.fromstring(chart())
    height = float(root.get("height", "0"))
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        width = len(text.text or "") * CHARTS.LETTER
        kinds = (text.get("class") or "").split()
        start = float(text.get("x", "0")) - (width if "end" in kinds else width / 2 if "mid" in kinds else 0)
        assert start >= 0
        assert start + width <= CHARTS.WIDTH
        assert 0 < float(text.get("y", "0")) < height


# ---- training without options ------------------------------------------------------------------------------------


@pytest.fixture
def default_tables(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return script("default_tables")


def timed(title: str, ours: float, theirs: float) -> dict:
    best = {"likelier": ours, "scikit-learn, one fit": theirs, "likelier, textbook": ours / 10}
    seconds = {name: {"best": figure} for name, figure in best.items()}
    return {"title": title, "documents": 5574, "megabytes": 0.44, "seconds": seconds, "ratio": ours / theirs}


def measured() -> dict:
    names = ("likelier", "likelier, textbook", "scikit-learn, one fit", "scikit-learn, LinearSVC")
    judged = {"title": "short messages", "log_loss": None, "calibration_error": 0.0017}
    return {
        "times": {"rows": {"sms_spam": timed("short messages", 0.12, 0.1), "tickets": timed("tickets", 0.5, 1)}},
        "grid": {"rows": {"sms_spam": {"limit": 60.0}, "tickets": {"limit": 60.0, "seconds": 7.34, "accuracy": 0.75}}},
        "memory": {"rows": {"sms_spam": {"more_megabytes": 154.2}}},
        "accuracy": {"rows": {"sms_spam": judged | {"accuracy": dict.fromkeys(names, 0.985)}}},
        "steady": {"rows": {"sms_spam": {"title": "short messages", "accuracy": [0.98, 0.984], "spread": 0.4}}},
    }


def test_the_table_of_times_says_which_searches_were_ended(default_tables):
    rows = default_tables.times(measured())
    assert rows[2] == "| short messages | 5,574 | 0.4 | 0.12 | 0.1 | 1.20 | more than 60 | 0.012 | 154 |"
    assert rows[3] == "| tickets | 5,574 | 0.4 | 0.5 | 1 | 0.50 | 7.3 | 0.05 |  |"


def test_figures_that_were_not_measured_have_no_table(default_tables):
    assert default_tables.few(measured()) == default_tables.times({}) == []
    assert default_tables.chart({}) is None
    assert default_tables.accuracy(measured())[2].endswith("| 98.50 |  | 98.50 | infinite | 0.17 |")
    assert default_tables.steady(measured())[2] == "| short messages | 98.00 | 98.40 | 0.40 |"


def test_all_text_of_the_chart_of_times_is_inside(default_tables):
    test_all_text_of_a_chart_is_inside(lambda: default_tables.chart(measured()))


def test_a_target_of_several_corpora_needs_all_of_them():
    found = {each.work: each.measured(measured()) for each in TARGETS.TARGETS if each.result == "default"}
    assert found == {
        "train with default settings, six corpora: the slowest": None,
        "train with default settings, all corpora: the slowest": pytest.approx(1.2),
        "default settings: spread of five orders": 0.4,
        "train with default settings: memory beside the texts": 154.2,
    }


def test_names_at_the_ends_of_lines_do_not_cover_each_other():
    root = ElementTree.fromstring(lines())
    names = [text for text in root.iter("{http://www.w3.org/2000/svg}text") if "a line" in (text.text or "")]
    heights = sorted(float(text.get("y", "0")) for text in names)
    assert all(below - above >= 16 for above, below in pairwise(heights))
