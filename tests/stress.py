"""Many threads ask one model while others change it: `python tests/stress.py --rounds 10000`.

The model goes through states that are known beforehand, so that every answer can be looked up: each must be that of
one of the states, as a whole. At rest, the model and its file must be those of the last state.
"""

from __future__ import annotations

import argparse
import random
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import likelier as lk

WORDS = [f"w{number}" for number in range(300)]
EXTRA = [
    ("new1 new2 w1 w2 w2", "spam"),
    ("new3 w1 w9", "eggs"),
    ("w5 w5 w6 new1", "ham"),
    ("new7 " * 40 + "w3", "spam"),
]
VIEWS: dict[str, dict[str, Any]] = {
    "textbook": {},
    "bernoulli": {"event": "bernoulli", "unknown": "smooth"},
    "complement": {"event": "complement", "normalize": True},
    "idf": {"idf": True, "min_count": 2},
    "unk": {"unknown": "unk", "min_count": 2},
    "grow": {"unknown": "grow"},
    "thresholds": {"decide": lk.Thresholds({"spam": 0.9})},
}


class Told:
    """A model, the documents that it is changed by, and what it answers in each of its states."""

    def __init__(self, name: str, *, seed: int = 3) -> None:
        self.name, chance = name, random.Random(seed)
        self._settings = VIEWS.get(name, {})
        texts = [" ".join(chance.choices(WORDS, k=20)) for _ in range(60)]
        labels = [chance.choice(["ham", "spam", "eggs"]) for _ in texts]
        self.documents: list[Any] = list(zip(map(self._document, texts), labels, strict=True))
        self.extra = [(self._document(text), label) for text, label in EXTRA]
        self.questions = [document for document, _ in self.documents[:5]] + [self._document("new1 w1 unheard w2")]
        model = self.model()
        self.answers = [self._all_answers(model)]
        for document, label in self.extra:
            model.learn(document, label)
            self.answers.append(self._all_answers(model))

    def _document(self, text: str) -> Any:
        if self.name != "columns":
            return text
        return {"text": text, "color": text[1], "size": float(len(text))}

    def model(self) -> lk.Model:
        """A new model in the first state; from a file, it answers from the file's arrays at first."""
        kinds = {"text": "text", "categorical": ["color"], "numeric": ["size"]} if self.name == "columns" else {}
        model = lk.train(self.documents, view="textbook", **kinds)
        model.set_view(**self._settings)
        return lk.Model.from_bytes(model.to_bytes())

    def _all_answers(self, model: lk.Model) -> dict[str, Any]:
        return {name: ask(model.copy(), self.questions) for name, ask in ASKING.items()}

    def wrong(self, kind: str, found: Any) -> bool:
        """Whether no state gives this answer."""
        return all(found != state[kind] for state in self.answers)


def _one_by_one(model: lk.Model, questions: list[Any]) -> Any:
    return _plain(model.classify(questions[0]))


def _unheard(model: lk.Model, questions: list[Any]) -> Any:
    return _plain(model.classify(questions[-1]))


def _many(model: lk.Model, questions: list[Any]) -> Any:
    found = model.classify_many(questions * 3, threads=2)
    return [_plain(verdict) for verdict in found]


def _explained(model: lk.Model, questions: list[Any]) -> Any:
    found = model.explain(questions[1])
    items = [
        (item.name, item.contributions, {label: str(each) for label, each in item.factors.items()})
        for item in found.items
    ]
    return _plain(found.verdict), items


def _counted(model: lk.Model, questions: list[Any]) -> Any:
    return model.counts.digest()


def _listed(model: lk.Model, questions: list[Any]) -> Any:
    return model.view().top_terms("spam", 5)


def _saved(model: lk.Model, questions: list[Any]) -> Any:
    model = lk.Model.from_bytes(model.to_bytes())
    return model.counts.digest(), model.documents, len(model.ledger or ())


def _plain(verdict: lk.Verdict) -> Any:
    return verdict.label, verdict.log_scores, verdict.probabilities, verdict.unknown_share, verdict.reason


ASKING: dict[str, Callable[[lk.Model, list[Any]], Any]] = {
    "one": _one_by_one,
    "unheard": _unheard,
    "many": _many,
    "explained": _explained,
    "counted": _counted,
    "listed": _listed,
    "saved": _saved,
}


@contextmanager
def switching(seconds: float) -> Iterator[None]:
    """Threads take turns this often."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(seconds)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def only_asked(told: Told, threads: int = 8) -> Counter[str]:
    """One round: a new model is asked by threads in every way, and nobody changes it."""
    model, start, found = told.model(), threading.Barrier(threads), Counter[str]()

    def ask(number: int) -> None:
        start.wait()
        for kind in list(ASKING)[number % len(ASKING) :] + list(ASKING):
            _judge(found, kind, lambda kind=kind: ASKING[kind](model, told.questions) != told.answers[0][kind])

    _run([threading.Thread(target=ask, args=(number,)) for number in range(threads)])
    return found


def changed(told: Told, threads: int = 5, changes: int = 3) -> Counter[str]:
    """One round: a model is asked while another thread makes it learn and forget; then it is looked at."""
    model, found, done = told.model(), Counter[str](), threading.Event()

    def ask(number: int) -> None:
        kinds = list(ASKING)
        while not done.is_set():
            kind = kinds[number % len(kinds)]
            _judge(found, kind, lambda kind=kind: told.wrong(kind, ASKING[kind](model, told.questions)))
            number += 1

    def change() -> None:
        try:
            for _ in range(changes):
                for document, label in told.extra:
                    model.learn(document, label)
                for document, label in reversed(told.extra):
                    model.forget(document, label)
        except BaseException as error:
            found[f"changing: {type(error).__name__}: {error}"] += 1
        done.set()

    _run(
        [threading.Thread(target=ask, args=(number,)) for number in range(threads)] + [threading.Thread(target=change)]
    )
    for kind, ask_again in ASKING.items():
        if ask_again(model, told.questions) != told.answers[0][kind]:
            found[f"wrong at rest: {kind}"] += 1
    if lk.Model.from_bytes(model.to_bytes()) != told.model():
        found["a wrong model is saved"] += 1
    return found


def _judge(found: Counter[str], kind: str, is_wrong: Callable[[], bool]) -> None:
    try:
        found[f"wrong: {kind}" if is_wrong() else "right"] += 1
    except BaseException as error:
        found[f"{kind}: {type(error).__name__}: {error}"] += 1


def _run(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def rounds(number: int) -> Counter[str]:
    """So many rounds of both kinds, over models of all kinds."""
    told = [Told(name) for name in (*VIEWS, "columns")]
    found = Counter[str]()
    with switching(1e-6):
        for place in range(number):
            found += (only_asked if place % 2 else changed)(told[place // 2 % len(told)])
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2000)
    result = rounds(parser.parse_args().rounds)
    for what, times in result.most_common():
        print(times, what)
    sys.exit(set(result) != {"right"})
