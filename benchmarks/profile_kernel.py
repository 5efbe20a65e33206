"""Where the time of training and classifying goes, one step more in every line, on one core.

A step that names others does what they do, so the difference is about the cost of what it adds:

    pass           one look at every byte, by NumPy: what the memory allows
    encode         every text to UTF-8, by Python
    copy           the kernel, given as many bytes without a word: copying out of Python, looking for words
    number words   the kernel, told to drop every word: copy + cutting, lower case, a number for each word
                   (and one question to Python about all different words, which the steps below do not ask)
    count          the kernel's whole count: number words + tf and df of each label
    score          the kernel's scores against that table: number words + adding weights
    fingerprint    the same, with the ledger that is kept beside the counts
    train          `likelier.train`: count + fingerprint + checks in Python
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import numpy as np

import corpora
import likelier as lk
from corpora import DATA
from likelier._kernel import Analysis, Ledger, Table
from measure import on_cores

REPEAT = 5


def main() -> int:
    """Prints milliseconds and MB/s of each step, the best of several."""
    name = "imdb" if corpora.is_there(DATA) else "zipf"
    part = corpora.load(name, DATA, quick="--quick" in sys.argv[1:]).train
    megabytes = part.megabytes
    print(f"{name}: {megabytes:.1f} MB, best of {REPEAT}, one core")
    with on_cores(1):
        steps = _steps(part)
        rounds = [{step: _seconds(work) for step, work in steps.items()} for _ in range(REPEAT)]
    for step in steps:
        seconds = min(times[step] for times in rounds)
        print(f"{step:<14} {seconds * 1e3:>8.1f} ms {megabytes / seconds:>8.0f} MB/s")
    return 0


def _steps(part: corpora.Part) -> dict[str, Callable[[], object]]:
    texts, names = part.texts, sorted(set(part.labels))
    labels = np.array([names.index(label) for label in part.labels], dtype=np.uint32)
    everything = np.frombuffer("".join(texts).encode(), dtype=np.uint8)
    blank = [" " * len(text.encode()) for text in texts]
    plain, drop_all = _analysis(None), _analysis(lambda tokens: [None] * len(tokens))
    table = Table()
    table.count(texts, labels, None, plain, 1)
    rows, kept = np.ones((table.ids(), len(names))), np.ones(table.ids(), dtype=np.uint8)
    base = np.zeros((1, len(names)))
    return {
        "pass": everything.max,
        "encode": lambda: [text.encode() for text in texts],
        "copy": lambda: Table().count(blank, labels, None, plain, 1),
        "number words": lambda: Table().count(texts, labels, None, drop_all, 1),
        "count": lambda: Table().count(texts, labels, None, plain, 1),
        "score": lambda: table.score(texts, plain, rows, kept, base, False, 1),
        "fingerprint": lambda: Table().count(texts, labels, None, plain, 1, Ledger(), names, 1_000_000),
        "train": lambda: lk.train(texts=texts, labels=part.labels, view="textbook", threads=1),
    }


def _analysis(map_tokens: Callable[[list[str]], list[str | None]] | None) -> Analysis:
    """Single words in lower case, which is the default of likelier."""
    return Analysis(
        lowercase=True,
        keep_punctuation=False,
        words=True,
        ngrams=(1, 1),
        char_ngrams=None,
        phrases=[],
        map_tokens=map_tokens,
    )


def _seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


if __name__ == "__main__":
    sys.exit(main())
