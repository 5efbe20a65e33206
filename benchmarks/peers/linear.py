"""Linear models that are fitted by stochastic gradient descent: fastText and Vowpal Wabbit, one pass each.

They are no naive Bayes, so nothing is asked of their verdicts. They get texts in lower case, one in a line.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from corpora import Part
from peers.base import Peer


def line(text: str) -> str:
    """A text in one line, in lower case, without the marks that mean something to Vowpal Wabbit."""
    return " ".join(text.lower().replace(":", " ").replace("|", " ").split())


class FastText(Peer):
    """fastText: `train_supervised` with one epoch and one thread; 100 dimensions, words alone."""

    name = "fastText"
    package = "fasttext-community"
    definition = "linear model on averaged word vectors of 100 dimensions, 1 epoch; reads a file, answers from memory"

    def __init__(self) -> None:
        """Imports it, or fails."""
        import fasttext

        self.fasttext = fasttext
        self.folder = tempfile.TemporaryDirectory()
        self.files = 0

    def prepare(self, documents: Part) -> str:
        """A file: it reads nothing else."""
        self.files += 1
        names = {label: "__label__" + "_".join(label.split()) for label in documents.labels}
        pairs = zip(documents.texts, documents.labels, strict=True)
        path = Path(self.folder.name, f"{self.files}.txt")
        path.write_text("".join(f"{names[label]} {line(text)}\n" for text, label in pairs), "utf-8")
        return str(path)

    def prepare_texts(self, texts: list[str]) -> list[str]:
        """In lines."""
        return [line(text) for text in texts]

    def train(self, documents: str, ngrams: int = 1) -> Any:
        """From a file to a model."""
        return self.fasttext.train_supervised(input=documents, epoch=1, thread=1, verbose=0)

    def classify(self, model: Any, texts: list[str]) -> Any:
        """All labels with their probabilities."""
        return model.predict(texts, k=-1)

    def asking(self, model: Any) -> Callable[[str], Any]:
        """All labels with their probabilities."""
        return lambda text: model.predict(line(text), k=-1)

    def stop(self) -> None:
        """Removes the files."""
        self.folder.cleanup()


class VowpalWabbit(Peer):
    """Vowpal Wabbit: one against all, logistic loss, one pass."""

    name = "Vowpal Wabbit"
    package = "vowpalwabbit"
    definition = "logistic regression, one label against all others, 1 pass, words hashed to 22 bits"
    most = 5.0

    def __init__(self) -> None:
        """Imports it, or fails."""
        import vowpalwabbit

        self.workspace = vowpalwabbit.Workspace

    def prepare(self, documents: Part) -> tuple[int, list[str]]:
        """The number of labels, and lines that begin with the number of the label."""
        names = sorted(set(documents.labels))
        numbers = {name: number for number, name in enumerate(names, 1)}
        pairs = zip(documents.texts, documents.labels, strict=True)
        return len(names), [f"{numbers[label]} | {line(text)}" for text, label in pairs]

    def prepare_texts(self, texts: list[str]) -> list[str]:
        """Lines without a label."""
        return [f"| {line(text)}" for text in texts]

    def train(self, documents: tuple[int, list[str]], ngrams: int = 1) -> Any:
        """Line by line."""
        labels, lines = documents
        model = self.workspace(f"--oaa {labels} --loss_function logistic --probabilities -b 22 --quiet")
        for each in lines:
            model.learn(each)
        return model

    def classify(self, model: Any, texts: list[str]) -> list[Any]:
        """Line by line."""
        return [model.predict(each) for each in texts]

    def asking(self, model: Any) -> Callable[[str], Any]:
        """Probabilities of one text."""
        return lambda text: model.predict(f"| {line(text)}")
