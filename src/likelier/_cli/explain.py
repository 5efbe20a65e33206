"""`likelier explain`."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from likelier._cli.asking import check_not_files, one_text, warn_of_names
from likelier._cli.documents import Asking, Document, argument, check_text_column, of_line, typed
from likelier._cli.failures import Misuse
from likelier._cli.options import max_document_option, model_argument, screen_options, view_options
from likelier._cli.output import Screen, painted, wants_color, written
from likelier._cli.program import command, option
from likelier._cli.targets import NewFile
from likelier._cli.viewing import ViewOptions

if TYPE_CHECKING:
    from likelier._documents.schema import Schema
    from likelier._explain.explanation import Explanation

FORMATS = ("terminal", "html", "latex", "json")
BY_SUFFIX = {".html": "html", ".htm": "html", ".tex": "latex", ".json": "json"}


@command(
    usage='MODEL ["TEXT" | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        'likelier explain shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?" --output why.html',
        "likelier explain tickets.likelier channel=phone days=9",
        "likelier explain shop.likelier --mail < mail.eml",
    ],
)
@model_argument
@click.argument("arguments", nargs=-1, metavar="[TEXT]")
@option("--mail", is_flag=True, group="Input", help="Standard input is one mail.")
@option("--encoding", default="utf-8", metavar="NAME", group="Input", help="Of standard input; without it, UTF-8.")
@max_document_option("Input")
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
    arguments: tuple[str, ...],
    mail: bool,
    encoding: str,
    max_document: str,
    form: str | None,
    output: Path | None,
    view: ViewOptions,
    screen: Screen,
) -> None:
    """Say why: the sum behind a verdict, item by item.

    Each row of the table adds to the score of each label; the bar says for which label it
    speaks. For a model with columns, COLUMN=VALUE arguments are together one document.
    Without arguments, standard input is the text, or a JSON object with columns. View
    options hold for this question only.
    """
    from likelier._cli.models import load

    loaded = load(model)
    asked = view.of(loaded)
    question = f"likelier explain {model}"
    given = {"encoding": encoding, "max_document": max_document}
    document = one_document(arguments, loaded.schema, mail=mail, screen=screen, command=question, **given)
    if loaded.schema.is_plain:
        explanation = asked.explain(document)
    else:
        batch = Asking(loaded.schema, screen).about([document], argument(1))
        explanation = asked.explain(batch)
    form = form or (BY_SUFFIX.get(output.suffix.lower(), "terminal") if output else "terminal")
    with written(output) as file:
        color = wants_color(file, screen.color) if output is None else bool(screen.color)
        shown = rendered(explanation, form, color=color, width=screen.width)
        print(shown, file=painted(file) if form == "terminal" else file)


def one_document(
    arguments: tuple[str, ...], schema: Schema, *, mail: bool, screen: Screen, command: str, **given: Any
) -> Document:
    """The document to explain: arguments, one mail, or standard input."""
    check_not_files(arguments, f"{command} < {{}}")
    documents = typed(arguments, schema, command)
    if len(documents) > 1:
        raise Misuse(
            f"one text is explained at a time, got {len(documents)}",
            hint=f"put the text in quotes: {command} {shlex.quote(' '.join(arguments))}",
        )
    if documents and isinstance(documents[0], dict):
        return documents[0]
    warn_of_names(arguments, screen)
    if mail:
        check_text_column(schema, "--mail", command)
    text = one_text(arguments, mail=mail, screen=screen, command=command, **given)
    return text if arguments or mail else of_line(text, schema, "standard input", command)


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
