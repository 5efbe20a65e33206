"""Explanations of documents with columns, as pages: HTML and LaTeX."""

from __future__ import annotations

import re

import pytest

import likelier as lk
from explain.examples import china
from explain.tables import (
    MAIL,
    TABLES,
    bound,
    constant,
    gaussian,
    hostile_columns,
    impossible_patients,
    mail,
    mail_under_three_models,
    many_columns,
    nothing_known,
    patients,
    weather,
    weather_intervals,
)
from explain.test_html import Page
from explain.test_latex import check_balance

# As HTML


def shown(explanation: lk.Explanation) -> Page:
    return Page(explanation.to_html())


@pytest.mark.parametrize("example", TABLES)
def test_it_is_one_section_that_needs_nothing_from_outside(example):
    page = shown(example())
    assert page.seen[0] == ("section", {"class": "likelier"})
    assert {"script", "img", "link", "iframe", "a"}.isdisjoint(tag for tag, _ in page.seen)


def test_each_text_stands_below_the_name_of_its_column():
    html = mail().to_html()
    assert re.search(r'<p class="column"><bdi>subject</bdi></p>\n<p class="text" dir="auto"><span', html)
    assert shown(mail()).text_of["text"] == "Offer offerBuy the offer, or xyzzy"


def test_values_are_marked_by_what_they_say_on_one_scale_with_the_words():
    marks = re.findall(r'<span class="([a-z ]+)" style="--w:([\d.]+)" title="[^"]*">([\w.]+)</span>', mail().to_html())
    found = {word: (kind, float(strength)) for kind, strength, word in marks}
    assert found["9"] == ("for", 1.0)
    assert found["shop.example"] == ("for", 0.02)
    assert found["the"] == ("against", 0.02)


def test_a_number_has_its_interval():
    html = weather_intervals().to_html()
    assert 'title="temperature below 70: yes -1.099, no -1.386, difference +0.288">66 (below 70)</span>' in html


def test_what_is_unknown_or_missing_is_said():
    html = weather_intervals().to_html()
    assert '<span class="unknown" title="outlook foggy: unknown">foggy</span>' in html
    assert '<p class="note">missing: <bdi>windy</bdi></p>' in html


def test_a_plain_text_has_no_column_name():
    assert 'class="column"' not in china("Tokyo").to_html()


def test_nothing_that_is_written_in_columns_or_values_becomes_markup():
    page = shown(hostile_columns())
    assert {name for _, attributes in page.seen for name in attributes} <= {
        "class", "style", "title", "dir", "colspan", "scope",
    }  # fmt: skip
    assert "<script>" in page.text_of["column"]
    assert "<script>" in page.text_of["values"]
    assert not set(hostile_columns().to_html()) & (set(map(chr, range(32))) - {"\n", "\t"})


def test_the_page_has_the_column_for_times_only_where_it_says_something():
    assert ["item", "", "no", "yes", "diff."] in Page(weather().to_html(full=True)).cells
    assert ["item", "", "times", "spam", "ham", "diff."] in Page(mail().to_html(full=True)).cells
    assert ["item", "spam against ham"] in shown(mail()).cells


# As LaTeX


def test_the_patients_are_derived_like_this():
    assert patients(**{"Nase läuft": None}).to_latex().splitlines()[:10] == [
        r"\noindent $d$ = (Husten=1, Gerötete Haut=0, Fieber=1)\par",
        r"\noindent Missing and left out: Nase läuft.\par",
        r"\begin{align*}",
        r"P(\text{krank} \mid d) &\propto P(\text{krank}) \cdot P(\text{Husten} = 1 \mid \text{krank})"
        r" \cdot P(\text{Gerötete Haut} = 0 \mid \text{krank}) \\",
        r"&\quad \cdot P(\text{Fieber} = 1 \mid \text{krank}) \\",
        r"&= \frac{3}{5} \cdot \frac{2+2 \cdot 0.5}{3+2} \cdot \frac{1+2 \cdot 0.5}{3+2}"
        r" \cdot \frac{1+2 \cdot 0.5}{3+2} \\",
        r"&= \frac{3}{5} \cdot \frac{3}{5} \cdot \frac{2}{5} \cdot \frac{2}{5} \\",
        r"&= 0.6 \cdot 0.6 \cdot 0.4 \cdot 0.4 \\",
        r"&= \frac{36}{625} = 0.0576",
        r"\end{align*}",
    ]


def test_a_density_is_named_written_out_with_its_numbers_and_worked_out_in_decimals():
    assert gaussian().to_latex().splitlines()[1:8] == [
        r"\begin{align*}",
        r"P(\text{a} \mid d) &\propto P(\text{a}) \cdot p(\text{x} = 4 \mid \text{a}) \\",
        r"&\approx \frac{3}{5} \cdot \mathcal{N}(4; 2, 0.667) \\",
        r"&\approx \frac{3}{5} \cdot \frac{1}{\sqrt{2\pi \cdot 0.667}}\, e^{-\frac{(4-2)^{2}}{2 \cdot 0.667}} \\",
        r"&\approx 0.6 \cdot 0.02433 \\",
        r"&\approx 0.0146",
        r"\end{align*}",
    ]


def test_texts_stand_among_the_values():
    source = mail_under_three_models().to_latex()
    assert "subject=(offer, offer), body=(buy, the, offer, or, xyzzy)" in source
    assert r"P(\text{subject: offer} = 1 \mid \text{spam})" in source
    assert r"\frac{1}{P(\text{body: buy} \mid \overline{\text{spam}})}" in source


def test_the_absent_terms_of_columns_have_a_factor_each():
    # subject of spam: four terms in 1 of 2, two in none: (1 - 2/4)^4 (1 - 1/4)^2
    columns = {"subject": {"event": "bernoulli"}, "body": {"event": "complement"}}
    source = mail(MAIL | {"size": None}, columns=columns).to_latex()
    spam = source[source.index(r"P(\text{spam} \mid d) &\propto") :].split(r"\end{align*}")[0]
    assert spam.count("= 0") == 6
    assert spam.count(r"\left(1 - \frac{1+1}{2+2}\right)") == 4
    assert spam.count(r"\left(1 - \frac{0+1}{2+2}\right)") == 2
    both = mail(MAIL | {"size": None}, event="bernoulli").to_latex()
    assert r"P(\text{body: watches} = 0 \mid \text{spam})" in both


def test_an_interval_has_its_name_and_a_bound_column_both():
    assert r"P(\text{temperature below 70} \mid \text{yes})" in weather_intervals().to_latex()
    assert r"P(\text{city \& country} = \text{Bern \& CH} \mid \text{x})" in bound().to_latex()


def test_a_factor_of_zero_makes_the_product_zero():
    assert re.search(r"\\cdot \\frac\{0\}\{2\} \\\\\n&= 0\.4 .*\\\\\n&= 0\n", impossible_patients().to_latex())


def test_many_columns_are_a_sum_of_logarithms():
    source = many_columns().to_latex()
    assert r"\log P(\text{column 1 with a name} = 1 \mid \text{1})" in source
    assert r"\log \frac{2}{4}" in source
    assert "(missing" not in source
    assert "Missing and left out: column 30 with a name, column 31" in source


def test_densities_in_a_sum_of_logarithms_are_written_out():
    rows = [({f"c{place}": place * step for place in range(14)} | {"note": "a"}, f"l{step % 2}") for step in range(6)]
    source = lk.train(rows, numeric=[f"c{place}" for place in range(14)], text=["note"]).explain(rows[0][0]).to_latex()
    assert r"\log p(\text{c7} = 0 \mid \text{l0})" in source
    assert r"\log\left(\frac{1}{\sqrt{2\pi \cdot 131}}\, e^{-\frac{(0-14)^{2}}{2 \cdot 131}}\right)" in source


def test_a_column_that_is_always_the_same_is_left_out_with_its_reason():
    assert "Always the same and left out: x 5." in constant().to_latex()


def test_a_document_without_any_value_leaves_the_prior():
    assert r"\noindent $d$ = ()\par" in nothing_known().to_latex()


@pytest.mark.parametrize("example", TABLES)
def test_braces_and_environments_are_balanced(example):
    check_balance(example().to_latex())
