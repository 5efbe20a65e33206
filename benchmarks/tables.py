"""Tables with columns of several kinds: accuracy, equal scores, and speed, against scikit-learn's naive Bayes.

Accuracy: likelier has one model with all columns; scikit-learn has a model for each kind of column. Equal scores: where
the definitions agree, so do log P(c) + log P(d|c). Speed: the census, where scikit-learn reads its categories only.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.impute import SimpleImputer
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import BernoulliNB, CategoricalNB, ComplementNB, GaussianNB, MultinomialNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import FunctionTransformer, KBinsDiscretizer, OneHotEncoder, OrdinalEncoder
from threadpoolctl import threadpool_limits

import likelier as lk
import measure
import report
from environment import ROOT, environment
from likelier._documents.schema import Schema

DATA = ROOT.parent / "shared" / "data" / "tables"
RESULTS = Path(__file__).resolve().parent / "results"
NAMES = ("adult.train", "adult.test", "titanic_passengers", "mushroom", "house_votes_84", "iris", "spambase")
LABEL = "label"
FOLDS, SEED = 5, 0
OTHER_SEEDS, REPEAT = 20, 7
QUICK_ROWS = 2000  # of the census
TOLERANCE = 1e-9  # of a log score, or of its size where that is above 1
VIEWS = ("gaussian", "information")  # the default first: it wins a draw
KINDS = ("categorical", "numeric", "text")
WORD_MODELS = (MultinomialNB(), ComplementNB(), BernoulliNB())
CHOSEN = "likelier, view chosen on the training part"

Tasks = dict[str, Callable[[], object]]
Fold = tuple[pd.DataFrame, pd.DataFrame]  # training and test part


def main() -> int:
    """Compares scores, then accuracy, then speed; prints the tables and writes the result file."""
    options = _options()
    missing = [name for name in NAMES if not (options.data / f"{name}.csv.gz").is_file()]
    if missing:
        report.tell(f"error: {', '.join(missing)} not found in {options.data} (as .csv.gz)")
        report.tell("hint: --data DIR says where the tables are")
        return 2
    about = environment()  # first, so that the load average is not our own
    about["versions"] |= {"pandas": version("pandas")}
    tables = {name: _read(options.data, name, options.quick) for name in NAMES}
    compared = differences(tables)
    apart = np.max([row["largest_relative"] for row in compared])
    report.tell(f"log scores of likelier and scikit-learn are {apart:.1e} apart at most")
    if not apart <= TOLERANCE:  # this way round, so that NaN is refused too
        report.tell(f"error: they must agree to {TOLERANCE:g}, so nothing else is measured")
        return 1
    judged = accuracies(tables, 1 if options.quick else OTHER_SEEDS)
    timed = report.as_json(speed(tables, 2 if options.quick else REPEAT))
    print("\n\n".join([*map(_in_words, judged), _times_in_words(timed)]))
    if not options.dry:
        file = RESULTS / f"tables{'-quick' if options.quick else ''}.json"
        figures = {"accuracy": judged, "agreement": compared, "speed": timed}
        report.write(file, {**about, "quick": options.quick, "seed": SEED, "tolerance": TOLERANCE, **figures})
    return 0


def accuracies(tables: dict[str, pd.DataFrame], other_seeds: int) -> list[dict[str, Any]]:
    """One entry for each table with columns of several kinds."""
    passengers = tables["titanic_passengers"]
    census = _judged("adult", [(tables["adult.train"], tables["adult.test"])], "its own test part")
    ship = _judged("titanic_passengers", _folds(passengers, SEED), f"{FOLDS} folds, seed {SEED}")
    return [census, {**ship, "other_seeds": _other_seeds(passengers, other_seeds)}]


def _judged(name: str, folds: list[Fold], split: str) -> dict[str, Any]:
    report.tell(f"accuracy: {name}, {split}")
    schema = lk.train(folds[0][0], label=LABEL, view="textbook").schema
    ours, views = _likelier(folds)
    theirs = [_row(peer, kind, _right(pipeline, folds), folds) for kind, peer, pipeline in _peers(schema)]
    best = max((row for row in theirs if row["required"]), key=lambda row: row["right"])
    ahead = ours[0]["right"] - best["right"]
    return {
        "table": name,
        "split": split,
        "columns": schema.in_words(),
        "documents": sum(len(test) for _, test in folds),
        "views_chosen": views,
        "rows": ours + theirs,
        "best_of_one_kind": best["model"],
        "documents_ahead": ahead,
        "at_least_as_good": ahead >= 0,
    }


def _likelier(folds: list[Fold]) -> tuple[list[dict[str, Any]], list[str]]:
    """The rows of likelier, first that of the view chosen on the training part; and which was chosen in each fold."""
    right = [_right_by_view([fold]) for fold in folds]
    inner = [_right_by_view(_folds(train, SEED)) for train, _ in folds]  # the choice sees nothing but the training part
    views = [max(VIEWS, key=lambda view, got=got: got[view]) for got in inner]
    chosen = _row(CHOSEN, "all", sum(got[view] for got, view in zip(right, views, strict=True)), folds)
    fixed = [_row(f"likelier, numeric={view!r}", "all", sum(got[view] for got in right), folds) for view in VIEWS]
    return [chosen, *fixed], views


def _right_by_view(folds: list[Fold]) -> dict[str, int]:
    right = dict.fromkeys(VIEWS, 0)
    for train, test in folds:
        model = lk.train(train, label=LABEL, view="textbook")
        for view in VIEWS:
            verdicts = model.textbook(numeric=view).classify_many(test[list(model.schema.read)])
            right[view] += int(np.sum(np.array(verdicts.labels) == test[LABEL]))
    return right


def _right(pipeline: Pipeline, folds: list[Fold]) -> int:
    answers = [(pipeline.fit(train, train[LABEL]).predict(test), test[LABEL]) for train, test in folds]
    return sum(int(np.sum(given == wanted)) for given, wanted in answers)


def _row(model: str, kind: str, right: int, folds: list[Fold]) -> dict[str, Any]:
    """What was measured; `required` are the models of one kind of column, which likelier has to match."""
    accuracy = right / sum(len(test) for _, test in folds)
    return {"model": model, "columns": kind, "right": right, "accuracy": accuracy, "required": kind in KINDS}


def _other_seeds(table: pd.DataFrame, count: int) -> dict[str, Any]:
    """The mean accuracies over other folds: on a small table one seed says little."""
    seeds = range(SEED + 1, SEED + 1 + count)
    runs = [_judged("titanic_passengers", _folds(table, seed), f"{FOLDS} folds, seed {seed}") for seed in seeds]
    each = pd.DataFrame([{row["model"]: row["accuracy"] for row in run["rows"]} for run in runs])
    figures = {"mean": each.mean().to_dict(), "standard_deviation": each.std(ddof=0).to_dict()}
    return {"seeds": list(seeds), **figures, "at_least_as_good": sum(run["at_least_as_good"] for run in runs)}


def _folds(table: pd.DataFrame, seed: int) -> list[Fold]:
    parts = StratifiedKFold(FOLDS, shuffle=True, random_state=seed).split(table, table[LABEL])
    return [(table.iloc[train], table.iloc[test]) for train, test in parts]


def _peers(schema: Schema) -> list[tuple[str, str, Pipeline]]:
    """Kind of column, name and model; the columns of a kind are those that likelier reads as such."""
    chosen, numbers, texts = (_of_kind(schema, kind) for kind in KINDS)
    own_value = SimpleImputer(strategy="constant", fill_value="missing")
    indicators = make_pipeline(own_value, OneHotEncoder(handle_unknown="ignore"))
    intervals = make_pipeline(SimpleImputer(), KBinsDiscretizer(10, encode="ordinal", strategy="uniform"))
    peers: list[tuple[str, Any, list[Any]]] = [
        ("categorical", CategoricalNB(), [(_codes(own_value), chosen)]),
        ("categorical", BernoulliNB(), [(indicators, chosen)]),
        ("numeric", GaussianNB(), [(SimpleImputer(), numbers)]),  # the mean of the training part
        *(("text", model, [(CountVectorizer(), name)]) for name in texts for model in WORD_MODELS),
        ("categorical, numeric", CategoricalNB(), [(_codes(own_value), chosen), (intervals, numbers)]),
    ]
    return [
        (kind, f"{type(model).__name__}, {kind}", make_pipeline(make_column_transformer(*columns), model))
        for kind, model, columns in peers
    ]


def _of_kind(schema: Schema, kind: str) -> list[str]:
    return [name for name, column in schema.columns.items() if column.name == kind]


def _codes(*before: Any) -> Pipeline:
    """Values as integers starting at 1; 0 stands for all values not seen in training."""
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1)
    return make_pipeline(*before, encoder, FunctionTransformer(lambda codes: codes + 1))


def differences(tables: dict[str, pd.DataFrame]) -> list[dict[str, Any]]:
    """The largest differences of log P(c) + log P(d|c) where the definitions agree."""
    votes = tables["house_votes_84"]
    full = votes[(votes != "?").all(axis=1)]
    census = tables["adult.train"]
    census = census[[LABEL, *census.select_dtypes("number")]]
    return [
        _compared("mushroom", tables["mushroom"], "categorical", CategoricalNB()),
        _compared("house_votes_84", votes, "categorical", CategoricalNB()),
        _compared("house_votes_84, full rows", full, "binary", BernoulliNB()),
        _compared("iris", tables["iris"], "numeric", GaussianNB(var_smoothing=0)),
        _compared("spambase", tables["spambase"], "numeric", GaussianNB(var_smoothing=0)),
        _compared("adult.train, numbers", census, "numeric", GaussianNB(var_smoothing=0)),
    ]


def _compared(name: str, table: pd.DataFrame, kind: str, peer: Any) -> dict[str, Any]:
    columns = [column for column in table.columns if column != LABEL]
    rows = table[columns]
    model = lk.train(table, label=LABEL, missing_values=[], view="textbook", **{kind: columns})
    ours = (
        model.textbook(alpha=1, numeric=lk.Gaussian(floor=1e-12)).classify_many(rows).log_scores
    )  # GaussianNB has none
    codes = {"categorical": lambda: OrdinalEncoder().fit_transform(rows), "binary": lambda: rows == "y"}
    given = codes.get(kind, lambda: rows)()
    theirs = peer.fit(given, table[LABEL]).predict_joint_log_proba(given)
    apart = np.abs(ours - theirs)
    relative = float((apart / np.maximum(1, np.abs(theirs))).max())
    about = {"table": name, "kind": kind, "columns": len(columns), "documents": len(rows), "peer": str(peer)}
    return {**about, "largest": float(apart.max()), "largest_relative": relative}


def speed(tables: dict[str, pd.DataFrame], repeat: int) -> list[measure.Timing]:
    """The census on one core: all peers in turn in every repetition."""
    train, test = tables["adult.train"], tables["adult.test"].drop(columns=LABEL)
    categories = _of_kind(lk.train(train, label=LABEL, view="textbook").schema, "categorical")
    with tempfile.TemporaryDirectory() as folder, threadpool_limits(limits=1), measure.on_cores(1):
        file = Path(folder) / "adult.csv"
        train.to_csv(file, index=False)
        peers = {
            "likelier": _likelier_tasks(file, train, test, {}),
            "likelier, categories only": _likelier_tasks(file, train, test, {"categorical": categories}),
            "scikit-learn": _scikit_learn_tasks(file, train, test, categories),
        }
        size = file.stat().st_size / 1e6
        timings = [measure.Timing(task, peer, 1, size) for task in peers["likelier"] for peer in peers]
        for tasks in peers.values():  # imports and first calls
            _ = [work() for work in tasks.values()]
        report.tell(f"speed: {repeat} repetitions")
        for _ in range(repeat):
            for timing in timings:
                timing.add(peers[timing.peer][timing.task])
    return timings


def _likelier_tasks(file: Path, train: pd.DataFrame, test: pd.DataFrame, kinds: dict[str, list[str]]) -> Tasks:
    model = lk.train(train, label=LABEL, view="textbook", threads=1, **kinds)
    asked = test[list(model.schema.read)]
    first = asked.iloc[0].to_dict()

    def classify() -> None:
        verdicts = model.textbook(alpha=1).classify_many(asked, threads=1)
        _ = verdicts.labels, verdicts.probabilities

    return {
        "training from a CSV file": lambda: lk.train(file, label=LABEL, view="textbook", threads=1, **kinds).classify(
            first
        ),
        "training from a frame": lambda: lk.train(train, label=LABEL, view="textbook", threads=1, **kinds).classify(
            first
        ),
        "classification of a frame": classify,
    }


def _scikit_learn_tasks(file: Path, train: pd.DataFrame, test: pd.DataFrame, categories: list[str]) -> Tasks:
    pipeline = make_pipeline(make_column_transformer((_codes(), categories)), CategoricalNB())
    used = [LABEL, *categories]
    return {
        "training from a CSV file": lambda: pipeline.fit(read := pd.read_csv(file, usecols=used), read[LABEL]),
        "training from a frame": lambda: pipeline.fit(train, train[LABEL]),
        "classification of a frame": lambda: pipeline.classes_[pipeline.predict_proba(test).argmax(axis=1)],
    }


def _read(folder: Path, name: str, quick: bool) -> pd.DataFrame:
    """The table as pandas reads it, which leaves "?" alone: a value to scikit-learn, a missing one to likelier."""
    table = pd.read_csv(folder / f"{name}.csv.gz")
    return table.sample(QUICK_ROWS, random_state=SEED).sort_index() if quick and name.startswith("adult") else table


def _in_words(judged: dict[str, Any]) -> str:
    lines = [f"{judged['table']}, {judged['split']}: {judged['documents']} documents; {judged['columns']}"]
    others = judged.get("other_seeds")
    for row in judged["rows"]:
        also = f"   {others['mean'][row['model']]:.2%} on average over other seeds" if others else ""
        lines.append(f"  {row['model']:<45} {row['accuracy']:>7.2%}{also}")
    says = "reached" if judged["at_least_as_good"] else "missed"
    lines.append(f"  target {says}: {judged['documents_ahead']:+} documents against {judged['best_of_one_kind']}")
    if others:
        lines.append(f"  and with {others['at_least_as_good']} of {len(others['seeds'])} other seeds")
    return "\n".join(lines)


def _times_in_words(timed: list[dict[str, Any]]) -> str:
    line = "{task:<28} {peer:<28} {best:>7.3f} s   {ratio_best:>5.2f}x as fast as scikit-learn"
    return "\n".join(line.format(**row) for row in timed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare likelier with scikit-learn on tables.")
    parser.add_argument("--quick", action="store_true", help="a piece of the census, few repetitions: does it run?")
    parser.add_argument("--data", type=Path, default=DATA, metavar="DIR", help="folder with the tables")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
