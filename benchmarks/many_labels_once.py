"""The questions of many_labels.py in a process of its own: `python benchmarks/many_labels_once.py MODEL POSTINGS`.

Texts have twenty words: rare ones, middling ones, frequent ones, or all of them mixed. The cost of a text is fitted
as a fixed time plus a time per posting: per count of one of its words under one label.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import time

import numpy as np

import likelier as lk

SEED = 20240702
TEXTS, WORDS, BEFORE = 60, 20, 20  # texts of each kind
SECONDS = 60.0
BATCH = 200
MOST_MEMORY = 0.8  # of the machine's: rather an error than a machine that stands still

KINDS = {"rare": (0.8, 1.0), "middling": (0.45, 0.6), "frequent": (0.0, 0.3), "mixed": (0.0, 1.0)}  # of log rank


def main(model: str, postings_file: str) -> None:
    """Loads, asks, and prints the figures."""
    _limit_memory()
    postings = np.load(postings_file)
    view = lk.load(model).textbook(alpha=1)
    random = np.random.default_rng(SEED)
    found = _asked(view, _texts(len(postings), random), postings)
    kinds = {}
    for kind in KINDS:
        own = [(size, microseconds) for which, size, microseconds in found if which == kind]
        size, microseconds = np.median(own, axis=0).tolist()
        kinds[kind] = {"postings": size, "microseconds": microseconds, "texts": len(own)}
    fixed, slope = _line([(each["postings"], each["microseconds"]) for each in kinds.values()])
    figures = {"kinds": kinds, "fixed_microseconds": fixed, "nanoseconds_per_posting": slope * 1e3}
    print(json.dumps(figures | {"batch": _batch(view, postings, random)}))


def _texts(terms: int, random: np.random.Generator) -> list[tuple[str, np.ndarray]]:
    """Kinds and numbers of words, one kind after the other and again."""
    return [
        (kind, (np.exp(random.uniform(low, high, WORDS) * np.log(terms)) - 1).astype(int))
        for _ in range(TEXTS)
        for kind, (low, high) in KINDS.items()
    ]


def _asked(view: lk.View, texts: list[tuple[str, np.ndarray]], postings: np.ndarray) -> list[tuple[str, float, float]]:
    """Kind, postings and microseconds of each text; as many as there is time for."""
    found: list[tuple[str, float, float]] = []
    begin = time.perf_counter()
    for place, (kind, words) in enumerate(texts):
        text = _spelled(words)
        start = time.perf_counter()
        view.classify(text)
        seconds = time.perf_counter() - start
        if place >= BEFORE:
            found.append((kind, float(postings[np.unique(words)].sum()), seconds * 1e6))
        if len(found) >= len(KINDS) and time.perf_counter() - begin > SECONDS:
            break
    return found


def _batch(view: lk.View, postings: np.ndarray, random: np.random.Generator) -> dict[str, float]:
    words = (np.exp(random.random((BATCH, WORDS)) * np.log(len(postings))) - 1).astype(int)
    texts = [_spelled(each) for each in words]
    start = time.perf_counter()
    verdicts = view.classify_many(texts, threads=1)
    _ = verdicts.labels, verdicts.probabilities
    seconds = time.perf_counter() - start
    mean = float(np.mean([postings[np.unique(each)].sum() for each in words]))
    return {"texts": BATCH, "postings": mean, "microseconds": seconds / (BATCH) * 1e6}


def _spelled(words: np.ndarray) -> str:
    return " ".join(f"w{word}" for word in words.tolist())


def _line(points: list[tuple[float, float]]) -> tuple[float, float]:
    """Microseconds for nothing and for each posting: least squares on the medians of the kinds."""
    x, y = np.array(points).T
    slope, fixed = np.polyfit(x, y, 1) if len(set(x.tolist())) > 1 else (0.0, y.mean())
    return float(fixed), float(slope)


def _limit_memory() -> None:
    if hasattr(os, "sysconf"):
        most = int(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") * MOST_MEMORY)
        resource.setrlimit(resource.RLIMIT_AS, (most, most))


if __name__ == "__main__":
    main(*sys.argv[1:])
