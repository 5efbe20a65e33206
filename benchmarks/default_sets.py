"""The sets of default.py: the corpora of accuracy/sets.py, and tickets, which come with likelier."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.model_selection import StratifiedKFold

from accuracy import sets
from corpora import Part

TICKETS = "tickets"
NAMES = (TICKETS, *sets.NAMES)
TITLES = {
    TICKETS: "tickets",
    "sms_spam": "short messages",
    "rt2k_movie_reviews": "movie reviews, 2,000",
    "rt_polarity": "sentences of reviews",
    "subj": "subjective or not",
    "trec6": "questions by type",
    "reuters_single_raw": "Reuters",
    "germeval2018": "German tweets",
    "rusentiment": "Russian posts",
    "20news_bydate": "20 newsgroups",
    "imdb50k": "movie reviews",
    "tatoeba_langid": "113 languages",
}


@dataclass(frozen=True)
class DefaultSet:
    """A set: all documents that may be learned, and splits to judge by."""

    name: str
    how: str
    all: Part  # the training part, or where there are folds all documents
    splits: list[sets.Split]

    @property
    def has_own_test(self) -> bool:
        """Whether it comes with a test part."""
        return len(self.splits) == 1

    def facts(self) -> dict[str, object]:
        """What a result file says about it."""
        labels = len(set(self.all.labels))
        judged = sum(len(test.texts) for _, test in self.splits)
        return {"title": TITLES[self.name], "split": self.how, "labels": labels, "judged": judged, **self.all.facts()}


def is_there(name: str, data: Path) -> bool:
    """Whether the set can be loaded."""
    return name == TICKETS or sets.is_there(name, data)


def load(name: str, data: Path) -> DefaultSet:
    """The set, in the same order and the same folds each time."""
    if name == TICKETS:
        return _tickets()
    found = sets.load(name, data)
    (train, test), *more = found.splits
    return DefaultSet(name, found.how, shuffled(_joined(train, test), sets.SEED) if more else train, found.splits)


def _tickets() -> DefaultSet:
    from likelier.demo import documents

    texts, labels = map(list, zip(*documents(), strict=True))
    part = Part(texts, labels)
    dealt = StratifiedKFold(sets.FOLDS, shuffle=True, random_state=sets.SEED).split(texts, labels)
    splits = [(at(part, train.tolist()), at(part, test.tolist())) for train, test in dealt]
    return DefaultSet(TICKETS, f"{sets.FOLDS} stratified folds, seed {sets.SEED}", shuffled(part, sets.SEED), splits)


def shuffled(part: Part, seed: int) -> Part:
    """The same documents in another order."""
    return at(part, np.random.default_rng(seed).permutation(len(part.texts)).tolist())


def at(part: Part, places: list[int]) -> Part:
    """Some of the documents."""
    return Part([part.texts[place] for place in places], [part.labels[place] for place in places])


def _joined(one: Part, two: Part) -> Part:
    return Part(one.texts + two.texts, one.labels + two.labels)
