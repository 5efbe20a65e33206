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
        "",
        "item       times  china                japan                difference",
        "(prior)        1  3/4          -0.288  1/4          -1.386  +1.099       │███",
        "chinese        3  (5+1)/(8+6)  -2.542  (1+1)/(3+6)  -4.512  +1.970       │█████",
        "tokyo          1  (0+1)/(8+6)  -2.639  (1+1)/(3+6)  -1.504  -1.135    ▒▒▒│",
        "japan          1  (0+1)/(8+6)  -2.639  (1+1)/(3+6)  -1.504  -1.135    ▒▒▒│",
        "───────────────────────────────────────────────────────────────────────────────",
        "log score                      -8.108               -8.907  +0.799",
        "",
        "label  log score  probability",
        "china     -8.108       0.6898",
        "japan     -8.907       0.3102",
        "log odds +0.799: china is 2.22 times as probable as japan",
    ]


@pytest.mark.parametrize("cells", WIDTHS)
@pytest.mark.parametrize("example", EXAMPLES)
def test_no_line_is_longer_than_the_terminal(example, cells):
    assert max(width(line) for line in render(example(), width=cells).splitlines()) <= cells


@pytest.mark.parametrize("cells", WIDTHS)
@pytest.mark.parametrize("example", [china, six_labels, long_text, normalized, wide])
def test_the_contributions_that_are_shown_add_up_to_the_score_that_is_shown(example, cells):
    body, total = shown_sums(render(example(), width=cells))
    for column in range(3):
        assert math.fsum(row[column] for row in body) == pytest.approx(total[column], abs=0.0006 * len(body))


@given(explanations(), st.sampled_from([20, *WIDTHS, 200]))
def test_every_view_can_be_shown_without_a_number_that_is_none(explanation, cells):
    table = render(explanation, width=cells)
    assert "nan" not in table
    assert "inf" not in table


@given(explanations())
def test_every_row_and_the_rest_add_up_to_the_score(explanation):
    for place, label in enumerate(explanation.labels[:2]):
        total = sum(row.contributions[place] for row in rows(explanation, most=2))
        assert total == pytest.approx(explanation.log_scores[label], rel=1e-9, abs=1e-9)


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
    tables = {cells: render(six_labels(), width=cells) for cells in (60, 80, 110, 120)}
    assert "(10 + 1) / (497 + 910) = 11/1407" in tables[120]
    assert "(10+1)/(497+910) = 11/1407" in tables[110]
    assert "11/1407   -4.851" in tables[80]
    assert "1407" not in tables[60]


def test_terms_that_speak_for_the_winner_come_first_and_those_against_it_last():
    lines = render(six_labels()).splitlines()
    names = [line.split()[0] for line in lines[3:14]]
    assert names[:3] == ["(prior)", "parcel", "arrived"]
    assert names[-2:] == ["wrong", "invoice"]


def test_a_probability_of_zero_is_called_impossible():
    table = render(impossible_for_one())
    assert re.search(r"tokyo +1 +1 / 3 +-1.099 +0 / 8 = 0 +impossible +\+∞", table)
    assert table.endswith("china is impossible")


def test_a_text_that_is_impossible_under_every_label_says_why():
    table = render(impossible_for_all())
    assert table.startswith("no label\nevery label has probability 0: the text has a term that was never seen")
    assert table.endswith("every label is impossible")


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
    assert re.search(r"^\d+ more, together +-\d+\.\d+ .*[+-]\d+\.\d+", table, re.MULTILINE)


def test_a_label_that_is_not_the_most_probable_comes_with_its_reason():
    view = lk.train([("a", "x"), ("a b", "y")]).view(decide=lk.Thresholds({"*": 0.9}))
    assert render(view.explain("a")).startswith("no label\nx has probability 0.5")


def test_unknown_terms_have_a_row_of_their_own():
    assert re.search(r"\(unknown: foo, bar\) +3 +0.000 +0.000 +0.000", render(china("foo bar foo")))


def test_absent_terms_have_a_row_of_their_own():
    assert re.search(r"\(3 absent terms\) +1 +-1.216 +-1.532 +\+0.316", render(china(event="bernoulli")))


def test_the_complement_model_says_what_its_fractions_are():
    assert "P(t|not c)" in render(china(event="complement"))


def test_small_weights_have_more_decimals():
    assert re.search(r"parcel +1 +0\.00\d{4} +0\.00\d{4} +-0\.00\d{4} ", render(normalized(), width=60))


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
