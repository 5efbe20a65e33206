"""Engines for tables: Polars, which can count what training counts, and Spark MLlib."""

from __future__ import annotations

import shutil
from typing import Any

from corpora import Part
from peers.base import CLASSIFY, WORDS, Peer

WORD = r"\b\w\w+\b"  # as scikit-learn has it


class Polars(Peer):
    """Polars: how often each word occurs in the texts of each label. That is training without a model."""

    name = "Polars"
    package = "polars"
    definition = "a query that counts words by label; no model"
    threads = 2
    tasks = (WORDS,)

    def __init__(self) -> None:
        """Imports it, or fails."""
        import polars

        self.polars = polars

    def prepare(self, documents: Part) -> Any:
        """A data frame."""
        return self.polars.DataFrame({"label": documents.labels, "text": documents.texts})

    def train(self, documents: Any, ngrams: int = 1) -> Any:
        """Words, lower case, one in a row, counted by label."""
        words = self.polars.col("text").str.to_lowercase().str.extract_all(WORD)
        return self.counted(documents.lazy().select("label", word=words))

    def counted(self, words: Any) -> Any:
        """Rows with a label and a list of words to rows with label, word and count."""
        return words.explode("word").drop_nulls().group_by("label", "word").len("count").collect()


class Spark(Peer):
    """Spark MLlib on two threads of this machine; the start of the Java machine is not timed."""

    name = "Spark MLlib"
    package = "pyspark"
    definition = "naive Bayes, multinomial, smoothing 1 (of the prior too), words of two letters or more; local[2]"
    same = True
    threads = 2
    tasks = (WORDS, CLASSIFY)
    most = 10.0
    rest = 2.0

    def __init__(self) -> None:
        """Starts Java, or fails."""
        if shutil.which("java") is None:
            raise RuntimeError("java was not found")
        from pyspark.sql import SparkSession

        settings = {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "3g",
            "spark.log.level": "ERROR",
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
        }
        self.session = SparkSession.builder.master("local[2]").config(map=settings).getOrCreate()

    def frame(self, **columns: list[Any]) -> Any:
        """Rows in Spark's memory."""
        rows = list(zip(*columns.values(), strict=True))
        frame = self.session.createDataFrame(rows, list(columns)).repartition(2).cache()
        frame.count()
        return frame

    def prepare(self, documents: Part) -> Any:
        """Rows with a label and a text."""
        return self.frame(label=documents.labels, text=documents.texts)

    def prepare_texts(self, texts: list[str]) -> Any:
        """Rows with a text."""
        return self.frame(text=texts)

    def train(self, documents: Any, ngrams: int = 1) -> Any:
        """Tokens, a vocabulary with counts, labels as numbers, and the sums of each."""
        from pyspark.ml import Pipeline
        from pyspark.ml.feature import RegexTokenizer

        tokens = RegexTokenizer(inputCol="text", outputCol="words", pattern=WORD, gaps=False)
        return Pipeline(stages=[tokens, *self.counting()]).fit(documents)

    def counting(self) -> list[Any]:
        """The steps from words to a model."""
        from pyspark.ml.classification import NaiveBayes
        from pyspark.ml.feature import CountVectorizer, StringIndexer

        return [
            CountVectorizer(inputCol="words", outputCol="features", vocabSize=1 << 22),
            StringIndexer(inputCol="label", outputCol="number", stringOrderType="alphabetAsc"),
            NaiveBayes(labelCol="number", smoothing=1.0),
        ]

    def classify(self, model: Any, texts: Any) -> Any:
        """Every column is computed and none is kept."""
        model.transform(texts).write.format("noop").mode("overwrite").save()

    def stop(self) -> None:
        """Ends Java."""
        self.session.stop()
