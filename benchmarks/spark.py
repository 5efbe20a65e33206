"""Training and classifying on a Spark cluster, against Spark MLlib's own pipeline on the same cluster and data.

The cluster has a master and two workers on this machine, with one core each. Film reviews, or generated texts, are in
Parquet files. MLlib cuts them with RegexTokenizer, counts with CountVectorizer and trains its NaiveBayes; both models
are multinomial with alpha 1. Training reads the files and ends with a model in the driver; classifying ends when Spark
has every verdict, which it throws away. Both take turns, and the best of several rounds counts. The cost of starting
is reported apart: the session, the first job, and the same job on a hundred texts. A second session has one core.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import corpora
import report
import targets
from environment import environment

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "benchmarks" / "results"
sys.path.insert(0, str(ROOT / "tests"))  # where the cluster is that the tests use

NO_JAVA = 2  # the exit code of a suite that cannot run here
PARTS, FEW = 4, 100
ROUNDS, QUICK_ROUNDS = 3, 1
COPIES = 2  # of the reviews
VOCABULARY = 1 << 18  # MLlib's default
PATTERN = r"[\p{L}\p{N}_]+"


def main() -> int:
    """Measures with two cores and with one, prints the table and writes the result file."""
    options = _options()
    from cluster import Cluster, why_not

    if reason := why_not():
        report.tell(f"error: {reason}")
        return NO_JAVA
    about = environment("pyspark", "pyarrow")  # first, so that the load average is not our own
    with tempfile.TemporaryDirectory(prefix="likelier-bench-") as folder:
        data = _written(Path(folder), options)
        cluster = Cluster(Path(folder) / "cluster")
        try:
            rows = [_measured(cluster, data, cores, options) for cores in (2, 1)]
        finally:
            cluster.stop()
    sizes = {name: data[name] for name in ("corpus", "documents", "megabytes", "asked", "asked_megabytes")}
    result = about | {"quick": options.quick, "rounds": options.rounds, **sizes, "rows": rows}
    print("\n".join([*table(result), "", *targets.lines("spark", result)]))
    file = RESULTS / f"spark{'-quick' if options.quick else ''}.json"
    report.write(file, result | {"targets": targets.as_json("spark", result)})
    return 0


def _written(folder: Path, options: argparse.Namespace) -> dict[str, Any]:
    """The texts as Parquet files, in parts; and how many there are."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = "imdb" if corpora.is_there(options.data) else "zipf"
    corpus = corpora.load(name, options.data, quick=options.quick)
    found: dict[str, Any] = {"corpus": corpus.name}
    for what, part in (("train", corpus.train), ("test", corpus.test)):
        copies = 1 if options.quick else COPIES
        several, named = part.texts * copies, part.labels * copies
        (folder / what).mkdir()
        size = len(several) // PARTS
        for number in range(PARTS):
            some = slice(number * size, len(several) if number == PARTS - 1 else (number + 1) * size)
            rows = pa.table({"text": several[some], "label": named[some]})
            pq.write_table(rows, folder / what / f"{number}.parquet")
        pq.write_table(pa.table({"text": several[:FEW], "label": named[:FEW]}), folder / f"{what}-few.parquet")
        found[what], found[f"{what}-few"] = str(folder / what), str(folder / f"{what}-few.parquet")
        megabytes = sum(len(text.encode()) for text in several) / 1e6
        keys = ("documents", "megabytes") if what == "train" else ("asked", "asked_megabytes")
        found |= dict(zip(keys, (len(several), megabytes), strict=True))
    return found


# ---- the work --------------------------------------------------------------------------------------------------------


def likelier_train(frame: Any) -> Any:
    """A model of likelier."""
    import likelier.spark

    return likelier.spark.train(frame, text="text", label="label", view="textbook")


def likelier_classify(model: Any, frame: Any) -> Any:
    """The rows with likelier's verdicts."""
    import likelier.spark

    return likelier.spark.classify(model, frame.drop("label"))


def mllib_train(frame: Any) -> Any:
    """A pipeline of MLlib."""
    from pyspark.ml import Pipeline
    from pyspark.ml.classification import NaiveBayes
    from pyspark.ml.feature import CountVectorizer, RegexTokenizer, StringIndexer

    stages = [
        StringIndexer(inputCol="label", outputCol="number"),
        RegexTokenizer(inputCol="text", outputCol="words", pattern=PATTERN, gaps=False),
        CountVectorizer(inputCol="words", outputCol="counts", vocabSize=VOCABULARY),
        NaiveBayes(featuresCol="counts", labelCol="number", smoothing=1.0),
    ]
    return Pipeline(stages=stages).fit(frame)


def mllib_classify(model: Any, frame: Any) -> Any:
    """The rows with MLlib's verdicts."""
    return model.transform(frame).select("text", "prediction", "probability")


ENGINES: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any]]] = {
    "likelier": (likelier_train, likelier_classify),
    "MLlib": (mllib_train, mllib_classify),
}


# ---- measuring -------------------------------------------------------------------------------------------------------


def _measured(cluster: Any, data: dict[str, Any], cores: int, options: argparse.Namespace) -> dict[str, Any]:
    """Seconds of each task of each engine, in a session with this number of cores."""
    start = time.perf_counter()
    spark = cluster.session(
        **{"spark.cores.max": str(cores), "spark.driver.memory": "2g", "spark.executor.memory": "1g"}
    )
    row: dict[str, Any] = {"cores": cores, "session": time.perf_counter() - start, "engines": {}}
    frames = {name: spark.read.parquet(data[name]) for name in ("train", "test", "train-few", "test-few")}
    names = list(ENGINES) if cores > 1 else ["likelier"]
    for name in names:
        train, classify = ENGINES[name]
        first = _seconds(lambda: _asked(classify, train(frames["train-few"]), frames["test-few"]))  # noqa: B023
        row["engines"][name] = {"first": first, "few_train": [], "few_classify": [], "train": [], "classify": []}
    models: dict[str, Any] = {}
    for round_ in range(options.rounds):
        for name in names if round_ % 2 else reversed(names):
            report.tell(f"{cores} cores, round {round_ + 1}, {name}")
            _round(*ENGINES[name], frames, row["engines"][name], models, name)
    row["agreement"] = _agreement(models, frames["test"]) if cores > 1 else None
    spark.stop()
    return row


def _round(train: Any, classify: Any, frames: dict[str, Any], times: dict[str, Any], models: Any, name: str) -> None:
    for few in ("-few", ""):
        prefix = "few_" if few else ""
        start = time.perf_counter()
        models[name] = train(frames[f"train{few}"])
        times[f"{prefix}train"].append(time.perf_counter() - start)
        times[f"{prefix}classify"].append(_seconds(lambda: _asked(classify, models[name], frames[f"test{few}"])))  # noqa: B023


def _asked(classify: Any, model: Any, frame: Any) -> None:
    classify(model, frame).write.format("noop").mode("overwrite").save()


def _seconds(work: Callable[[], Any]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _agreement(models: dict[str, Any], frame: Any) -> dict[str, float]:
    """The share of verdicts that are right, of each engine."""
    from pyspark.sql import functions as F

    ours = likelier_classify(models["likelier"], frame.withColumnRenamed("label", "truth"))
    right = ours.agg(F.avg((F.col("label") == F.col("truth")).cast("double"))).collect()[0][0]
    theirs = models["MLlib"].transform(frame)
    same = theirs.agg(F.avg((F.col("prediction") == F.col("number")).cast("double"))).collect()[0][0]
    return {"likelier": right, "MLlib": same}


# ---- for people ------------------------------------------------------------------------------------------------------


def table(result: dict[str, Any]) -> list[str]:
    """Seconds and speeds."""
    lines = [f"{result['documents']:,} documents, {result['megabytes']:.0f} MB, best of {result['rounds']}"]
    for row in result["rows"]:
        for name, times in row["engines"].items():
            best = {task: min(times[task]) for task in ("few_train", "train", "few_classify", "classify")}
            shown = "  ".join(f"{task} {seconds:6.2f} s" for task, seconds in best.items())
            lines.append(f"{row['cores']} cores  {name:<9} {shown}  first {times['first']:.1f} s")
    return lines


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure training and classifying on Spark, against MLlib.")
    parser.add_argument("--quick", action="store_true", help="few texts, one round: does it run?")
    parser.add_argument("--rounds", type=int, metavar="N", help=f"default: {ROUNDS}")
    parser.add_argument("--data", type=Path, default=corpora.DATA, help="folder with the corpora")
    options = parser.parse_args()
    options.rounds = options.rounds or (QUICK_ROUNDS if options.quick else ROUNDS)
    return options


if __name__ == "__main__":
    sys.exit(main())
