"""Refined weights: likelier with and without them against linear models of scikit-learn.

    python benchmarks/refined.py [--only accuracy few times] [--sets trec6 ...] [--data DIR] [--quick]

Each model runs on each set in a process of its own, which notes accuracy, times and the peak of memory. The peers:

- tf-idf of words and pairs of words with a linear SVM: `TfidfVectorizer(ngram_range=(1, 2))` and `LinearSVC()`
- NB-weighted logistic regression (after Wang & Manning 2012, Baselines and bigrams) on words and pairs of words: binary
  counts times log ratios with alpha 1, each label against the rest, `LogisticRegression(C=1)`

Nothing is chosen by a test part: scikit-learn's options are its defaults, likelier's are fixed or chosen on the
documents it is trained on. With few documents, likelier is compared with itself without refined weights. Times are
those of three large sets, from texts to verdicts, on an idle machine.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import corpora
import memory
import report
from accuracy import sets
from environment import environment

RESULTS = Path(__file__).resolve().parent / "results"
SIZES, DRAWS = (20, 50, 100, 200, 500), 8
MOST_ASKED = 1000  # documents that are judged after few
MOST_LABELS = 10  # for the NB-weighted regression, which takes very long with more
LARGE = ("reuters_single_raw", "20news_bydate", "imdb50k")  # whose times are compared
ROUNDS = 3
QUICK = ["trec6"]
ALLOWED = 0.003  # how far it may be below the better peer

Predict = Callable[[Sequence[str]], Sequence[str]]


# ---- models ----------------------------------------------------------------------------------------------------------


def likelier(texts: list[str], labels: list[str]) -> Predict:
    """With default options."""
    import likelier as lk

    model = lk.train(texts, labels)
    return lambda asked: [str(label) for label in model.classify_many(list(asked)).labels]


def refined(texts: list[str], labels: list[str]) -> Predict:
    """With refined weights."""
    import likelier as lk

    model = lk.train(texts, labels, refine=True)
    return lambda asked: [str(label) for label in model.classify_many(list(asked)).labels]


def linear_svm(texts: list[str], labels: list[str]) -> Predict:
    """tf-idf of words and pairs of words, and a linear SVM."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.svm import LinearSVC

    vectorizer = TfidfVectorizer(ngram_range=(1, 2))
    machine = LinearSVC(random_state=0).fit(vectorizer.fit_transform(texts), labels)
    return lambda asked: list(machine.predict(vectorizer.transform(asked)))


def weighted_regression(texts: list[str], labels: list[str]) -> Predict:
    """Binary counts times log ratios, and a logistic regression for each label against the rest."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    vectorizer = CountVectorizer(ngram_range=(1, 2), binary=True)
    counts, names = vectorizer.fit_transform(texts), sorted(set(labels))
    machines = []
    for name in names[1:] if len(names) == 2 else names:
        is_it = np.array([label == name for label in labels])
        one, rest = (np.asarray(counts[rows].sum(axis=0)).ravel() + 1.0 for rows in (is_it, ~is_it))
        ratios = np.log(one / one.sum()) - np.log(rest / rest.sum())
        machine = LogisticRegression(C=1.0)
        machines.append((ratios, machine.fit(counts.multiply(ratios).tocsr(), is_it)))

    def predict(asked: Sequence[str]) -> list[str]:
        found = vectorizer.transform(asked)
        scores = [machine.decision_function(found.multiply(ratios).tocsr()) for ratios, machine in machines]
        if len(names) == 2:
            return [names[int(score > 0)] for score in scores[0]]
        return [names[place] for place in np.argmax(scores, axis=0)]

    return predict


MODELS: dict[str, Callable[[list[str], list[str]], Predict]] = {
    "likelier": likelier,
    "likelier, refined": refined,
    "tf-idf SVM": linear_svm,
    "NB-weighted regression": weighted_regression,
}
PEERS = ("tf-idf SVM", "NB-weighted regression")
TIMED = ("likelier, refined", "tf-idf SVM")


# ---- one process -----------------------------------------------------------------------------------------------------


def once(model: str, name: str, data: Path) -> dict[str, Any]:
    """One model on one set: all splits."""
    found = sets.load(name, data)
    right = judged = 0
    seconds, processor = [0.0, 0.0], 0.0
    MODELS[model](
        ["one two", "two three", "one three"] * 8, ["a", "b", "c"] * 8 if "NB" not in model else ["a", "b"] * 12
    )
    memory.start_anew()
    for train, test in found.splits:
        start, used = time.perf_counter(), time.process_time()
        predict = MODELS[model](train.texts, train.labels)
        trained = time.perf_counter()
        answers = predict(test.texts)
        seconds[0] += trained - start
        seconds[1] += time.perf_counter() - trained
        processor += time.process_time() - used
        right += sum(one == str(other) for one, other in zip(answers, test.labels, strict=True))
        judged += len(test.labels)
    return {
        "model": model,
        "accuracy": right / judged,
        "judged": judged,
        "train_seconds": seconds[0],
        "classify_seconds": seconds[1],
        "processor_seconds": processor,
        "peak_megabytes": memory.peak(),
    }


def few(name: str, data: Path) -> list[dict[str, Any]]:
    """likelier with refined weights less likelier without, trained on few documents."""
    train, test = sets.load(name, data).splits[0]
    chance = np.random.default_rng(sets.SEED)
    rows = []
    asked = chance.permutation(len(test.texts))[:MOST_ASKED].tolist()
    texts, truth = [test.texts[row] for row in asked], [str(test.labels[row]) for row in asked]
    for size in SIZES:
        differences = []
        for _ in range(DRAWS):
            drawn = chance.permutation(len(train.texts))[:size].tolist()
            some = [train.texts[row] for row in drawn], [train.labels[row] for row in drawn]
            try:
                with_it = refined(*some)(texts)
            except ValueError:  # too few documents of several labels, which it says
                continue
            without = likelier(*some)(texts)
            differences.append(
                np.mean([a == b for a, b in zip(with_it, truth, strict=True)])
                - np.mean([a == b for a, b in zip(without, truth, strict=True)])
            )
        if len(differences) > 1:
            error = float(np.std(differences, ddof=1) / np.sqrt(len(differences)))
            rows.append(
                {
                    "documents": size,
                    "draws": len(differences),
                    "difference": float(np.mean(differences)),
                    "error": error,
                }
            )
    return rows


# ---- times -----------------------------------------------------------------------------------------------------------


def times(name: str, data: Path, rounds: int) -> dict[str, Any]:
    """Seconds of both on a set, in turns; training and classifying, the best of each."""
    found: dict[str, list[dict[str, Any]]] = {model: [] for model in TIMED}
    for _ in range(rounds):
        for model, rows in found.items():
            rows.append(_child(model, name, data))
    rows = {
        model: {
            key: min(row[key] for row in each) for key in ("train_seconds", "classify_seconds", "processor_seconds")
        }
        | {"peak_megabytes": max(row["peak_megabytes"] for row in each)}
        for model, each in found.items()
    }
    one, other = (rows[model]["train_seconds"] + rows[model]["classify_seconds"] for model in TIMED)
    return {"rounds": rounds, "models": rows, "ratio": round(one / other, 3)}


# ---- all of them -----------------------------------------------------------------------------------------------------


def main() -> int:
    """Runs every model on every set, prints the figures and writes the result file."""
    options = _options()
    if options.once:
        (name,) = options.sets
        print(json.dumps(few(name, options.data) if options.once == "few" else once(options.once, name, options.data)))
        return 0
    wanted = options.sets or (QUICK if options.quick else sets.NAMES)
    names = [name for name in wanted if sets.is_there(name, options.data)]
    if not names:
        report.tell(f"error: none of the sets is in {options.data}")
        report.tell("hint: --data DIR says where they are")
        return 2
    about = environment()  # first, so that the load average is not our own
    file = RESULTS / f"refined{'-quick' if options.quick else ''}.json"
    is_part = bool(options.only or options.sets) and not options.quick and file.is_file()
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if is_part else {"quick": options.quick}
    for part in options.only or PARTS:
        rows = found.setdefault(part, {})
        for name in names:
            if part == "times" and name not in LARGE and not options.quick:
                continue
            report.tell(f"{part}: {name}")
            rows[name] = PARTS[part](name, options) | {"run": about}
            report.tell(json.dumps(rows[name] | {"run": ""}, indent=2) if part != "accuracy" else _shown(rows[name]))
            report.write(file, found | {"summary": summary(found)})
    print(json.dumps(summary(found), indent=2))
    return 0


def _accuracy(name: str, options: argparse.Namespace) -> dict[str, Any]:
    facts = sets.load(name, options.data).facts()
    models = [each for each in MODELS if each != PEERS[1] or facts["labels"] <= MOST_LABELS]  # type: ignore[operator]
    return {**facts, "models": [_child(each, name, options.data) for each in models]}


PARTS: dict[str, Callable[[str, argparse.Namespace], dict[str, Any]]] = {
    "accuracy": _accuracy,
    "few": lambda name, options: {"rows": _child("few", name, options.data)},
    "times": lambda name, options: times(name, options.data, 1 if options.quick else ROUNDS),
}


def _shown(row: dict[str, Any]) -> str:
    lines = []
    for each in row["models"]:
        figures = f"{each['accuracy'] * 100:6.2f} %  {each['train_seconds']:6.1f} s  {each['peak_megabytes']:6.0f} MB"
        lines.append(f"  {each['model']:<24} {figures}")
    return "\n".join(lines)


def summary(found: dict[str, Any]) -> dict[str, Any]:
    """On how many sets it is at least as good as the better peer, and where it is further behind than allowed."""
    ahead = {}
    for name, each in found.get("accuracy", {}).items():
        accuracy = {row["model"]: row["accuracy"] for row in each["models"]}
        ahead[name] = accuracy["likelier, refined"] - max(accuracy[peer] for peer in PEERS if peer in accuracy)
    return {
        "sets": len(ahead),
        "as_good": sum(each >= 0 for each in ahead.values()),
        "behind": {name: round(each, 4) for name, each in ahead.items() if each < -ALLOWED},
        "few_worse": [
            f"{name}, {row['documents']} documents"
            for name, each in found.get("few", {}).items()
            for row in each["rows"]
            if row["difference"] < -2 * row["error"]
        ],
        "time_of_svm": {name: each["ratio"] for name, each in found.get("times", {}).items()},
    }


def _child(what: str, name: str, data: Path) -> Any:
    command = [sys.executable, __file__, "--once", what, "--sets", name, "--data", str(data)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Refined weights against linear models.")
    parser.add_argument("--sets", nargs="+", choices=sets.NAMES, help="what is stored of others is kept")
    parser.add_argument("--only", nargs="+", choices=PARTS, help="what is stored of other parts is kept")
    parser.add_argument("--data", type=Path, default=corpora.DATA)
    parser.add_argument("--once", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one small set")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
