"""`likelier explain`."""

from __future__ import annotations

import shlex
from datetime import date
from pathlib import Path
from typing import Any

import click

from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import max_document_option
from likelier._cli.shared.forms import Forms, form_options
from likelier._cli.shared.options import as_label, model_argument, screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.typed import Asking, TypedInput, argument, check_not_files, typed, warn_of_names
from likelier._cli.shared.view_options import ViewOptions, view_options
from likelier._explain.derivation import FORMS, Derivation
from likelier._explain.explanation import Explanation
from likelier._explain.sentences import decision
from likelier._model.models import load

OF_DERIVATIONS = ("markdown", "csv")


@command(
    usage='MODEL ["TEXT" | COLUMN=VALUE...] [OPTIONS]',
    examples=[
        'likelier explain shop.likelier "Where is my parcel?"',
        'likelier explain shop.likelier "Where is my parcel?" --output why.html',
        'likelier explain shop.likelier "Where is my parcel?" --against returns',
        "likelier explain tickets.likelier channel=phone days=9",
        "likelier explain shop.likelier --mail < mail.eml",
        'likelier explain shop.likelier "Where is my parcel?" --derivation --by odds',
        'likelier explain shop.likelier "Where is my parcel?" --derivation --document --output why.tex',
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
    "--against", metavar="LABEL", group="Output", help="Label to compare with: why not LABEL? Default: the runner-up."
)
@option("--full", is_flag=True, group="Output", help="Show fractions and the logarithms of each label too.")
@form_options("why.html")
@option(
    "--derivation", is_flag=True, group="Derivation", help="Show how the probabilities are calculated, step by step."
)
@option(
    "--by",
    type=click.Choice(FORMS),
    group="Derivation",
    help="Calculate by product, logs, ratios of two labels, or odds (their logarithms). Default: product.",
)
@option("--rounded", type=int, metavar="N", group="Derivation", help="Round every factor to N decimals, as by hand.")
@option(
    "--whole-vocabulary", is_flag=True, group="Derivation", help="Show the terms that the text lacks, with exponent 0."
)
@option(
    "--expanded",
    type=click.Path(path_type=Path),
    metavar="FILE",
    group="Derivation",
    help="Write counts out over the labeled documents in FILE, which the model was trained on.",
)
@view_options
@screen_options
def explain(
    model: Path,
    arguments: tuple[str, ...],
    mail: bool,
    encoding: str,
    max_document: str,
    against: str | None,
    full: bool,
    forms: Forms,
    derivation: bool,
    view: ViewOptions,
    screen: Screen,
    **options: Any,
) -> None:
    """Explain a classification: the evidence for each label, term by term.

    Each row of the table favors the most probable label or the one it is compared with; bar
    and number show how much. The rows add up to the log odds of the two, with the
    calibration as the last step. For a model with columns, COLUMN=VALUE arguments form one
    document. Without arguments, standard input is the text, or a JSON object with columns.
    View options apply to this command only and are not stored. With --derivation, the output
    is the calculation as on a board: in symbols, with numbers, and the result.
    """
    _check(
        forms.form,
        derivation,
        full,
        [name for name, value in options.items() if value is not None and value is not False],
    )
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
    text = question.document(arguments)
    plain = loaded.schema.is_plain
    asked_of = text if plain else Asking(loaded.schema, screen).about([text], argument(1))
    found: Explanation | Derivation
    found = explanation = asked.explain(asked_of, against=None if against is None else as_label(against, asked.labels))
    if derivation:
        labels = None if against is None else explanation.compared
        found = asked.derivation(asked_of, form=options.pop("by") or "product", labels=labels, **options)
    title = f"{decision(explanation, str)}: {'derived' if derivation else 'explained'} by {model.name}"
    below = f"{model.name}, {date.today():%Y-%m-%d}, likelier"
    forms.write(found, screen, title=title, below=below, **({"full": True} if full else {}))


def _check(form: str, derivation: bool, full: bool, options: list[str]) -> None:
    """Refuse options that do not fit together."""
    if not derivation and (options or form in OF_DERIVATIONS):
        named = f"--{options[0].replace('_', '-')}" if options else f"the format {form}"
        raise Misuse(f"{named} is for derivations", hint="add --derivation")
    if derivation and full:
        raise Misuse("--full and --derivation are mutually exclusive", hint="leave out --full: a derivation has it all")
