"""Speed of likelier against scikit-learn, on one core. See README.md beside this file.

The table goes to stdout, progress to stderr, and all raw times to results/.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from threadpoolctl import threadpool_limits

import agreement
import corpora
import measure
import report
from environment import ROOT, environment
from peers import Likelier, Peer, ScikitLearn

DATA = ROOT.parent / "shared" / "data" / "text"
RESULTS = Path(__file__).resolve().parent / "results"
REPEAT, QUICK_REPEAT = 5, 3


def main() -> int:
    """Checks that both sides agree, times them, prints the table and writes the result file."""
    options = _options()
    name = options.corpus or ("imdb" if corpora.is_there(options.data) else "zipf")
    if name == "imdb" and not corpora.is_there(options.data):
        report.tell(f"error: {corpora.FILM_REVIEWS}.train.jsonl.gz and .test.jsonl.gz are not in {options.data}")
        report.tell("hint: --data DIR says where they are; --corpus zipf needs no files")
        return 2
    about = environment()  # first, so that the load average is not our own
    corpus = corpora.load(name, options.data, quick=options.quick)
    try:
        agreed = agreement.check(corpus)
    except agreement.Disagreement as error:
        report.tell(f"error: likelier and scikit-learn do not agree, so nothing is timed: {error}")
        return 1
    report.tell(f"agreed: vocabulary and counts are equal, log probabilities to {agreement.TOLERANCE:g}")
    timings = _timed(corpus, options.repeat or (QUICK_REPEAT if options.quick else REPEAT))
    train, test = corpus.train.facts(), corpus.test.facts()
    print(f"{name}: training {train['megabytes']:.1f} MB, classification {test['megabytes']:.1f} MB\n")
    print(report.table(timings))
    file = RESULTS / f"speed-{name}{'-quick' if options.quick else ''}.json"
    about_corpus = {"name": name, "seed": corpora.SEED, "train": train, "test": test}
    results = {"target": report.TARGET, "ratios": report.ratios(timings), "timings": report.as_json(timings)}
    report.write(file, {**about, "quick": options.quick, "corpus": about_corpus, "agreement": agreed, **results})
    report.tell(f"written: {file.relative_to(ROOT)}")
    return 0


def _timed(corpus: corpora.Corpus, repeat: int) -> list[measure.Timing]:
    peers: list[Peer] = [Likelier(), ScikitLearn()]
    if measure.cores_allowed() >= 2:
        peers.append(Likelier(threads=2))
    with threadpool_limits(limits=1):  # of the numerical libraries under NumPy and SciPy
        measure.warm_up(corpus, peers)
        return measure.side_by_side(corpus, peers, repeat, report.tell)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure likelier against scikit-learn on one core.")
    parser.add_argument("--quick", action="store_true", help="a small piece of the corpus: does it run?")
    parser.add_argument(
        "--repeat", type=_count, metavar="N", help=f"repetitions; {REPEAT}, or {QUICK_REPEAT} with --quick"
    )
    parser.add_argument("--corpus", choices=["imdb", "zipf"], help="film reviews if they are there, else made-up texts")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the film reviews")
    return parser.parse_args()


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"must be 1 or more, got {count}")
    return count


if __name__ == "__main__":
    sys.exit(main())
