"""Whether the probabilities can be trusted: the reliability diagram, before and after calibration."""

from __future__ import annotations

from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.reliability import Reliability
from likelier._evaluate.report.charts import Words, reliability, side_by_side
from likelier._evaluate.report.tables import framed, note, section
from likelier._evaluate.report.words import number, percent, points, rate

READING = (
    "A point on the dashed line keeps its word: of documents said to be 90&nbsp;% sure, 90&nbsp;% are right."
    " Below the line the verdicts are too sure, above it too unsure. The bars below show how many documents"
    " stand behind each point; the upright lines, how far chance may have moved it."
)
FITTED = (
    "Where the calibration was fitted on these same documents, the figures after it are a little too good;"
    " documents that neither the model nor the calibration has seen tell how good they are elsewhere."
)


def calibration(figures: Figures, before: Figures | None) -> str:
    """The part of the page."""
    pairs = (
        [("Claimed and come true", figures)]
        if before is None
        else [("Before calibration", before), ("After calibration", figures)]
    )
    charts = {name: _chart(place, name, each.reliability) for place, (name, each) in enumerate(pairs)}
    return section(
        "calibration",
        "Can the probabilities be trusted?",
        f"<p>{_in_words(figures.reliability, None if before is None else before.reliability)}</p>",
        side_by_side(charts),
        note(READING if before is None else f"{READING} {FITTED}"),
        _losses(pairs),
        _details(pairs),
    )


def _in_words(now: Reliability, before: Reliability | None) -> str:
    gap = now.confidence - now.accuracy
    how = "too sure" if gap > 0 else "too unsure"
    claim = f"On average the verdicts claim {percent(now.confidence)} and are right in {percent(now.accuracy)}"
    words = f"{claim}{f': {how}' if abs(gap) >= 0.005 else ''}."
    if before is None:
        return f"{words} A claimed probability is off by {points(now.expected_error)} on average."
    change = f"from {points(before.expected_error)} to {points(now.expected_error)}"
    return f"{words} Calibration changes how far a claimed probability is off, on average, {change}."


def _chart(place: int, name: str, found: Reliability) -> str:
    words = Words(
        f"reliability-{place}",
        f"Reliability diagram: {name}",
        f"Claimed probability against the share that is right, in {len(found.bins)} bins."
        f" Expected calibration error {points(found.expected_error)}.",
        "claimed probability, %",
        "right, %",
    )
    return reliability(words, found.bins)


def _losses(pairs: list[tuple[str, Figures]]) -> str:
    rows = [
        ["expected calibration error", *(points(each.reliability.expected_error) for _, each in pairs)],
        ["largest calibration error", *(points(each.reliability.maximum_error) for _, each in pairs)],
        ["log loss", *(f"{each.log_loss.loss:.4f}" for _, each in pairs)],
        ["Brier score (0 to 2)", *(f"{each.brier:.4f}" for _, each in pairs)],
    ]
    impossible = [each.log_loss.impossible for _, each in pairs]
    if any(impossible):
        rows.append(["documents whose label had probability 0", *map(number, impossible)])
    names = [name if len(pairs) > 1 else "value" for name, _ in pairs]
    return framed(
        "How good the probabilities are; lower is better",
        ["figure", *names],
        rows,
        numbers=range(1, len(pairs) + 1),
    )


def _details(pairs: list[tuple[str, Figures]]) -> str:
    """The diagrams in numbers."""
    tables = []
    for name, each in pairs:
        rows = [
            [
                f"{percent(point.low)} to {percent(point.high)}",
                number(point.documents),
                rate(point.confidence),
                rate(point.accuracy),
                f"{percent(point.interval.low)} to {percent(point.interval.high)}",
            ]
            for point in each.reliability.bins
        ]
        heading = ["bin", "documents", "claimed", "right", "range"]
        caption = "The points of the diagram" + (f": {name}" if len(pairs) > 1 else "")
        tables.append(framed(caption, heading, rows, numbers={1, 2, 3, 4}))
    return "\n".join(['<details class="numbers">', "<summary>The diagram in numbers</summary>", *tables, "</details>"])
