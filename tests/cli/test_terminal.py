"""On a terminal nothing that comes from data steers it, in any format."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

import likelier as lk
from likelier._cli.commands import likelier as program

pty = pytest.importorskip("pty", reason="terminals of POSIX")

EVIL = "ev\x1b[2mil\x1b]0;title\x07\x9b31m\x7f\x08\r\u202etxt\u2069"  # the first is a style of likelier's own
OWN = re.compile("\x1b\\[(?:0|1|2|33|36|1;31|1;33)m|\r\x1b\\[K|\u200e")
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
Typed = Callable[..., str]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Models and documents whose labels, columns, values, texts and files have names that would steer a terminal."""
    folder = tmp_path_factory.mktemp("hostile")
    pairs = [(f"{EVIL} word{i % 5} again", (EVIL, "good")[i % 2]) for i in range(20)]
    lines = [json.dumps({"text": text, "label": label}) for text, label in pairs]
    folder.joinpath(f"{EVIL}.jsonl").write_text("\n".join(lines), encoding="utf-8")
    analyzer = lk.Analyzer(replace={"word1": EVIL})
    lk.train(pairs, analyzer=analyzer, view="textbook").save(folder / f"{EVIL}.likelier")
    lk.train(pairs[:9], analyzer=analyzer, view="textbook").save(folder / "few.likelier")
    rows = [
        {"t": f"{EVIL} word{i % 5}", EVIL: (EVIL, "value")[i % 3 == 0], "n": i, "label": (EVIL, "good")[i % 2]}
        for i in range(20)
    ]
    folder.joinpath("rows.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    kinds = {"text": ["t"], "categorical": [EVIL], "numeric": ["n"]}
    lk.train(rows, label="label", **kinds, view="textbook").save(folder / "rows.likelier")
    folder.joinpath("broken.csv").write_text(f'text,label\n"a",x\n{EVIL},"y"{EVIL}\n', encoding="utf-8")
    return folder


@pytest.fixture
def typed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """What a command writes to a terminal, on stdout and stderr."""
    monkeypatch.chdir(folder)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")

    def call(*arguments: str) -> str:
        import tty

        ours, theirs = pty.openpty()
        tty.setraw(theirs)  # which leaves \n as it is
        found: list[bytes] = []
        reader = Thread(target=_read, args=(ours, found))
        reader.start()
        with open(theirs, "w", encoding="utf-8") as screen, monkeypatch.context() as here:
            here.setattr(sys, "stdout", screen)
            here.setattr(sys, "stderr", screen)
            with pytest.raises(SystemExit):
                program.main(list(arguments), prog_name="likelier")
        reader.join()
        os.close(ours)
        return b"".join(found).decode()

    return call


def _read(descriptor: int, found: list[bytes]) -> None:
    try:
        while data := os.read(descriptor, 65536):
            found.append(data)
    except OSError:  # the other end is closed
        return


MODEL, DATA, ROWS = f"{EVIL}.likelier", f"{EVIL}.jsonl", "rows.likelier"
COMMANDS = [
    ["train", DATA, "-o", f"{EVIL}2.likelier"],
    ["train", "rows.jsonl", "--label", "label", "-o", "new.likelier"],
    ["train", "broken.csv", "-o", "new.likelier"],
    ["train", "broken.csv", "--on-error", "skip", "-o", "new.likelier"],
    ["train", f"{EVIL}-is-not-there.csv", "-o", "new.likelier"],
    ["train", "rows.jsonl", "--label", EVIL + EVIL, "-o", "new.likelier"],
    ["train", "rows.jsonl", "--label", EVIL, "--view", "textbook", "-o", "new.likelier"],
    ["learn", "few.likelier", "--as", EVIL, EVIL],
    ["learn", ROWS, "--as", EVIL, f"{EVIL}={EVIL}"],
    ["learn", ROWS, "--as", EVIL, f"{EVIL}x={EVIL}"],
    ["forget", MODEL, "--as", EVIL, EVIL],
    ["merge", MODEL, "few.likelier", "-o", f"{EVIL}3.likelier"],
    ["merge", MODEL, ROWS, "-o", f"{EVIL}3.likelier"],
    ["view", MODEL],
    ["view", MODEL, "--json"],
    ["view", MODEL, "--prior", f"{EVIL}=0.5", "--prior", "good=0.5", "--threshold", f"{EVIL}=0.9"],
    ["view", MODEL, "--threshold", f"{EVIL}x=0.9"],
    ["view", ROWS, "--numbers", f"{EVIL}=gaussian"],
    *(["classify", model, "--input", data, "--format", form, *more]
      for model, data in ((MODEL, DATA), (ROWS, "rows.jsonl"))
      for form in ("table", "json", "csv", "tsv", "label")
      for more in ([], ["--probabilities"])),
    ["classify", MODEL, EVIL, "zzz", "--threshold", f"{EVIL}=1", "--threshold", "good=1"],
    ["classify", MODEL, EVIL, "--explain"],
    ["classify", MODEL, EVIL, "--explain", "--format", "json"],
    ["classify", MODEL, EVIL, "--output", f"{EVIL}/{EVIL}"],
    ["classify", ROWS, f"{EVIL}={EVIL}x", "--format", "csv"],
    ["classify", ROWS, EVIL + "y=3"],
    ["classify", EVIL, EVIL],
    ["classify", MODEL, "--input", EVIL],
    ["classify", MODEL, EVIL, "--format", EVIL],
    ["classify", MODEL, EVIL, f"--{EVIL}"],
    *(["explain", *asked, "--format", form]
      for asked in ([MODEL, f"{EVIL} word1 again"], [ROWS, f"t={EVIL}", f"{EVIL}={EVIL}"])
      for form in ("terminal", "html", "latex", "json")),
    ["inspect", MODEL],
    ["inspect", MODEL, "--json"],
    ["inspect", MODEL, "--term", EVIL],
    ["inspect", MODEL, "--term", EVIL, "--json"],
    ["inspect", MODEL, "--term", EVIL + "x"],
    ["inspect", MODEL, "--ratio", EVIL, "good"],
    ["inspect", MODEL, "--ratio", EVIL, "good", "--json"],
    ["inspect", MODEL, "--ratio", EVIL, EVIL + "x"],
    ["inspect", MODEL, "--export", "-"],
    ["inspect", MODEL, "--export", f"{EVIL}.csv"],
    ["inspect", ROWS],
    ["inspect", ROWS, "--column", EVIL],
    ["inspect", ROWS, "--column", EVIL, "--json"],
    ["inspect", ROWS, "--column", EVIL + "x"],
    ["inspect", ROWS, "--export", "-"],
    ["evaluate", MODEL, DATA, "--mistakes", "3", "--label-errors", "3"],
    ["evaluate", MODEL, DATA, "--mistakes", "3", "--format", "json"],
    ["evaluate", MODEL, DATA, "--target", f"{EVIL}:precision=0.5", "--report", f"{EVIL}.html"],
    ["evaluate", MODEL, DATA, "--target", f"{EVIL}x:precision=0.5"],
    ["evaluate", ROWS, "rows.jsonl", "--label", "label", "--mistakes", "3"],
    ["compare", MODEL, "few.likelier", DATA],
    ["compare", MODEL, "few.likelier", DATA, "--format", "json"],
    ["calibrate", MODEL, DATA, "--rule", "platt"],
    ["calibrate", MODEL, DATA, "--rule", "platt", "--json"],
    ["rule", "--prior", EVIL, "--likelihood", "0.5", "--evidence", "0.5"],
    ["demo", "--files", f"demo/{EVIL}"],
    ["completion", EVIL],
    [EVIL],
]  # fmt: skip


def shown(arguments: list[str]) -> str:
    return " ".join(arguments).replace(EVIL, "EVIL")


@pytest.mark.parametrize("arguments", COMMANDS, ids=shown)
def test_nothing_from_data_steers_the_terminal(typed: Typed, arguments: list[str]):
    written = typed(*arguments)
    assert written
    assert "Traceback" not in written
    assert "ev\x1b" not in written  # a style of our own that comes from data
    assert not STEERS.findall(OWN.sub("", written))


def test_what_is_no_terminal_gets_every_byte(typed: Typed, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        program.main(["classify", MODEL, "--input", DATA, "--format", "csv"], prog_name="likelier")
    assert EVIL in capsys.readouterr().out


def test_json_on_a_terminal_is_still_json_with_the_same_values(typed: Typed):
    record = json.loads(typed("classify", MODEL, EVIL, "--format", "json"))
    assert record["text"] == EVIL


def test_colors_of_our_own_are_still_there(typed: Typed):
    assert "\x1b[2mlabel" in typed("classify", MODEL, "word1", "--format", "table")
    assert "\x1b[1;31merror:\x1b[0m" in typed("classify", "nothing.likelier", "word1")
