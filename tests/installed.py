"""Does a wheel do its work where there is nothing but Python? `python tests/installed.py FOLDER` tries the wheel there.

It is installed into a new environment, its dependencies come from the package index as wheels, and everything runs in
an empty folder with no program on the path but those of the environment: no cargo, no compiler, no source.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

PROGRAMS = "Scripts" if os.name == "nt" else "bin"


def tried(wheel: Path, folder: Path) -> str:
    """What the commands print, if all of them work; `folder` is empty."""
    environment, here = folder / "environment", folder / "here"
    venv.create(environment, with_pip=True)
    here.mkdir()
    programs = environment / PROGRAMS
    hidden = ("PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV")
    variables = {name: value for name, value in os.environ.items() if name not in hidden}
    variables |= {"PATH": str(programs), "PYTHONUTF8": "1"}

    def run(program: str, *arguments: str) -> str:
        command = [str(programs / program), *arguments]
        done = subprocess.run(command, cwd=here, env=variables, capture_output=True, text=True, encoding="utf-8")
        if done.returncode:
            raise SystemExit(f"{' '.join(command)} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    run("python", "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary", ":all:", str(wheel.resolve()))
    return "".join(
        [
            run("python", "-c", "import likelier._kernel as kernel; print(kernel.__file__)"),
            run("python", "-m", "likelier.demo"),
            run("likelier", "demo", "--files", "."),
            run("likelier", "train", "messages.tsv", "-o", "shop.likelier", "--view", "textbook"),
            run("likelier", "learn", "shop.likelier", "--as", "returns", "The kettle leaks"),
            run("likelier", "classify", "shop.likelier", "Where is my parcel?", "--format", "label"),
        ]
    )


def only_wheel(folder: Path) -> Path:
    """The wheel in a folder that has one."""
    (wheel,) = folder.glob("*.whl")
    return wheel


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as empty:
        print(tried(only_wheel(Path(sys.argv[1])), Path(empty)), end="")
