"""The API reference, made of the docstrings: `python tools/api.py` writes docs/api.md, and a test compares it.

Each public name has its signature, its docstring and its example; the main classes also have a table of their members.
"""

from __future__ import annotations

import importlib
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any

PAGE = Path(__file__).parents[1] / "docs" / "api.md"
WIDTH = 106
LONGEST_DEFAULT = 24
IMPORTED = re.compile(r"^>>> from likelier import .*\n", re.MULTILINE)
FIELDS = re.compile(r"\w+(, \w+)*(: |  |\n    )")

GROUPS = {  # heading → the public names under it, in the order in which a reader needs them
    "Training and models": ["train", "Model", "load", "updating"],
    "Reading data": ["read", "Documents"],
    "Answers": ["View", "Verdict", "Verdicts", "Explanation"],
    "Labeling": ["Labeling"],
    "Evaluation": ["Evaluation", "report", "save_report", "dependence"],
    "Text": ["Analyzer"],
    "Columns": ["Schema", "Text", "Categorical", "Binary", "Numeric"],
    "Settings": ["Settings"],
    "Smoothing": ["Additive", "MEstimate", "JelinekMercer", "AbsoluteDiscounting"],
    "Numeric columns": ["Gaussian", "EqualWidth", "EqualFrequency", "ByInformation", "Cuts"],
    "Decisions": ["MostProbable", "Thresholds", "LeastCost"],
    "Calibration": ["NoCalibration", "Discount", "Temperature", "Platt", "TopLabel", "Isotonic"],
    "Counts and Bayes' rule": ["Counts", "rule", "Rule", "bayes_rule", "joint_table", "JointTable"],
    "Tables for a lecture": ["bag_of_words", "BagOfWords", "Table", "Derivation"],
    "Errors": [
        "LikelierError",
        "InputError",
        "SettingError",
        "LearningError",
        "FileError",
        "ServerError",
        "KernelError",
    ],
}
NOTES = {
    "Smoothing": (
        "Symbols: n is the count of a term under a label, N the sum of these counts, k the number of terms,\n"
        "u the number of terms seen under the label, q the share of the term in the whole corpus."
    )
}
OTHERS = {
    "likelier.sklearn": ["NaiveBayesClassifier", "TextCounts"],
    "likelier.demo": ["documents", "new_messages", "run"],
    "likelier.spark": ["train", "classify", "evaluate", "learn", "stream_learner"],
    "likelier.spark.ml": ["NaiveBayesClassifier", "NaiveBayesClassifierModel"],
}
MADE_ELSEWHERE = (
    "BagOfWords",
    "Derivation",
    "Documents",
    "Evaluation",
    "Explanation",
    "JointTable",
    "NaiveBayesClassifierModel",
    "Rule",
    "Table",
    "Verdict",
    "Verdicts",
)  # no user calls their constructor
WITH_MEMBERS = (
    "Analyzer", "Counts", "Derivation", "Documents", "Evaluation", "Explanation", "Labeling", "Model",
    "NaiveBayesClassifier", "Rule", "Schema", "Settings", "Table", "TextCounts", "Verdict", "Verdicts", "View",
)  # fmt: skip
FOR_OTHER_ROOMS = {  # members that have a public name inside likelier only
    "Analyzer": {
        "analysis",
        "changes_tokens",
        "counting",
        "is_open",
        "keeps_ngrams",
        "phrases",
        "settled",
        "with_ngrams",
        "words_alone",
    },
    "Counts": {"count"},
    "Documents": {"use"},
    "Explanation": {"event", "weighed"},
    "Model": {"count", "gate", "ledger"},
    "Settings": {"ngram_range", "scores_like"},
    "Verdict": {"most_probable"},
    "View": {"estimates", "gate"},
}

INTRODUCTION = """\
# API reference

Everything that can be imported from `likelier`, `likelier.spark`, `likelier.spark.ml`, `likelier.sklearn` and
`likelier.demo`. Other modules are private: their names begin with an underscore, and they can change at any time.
`python tools/api.py` makes this page from the docstrings, and the tests compare it and run its examples. They begin
with:

```pycon
>>> import numpy as np
>>> from likelier import *

```
"""


def page() -> str:
    """The page, in Markdown."""
    sections = [INTRODUCTION]
    for heading, names in GROUPS.items():
        notes = [f"{NOTES[heading]}\n"] if heading in NOTES else []
        sections += [f"## {heading}\n", *notes, *(_entry("likelier", name) for name in names)]
    for module, names in OTHERS.items():
        imports = f"```pycon\n>>> from {module} import {', '.join(names)}\n\n```\n"
        sections += [f"## {module}\n", imports, *(_entry(module, name) for name in names)]
    return "\n".join(sections)


def _entry(module: str, name: str) -> str:
    value = getattr(importlib.import_module(module), name)
    first, details, example = _parts(inspect.getdoc(value) or "")
    blocks = [f"### `{name}`"]
    if name not in MADE_ELSEWHERE:
        blocks.append(f"```python\n{_call(name, value)}\n```")
    blocks.append(_prose(first))
    blocks += [_detail(paragraph) for paragraph in details.split("\n\n") if paragraph]
    blocks.append(f"```pycon\n{example}\n\n```")
    members = _members(value) if name in WITH_MEMBERS else ()
    if rows := [f"| {_cell(call)} | {_prose(line, in_table=True)} |" for call, line in members]:
        blocks.append("\n".join(["| member | description |", "|---|---|", *rows]))
    return "\n\n".join(blocks) + "\n"


def _parts(docstring: str) -> tuple[str, str, str]:
    """The first line, the details and the example of a docstring."""
    text, prompt, example = docstring.partition(">>> ")
    first, _, details = text.strip().partition("\n")
    example = IMPORTED.sub("", prompt + example)  # the page begins with it
    return first, details.strip("\n").rstrip(), example.rstrip()


def _detail(paragraph: str) -> str:
    """Parameters and fields keep their lines, everything else is prose."""
    return f"```text\n{paragraph}\n```" if FIELDS.match(paragraph) else _prose(paragraph)


def _prose(line: str, *, in_table: bool = False) -> str:
    r"""Names in angle brackets and stars are no markup, pages are links, and `P(t|c)` does not end a cell."""
    line = re.sub(r"docs/([\w/-]+\.md)", r"[\1](\1)", line)
    line = re.sub(r"[<*](?=\w)", lambda found: "\\" + found[0], line)
    return line.replace("|", r"\|") if in_table else line


def _cell(call: str) -> str:
    return f"`{call}`".replace("|", r"\|")


def _call(name: str, function: Callable[..., Any]) -> str:
    """The call with all parameters and their defaults, in lines that are not too long."""
    lines = wrap(f"{name}({', '.join(_parameters(function))})", WIDTH, break_long_words=False, subsequent_indent="    ")
    return "\n".join(lines)


def _parameters(function: Callable[..., Any]) -> Iterator[str]:
    starred = False
    for each in inspect.signature(function).parameters.values():
        if each.name == "self" or each.name.startswith("_"):
            continue
        if each.kind is each.KEYWORD_ONLY and not starred:
            yield "*"
        starred = starred or each.kind in (each.KEYWORD_ONLY, each.VAR_POSITIONAL)
        stars = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        yield f"{stars}{each.name}" + ("" if each.default is each.empty else f"={_default(each.default)}")


def _default(value: object) -> str:
    shown = repr(value)
    return "..." if "<" in shown or len(shown) > LONGEST_DEFAULT else shown


def _members(kind: type) -> Iterator[tuple[str, str]]:
    """The methods and properties of a class that are explained, with the first line about each."""
    hidden = FOR_OTHER_ROOMS.get(kind.__name__, set())
    for name in dir(kind):
        member = inspect.getattr_static(kind, name)
        own = any(name in vars(base) for base in kind.__mro__ if base.__module__.startswith("likelier"))
        documented = inspect.getdoc(getattr(kind, name)) if callable(getattr(kind, name)) else inspect.getdoc(member)
        if name.startswith("_") or name in hidden or not own or not _is_explained(member) or not documented:
            continue
        value = getattr(kind, name)
        yield (_signature(name, value) if callable(value) else name), documented.partition("\n")[0]


def _is_explained(member: object) -> bool:
    """Whether this is a method or a property, and no plain value."""
    return callable(member) or isinstance(member, classmethod | staticmethod | property) or hasattr(member, "func")


def _signature(name: str, method: Callable[..., Any]) -> str:
    given = list(_parameters(method))
    return f"{name}({', '.join(given)})" if len(", ".join(given)) <= WIDTH - 30 else f"{name}({given[0]}, ...)"


def main() -> None:
    """Writes the page."""
    PAGE.write_text(page(), "utf-8")


if __name__ == "__main__":
    main()
