"""What a notebook shows of models, counts, views and selections; evaluations are in tests/evaluate."""

from __future__ import annotations

import subprocess
import sys
import time
from html.parser import HTMLParser
from typing import Any

import pytest

import likelier as lk
from likelier._settings.selection import Selection, TriedSettings

TEXTS = [
    ("Die sieben Zwerge fraßen die sieben Ziegen", "OK"),
    ("Die sieben Ziegen traten die sieben Wölfe", "SPAM"),
    ("Die sieben Wölfe fraßen die sieben Böcke", "OK"),
    ("Die sieben Böcke traten die sieben Zwerge", "OK"),
]
HOSTILE = [
    "<script>alert(1)</script>",
    "</style><img src=x onerror=alert(1)>",
    "\u202eevil\0\x1b[31m",
    " ",
    "x" * 5000,
    "&amp;",
]
TAGS = {
    *("section", "style", "p", "strong", "em", "div", "table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"),
    *("bdi", "span", "small"),
}


class Shown(HTMLParser):
    """The tags of a piece of HTML, its rows as texts, and all of its text."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.rows: list[list[str]] = []
        self.text = ""
        self._in_style = False
        self.feed(source)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        self._in_style = tag == "style"
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._in_style = False

    def handle_data(self, data: str) -> None:
        if not self._in_style:
            self.text += data
            if self.rows and self.rows[-1]:
                self.rows[-1][-1] += data.replace("\n", "")


def shown(thing: Any) -> Shown:
    return Shown(thing._repr_html_())


def model() -> lk.Model:
    return lk.train(TEXTS, analyzer=lk.Analyzer(language="de", stop_words="de", lemmatize=True))


def test_a_model_shows_its_size_its_labels_and_its_settings() -> None:
    found = shown(model())
    assert "Model: 4 documents, 2 labels, 7 terms, 20 tokens" in found.text
    assert found.rows[:3] == [
        ["label", "documents", "share", "tokens", "most telling terms"],
        ["OK", "3", "75.0 %", "15", "bock fressen zwerg"],
        ["SPAM", "1", "25.0 %", "5", "treten wolf ziege"],
    ]
    facts = dict(map(tuple, found.rows[3:6]))
    assert facts["words"] == "language de, stop-words de, lemmatize"
    assert facts["settings"] == "multinomial, additive:1, fitted prior, unknown words: ignore"
    assert facts["choice"] == model().selection.why


def test_counts_show_their_size_by_label() -> None:
    found = shown(model().counts)
    assert "Counts: 4 documents, 2 labels, 7 terms, 20 tokens" in found.text
    assert found.rows == [
        ["label", "documents", "share", "tokens"],
        ["OK", "3", "75.0 %", "15"],
        ["SPAM", "1", "25.0 %", "5"],
    ]


def test_a_view_shows_its_priors_and_what_differs_from_the_textbook() -> None:
    found = shown(model().view(event="bernoulli", alpha=0.5, prior="uniform"))
    assert found.rows[0][2] == "prior"
    assert [row[:3] for row in found.rows[1:3]] == [["OK", "3", "50.0 %"], ["SPAM", "1", "50.0 %"]]
    assert ["event", "bernoulli", "multinomial"] in found.rows
    assert ["smoothing", "additive:0.5", "additive:1"] in found.rows
    assert ["prior", "uniform", "fitted"] in found.rows
    assert ["unknown", "ignore", ""] in found.rows
    assert ["event", "multinomial"] in shown(model().textbook()).rows


def test_a_table_of_columns_shows_values_and_columns() -> None:
    rows = [({"channel": "mail", "days": 31}, "billing"), ({"channel": "chat", "days": 4}, "delivery")]
    found = shown(lk.train(rows, categorical=["channel"], numeric=["days"]))
    assert "Model: 2 documents, 2 labels, 2 columns" in found.text
    assert found.rows[0] == ["label", "documents", "share", "most telling values"]
    assert "channel mail" in found.rows[1][-1]
    assert ["columns", "channel categorical; days numeric"] in found.rows


def test_a_selection_shows_what_was_tried() -> None:
    tried = tuple(TriedSettings(f"settings {place}", 0.9 - place / 100, None, 100, place == 0) for place in range(14))
    selection = Selection("the <best>", 100, 100, tried, note="copies")
    found = shown(selection)
    assert found.rows[:2] == [
        ["", "accuracy", "log loss", "documents", "settings"],
        ["→", "90.00 %", "", "100", "settings 0"],
    ]
    assert len(found.rows) == 11
    for words in ("... and 4 more", "the <best>", "copies"):
        assert words in found.text
    assert shown(Selection("nothing to choose", 3)).rows == []


# ---- what may be odd ---------------------------------------------------------------------------------------------


def test_what_is_empty_says_so() -> None:
    assert "It has learned nothing yet" in shown(lk.Model()).text
    assert "Counts: 0 documents" in shown(lk.Model().counts).text
    assert "It has learned nothing yet" in shown(lk.Model().view()).text


def test_counts_that_the_stored_view_cannot_read_are_shown_all_the_same() -> None:
    found = shown(lk.Counts.from_table({"happy": {"pos": 2, "neg": 1}}).model())
    assert ["pos", "0", "", "2"] in found.rows
    assert any(row[0] == "note" for row in found.rows)


def test_text_from_outside_never_becomes_markup() -> None:
    table = {f"<b>{term}": {label: 5} for term, label in zip(HOSTILE, HOSTILE, strict=True)}
    model = lk.Counts.from_table(table, documents=dict.fromkeys(HOSTILE, 1)).model()
    for thing in (model, model.counts, model.view()):
        source = thing._repr_html_()
        found = Shown(source)
        assert found.tags <= TAGS  # among them neither b nor script
        assert "<script>alert(1)</script>" in found.text
        assert not set(source) & set(map(chr, [*range(9), *range(11, 32)]))
        assert len(source) < 40_000


def test_many_labels_are_cut_and_quick() -> None:
    model = lk.Model()
    model.learn_many([(f"word{place} word{place % 77}", f"label {place}") for place in range(10_000)])
    for thing in (model, model.counts, model.view()):
        start = time.perf_counter()
        found = shown(thing)
        assert time.perf_counter() - start < 5  # some tenths of a second
        assert sum(row[0].startswith("label ") for row in found.rows) == 20
        assert "... and 9,980 more labels" in found.text


@pytest.mark.parametrize("module", ["likelier._model.in_words", "likelier._counts.in_words"])
def test_importing_likelier_does_not_import_what_is_for_notebooks(module: str) -> None:
    code = f"import sys, likelier; sys.exit({module!r} in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
