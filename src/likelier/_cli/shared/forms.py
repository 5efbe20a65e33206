"""Tables, derivations and rules in the form that is asked for: on the screen, or by the name of a file."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.options import option_group
from likelier._cli.shared.output import Screen, painted, wants_color
from likelier._cli.shared.program import option
from likelier._cli.shared.targets import NewFile, by_suffix, written
from likelier._show.html_words import page

BY_SUFFIX = {
    ".txt": "terminal",
    ".md": "markdown",
    ".html": "html",
    ".htm": "html",
    ".tex": "latex",
    ".csv": "csv",
    ".json": "json",
    ".svg": "svg",
}
FORMATS = tuple(dict.fromkeys(BY_SUFFIX.values()))


class OnBoard(Protocol):
    """What is shown in several forms; some have fewer, and what is asked of them is checked before."""

    def to_text(self, *, width: int, color: bool = False) -> str: ...
    def to_html(self) -> str: ...
    def to_latex(self, *, document: bool = False) -> str: ...
    def to_svg(self) -> str: ...


class Forms:
    """The form that is asked for, and where it goes."""

    def __init__(self, output: Path | None, form: str | None, document: bool) -> None:
        self.output, self.document = output, document
        self.form = form or by_suffix(output, BY_SUFFIX, "latex" if document else "terminal")
        if document and self.form != "latex":
            raise Misuse(
                f"--document makes a LaTeX document, and the format is {self.form}",
                hint="--document --output board.tex",
            )

    def write(self, found: OnBoard, screen: Screen, *, title: str, below: str = "", **given: bool) -> None:
        """Print it, or write it to the file.

        title, below: of a page
        given: what the forms for people take besides
        """
        with written(self.output) as file:
            color = wants_color(file, screen.color) if self.output is None else bool(screen.color)
            forms: dict[str, Callable[[], str]] = {
                "terminal": lambda: found.to_text(width=screen.width, color=color, **given),
                "html": lambda: page(found.to_html(**given), title=title, below=below),
                "latex": lambda: found.to_latex(document=self.document),
                "json": lambda: json.dumps(_values(found), ensure_ascii=False, allow_nan=False, indent=2),
                "svg": found.to_svg,
            }
            made = forms[self.form] if self.form in forms else getattr(found, f"to_{self.form}")
            print(made().rstrip("\n"), file=painted(file) if self.form == "terminal" else file)


def _values(found: Any) -> Any:
    """For JSON: what it says of itself, or else its rows."""
    return found.to_dict() if hasattr(found, "to_dict") else plain(found.rows())


def plain(value: Any) -> Any:
    """A value for JSON: fractions as they are written, infinity as a word.

    >>> plain([{"P(t|c)": Fraction(7, 22), "ratio": math.inf, "times": 2}])
    [{'P(t|c)': '7/22', 'ratio': 'infinity', 'times': 2}]
    """
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return "infinity" if value > 0 else "-infinity"
    return value


def form_options(example: str) -> Callable[[Any], Any]:
    """`--output`, `--format` and `--document`."""
    return option_group(
        "forms",
        lambda output, form, document: Forms(output, form, document),
        option(
            "--output",
            "-o",
            type=NewFile(example, formats=BY_SUFFIX),
            help="Write to FILE instead of stdout, once complete; its name sets the format:"
            " .txt, .md, .html, .tex, .csv, .json or .svg.",
        ),
        option("--format", "form", type=click.Choice(FORMATS), help="Output format. Default: by the name of FILE."),
        option("--document", is_flag=True, help="Write a complete LaTeX document, for pdflatex, xelatex or lualatex."),
        group="Output",
    )
