"""`likelier explain`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from likelier.cli.asking import check_not_files, one_text, warn_of_names
from likelier.cli.failures import Misuse
from likelier.cli.options import model_argument, screen_options, view_options
from likelier.cli.output import Screen, wants_color, written
from likelier.cli.program import command, option
from likelier.cli.targets import NewFile
from likelier.cli.viewing import ViewOptions

if TYPE_CHECKING:
    from likelier.explain import Explanation

FORMATS = ("terminal", "html", "latex", "json")
BY_SUFFIX = {".html": "html", ".htm": "html", ".tex": "latex", ".json": "json"}


@command(
    usage='MODEL ["TEXT"] [OPTIONS]',
    examples=[
        'likelier explain shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?" --output why.html',
        "likelier explain shop.likelier --mail < mail.eml",
    ],
)
@model_argument
@click.argument("texts", nargs=-1, metavar="[TEXT]")
@option("--mail", is_flag=True, group="Input", help="Standard input is one mail.")
@option("--encoding", default="utf-8", metavar="NAME", group="Input", help="Of standard input; without it, UTF-8.")
@option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    group="Output",
    help="terminal is the default; an --output file's name may say it.",
)
@option(
    "--output", "-o", type=NewFile("why.html"), metavar="FILE", group="Output", help="Write to a file, when complete."
)
@view_options
@screen_options
def explain(
    model: Path,
    texts: tuple[str, ...],
    mail: bool,
    encoding: str,
    form: str | None,
    output: Path | None,
    view: ViewOptions,
    screen: Screen,
) -> None:
    """Say why: the sum behind a verdict, item by item.

    Each row of the table adds to the score of each label; the bar says for which label it
    speaks. Without TEXT, standard input is the text. View options hold for this question
    only.
    """
    from likelier.cli.models import load

    if len(texts) > 1:
        raise Misuse(
            f"one text is explained at a time, got {len(texts)}",
            hint=f"put the text in quotes: likelier explain {model} {shlex.quote(' '.join(texts))}",
        )
    check_not_files(texts, f"likelier explain {model} < {{}}")
    warn_of_names(texts, screen)
    loaded = load(model)
    asked = one_text(texts, mail=mail, encoding=encoding, screen=screen, command=f"likelier explain {model}")
    explanation = view.of(loaded).explain(asked)
    form = form or (BY_SUFFIX.get(output.suffix.lower(), "terminal") if output else "terminal")
    with written(output) as file:
        color = wants_color(file, screen.color) if output is None else bool(screen.color)
        print(rendered(explanation, form, color=color, width=screen.width), file=file)


def rendered(explanation: Explanation, form: str, *, color: bool, width: int) -> str:
    """The explanation in one of the formats; HTML as a page of its own."""
    if form == "html":
        head = '<!doctype html>\n<html>\n<meta charset="utf-8">\n<title>likelier: explanation</title>\n'
        return f"{head}{explanation.to_html()}\n</html>"
    if form == "latex":
        return explanation.to_latex()
    if form == "json":
        return json.dumps(explanation.to_dict(), ensure_ascii=False, indent=2)
    return explanation.to_text(color=color, width=width)
