"""Real processes: pipes, signals, mails on standard input, what is imported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

import pytest

import likelier as lk

LIKELIER = [sys.executable, "-m", "likelier"]
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and pipes of POSIX")


def process(*arguments: str, **options: object) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([*LIKELIER, *arguments], capture_output=True, check=False, timeout=60, **options)


def test_each_line_is_answered_before_the_next_one_comes(here):
    with subprocess.Popen(
        [*LIKELIER, "classify", "shop.likelier"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for number, (text, label) in enumerate([("my parcel", b"delivery"), ("my invoice", b"billing")]):
            running.stdin.write(f"{text}\n".encode())
            running.stdin.flush()
            if number == 0:
                assert running.stdout.readline().startswith(b"label\t")
            assert running.stdout.readline().startswith(label + b"\t")
        running.stdin.close()
        assert running.wait(timeout=30) == 0


def test_a_reader_that_goes_away_is_no_error(here):
    Path("many.txt").write_text("my parcel is lost\n" * 200_000)
    with (
        open("many.txt", "rb") as given,
        subprocess.Popen(
            [*LIKELIER, "classify", "shop.likelier"], stdin=given, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as running,
    ):
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().startswith(b"label")
        running.stdout.close()
        assert running.wait(timeout=30) == 141
        assert running.stderr.read() == b""


def keep_feeding(pipe: IO[bytes], is_reading: Event) -> None:
    with suppress(OSError, ValueError):
        pipe.write(b"label\ttext\n")
        pipe.write(b"spam\tbuy now\n" * 30_000)  # more than a pipe holds
        is_reading.set()
        while True:
            pipe.write(b"spam\tbuy now\n" * 100)
            pipe.flush()
            time.sleep(0.01)


def begin(running: subprocess.Popen[bytes]) -> None:
    """Waits until a command has started and waits for input, however busy the machine is."""
    maps, used = Path(f"/proc/{running.pid}/maps"), -1
    for _ in range(1200):
        if not maps.exists() or "_kernel" in maps.read_text():
            break
        time.sleep(0.05)
    time.sleep(1)
    while maps.exists() and used < (used := processor_time(running.pid)):
        time.sleep(1)


def processor_time(pid: int) -> int:
    """Clock ticks that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


@pytest.mark.parametrize("there", [True, False])
def test_ctrl_c_leaves_the_model_as_it_was(here, there):
    target = Path("shop.likelier" if there else "new.likelier")
    before = target.read_bytes() if there else None
    with subprocess.Popen(
        [*LIKELIER, "train", "-", "--kind", "tsv", "-o", str(target)],
        bufsize=0,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        is_reading = Event()
        Thread(target=keep_feeding, args=(running.stdin, is_reading), daemon=True).start()
        assert is_reading.wait(60)  # and there is always more
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=30) == 130
        said = running.stderr.read().decode()
    assert said.endswith(f"interrupted; {target} {'is unchanged' if there else 'was not written'}\n")
    assert "Traceback" not in said
    assert (target.read_bytes() if target.exists() else None) == before
    assert not [path for path in here.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("rows", [0, 30_000])
def test_ctrl_c_ends_a_training_that_waits_for_a_pipe(here, rows):
    before = Path("shop.likelier").read_bytes()
    with subprocess.Popen(
        [*LIKELIER, "train", "-", "--kind", "tsv", "-o", "shop.likelier"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(b"label\ttext\n" * bool(rows) + b"spam\tbuy now\n" * rows)  # more than a pipe holds
        running.stdin.flush()
        begin(running)  # nothing comes any more
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
        assert running.stderr.read().endswith(b"interrupted; shop.likelier is unchanged\n")
    assert Path("shop.likelier").read_bytes() == before
    assert not [path for path in here.iterdir() if path.name.startswith(".")]


@pytest.mark.parametrize("options", [[], ["--input", "-", "--kind", "tsv"]])
def test_ctrl_c_ends_a_classification_that_waits_for_a_pipe(here, options):
    Path("answers.csv").write_text("old")
    with subprocess.Popen(
        [*LIKELIER, "classify", "shop.likelier", "-o", "answers.csv", *options],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as running:
        assert running.stdin is not None
        assert running.stderr is not None
        running.stdin.write(b"text\n" + b"where is my parcel\n" * 20_000)
        running.stdin.flush()
        begin(running)
        assert running.poll() is None
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=10) == 130
        assert running.stderr.read().endswith(b"interrupted; answers.csv is unchanged\n")
    assert Path("answers.csv").read_text() == "old"


def test_a_mail_is_classified_explained_learned_and_forgotten(here):
    mail = Path("mail.eml").read_bytes()
    assert process("classify", "shop.likelier", "--mail", input=mail).stdout.splitlines()[1].startswith(b"delivery\t")
    assert b"parcel" in process("explain", "shop.likelier", "--mail", input=mail).stdout
    options = ["--mail", "--exit-code", "--code", "delivery=0", "--quiet"]
    done = process("classify", "shop.likelier", *options, input=mail)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    before = lk.load("shop.likelier").counts.digest()
    assert process("learn", "shop.likelier", "--as", "spam", "--mail", input=mail).returncode == 0
    assert lk.load("shop.likelier").documents == 241
    assert process("forget", "shop.likelier", "spam=mail.eml").returncode == 0
    assert lk.load("shop.likelier").counts.digest() == before


def test_a_program_that_was_not_installed_prints_utf8_whatever_the_locale(here):
    lk.train([("купить молоко", "да"), ("виагра", "нет")]).save("ru.likelier")
    environment = {**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    done = process("classify", "ru.likelier", "молоко", "--format", "label", env=environment)
    assert done.stdout.decode() == "да\n"


def test_a_command_does_not_import_the_others(here):
    code = (
        "import sys; from likelier._cli.commands import likelier\n"
        "try: likelier.main(['classify', 'shop.likelier', 'my parcel', '--format', 'label'])\n"
        "except SystemExit: pass\n"
        "print(*sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    label, imported = done.stdout.splitlines()
    assert label == "delivery"
    assert not {"likelier._cli.commands.train", "likelier.demo", "duckdb", "simplemma", "click.testing"} & set(
        imported.split()
    )


def test_the_shell_completes_commands_and_options(here):
    words = {"COMP_WORDS": "likelier cl", "COMP_CWORD": "1", "_LIKELIER_COMPLETE": "bash_complete"}
    code = "from likelier._cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **words}, capture_output=True, check=False)
    assert done.stdout.split() == [b"plain,classify"]


@pytest.mark.parametrize(("closed", "answer"), [("<&-", b"delivery\n"), (">&-", b""), ("2>&-", b"delivery\n")])
def test_streams_that_are_closed_are_no_error(here, closed, answer):
    command = f"exec {sys.executable} -m likelier classify shop.likelier parcel --format label {closed}"
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, answer, b"")


@pytest.mark.parametrize(
    "command", ["classify shop.likelier", "explain shop.likelier", "learn shop.likelier --as spam"]
)
def test_a_question_without_any_standard_input_is_refused(here, command):
    line = f"exec {sys.executable} -m likelier {command} <&-"
    done = subprocess.run(["sh", "-c", line], capture_output=True, check=False, timeout=60)
    assert done.stderr.startswith(b"error: standard input is closed\nhint: ")
