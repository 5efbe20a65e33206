"""Made-up texts whose labels are known: each label has words of its own among many that all labels share."""

from __future__ import annotations

import numpy as np

import likelier as lk


def made_up(
    count: int, seed: int = 0, labels: tuple[str, ...] = ("ham", "spam"), own: float = 0.3
) -> tuple[list[str], list[str]]:
    """Texts of twelve words and their labels; own: how often a word is one of the label's own."""
    random = np.random.default_rng(seed)
    truth = [labels[place] for place in random.integers(len(labels), size=count)]
    texts = []
    for label in truth:
        ranks = (np.exp(random.random(12) * np.log(400)) - 1).astype(int)  # few words are frequent
        is_own = random.random(12) < own
        texts.append(" ".join(f"{label if mine else 'any'}{rank}" for rank, mine in zip(ranks, is_own, strict=True)))
    return texts, truth


def answered(labeling: lk.Labeling, truth: list[str], count: int) -> lk.Labeling:
    """The labeling after so many right answers to what it asks."""
    for _ in range(count):
        (asked,) = labeling.next()
        labeling.answer(asked.place, truth[asked.place])
    return labeling
