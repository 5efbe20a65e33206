"""`likelier tables`."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import click

from likelier._board.bag import bag_of_words
from likelier._board.chances import FORMS
from likelier._board.joint import joint_table
from likelier._board.tables import MOST
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ColumnOptions, ReadingOptions, column_options, format_options
from likelier._cli.shared.forms import Forms, OnBoard, form_options
from likelier._cli.shared.options import Count, analyzer_options, as_label, option_group, screen_options
from likelier._cli.shared.output import Screen
from likelier._cli.shared.program import command, option
from likelier._cli.shared.progress import reported
from likelier._cli.shared.view_options import ViewOptions, train_view_options, view_given
from likelier._kernel import Column
from likelier._model.models import Model, load
from likelier._model.view import View
from likelier._read.reader import Documents
from likelier._show.cells import width
from likelier._show.table import Table
from likelier._storage.save_file import is_model
from likelier._text.analyzer import Analyzer
from likelier._text.texts import listed_texts
from likelier._train.trainer import train

KINDS = ("counts", "priors", "likelihoods", "ratios", "bag", "analysis", "joint")
OF_TEXTS = ("bag", "analysis", "joint")


class Shape(dict[str, Any]):
    """The options given about the table."""

    def some(self, *names: str) -> dict[str, Any]:
        """Those of these names that were given."""
        return {name: self[name] for name in names if name in self}


def _shape(**given: Any) -> Shape:
    return Shape(
        {name: value for name, value in given.items() if value is not None and value != () and value is not False}
    )


shape_options = option_group(
    "shape",
    _shape,
    option("--of", "labels", multiple=True, metavar="LABEL", help="Label to show; repeat it in the wanted order."),
    option("--term", "terms", multiple=True, metavar="TERM", help="Term to show; repeat it in the wanted order."),
    option("--most", type=Count(), help=f"Number of terms, the most frequent first. Default: {MOST}."),
    option("--all", "every", is_flag=True, help="Show all terms."),
    option(
        "--order",
        type=click.Choice(["first", "sorted", "frequent", "ratio"]),
        help="Order of terms. Default: as counted; for ratios the highest ratio first.",
    ),
    option(
        "--rows",
        "by",
        type=click.Choice(["label", "term"]),
        help="A row for each label, or for each term. Default: by size.",
    ),
    option("--form", "written", type=click.Choice(FORMS), help="How fractions are written. Default: worked."),
    option("--digits", type=Count(), help="Decimals. Default: 4."),
    option("--before", is_flag=True, help="Likelihoods: also without smoothing."),
    option(
        "--presence", is_flag=True, help="Bag of words: 1 and 0 instead of counts; counts: documents with the term."
    ),
    option("--column", metavar="COLUMN", help="Show one column of a model with several."),
    option("--pair", nargs=2, metavar="A B", help="joint: the two columns."),
    option(
        "--asked",
        multiple=True,
        metavar="VALUE",
        help="likelihoods of a numeric column: a number; joint: a value of each of the two columns.",
    ),
    option(
        "--rename",
        multiple=True,
        metavar="WORD=WORD",
        help="Another word in the heading, such as label=Klasse. Repeatable.",
    ),
    option("--caption", metavar="TEXT", help="Title of the table, in HTML and LaTeX."),
    group="Table",
)


@command(
    usage="MODEL_OR_FILE [KIND] [OPTIONS]",
    examples=[
        "likelier tables messages.tsv bag",
        "likelier tables shop.likelier counts --most 10",
        "likelier tables messages.tsv likelihoods --before --form steps",
        "likelier tables shop.likelier ratios --of delivery --of spam --output ratios.svg",
        "likelier tables messages.tsv likelihoods --document --output likelihoods.tex",
    ],
)
@click.argument("source", metavar="MODEL_OR_FILE")
@click.argument("table", type=click.Choice(KINDS), default="counts", metavar="[KIND]")
@shape_options
@form_options("table.html")
@column_options
@format_options
@analyzer_options
@train_view_options
@screen_options
def tables(
    source: str,
    table: str,
    shape: Shape,
    forms: Forms,
    columns: ColumnOptions,
    reading: ReadingOptions,
    analyzer: Analyzer,
    view: ViewOptions,
    screen: Screen,
) -> None:
    r"""Show the tables of a lecture: bag of words, counts, likelihoods, ratios.

    From a model, or from a file of labeled documents, which is counted for the textbook's
    view. The name of the --output file sets the format, and .svg draws a picture. KIND is
    one of

    \b
    counts       label by term: how often each was counted (the default)
    priors       P(c) of each label
    likelihoods  label by term: P(t|c) worked out; --before: without smoothing too
    ratios       two labels side by side: P(t|a), P(t|b), ratio, log ratio
    bag          document by term: the bag of words of a file
    analysis     how each text of a file becomes its terms, step by step
    joint        two columns of a file: joint probabilities against the product
    """
    _check(table, shape)
    if forms.form == "terminal":
        shape["room"] = screen.width
    if is_model(source):
        if table in OF_TEXTS:
            raise Misuse(
                f"{table} is a table of documents, and {source} is a model, which has their counts only",
                hint=f"likelier tables FILE {table}",
            )
        made = _of_view(view.of(load(source)), table, shape)
    else:
        documents = reading.with_columns(**_named(columns, shape)).documents((source,), labeled=table != "analysis")
        with reported(documents, reading, screen) as report:
            made = _of_file(documents, table, shape, columns, analyzer, view)
            report()
    named = dict(_renaming(each) for each in shape.get("rename", ()))
    shown: OnBoard = made.renamed(named, shape.get("caption")) if named or "caption" in shape else made
    forms.write(shown, screen, title=shape.get("caption", f"{table} of {source}"))


def _named(columns: ColumnOptions, shape: Shape) -> dict[str, Any]:
    """The columns by kind; two that are compared have values as they are written, and are not taken for yes and no."""
    given = columns.reading
    named = {name for names in given.values() if isinstance(names, list) for name in names}
    return {
        **given,
        "categorical": [*given["categorical"], *(each for each in shape.get("pair", ()) if each not in named)],
    }


def _check(kind: str, shape: Shape) -> None:
    """Refuse options that have no meaning for this table."""
    everywhere = {"rename", "caption"}
    of_terms = {"terms", "most", "every", "order"}
    fit = {
        "counts": {"labels", "by", "presence", "column"} | of_terms,
        "priors": {"labels", "written", "digits"},
        "likelihoods": {"labels", "by", "written", "digits", "before", "column", "asked"} | of_terms,
        "ratios": {"labels", "written", "digits", "column"} | of_terms,
        "bag": {"presence"} | of_terms,
        "analysis": set[str](),
        "joint": {"pair", "asked"},
    }[kind]
    names = {"labels": "of", "terms": "term", "every": "all", "by": "rows", "written": "form"}
    for name in shape:
        if name not in fit | everywhere:
            options = sorted(f"--{names.get(each, each)}" for each in fit)
            raise Misuse(
                f"--{names.get(name, name)} has no meaning for {kind}",
                hint=f"options of {kind}: {', '.join(options)}" if options else f"{kind} has no such options",
            )


def _renaming(text: str) -> tuple[str, str]:
    word, equals, other = text.partition("=")
    if not equals:
        raise Misuse(f"--rename takes WORD=WORD, got {text!r}", hint="--rename label=Klasse")
    return word, other


# ---- of documents ------------------------------------------------------------------------------------------------


def _of_file(
    documents: Documents, kind: str, shape: Shape, columns: ColumnOptions, analyzer: Analyzer, view: ViewOptions
) -> Table:
    if kind == "joint":
        return _joint(documents, shape)
    if kind in OF_TEXTS:
        texts, labels = _texts(documents, kind)
        return _bag(texts, labels, analyzer, shape) if kind == "bag" else analyzer.steps(texts)
    view = view_given(**{**view, "numbers": (*view.get("numbers", ()), *columns.numbers)})
    counted: Any = view.counted or "textbook"
    model = train(documents, bind=columns.bind, analyzer=analyzer, view=counted, ledger=False)
    return _of_view(_textbook(view, model), kind, shape)


def _textbook(view: ViewOptions, model: Model) -> View:
    return model.textbook(**view.settings(model.labels, model.settings))


def _texts(documents: Documents, kind: str) -> tuple[list[str], list[Any]]:
    """The texts of a file, and their labels."""
    texts: list[str] = []
    labels: list[Any] = []
    for batch in documents:
        found = [values for values in batch.columns.values() if hasattr(values, "texts")]
        if len(found) != 1:
            raise Misuse(f"{kind} needs one text column, and there are {len(found)}", hint="--text COLUMN names it")
        texts += listed_texts(found[0].texts)
        of = batch.labels.to_list() if isinstance(batch.labels, Column) else batch.labels
        labels += of or []
    return texts, labels


def _bag(texts: list[str], labels: list[Any], analyzer: Analyzer, shape: Shape) -> Table:
    given: dict[str, Any] = shape.some("terms", "most", "order")
    if shape.get("order") not in (None, "first", "sorted"):
        raise Misuse(f"the order of a bag of words is first or sorted, got {shape['order']}", hint="--order sorted")
    if "every" in shape:
        given["most"] = None
    return bag_of_words(texts, labels or None, analyzer, binary="presence" in shape, **given)


def _joint(documents: Documents, shape: Shape) -> Table:
    if "pair" not in shape:
        raise Misuse("joint needs two columns", hint="likelier tables FILE joint --pair A B")
    asked = shape.get("asked")
    if asked is not None and len(asked) != 2:
        raise Misuse(f"--asked takes a value of each of the two columns, got {len(asked)}", hint="--asked 1 --asked 0")
    return joint_table(documents, shape["pair"], asked=asked)


# ---- of a view ---------------------------------------------------------------------------------------------------


def _of_view(view: View, kind: str, shape: Shape) -> Table:
    given: dict[str, Any] = shape.some("terms", "most", "order", "by", "digits", "column")
    if "every" in shape:
        given["most"] = None
    if "written" in shape:
        given["form"] = shape["written"]
    labels = [as_label(each, view.labels) for each in shape.get("labels", ())]
    if kind == "ratios":
        return view.ratio_table(*_two(view, labels), **given)
    if given.get("order") == "ratio":
        raise Misuse(f"--order ratio has no meaning for {kind}", hint="--order frequent")
    given |= {"labels": labels} if labels else {}
    if kind == "priors":
        return view.prior_table(**given)
    if kind == "counts":
        return _fitted(partial(view.count_table, counts="df" if "presence" in shape else None), given, shape)
    return _fitted(partial(view.likelihood_table, before="before" in shape, **_asked(shape)), given, shape)


def _fitted(table: Callable[..., Table], given: dict[str, Any], shape: Shape) -> Table:
    """The table; where it is too wide for the screen, with a row for each term, unless --rows says otherwise."""
    found = table(**given)
    if "by" in shape or "room" not in shape or max(map(width, found.lines())) <= shape["room"]:
        return found
    return table(**given, by="term")


def _two(view: View, labels: list[Any]) -> list[Any]:
    if len(labels) == 2:
        return labels
    if not labels and len(view.labels) == 2:
        return list(view.labels)
    one, two = [*view.labels, "A", "B"][:2]
    raise Misuse(
        f"ratios compares two labels, got {len(labels) or len(view.labels)}",
        hint=f"--of {shlex.quote(str(one))} --of {shlex.quote(str(two))}",
    )


def _asked(shape: Shape) -> Mapping[str, Any]:
    if "asked" not in shape:
        return {}
    try:
        (asked,) = map(float, shape["asked"])
    except ValueError:
        raise Misuse(f"--asked takes one number here, got {' '.join(shape['asked'])}", hint="--asked 22") from None
    return {"asked": asked}
