"""Speed against the peers: training, classifying many texts, classifying one. See README.md beside this file.

The table goes to stdout, progress to stderr, and all raw times to results/speed-<corpus>.json.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

import agreement
import corpora
import likelier as lk
import measure
import peers
import report
import targets
from agreement_of_others import check_others
from environment import environment
from peers import CLASSIFY, ONE_TEXT, PAIRS, TASKS, WORDS, Likelier, Peer, ScikitLearn

RESULTS = Path(__file__).resolve().parent / "results"
REPEAT, QUICK_REPEAT = 5, 2
CHARACTERS = 140
ASKED, QUICK_ASKED = 300, 50  # texts, one after the other
ASKED_BEFORE = 1_000  # which are not timed: a program that answers single texts has been running for a second


def main() -> int:
    """Checks that all sides agree, times them, prints a table and writes a result file for each corpus."""
    options = _options()
    there = [name for name in corpora.NAMES if corpora.is_there(options.data, name)]
    names = options.corpus or (there[:1] if options.quick else there)
    missing = [name for name in names if not corpora.is_there(options.data, name)]
    if missing:
        report.tell(f"error: {corpora.SETS[missing[0]]} is not in {options.data} (as .jsonl.gz)")
        report.tell("hint: --data DIR says where it is; --corpus zipf needs no files")
        return 2
    about = environment()  # first, so that the load average is not our own
    with measure.on_cores(min(2, measure.cores_allowed())):  # a Java machine stays where it was started
        others, left_out = peers.found(options.peers)
    for name, reason in left_out.items():
        report.tell(f"left out: {name}: {reason}")
    try:
        for name in names:
            _corpus(name, [*_main_peers(), *others], about | {"left_out": left_out}, options)
    except agreement.Disagreement as error:
        report.tell(f"error: not all sides agree, so nothing is timed: {error}")
        return 1
    finally:
        for peer in others:
            peer.stop()
    return 0


def _main_peers() -> list[Peer]:
    return [Likelier(), ScikitLearn(), *([Likelier(threads=2)] if measure.cores_allowed() >= 2 else [])]


def _corpus(name: str, sides: list[Peer], about: dict[str, Any], options: argparse.Namespace) -> None:
    corpus = corpora.load(name, options.data, quick=options.quick, megabytes=options.megabytes)
    agreed = {"scikit-learn": agreement.check(corpus), "bigrams": agreement.check(corpus, lk.Analyzer(ngrams=2))}
    agreed |= check_others(corpus, sides[len(_main_peers()) :])
    report.tell(f"{name}: agreed: vocabulary and counts are equal, log probabilities to {agreement.TOLERANCE:g}")
    bench = Bench(corpus, sides, QUICK_ASKED if options.quick else ASKED)
    with threadpool_limits(limits=1):  # of the numerical libraries under NumPy and SciPy
        timings = bench.timed(options.repeat or (QUICK_REPEAT if options.quick else REPEAT))
    train, test = corpus.train.facts(), corpus.test.facts()
    labels = len(set(corpus.train.labels))
    print(f"{name}: training {train['megabytes']:.1f} MB, classification {test['megabytes']:.1f} MB, {labels} labels\n")
    print(report.table(timings))
    about["versions"] |= peers.versions(sides)
    about |= {"quick": options.quick, "agreement": agreed, "peers": _facts(sides, labels)}
    about |= {"corpus": {"name": name, "seed": corpora.SEED, "labels": labels, "train": train, "test": test}}
    result = about | {"timings": report.as_json(timings)}
    print("\n".join(["", *targets.lines("speed", result), ""]), flush=True)
    file = RESULTS / f"speed-{name}{'-quick' if options.quick or options.megabytes else ''}.json"
    report.write(file, result | {"targets": targets.as_json("speed", result)})


def _facts(sides: Sequence[Peer], labels: int) -> dict[str, dict[str, object]]:
    return {
        peer.name: {
            "definition": peer.definition,
            "verdicts_must_agree": peer.same,
            "sample": _sample(peer.sample(labels)),
        }
        for peer in sides
    }


def _sample(megabytes: float | None) -> str | None:
    return None if megabytes is None else f"timed on {megabytes:.2g} MB at most, speed taken to be the same on more"


class Bench:
    """One corpus and all sides: A B C A B C ... in each task."""

    def __init__(self, corpus: corpora.Corpus, sides: Sequence[Peer], asked: int) -> None:
        """Brings the texts into the forms that the peers ask for."""
        self.sides = sides
        self.timings: dict[tuple[str, str], measure.Timing] = {}
        self.given: dict[tuple[str, str], Any] = {}
        labels = len(set(corpus.train.labels))
        short = short_texts(corpus.test.texts, asked + ASKED_BEFORE)
        for peer in sides:
            train, test = (part.about(peer.sample(labels)) for part in (corpus.train, corpus.test))
            self._plan(peer, WORDS, peer.prepare(train), train.megabytes)
            if PAIRS in peer.tasks:
                self._plan(peer, PAIRS, self.given[WORDS, peer.name], train.megabytes)
            if CLASSIFY in peer.tasks:
                self._plan(peer, CLASSIFY, peer.prepare_texts(test.texts), test.megabytes)
            if ONE_TEXT in peer.tasks:
                size = sum(len(text.encode()) for text in short[ASKED_BEFORE:]) / 1e6
                self._plan(peer, ONE_TEXT, short, size, asked)

    def _plan(self, peer: Peer, task: str, given: Any, megabytes: float, texts: int = 0) -> None:
        self.given[task, peer.name] = given
        self.timings[task, peer.name] = measure.Timing(task, peer.name, peer.threads, megabytes, texts)

    def timed(self, repeat: int) -> list[measure.Timing]:
        """All timings, by task. The first round is not timed where imports and first calls are part of it."""
        self._warm_up()
        for repetition in range(repeat):
            report.tell(f"repetition {repetition + 1} of {repeat}")
            models: dict[str, Any] = {}
            for task in TASKS:
                for peer in self.sides:
                    if task in peer.tasks:
                        with measure.on_cores(peer.threads):
                            self._run(task, peer, models)
        return [self.timings[key] for key in sorted(self.timings, key=lambda key: TASKS.index(key[0]))]

    def _run(self, task: str, peer: Peer, models: dict[str, Any]) -> None:
        timing, given = self.timings[task, peer.name], self.given[task, peer.name]
        if task == WORDS:
            models[peer.name] = timing.add(lambda: peer.train(given))
        elif task == PAIRS:
            timing.add(lambda: peer.train(given, ngrams=2))
        elif task == CLASSIFY:
            timing.add(lambda: peer.classify(models[peer.name], given))
        else:
            timing.add(_asked(peer.asking(models[peer.name]), given))
        time.sleep(peer.rest)

    def _warm_up(self, documents: int = 200) -> None:
        """Imports and first calls, which are not part of the tasks."""
        given = self.given[WORDS, report.OURS]
        few = given.first(documents)
        for peer in self.sides:
            with measure.on_cores(peer.threads):
                model = peer.train(peer.prepare(few))
                if CLASSIFY in peer.tasks:
                    peer.classify(model, peer.prepare_texts(few.texts))


def _asked(ask: Callable[[str], Any], texts: list[str]) -> Callable[[], None]:
    """Asks some texts now, and the others when it is called."""
    for text in texts[:ASKED_BEFORE]:
        ask(text)
    others = texts[ASKED_BEFORE:]

    def work() -> None:
        for text in others:
            ask(text)

    return work


def short_texts(texts: Sequence[str], number: int) -> list[str]:
    """Texts of 140 characters: longer ones are cut, shorter ones are put together; from the start again at the end."""
    found: list[str] = []
    piece, place = "", 0
    while len(found) < number:
        piece = f"{piece} {texts[place % len(texts)]}".strip()
        place += 1
        if len(piece) >= CHARACTERS:
            found.append(piece[:CHARACTERS])
            piece = ""
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure likelier against its peers.")
    parser.add_argument("--quick", action="store_true", help="a small piece of each corpus: does it run?")
    parser.add_argument(
        "--repeat", type=report.count, metavar="N", help=f"repetitions; {REPEAT}, or {QUICK_REPEAT} with --quick"
    )
    parser.add_argument("--corpus", nargs="+", choices=corpora.NAMES, help="all that are there")
    parser.add_argument("--megabytes", type=float, metavar="N", help="of made-up texts to train on; 30")
    parser.add_argument("--peers", nargs="*", metavar="NAME", help="beside scikit-learn; all that are there")
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help="folder with the texts")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
