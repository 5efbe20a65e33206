"""Where naivety fails: the lecture's table, other inputs, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from explain.examples import HOSTILE
from typeset import compiled, slow_engines

LECTURE = {
    0: {(0, 0): 0.30, (0, 1): 0.35, (1, 0): 0.15, (1, 1): 0.20},
    1: {(0, 0): 0.00, (0, 1): 0.30, (1, 0): 0.65, (1, 1): 0.05},
}
ROWS = [
    {"x1": pair[0], "x2": pair[1], "class": f"c{label}"}
    for label, numbers in LECTURE.items()
    for pair, number in numbers.items()
    for _ in range(round(number * 20))
]


def lecture() -> lk.JointTable:
    return lk.joint_table(LECTURE, asked=(1, 1))


@pytest.mark.parametrize(
    ("row", "joint", "worked", "product"),
    [
        (4, "0.00", "(0.00+0.30) · (0.00+0.65) = 0.30 · 0.65", "0.195"),
        (5, "0.30", "(0.00+0.30) · (0.30+0.05) = 0.30 · 0.35", "0.105"),
        (6, "0.65", "(0.65+0.05) · (0.00+0.65) = 0.70 · 0.65", "0.455"),
        (7, "0.05", "(0.65+0.05) · (0.30+0.05) = 0.70 · 0.35", "0.245"),
        (3, "0.20", "(0.15+0.20) · (0.35+0.20) = 0.35 · 0.55", "0.1925"),
    ],
)
def test_the_table_of_the_lecture(row: int, joint: str, worked: str, product: str) -> None:
    cells = lecture().cells(lecture().body)[row]
    assert [cell.text for _, cell in cells[3:]] == [joint, worked, product]
    assert cells[5][1].value == Fraction(product)


def test_the_decisions_of_the_lecture() -> None:
    found = lecture()
    assert (found.holds, found.naive_label, found.joint_label) == (False, 1, 0)
    assert found.decisions is not None
    assert [list(row.values()) for row in found.decisions.rows()] == [
        ["0", "0.5 · 0.35 · 0.55", Fraction("0.09625"), "0.5 · 0.20", Fraction("0.1")],
        ["1", "0.5 · 0.70 · 0.35", Fraction("0.1225"), "0.5 · 0.05", Fraction("0.025")],
    ]
    assert found.decisions.notes == (
        "by the product: 1, 0.1225 against 0.09625",
        "by the joint: 0, 0.1 against 0.025",
        "the decisions differ",
    )


def test_independent_columns_are_said_to_be() -> None:
    found = lk.joint_table({"x": {("a", "c"): 2, ("a", "d"): 4, ("b", "c"): 1, ("b", "d"): 2}})
    assert found.holds
    assert found.notes == ("the assumption holds: every joint probability is the product",)
    assert found.decisions is None


def by_rows() -> lk.JointTable:
    return lk.joint_table(ROWS, asked={"x1": 1, "x2": 1})


def by_file(folder: Path) -> Path:
    path = folder / "rows.csv"
    pd.DataFrame(ROWS).to_csv(path, index=False)
    return path


def test_counts_keep_their_denominator() -> None:
    assert "(0+6)/20 · (0+13)/20 = 6/20 · 13/20" in str(by_rows())
    assert "20/40 · 7/20 · 11/20" in str(by_rows())
    assert (by_rows().naive_label, by_rows().joint_label) == ("c1", "c0")


@pytest.mark.parametrize("form", ["pairs", "frame", "file", "read", "read numbers", "weights", "counts"])
def test_documents_of_any_form_give_the_same(form: str, tmp_path: Path) -> None:
    columns = [({"x1": row["x1"], "x2": row["x2"]}, row["class"]) for row in ROWS]
    pairs = [(f"c{label}", pair, round(n * 20)) for label, own in LECTURE.items() for pair, n in own.items()]
    data: dict[str, Any] = {
        "pairs": lambda: lk.joint_table(columns, asked=(1, 1)),
        "frame": lambda: lk.joint_table(pd.DataFrame(ROWS), asked=(1, 1)),
        "file": lambda: lk.joint_table(by_file(tmp_path), asked=(1, 1)),
        "read": lambda: lk.joint_table(lk.read(by_file(tmp_path), categorical=["x1", "x2"]), asked=(1, 1)),
        "read numbers": lambda: lk.joint_table(lk.read(by_file(tmp_path), numeric=["x1", "x2"]), asked=(1, 1)),
        "weights": lambda: lk.joint_table(
            [({"x1": pair[0], "x2": pair[1]}, label) for label, pair, _ in pairs],
            asked=("1", 1.0),
            weights=[times for _, _, times in pairs],
        ),
        "counts": lambda: lk.joint_table(
            {f"c{label}": {pair: round(n * 20) for pair, n in own.items()} for label, own in LECTURE.items()},
            asked=(1, 1),
        ),
    }
    assert str(data[form]()) == str(by_rows())


def test_documents_without_one_of_the_values_are_left_out() -> None:
    found = lk.joint_table([*ROWS, {"x1": None, "x2": 1, "class": "c0"}])
    assert found.notes[0] == "left out: 1 document without one of the two values"
    assert found.body == by_rows().body


def test_the_prior_may_be_given() -> None:
    found = lk.joint_table(LECTURE, asked=(1, 1), prior={0: 0.9, 1: 0.1})
    assert (found.naive_label, found.joint_label) == (0, 0)
    assert found.decisions is not None
    assert found.decisions.notes[-1] == "the decisions agree"


def test_a_tie_decides_nothing() -> None:
    found = lk.joint_table({"x": {(0, 0): 1, (1, 1): 1}, "y": {(0, 0): 1, (1, 1): 1}}, asked=(0, 1))
    assert (found.naive_label, found.joint_label) == (None, None)
    assert found.decisions is not None
    assert found.decisions.notes[:2] == (
        "by the product: no label, x and y have 0.125 each",
        "by the joint: no label, x and y have 0 each",
    )


numbers = st.lists(st.integers(0, 50), min_size=6, max_size=6).filter(any)
keys = [(one, other) for one in "ab" for other in "cde"]


@given(numbers, numbers)
def test_joint_probabilities_and_products_sum_to_1(one: list[int], other: list[int]) -> None:
    table = lk.joint_table({"x": dict(zip(keys, one, strict=True)), "y": dict(zip(keys, other, strict=True))})
    for label in ("x", "y"):
        rows = [row for row in table.rows() if row["label"] == label]
        assert sum(row["P(x1, x2|c)"] for row in rows) == 1
        assert sum(row["product"] for row in rows) == 1


@given(st.lists(st.integers(1, 20), min_size=2, max_size=2), st.lists(st.integers(1, 20), min_size=3, max_size=3))
def test_what_is_multiplied_is_independent(one: list[int], other: list[int]) -> None:
    made = {(a, b): m * n for a, m in zip("ab", one, strict=True) for b, n in zip("cde", other, strict=True)}
    assert lk.joint_table({"x": made}).holds


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ({}, {}, "each label needs at least one number above 0, got no labels"),
        ({"x": {}}, {}, "each label needs at least one number above 0"),
        ({"x": {(0, 0): 0}}, {}, "each label needs at least one number above 0"),
        ({"x": {(0, 0): 0.5, (0, 1): 0.4}}, {}, "must be counts or sum to 1, got 0.9 for 'x'"),
        ({"x": {(0, 0): -1}}, {}, r"numbers of 0 or more, got \{\(0, 0\): -1\} for 'x'"),
        ({"x": {(0, 0): float("nan")}}, {}, "numbers of 0 or more"),
        ({"x": {(0, 0, 0): 1}}, {}, "pairs of values"),
        ({"x": {"ab": 1}}, {}, "pairs of values"),
        ({"x": {(0, 0): 1, ("0", "0"): 2}}, {}, "pairs of values"),
        ({"x": 3}, {}, "got 3 for 'x'"),
        ({None: {(0, 0): 1}}, {}, "label"),
        (LECTURE, {"asked": (1, 2)}, "'x2' has the values '0' and '1'; got 2"),
        (LECTURE, {"asked": (1,)}, "a value of 'x1' and one of 'x2', got"),
        (LECTURE, {"asked": {"x1": 1}}, "a value of 'x1' and one of 'x2', got"),
        (LECTURE, {"names": ("a", "a")}, "two different names"),
        (LECTURE, {"prior": {0: 1}}, "a prior names every label once"),
        (LECTURE, {"prior": "flat"}, "`prior` must be 'fitted', 'uniform'"),
        (ROWS, {"names": ("x1", "x3")}, "'x3'"),
        ([("text", "label")], {}, "two columns with one value for each document, and 'x1' is not there"),
    ],
)
def test_what_makes_no_table_is_refused(data: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(lk.LikelierError, match=message):
        lk.joint_table(data, **options)


@pytest.mark.parametrize("form", ["to_text", "to_markdown", "to_html", "to_latex", "to_csv", "to_svg", "_repr_html_"])
def test_hostile_names_values_and_labels_are_harmless(form: str) -> None:
    table = lk.joint_table({HOSTILE: {(HOSTILE, 0): 1, ("b", 1): 1}}, (HOSTILE, "b"), asked=(HOSTILE, 0))
    shown = getattr(table, form)()
    if form != "to_csv":
        assert "\x1b" not in shown
        assert "\x00" not in shown
    if "html" in form or form == "to_svg" or form == "to_markdown":
        assert "<script" not in shown.replace(r"\<", "")
    if form == "to_latex":
        assert r"\end{align*}" not in shown


def test_every_form_has_the_decisions_too() -> None:
    found = lecture()
    for shown in (str(found), found.to_markdown(), found.to_html(), found.to_latex(), found.to_latex(document=True)):
        assert "0.09625" in shown
    assert "0.09625" not in found.to_csv()
    renamed = found.renamed({"label": "H", "product": "Produkt"})
    assert renamed.to_text().count("Produkt") == 2


def test_the_picture_has_two_bars_for_each_pair() -> None:
    assert lecture().to_svg().count("data-bar") == 16
    assert "gemeinsam" in lecture().renamed({"joint probability": "gemeinsam"}).to_svg()
    assert "product of the marginals" in lecture()._repr_html_()


@pytest.mark.parametrize("width", [40, 60, 80])
def test_a_narrow_terminal_cuts_the_worked_numbers(width: int) -> None:
    lines = lecture().to_text(width=width).splitlines()
    assert max(map(len, lines)) <= max(width, 70)
    assert all("product" in line for line in lines if line.startswith("label"))


@pytest.mark.parametrize("engine", slow_engines)
def test_the_document_compiles(engine: str) -> None:
    page = compiled(lecture().to_latex(document=True), engine)
    assert "0.09625" in page.text
    assert not page.too_wide
