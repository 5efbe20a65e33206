"""What a reader of the results must know about where they come from."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from measure import can_pin, cores_allowed

ROOT = Path(__file__).resolve().parent.parent
RESULTS = "benchmarks/results"


def environment(*packages: str) -> dict[str, Any]:
    """Machine, versions (of more packages too), commit and date."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": _machine(),
        "versions": {
            "python": platform.python_version(),
            **{package: version(package) for package in ("numpy", "scipy", "scikit-learn", "likelier", *packages)},
        },
        "git": {"commit": _git("rev-parse", "--verify", "--quiet", "HEAD"), "dirty": _is_dirty()},
    }


def _machine() -> dict[str, object]:
    return {
        "cpu": _cpu_model(),
        "architecture": platform.machine(),
        "cores": os.cpu_count(),
        "cores_allowed": cores_allowed(),
        "pinned": can_pin(),
        "system": platform.system(),
        "load_average": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
    }


def _cpu_model() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown"


def _is_dirty() -> bool | None:
    """Whether the tree differs from the commit, apart from the results; None without git."""
    changed = _git("status", "--porcelain", "--", ".", f":(exclude){RESULTS}", ":(exclude)benchmarks/accuracy/results")
    return None if changed is None else bool(changed)


def _git(*arguments: str) -> str | None:
    try:
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
