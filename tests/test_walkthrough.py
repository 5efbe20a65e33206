"""The pages that show a terminal are run: every `$` line, in order, in one new folder, and its output is compared.

The commands run in a terminal of 80 columns, as a reader has one. `...` stands for what differs from day to day.
A page that starts servers names their ports, 8000 and so on; the test takes free ones, as pages run side by side.
After a change of what commands print, `python tests/test_walkthrough.py` writes the new output into the pages.
"""

from __future__ import annotations

import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from doctest import ELLIPSIS, OutputChecker
from functools import partial
from pathlib import Path

import pytest

from postgres import free_port

ROOT = Path(__file__).parents[1]
PAGES = (
    "README.md",
    "PACKAGE.md",
    "docs/guides/command-line.md",
    "docs/guides/deployment.md",
    "docs/guides/server.md",
    "docs/guides/server-clients.md",
)
BLOCK = re.compile(r"(?<=^```console\n)(.*?)(?=^```$)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n|>\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)  # with its further lines; output
WHEN = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?= UTC)")
PROGRESS = re.compile(r"\r\x1b\[K(?:[^\r\n]*(?=\r))?")  # what is drawn over; behind the last one stands text
LONG = re.compile(r"(\d\.\d{4})\d{5,}")  # its last digits differ between processors
PORT = re.compile(r"(?<=[ :])80\d\d\b")
FIRST = "8000"  # the port of a server for which none is named
END = "trap 'kill $(jobs -p) 2>/dev/null' EXIT\n"  # no server is left behind
TOOLS = ("curl", "jq", "openssl", "sqlite3")  # that pages use, and not every machine has
MARK = "\x1e"  # before the output of each command
KEPT = ("PYTHONPATH", "NPY_DISABLE_CPU_FEATURES", "OPENBLAS_CORETYPE")  # the same on other processors


def commands(page: str) -> list[tuple[str, str]]:
    """Every command of a page with the output that the page shows."""
    return [(typed(found), found[2]) for block in BLOCK.findall(page) for found in COMMAND.finditer(block)]


def typed(found: re.Match[str]) -> str:
    return re.sub(r"^> ?", "", found[1], flags=re.MULTILINE)


def outputs(lines: list[str], folder: Path) -> list[str]:
    """What each command prints, to stdout and stderr, in a terminal."""
    here, programs = folder / "here", folder / "bin"
    here.mkdir()
    programs.mkdir()
    script = END + "".join(f"printf '{MARK}'\n{line}" for line in lines)
    named = sorted({FIRST, *PORT.findall(script)}) if "likelier serve" in script else []
    ports = {name: str(free_port()) for name in named}
    python = f'exec "{sys.executable}"'
    first = f"""case "$*" in *--port*) ;; serve*) set -- "$@" --port {ports.get(FIRST)} ;; esac"""
    _add_program(programs / "likelier", f'{first}\n{python} -m likelier "$@"')
    _add_program(programs / "python", f'{python} "$@"')
    _add_program(programs / "jq", f'exec {shutil.which("jq")} --monochrome-output "$@"')
    script = PORT.sub(lambda found: ports.get(found[0], found[0]), script)
    shown = in_terminal(["bash", "-c", script], here, f"{programs}{os.pathsep}{os.environ['PATH']}")
    for port, free in ports.items():
        shown = re.sub(rf"(?<=[ :]){free}\b", port, shown)
    return PROGRESS.sub("", shown.replace("\r\n", "\n")).split(MARK)[1:]


def _add_program(path: Path, script: str) -> None:
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def in_terminal(command: list[str], folder: Path, path: str) -> str:
    """What a command prints in a terminal of 80 columns without colors."""
    environment = {"PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "TZ": "UTC", "LC_ALL": "C.UTF-8", "TERM": "xterm"}
    environment |= {name: os.environ[name] for name in KEPT if name in os.environ}
    ours, theirs = pty.openpty()
    with open(ours, "rb", buffering=0) as terminal:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=theirs, stderr=theirs
        )
        os.close(theirs)
        shown = b"".join(iter(partial(piece, terminal.read), b""))
        process.wait()
    return shown.decode()


def piece(read: Callable[[int], bytes]) -> bytes:
    try:
        return read(1 << 16)
    except OSError:  # Linux says in this way that nobody writes any more
        return b""


def agrees(wanted: str, got: str) -> bool:
    return OutputChecker().check_output(wanted, got, ELLIPSIS)


def need(*programs: str) -> None:
    """Without these programs a test is skipped, except where CI=true."""
    missing = [name for name in programs if shutil.which(name) is None]
    if missing:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(f"apt-get install {' '.join(missing)}")


@pytest.mark.parametrize("name", PAGES)
def test_every_command_of_the_page_prints_what_the_page_shows(name: str, tmp_path: Path) -> None:
    shown = commands((ROOT / name).read_text("utf-8"))
    need(*(tool for tool in TOOLS if any(re.search(rf"\b{tool} ", line) for line, _ in shown)))
    got = outputs([line for line, _ in shown], tmp_path)
    wrong = [(line, output) for (line, wanted), output in zip(shown, got, strict=True) if not agrees(wanted, output)]
    assert not wrong, "`python tests/test_walkthrough.py` writes the new output into the page"


@pytest.mark.parametrize("name", PAGES)
def test_every_line_of_a_terminal_belongs_to_a_command(name: str) -> None:
    blocks = BLOCK.findall((ROOT / name).read_text("utf-8"))
    assert blocks
    assert all(COMMAND.sub("", block) == "" for block in blocks)


def rewrite(path: Path) -> None:
    """Puts what the commands print now into the page."""
    page = path.read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        got = iter(outputs([line for line, _ in commands(page)], Path(folder)))

    def updated(found: re.Match[str]) -> str:
        output = next(got)
        shown = LONG.sub(r"\1...", WHEN.sub("...", output))
        return found[0] if agrees(found[2], output) else f"$ {found[1]}{shown}"

    path.write_text(BLOCK.sub(lambda block: COMMAND.sub(updated, block[0]), page), "utf-8")


if __name__ == "__main__":
    for name in PAGES:
        rewrite(ROOT / name)
