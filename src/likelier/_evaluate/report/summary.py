"""The top of the page: the verdict in one sentence, what else is worth knowing, and the figures that matter most."""

from __future__ import annotations

from likelier._documents.labels import Label
from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.report.words import counted, number, percent, points
from likelier._show.html_words import named


def summary(figures: Figures) -> str:
    """The sentence, a few more, and the tiles."""
    remarks = [_certainty(figures), _frequent_mistake(figures), _weakest(figures), _unlabelled(figures)]
    return "\n".join(
        [
            f'<p class="headline">{sentence(figures)}</p>',
            f'<p class="lead">{" ".join(filter(None, remarks))}</p>',
            '<dl class="tiles">',
            *(f"<div><dt>{name}</dt><dd><b>{figure}</b> {rest}</dd></div>" for name, figure, rest in _tiles(figures)),
            "</dl>",
        ]
    )


def sentence(figures: Figures) -> str:
    """The verdict: how many documents get the right label, and what always giving the same label would reach."""
    found = figures.accuracy
    documents = counted(found.documents) + ("" if figures.weights is None else " (by weight)")
    verb = "gets" if found.documents == 1 else "get"
    low, high = (f"{bound * 100:.1f}" for bound in found.interval)
    return f"{percent(found.share)} of {documents} {verb} the right label ({low} to {high}){_always(figures)}."


def _always(figures: Figures) -> str:
    label, share = most_frequent(figures)
    if len(figures.labels) < 2 or not share:
        return ""
    better = ", which is better" if share > figures.accuracy.share else ""
    return f"; always saying {named(label)} would be right for {percent(share)}{better}"


def most_frequent(figures: Figures) -> tuple[Label, float]:
    """The label that most documents have, and their share."""
    support = figures.per_label.support
    column = int(support.argmax())
    return figures.labels[column], float(support[column]) / figures.accuracy.documents


# ---- what else is worth knowing ----------------------------------------------------------------------------------


def _certainty(figures: Figures) -> str:
    return (
        "The range in brackets is where the share lies among all documents of this kind,"
        f" with {figures.level * 100:g}&nbsp;% certainty."
    )


def _frequent_mistake(figures: Figures) -> str:
    cells = [cell for cell in figures.confusion.mistakes() if cell.truth is not None and cell.decided is not None]
    if not cells:
        return ""
    worst = cells[0]
    return (
        f"The most frequent mistake: {named(worst.truth)} is taken for {named(worst.decided)}"
        f" ({counted(worst.documents)})."
    )


def _weakest(figures: Figures) -> str:
    """The label that is found least often."""
    there = [one for one in figures.per_label.all() if one.recall is not None]
    if len(there) < 2:
        return ""
    weakest = min(there, key=lambda one: (one.recall, -one.support))
    if weakest.recall == 1:
        return ""
    found = percent(weakest.recall or 0.0)
    return f"The label that is missed most is {named(weakest.label)}: {found} of its documents get it."


def _unlabelled(figures: Figures) -> str:
    found = figures.accuracy
    return " ".join(
        [
            *([f"{percent(found.without_label)} of the documents get no label."] if found.without_label else []),
            *([f"{percent(found.unknown)} have a label that the model never learnt."] if found.unknown else []),
        ]
    )


# ---- tiles -------------------------------------------------------------------------------------------------------


def _tiles(figures: Figures) -> list[tuple[str, str, str]]:
    found = figures.accuracy
    wrong = found.documents - found.right
    tiles = [("right label", percent(found.share), f"{number(found.right)} of {number(found.documents)}")]
    tiles.append(("wrong or no label", number(wrong), _one_in(found.documents, wrong)))
    label, share = most_frequent(figures)
    if len(figures.labels) > 1 and share:
        tiles.append((f"always {named(label)}", percent(share), "the simplest guess"))
        f1 = figures.per_label.macro().f
        tiles += [("F1, mean over labels", percent(f1), "small labels count like large ones")] if f1 is not None else []
    gap = figures.calibration_error
    tiles.append(("probabilities are off by", points(gap), "on average"))
    return tiles


def _one_in(documents: float, wrong: float) -> str:
    return "none" if not wrong else f"one in {documents / wrong:,.0f}" if documents >= 1.5 * wrong else "most of them"
