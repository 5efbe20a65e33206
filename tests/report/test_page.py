"""The page as a text: whole, safe, the same for the same evaluation."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

import likelier as lk
from likelier._answer.calibration import NoCalibration
from likelier._evaluate.report import TriedRow
from likelier._evaluate.report.page import report
from likelier._evaluate.run import evaluate
from report.examples import (
    EXAMPLES,
    HOSTILE,
    LANGUAGES,
    calibrated,
    columns,
    hostile,
    many_labels,
    nothing_decided,
    one_label,
    page_of,
    perfect,
    shop,
    two_labels,
    weighted,
)

VOID = {"meta", "link"}
CLOSED_IN_SVG = {"path", "rect", "circle"}


class Page(HTMLParser):
    """A strict reader: every tag is closed, in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.apart: list[bool] = []  # whether text there cannot turn the direction of what follows
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text_in: list[tuple[str, str]] = []  # tag and text
        self.feed(source)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), (tag, attrs)
        self.seen.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
            self.apart.append(any(self.apart[-1:]) or "dir" in names or tag in ("bdi", "th", "td", "title"))

    def handle_startendtag(self, tag, attrs):
        assert tag in CLOSED_IN_SVG
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag
        self.apart.pop()

    def handle_data(self, data):
        if data.strip():
            self.text_in.append((self.open[-1] if self.open else "", data))
            assert "\u202e" not in data or self.apart[-1], data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.seen if name == tag]

    def values(self, name: str) -> list[str]:
        return [value or "" for _, attributes in self.seen for key, value in attributes.items() if key == name]


def words(page: str, tag: str) -> list[str]:
    """The text of each such element, without tags."""
    found = re.findall(rf"<{tag}[ >].*?</{tag}>", page, flags=re.DOTALL)
    return [re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", each)).strip() for each in found]


def without_explanations(page: str) -> str:
    return re.sub(r'<section class="likelier">.*?</section>', "", page, flags=re.DOTALL)


def headline(page: str) -> str:
    found = re.search(r'<p class="headline">(.*?)</p>', page)
    assert found
    return re.sub(r"<[^>]*>", "", found[1]).replace("\u00a0", " ")


# ---- form --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_tag_is_closed_in_order(example):
    Page(page_of(example))


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_id_stands_once_and_links_lead_to_ids(example):
    page = Page(page_of(example))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    linked = [value[1:] for value in page.values("href") if value.startswith("#")]
    linked += [name for value in page.values("aria-labelledby") for name in value.split()]
    assert set(linked) <= set(ids)


@pytest.mark.parametrize("example", EXAMPLES)
def test_nothing_is_loaded_from_outside(example):
    source = page_of(example)
    page = Page(source)
    assert {"script", "img", "iframe", "object", "embed", "base", "form", "input"}.isdisjoint(
        tag for tag, _ in page.seen
    )
    assert all(value.startswith("#") or value == "data:," for value in page.values("href"))
    assert page.values("src") == page.values("srcset") == page.values("action") == []
    styles = " ".join([*page.values("style"), *(text for tag, text in page.text_in if tag == "style")])
    assert "url(" not in styles
    assert "@import" not in styles
    assert "://" not in source


@pytest.mark.parametrize("example", EXAMPLES)
def test_no_attribute_is_a_script(example):
    assert not [name for _, attributes in Page(page_of(example)).seen for name in attributes if name.startswith("on")]


def test_the_page_forbids_itself_to_load_or_run_anything():
    policies = [each for each in Page(page_of(shop)).all("meta") if each.get("http-equiv") == "Content-Security-Policy"]
    assert policies[0]["content"].startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_table_of_the_report_has_a_caption_and_a_frame_that_the_keyboard_reaches(example):
    source = without_explanations(page_of(example))
    tables = source.count("<table")
    assert tables == source.count("<caption>") == source.count('role="group" aria-label=')
    assert tables == source.count('tabindex="0"')


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_row_has_a_cell_for_every_column(example):
    source = without_explanations(page_of(example))
    for table in re.findall(r"<table.*?</table>", source, flags=re.DOTALL):
        rows = re.findall(r"<tr>(.*?)</tr>", table, flags=re.DOTALL)
        assert len({len(re.findall(r"<t[hd][ >]", row)) for row in rows}) == 1


@pytest.mark.parametrize("example", EXAMPLES)
def test_there_is_no_number_that_is_none(example):
    shown = [text for tag, text in Page(page_of(example)).text_in if tag not in ("style", "bdi")]
    assert not [text for text in shown if re.search(r"\bnan\b|\binf\b|None", text)]


# ---- what comes from outside -------------------------------------------------------------------------------------


def hostile_page() -> str:
    tried = [(HOSTILE, HOSTILE, True)]
    return report(hostile(), title=HOSTILE, tried=tried, tried_by=HOSTILE, date=HOSTILE)


def test_what_looks_like_html_is_text():
    source = hostile_page()
    Page(source)
    assert "<script" not in source
    assert "<img" not in source
    assert source.count("&lt;script&gt;alert(1)&lt;/script&gt;") > 10


def test_names_of_columns_are_text_too():
    source = page_of(columns)
    assert "<b>class" not in source
    assert "<bdi>column &lt;b&gt;class</bdi>" in source


def test_control_characters_are_replaced():
    text = "".join(text for tag, text in Page(report(two_labels(), title=HOSTILE)).text_in if tag == "h1")
    assert "\ufffd[31m\ufffd\ufffd\ufffd" in text


def test_a_lone_surrogate_in_a_title_can_be_written():
    assert "a\ufffdb" in report(two_labels(), title="a\ud800b").encode("utf-8").decode("utf-8")


def test_a_change_of_the_writing_direction_ends_with_what_has_it():
    Page(hostile_page())
    assert hostile_page().count("\u202e") > 10  # the reader looks where each stands


def test_long_labels_are_cut():
    source = without_explanations(page_of(hostile))
    shown = [text for tag, text in Page(source).text_in if tag == "bdi" and text.startswith("long")]
    assert set(shown) == {"long long long long long long long long long lo…"}


def test_long_texts_are_cut_and_colored_as_in_the_whole():
    learned = [("good good", "pos"), ("bad bad", "neg"), ("bad good", "neg")]
    evaluation = evaluate(lk.train(learned).view(), [("bad " + "good " * 2000, "neg")], method="held-out")
    (mistake,) = evaluation.mistakes()
    whole, page = mistake.explanation.to_html(), report(evaluation, title="")
    words = re.findall(r"<span [^>]*>(?:good|bad)</span>", whole)
    assert len(words) == 2001
    assert re.findall(r"<span [^>]*>(?:good|bad)</span>", page) == words[:400]  # 4 + 399 * 5 = 1999 characters


# ---- the same evaluation -----------------------------------------------------------------------------------------


def test_the_same_evaluation_gives_the_same_bytes():
    documents = [("a b", "ham"), ("a c", "ham"), ("x y", "spam"), ("x a", "spam"), ("b c", "spam")]
    pages = {report(evaluate(lk.train(documents).view(), documents), title="t", date="d") for _ in range(2)}
    assert len(pages) == 1


def test_it_does_not_depend_on_the_hashes_of_texts():
    program = "import sys; sys.path.insert(0, 'tests'); from report.examples import *; print(page_of(shop))"
    pages = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            encoding="utf-8",
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONUTF8": "1"},
            cwd=os.path.dirname(os.path.dirname(os.path.dirname(__file__))),
        ).stdout
        for seed in ("1", "2")
    }
    assert len(pages) == 1


def test_without_a_date_there_is_none():
    assert "<p>Evaluation. Made with likelier" in report(shop(), title="t")


# ---- what it says ------------------------------------------------------------------------------------------------


def test_the_verdict_is_one_sentence():
    # 5 of 6, Wilson's interval; 4 of 6 are ham
    assert headline(page_of(two_labels)) == (
        "83.3 % of 6 documents get the right label (43.6 to 97.0); always saying ham would be right for 66.7 %."
    )


def test_a_model_that_is_worse_than_always_the_same_label_is_told_so():
    assert headline(page_of(weighted)).endswith("would be right for 70.0 %, which is better.")  # 3.5 of 5


def test_weighted_documents_are_named_so():
    assert headline(page_of(weighted)).startswith("20.0 % of 5 documents (by weight) get")


def test_the_most_frequent_mistake_is_named():
    assert "The most frequent mistake: spam is taken for ham (1 document)." in words(page_of(two_labels), "p")[2]


def test_the_confusion_matrix_has_every_label_and_the_sums():
    rows = words(page_of(two_labels).split('id="confusion"')[1].split("</section>")[0], "tr")
    assert rows[1].replace("\u00a0", " ") == "ham4100 %04"
    assert rows[2].replace("\u00a0", " ") == "spam150.0 %150.0 %2"


def test_documents_without_a_label_and_labels_not_seen_in_training_have_a_place_in_the_matrix():
    grid = page_of(nothing_decided).split('id="confusion"')[1].split("</section>")[0]
    assert "<em>no label</em>" in grid
    (unseen,) = re.findall(r"<tr><th scope=\"row\"><em>label not seen in training</em>.*</tr>", grid)
    assert 'class="n against"' in unseen
    assert 'class="n for"' not in unseen


def test_where_there_are_many_labels_the_most_frequent_mistakes_are_listed():
    confusion = page_of(many_labels).split('id="confusion"')[1].split("</section>")[0]
    assert "true ↓" not in confusion
    assert "language" in confusion
    assert f"{LANGUAGES} labels; here are" in confusion


def test_where_there_are_many_labels_each_has_its_row_of_precision_and_recall():
    table = page_of(many_labels).split('id="labels"')[1].split("</section>")[0]
    assert table.count('<th scope="row">') == LANGUAGES + 3  # and three averages
    assert 'class="wide tall"' in table


def test_the_page_of_many_labels_stays_small():
    assert len(page_of(many_labels)) < 400_000


def test_both_reliability_diagrams_are_shown_where_the_view_is_calibrated():
    captions = words(page_of(calibrated), "figcaption")
    assert captions == ["Before calibration", "After calibration", "Precision-recall", "ROC"]


def test_what_was_before_calibration_can_be_given_as_figures_or_as_an_evaluation():
    before = calibrated().under(calibration=NoCalibration())
    pages = {report(calibrated(), title="t", before=given) for given in (None, before, before.figures)}
    assert len(pages) == 1


def test_without_calibration_there_is_one_diagram():
    assert words(page_of(shop), "figcaption") == ["Reliability diagram", "Precision-recall", "ROC"]


def test_an_explanation_says_the_calibrated_probability_that_was_judged():
    (worst, *_) = calibrated().mistakes(1)
    first = page_of(calibrated).split('id="mistake-1"')[1].split("</p>")[0]
    assert f"probability {worst.verdict.probability:.4f}" in first


def test_the_terms_of_each_label_are_those_of_the_view():
    terms = page_of(shop).split('id="terms"')[1].split("</section>")[0]
    for label in shop().labels:
        assert f"<bdi>{shop().view.top_terms(label, 1)[0].term}</bdi>" in terms


def test_mistakes_have_their_explanations_and_share_one_style():
    source = page_of(shop)
    assert source.count('<section class="likelier">') == 10
    assert source.count("<style>") == 1


def test_settings_that_were_tried_are_listed_and_the_chosen_one_is_marked():
    given = [TriedRow("alpha 1", 0.5), TriedRow("alpha 0.1", "0.4 (sampled)", chosen=True)]
    rows = words(report(two_labels(), title="t", tried=given).split('id="tried"')[1].split("</section>")[0], "tr")
    assert rows[1:] == ["alpha 10.5000", "alpha 0.10.4 (sampled)chosen"]


def test_how_it_was_judged_the_settings_and_the_version_are_told():
    facts = " ".join(words(page_of(calibrated).split('id="facts"')[1], "tr"))
    assert "leave-one-out: each document judged by the counts without it" in facts
    assert "additive (alpha 1)" in facts
    assert "temperature (value 3, power 1)no calibration" in facts  # and what the textbook has
    assert "2026-03-01" in facts
    assert f"likelier {lk.__version__}" in facts


# ---- parts that are empty ----------------------------------------------------------------------------------------


def test_without_mistakes_the_page_says_so():
    source = page_of(perfect)
    assert "<p>There is no document with a wrong label.</p>" in source
    assert "<p>No verdict is another label with 90&nbsp;% or more.</p>" in source


def test_with_one_label_there_are_no_curves_and_no_terms():
    names = [each.get("id") for each in Page(page_of(one_label)).all("section")]
    assert "curves" not in names
    assert "terms" not in names


def test_what_was_not_tried_is_not_shown():
    assert 'id="tried"' not in report(two_labels(), title="t")


def test_where_nothing_is_decided_the_page_says_so():
    text = " ".join(words(page_of(nothing_decided), "p")).replace("\u00a0", " ")
    assert "0 % of 3 documents get the right label" in text
    assert "100 % of the documents get no label. 33.3 % have a label that was not seen in training." in text
