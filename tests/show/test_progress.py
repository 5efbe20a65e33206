"""A bar on stderr: where it is shown, what it says, and what a function of one's own gets."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import likelier as lk
from likelier import demo
from likelier._read.origins import BATCH_BYTES
from likelier._show import progress
from likelier._show.progress import Progress, shown, silent
from likelier._train.search import CUTTING
from likelier._train.texts import STEPS

CLEAR = "\r\x1b[K"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def ascii_of(line: str) -> str:
    return line.replace("█", "#").replace("░", "-")


# ---- the line ------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("wide")
def test_nothing_is_shown_of_work_that_is_done_soon(clock: Clock) -> None:
    screen = Terminal()
    bar = Progress(screen, clock=clock)
    bar(1, 2, "counting")
    clock.seconds = 0.4
    bar.show()
    bar.clear()
    assert screen.getvalue() == ""


@pytest.mark.usefixtures("wide")
def test_the_bar_has_the_part_that_is_done_and_the_time_left(clock: Clock) -> None:
    screen = Terminal()
    bar = Progress(screen, clock=clock)
    for clock.seconds, done in ((1.0, 0), (2.0, 1), (3.0, 3)):
        bar(done, 4, "choosing settings")
        bar.show()
    bar.clear()
    assert ascii_of(screen.getvalue()).split(CLEAR) == [
        "",
        f"choosing settings  #{'-' * 23}  0 s",
        f"choosing settings  {'#' * 6}{'-' * 18}   25 %  3 s left",
        f"choosing settings  {'#' * 18}{'-' * 6}   75 %  1 s left",
        "",
    ]


@pytest.mark.usefixtures("wide")
def test_the_time_left_is_that_of_the_phase(clock: Clock) -> None:
    screen = Terminal()
    bar = Progress(screen, clock=clock)
    clock.seconds = 100
    bar(0, 100, "counting")
    clock.seconds = 110
    bar(50, 100, "counting")
    bar.show()
    assert screen.getvalue().endswith("50 %  10 s left")


@pytest.mark.usefixtures("wide")
def test_while_documents_are_read_the_bar_asks_how_far_that_is(clock: Clock) -> None:
    screen, read = Terminal(), iter([(1, 4, "reading"), (1200, None, "reading")])
    bar = Progress(screen, lambda: next(read), clock)
    clock.seconds = 2
    bar.show()
    bar.show()
    bar(1, 2, "counting")
    bar.show()
    lines = screen.getvalue().split(CLEAR)
    assert lines[1].endswith("25 %  6 s left")
    assert ascii_of(lines[2]) == f"reading  {'-' * 20}#---  1,200 documents  2 s"
    assert lines[3].startswith("counting")


def test_a_line_is_not_wider_than_the_terminal(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    screen, clock.seconds = Terminal(), 1
    bar = Progress(screen, clock=clock)
    clock.seconds = 3
    bar.show()
    bar(1, 2, "choosing settings")
    bar.show()
    assert [len(line) for line in screen.getvalue().split(CLEAR)] == [0, 29, 29]


def test_a_notebook_has_no_codes_of_terminals(clock: Clock) -> None:
    screen = io.StringIO()
    bar = Progress(screen, clock=clock)
    clock.seconds = 2
    for done in (1000, 1):
        bar(done, None, "reading")
        bar.show()
    bar.clear()
    long, short = (f"reading  {'-' * 20}#---  {number}  2 s" for number in ("1,000 documents", "1 document"))
    assert screen.getvalue() == f"\r{long}\r{short.ljust(len(long))}\r{' ' * len(short)}\r"


def test_a_terminal_without_blocks_has_a_bar_of_ascii(clock: Clock) -> None:
    raw = io.BytesIO()
    screen = io.TextIOWrapper(raw, encoding="latin-1")
    bar = Progress(screen, clock=clock)
    clock.seconds = 2
    bar(1, 2, "counting")
    bar.show()
    assert raw.getvalue().startswith(b"\rcounting  ############------------   50 %")


def test_a_closed_stream_does_not_stop_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.001)
    screen = Terminal()
    with Progress(screen) as bar:
        screen.close()
        bar._watcher.join(timeout=10)
        assert not bar._watcher.is_alive()


# ---- where it is shown ---------------------------------------------------------------------------------------------


def is_shown(given: Any) -> bool:
    with shown(given) as report:
        return isinstance(report, Progress)


@pytest.mark.parametrize("at_prompt", [False, True])
def test_in_a_program_a_bar_is_shown_if_asked_for_and_at_a_prompt_anyway(
    monkeypatch: pytest.MonkeyPatch, at_prompt: bool
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    if not at_prompt:
        monkeypatch.delattr(sys, "ps1")
    assert [is_shown(given) for given in (None, False, True)] == [at_prompt, False, True]


@pytest.mark.parametrize("shell", [SimpleNamespace(), SimpleNamespace(kernel="one")])
def test_ipython_is_a_prompt_and_a_notebook_needs_no_terminal(monkeypatch: pytest.MonkeyPatch, shell: Any) -> None:
    monkeypatch.delattr(sys, "ps1", raising=False)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    assert is_shown(None) is is_shown(True) is hasattr(shell, "kernel")
    assert not is_shown(False)


@pytest.mark.parametrize("stderr", [io.StringIO(), None])
def test_a_bar_is_not_written_to_a_file(monkeypatch: pytest.MonkeyPatch, stderr: Any) -> None:
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.setattr(sys, "stderr", stderr)
    assert not is_shown(None)
    assert not is_shown(True)


# ---- training ------------------------------------------------------------------------------------------------------


def reports(documents: Any, **options: Any) -> list[tuple[int, int | None, str]]:
    said: list[tuple[int, int | None, str]] = []
    lk.train(documents, progress=lambda *so_far: said.append(so_far), **options)
    return said


def phases(said: list[tuple[int, int | None, str]]) -> list[str]:
    return list(dict.fromkeys(what for _, _, what in said))


def test_a_function_gets_what_is_done_of_a_total(tmp_path: Path) -> None:
    path = tmp_path / "messages.tsv"
    path.write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in demo.documents()), "utf-8")
    size = path.stat().st_size
    said = reports(path)
    assert phases(said) == ["reading", "choosing settings", "counting"]
    assert said[0] == (size, size, "reading")
    steps = [each for each in said if each[2] == "choosing settings"]
    total = CUTTING + STEPS + 1
    assert steps == [(step, total, "choosing settings") for step in (0, CUTTING, total - 1)]  # few are quickly done
    assert said[-1] == (0, 240, "counting")


def test_every_batch_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    line = f"{'word ' * 20000},ham\n"
    path.write_text("text,label\n" + line * (3 * BATCH_BYTES // len(line)), "utf-8")
    said = reports(path, view="textbook")
    done = [each[0] for each in said]
    assert phases(said) == ["reading"]
    assert {each[1] for each in said} == {path.stat().st_size}
    assert done == sorted(set(done))
    assert len(done) >= 3


def test_of_documents_in_memory_their_number_is_reported() -> None:
    assert reports(demo.documents())[0] == (240, None, "reading")
    assert reports(demo.documents(), view="textbook") == [(0, None, "reading")]


@pytest.mark.parametrize("with_text", [False, True])
def test_the_rounds_for_tables_go_up_to_the_total(with_text: bool) -> None:
    rows = [
        (
            {"color": ["red", "blue"][i % 2], "age": i % 17, **({"note": f"w{i % 7} w{i % 3}"} if with_text else {})},
            i % 2,
        )
        for i in range(200)
    ]
    text = {"text": ["note"]} if with_text else {}
    said = [
        each for each in reports(rows, categorical=["color"], numeric=["age"], **text) if each[2] == "choosing settings"
    ]
    done = [each[0] for each in said]
    (total,) = {each[1] for each in said}
    assert total == (400 if with_text else 300)
    assert done == sorted(done)
    assert done[0] == 0
    assert total - 100 <= done[-1] < total


def test_what_a_function_raises_stops_training() -> None:
    def stop(done: int, total: int | None, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        lk.train(demo.documents(), progress=stop)


def test_the_model_does_not_depend_on_who_watches() -> None:
    assert lk.train(demo.documents(), progress=silent) == lk.train(demo.documents())


@pytest.mark.skipif(os.name == "nt", reason="terminals of POSIX")
@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_the_commands_show_a_bar(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from likelier._cli.commands import likelier as program

    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "EVERY", 0.0005)
    model, path = tmp_path / "m.likelier", tmp_path / "messages.tsv"
    texts = [(f"{text} {i}", label) for i in range(20) for text, label in demo.documents()]
    path.write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in texts), "utf-8")
    lk.train(path, view="textbook").save(model)
    screens = []
    for options in ([], ["--quiet"]):
        arguments = [command, str(path), "-o", str(model)] if command == "train" else [command, str(model), str(path)]
        with monkeypatch.context() as here:
            here.setattr(sys, "stderr", screen := Terminal())
            with pytest.raises(SystemExit):
                program.main([*arguments, *(options if command == "train" else [])], prog_name="likelier")
        screens.append(screen.getvalue())
    assert f"{CLEAR}reading  " in screens[0] or f"{CLEAR}choosing settings  " in screens[0]
    assert command != "train" or CLEAR not in screens[1]
