"""What a command writes never takes the place of what it reads, nor of a model: refused before any work is done."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from threading import Thread

import pytest

import likelier as lk

SHOP = "shop.likelier"
SKIP = ["--on-error", "skip", "--rejects"]

CASES = {
    "counts over their model": (["inspect", SHOP, "--export", SHOP], "--export counts.csv"),
    "answers over the model": (["classify", SHOP, "-i", "q.csv", "-o", SHOP], "--output answers.csv"),
    "answers over another model": (["classify", SHOP, "my parcel", "-o", "shop2.likelier"], "--output answers.csv"),
    "answers over the questions": (["classify", SHOP, "-i", "q.csv", "-o", "q.csv"], "--output answers.csv"),
    "answers over a table": (
        ["classify", "tickets.likelier", "-i", "tickets.csv", "-o", "tickets.csv"],
        "--output answers.csv",
    ),
    "a model over its table": (
        ["train", "tickets.csv", "--numeric", "days", "-o", "tickets.csv"],
        "--output model.likelier",
    ),
    "answers over a pattern": (["classify", SHOP, "-i", "q*.csv", "-o", "q.csv"], "--output answers.csv"),
    "answers over a document": (["classify", SHOP, "-i", "texts", "-o", "texts/1.txt"], "--output answers.csv"),
    "an explanation over the model": (["explain", SHOP, "text", "-o", SHOP], "--output why.html"),
    "rejects over the data": (["train", "bad.csv", "-o", "z.likelier", *SKIP, "bad.csv"], "--rejects rejects.csv"),
    "rejects over labeled data": (["learn", SHOP, "spam=q.csv", *SKIP, "q.csv"], "--rejects rejects.csv"),
    "rejects over a model": (["train", "bad.csv", "-o", "z.likelier", *SKIP, SHOP], "--rejects rejects.csv"),
    "rejects over the model that learns": (["learn", SHOP, "bad.csv", *SKIP, SHOP], "--rejects rejects.csv"),
    "rejects over other data": (["train", "bad.csv", "-o", "z.likelier", *SKIP, "q.csv"], "--rejects rejects.csv"),
    "rejects over stop words": (
        ["train", "bad.csv", "-o", "z.likelier", "--stop-words", "file:words.txt", *SKIP, "words.txt"],
        "--rejects rejects.csv",
    ),
    "rejects and answers in one file": (
        ["classify", SHOP, "-i", "q.csv", "-o", "new.csv", *SKIP, "./new.csv"],
        "--rejects rejects.csv",
    ),
    "a model over one it is made of": (["merge", SHOP, "shop2.likelier", "-o", SHOP], "--output merged.likelier"),
    "a model over the data": (["train", "bad.csv", "-o", "bad.csv"], "--output model.likelier"),
    "a model over other data": (["train", "bad.csv", "-o", "q.csv"], "such as model.likelier"),
    "a model in no folder": (["train", "bad.csv", "-o", "nope/z.likelier"], "mkdir -p nope"),
    "the demo's data over other data": (["demo", "--files", "mine"], "likelier demo --files mine/demo"),
}


@pytest.fixture
def files(here: Path) -> Path:
    Path("q.csv").write_text("text\nmy parcel\n")
    Path("bad.csv").write_text("label,text\na,hello\nb\n")
    Path("words.txt").write_text("the\n")
    for name in ("texts/1.txt", "mine/messages.tsv"):
        Path(name).parent.mkdir()
        Path(name).write_text("my own")
    return here


def content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("case", CASES)
def test_what_would_be_lost_is_left_as_it_is(run, files, case):
    arguments, hint = CASES[case]
    before = content(files)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert hint in result.stderr.splitlines()[-1]
    assert "guessed" not in result.stderr  # nothing was read
    assert content(files) == before


@pytest.mark.parametrize(
    ("case", "known"), [("rejects over labeled data", "spam=q.csv"), ("rejects over stop words", "file:words.txt")]
)
def test_a_file_is_known_behind_a_label_or_a_prefix(run, files, case, known):
    result = run(*CASES[case][0])
    assert f"an input of this command, as {known}\n" in result.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="links need a permission there")
@pytest.mark.parametrize("link", [os.symlink, os.link])
def test_a_link_to_a_file_is_that_file(run, files, link):
    link("q.csv", "other.csv")
    link(SHOP, "other.likelier")
    before = content(files)
    for arguments in (
        ["classify", SHOP, "-i", "q.csv", "-o", "other.csv"],
        ["classify", SHOP, "-i", "other.csv", "-o", "q.csv"],
        ["explain", SHOP, "text", "-o", "other.likelier"],
        ["merge", SHOP, "shop2.likelier", "-o", "other.likelier"],
    ):
        result = run(*arguments)
        assert result.exit_code == 2
        assert "an input of this command, as " in result.stderr
    assert content(files) == before


def test_standard_input_is_read_too(files):
    command = [sys.executable, "-m", "likelier", "classify", SHOP, "--output", "q.csv"]
    with open("q.csv", "rb") as given:
        done = subprocess.run(command, stdin=given, capture_output=True, check=False, text=True)
    assert done.returncode == 2
    assert "--output would overwrite q.csv, which is standard input" in done.stderr
    assert Path("q.csv").read_text() == "text\nmy parcel\n"


def test_a_suggested_name_is_that_of_no_file(run, files):
    Path("answers.csv").write_text("old")
    result = run("classify", SHOP, "-i", "q.csv", "-o", "q.csv")
    assert "--output new-answers.csv" in result.stderr


def test_older_results_are_replaced(run, files):
    shutil.copy(SHOP, "z.likelier")
    for _ in range(2):
        assert run("classify", SHOP, "-i", "q.csv", "-o", "answers.csv").exit_code == 0
        assert run("train", "bad.csv", "-o", "z.likelier", *SKIP, "rejects.csv").exit_code == 0
        assert run("merge", SHOP, "z.likelier", "-o", "both.likelier").exit_code == 0
        assert run("inspect", SHOP, "--export", "counts.csv").exit_code == 0
    assert lk.load("z.likelier").documents == 1


def test_the_library_writes_rejects_over_no_data_either(files):
    with pytest.raises(lk.FileError, match=r"over older rejected rows, but 'q\.csv' is something else") as caught:
        lk.read("bad.csv", on_error="skip", rejects="q.csv")
    assert caught.value.code == "rejects-over-other"


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe of POSIX")
def test_rejects_may_go_into_a_pipe(run, files):
    os.mkfifo("pipe")
    got: list[str] = []
    reader = Thread(target=lambda: got.append(Path("pipe").read_text()), daemon=True)
    reader.start()
    assert run("train", "bad.csv", "-o", "z.likelier", *SKIP, "pipe").exit_code == 0
    assert not Path("pipe").is_file()
    reader.join(timeout=10)
    assert "bad.csv,3," in got[0]
