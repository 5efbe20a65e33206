"""A table in every form."""

from __future__ import annotations

import csv
import io
import re
from fractions import Fraction
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explain.examples import HOSTILE
from likelier import train
from likelier._base.errors import LikelierError
from likelier._show.cells import clean, width
from likelier._show.table import Cell, Table, own

BAG = Table(
    ("term", "count", "P(t|c)", "log"),
    [("chinese", 5, Fraction(3, 7), -0.8472978), ("tokyo", 0, Fraction(1, 14), -2.6390573)],
    numbers={1, 2, 3},
    foot=[("all", 1234, Fraction(1), "")],
    caption="Terms of china",
)
FORMS = [
    Table.to_text,
    Table.to_markdown,
    Table.to_html,
    Table.to_latex,
    Table.to_csv,
    Table.rows,
    Table._repr_html_,
    str,
]


def test_as_text_numbers_are_aligned_on_the_right_and_a_line_is_above_the_foot():
    assert BAG.to_text().splitlines() == [
        "term     count  P(t|c)      log",
        "chinese      5     3/7  -0.8473",
        "tokyo        0    1/14   -2.639",
        "───────────────────────────────",
        "all      1,234       1",
    ]


def test_color_adds_nothing_but_color():
    assert re.sub(r"\x1b\[\d+m", "", BAG.to_text(color=True)) == str(BAG)
    assert "\x1b[2m" in BAG.to_text(color=True)


def test_as_markdown():
    assert BAG.to_markdown().splitlines() == [
        r"| term | count | P(t\|c) | log |",
        "| :--- | ---: | ---: | ---: |",
        "| chinese | 5 | 3/7 | -0.8473 |",
        "| tokyo | 0 | 1/14 | -2.639 |",
        "| all | 1,234 | 1 |  |",
    ]


def test_as_latex_fractions_are_formulas_with_room_above_and_below():
    assert BAG.to_latex().splitlines() == [
        r"\begin{tabular}{@{\rule[-0.65em]{0pt}{1.8em}}lrrr@{}}",
        r"term & count & P(t\textbar{}c) & log \\ \hline",
        r"chinese & $5$ & $\frac{3}{7}$ & $-0.8473$ \\",
        r"tokyo & $0$ & $\frac{1}{14}$ & $-2.639$ \\",
        r"\hline all & 1,234 & $1$ & ",
        r"\end{tabular}",
    ]


def test_within_a_formula_it_is_an_array_with_its_words_in_text():
    assert r"\text{chinese} & 5 & \frac{3}{7} & -0.8473 \\" in BAG.to_latex(math=True)
    assert BAG.to_latex(math=True).startswith(r"\begin{array}{@{\rule[-0.65em]{0pt}{1.8em}}lrrr@{}}")


def test_csv_and_rows_have_the_values_in_full_and_the_foot_last():
    assert BAG.to_csv() == "term,count,P(t|c),log\nchinese,5,3/7,-0.8472978\ntokyo,0,1/14,-2.6390573\nall,1234,1,\n"
    assert BAG.rows()[1] == {"term": "tokyo", "count": 0, "P(t|c)": Fraction(1, 14), "log": -2.6390573}


def test_as_html_the_first_cell_of_a_row_is_its_heading():
    html = BAG.to_html(name="bag")
    assert html.startswith('<table class="bag">\n<caption>Terms of china</caption>')
    assert '<tr><th scope="row">tokyo</th><td class="n">0</td><td class="n">1/14</td>' in html
    assert '<th scope="col" class="n">count</th>' in html
    assert "<tfoot>" in html


def test_a_notebook_gets_the_style_too():
    assert BAG._repr_html_().startswith('<section class="likelier">\n<style>')
    assert BAG.to_html() in BAG._repr_html_()


def test_a_cell_can_have_a_form_of_its_own_for_each_kind_of_page():
    table = Table(("a",), [[Cell("1/2", value=0.5, html="<b>½</b>", latex=r"\tfrac12", attributes='class="x"')]])
    assert str(table) == "a\n1/2"
    assert '<th scope="row" class="x"><b>½</b></th>' in table.to_html()
    assert r"$\tfrac12$" in table.to_latex()
    assert table.rows() == [{"a": 0.5}]


def test_a_cell_may_take_several_columns():
    rows = [("tokyo", "1/14", "-2.639"), (Cell("(missing: age)", span=2), "0.000")]
    table = Table(("item", Cell("china", span=2)), rows, {2}, flexible=0)
    assert table.lines() == ["item      china", "tokyo     1/14  -2.639", "(missing: age)   0.000"]
    assert '<th scope="col" colspan="2">china</th>' in table.to_html()
    assert r"\multicolumn{2}{l}{china}" in table.to_latex()
    assert table.to_csv().splitlines()[2] == "(missing: age),,0.000"


def test_a_table_without_a_heading_has_none_in_any_form():
    table = Table((), [("accuracy", "90 %"), ("log loss", "0.3")], {1})
    assert str(table).splitlines() == ["accuracy  90 %", "log loss   0.3"]
    assert "<thead>" not in table.to_html()
    assert r"\hline" not in table.to_latex()
    assert table.to_markdown().splitlines()[0] == "|  |  |"


# ---- narrow terminals --------------------------------------------------------------------------------------------


def test_the_last_column_gives_way():
    table = Table(("label", "text"), [("spam", "cheap watches for everybody")])
    assert table.lines(20) == ["label  text", "spam   cheap watche…"]


def test_another_column_gives_way():
    table = Table(("label", "F1"), [("a very long name of a label", "0.5")], {1}, flexible=0)
    assert table.lines(16) == ["label         F1", "a very lon…  0.5"]


def test_of_a_list_whole_entries_are_left_in_as_many_lines_as_there_may_be():
    terms = ["parcel", "carrier", "delivery", "arrived"]
    assert Table(("label", "terms"), [("x", terms)]).lines(28)[1] == "x      parcel, carrier, …"
    assert Table(("label", "terms"), [("x", terms)], height=2).lines(28)[1:] == [
        "x      parcel, carrier,",
        "       delivery, arrived",
    ]


def test_commas_in_a_sentence_are_no_list():
    assert Table(("text",), [("Thank you, but no",)]).lines(14)[1] == "Thank you, bu…"


def test_spare_columns_are_left_out_where_there_is_no_room():
    table = Table(("label", "documents", "terms"), [("x", 3, ["parcel"])], {1}, spare=(1,))
    assert table.lines(80)[0] == "label  documents  terms"
    assert table.lines(40)[0] == "label  terms"


def test_a_limit_cuts_a_column_wherever_it_is():
    assert Table(("label", "n"), [("abcdefgh", 1)], {1}, limits=((0, 6),)).lines()[1] == "abcde…  1"


# ---- text from outside -------------------------------------------------------------------------------------------


class Tags(HTMLParser):
    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


def test_hostile_text_is_harmless_in_every_form():
    table = Table((HOSTILE, "n"), [(HOSTILE, 1)], {1}, caption=HOSTILE)
    assert Tags(table.to_html()).tags <= {"table", "caption", "thead", "tbody", "tr", "th", "td", "bdi"}
    assert "\x1b" not in table.to_text() + table.to_markdown() + table.to_html() + table.to_latex()
    assert len(table.to_markdown().splitlines()) == 3
    assert "<script" not in table.to_markdown().replace(r"\<", "")
    assert r"\end{align*}" not in table.to_latex()
    assert list(csv.reader(io.StringIO(table.to_csv())))[1] == [HOSTILE, "1"]
    assert table.rows() == [{HOSTILE: HOSTILE, "n": 1}]


def test_wide_and_right_to_left_text_stays_in_its_column():
    table = Table(("label", "n"), [("垃圾邮件", 1), ("مزعج", 22), ("spam", 3)], {1})
    assert {width(line) for line in table.lines()} == {12}
    assert clean("مزعج") in str(table)
    assert "<bdi>مزعج</bdi>" in table.to_html()


cells = st.none() | st.integers() | st.floats() | st.fractions() | st.text() | st.booleans() | st.lists(st.text())


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(cells, min_size=n, max_size=n), min_size=1, max_size=4)))
@pytest.mark.parametrize("form", FORMS)
def test_anything_can_be_shown_in_every_form(form, rows):
    names = [f"column {place}" for place in range(len(rows[0]))]
    assert form(Table(names, rows, numbers={0})) is not None


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4), st.integers(30, 60))
def test_no_line_is_longer_than_the_terminal(rows, room):
    table = Table(("a", "b"), rows, limits=((0, 20),))
    assert max(map(width, table.lines(room))) <= room


def test_notes_stand_below_in_every_form_for_people():
    table = Table(("term",), [("wolf",)], notes=("3 more | terms",))
    assert str(table) == "term\nwolf\n3 more | terms"
    assert table.to_markdown().endswith("| wolf |\n\n3 more \\| terms")
    assert '<p class="note">3 more | terms</p>' in table.to_html()
    assert "more" not in table.to_csv()


def test_likeliers_own_words_can_be_other_words_and_those_of_the_data_stay():
    table = Table(
        (own("label"), own("words"), "words"), [("spam", 5, 1), ("words", 6, 2)], {1, 2}, [(own("sum"), 11, 3)]
    )
    named = table.renamed({"label": "Klasse", "words": "Wörter", "sum": "Σ"}, caption="Anzahl")
    assert named.to_csv() == "Klasse,Wörter,words\nspam,5,1\nwords,6,2\nΣ,11,3\n"
    assert named.rows()[2] == {"Klasse": "Σ", "Wörter": 11, "words": 3}
    assert named.caption == "Anzahl"
    assert table.to_csv().startswith("label,words,words (2)\n")


def test_a_table_with_a_picture_shows_both_in_a_notebook():
    table = Table(("a",), [(1,)], draw=lambda: "<svg></svg>")
    assert table.to_svg() == "<svg></svg>"
    assert "<figure><svg></svg></figure>" in table._repr_html_()
    with pytest.raises(LikelierError, match="no picture"):
        Table(("a",), [(1,)]).to_svg()


@pytest.mark.parametrize(("theme", "paper"), [("true", "rgb(255, 255, 255)"), ("false", "rgb(13, 17, 23)")])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_in_a_notebook_table_and_picture_follow_its_theme(browser, theme: str, paper: str, scheme: str) -> None:
    view = train([("a a b", "x"), ("b c", "y")], view="textbook").view()
    shown = f'<body data-jp-theme-light="{theme}">{view.ratio_table("x", "y")._repr_html_()}</body>'
    page = browser.new_page(color_scheme=scheme)
    page.set_content(shown)
    color = "element => getComputedStyle(element)"
    assert page.locator("section").evaluate(f"{color}.backgroundColor") == paper
    assert page.locator("svg > rect").first.evaluate(f"{color}.fill") == paper
    page.close()
