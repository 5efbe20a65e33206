"""Mutated model files by the million: `python tests/storage/fuzz.py --runs 1000000 --seed 1`.

Memory is limited, so that a huge allocation shows. An input that fails is kept beside the place where it was made.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from storage import mutations

MEMORY = 4 << 30  # bytes of address space


def main() -> int:
    """Runs until all are done or one fails."""
    parser = argparse.ArgumentParser(description="Load mutated model files.")
    parser.add_argument("--runs", type=int, default=1_000_000, metavar="N")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--kind", choices=("plain", "columns", "both"), default="both", help="of models; both")
    parser.add_argument("--seconds", type=float, default=float("inf"), metavar="S", help="stop after so many")
    parser.add_argument(
        "--keep", type=Path, default=Path(tempfile.gettempdir()), metavar="DIR", help="for a failing one"
    )
    options = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    os.fsync = lambda file: None  # the files are not worth waiting for the disk
    return _run(options)


def _run(options: argparse.Namespace) -> int:
    mutator, codes, start = mutations.Mutator(options.seed, options.kind), Counter[str | None](), time.monotonic()
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        for run in range(options.runs):
            file = mutator.file()
            try:
                codes[mutations.check(file, Path(folder) / "x.likelier")] += 1
            except BaseException as error:
                kept = options.keep / f"failing-{options.seed}-{run}.likelier"
                kept.write_bytes(file)
                print(f"run {run}: {type(error).__name__}: {error}\nkept: {kept}", flush=True)
                raise
            if run % 10_000 == 9_999:
                print(f"{run + 1} runs, {(run + 1) / (time.monotonic() - start):.0f} a second", flush=True)
            if time.monotonic() - start > options.seconds:
                break
    print(f"{codes.total()} runs in {time.monotonic() - start:.0f} s, seed {options.seed}, none failed:")
    for code, times in codes.most_common():
        print(f"{times:>9}  {code or 'a model, the same when saved and loaded again'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
