"""The demo."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from functools import cache

import pytest

from likelier import train
from likelier._show.cells import width
from likelier.demo import documents, new_messages, run


@cache
def shown(**options: object) -> str:
    out = io.StringIO()
    run(out, **options)
    return out.getvalue()


def test_the_corpus_has_240_messages_and_6_labels():
    assert len(documents()) == 240
    assert len({label for _, label in documents()}) == 6
    assert all(text.strip() for text, _ in documents())
    assert len(new_messages()) == 8


@pytest.mark.parametrize("cells", [60, 80, 120])
def test_it_fits_the_terminal(cells):
    lines = [line for line in shown(width=cells).splitlines() if not line.lstrip().startswith(">>>")]
    assert max(map(width, lines)) <= cells


def test_every_line_of_python_that_it_shows_does_what_it_says():
    names: dict[str, object] = {}
    for line in re.findall(r"^ *>>> (.*)$", shown(), re.MULTILINE):
        if not line.startswith("print("):
            exec(line, names)
    assert names["model"].counts.digest() == names["before"]


def test_each_value_below_a_line_of_python_is_what_that_line_gives():
    names: dict[str, object] = {}
    answers = 0
    for line, answer in re.findall(r"^ *>>> (.*)\n(?: *('\w+'|True|False|\d)\n)?", shown(), re.MULTILINE):
        if answer:
            answers += 1
            assert repr(eval(line, names)) == answer
        elif not line.startswith("print("):
            exec(line, names)
    assert answers == 5


def test_a_correction_changes_the_answer_and_forgetting_changes_it_back():
    last = shown().split("6. Correct it")[1]
    assert re.findall(r"^ *('.*'|True|\d)$", last, re.MULTILINE) == [
        "'billing'",
        "0",
        "'returns'",
        "'billing'",
        "True",
    ]


def test_a_message_has_the_same_verdict_in_every_step_but_that_of_other_settings():
    classified, explained, changed, corrected = (
        step.split("\n", 1)[1] for step in re.split(r"^\d\. ", shown(), flags=re.MULTILINE)[3:7]
    )
    found = re.search(r"^ *7  (\w+) +([\d.]+)", classified, re.MULTILINE)
    assert f"\n{found[1]}, probability {found[2]}\n" in explained
    assert f"   {found[1]} {found[2]} " in changed
    assert f"   '{found[1]}'\n" in corrected


def test_it_says_what_was_chosen_and_why():
    first = " ".join(shown().split("2. See")[0].split())
    selection = train(documents()).selection
    assert selection.why in first
    assert next(each.settings for each in selection.tried if each.chosen) in first


def test_other_settings_change_some_answers():
    step = shown().split("5. Change")[1].split("6. Correct")[0]
    assert step.count("changed") == 1


def test_a_text_without_known_terms_has_its_reason():
    said = " ".join(shown().split())  # it is wrapped
    assert "message 8: no known term in this text: the prior alone decides" in said


def test_it_has_colors_only_if_asked():
    assert "\x1b[" not in shown()
    assert re.sub(r"\x1b\[\d+m", "", shown(color=True)).replace(" ", "") == shown().replace(" ", "")


def test_the_module_runs_and_writes_no_colors_to_a_file():
    environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-m", "likelier.demo"]
    done = subprocess.run(command, capture_output=True, check=True, env=environment)
    assert done.stdout.decode().replace("\r\n", "\n") == shown()
    assert done.stderr == b""


def test_a_terminal_that_knows_only_ascii_still_shows_the_numbers():
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run([sys.executable, "-m", "likelier.demo"], capture_output=True, check=True, env=environment)
    assert b"billing, probability 0." in done.stdout
