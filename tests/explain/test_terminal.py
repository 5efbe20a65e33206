"""The table for the terminal."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from explain.examples import (
    EXAMPLES,
    WIDTHS,
    china,
    explanations,
    hostile,
    impossible_for_all,
    impossible_for_one,
    long_text,
    many_labels,
    normalized,
    one_label,
    right_to_left,
    six_labels,
    wide,
)
from likelier._explain.table import rows
from likelier._explain.terminal import render
from likelier._show.cells import clean, cut, width, wrap

NUMBER = re.compile(r"(?<= )(?:[+-]?\d+\.\d+|impossible)(?=  |$)")


def shown_sums(table: str) -> tuple[list[list[float]], list[float]]:
    """The numbers of each row, and those of the closing row."""
    lines = table.split("\n\n")[1].splitlines()[1:]
    ruler = next(number for number, line in enumerate(lines) if line.startswith("──"))
    numbers = [[-math.inf if n == "impossible" else float(n) for n in NUMBER.findall(line)] for line in lines]
    return numbers[:ruler], numbers[ruler + 1]


def test_the_textbook_example_looks_like_this():
    assert str(china()).splitlines() == [
        "china, probability 0.6898",
        'For china: "chinese" (3 times) is 1.93 times as common in china as in japan;',
        "china is 3 times as frequent as japan.",
        'Against china: "japan" is 3.1 times as common in japan as in china.',
        "",
        "item                       china against japan",
        "(prior: 75.0 % to 25.0 %)              │███████       +1.099",
        "chinese                                │████████████  +1.970",
        "tokyo                           ▒▒▒▒▒▒▒│              -1.135",
        "japan                           ▒▒▒▒▒▒▒│              -1.135",
        "────────────────────────────────────────────────────────────",
        "sum                                                   +0.799",
        "log odds +0.799: china is 2.22 times as probable as japan",
        "",
        "label  log score  probability",
        "china     -8.108       0.6898",
        "japan     -8.907       0.3102",
        "probability = e^(log score), divided by the sum over all labels",
    ]


def test_in_full_it_has_the_fractions_of_the_textbook():
    assert china().to_text(full=True).splitlines()[5:12] == [
        "item                    times  china                japan                 diff.",
        "(prior)        │███         1  3/4          -0.288  1/4          -1.386  +1.099",
        "chinese        │██████      3  (5+1)/(8+6)  -2.542  (1+1)/(3+6)  -4.512  +1.970",
        "tokyo       ▒▒▒│            1  (0+1)/(8+6)  -2.639  (1+1)/(3+6)  -1.504  -1.135",
        "japan       ▒▒▒│            1  (0+1)/(8+6)  -2.639  (1+1)/(3+6)  -1.504  -1.135",
        "───────────────────────────────────────────────────────────────────────────────",
        "sum                                         -8.108               -8.907  +0.799",
    ]


@pytest.mark.parametrize("cells", WIDTHS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_no_line_is_longer_than_the_terminal(example, cells):
    for full in (False, True):
        assert max(width(line) for line in render(example(), width=cells, full=full).splitlines()) <= cells


@pytest.mark.parametrize("cells", WIDTHS)
@pytest.mark.parametrize("example", [china, six_labels, long_text, normalized, wide])
def test_the_contributions_that_are_shown_add_up_to_the_score_that_is_shown(example, cells):
    body, total = shown_sums(render(example(), width=cells, full=True))
    for column in range(3):
        assert math.fsum(row[column] for row in body) == pytest.approx(total[column], abs=0.0006 * len(body))


@given(explanations(), st.sampled_from([20, *WIDTHS, 200]))
def test_every_view_can_be_shown_without_a_number_that_is_none(explanation, cells):
    for full in (False, True):
        table = render(explanation, width=cells, full=full)
        assert "nan" not in table
        assert "inf" not in table


@given(explanations())
def test_every_row_and_the_rest_add_up_to_the_score(explanation):
    for place, label in enumerate(explanation.labels[:2]):
        total = sum(row.contributions[place] for row in rows(explanation, most=2))
        assert total == pytest.approx(explanation.sums[label], rel=1e-9, abs=1e-9)


def test_as_text_it_has_no_color_and_is_always_the_same():
    assert str(six_labels()) == str(six_labels()) == six_labels().to_text()
    assert "\x1b" not in str(six_labels())


def test_color_adds_nothing_but_color():
    colored = render(six_labels(), color=True)
    assert "\x1b[36m" in colored
    assert "\x1b[33m" in colored
    stripped = re.sub(r"\x1b\[\d+m", "", colored)
    assert [line.rstrip() for line in stripped.splitlines()] == render(six_labels()).splitlines()


def test_fractions_are_shortened_and_then_left_out_as_space_gets_short():
    tables = {cells: render(six_labels(), width=cells, full=True) for cells in (60, 80, 110, 120)}
    assert "(10 + 1) / (497 + 910) = 11/1407" in tables[120]
    assert "(10+1)/(497+910) = 11/1407" in tables[110]
    assert "11/1407   -4.851" in tables[80]
    assert "1407" not in tables[60]


def test_the_strongest_terms_come_first_for_or_against():
    lines = render(six_labels()).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith("(prior"))
    names = [line.split()[0] for line in lines[start + 1 : start + 5]]
    assert names == ["parcel", "invoice", "arrived", "wrong"]


def test_bars_stand_beside_the_terms_and_are_never_cut_off():
    for cells in (45, *WIDTHS):
        lines = [line for line in render(long_text(), width=cells).splitlines() if "│" in line]
        assert len(lines) == 1 + 20 + 1
        assert all(re.search(r"│[█ ]* +[+-]?\d+\.\d+$", line) for line in lines)


def test_a_probability_of_zero_is_called_impossible():
    table = render(impossible_for_one(), full=True)
    assert re.search(r"tokyo +│█+ +1 +1 / 3 +-1.099 +0 / 8 = 0 +impossible +\+∞", table)
    assert "\nchina is impossible\n" in table
    assert '"tokyo" is never seen in china' in table


def test_a_text_that_is_impossible_under_every_label_says_why():
    table = render(impossible_for_all())
    assert table.startswith("no label\nevery label has probability 0: the text has a term that was never seen")
    assert "\nevery label is impossible\n" in table


def test_with_one_label_there_is_nothing_to_compare():
    table = render(one_label())
    assert table.startswith("only, probability 1.0000\nonly is the only label: every text gets it\n")
    assert "difference" not in table
    assert "│" not in table


def test_of_many_labels_the_likeliest_are_listed_and_the_rest_summed():
    table = render(many_labels())
    assert "3        -11.083       0.0385" in table
    assert "... and 30 more labels, together 0.5769" in table


def test_of_a_long_text_the_20_strongest_terms_are_shown_and_the_rest_summed():
    table = render(long_text())
    body, _ = shown_sums(table)
    assert len(body) == 1 + 20 + 1
    assert re.search(r"^\d+ more, together .*[+-]\d+\.\d+", table, re.MULTILINE)


def test_a_label_that_is_not_the_most_probable_comes_with_its_reason():
    view = lk.train([("a", "x"), ("a b", "y")]).view(decide=lk.Thresholds({"*": 0.9}))
    assert render(view.explain("a")).startswith("no label\nx has probability 0.5")


def test_unknown_terms_have_a_row_of_their_own():
    assert re.search(r"\(unknown: foo, bar\) +│ +3 +0.000 +0.000 +0.000", render(china("foo bar foo"), full=True))
    assert re.search(r"\(unknown: foo, bar\) +│ +0.000", render(china("foo bar foo")))


def test_absent_terms_have_a_row_of_their_own():
    shown = render(china(event="bernoulli"), full=True)
    assert re.search(r"\(3 absent terms\) +│█* +1 +-1.216 +-1.532 +\+0.316", shown)


def test_the_complement_model_says_what_its_fractions_are():
    assert "P(t|not c)" in render(china(event="complement"), full=True)


def test_small_weights_have_more_decimals():
    assert re.search(r"parcel +▒+│ +-0\.00\d{4}$", render(normalized()), re.MULTILINE)


def test_bars_of_wide_characters_stand_below_each_other():
    lines = [line for line in render(wide()).splitlines() if "│" in line]
    assert len({width(line[: line.index("│")]) for line in lines}) == 1


def test_right_to_left_words_do_not_move_the_numbers():
    table = render(right_to_left())
    assert "\u200eعرض\u200e" in table
    assert all(line.count("\u200e") % 2 == 0 for line in table.splitlines())


def test_nothing_from_outside_steers_the_terminal():
    table = render(hostile())
    assert not set(table) & (set(map(chr, range(32))) - {"\n"})
    assert r"\x1b[31m" in table


# Cells


def test_control_characters_and_changes_of_direction_are_shown_as_escapes():
    assert clean("a\x00\x1b\x9b\u202eb\r\n") == r"a\x00\x1b\x9b\u202eb\r\n"


@pytest.mark.parametrize(
    ("text", "cells"),
    [("spam", 4), ("垃圾", 4), ("😀", 2), ("e\u0301", 1), ("नमस्ते", 4), ("\u200eשלום\u200e", 4), ("ﾊﾝ", 2), ("Ａ", 2)],
)
def test_width_counts_cells(text, cells):
    assert width(text) == cells


@given(st.text(max_size=20), st.integers(1, 20))
def test_a_cut_text_fits(text, cells):
    assert width(cut(clean(text), cells)) <= max(cells, 1)


def test_words_longer_than_the_line_are_not_broken():
    assert wrap("a preposterous b", 5) == ["a", "preposterous", "b"]
