"""Training with lemmas: likelier against scikit-learn with simplemma as its tokenizer step.

The texts are German tweets and Russian posts, as often as it takes to have some megabytes, in an order that a seed
decides. Both sides know the dictionary before, and no word: the analyzer and the cache of simplemma are new in every
repetition. Then each trains once more with the words it knows now. Before anything is timed, scikit-learn is given
likelier's terms, and all numbers must agree (see agreement.py).
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

import numpy as np
import simplemma
from threadpoolctl import threadpool_limits

import agreement
import corpora
import likelier as lk
import measure
import report
import targets
from environment import environment
from peers import ScikitLearn

RESULTS = Path(__file__).resolve().parent / "results"
SETS = {"German": ("de", "germeval2018"), "Russian": ("ru", "rusentiment")}
MEGABYTES, QUICK_MEGABYTES = 10.0, 0.5
REPEAT, QUICK_REPEAT = 5, 2
SEED = 20240501
WORD = re.compile(r"\b\w\w+\b")  # as scikit-learn has it


def main() -> int:
    """Checks that both sides agree, times them, prints the table and writes the result file."""
    options = _options()
    there = {name: each for name, each in SETS.items() if _files(options.data, each[1])}
    if not there:
        wanted = ", ".join(name for _, name in SETS.values())
        report.tell(f"error: none of {wanted} is in {options.data} (as .train.jsonl.gz)")
        report.tell("hint: --data DIR says where they are")
        return 2
    about = environment("simplemma")  # first, so that the load average is not our own
    timings: list[measure.Timing] = []
    sets, agreed = {}, {}
    for name, (language, stem) in there.items():
        corpus = _corpus(options.data, stem, QUICK_MEGABYTES if options.quick else options.megabytes)
        sets[name] = {"name": stem, "seed": SEED, **corpus.train.facts()}
        try:
            agreed[name] = agreement.check(corpus, lk.Analyzer(language=language, lemmatize=True))
        except agreement.Disagreement as error:
            report.tell(f"error: likelier and scikit-learn do not agree, so nothing is timed: {error}")
            return 1
        with threadpool_limits(limits=1):
            repeat = options.repeat or (QUICK_REPEAT if options.quick else REPEAT)
            timings += _timed(name, language, corpus.train, repeat)
    print(report.table(timings))
    result = about | {"quick": options.quick, "corpora": sets, "agreement": agreed}
    result |= {"timings": report.as_json(timings)}
    print("\n".join(["", *targets.lines("lemmas", result)]))
    file = RESULTS / f"lemmas{'-quick' if options.quick else ''}.json"
    report.write(file, result | {"targets": targets.as_json("lemmas", result)})
    return 0


def _files(data: Path, stem: str) -> list[Path]:
    files = [data / f"{stem}.train.jsonl.gz", data / f"{stem}.test.jsonl.gz"]
    return files if all(file.is_file() for file in files) else []


def _corpus(data: Path, stem: str, megabytes: float) -> corpora.Corpus:
    random = np.random.default_rng(SEED)
    train, test = (corpora.read(file, random) for file in _files(data, stem))
    often = max(1, round(megabytes / train.megabytes))
    order = np.concatenate([random.permutation(len(train.texts)) for _ in range(often)]).tolist()
    again = corpora.Part([train.texts[place] for place in order], [train.labels[place] for place in order])
    return corpora.Corpus(stem, again.about(megabytes), test)


def _timed(name: str, language: str, part: corpora.Part, repeat: int) -> list[measure.Timing]:
    """A B C A B C ...: all see the same disturbances."""
    numbers = [1, 2] if measure.cores_allowed() >= 2 else [1]
    names = {number: "likelier" if number == 1 else f"likelier, {number} threads" for number in numbers}
    tasks = (name, f"{name}, words known")
    ours = {
        (task, number): measure.Timing(task, names[number], number, part.megabytes)
        for task in tasks
        for number in numbers
    }
    theirs = {task: measure.Timing(task, report.THEIRS, 1, part.megabytes) for task in tasks}
    few = part.first(200)
    _train(_analyzer(language), few, 1)
    ScikitLearn(tokenizer=Tokenizer(language)).train(few)
    for repetition in range(repeat):
        report.tell(f"{name}: repetition {repetition + 1} of {repeat}")
        for number in numbers:
            analyzer = _analyzer(language)
            for task in tasks:
                with measure.on_cores(number):
                    ours[task, number].add(lambda a=analyzer, number=number: _train(a, part, number))
        peer = ScikitLearn(tokenizer=Tokenizer(language))
        for task in tasks:
            with measure.on_cores(1):
                theirs[task].add(lambda peer=peer: peer.train(part))
    return [timing for task in tasks for timing in (*(ours[task, number] for number in numbers), theirs[task])]


def _analyzer(language: str) -> lk.Analyzer:
    return lk.Analyzer(language=language, lemmatize=True)


def _train(analyzer: lk.Analyzer, part: corpora.Part, threads: int) -> lk.Model:
    model = lk.train(texts=part.texts, labels=part.labels, analyzer=analyzer, view="textbook", threads=threads)
    model.classify(part.texts[0])
    return model


class Tokenizer:
    """Words by scikit-learn's regular expression, then the lemma of each; simplemma remembers the last 65,536."""

    def __init__(self, language: str) -> None:
        self.language, self.lemmatize = language, simplemma.Lemmatizer().lemmatize

    def __call__(self, text: str) -> list[str]:
        return [self.lemmatize(word, self.language).lower() for word in WORD.findall(text)]


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training with lemmas against scikit-learn with simplemma.")
    parser.add_argument("--quick", action="store_true", help="few texts: does it run?")
    parser.add_argument("--megabytes", type=float, default=MEGABYTES, metavar="N", help=f"of texts; {MEGABYTES:g}")
    parser.add_argument(
        "--repeat", type=report.count, metavar="N", help=f"repetitions; {REPEAT}, or {QUICK_REPEAT} with --quick"
    )
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help="folder with the texts")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
