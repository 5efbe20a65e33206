"""The texts of the benchmarks: real ones where they are at hand, else made-up ones (see zipf.py)."""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import numpy as np

from environment import ROOT
from zipf import DOCUMENTS_PER_MEGABYTE, MadeUpLanguage

DATA = ROOT.parent / "shared" / "data" / "text"
SEED = 20240229
FILM_REVIEWS = "imdb50k"
SETS = {"imdb": FILM_REVIEWS, "20news": "20news_bydate", "tatoeba": "tatoeba_langid", "sms": "sms_spam"}
NAMES = (*SETS, "zipf")
LEFT_FOR_TEST = 0.2  # of a set that comes in one file
QUICK_DOCUMENTS = 2_000  # of each part

ZIPF_DOCUMENTS = {"train": 22_000, "test": 11_000}  # about 30 and 15 MB


@dataclass(frozen=True)
class Part:
    """Labeled documents."""

    texts: list[str]
    labels: list[str]

    @property
    def megabytes(self) -> float:
        """Size in UTF-8; a megabyte is a million bytes."""
        return sum(len(text.encode()) for text in self.texts) / 1e6

    def first(self, documents: int) -> Part:
        """The first documents, in the order of this part."""
        return Part(self.texts[:documents], self.labels[:documents])

    def about(self, megabytes: float | None) -> Part:
        """The first documents, up to this many megabytes; all of them without a limit."""
        if megabytes is None:
            return self
        sizes = accumulate(len(text.encode()) for text in self.texts)
        return self.first(1 + sum(size < megabytes * 1e6 for size in sizes))

    def facts(self) -> dict[str, object]:
        """What a result file says about this part."""
        return {"documents": len(self.texts), "megabytes": self.megabytes, "sha256": self._digest()}

    def _digest(self) -> str:
        digest = hashlib.sha256()
        for label, text in zip(self.labels, self.texts, strict=True):
            digest.update(f"{label}\t{text}\n".encode())
        return digest.hexdigest()


@dataclass(frozen=True)
class Corpus:
    """Documents to train on and documents to ask about."""

    name: str
    train: Part
    test: Part


def is_there(data: Path, name: str = "imdb") -> bool:
    """Whether a corpus can be had: made-up texts always, others from files in this folder."""
    return name == "zipf" or bool(files(data, SETS[name]))


def load(name: str, data: Path, *, quick: bool = False, megabytes: float | None = None) -> Corpus:
    """A corpus in an order that the seed decides; with `quick` a small piece of it.

    megabytes: of the made-up texts to train on, about; there are half as many to ask about.
    """
    random = np.random.default_rng(SEED)
    most = QUICK_DOCUMENTS if quick else None
    if name == "zipf":
        language = MadeUpLanguage(random)
        sizes = ZIPF_DOCUMENTS if megabytes is None else _sizes(megabytes)
        return Corpus(name, *(Part(*language.documents(most or sizes[part])) for part in ("train", "test")))
    parts = [read(file, random, most) for file in files(data, SETS[name])]
    return Corpus(name, *(parts if len(parts) == 2 else two(parts[0])))


def read(file: Path, random: np.random.Generator, most: int | None = None) -> Part:
    """The documents of a file, in another order: most files are sorted by label."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    order = random.permutation(len(rows))[:most].tolist()
    return Part([rows[place]["text"] for place in order], [str(rows[place]["label"]) for place in order])


def files(data: Path, stem: str) -> list[Path]:
    """Of the parts of a set, or of the whole of it; none if it is not there."""
    for names in ((f"{stem}.train", f"{stem}.test"), (stem,)):
        files = [data / f"{name}.jsonl.gz" for name in names]
        if all(file.is_file() for file in files):
            return files
    return []


def two(part: Part) -> tuple[Part, Part]:
    """Four fifths of the documents, and the rest."""
    cut = round(len(part.texts) * (1 - LEFT_FOR_TEST))
    return part.first(cut), Part(part.texts[cut:], part.labels[cut:])


def _sizes(megabytes: float) -> dict[str, int]:
    documents = max(2, round(megabytes * DOCUMENTS_PER_MEGABYTE))
    return {"train": documents, "test": max(1, documents // 2)}
