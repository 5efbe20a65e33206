"""Commands that are timed as a whole, each in a process of its own, with its peak of memory.

They are started by a small process: the peak of a child's memory is never less than that of the one that started it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from readers import THREADS

LAUNCHER = """
import json, os, resource, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, used = os.wait4(child, 0)
unit = 1 if sys.platform == "darwin" else 1024
print(json.dumps({"wall": time.perf_counter() - start, "processor": used.ru_utime + used.ru_stime,
                  "peak_megabytes": used.ru_maxrss * unit / 1e6}))
sys.exit(os.waitstatus_to_exitcode(status))
"""


def program() -> list[str]:
    """The command `likelier`, also where it is not installed as a script."""
    script = Path(sys.executable).with_name("likelier")
    return [str(script)] if script.is_file() else [sys.executable, "-m", "likelier"]


def child_environment() -> dict[str, str]:
    """That of this process, but modules are compiled only once."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def training(file: Path, model: Path) -> list[str]:
    """The command that is measured."""
    return [*program(), "train", str(file), "-o", str(model), "--view", "textbook", "--quiet"]


def run(command: list[str]) -> dict[str, Any]:
    """Times and peak memory of a process, and what it printed."""
    environ = child_environment() | {"POLARS_MAX_THREADS": str(THREADS)}
    launcher = [sys.executable, "-S", "-c", LAUNCHER, *command]
    done = subprocess.run(launcher, check=True, stdout=subprocess.PIPE, text=True, env=environ)
    *printed, used = done.stdout.splitlines()
    figures = json.loads(used)
    return {"seconds": figures["wall"], "found": None} | figures | (json.loads(printed[-1]) if printed else {})
