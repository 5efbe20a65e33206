"""How large the house is, and how often things are said: `python tools/house.py`, `--json` for a program.

Each figure is one that should be small: modules and lines, classes that are told apart by `isinstance`, settings and
names that stand in many places.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "likelier"
KINDS = (  # of counts, columns, values and parts of an estimate
    "Counts", "MixedCounts", "TermCounts", "ValueCounts", "NumericCounts", "StoredTable", "Text", "Categorical",
    "Binary", "Numeric", "Bound", "Kind", "Texts", "Choices", "Numbers", "Words", "ValuePart", "IntervalPart",
    "NormalPart", "Part",
)  # fmt: skip
SETTING = "min_count"  # one of them, for all
MAIN = ("Model", "View", "Counts", "Verdict", "Verdicts", "Explanation", "Evaluation", "Analyzer")


def figures() -> dict[str, int | str]:
    """All figures by name."""
    python = {path: path.read_text("utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    rust = [path.read_text("utf-8") for path in sorted((ROOT / "rust" / "src").rglob("*.rs"))]
    lengths = {path: text.count("\n") for path, text in python.items()}
    trees = {path: ast.parse(text) for path, text in python.items()}
    classes = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    calls = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    modules = [path.stem for path in python if path.stem not in ("__init__", "__main__")]
    everything = "\n".join(python.values())
    return {
        "Python modules": len(python),
        "Python lines": sum(lengths.values()),
        "Rust modules": len(rust),
        "Rust lines": sum(text.count("\n") for text in rust),
        "rooms (packages and modules at the top)": len(_top(python)),
        "modules under 50 lines": sum(length < 50 for length in lengths.values()),
        "modules over 300 lines": sum(length > 300 for length in lengths.values()),
        "isinstance on kinds of counts, columns, values, parts": sum(map(_asks_kind, calls)),
        "is_plain": len(re.findall(r"\bis_plain\b", everything)),
        "type: ignore": everything.count("type: ignore"),
        f"files with the setting {SETTING}": sum(SETTING in text for text in python.values()),
        f"lines with the setting {SETTING}": sum(SETTING in line for line in everything.splitlines()),
        "module names used more than once": _repeated(modules),
        "class names used more than once": _repeated(node.name for node in classes if not node.name.startswith("_")),
        **{f"public methods of {name}": _public(classes, name) for name in MAIN},
    }


def _top(python: Iterable[Path]) -> set[str]:
    first = {path.relative_to(PACKAGE).parts[0].removesuffix(".py") for path in python}
    return first - {"__init__", "__main__"}


def _asks_kind(call: ast.Call) -> bool:
    if not (isinstance(call.func, ast.Name) and call.func.id == "isinstance" and len(call.args) == 2):
        return False
    return any(isinstance(node, ast.Name) and node.id in KINDS for node in ast.walk(call.args[1]))


def _repeated(names: Iterable[str]) -> int:
    return sum(times > 1 for times in Counter(names).values())


def _public(classes: list[ast.ClassDef], name: str) -> int:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        {each.name for each in node.body if isinstance(each, functions) and not each.name.startswith("_")}
        for node in classes
        if node.name == name
    ]
    return max(map(len, found), default=0)


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    found = figures()
    if parser.parse_args().json:
        json.dump(found, sys.stdout, indent=2)
        print()
        return
    width = max(map(len, found))
    for name, number in found.items():
        print(f"{name:{width}}  {number:>7,}")


if __name__ == "__main__":
    main()
