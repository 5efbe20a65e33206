"""`likelier rule`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from likelier._answer import worked_rule
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import json_option, screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import Function, command, option
from likelier._cli.shared.targets import by_suffix, output_option, written
from likelier._show.html_words import page

BY_SUFFIX = {
    ".txt": "text",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".md": "markdown",
    ".csv": "csv",
    ".json": "json",
    ".svg": "svg",
}


def _probability(name: str, sign: str) -> Callable[[Function], Function]:
    return option(name, metavar="NUMBER", group="Probabilities", help=f"{sign}.")


def _count(name: str, what: str) -> Callable[[Function], Function]:
    return option(name, type=int, metavar="N", group="Counts", help=f"Number of cases {what}.")


@command(
    usage="[--names A B] (PROBABILITIES | COUNTS) [OPTIONS]",
    examples=[
        "likelier rule --prior 0.01 --likelihood 0.9 --likelihood-otherwise 0.05",
        "likelier rule --joint 4% --evidence 5%",
        "likelier rule --names positive amazing --count-a 35 --count-b 5 --count-both 4 --total 100",
        'likelier rule --names arthrosis "stiff joint" --prior 1/10000 --likelihood 80% --evidence 1/10 -o rule.tex',
    ],
)
@option("--names", nargs=2, default=("A", "B"), metavar="A B", group="Events", help="Names of the two events.")
@_probability("--prior", "P(A)")
@_probability("--likelihood", "P(B|A)")
@_probability("--likelihood-otherwise", "P(B|not A)")
@_probability("--evidence", "P(B)")
@_probability("--joint", "P(A and B)")
@_count("--count-a", "that are A")
@_count("--count-b", "that are B")
@_count("--count-both", "that are both")
@_count("--total", "in all")
@output_option("rule.html", BY_SUFFIX)
@option("--document", is_flag=True, group="Output", help="Write a complete LaTeX document.")
@json_option
@screen_options
def rule(
    names: tuple[str, str], output: Path | None, document: bool, as_json: bool, screen: Screen, **numbers: Any
) -> None:
    """Apply Bayes' rule to numbers, step by step.

    P(A|B) = P(B|A) P(A) / P(B): the probability of A given B. Probabilities are written 0.05,
    1/20 or 5%; every step is exact. Whatever follows from the given numbers is shown: in
    symbols, with numbers, and the result. The name of the --output file sets the format:
    text, HTML, LaTeX, Markdown, CSV, JSON or SVG.
    """
    form = _form(output, as_json, document)
    found = worked_rule.rule(names, **numbers)
    with written(output) as file:
        print(_rendered(found, form, screen.width, document), file=file)


def _form(output: Path | None, as_json: bool, document: bool) -> str:
    named = by_suffix(output, BY_SUFFIX, "")
    asked = ["json"] * as_json + ["latex"] * document
    if len({*asked, named} - {""}) > 1:
        raise Misuse(
            "--json and --document are mutually exclusive, and the --output file must have a name that fits",
            hint="--document --output rule.tex",
        )
    return next(iter(asked), named) or "text"


def _rendered(found: worked_rule.Rule, form: str, width: int, document: bool) -> str:
    forms: dict[str, Callable[[], str]] = {
        "text": lambda: found.to_text(width=width),
        "html": lambda: page(found.to_html(), title="Bayes' rule"),
        "latex": lambda: found.to_latex(document=document),
        "markdown": found.to_markdown,
        "csv": lambda: found.to_csv().rstrip("\n"),
        "json": lambda: json.dumps(found.to_dict(), ensure_ascii=False, allow_nan=False),
        "svg": found.to_svg,
    }
    return forms[form]()
