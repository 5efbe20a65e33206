"""Complete LaTeX documents compile, whatever stands in a table."""

from __future__ import annotations

import random
import sys
from fractions import Fraction

import pytest

from likelier._show.latex import document, text
from likelier._show.table import Table
from typeset import compiled, slow_engines

engines = pytest.mark.parametrize("engine", slow_engines)

HOSTILE = {
    r"\input{secret}": r"\input{secret}",
    r"\end{document}": r"\end{document}",
    r"\write18{touch made}": r"\write18{touch made}",
    r"\csname end\endcsname": r"\csname end\endcsname",
    "^^M ^^5c": "^^M ^^5c",
    "50 % and more": "50 % and more",
    "}{}{": "}{}{",
    "$x$ & #1 ~ _": "$x$ & #1 ~ _",
    "\\": "\\",
    "[0pt]": "[0pt]",
    "*": "*",
    "NUL \0 and \x1b[31m": "NUL and [31m",
    "one\n\ntwo": "one two",
    "-- --- << >> ,, ,,,": "-- --- << >> ,, ,,,",
    "@BODY@ @GLYPHS@": "@BODY@ @GLYPHS@",
}


@engines
def test_hostile_labels_are_shown_as_they_are(engine: str) -> None:
    table = Table(
        ("label", "count"), [(label, 1) for label in HOSTILE], {1}, caption=r"\input{secret} 100 %", notes=("}",)
    )
    page = compiled(table.to_latex(document=True), engine)
    assert len(page.pages) == 1
    for shown in (r"\input{secret} 100 %", *HOSTILE.values()):
        assert " ".join(shown.split()) in page.text


@engines
def test_a_label_at_the_start_of_a_row_is_no_option_of_the_row_before(engine: str) -> None:
    page = compiled(Table(("label",), [("[4em]",), ("*",), ("[x]",)]).to_latex(document=True), engine)
    assert "[4em] * [x]" in page.text


@engines
def test_latin_script_and_the_signs_of_our_own_output(engine: str) -> None:
    words = [
        "Größe",
        "naïve façade",
        "Łódź",
        "čeština",
        "“quoted”",
        "„unten“",
        "«là»",
        "€",
        "·",
        "→",
        "≈",
        "Σ",
        "…",
        "–",
    ]
    table = Table(("word", "P"), [(word, Fraction(3, 7)) for word in words], {1}, foot=[("10⁻⁵ ± 2² × ∞ ≥ ∝", 1)])
    page = compiled(table.to_latex(document=True), engine)
    for word in words:
        assert word in page.text or word in "…Σ·"  # signs of formulas may be other characters there
    assert "likelier Warning" not in page.log
    assert "Missing character" not in page.log


OTHERS = ["не спам", "Ελληνικά", "שלום"]


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["xelatex", "lualatex"])
def test_other_scripts_are_set_where_a_font_has_them(engine: str) -> None:
    body = Table(("label", "term"), [(word, word) for word in OTHERS]).to_latex()
    formula = rf"\begin{{align*}} P(\text{{{text('спам')}}}) &= 1 \end{{align*}}"
    page = compiled(document(f"{body}\n\n{formula}", title="Письма"), engine)
    for word in ("не спам", "Ελληνικά", "P (спам)", "Письма"):
        assert word in page.text.replace("𝑃", "P")
    assert "שלום" in page.text or "םולש" in page.text  # pdftotext may keep the order of the page
    assert "Missing character" not in page.log


def test_pdflatex_shows_a_box_for_other_scripts_and_says_what_to_do() -> None:
    page = compiled(document("до 垃圾 😀 e\u0301", title="спам"), "pdflatex")
    assert "?" in page.text
    assert "é" in page.text
    assert page.log.count("compile with lualatex to see all characters") == 1


@engines
def test_any_characters_compile(engine: str) -> None:
    deal = random.Random(7)
    special = r"\{}$&#_%~^<>|-'`,\"[]*!?@ "
    points = [deal.randrange(sys.maxunicode + 1) for _ in range(300)]
    others = "".join(chr(each) for each in points if engine != "lualatex" or each < 0x3000)
    labels = ["".join(deal.choices(special + others + "abcßé\u0301\u200d\u202e", k=12)) for _ in range(80)]
    table = Table(("label", "count"), [(label, place) for place, label in enumerate(labels)], {1})
    page = compiled(table.to_latex(document=True), engine)
    assert len(page.pages) == 2
    assert all(f" {place}" in page.text for place in range(80))


@engines
def test_wide_and_long_tables_stay_on_the_page(engine: str) -> None:
    wide = Table([f"column {place}" for place in range(60)], [list(range(60))] * 3, set(range(60)))
    assert compiled(wide.to_latex(document=True), engine).too_wide == []
    long = Table(("term", "count"), [(f"term {place}", place) for place in range(130)], {1}, foot=[("sum", 8385)])
    page = compiled(long.to_latex(document=True), engine)
    assert len(page.pages) == 4
    assert [each.split().count("term") for each in page.pages] == [41, 41, 41, 11]  # with the heading on each
    assert ("term 129" in page.pages[3], "8,385" in page.pages[3]) == (True, True)
    tall = document(Table((), [(f"line {place}",) for place in range(90)]).to_latex())
    assert "Overfull \\vbox" not in compiled(tall, engine).log


@engines
def test_an_empty_table_is_a_document_too(engine: str) -> None:
    page = compiled(
        Table(("term", "count"), [], {1}, caption="Nothing yet", notes=("No terms.",)).to_latex(document=True), engine
    )
    assert "Nothing yet term count No terms." in page.text
