"""All benchmarks, one after the other, each in a process of its own: `make bench`.

If one fails, the others still run, and the end of the output names it; one whose data is missing is skipped. `--quick`
is a smoke test. A full run also updates the tables and charts of the documentation.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path

import report

FOLDER = Path(__file__).resolve().parent
QUICK = ["--quick"]
NO_DATA = 2  # the exit code of a suite whose data is not there
# name → options of a quick run
SUITES = {
    "speed": QUICK,
    "default": QUICK,
    "lemmas": QUICK,
    "change": QUICK,
    "leave_one_out": QUICK,
    "reading": QUICK,
    "many_labels": QUICK,
    "scaling": QUICK,
    "startup": QUICK,
    "board": QUICK,
    "serve": QUICK,
    "spark": QUICK,
    "labeling": [*QUICK, "--dry"],
    "workbench": QUICK,
    "limit": QUICK,
    "text_counts": QUICK,
    "model_file": ["--sizes", "10000", "--repeat", "1", "--dry"],
    "tables": [*QUICK, "--dry"],
    "refined": QUICK,
    "accuracy/run": ["trec6", "--only", "likelier"],
}


def main() -> int:
    """Exit code 1 if one of them failed."""
    options = _options()
    failed: list[str] = []
    left_out: list[str] = []
    for name in options.suites:
        report.tell(f"\n=== {name}")
        start = time.perf_counter()
        code = _run(name, SUITES[name] if options.quick else [])
        if code == NO_DATA:
            left_out.append(name)
        elif code:
            failed.append(name)
            report.tell(f"=== {name} failed with exit code {code}")
        report.tell(f"=== {name}: {time.perf_counter() - start:.0f} s")
    if not options.quick:
        failed += ["pages"] if _run("pages", []) else []
    if left_out:
        report.tell(f"left out, because their data is not there: {', '.join(left_out)}")
    if failed:
        report.tell(f"error: failed: {', '.join(failed)}; the others are done")
        report.tell(f"hint: make bench BENCH={failed[0]}")
    return 1 if failed else 0


def _run(name: str, options: list[str]) -> int:
    return subprocess.run([sys.executable, str(FOLDER / f"{name}.py"), *options]).returncode


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Run the benchmarks one after the other.")
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"all if none is given; {', '.join(SUITES)}")
    parser.add_argument("--quick", action="store_true", help="as little as shows that they run; a few minutes")
    options = parser.parse_args()
    unknown = [name for name in options.suites if name not in SUITES]
    if unknown:
        parser.error(f"{unknown[0]!r} is none of the suites: {', '.join(SUITES)}")
    options.suites = options.suites or list(SUITES)
    return options


if __name__ == "__main__":
    sys.exit(main())
