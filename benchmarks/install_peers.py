"""Installs the dependency group `peers` one by one, and writes down which could not be installed and why.

`python benchmarks/install_peers.py FILE`: the file has package → reason, as JSON. It never fails.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
SECONDS = 900  # for one package


def main(file: str) -> None:
    """Installs, tells and writes."""
    refused = {}
    for requirement in tomllib.loads(PROJECT.read_text("utf-8"))["dependency-groups"]["peers"]:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0]
        print(f"installing a peer for the benchmarks: {name}", flush=True)
        if reason := _refusal(requirement):
            refused[name] = reason
            print(f"left out: {name}: {reason}", file=sys.stderr, flush=True)
    Path(file).write_text(json.dumps(refused, indent=2) + "\n", encoding="utf-8")


def _refusal(requirement: str) -> str | None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"not installed within {SECONDS} seconds"
    said = [line for line in done.stderr.splitlines() if line.startswith("ERROR:")]
    return None if done.returncode == 0 else (said or ["pip failed"])[-1].removeprefix("ERROR: ")


if __name__ == "__main__":
    main(*sys.argv[1:])
