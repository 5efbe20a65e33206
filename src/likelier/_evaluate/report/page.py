"""The whole page: all parts in their order, in one file.

It loads nothing, and its policy forbids it to: should a text from outside ever get through as HTML, it cannot run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from likelier._answer.calibration import NoCalibration
from likelier._base.version import VERSION
from likelier._evaluate.evaluation import Evaluation
from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.report.calibration import calibration
from likelier._evaluate.report.confusion import confusion
from likelier._evaluate.report.documents import MISTAKES, label_errors, mistakes
from likelier._evaluate.report.facts import facts
from likelier._evaluate.report.finding import finding
from likelier._evaluate.report.labels import labels
from likelier._evaluate.report.style import STYLE
from likelier._evaluate.report.summary import summary
from likelier._evaluate.report.terms import terms
from likelier._evaluate.report.tried import Tried, tried
from likelier._show.html_words import STYLE as EXPLANATION_STYLE
from likelier._show.html_words import cut, shown

POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
LONGEST_TITLE = 200
_PART = re.compile(r'<section id="([a-z-]+)">\n<h2>([^<]+)</h2>')


def report(
    evaluation: Evaluation,
    *,
    title: str,
    before: Evaluation | Figures | None = None,
    tried: Sequence[Tried | tuple[str, float | str, bool]] = (),
    tried_by: str = "figure",
    date: str | None = None,
) -> str:
    """The page of an evaluation as HTML; the same evaluation gives the same bytes.

    before: the same verdicts before calibration, to show what it changed; where the view is calibrated, it is known.
    tried: settings in words, what they reached, and whether they were chosen; `tried_by` names the figure.
    date: as it is to be shown; it is not looked up.
    """
    parts = _parts(evaluation, _uncalibrated(evaluation, before), _tried(tried, tried_by), date)
    name = shown(cut(title, LONGEST_TITLE)) or "Evaluation"
    kicker = "Evaluation" if date is None else f"Evaluation, <bdi>{shown(cut(date, LONGEST_TITLE))}</bdi>"
    lines = [
        *_head(name),
        '<body class="likelier report">',
        "<header>",
        f'<p class="kicker">{kicker}</p>',
        f'<h1 dir="auto">{name}</h1>',
        summary(evaluation.figures),
        "</header>",
        _contents(parts),
        "<main>",
        *parts,
        "</main>",
        f"<footer><p>{kicker}. Made with likelier {VERSION}.</p></footer>",
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


_tried = tried  # the argument of the same name hides it


def _uncalibrated(evaluation: Evaluation, before: Evaluation | Figures | None) -> Figures | None:
    if before is None and evaluation.view.settings.calibration != NoCalibration():
        before = evaluation.under(calibration=NoCalibration())
    return before.figures if isinstance(before, Evaluation) else before


def _parts(evaluation: Evaluation, before: Figures | None, settings: str, date: str | None) -> list[str]:
    figures, worst = evaluation.figures, evaluation.mistakes(MISTAKES)
    parts = [
        confusion(figures),
        labels(figures),
        calibration(figures, before),
        finding(figures),
        terms(evaluation),
        mistakes(worst),
        label_errors(evaluation, worst),
        settings,
        facts(evaluation, date),
    ]
    return [part for part in parts if part]


def _head(title: str) -> list[str]:
    return [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="color-scheme" content="light dark">',
        f'<meta name="generator" content="likelier {VERSION}">',
        '<link rel="icon" href="data:,">',  # or a browser asks for one
        f"<title>{title}</title>",
        f"<style>{EXPLANATION_STYLE}{STYLE}</style>",
        "</head>",
    ]


def _contents(parts: Sequence[str]) -> str:
    """Links to the parts."""
    found = [match.groups() for part in parts if (match := _PART.match(part))]
    links = "\n".join(f'<li><a href="#{name}">{heading}</a></li>' for name, heading in found)
    return f'<nav aria-label="Contents">\n<ul>\n{links}\n</ul>\n</nav>'
