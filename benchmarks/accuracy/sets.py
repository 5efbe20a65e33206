"""The corpora, with a test set of their own or split into folds.

Each is a gzip'd file of JSON Lines with `label` and `text`, or two of them, `<set>.train` and `<set>.test`. Some are
grouped by label, so training parts are shuffled with a fixed seed.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from corpora import Part

FOLDS, SEED = 5, 0
NAMES = (
    "sms_spam",
    "rt2k_movie_reviews",
    "rt_polarity",
    "subj",
    "trec6",
    "reuters_single_raw",
    "germeval2018",
    "rusentiment",
    "20news_bydate",
    "imdb50k",
    "tatoeba_langid",
)

Split = tuple[Part, Part]  # to train on, and to test on


@dataclass(frozen=True)
class TextSet:
    """A set and its parts: one split, or as many as there are folds."""

    name: str
    how: str
    splits: list[Split]

    def facts(self) -> dict[str, object]:
        """What a result file says about it."""
        parts = [{"train": train.facts(), "test": test.facts()} for train, test in self.splits]
        labels = sorted({label for train, _ in self.splits for label in train.labels})
        return {"name": self.name, "split": self.how, "labels": len(labels), "seed": SEED, "parts": parts}


def is_there(name: str, data: Path) -> bool:
    """Whether the set is in this folder."""
    return _file(data, name).is_file() or all(_file(data, f"{name}.{part}").is_file() for part in ("train", "test"))


def load(name: str, data: Path) -> TextSet:
    """The set with its own test part where it has one, otherwise in stratified folds."""
    whole = _file(data, name)
    if whole.is_file():
        return TextSet(name, f"{FOLDS} stratified folds, seed {SEED}", _folds(_read(whole)))
    train, test = (_read(_file(data, f"{name}.{part}")) for part in ("train", "test"))
    return TextSet(name, "its own test part", [(_shuffled(train), test)])


def _file(data: Path, name: str) -> Path:
    return data / f"{name}.jsonl.gz"


def _read(file: Path) -> Part:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return Part([row["text"] for row in rows], [str(row["label"]) for row in rows])


def _folds(part: Part) -> list[Split]:
    dealt = StratifiedKFold(FOLDS, shuffle=True, random_state=SEED).split(part.texts, part.labels)
    return [(_shuffled(_at(part, train.tolist())), _at(part, test.tolist())) for train, test in dealt]


def _shuffled(part: Part) -> Part:
    return _at(part, np.random.default_rng(SEED).permutation(len(part.texts)).tolist())


def _at(part: Part, places: Sequence[int]) -> Part:
    return Part([part.texts[place] for place in places], [part.labels[place] for place in places])
