"""Speed of TextCounts against scikit-learn's CountVectorizer, on one core and on two. See README.md beside this file.

The words differ a little (likelier keeps one-letter words), so the matrices are first held equal on the same terms.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from sklearn.feature_extraction.text import CountVectorizer
from threadpoolctl import threadpool_limits

import corpora
import likelier as lk
import measure
import report
from environment import ROOT, environment
from likelier.sklearn import TextCounts

DATA = ROOT.parent / "shared" / "data" / "text"
RESULTS = Path(__file__).resolve().parent / "results"
REPEAT, QUICK_REPEAT = 5, 2
COMPARED = 2000  # texts


def main() -> int:
    """Checks that the matrices are equal, times both, prints the table and writes the result file."""
    options = _options()
    name = "imdb" if corpora.is_there(options.data) else "zipf"
    about = environment()  # first, so that the load average is not our own
    corpus = corpora.load(name, options.data, quick=options.quick)
    if not _agree(corpus.train.texts[:COMPARED]):
        report.tell("error: the matrices of likelier and scikit-learn differ, so nothing is timed")
        return 1
    with threadpool_limits(limits=1):
        timings = _timed(corpus, QUICK_REPEAT if options.quick else REPEAT)
    for row in report.as_json(timings):
        print(f"{row['task']:<14} {row['peer']:<22} {row['best']:.3f} s {row['ratio_best']:>6.1f}x")
    file = RESULTS / f"text-counts{'-quick' if options.quick else ''}.json"
    facts = {"name": name, "train": corpus.train.facts(), "test": corpus.test.facts()}
    report.write(file, {**about, "quick": options.quick, "corpus": facts, "timings": report.as_json(timings)})
    return 0


def _agree(texts: list[str]) -> bool:
    theirs = CountVectorizer(analyzer=lk.Analyzer().terms).fit_transform(texts)
    ours = TextCounts().fit_transform(texts)
    return bool(ours.shape == theirs.shape and not (ours != theirs).nnz)


def _timed(corpus: corpora.Corpus, repeat: int) -> list[measure.Timing]:
    """A B C A B C ...: all see the same disturbances."""
    peers = {report.OURS: (1, TextCounts(threads=1)), report.THEIRS: (1, CountVectorizer())}
    if measure.cores_allowed() >= 2:
        peers["likelier, 2 threads"] = (2, TextCounts(threads=2))
    sizes = {"fit_transform": corpus.train.megabytes, "transform": corpus.test.megabytes}
    timings = {
        (task, peer): measure.Timing(task, peer, threads, size)
        for task, size in sizes.items()
        for peer, (threads, _) in peers.items()
    }
    for repetition in range(repeat + 1):
        report.tell(f"repetition {repetition} of {repeat}" if repetition else "warming up")
        for peer, (threads, vectorizer) in peers.items():
            with measure.on_cores(threads):
                if not repetition:
                    vectorizer.fit_transform(corpus.train.texts[:COMPARED])
                    continue
                timings["fit_transform", peer].add(lambda each=vectorizer: each.fit_transform(corpus.train.texts))
                timings["transform", peer].add(lambda each=vectorizer: each.transform(corpus.test.texts))
    return list(timings.values())


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure TextCounts against CountVectorizer.")
    parser.add_argument("--quick", action="store_true", help="a small piece of the corpus: does it run?")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the movie reviews")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
