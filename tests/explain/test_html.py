"""The piece of HTML."""

from __future__ import annotations

import math
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given

import likelier as lk
from explain.examples import (
    EXAMPLES,
    china,
    explanations,
    hostile,
    impossible_for_all,
    impossible_for_one,
    long_text,
    many_labels,
    one_label,
    overlapping,
    right_to_left,
    six_labels,
)
from likelier._explain.html import render

VOID = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """A strict reader: every tag is closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.cells: list[list[str]] = []  # of each table row
        self.text_of: dict[str, str] = {}  # class → text within
        self.stack: list[str] = []
        self.feed(source)
        self.close()
        assert self.open == [], self.open

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        assert tag not in VOID
        self.open.append(tag)
        self.stack.append(attributes.get("class") or "")
        self.seen.append((tag, attributes))
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.stack.pop()

    def handle_data(self, data):
        for name in filter(None, self.stack):
            self.text_of[name] = self.text_of.get(name, "") + data
        if "td" in self.open or "th" in self.open:
            self.cells[-1][-1] += data

    def classes(self, tag: str) -> list[str]:
        return [attributes.get("class") or "" for name, attributes in self.seen if name == tag]


@pytest.mark.parametrize("example", EXAMPLES)
def test_it_is_one_section_that_needs_nothing_from_outside(example):
    html = render(example())
    page = Page(html)
    assert page.seen[0] == ("section", {"class": "likelier"})
    assert {"script", "img", "link", "iframe", "a"}.isdisjoint(tag for tag, _ in page.seen)
    if example is not hostile:
        assert not re.search(r"http|src=|@import|url\(|<script", html)


@pytest.mark.parametrize("example", EXAMPLES)
def test_the_text_is_there_whole(example):
    explanation = example()
    text = "".join(
        "\ufffd" if character < " " and character not in "\t\n" else character for character in explanation.text
    )
    assert Page(render(explanation)).text_of["text"] == text


@given(explanations())
def test_every_view_can_be_shown(explanation):
    html = render(explanation)
    Page(html)
    assert not re.search(r"\bnan\b|\binf\b", html)


def test_nothing_that_is_written_in_labels_or_terms_becomes_markup():
    page = Page(render(hostile()))
    allowed = {
        "section",
        "style",
        "p",
        "q",
        "strong",
        "bdi",
        "span",
        "div",
        "table",
        "thead",
        "tbody",
        "tfoot",
        "tr",
        "th",
    }
    assert {tag for tag, _ in page.seen} <= allowed | {"td", "i"}
    assert {name for _, attributes in page.seen for name in attributes} <= {
        "class", "style", "title", "dir", "colspan", "scope",
    }  # fmt: skip
    assert "<script>" in page.text_of["verdict"]


def test_the_contributions_that_are_shown_add_up_to_the_score_that_is_shown():
    rows = [cells for cells in Page(render(six_labels(), full=True)).cells if len(cells) == 8]
    *body, total = [[float(cells[place]) for place in (4, 6, 7)] for cells in rows]
    assert len(body) == 11
    for column in range(3):
        assert math.fsum(row[column] for row in body) == pytest.approx(total[column], abs=0.006)


def test_words_are_marked_by_what_they_say():
    marks = re.findall(r'<span class="(\w+)" style="--w:([\d.]+)" title="(\w+) ', render(six_labels()))
    found = {word: (kind, float(strength)) for kind, strength, word in marks}
    assert found["parcel"] == ("for", 1.0)
    assert found["invoice"][0] == "against"
    assert 0 < found["arrived"][1] < found["parcel"][1]


def test_each_occurrence_carries_its_share():
    # chinese, three times: 3 (log 3/7 - log 2/9) = 1.970, so each 0.657; tokyo: log 1/14 - log 2/9 = -1.135
    marks = re.findall(r'style="--w:([\d.]+)" title="(\w+) ', render(china("Chinese Chinese Chinese Tokyo")))
    assert [(word, float(strength)) for strength, word in marks] == [
        ("chinese", 0.58), ("chinese", 0.58), ("chinese", 0.58), ("tokyo", 1.0),
    ]  # fmt: skip


def test_a_stretch_under_several_terms_has_their_sum():
    titles = re.findall(r'title="([^"]*)">(\w+)</span>', render(overlapping()))
    tokyo = next(title for title, word in titles if word == "Tokyo")
    assert "tokyo (2×)" in tokyo
    assert "chinese tokyo: unknown" in tokyo
    assert tokyo.count("&#10;") >= 3


def test_a_title_has_the_numbers():
    assert 'title="tokyo (1×): china -2.639, japan -1.504, difference -1.135"' in render(china())


def test_unknown_words_are_marked_and_do_not_look_like_words_that_say_nothing():
    html = render(china("Tokyo Berlin"))
    assert '<span class="unknown" title="berlin: unknown">Berlin</span>' in html


def test_an_unknown_word_that_counts_is_both_unknown_and_for_or_against():
    html = render(china("Chinese Berlin", unknown="smooth"))
    assert re.search(r'<span class="against unknown" style="--w:[\d.]+" title="berlin: unknown">', html)


def test_color_is_not_the_only_sign():
    style = render(china())
    assert "wavy" in style
    assert "dotted" in style
    assert "repeating-linear-gradient" in style


def test_dark_screens_and_print_have_colors_of_their_own():
    html = render(china())
    assert "prefers-color-scheme: dark" in html
    assert "@media print" in html


def test_every_rule_stays_within_the_section():
    style = re.search(r"<style>(.*?)</style>", render(china()), re.DOTALL)
    selectors = re.findall(r"([^{}]+)\{", style[1])
    for selector in selectors:
        for part in selector.split(","):
            in_theme = re.sub(r"^\[data-jp-theme-light=\"\w+\"\] ", "", part.strip())  # a notebook's
            assert in_theme.startswith((".likelier", "@media")), part


def test_right_to_left_text_has_its_direction():
    html = render(right_to_left())
    assert '<p class="text" dir="auto">' in html
    assert "<bdi>مزعج</bdi>, probability" in html


def test_a_probability_of_zero_is_called_impossible():
    page = Page(render(impossible_for_one(), full=True))
    (tokyo,) = [cells for cells in page.cells if cells[0] == "tokyo"]
    assert tokyo[2:8] == ["1", "1 / 3", "-1.099", "0 / 8 = 0", "impossible", "+∞"]


def test_where_every_label_is_impossible_it_says_why():
    html = render(impossible_for_all())
    assert "<strong>no label</strong>" in html
    assert "every label has probability 0" in html


def test_with_one_label_there_is_nothing_to_compare():
    html = render(one_label())
    assert "difference" not in html
    assert "bar" not in Page(html).classes("td")


def test_many_labels_are_listed_with_their_probabilities():
    page = Page(render(many_labels()))
    assert ["3", "-11.083", "0.0385"] in page.cells
    assert ["49", "-11.776", "0.0192"] in page.cells


def test_a_long_label_is_cut_and_whole_where_the_pointer_rests_on_it():
    label = "the longest of all labels, " * 4
    html = render(lk.train([("goat", label), ("wolf", "b")]).explain("goat"))
    Page(html)
    assert f'<bdi title="{label.strip()}">the longest of all labels, the longest of all l…</bdi>' in html
    assert html.count(label.strip()) == html.count(f'title="{label.strip()}"') > 1


def test_a_label_of_blanks_is_written_in_quotes():
    assert "<bdi>&#x27; &#x27;</bdi>" in render(lk.train([("goat", " "), ("wolf", "b")]).explain("goat"))


def test_a_text_of_2000_words_stays_a_page():
    html = render(long_text())
    assert len(html) < 400_000
    assert re.search(r"\d+ more, together", html)


def test_control_characters_do_not_reach_the_page():
    html = render(lk.train([("a\x00b", "x\x1b"), ("c", "y")]).explain("a\x00b\x0c"))
    assert not set(html) & (set(map(chr, range(32))) - {"\n", "\t"})
