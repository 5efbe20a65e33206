"""Learning or forgetting one tweet and then classifying one, for models of ten thousand to ten million terms.

The models are made up: documents of a hundred words that no other document has, and of twenty frequent ones. A tweet
has twenty words, most of them frequent, some rare, one new. A time is that of `model.learn(tweet, label)` and
`view.classify(another)`, through a view that has answered before; then the tweet is forgotten, and another is asked.
The median counts. river learns and answers beside it; it cannot forget.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import likelier as lk
import measure
import peers
import report
import targets
from environment import environment

RESULTS = Path(__file__).resolve().parent / "results"
SIZES, QUICK_SIZES = (10_000, 100_000, 1_000_000, 10_000_000), (10_000, 50_000)
RIVER_SIZES = 1_000_000  # more takes minutes and gigabytes
MOST_ROUNDS, FEWEST_ROUNDS, SECONDS = 300, 5, 5.0
SEED = 20240601
FREQUENT, NEW_WORDS, FREQUENT_WORDS, TWEET_WORDS = 1_000, 100, 20, 20
WORDS_AND_PAIRS = "with bigrams and idf"
VIEWS: dict[str, dict[str, Any]] = {
    "multinomial": {"alpha": 1},
    "bernoulli": {"event": "bernoulli", "alpha": 1},
    "complement": {"event": "complement", "alpha": 1},
    WORDS_AND_PAIRS: {"alpha": 1, "ngrams": 2, "idf": True},
}
LABELS = ("first", "second")


class Different(Exception):
    """A verdict after a change is not that of a model which was trained so, so nothing may be compared."""


def main() -> int:
    """Measures every size, prints the table and writes the result file."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    others, left_out = peers.found(["river"])
    sizes = options.sizes or (QUICK_SIZES if options.quick else SIZES)
    rows: list[dict[str, Any]] = []
    try:
        with measure.on_cores(1):
            for size in sizes:
                rows += _likelier(size)
                rows += [_river(peer, size) for peer in others if size <= RIVER_SIZES]
    except Different as error:
        report.tell(f"error: {error}")
        return 1
    result = about | {"quick": options.quick, "seed": SEED, "left_out": left_out, "rows": rows}
    result["versions"] |= peers.versions(others)
    print("\n".join([table(rows), "", *targets.lines("change", result)]))
    file = RESULTS / f"change{'-quick' if options.quick or options.sizes else ''}.json"
    report.write(file, result | {"targets": targets.as_json("change", result)})
    return 0


# ---- what is learned and asked ---------------------------------------------------------------------------------------


def documents(words: int) -> Iterator[tuple[str, str]]:
    """Documents with this many distinct words in total."""
    random = np.random.default_rng(SEED)
    for start in range(0, words, NEW_WORDS):
        own = [f"w{number}" for number in range(start, min(start + NEW_WORDS, words))]
        common = [f"w{rank}" for rank in _ranks(random, FREQUENT, FREQUENT_WORDS)]
        yield " ".join(own + common), LABELS[int(random.integers(2))]


def tweets(words: int, number: int) -> list[str]:
    """Texts of twenty words."""
    random = np.random.default_rng(SEED + 1)
    found = []
    for place in range(number):
        frequent = _ranks(random, FREQUENT, TWEET_WORDS - 5)
        rare = random.integers(words, size=4).tolist()
        found.append(" ".join([*(f"w{rank}" for rank in [*frequent, *rare]), f"new{place}"]))
    return found


def _ranks(random: np.random.Generator, most: int, number: int) -> list[int]:
    """Low ones more often, as Zipf has it."""
    return (np.exp(random.random(number) * np.log(most)).astype(int) - 1).tolist()


# ---- measuring -------------------------------------------------------------------------------------------------------


def _likelier(size: int) -> list[dict[str, Any]]:
    rows = []
    for names in ([name for name in VIEWS if name != WORDS_AND_PAIRS], [WORDS_AND_PAIRS]):
        words = size // 2 if names == [WORDS_AND_PAIRS] else size  # there are about as many pairs
        given = VIEWS[names[0]] if names == [WORDS_AND_PAIRS] else "textbook"
        report.tell(f"training a model of {size:,} terms")
        model = lk.train(documents(words), view=given)
        for name in names:
            report.tell(f"{size:,} terms, {name}")
            rows.append({"peer": "likelier", "view": name, "terms": model.counts.vocabulary_size})
            rows[-1] |= _changed(model, VIEWS[name], words, check=size <= SIZES[0])
    return rows


def _changed(model: lk.Model, settings: dict[str, Any], words: int, check: bool) -> dict[str, Any]:
    view = model.textbook(**settings)
    texts = tweets(words, 2 * MOST_ROUNDS)
    view.classify_many(texts[:20])  # so that the view is one that is in use
    if check:
        _check(model, view, settings, texts[0], texts[1])

    def learn(place: int) -> None:
        model.learn(texts[2 * place], LABELS[place % 2])
        view.classify(texts[2 * place + 1])

    def forget(place: int) -> None:
        model.forget(texts[2 * place], LABELS[place % 2])
        view.classify(texts[2 * place + 1])

    return _timed({"learn": learn, "forget": forget})


def _check(model: lk.Model, view: lk.View, settings: dict[str, Any], learned: str, asked: str) -> None:
    """The view that has seen the change answers as a new one does; and learning and forgetting leaves nothing."""
    before = model.counts.digest()
    model.learn(learned, LABELS[0])
    used, new = (each.classify_many([asked]).log_scores for each in (view, model.textbook(**settings)))
    model.forget(learned, LABELS[0])
    if not np.array_equal(used, new):
        raise Different(f"after learning a text a view of {settings} answers {used}, a new one {new}")
    if model.counts.digest() != before:
        raise Different("learning and forgetting a text changed the counts")


def _river(peer: Any, size: int) -> dict[str, Any]:
    report.tell(f"{size:,} terms, river")
    model = peer.empty()
    for text, label in documents(size):
        model.learn_one(text, label)
    texts = tweets(size, 2 * MOST_ROUNDS)
    row = {"peer": peer.name, "view": "multinomial", "terms": size}

    def learn(place: int) -> None:
        model.learn_one(texts[2 * place], LABELS[place % 2])
        model.predict_proba_one(texts[2 * place + 1])

    return row | _timed({"learn": learn})


def _timed(works: dict[str, Callable[[int], None]]) -> dict[str, Any]:
    """Microseconds of each kind of work, one after the other in every round: the median, the best, the worst."""
    times: dict[str, list[float]] = {name: [] for name in works}
    gc.collect()
    gc.freeze()
    begin = time.perf_counter()
    for place in range(MOST_ROUNDS):
        for name, work in works.items():
            start = time.perf_counter()
            work(place)
            times[name].append((time.perf_counter() - start) * 1e6)
        if place + 1 >= FEWEST_ROUNDS and time.perf_counter() - begin > SECONDS:
            break
    gc.unfreeze()
    medians = {name: statistics.median(each) for name, each in times.items()}
    spread = {f"{name}_{of.__name__}": of(each) for name, each in times.items() for of in (min, max)}
    return medians | spread | {"rounds": place + 1}


# ---- for people ------------------------------------------------------------------------------------------------------


def table(rows: list[dict[str, Any]]) -> str:
    """Microseconds by size and view."""
    lines = [f"{'terms':>12}  {'':<10} {'view':<22} {'learn, µs':>12} {'forget, µs':>12}"]
    for row in rows:
        forget = f"{row['forget']:>12,.0f}" if "forget" in row else f"{'':>12}"
        lines.append(f"{row['terms']:>12,}  {row['peer']:<10} {row['view']:<22} {row['learn']:>12,.0f} {forget}")
    return "\n".join(lines)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure learning or forgetting one text, then classifying one.")
    parser.add_argument("--quick", action="store_true", help="small models: does it run?")
    parser.add_argument("--sizes", type=int, nargs="+", metavar="N", help="terms")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
