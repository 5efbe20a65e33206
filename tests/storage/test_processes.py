"""Several processes and one file: nothing is lost, and one that is killed leaves all or nothing of its change."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import likelier as lk
from likelier import _storage as storage
from likelier._base import files
from likelier._base.errors import FileError
from likelier._storage import locking
from storage.models import stored_of
from storage.worker import TOKENS, learn

WORKER = Path(__file__).with_name("worker.py")

pytestmark = pytest.mark.skipif(os.name != "posix", reason="locks and signals of POSIX")


# Blocks `fcntl` after filelock has it: what likelier does on Windows, as far as that can be tried elsewhere.
WITHOUT_FLOCK = """
import filelock, runpy, sys
sys.modules["fcntl"] = None
sys.argv = sys.argv[1:]
sys.path.insert(0, sys.argv[0].rpartition("/")[0])
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.likelier"
    storage.save(path, stored_of(lk.train([("goat", "ham")])))
    return path


@pytest.fixture(params=["flock", "filelock"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How files are locked, in this process; workers are told."""
    if request.param == "filelock":
        monkeypatch.setattr(locking, "fcntl", None)
        monkeypatch.setattr(files, "fcntl", None)
        monkeypatch.setattr(files, "MOVES_CLOSED", True)
    return request.param


def worker(path: Path, first: int, number: int, kind: str = "flock") -> subprocess.Popen[str]:
    program = [sys.executable, *(["-c", WITHOUT_FLOCK] if kind == "filelock" else [])]
    command = [*program, str(WORKER), str(path), str(first), str(number)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def learned(path: Path) -> set[int]:
    """The numbers of the documents in the file, each of which must be there as a whole."""
    model = lk.load(path)
    counts = model.counts
    numbers = {int(term.removeprefix("word")) for term in counts.vocabulary if term != "goat"}
    assert all(counts.of(f"word{number}", "ham") == TOKENS for number in numbers)
    assert counts.documents_per_label["ham"] == 1 + len(numbers)
    assert model.ledger is not None
    assert len(model.ledger) == 1 + len(numbers)
    return numbers


def test_two_processes_that_learn_at_once_lose_nothing(path, kind):
    workers = [worker(path, first, 40, kind) for first in (0, 100)]
    said = [process.communicate(timeout=60)[0].split() for process in workers]
    assert [len(numbers) for numbers in said] == [40, 40]
    assert learned(path) == {*range(40), *range(100, 140)}
    if kind == "flock":
        assert os.listdir(path.parent) == [path.name]


def test_threads_that_learn_at_once_lose_nothing(path, kind):
    def work(first: int) -> None:
        for number in range(first, first + 20):
            learn(str(path), number)

    threads = [threading.Thread(target=work, args=(first,)) for first in (0, 100, 200)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert learned(path) == {*range(20), *range(100, 120), *range(200, 220)}


def test_a_process_that_is_killed_leaves_all_or_nothing_of_its_change(path):
    """Thirty times at a random moment: everything that was reported is there, and at most one document more."""
    delays = random.Random(5)
    said: set[int] = set()
    for loop in range(30):
        process = worker(path, 1000 * loop, 1000)
        assert process.stdout is not None
        said.add(int(process.stdout.readline()))  # it has begun
        time.sleep(delays.uniform(0, 0.02))
        process.send_signal(signal.SIGKILL)
        said |= {int(line) for line in process.stdout.read().split()}
        process.wait()
        process.stdout.close()
        found = learned(path)
        assert said <= found
        assert len(found - said) <= 1
        said = found


def test_what_a_killed_process_left_over_is_removed_by_the_next_save(path):
    left_over = path.parent / f".{path.name}.0123456789abcdef.tmp"
    others = [path.parent / name for name in (f".{path.name}.backup.tmp", ".other.0123456789abcdef.tmp", "a.tmp")]
    for file in (left_over, *others):
        file.write_bytes(b"half of a mod")
    learn(str(path), 1)
    assert not left_over.exists()
    assert all(file.exists() for file in others)


def link(path: Path) -> None:
    path.with_name("foreign").write_text("precious")
    path.symlink_to(path.with_name("foreign"))


def link_to_a_pipe(path: Path) -> None:
    os.mkfifo(path.with_name("foreign"))
    path.symlink_to(path.with_name("foreign"))


def listen(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # the path of a socket is short


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, link, link_to_a_pipe, listen])
def test_only_a_file_is_a_left_over(make, path, monkeypatch):
    monkeypatch.chdir(path.parent)
    other = path.parent / f".{path.name}.0123456789abcdef.tmp"
    make(other)
    before = os.lstat(other)
    storage.save(path, stored_of(lk.train([("goat", "spam")])))
    assert os.lstat(other).st_ino == before.st_ino


def test_a_file_that_another_process_is_writing_is_not_a_left_over(path):
    being_written = path.parent / f".{path.name}.0123456789abcdef.tmp"
    with being_written.open("wb") as file:
        assert locking.try_lock(file.fileno())
        learn(str(path), 1)
        assert being_written.exists()


def test_who_waits_is_told_once_and_then_goes_on_with_what_the_other_one_saved(path, kind):
    told: list[str] = []
    entered, leave = threading.Event(), threading.Event()

    def other() -> None:
        with storage.locked(path):
            entered.set()
            leave.wait(30)
            stored = storage.load(path)
            stored.provenance = [storage.event("learn", ["other.csv"], 1)]
            storage.save(path, stored)

    def waiting() -> None:
        told.append("waiting")
        leave.set()

    thread = threading.Thread(target=other)
    thread.start()
    entered.wait(30)
    with storage.locked(path, waiting):
        assert storage.load(path).provenance[0]["sources"] == ["other.csv"]
    thread.join()
    assert told == ["waiting"]


def test_who_waits_twice_because_the_file_was_replaced_meanwhile_is_told_once(path, monkeypatch):
    told: list[str] = []
    current = iter([False, True])
    monkeypatch.setattr(locking, "try_lock", lambda file: False)
    monkeypatch.setattr(locking, "_is_current", lambda name, file: next(current))
    with storage.locked(path, lambda: told.append("waiting")):
        assert told == ["waiting"]


def test_a_lock_is_free_again_after_an_error_in_the_block(path, kind):
    with pytest.raises(ZeroDivisionError, match="division"), storage.locked(path):
        _ = 1 / 0
    with storage.locked(path, lambda: pytest.fail("still locked")):
        pass


INTERRUPTED = """
import signal, sys
from likelier import _storage as storage
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background ignores it otherwise
try:
    with storage.locked(sys.argv[1], lambda: print("waiting", flush=True)):
        print("locked")
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_ends_the_waiting(path):
    with storage.locked(path):
        command = [sys.executable, "-c", INTERRUPTED, str(path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "waiting\n"
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30)[0] == "interrupted\n"


def test_what_is_not_there_cannot_be_locked(tmp_path, kind):
    with pytest.raises(FileError, match="there is no file"), storage.locked(tmp_path / "x"):
        pass


def test_without_flock_the_lock_is_a_file_beside_the_one_that_a_link_leads_to(path, monkeypatch):
    monkeypatch.setattr(locking, "fcntl", None)
    link = path.with_name("link.likelier")
    link.symlink_to(path)
    with storage.locked(link):
        assert (path.parent / f"{path.name}.lock").exists()
