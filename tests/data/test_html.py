"""HTML to text: what a reader sees, from any input, in linear time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likelier._read.html_text import to_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>one</p><p>two</p>", "one\ntwo"),
        ("a<br>b<BR/>c", "a\nb\nc"),
        ("<tr><td>a</td><td>b</td></tr><tr><td>c", "a b\nc"),
        ("Via<!-- x > y -->gra and Ci<b></b>al<zzz>is", "Viagra and Cialis"),
        ("sau&shy;ber &amp; &uuml;ber &#8364; &nbsp; &lt;b&gt;", "sauber & über € <b>"),
        ("<script>if (a<b) x('<p>')</script>seen<style>p {}</style>", "seen"),
        ("<SCRIPT>hidden</ScRiPt >seen", "seen"),
        ("<head><title>Offer</title><style>x</style></head><body>now", "Offer\nnow"),
        ("<img src=x alt='Click here'>now<img alt=\"\">", "Click here now"),
        ('<a href="x>y" title=it\'s>link</a>', "link"),
        ("if a < b and b <3 c", "if a < b and b <3 c"),
        ("one <a href='never closed", "one <a href='never closed"),
        ("<![if !mso]>kept<![endif]><?xml x?><!doctype html>", "kept"),
        ("one<!-->two<!--->three", "onetwothree"),
        ("one<!-- never closed two", "one"),
        ("  many \n\t  spaces  ", "many spaces"),
        ("", ""),
    ],
)
def test_what_a_reader_sees_is_left(html, text):
    assert to_text(html) == text


def test_a_number_with_thousands_of_digits_is_no_character():
    assert to_text("a&#" + "9" * 10_000 + ";b") == "a\ufffdb"


def test_a_reference_to_half_a_character_gives_valid_unicode():
    assert to_text("&#xD800;&#55357;").encode()


@given(
    st.lists(st.sampled_from(["<", ">", "<!--", "-->", "</", "script", "style", "<p ", "=", '"', "'", "&#", "x", " "]))
)
def test_any_heap_of_markup_gives_text(pieces):
    assert isinstance(to_text("".join(pieces)), str)


NASTY = [
    "<",
    "<a ",
    "<!--",
    "<!",
    "</",
    '<a ="',
    "<a ='\"",
    "<script>",
    "<style",
    "<b> ",
    "&",
    "= ",
    "<img alt='",
    "<a = ",
]


@pytest.mark.parametrize("piece", NASTY)
@pytest.mark.parametrize("end", ["", ">", '"', "'>"])
def test_a_long_heap_of_unclosed_markup_ends_soon(piece, end):
    to_text(piece * 50_000 + end)  # with quadratic time this takes minutes
