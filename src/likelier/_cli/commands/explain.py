"""`likelier explain`."""

from __future__ import annotations

import json
import shlex
from datetime import date
from pathlib import Path

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import max_document_option
from likelier._cli.shared.options import as_label, model_argument, screen_options
from likelier._cli.shared.output import Screen, painted, wants_color
from likelier._cli.shared.program import command, option
from likelier._cli.shared.targets import by_suffix, output_option, written
from likelier._cli.shared.typed import Asking, TypedInput, argument, check_not_files, typed, warn_of_names
from likelier._cli.shared.view_options import ViewOptions, view_options
from likelier._explain.explanation import Explanation
from likelier._explain.html import page
from likelier._explain.sentences import decision
from likelier._model.models import load

FORMATS = ("terminal", "html", "latex", "json")
BY_SUFFIX = {".html": "html", ".htm": "html", ".tex": "latex", ".json": "json", ".txt": "terminal"}


@command(
    usage='MODEL ["TEXT" | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        'likelier explain shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?" --output why.html',
        'likelier explain shop.likelier "Where is my parcel?" --against returns',
        "likelier explain tickets.likelier channel=phone days=9",
        "likelier explain shop.likelier --mail < mail.eml",
    ],
)
@model_argument
@click.argument("arguments", nargs=-1, metavar="[TEXT]")
@option("--mail", is_flag=True, group="Input", help="Read one email from standard input.")
@option(
    "--encoding", default="utf-8", metavar="NAME", group="Input", help="Encoding of standard input. Default: utf-8."
)
@max_document_option
@option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    group="Output",
    help="Output format. Default: by the name of the --output file, else terminal.",
)
@output_option("why.html", BY_SUFFIX)
@option(
    "--against", metavar="LABEL", group="Output", help="Label to compare with: why not LABEL? Default: the runner-up."
)
@option("--full", is_flag=True, group="Output", help="Show fractions and the logarithms of each label too.")
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
    against: str | None,
    full: bool,
    view: ViewOptions,
    screen: Screen,
) -> None:
    """Explain a classification: the evidence for each label, term by term.

    Each row of the table favors the most probable label or the one it is compared with; bar
    and number show how much. The rows add up to the log odds of the two, with the
    calibration as the last step. For a model with columns, COLUMN=VALUE arguments form one
    document. Without arguments, standard input is the text, or a JSON object with columns.
    View options apply to this command only and are not stored.
    """
    loaded = load(model)
    asked = view.of(loaded)
    question = TypedInput(loaded.schema, screen, f"likelier explain {model}", mail, encoding, max_document)
    check_not_files(arguments, f"{question.command} < {{}}")
    documents = typed(arguments, loaded.schema, question.command)
    if len(documents) > 1:
        raise Misuse(
            f"expected one text, got {len(documents)}",
            hint=f"put the text in quotes: {question.command} {shlex.quote(' '.join(arguments))}",
        )
    warn_of_names([each for each in documents if isinstance(each, str)], screen)
    document = question.document(arguments)
    plain = loaded.schema.is_plain
    asked_of = document if plain else Asking(loaded.schema, screen).about([document], argument(1))
    explanation = asked.explain(asked_of, against=None if against is None else as_label(against, asked.labels))
    form = form or by_suffix(output, BY_SUFFIX, "terminal")
    with written(output) as file:
        color = wants_color(file, screen.color) if output is None else bool(screen.color)
        print(
            _rendered(explanation, form, model, full=full, color=color, width=screen.width),
            file=painted(file) if form == "terminal" else file,
        )


def _rendered(explanation: Explanation, form: str, model: Path, *, full: bool, color: bool, width: int) -> str:
    """The explanation in one of the formats; HTML as a complete page."""
    if form == "html":
        title = f"{decision(explanation, str)}: explained by {model.name}"
        return page(explanation, title=title, below=f"{model.name}, {date.today():%Y-%m-%d}, likelier", full=full)
    if form == "latex":
        return explanation.to_latex()
    if form == "json":
        return json.dumps(explanation.to_dict(), ensure_ascii=False, indent=2)
    return explanation.to_text(color=color, width=width, full=full)
