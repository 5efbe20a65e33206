"""The same check as in agreement.py for peers beside scikit-learn, where what they compute is the same.

river    the same probabilities, for texts of known words: it smooths unknown ones in its own way
Spark    the same probabilities, by the prior that it smooths: (N_c + 1) / (N + number of labels)
Polars   the same counts
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import likelier as lk
from agreement import check_counts, check_differences, largest
from corpora import Corpus, Part
from peers.base import Peer
from peers.engines import Polars, Spark
from peers.plain import River

TRAINED_ON, ASKED = 300, 50  # documents


def check_others(corpus: Corpus, peers: list[Peer]) -> dict[str, object]:
    """Peer → what was compared; raises Disagreement where something differs."""
    train, test = corpus.train.first(TRAINED_ON), corpus.test.first(ASKED)
    model = lk.train(texts=train.texts, labels=train.labels, view="textbook", threads=1)
    compared: dict[str, object] = {}
    for peer in peers:
        if type(peer) in CHECKS:
            compared[peer.name] = CHECKS[type(peer)](peer, model, train, test)
        else:
            compared[peer.name] = "computes something else, so its verdicts need not be the same"
    return compared


def _river(peer: River, model: lk.Model, train: Part, test: Part) -> dict[str, float]:
    # of terms that are joined by spaces and stay as they are
    theirs = peer.empty(tokenizer=str.split, lowercase=False, strip_accents=False)
    for text, label in zip(train.texts, train.labels, strict=True):
        theirs.learn_one(_joined(model, text), label)
    texts = [_joined(model, text, known=True) for text in test.texts]
    given = [theirs.predict_proba_one(text) for text in texts]
    probabilities = np.array([[each[label] for label in model.labels] for each in given])
    ours = model.textbook(alpha=1).classify_many([_joined(model, text, known=True) for text in test.texts], threads=1)
    return _agreed("probabilities", largest(ours.probabilities, probabilities))


def _spark(peer: Spark, model: lk.Model, train: Part, test: Part) -> dict[str, float]:
    from pyspark.ml import Pipeline

    words = [model.analyzer.terms(text) for text in train.texts]
    theirs = Pipeline(stages=peer.counting()).fit(peer.frame(label=train.labels, words=words))
    asked = [(number, model.analyzer.terms(text)) for number, text in enumerate(test.texts)]
    frame = theirs.transform(peer.frame(number_of_text=[each[0] for each in asked], words=[each[1] for each in asked]))
    rows = frame.orderBy("number_of_text").select("probability").collect()
    documents = model.counts.documents_per_label
    total = sum(documents.values()) + len(documents)
    prior = {label: float((number + 1) / total) for label, number in documents.items()}
    ours = model.textbook(alpha=1, prior=prior).classify_many(test.texts, threads=1)
    return _agreed("probabilities", largest(ours.probabilities, np.array([row[0].toArray() for row in rows])))


def _polars(peer: Polars, model: lk.Model, train: Part, test: Part) -> str:
    frame = peer.polars.DataFrame({"label": train.labels, "word": [model.analyzer.terms(each) for each in train.texts]})
    check_counts(model, {(word, label): count for label, word, count in peer.counted(frame.lazy()).iter_rows()})
    return "counts are equal"


def _joined(model: lk.Model, text: str, known: bool = False) -> str:
    """The terms of a text with spaces between them."""
    terms = model.analyzer.terms(text)
    return " ".join(term for term in terms if not known or model.counts.sizes.find(term) is not None)


def _agreed(name: str, difference: float) -> dict[str, float]:
    check_differences({name: difference})
    return {name: difference}


CHECKS: dict[type[Peer], Callable[..., object]] = {River: _river, Spark: _spark, Polars: _polars}
