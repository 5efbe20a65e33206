"""Labeling simulated: the answers come from the labels of known sets.

answers     how many are needed for 95 % of the accuracy that all labels of the pool give: as `Labeling` asks, and at
            random; accuracy is that on texts that are not in the pool
intervals   how often the 95 % interval that `accuracy` gives has the accuracy on texts that are not in the pool
errors      how many of five wrong labels among 500 are among the ten most suspicious; and if the suspicion is that of a
            model with the right labels of all other texts of the set, which nobody has while labeling
pool        accuracy with word frequencies of the texts without labels, and without; see labeling_pool
times       of an answer, and of the refill after it, with large pools
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

import charts
import corpora
import labeling_pool
import likelier as lk
import report
from environment import environment
from likelier._label.pool import ASKED, chances
from likelier._label.starting import new_model

RESULTS = Path(__file__).resolve().parent / "results"
CHART = Path(__file__).resolve().parents[1] / "docs" / "charts" / "labeling.svg"
SETS = (
    "sms_spam", "subj", "trec6", "reuters_single_raw", "germeval2018", "rt_polarity", "spamassassin_raw",
    "20news_bydate", "rt2k_movie_reviews", "rusentiment",
)  # fmt: skip
SHOWN = SETS[:4]
SEEDS = range(10, 15)  # the rule was chosen with others
ENOUGH = 0.95  # of the accuracy of all labels
STEP, IN_A_ROW = 10, 3  # answers between two looks; looks that must be good enough on average
MOST = 1500  # answers
POOL, OTHERS = 2000, 3000  # texts, for intervals
LOOKS = (50, 100, 200, 300)
RUNS = 25  # labelings of each set
LABELED, WRONG, SUSPICIOUS = 500, 5, 10
LARGE = (50_000, 100_000)
TIMED = 25  # answers
QUICK_MOST = 150

Part = corpora.Part


def main() -> int:
    """Simulates everything, prints the figures, and writes the result file and the chart; exit code 2 without data."""
    options = _options()
    about = environment()  # first, so that the load average is not our own
    there = [name for name in options.sets or SETS if corpora.files(options.data, name)]
    if not there:
        report.tell(f"error: none of the sets is in {options.data}")
        return 2
    if options.quick:
        there = there[:1]
    file = RESULTS / f"labeling{'-quick' * options.quick}.json"
    is_part = bool(options.only or options.sets) and not options.quick and file.exists()
    result: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if is_part else {"quick": options.quick}
    parts = {"answers": answers, "intervals": intervals, "errors": errors, "pool": pool, "times": times}
    for name in options.only or parts:
        report.tell(f"--- {name}")
        rows = [row | {"run": about} for row in parts[name](there, options.data, options.quick)]
        result[name] = _joined(result.get(name, []), rows)
    if not options.dry:  # before anything is shown: a run takes long
        report.write(file, result)
        if "answers" in result and not options.quick:
            CHART.write_text(chart(result["answers"]), encoding="utf-8")
    print(table(result))
    return 0


def _joined(stored: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of this run, and those of earlier runs on other sets; each row says which run it is of."""
    sets = {row.get("set") for row in rows}
    return [row for row in stored if row.get("set") not in sets] + rows


def _shuffled(data: Path, name: str, seed: int = 0) -> tuple[Part, Part]:
    """The pool and other texts: the parts of a set, or four fifths and the rest of it."""
    random = np.random.default_rng(seed)
    parts = [corpora.read(file, random) for file in corpora.files(data, name)]
    return (parts[0], parts[1]) if len(parts) == 2 else corpora.two(parts[0])


def _accuracy(model: lk.Model, part: Part) -> float:
    found = model.classify_many(part.texts, threads=1).labels
    return float(np.mean([one == other for one, other in zip(found, part.labels, strict=True)]))


def _each(work: Callable[..., Any], jobs: Sequence[tuple[Any, ...]]) -> list[Any]:
    with ProcessPoolExecutor(2) as processes:
        return list(processes.map(work, *zip(*jobs, strict=True)))


# ---- answers -----------------------------------------------------------------------------------------------------


def answers(names: Sequence[str], data: Path, quick: bool) -> list[dict[str, Any]]:
    """How many answers are needed, by set."""
    most, seeds = (QUICK_MOST, SEEDS[:1]) if quick else (MOST, SEEDS)
    rows = []
    for name in names:
        every = _of_all(data, name)
        jobs = [(data, name, seed, how, ENOUGH * every, most) for how in ("mix", "random") for seed in seeds]
        curves = _each(_curve, jobs)
        row: dict[str, Any] = {"set": name, "all": every, "most": most}
        for how, found in (("mix", curves[: len(seeds)]), ("random", curves[len(seeds) :])):
            needed = [_needed(curve, ENOUGH * every) for curve in found]
            row[how] = {"needed": needed, "mean": _mean(needed, most), "curves": found}
        rows.append(row)
        report.tell(f"{name}: {row['mix']['mean']} against {row['random']['mean']}")
    return rows


def _of_all(data: Path, name: str) -> float:
    """The accuracy of a model that has all labels of the pool."""
    pool, others = _shuffled(data, name)
    model = new_model(pool.texts, len(set(pool.labels)))
    model.learn_many(texts=pool.texts, labels=pool.labels)
    return _accuracy(model, others)


def _curve(data: Path, name: str, seed: int, how: str, target: float, most: int) -> list[float]:
    """The accuracy after every ten answers, until it is good enough."""
    pool, others = _shuffled(data, name)
    found: list[float] = []
    for number, model in enumerate(_labeled(pool, seed, how), start=1):
        if number % STEP == 0:
            found.append(_accuracy(model, others))
        if number >= most or (number % STEP == 0 and _needed(found, target)):
            break
    return found


def _labeled(pool: Part, seed: int, how: str) -> Iterator[lk.Model]:
    """The model after each answer."""
    if how == "mix":
        labeling = lk.Labeling(pool.texts, sorted(set(pool.labels)), seed=seed)
        while asked := labeling.next():
            labeling.answer(asked[0].place, pool.labels[asked[0].place])
            yield labeling.model
        return
    model = new_model(pool.texts, len(set(pool.labels)))
    for place in np.argsort(chances(seed, len(pool.texts), ASKED)).tolist():
        model.learn(pool.texts[place], pool.labels[place])
        yield model


def _needed(curve: Sequence[float], target: float) -> int | None:
    """The answers after which three looks in a row are good enough on average."""
    for place in range(len(curve) - IN_A_ROW + 1):
        if np.mean(curve[place : place + IN_A_ROW]) >= target:
            return STEP * (place + 1)
    return None


def _mean(needed: Sequence[int | None], most: int) -> float:
    """A labeling that is not good enough in the end counts with all its answers; it needs more."""
    return float(np.mean([most if each is None else each for each in needed]))


# ---- intervals ---------------------------------------------------------------------------------------------------


def intervals(names: Sequence[str], data: Path, quick: bool) -> list[dict[str, Any]]:
    """How often the interval has the true accuracy, by set and answers."""
    looks, runs = (LOOKS[:2], 2) if quick else (LOOKS, RUNS)
    rows = []
    for name in names[: len(SHOWN)]:
        found = _each(_shown, [(data, name, seed, looks) for seed in range(100, 100 + runs)])
        for place, number in enumerate(looks):
            each = [run[place] for run in found if run[place]["share"] is not None]
            covered = sum(one["low"] <= one["true"] <= one["high"] for one in each)
            means = {key: float(np.mean([one[key] for one in each])) for key in ("true", "share", "all", "documents")}
            rows.append({"set": name, "answers": number, "labelings": len(each), "covered": covered, **means})
        report.tell(f"{name}: {[row['covered'] for row in rows[-len(looks) :]]} of {runs}")
    return rows


def _shown(data: Path, name: str, seed: int, looks: Sequence[int]) -> list[dict[str, Any]]:
    """The accuracy that is shown, and the true one."""
    parts = _shuffled(data, name)
    every = [pair for part in parts for pair in zip(part.texts, part.labels, strict=True)]
    order = np.random.default_rng(seed).permutation(len(every)).tolist()
    pool, others = (
        Part(*map(list, zip(*(every[place] for place in places), strict=True)))
        for places in (order[:POOL], order[POOL : POOL + OTHERS])
    )
    labeling = lk.Labeling(pool.texts, sorted(set(pool.labels)), seed=seed)
    found = []
    for number in range(1, max(looks) + 1):
        (asked,) = labeling.next()
        labeling.answer(asked.place, pool.labels[asked.place])
        if number in looks:
            shown, over_all = labeling.accuracy(), labeling.evaluation().figures.accuracy.share
            of_sample = {"share": shown.share, "low": shown.low, "high": shown.high, "documents": shown.documents}
            found.append({"true": _accuracy(labeling.model, others), "all": over_all, **of_sample})
    return found


# ---- wrong labels ------------------------------------------------------------------------------------------------


def errors(names: Sequence[str], data: Path, quick: bool) -> list[dict[str, Any]]:
    """How many of five wrong labels among 500 are among the ten most suspicious, by set and seed."""
    rows = []
    for name in names:
        both = _each(_found, [(data, name, seed) for seed in SEEDS[: 1 if quick else None]])
        found, with_all = (list(each) for each in zip(*both, strict=True))
        rows.append({"set": name, "found": found, "with_all": with_all, "of": WRONG})
        report.tell(f"{name}: {found} of {WRONG}, with all labels {with_all}")
    return rows


def _found(data: Path, name: str, seed: int) -> tuple[int, int]:
    pool, others = _shuffled(data, name, seed)
    labels = sorted(set(pool.labels))
    labeling = lk.Labeling(pool.texts[:LABELED], labels, seed=seed, refills_later=True)
    random = np.random.default_rng(seed)
    wrong = set(random.choice(LABELED, WRONG, replace=False).tolist())
    for place in range(LABELED):
        other = [label for label in labels if label != pool.labels[place]]
        labeling.answer(place, str(random.choice(other)) if place in wrong else pool.labels[place])
    model = new_model(pool.texts, len(labels))
    model.learn_many(texts=pool.texts[LABELED:] + others.texts, labels=pool.labels[LABELED:] + others.labels)
    suspects = ({each.place for each in labeling.suspicious(SUSPICIOUS)}, _contradicted(model, labeling))
    return len(wrong & suspects[0]), len(wrong & suspects[1])


def _contradicted(model: lk.Model, labeling: lk.Labeling) -> set[int]:
    """The places whose labels another model contradicts most."""
    verdicts = model.classify_many(list(labeling.texts), threads=1)
    scores = verdicts.log_scores
    names = [*verdicts.all_labels]
    is_own = np.array([[name == label for name in names] for label in labeling.labeled.values()])
    of_own = np.where(is_own, scores, -np.inf).max(axis=1)
    others = np.where(is_own, -np.inf, scores)
    known = np.array([len(set(text.split())) for text in labeling.texts])
    odds = np.where(np.isfinite(of_own), others.max(axis=1) - of_own, 0) / np.sqrt(np.maximum(known, 1))
    return set(np.argsort(-odds, kind="stable")[:SUSPICIOUS].tolist())


# ---- frequencies of texts without labels -------------------------------------------------------------------------


def pool(names: Sequence[str], data: Path, quick: bool) -> list[dict[str, Any]]:
    """Accuracy with the pool and without, by set and number of labels."""
    sizes, seeds = (
        (labeling_pool.SIZES[:2], labeling_pool.SEEDS[:1]) if quick else (labeling_pool.SIZES, labeling_pool.SEEDS)
    )
    rows = []
    for name in [name for name in labeling_pool.SETS if name in names]:
        runs = _each(_pooled, [(data, name, seed, sizes) for seed in seeds])
        for place, size in enumerate(sizes):
            found = {key: [run[place][key] for run in runs] for key in ("without", "with", "chosen")}
            rows.append({"set": name, "labels": size, **found})
        report.tell("\n".join(_of_pool(row) for row in rows[-len(sizes) :]))
    return rows


def _pooled(data: Path, name: str, seed: int, sizes: Sequence[int]) -> list[dict[str, Any]]:
    return labeling_pool.compared(*_shuffled(data, name, seed), seed, sizes)


def _of_pool(row: dict[str, Any]) -> str:
    """One row in words: the gain in percentage points, and its standard error."""
    gains = [100 * (np.array(row[key]) - row["without"]) for key in ("with", "chosen")]
    shown = [
        f"{gain.mean():+.2f} ± {gain.std(ddof=1) / np.sqrt(len(gain)) if len(gain) > 1 else 0:.2f}" for gain in gains
    ]
    return f"{row['set']:<20} {row['labels']:>4}  {np.mean(row['without']):.3f}  with {shown[0]}, chosen {shown[1]}"


# ---- times -------------------------------------------------------------------------------------------------------


def times(names: Sequence[str], data: Path, quick: bool) -> list[dict[str, Any]]:
    """Milliseconds of an answer and of the refill after it, with large pools of short texts."""
    rows = []
    for size in LARGE[:1] if quick else LARGE:
        pool = _large(names, data, size)
        start = time.perf_counter()
        labeling = lk.Labeling(pool.texts, sorted(set(pool.labels)), refills_later=True)
        row: dict[str, Any] = {"texts": size, "megabytes": pool.megabytes, "start": time.perf_counter() - start}
        labeling.refill()
        found = [_timed(labeling, pool) for _ in range(TIMED * 6)][-TIMED:]
        row |= {what: 1000 * float(np.median([each[what] for each in found])) for what in found[0]}
        rows.append(row)
        report.tell(f"{size:,}: {row}")
    return rows


def _large(names: Sequence[str], data: Path, size: int) -> Part:
    """Texts of the sets, cut and joined in pairs, so that there are as many different ones as are wanted."""
    parts = [part for name in names for part in _shuffled(data, name)]
    texts = [text for part in parts for text in part.texts]
    labels = [label for part in parts for label in part.labels]
    random = np.random.default_rng(0)
    first, second = random.integers(len(texts), size=(2, size)).tolist()
    common = set(sorted(set(labels))[:2])
    both = [f"{texts[one][:400]} {texts[two][:200]}" for one, two in zip(first, second, strict=True)]
    return Part(both, [labels[one] if labels[one] in common else "other" for one in first])


def _timed(labeling: lk.Labeling, pool: Part) -> dict[str, float]:
    (asked,) = labeling.next()
    times = [time.perf_counter()]
    steps = (
        partial(labeling.answer, asked.place, pool.labels[asked.place]),
        labeling.refill,
        labeling.accuracy,
    )
    for step in steps:
        step()
        times.append(time.perf_counter())
    return dict(zip(("answer", "refill", "accuracy"), np.diff(times).tolist(), strict=True))


# ---- what is shown -----------------------------------------------------------------------------------------------


def table(result: dict[str, Any]) -> str:
    """All figures."""
    lines = []
    for row in result.get("answers", ()):
        mix, chance = row["mix"], row["random"]
        counts = f"{mix['mean']:>6.0f} {chance['mean']:>6.0f} {mix['mean'] / chance['mean']:>5.2f}"
        lines.append(f"{row['set']:<20} all {row['all']:.3f}  answers {counts}  {mix['needed']} {chance['needed']}")
    for row in result.get("intervals", ()):
        shares = f"true {row['true']:.3f} shown {row['share']:.3f} over all {row['all']:.3f} by {row['documents']:.0f}"
        lines.append(f"{row['set']:<20} {row['answers']:>4}  {row['covered']} of {row['labelings']}  {shares}")
    for row in result.get("errors", ()):
        lines.append(f"{row['set']:<20} wrong labels found: {row['found']}, with all labels {row['with_all']}")
    lines += map(_of_pool, result.get("pool", ()))
    for row in result.get("times", ()):
        lines.append(
            f"{row['texts']:>9,} " + " ".join(f"{key} {row[key]:.1f}" for key in ("answer", "refill", "accuracy"))
        )
    return "\n".join(lines)


def chart(rows: Sequence[dict[str, Any]]) -> str:
    """How many answers are needed."""
    bars = []
    for row in rows:
        for how, name in (("mix", "as Labeling asks"), ("random", "at random")):
            mean, is_open = row[how]["mean"], None in row[how]["needed"]
            shown = f"{'more than ' * is_open}{mean:,.0f}"
            bars.append(charts.Bar(f"{row['set']}, {name}", mean, shown, how == "mix"))
    return charts.bars("Answers for 95 % of the accuracy of all labels", bars)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Simulate labelings of known sets.")
    parser.add_argument("--quick", action="store_true", help="one set, few answers: does it run?")
    parser.add_argument("--dry", action="store_true", help="write nothing")
    parser.add_argument("--only", nargs="+", choices=("answers", "intervals", "errors", "pool", "times"), help="parts")
    parser.add_argument("--sets", nargs="+", choices=SETS, help="sets; rows of others that are stored are kept")
    parser.add_argument("--data", type=Path, default=corpora.DATA, metavar="DIR", help=f"{corpora.DATA}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
