"""The guard against slower code: which counts of instructions are too high, and what is said about them."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parents[1] / "benchmarks"


def script() -> ModuleType:
    spec = spec_from_file_location("benchmarks_instructions", FOLDER / "instructions.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


INSTRUCTIONS = script()
STORED = {
    "versions": {"rustc": "1.90.0", "valgrind": "3.19.0"},
    "counts": {"words": {"instructions": 1_000_000, "bytes": 400, "found": 50}},
    "tolerance": 0.02,
    "tolerance_other_versions": 0.15,
}


def found(instructions: int, rustc: str = "1.90.0", **words: int) -> dict[str, Any]:
    changed = deepcopy(STORED)
    changed["versions"]["rustc"] = rustc
    changed["counts"]["words"] |= {"instructions": instructions, **words}
    return changed


@pytest.mark.parametrize(
    ("instructions", "rustc", "failed"),
    [
        (1_019_000, "1.90.0", False),
        (1_021_000, "1.90.0", True),
        (500_000, "1.90.0", False),
        (1_149_000, "1.91.0", False),
        (1_151_000, "1.91.0", True),
    ],
)
def test_two_percent_more_are_allowed_and_fifteen_with_another_compiler(instructions, rustc, failed):
    assert INSTRUCTIONS.verdict(STORED, found(instructions, rustc))[1] is failed


def test_too_many_instructions_are_told_with_the_work_and_how_to_store_them():
    assert INSTRUCTIONS.verdict(STORED, found(1_043_000))[0] == [
        "error: `words` takes 4.3% more instructions than stored; 2% are allowed",
        "hint: `callgrind_annotate rust/target/callgrind.out.words` says where they go",
        "hint: if this is meant, store the new counts: make instructions ARGS=--store",
    ]


def test_another_compiler_is_told():
    told = ["counted with rustc 1.91.0 in place of 1.90.0: 15% are allowed instead of 2%"]
    assert INSTRUCTIONS.verdict(STORED, found(1_043_000, "1.91.0")) == (told, False)


def test_fewer_instructions_are_told_but_no_error():
    told = ["`words` takes 10.0% fewer instructions than stored. To hold that: make instructions ARGS=--store"]
    assert INSTRUCTIONS.verdict(STORED, found(900_000)) == (told, False)


@pytest.mark.parametrize("other", [{"bytes": 401}, {"found": 49}])
def test_counts_of_other_work_are_not_compared(other):
    told, failed = INSTRUCTIONS.verdict(STORED, found(1_000_000, **other))
    assert failed
    assert told[0] == "error: `words` is not the work whose instructions are stored, so nothing can be compared"


def test_work_that_is_not_stored_yet_is_an_error():
    new = found(1_000_000)
    new["counts"]["pairs"] = new["counts"]["words"]
    assert INSTRUCTIONS.verdict(STORED, new)[1]
    assert INSTRUCTIONS.table(STORED["counts"], new["counts"]).splitlines()[-1].split() == [
        "pairs",
        "1,000,000",
        "-",
        "-",
    ]


def test_the_sum_of_a_profile_is_read_and_nothing_counted_is_an_error():
    assert INSTRUCTIONS.total("events: Ir\nfn=(1)\n+3 7\ntotals: 1234\n") == 1234
    with pytest.raises(SystemExit, match="callgrind counted nothing"):
        INSTRUCTIONS.total("events: Ir\ntotals: 0\n")


def test_the_stored_counts_are_of_all_work():
    stored = json.loads((FOLDER / "instructions.json").read_text(encoding="utf-8"))
    assert tuple(stored["counts"]) == INSTRUCTIONS.WORKLOADS
    assert set(stored) == set(STORED)
