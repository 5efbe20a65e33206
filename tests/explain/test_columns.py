"""Explanations of documents with columns, in every form."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from explain.examples import WIDTHS, china
from explain.tables import (
    MAIL,
    TABLES,
    constant,
    documents_explained,
    far_out,
    gaussian,
    hostile_columns,
    mail,
    mail_under_three_models,
    mail_with_gaps,
    many_columns,
    one_text,
    patients,
    weather,
    weather_intervals,
    weather_numbers,
)
from explain.test_html import Page
from explain.test_latex import check_balance
from likelier._base.errors import SettingError
from likelier._show.cells import width

# What is shown


def test_the_patients_have_the_joint_probabilities_of_the_lecture():
    # krank: 3/5 * 2/5 * 3/5 * 2/5 * 2/5      gesund: 2/5 * 2/4 * 1/4 * 3/4 * 1/4
    assert patients().joint == {"krank": Fraction(72, 3125), "gesund": Fraction(3, 320)}


def test_the_weather_table_has_the_joint_probabilities_of_the_textbook():
    # no: 5/14 * 3/5 * 1/5 * 4/5 * 3/5        yes: 9/14 * 2/9 * 3/9 * 3/9 * 3/9
    assert weather().joint == {"no": Fraction(18, 875), "yes": Fraction(1, 189)}


def test_a_density_has_no_exact_product_and_the_error_says_what_has():
    with pytest.raises(SettingError, match="'x' is read under a normal distribution") as raised:
        gaussian().joint  # noqa: B018
    assert raised.value.code == "density-not-exact"


def test_a_column_that_is_always_the_same_leaves_the_product_exact():
    assert constant().joint == {"one": Fraction(1, 3), "two": Fraction(1, 6)}


def test_the_document_is_there_as_it_was_read():
    assert mail().document == MAIL
    assert weather_intervals().document == {"outlook": "foggy", "temperature": 66, "humidity": 90, "windy": None}
    assert china("Tokyo").document == {"text": "Tokyo"}


@given(documents_explained())
def test_contributions_add_up_to_the_scores_of_the_verdict(explanation):
    assert explanation.sums == explanation.verdict.log_scores


# In the terminal


def test_the_weather_looks_like_this():
    assert str(weather()).splitlines()[:12] == [
        "no, probability 0.7954",
        'For no: "outlook sunny" is 2.7 times as common in no as in yes; "humidity high"',
        '2.4 times; "windy yes" 1.8 times.',
        "Against no: yes is 1.8 times as frequent as no.",
        "",
        "item                       no against yes",
        "(prior: 35.7 % to 64.3 %)       ▒▒▒▒▒▒▒│              -0.588",
        "outlook sunny                          │████████████  +0.993",
        "humidity high                          │███████████   +0.875",
        "windy yes                              │███████       +0.588",
        "temperature cool                 ▒▒▒▒▒▒│              -0.511",
        "────────────────────────────────────────────────────────────",
    ]


def test_intervals_unknown_values_and_missing_ones_are_named():
    table = weather_intervals().to_text(full=True)
    assert re.search(r"^temperature below 70 +│█* +\(3\+1\)/\(9\+3\)", table, re.MULTILINE)
    assert re.search(r"^\(unknown: outlook fo… +│ +0.000 +0.000 +0.000", table, re.MULTILINE)
    assert "\nunknown: outlook foggy\n" in table
    assert re.search(r"^\(missing: windy\) +│ +0.000 +0.000 +0.000", table, re.MULTILINE)


def test_densities_get_shorter_as_space_does_and_a_line_says_what_they_are():
    tables = {cells: weather_numbers().to_text(width=cells, full=True) for cells in (60, 80, 90, 120)}
    assert "N(66; 74.6, 49.8) = 0.02691" in tables[120]
    assert "N(66;74.6,49.8)  -3.615" in tables[90]
    assert "0.02691  -3.615" in tables[80]
    assert "0.02691" not in tables[60]
    assert "N(x; mean, variance) is the density" in tables[90]
    assert "decimals are densities" in tables[80]
    assert "densit" not in tables[60]
    assert "densit" not in str(weather())


def test_a_density_that_no_float_can_hold_is_not_called_zero():
    assert "<1e-300  -5.000e+297" in far_out().to_text(full=True)


def test_there_is_no_column_for_times_where_all_are_1():
    def heading(explanation):
        return next(line for line in explanation.to_text(full=True).splitlines() if line.startswith("item"))

    assert "times" not in heading(weather())
    assert "times" not in heading(one_text())
    assert "times" in heading(mail())
    assert "times" in heading(china("Tokyo"))


def test_words_are_named_alone_where_there_is_one_text_column():
    assert re.search(r"^offer ", str(one_text()), re.MULTILINE)


def test_words_are_named_with_their_column_where_there_are_several():
    table = mail().to_text(full=True)
    assert re.search(r"^subject: offer +│█* +2 ", table, re.MULTILINE)
    assert re.search(r"^body: offer +▒*│ +1 ", table, re.MULTILINE)
    assert "unknown: body: xyzzy" in table
    assert "(subject: 6 absent terms)" in str(mail_under_three_models())


def test_a_word_that_reads_like_a_value_is_named_with_its_column():
    analyzer = lk.Analyzer(ngrams=2)
    rows = [({"sex": "male", "note": "sex male"}, "x"), ({"sex": "female", "note": "other"}, "y")]
    explanation = lk.train(rows, categorical=["sex"], text=["note"], analyzer=analyzer).explain(rows[0][0])
    names = [item.title for item in explanation.items]
    assert names == ["prior", "sex male", "sex", "note: sex male", "male"]


def test_columns_without_a_value_that_do_not_fit_are_listed_below():
    lines = many_columns().to_text().splitlines()
    rest = " ".join(lines[lines.index("log odds 0: 1 and 2 are equally probable") :])
    assert "missing: column 30 with a name, column 31 with a name" in rest
    assert "column 59 with a name  label" in rest


@pytest.mark.parametrize("cells", WIDTHS)
@pytest.mark.parametrize("example", [table for table in TABLES if table is not hostile_columns])
def test_no_line_is_longer_than_the_terminal(example, cells):
    for full in (False, True):
        assert max(width(line) for line in example().to_text(width=cells, full=full).splitlines()) <= cells


def test_nothing_from_outside_steers_the_terminal():
    assert not set(str(hostile_columns())) & (set(map(chr, range(32))) - {"\n"})


# As plain values


@pytest.mark.parametrize("example", TABLES)
def test_json_gives_back_what_was_put_in(example):
    plain = example().to_dict()
    assert json.loads(json.dumps(plain, allow_nan=False)) == plain


def test_plain_values_have_the_document_and_its_texts():
    plain = mail_with_gaps().to_dict()
    assert plain["document"] == {"subject": None, "body": "buy", "sender": "elsewhere.example", "size": None}
    assert plain["texts"] == {
        "body": {
            "text": "buy",
            "spans": [{"term": "buy", "start": 0, "end": 3}],
            "event": "multinomial",
            "weighting": "count",
            "idf": False,
        }
    }
    assert [(item["kind"], item["column"], item["name"]) for item in plain["items"]] == [
        ("prior", None, "prior"),
        ("term", "body", "buy"),
        ("unknown", "sender", "sender elsewhere.example"),
        ("missing", None, "subject, size"),
    ]


def test_a_density_is_a_number_under_its_own_name():
    item = gaussian().to_dict()["items"][1]
    assert item["labels"][0]["factor"] == {"worked": "N(4; 2, 0.667)", "density": pytest.approx(0.02432608666482073)}


def test_each_text_has_its_own_event():
    texts = mail_under_three_models().to_dict()["texts"]
    assert {column: text["event"] for column, text in texts.items()} == {"subject": "bernoulli", "body": "complement"}


# All of them


@given(documents_explained(), st.sampled_from([20, *WIDTHS, 200]))
def test_every_document_can_be_shown_in_every_form(explanation, cells):
    table, html, source = explanation.to_text(width=cells), explanation.to_html(), explanation.to_latex()
    Page(html)
    check_balance(source)
    json.dumps(explanation.to_dict(), allow_nan=False)
    assert not re.search(r"\bnan\b|\binf\b", table + html + source)
