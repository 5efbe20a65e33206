"""How many instructions small pieces of work take: a guard against slower code that does not depend on the clock.

The example `workloads` of the kernel trains and classifies made-up texts, and valgrind counts. Two runs differ by some
thousandths, because hashes start from a random seed: 2 % more are too many. Another compiler, valgrind or C library
gives other counts, so that 15 % are allowed then.

    make instructions                 # compares with instructions.json
    make instructions ARGS=--store    # overwrites it, if the change is intended
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

FILE = Path(__file__).with_suffix(".json")
MANIFEST = FILE.parent.parent / "rust" / "Cargo.toml"
WORKLOADS = ("words", "pairs", "classify")
TOLERANCE, OTHER_VERSIONS = 0.02, 0.15
STORE = "make instructions ARGS=--store"


def main() -> int:
    """Prints each count beside the stored one; 1 if there is one that is too high."""
    options = _options()
    program = _build(options.locked)
    counts = {workload: _count(program, workload) for workload in WORKLOADS}
    if not all(count.pop("fast") for count in counts.values()):
        print(
            "The stored counts are those of a processor with AVX2, which this one does not have: nothing is compared."
        )
        return 0
    found = {"versions": _versions(), "counts": counts}
    if options.store:
        tolerances = {"tolerance": TOLERANCE, "tolerance_other_versions": OTHER_VERSIONS}
        FILE.write_text(json.dumps(found | tolerances, indent=2) + "\n", encoding="utf-8")
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    print(table(stored["counts"], found["counts"]))
    told, failed = verdict(stored, found)
    for line in told:
        print(line, file=sys.stderr)
    return int(failed)


def verdict(stored: Mapping[str, Any], found: Mapping[str, Any]) -> tuple[list[str], bool]:
    """What is to be said about the counts, and whether one is too high or cannot be compared.

    Other bytes read, or other findings, are other work.
    """
    others = [
        f"{name} {found['versions'].get(name)} in place of {version}"
        for name, version in stored["versions"].items()
        if found["versions"].get(name) != version
    ]
    allowed = stored["tolerance_other_versions" if others else "tolerance"]
    wrong, told, hints = [], [], []
    for name, count in found["counts"].items():
        before = stored["counts"].get(name)
        if before is None or (before["bytes"], before["found"]) != (count["bytes"], count["found"]):
            wrong.append(f"error: `{name}` is not the work whose instructions are stored, so nothing can be compared")
            continue
        change = count["instructions"] / before["instructions"] - 1
        if change > allowed:
            wrong.append(f"error: `{name}` takes {change:.1%} more instructions than stored; {allowed:.0%} are allowed")
            hints.append(f"hint: `callgrind_annotate rust/target/callgrind.out.{name}` says where they go")
        elif change < -allowed:
            told.append(f"`{name}` takes {-change:.1%} fewer instructions than stored. To hold that: {STORE}")
    if others:
        told.append(f"counted with {', '.join(others)}: {allowed:.0%} are allowed instead of {stored['tolerance']:.0%}")
    if wrong:
        hints.append(f"hint: if this is meant, store the new counts: {STORE}")
    return [*told, *wrong, *hints], bool(wrong)


def table(stored: Mapping[str, Mapping[str, int]], found: Mapping[str, Mapping[str, int]]) -> str:
    """Instructions now and as stored, and the change."""
    lines = [f"{'work':<10} {'instructions':>14} {'stored':>14} {'change':>8}"]
    for name, count in found.items():
        now, before = count["instructions"], stored.get(name, {}).get("instructions")
        compared = f"{before:>14,} {now / before - 1:>+8.2%}" if before else f"{'-':>14} {'-':>8}"
        lines.append(f"{name:<10} {now:>14,} {compared}")
    return "\n".join(lines)


# ---- counting --------------------------------------------------------------------------------------------------------


def _build(locked: bool) -> str:
    """The program, as the crate's release profile makes it, whatever flags the shell has."""
    command = ["cargo", "build", "--release", "--example", "workloads", "--manifest-path", str(MANIFEST)]
    command += ["--message-format", "json-render-diagnostics", "--quiet", *(["--locked"] if locked else [])]
    plain = {name: value for name, value in os.environ.items() if not name.endswith("RUSTFLAGS")}
    messages = subprocess.check_output(command, env=plain, text=True).splitlines()
    programs = [json.loads(message).get("executable") for message in messages]
    return next(program for program in programs if program)


def _count(program: str, workload: str) -> dict[str, Any]:
    """What the program says, and its instructions. The profile stays in the folder of the build."""
    profile = Path(program).parents[2] / f"callgrind.out.{workload}"
    counting = ["valgrind", "--quiet", "--tool=callgrind", "--toggle-collect=workloads::measured"]
    said = subprocess.check_output([*counting, f"--callgrind-out-file={profile}", program, workload], text=True)
    return {"instructions": total(profile.read_text(encoding="utf-8")), **json.loads(said)}


def total(profile: str) -> int:
    """The sum of a profile of callgrind, which is 0 if the function that is looked at was never entered."""
    found = re.search(r"^totals: (\d+)$", profile, re.MULTILINE)
    if found is None or int(found[1]) == 0:
        raise SystemExit("error: callgrind counted nothing. hint: is `workloads::measured` still called so?")
    return int(found[1])


def _versions() -> dict[str, str]:
    """What counts depend on beside the kernel."""
    rustc, valgrind = (subprocess.check_output([tool, "--version"], text=True) for tool in ("rustc", "valgrind"))
    return {
        "rustc": rustc.split()[1],
        "valgrind": valgrind.strip().removeprefix("valgrind-"),
        "libc": " ".join(platform.libc_ver()),
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Count the instructions of small pieces of work.")
    parser.add_argument("--store", action="store_true", help="write the counts instead of comparing them")
    parser.add_argument("--locked", action="store_true", help="build with the versions of Cargo.lock only")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
