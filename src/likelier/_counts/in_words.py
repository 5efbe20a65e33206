"""Counts in words: their size, and each label with its documents and what tells it from the others."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from likelier._counts.pruning import Pruned
from likelier._counts.term_counts import Number, TermCounts
from likelier._documents.labels import Label
from likelier._show.html_words import apart, in_section, named, shown
from likelier._show.layout import LABEL_CELLS
from likelier._show.table import Cell, Table
from likelier._show.words import counted, number

if TYPE_CHECKING:
    from likelier._counts.by_column import Counts

TELLING = 8  # terms to show per label
MOST_LABELS = 20  # with a row of their own
LONGEST_TERM = 40


def size_in_words(counts: Counts) -> str:
    """`240 documents, 6 labels, 910 terms, 2,900 tokens`, or `60 documents, 3 labels, 5 columns`."""
    size = f"{counted(sum(counts.documents_per_label.values()), 'document')}, {counted(len(counts.labels), 'label')}"
    if not counts.schema.is_plain:
        return f"{size}, {counted(len(counts.schema.columns), 'column')}"
    tokens = sum(counts.tokens_per_label.values())
    return f"{size}, {counted(counts.vocabulary_size, 'term')}, {number(tokens)} {'token' if tokens == 1 else 'tokens'}"


def pruned_in_words(pruned: Pruned) -> str:
    """What pruning dropped, and the error bound.

    >>> pruned_in_words(Pruned(terms=12, tokens=15, bound=2))
    '12 terms with 15 tokens; counts may be too low by at most 2'
    """
    tokens = f"{number(pruned.tokens)} {'token' if pruned.tokens == 1 else 'tokens'}"
    return f"{counted(pruned.terms, 'term')} with {tokens}; counts may be too low by at most {number(pruned.bound)}"


class Telling(Protocol):
    """A term that tells a label from the others, and how much."""

    @property
    def term(self) -> str: ...
    @property
    def telling(self) -> float: ...


def labels_table(
    counts: Counts | TermCounts,
    top_terms: Callable[[Label, int], Sequence[Telling]] | None = None,
    most: int | None = None,
    *,
    top: int = TELLING,
    what: str | None = None,
    prior: Callable[[Label], float] | None = None,
) -> Table:
    """Each label with its documents, their share, the tokens of a text, and the most telling terms.

    most: only the labels with the most documents.
    prior: the prior of a label, in place of its share.
    """
    documents, tokens = counts.documents_per_label, tokens_of(counts)
    total = sum(documents.values())

    def portion(label: Label) -> str:
        return _share(prior(label)) if prior else _share(float(documents[label] / total)) if total else ""

    rows = [
        (
            Cell(str(label), html=named(label)),
            number(documents[label]),
            portion(label),
            *([number(tokens[label])] if tokens else []),
            *([_terms(top_terms(label, top))] if top_terms else []),
        )
        for label in (documents if most is None else _largest(documents, most))
    ]
    heading = ("label", "documents", "prior" if prior else "share", *(["tokens"] if tokens else []))
    telling = [f"most telling {what or ('terms' if tokens else 'values')}"] if top_terms else []
    return Table(
        (*heading, *telling),
        rows,
        numbers=frozenset(range(1, len(heading))),
        limits=((0, LABEL_CELLS),),
        spare=tuple(range(len(heading) - 1, 1, -1)),
        height=1 if tokens else 3,
        notes=(f"... and {len(documents) - most:,} more labels",) if most and len(documents) > most else (),
    )


def _largest(documents: Mapping[Label, Number], most: int) -> list[Label]:
    return sorted(documents, key=lambda label: -documents[label])[:most]


def _terms(found: Sequence[Telling]) -> Cell:
    """The terms; in a page the more telling ones are marked more strongly."""
    strongest = max((each.telling for each in found), default=0) or 1
    marked = (
        f'<span class="for" style="--w:{max(each.telling, 0) / strongest:.2f}">{apart(each.term, LONGEST_TERM)}</span>'
        for each in found
    )
    terms = [each.term for each in found]
    return Cell(", ".join(terms), terms, html=" ".join(marked), attributes='class="flowing terms"')


def _share(part: float) -> str:
    """In percent; one above 0 is never shown as 0.0 %."""
    return "<0.1 %" if 0 < part < 0.0005 else f"{part:.1%}".replace("%", " %")


def tokens_of(counts: Counts | TermCounts) -> dict[Label, Number]:
    """The tokens of each label, of plain texts or one column; none of documents with columns."""
    return counts.tokens_per_label if isinstance(counts, TermCounts) or counts.schema.is_plain else {}


def to_html(counts: Counts) -> str:
    """What a notebook shows: the size, and the size of each label."""
    labels = f'<div class="wide">{labels_table(counts, most=MOST_LABELS).to_html()}</div>' if counts.labels else ""
    return in_section(title("Counts", size_in_words(counts)), labels)


def title(kind: str, size: str) -> str:
    """The first line of what a notebook shows."""
    return f'<p class="verdict"><strong>{kind}</strong>: {shown(size)}</p>'
