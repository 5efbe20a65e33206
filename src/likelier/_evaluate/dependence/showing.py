"""Pairs that depend on each other as a table for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from likelier._counts.term_counts import Number
from likelier._evaluate.dependence.pair import Pair, shown
from likelier._evaluate.dependence.pairs import ColumnPair, TermPair
from likelier._show.cells import cut
from likelier._show.table import Table

NAME = 34  # most cells of a pair


def rendered(pairs: Sequence[Pair], documents: Number) -> str:
    """All pairs, columns and terms apart, and below what is best for the first."""
    if not pairs:
        return f"no pair in {shown(documents)} documents depends on each other beyond chance"
    columns = [pair for pair in pairs if isinstance(pair, ColumnPair)]
    terms = [pair for pair in pairs if isinstance(pair, TermPair)]
    blocks = [
        f"pairs that depend on each other although the label is known, in {shown(documents)} documents",
        _table(_COLUMNS, [_column_row(pair) for pair in columns]) if columns else "",
        _table(_TERMS, [_term_row(pair, len({pair.column for pair in terms}) > 1) for pair in terms]) if terms else "",
        _legend(pairs),
    ]
    return "\n\n".join(block for block in blocks if block)


_COLUMNS = ("columns", "bits", "chance", "shared", "double", "alone", "as is", "as one", "dropped", "best")
_TERMS = ("terms", "bits", "shared", "double", "both in", "side by side", "as is", "as one", "dropped", "best")


def _column_row(pair: ColumnPair) -> list[str]:
    return [
        f"{pair.first} + {pair.second}",
        f"{pair.bits:.4f}",
        f"{pair.expected / 0.6931471805599453:.4f}" if pair.beyond_chance else "noise",
        f"{pair.shared:.0%}",
        _signed(pair.double_count),
        shown(pair.changed),
        *_tried(pair),
    ]


def _term_row(pair: TermPair, with_column: bool) -> list[str]:
    name = f"{pair.first} + {pair.second}"
    return [
        f"{pair.column}: {name}" if with_column else name,
        f"{pair.bits:.4f}" if pair.beyond_chance else "noise",
        f"{pair.shared:.0%}",
        _signed(pair.double_count),
        shown(pair.together),
        shown(pair.side_by_side),
        *_tried(pair),
    ]


def _tried(pair: Pair) -> list[str]:
    """Right without and with the remedies, and the best of them."""
    trials = pair.trials
    dropped = pair.dropped
    right_now = None if trials is None or dropped is None else trials.right
    as_one = trials.as_one.right if trials and trials.as_one else None
    figures = [right_now, as_one, None if dropped is None else dropped.right]
    best = {"bind": "bind", "drop": f"drop {cut(pair.weaker, 16)}", "leave": "leave"}[pair.remedy]
    return ["-" if figure is None else shown(figure) for figure in figures] + [best]


def _signed(number: float | None) -> str:
    return "-" if number is None else f"{number:+.2f}"


def _table(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return str(Table(heading, rows, range(1, len(heading) - 1), limits=((0, NAME),)))


def _legend(pairs: Sequence[Pair]) -> str:
    """What the columns of the table mean."""
    trials = next((pair.trials for pair in pairs if pair.trials is not None and pair.dropped is not None), None)
    lines = [
        "bits: what one says about the other; shared: which part of it that is",
        "double: by how much the log-odds of the likeliest label are too high, because both count",
    ]
    if any(isinstance(pair, ColumnPair) for pair in pairs):
        lines += [
            "chance: bits that chance alone would give; noise: no more than that",
            "alone: documents in which the two, judged as one, decide otherwise than one by one",
        ]
    if trials is not None:
        lines += [f"as is, as one, dropped: documents in which the whole model is right,\n  {trials.how}"]
    return "\n".join(lines)
