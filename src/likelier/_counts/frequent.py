"""The words of texts, most frequent first: where stop words that are given as a number come from."""

from __future__ import annotations

import numpy as np

from likelier._counts.term_counts import TermCounts
from likelier._text.analyzer import Analyzer
from likelier._text.texts import Texts


def count_words(table: TermCounts, texts: Texts, analyzer: Analyzer, threads: int) -> None:
    """Counts words as they are in the texts."""
    table.count_texts(texts, table.label_ids([""] * len(texts)), None, analyzer.words_alone.analysis, threads)


def by_frequency(counts: TermCounts) -> list[str]:
    """The words, most frequent first; of equally frequent ones the first seen."""
    often = counts.snapshot.term_totals("tf")
    order = np.argsort(-often.astype(np.int64), kind="stable")
    return counts.table.texts(order.astype(np.uint32))
