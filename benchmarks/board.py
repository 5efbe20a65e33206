"""The tables of a lecture on a large corpus: seconds from a model to the table, and how large its HTML is.

No other program makes these tables, so there is no peer. The corpus is that of the film reviews, or a made-up one.
A view is new for every table, so that nothing is remembered; a table that must be cut is cut by default.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corpora
import likelier as lk
import report
from corpora import DATA
from environment import environment

REPEAT = 5
RESULT = Path(__file__).resolve().parent / "results" / "board.json"
VIEWS: dict[str, Callable[[lk.Model], lk.View]] = {
    "stored": lambda model: model.view(),
    "textbook": lambda model: model.textbook(),
    "bernoulli": lambda model: model.textbook(event="bernoulli"),
}
WORDS = 10_000  # of the longest text that is derived


def main() -> int:
    """Trains once, times every table under every view, and writes the result file."""
    options = _options()
    about = environment()
    name = "imdb" if corpora.is_there(options.data) and not options.quick else "zipf"
    part = corpora.load(name, options.data, quick=options.quick).train
    model = lk.train(part.texts, part.labels)
    rows = [_row(view, what, model, part, 1 if options.quick else REPEAT) for view in VIEWS for what in _tables(part)]
    print(lk.Table([*rows[0]], [list(row.values()) for row in rows], {2, 3}))
    if not (options.dry or options.quick):
        report.write(RESULT, {**about, "corpus": {"name": name, **part.facts()}, "rows": rows})
    return 0


def _tables(part: corpora.Part) -> dict[str, Callable[[lk.View], Any]]:
    long = " ".join(" ".join(part.texts[:200]).split()[:WORDS])
    return {
        "bag of words": lambda view: lk.bag_of_words(part.texts, part.labels, view.analyzer),
        "counts": lambda view: view.count_table(),
        "priors": lambda view: view.prior_table(),
        "likelihoods": lambda view: view.likelihood_table(before=True),
        "ratios": lambda view: view.ratio_table(*view.labels[:2]),
        f"derivation, {WORDS:,} words": lambda view: view.derivation(long),
    }


def _row(view: str, what: str, model: lk.Model, part: corpora.Part, repeat: int) -> dict[str, Any]:
    """The best of several, each from a new view."""
    make, times, size = _tables(part)[what], list[float](), 0
    for _ in range(repeat):
        start = time.perf_counter()
        size = len(make(VIEWS[view](model))._repr_html_())
        times.append(time.perf_counter() - start)
    return {"view": view, "table": what, "seconds": round(min(times), 4), "HTML": size}


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--quick", action="store_true", help="does it run? on a small corpus; writes nothing")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
