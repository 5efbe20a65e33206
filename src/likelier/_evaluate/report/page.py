"""The page: the verdict in one sentence, the figures that matter most, all other parts in their order; and its file.

It loads nothing, and its policy forbids it to: should a text from outside ever get through as HTML, it cannot run.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from likelier._answer.calibration import NoCalibration
from likelier._base.errors import error
from likelier._base.files import replacing, write_all
from likelier._base.version import VERSION
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.metrics import Figures
from likelier._evaluate.figures.rendering import counted, number
from likelier._evaluate.report import details, quality
from likelier._evaluate.report.details import TriedRow
from likelier._evaluate.report.elements import percent, points
from likelier._show.html_words import STYLE, cut, named, shown

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
LONGEST_TITLE = 200
_PART = re.compile(r'<section id="([a-z-]+)">\n<h2>([^<]+)</h2>')


def report(
    evaluation: Evaluation,
    *,
    title: str,
    before: Evaluation | Figures | None = None,
    tried: Sequence[TriedRow | tuple[str, float | str, bool]] = (),
    tried_by: str = "figure",
    date: str | None = None,
) -> str:
    """The report of an evaluation as an HTML page; the same evaluation gives the same bytes.

    before: the same verdicts before calibration, to show what it changed; where the view is calibrated, it is known.
    tried: settings in words, what they reached, and whether they were chosen; `tried_by` names the figure.
    date: as it is to be shown; it is not looked up.

    >>> from likelier import train
    >>> messages = [
    ...     ("cheap watches", "spam"),
    ...     ("cheap pills", "spam"),
    ...     ("lunch today", "ham"),
    ...     ("lunch at noon", "ham"),
    ... ]
    >>> evaluation = train(messages).evaluate(messages)
    >>> report(evaluation, title="Mail")[:15]
    '<!doctype html>'
    """
    figures, worst = evaluation.figures, evaluation.mistakes(details.MISTAKES)
    parts = [
        quality.confusion(figures),
        quality.labels(figures),
        quality.calibration(figures, _uncalibrated(evaluation, before)),
        quality.curves(figures),
        details.terms(evaluation),
        details.mistakes(worst),
        details.label_errors(evaluation, worst),
        details.tried(tried, tried_by),
        details.facts(evaluation, date),
    ]
    name = shown(cut(title, LONGEST_TITLE)) or "Evaluation"
    kicker = "Evaluation" if date is None else f"Evaluation, <bdi>{shown(cut(date, LONGEST_TITLE))}</bdi>"
    links = [match.groups() for part in parts if (match := _PART.match(part))]
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="likelier {VERSION}">',
        '<link rel="icon" href="data:,">',  # or a browser asks for one
        f"<title>{name}</title>",
        f"<style>{STYLE}\n{files('likelier._evaluate.report').joinpath('style.css').read_text('utf-8')}</style>",
        "</head>",
        '<body class="likelier report">',
        "<header>",
        f'<p class="kicker">{kicker}</p>',
        f'<h1 dir="auto">{name}</h1>',
        *_summary(figures),
        "</header>",
        '<nav aria-label="Contents">\n<ul>',
        *(f'<li><a href="#{anchor}">{heading}</a></li>' for anchor, heading in links),
        "</ul>\n</nav>",
        "<main>",
        *filter(None, parts),
        "</main>",
        f"<footer><p>{kicker}. Made with likelier {VERSION}.</p></footer>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _uncalibrated(evaluation: Evaluation, before: Evaluation | Figures | None) -> Figures | None:
    if before is None and evaluation.view.settings.calibration != NoCalibration():
        before = evaluation.under(calibration=NoCalibration())
    return before.figures if isinstance(before, Evaluation) else before


# ---- summary -----------------------------------------------------------------------------------------------------


def _summary(figures: Figures) -> list[str]:
    """The sentence, a few remarks, and the tiles."""
    return [
        f'<p class="headline">{_sentence(figures)}</p>',
        f'<p class="lead">{" ".join(_remarks(figures))}</p>',
        '<dl class="tiles">',
        *(f"<div><dt>{name}</dt><dd><b>{figure}</b> {rest}</dd></div>" for name, figure, rest in _tiles(figures)),
        "</dl>",
    ]


def _sentence(figures: Figures) -> str:
    """How many documents get the right label, and what always giving the most frequent label would reach."""
    found, (always, share) = figures.accuracy, _always(figures)
    documents = counted(found.documents) + ("" if figures.weights is None else " (by weight)")
    verb = "gets" if found.documents == 1 else "get"
    low, high = (f"{bound * 100:.1f}" for bound in found.interval)
    words = f"{percent(found.share)} of {documents} {verb} the right label ({low} to {high})"
    if share:
        better = ", which is better" if share > found.share else ""
        words += f"; always saying {always} would be right for {percent(share)}{better}"
    return f"{words}."


def _always(figures: Figures) -> tuple[str, float]:
    """The label that most documents have, and their share; 0 where there is no other label."""
    index = figures.per_label.most_frequent(1)[0]
    share = float(figures.per_label.support[index]) / figures.accuracy.documents
    return named(figures.labels[index]), share if len(figures.labels) > 1 else 0.0


def _remarks(figures: Figures) -> Iterator[str]:
    """What else is worth knowing."""
    found = figures.accuracy
    yield f"The range in brackets is the {found.level * 100:g}&nbsp;% confidence interval."
    cells = [cell for cell in figures.confusion.mistakes() if cell.truth is not None and cell.decided is not None]
    if cells:
        worst = cells[0]
        pair = f"{named(worst.truth)} is taken for {named(worst.decided)}"
        yield f"The most frequent mistake: {pair} ({counted(worst.documents)})."
    recalls = [(one.recall, -one.support, one.label) for one in figures.per_label.all() if one.recall is not None]
    recall, _, label = min(recalls, key=lambda each: each[:2], default=(1.0, 0.0, ""))
    if len(recalls) > 1 and recall < 1:
        yield f"The label with the lowest recall is {named(label)}: {percent(recall)} of its documents get it."
    if found.without_label:
        yield f"{percent(found.without_label)} of the documents get no label."
    if found.unknown:
        yield f"{percent(found.unknown)} have a label that was not seen in training."


def _tiles(figures: Figures) -> Iterator[tuple[str, str, str]]:
    found, (always, share) = figures.accuracy, _always(figures)
    yield "accuracy", percent(found.share), f"{number(found.right)} of {number(found.documents)}"
    wrong = found.documents - found.right
    one_in = f"one in {found.documents / wrong:,.0f}" if 0 < 1.5 * wrong <= found.documents else "most of them"
    yield "wrong or no label", number(wrong), one_in if wrong else "none"
    if share:
        yield f"always {always}", percent(share), "the most frequent label"
        yield "F1, macro average", percent(figures.per_label.macro().f), "all labels count equally"
    yield "calibration error", points(figures.calibration_error), "on average"


# ---- file --------------------------------------------------------------------------------------------------------


def save_report(path: str | os.PathLike[str], evaluation: Evaluation, **given: Any) -> None:
    """Writes the report of an evaluation to a file, all or nothing; the other arguments are those of `report`.

    >>> from likelier import train
    >>> messages = [
    ...     ("cheap watches", "spam"),
    ...     ("cheap pills", "spam"),
    ...     ("lunch today", "ham"),
    ...     ("lunch at noon", "ham"),
    ... ]
    >>> evaluation = train(messages).evaluate(messages)
    >>> import tempfile
    >>> save_report(tempfile.mkdtemp() + "/report.html", evaluation, title="Mail")
    """
    page = report(evaluation, **given).encode("utf-8")
    target = Path(path)
    if not target.resolve().parent.is_dir():
        raise error("report-folder", target=target, missing=target.resolve().parent, folder=target.parent)
    try:
        with replacing(target) as file:
            write_all(file, page)
    except OSError as failure:
        raise error("report-write", target=target, reason=failure.strerror or failure) from failure
