"""`likelier tables`: the tables of a lecture from a model or a file."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.conftest import Run

MAILS = """\
text,label
Die sieben Zwerge fraßen die sieben Ziegen,OK
Die sieben Ziegen traten die sieben Wölfe,SPAM
Die sieben Wölfe fraßen die sieben Böcke,OK
Die sieben Böcke traten die sieben Zwerge,OK
"""
GERMAN = ("--language", "de", "--stop-words", "de", "--lemmatize")


@pytest.fixture
def mails(here: Path) -> str:
    (here / "mails.csv").write_text(MAILS, encoding="utf-8")
    return "mails.csv"


def test_the_bag_of_words_of_a_file(run: Run, mails: str) -> None:
    assert run("tables", mails, "bag", *GERMAN, "-q").stdout.splitlines() == [
        "document  sieben  zwerg  fressen  ziege  treten  wolf  bock  label",
        "D1             2      1        1      1       0     0     0  OK",
        "D2             2      0        0      1       1     1     0  SPAM",
        "D3             2      0        1      0       0     1     1  OK",
        "D4             2      1        0      0       1     0     1  OK",
    ]
    assert "D1             1" in run("tables", mails, "bag", *GERMAN, "--presence").stdout


def test_counts_likelihoods_priors_ratios_and_the_analysis_of_a_file(run: Run, mails: str) -> None:
    assert "OK          6" in run("tables", mails, *GERMAN).stdout
    likelihoods = run("tables", mails, "likelihoods", *GERMAN, "--before", "--form", "steps", "--digits", "3").stdout
    assert "6/15 = 0.4  (6+1)/(15+7) = 7/22 ≈ 0.318" in likelihoods
    assert "3/4 = 0.75" in run("tables", mails, "priors").stdout
    ratios = run("tables", mails, "ratios", *GERMAN, "--of", "SPAM", "--of", "OK", "--order", "first").stdout
    assert ratios.splitlines()[0].split() == ["term", "P(t|SPAM)", "P(t|OK)", "ratio", "log", "ratio"]
    assert (
        "lemmas              sieben, zwerg, fressen, sieben, ziege" in run("tables", mails, "analysis", *GERMAN).stdout
    )


def test_the_view_of_a_model_or_of_the_textbook_can_be_changed(run: Run, mails: str) -> None:
    assert "UNK" in run("tables", mails, "counts", *GERMAN, "--unknown", "unk").stdout
    assert len(run("tables", mails, "counts", *GERMAN, "--rows", "term", "--all").stdout.splitlines()) == 11
    assert "P(t=0|OK)" in run("tables", mails, "likelihoods", *GERMAN, "--event", "bernoulli").stdout
    assert (
        run("tables", "shop.likelier", "counts", "--most", "3", "--of", "spam").stdout.splitlines()[1].split()[0]
        == "spam"
    )


def test_a_table_that_is_too_wide_has_a_row_for_each_term(run: Run) -> None:
    found = run("tables", "shop.likelier", "likelihoods", "--of", "spam", "--of", "praise", "--most", "12").stdout
    assert found.splitlines()[0].split() == ["term", "P(t|spam)", "P(t|praise)"]
    wide = run("tables", "shop.likelier", "likelihoods", "--most", "12", "--rows", "label").stdout
    assert wide.splitlines()[0].split()[0] == "label"


def test_the_name_of_the_output_file_sets_the_format(run: Run, mails: str, here: Path) -> None:
    for ending in ("txt", "md", "html", "tex", "csv", "json", "svg"):
        assert run("tables", mails, "ratios", *GERMAN, "-o", f"ratios.{ending}").exit_code == 0
    made = {path.suffix: path.read_text(encoding="utf-8") for path in here.glob("ratios.*")}
    assert made[".md"].startswith("| term | P(t\\|OK) |")
    assert made[".html"].startswith("<!doctype html>")
    assert made[".tex"].startswith(r"\begin{tabular}")
    assert made[".csv"].startswith("term,P(t|OK),P(t|SPAM),ratio,log ratio\n")
    assert json.loads(made[".json"])[-1]["ratio"] == 3.0
    assert ElementTree.fromstring(made[".svg"]).tag.endswith("svg")
    assert run("tables", mails, "ratios", "--document").stdout.startswith("%")


def test_other_words_and_a_caption(run: Run, mails: str) -> None:
    found = run("tables", mails, *GERMAN, "--rename", "label=Klasse", "--rename", "sum=Summe", "--format", "csv").stdout
    assert found.splitlines()[0].startswith("Klasse,sieben")
    assert found.splitlines()[-1].startswith("Summe,8")
    assert "<caption>Mails</caption>" in run("tables", mails, "--caption", "Mails", "--format", "html").stdout


def test_columns_of_a_table(run: Run, here: Path) -> None:
    assert "mean" in run("tables", "tickets.csv", "likelihoods", "--label", "team").stdout
    assert "p(9|c)" in run("tables", "tickets.likelier", "likelihoods", "--column", "days", "--asked", "9").stdout
    joint = ("tables", "tickets.csv", "joint", "--label", "team", "--pair", "channel", "member")
    assert "by the product" in run(*joint, "--asked", "phone", "--asked", "yes").stdout
    rows = "label,x1,x2\n" + "0,0,1\n0,1,0\n1,1,1\n1,0,0\n"
    (here / "pairs.csv").write_text(rows, encoding="utf-8")
    ones = run("tables", "pairs.csv", "joint", "--pair", "x1", "x2", "--asked", "1", "--asked", "1")
    assert "by the joint: 1" in ones.stdout


REFUSED = [
    (("shop.likelier", "bag"), "bag is a table of documents"),
    (("shop.likelier", "ratios"), "ratios compares two labels, got 6"),
    (("shop.likelier", "ratios", "--of", "spam"), "ratios compares two labels, got 1"),
    (("shop.likelier", "counts", "--of", "Spam"), "Spam"),
    (("shop.likelier", "counts", "--term", "nonsense"), "not in the vocabulary"),
    (("shop.likelier", "counts", "--before"), "--before has no meaning for counts"),
    (("shop.likelier", "counts", "--order", "ratio"), "--order ratio has no meaning"),
    (("shop.likelier", "counts", "--column", "age"), "columns here are"),
    (("shop.likelier", "priors", "--rename", "label"), "--rename takes WORD=WORD"),
    (("shop.likelier", "counts", "--document", "--format", "csv"), "--document makes a LaTeX document"),
    (("shop.likelier", "counts", "-o", "counts.pdf"), "must end with"),
    (("shop.likelier", "counts", "-o", "shop2.likelier"), "a likelier model"),
    (("shop.likelier", "counts", "-o", "c.svg"), "no picture"),
    (("tickets.csv", "joint", "--label", "team"), "joint needs two columns"),
    (("tickets.csv", "joint", "--label", "team", "--pair", "channel", "member", "--asked", "x"), "a value of each"),
    (("tickets.likelier", "likelihoods", "--column", "days", "--asked", "nine"), "--asked takes one number"),
    (("tickets.csv", "bag", "--label", "team", "--text", "subject", "--order", "frequent"), "first or sorted"),
    (("nowhere.csv",), "no file or folder"),
]


@pytest.mark.parametrize(("arguments", "message"), REFUSED)
def test_wrong_use_is_refused_with_a_hint(run: Run, arguments: tuple[str, ...], message: str) -> None:
    found = run("tables", *arguments)
    assert found.exit_code == 2
    assert message in found.stderr
    assert "hint:" in found.stderr
    assert "Traceback" not in found.stderr
