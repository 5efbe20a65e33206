"""THIRD-PARTY-LICENSES.txt: what is compiled into the kernel besides our own code, and under which licenses.

    python tools/licenses.py            writes the file
    python tools/licenses.py --check    fails if the file is not what would be written

The crates are those that cargo links for the platforms of the release workflow. Crates that only run while the kernel
is built, such as macros, are not among them. The texts are the files that the crates bring along, each printed once.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
NOTICE = ROOT / "THIRD-PARTY-LICENSES.txt"
CRATE = ["--manifest-path", str(ROOT / "rust" / "Cargo.toml"), "--locked", "--features", "python"]
PLATFORMS = {
    "Linux": ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"],
    "macOS": ["x86_64-apple-darwin", "aarch64-apple-darwin"],
    "Windows": ["x86_64-pc-windows-msvc"],
}
TEXTS = re.compile(r"(licen[sc]e|copying|copyright|notice|unlicense)([-._].*)?", re.IGNORECASE)
RULE = "-" * 100
HEAD = """\
Third-party software in the compiled kernel of likelier
=======================================================

likelier itself is under the Apache License 2.0, see LICENSE. Its compiled kernel, likelier/_kernel, also holds the
software below. The numbers lead to the texts at the end. `tools/licenses.py` makes this file from rust/Cargo.lock.

The Rust standard library, MIT OR Apache-2.0, copyright The Rust Project contributors, is in it too, with the crates
that it is made of: addr2line, adler2, cfg-if, gimli, hashbrown, libc, memchr, miniz_oxide, object, rustc-demangle and
std_detect, which are used under the Apache License 2.0 or the MIT license, and compiler_builtins, which is under the
MIT license and the Apache License 2.0 with the LLVM exception. On Linux so is the unwinder of the LLVM project, under
the Apache License 2.0 with the LLVM exception. The texts of both licenses are below.
"""


def cargo(*arguments: str) -> str:
    """What cargo prints."""
    return subprocess.run(["cargo", *arguments, *CRATE], check=True, stdout=subprocess.PIPE, text=True).stdout


def linked(target: str) -> set[tuple[str, str]]:
    """Name and version of every crate that is linked for a target."""
    edges = ["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"]
    lines = cargo("tree", "--target", target, *edges).splitlines()
    found = {(name, version.removeprefix("v")) for name, version, *_ in map(str.split, filter(None, lines))}
    return {crate for crate in found if crate[0] != "likelier-kernel"}


def platforms() -> dict[tuple[str, str], list[str]]:
    """Every crate, and the platforms for which it is linked."""
    of = {name: set[tuple[str, str]]().union(*map(linked, targets)) for name, targets in PLATFORMS.items()}
    return {crate: [name for name in of if crate in of[name]] for crate in sorted(set().union(*of.values()))}


def packages() -> dict[tuple[str, str], dict[str, Any]]:
    """What cargo knows of every crate."""
    found = json.loads(cargo("metadata", "--format-version", "1"))["packages"]
    return {(package["name"], package["version"]): package for package in found}


def texts(package: dict[str, Any]) -> list[str]:
    """The license texts that a crate brings along, also those of the C code in it."""
    folder = Path(package["manifest_path"]).parent
    files = [path for path in sorted(folder.rglob("*")) if path.is_file() and TEXTS.fullmatch(path.name)]
    if not files:
        raise SystemExit(f"error: {package['name']} {package['version']} brings no license text along")
    lines = (path.read_text("utf-8").splitlines() for path in files)
    return ["\n".join(line.rstrip() for line in each).strip("\n\ufeff") for each in lines]


def notice() -> str:
    """The whole file."""
    known = packages()
    numbers: dict[str, int] = {}
    printed: list[str] = []
    rows = []
    for crate, where in platforms().items():
        own = set()
        for text in texts(known[crate]):
            number = numbers.setdefault(" ".join(text.split()), len(numbers) + 1)
            own.add(number)
            if number > len(printed):
                printed.append(text)
        only = "" if len(where) == len(PLATFORMS) else f" ({' and '.join(where)} only)"
        marks = "".join(f"[{number}]" for number in sorted(own))
        rows.append(f"{' '.join(crate):30} {known[crate]['license']}{only} {marks}")
    ends = (f"{RULE}\n[{number}]\n\n{text}\n" for number, text in enumerate(printed, 1))
    return "\n".join([HEAD, *rows, "", *ends])


def main() -> None:
    """Writes the file, or looks whether it is up to date."""
    made = notice()
    if "--check" not in sys.argv[1:]:
        NOTICE.write_text(made, "utf-8")
    elif not NOTICE.exists() or NOTICE.read_text("utf-8") != made:
        raise SystemExit(f"error: {NOTICE.name} is not up to date\nhint: python tools/licenses.py")


if __name__ == "__main__":
    main()
