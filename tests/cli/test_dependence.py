"""`likelier dependence`: the table and the JSON are the library's, and bad input is refused in one line."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import likelier as lk

TICKETS = ("dependence", "tickets.csv", "--label", "team")


def test_the_table_is_that_of_the_library(run):
    result = run(*TICKETS)
    assert result.exit_code == 0
    assert result.stdout == f"{lk.dependence('tickets.csv', label='team')}\n"
    assert "columns (guessed)" in result.stderr


def test_json_has_the_figures_of_the_library(run):
    found = json.loads(run(*TICKETS, "--json", "--quiet").stdout)
    assert found == json.loads(json.dumps(lk.dependence("tickets.csv", label="team").to_dict()))


def test_most_and_terms_limit_the_pairs(run):
    def pairs(*options: str) -> list[dict[str, object]]:
        return list(json.loads(run("dependence", "messages.tsv", "--json", *options).stdout)["pairs"])

    assert len(pairs("--most", "3")) == 3
    assert len(pairs("--terms", "2")) <= 1


def test_options_for_columns_words_and_views_hold(run):
    options = ["--text", "subject", "--stop-words", "en", "--bind", "channel", "member", "--alpha", "0.5", "--json"]
    found = json.loads(run(*TICKETS, "--categorical", "channel", "--binary", "member", *options).stdout)
    model = lk.train(
        "tickets.csv",
        label="team",
        text=["subject"],
        categorical=["channel"],
        binary=["member"],
        bind=[("channel", "member")],
        analyzer=lk.Analyzer(stop_words="en"),
    )
    expected = lk.dependence(model.view(alpha=0.5), "tickets.csv", label="team")
    assert found == json.loads(json.dumps(expected.to_dict()))


def test_a_weighting_is_counted_and_words_are_not_tried_under_it(run):
    found = json.loads(run("dependence", "messages.tsv", "--weighting", "log", "--most", "2", "--json").stdout)
    assert {pair["trials"]["as_one"] for pair in found["pairs"]} == {None}


def test_a_file_with_one_label_is_looked_at_all_the_same(run):
    Path("one.csv").write_text("label,a,b\n" + "x,red,big\nx,blue,small\n" * 40)
    result = run("dependence", "one.csv")
    assert result.exit_code == 0
    assert "a + b" in result.stdout


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("", (), "there is nothing to read in bad.csv"),
        ("label,a,b\n", ("--categorical", "a", "--categorical", "b"), "at least one document"),
        ("label,a,b\nx,1\n", ("--categorical", "a"), "bad.csv line 2"),
        ("label,a,b\nx,1,2\n", ("--label", "nothing"), "got 'nothing'"),
        ("label,a,b\nx,1,2\n", ("--most", "0"), "--most"),
        ("label,a,b\nx,1,2\n", ("--terms", "1"), "--terms"),
    ],
)
def test_bad_input_is_refused(run, content, options, said):
    Path("bad.csv").write_text(content)
    result = run("dependence", "bad.csv", *options)
    assert result.exit_code == 2
    assert said in result.stderr
    assert not result.stdout


def test_standard_input_cannot_be_read_twice(run):
    result = run("dependence", "-", given=b"label,a,b\nx,1,2\n")
    assert result.exit_code == 2
    assert "which standard input does not allow" in result.stderr


def test_ctrl_c_stops_it(here):
    Path("many.csv").write_text("label,text\n" + "a,one two three four\nb,five six seven eight\n" * 500_000)
    with subprocess.Popen(
        [sys.executable, "-m", "likelier", "dependence", "many.csv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stderr is not None
        assert running.stderr.readline().startswith(b"text column")  # it has read the file once
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert (running.returncode, out) == (130, b"")
    assert err.endswith(b"interrupted\n")
