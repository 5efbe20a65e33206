"""Do word frequencies of texts without labels help? (Su, Sayyad Shirab & Matwin 2011)

    P'(w|c) = P(w) P(c|w) / Z(c),  Z(c) = sum over w of U(w) P(c|w),  P(c|w) = P(c) P(w|c) / sum over c' of the same

P(w|c) and P(c) are those of the labeled texts, U(w) is the share of a word in the whole pool. P(w) is the same for all
labels, and so is the sum over c': a score changes by n (log P(c) - log Z(c)) alone, n the number of known words of the
text. So the pool says only how common a label's words are in it.

Each number of random labels is tried with and without; `chosen` takes what has the smaller log loss of leave-one-out,
exact, each calibrated on the same labels. Without the pool that is what `Labeling` begins with: multinomial for two
labels, complement for more. With it the model is multinomial.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, diags

import likelier as lk
from corpora import Part
from likelier._evaluate.calibrate.discount import fit_discount
from likelier._label.starting import new_model
from likelier.sklearn import TextCounts

SETS = ("sms_spam", "subj", "germeval2018", "rt_polarity", "trec6", "rusentiment")
SIZES = (20, 50, 100, 200, 500)
SEEDS = range(10)
POOL, OTHERS = 4000, 2000  # texts
CLOSE = 0.1  # weights in the library are multiples of 1/65536

Floats = NDArray[np.float64]


def compared(pool: Part, others: Part, seed: int, sizes: Sequence[int]) -> list[dict[str, Any]]:
    """Accuracy on other texts, with and without the pool, by the number of labels."""
    random = np.random.default_rng(seed)
    pool, others = (_some(part, random, most) for part, most in ((pool, POOL), (others, OTHERS)))
    terms = TextCounts(lk.Analyzer(ngrams=2), binary=True, threads=1)
    of_pool, of_others = terms.fit_transform(pool.texts).astype(np.float64), terms.transform(others.texts)
    words = TextCounts(binary=True, threads=1).fit_transform(pool.texts)
    weighed = diags(1 / np.sqrt(np.maximum(np.asarray(words.sum(axis=1)).ravel(), 1))) @ of_pool  # by the length
    found = _Texts(pool, of_pool, weighed.tocsr()), others, of_others.astype(np.float64)
    return [_at(*found, size) for size in sizes]


@dataclass(frozen=True)
class _Texts:
    """The pool, its terms, each once, and the same by the length of its text."""

    part: Part
    terms: csr_matrix
    weighed: csr_matrix


def _some(part: Part, random: np.random.Generator, most: int) -> Part:
    rows = random.permutation(len(part.texts))[:most].tolist()
    return Part([part.texts[row] for row in rows], [part.labels[row] for row in rows])


def _at(texts: _Texts, others: Part, of_others: csr_matrix, size: int) -> dict[str, Any]:
    """With this many labels; the first texts of the pool have them."""
    pool = texts.part
    labels = sorted(set(pool.labels))
    model = new_model(pool.texts, len(labels))
    model.learn_many(texts=pool.texts[:size], labels=pool.labels[:size])
    judged = model.view().evaluate(texts=pool.texts[:size], labels=pool.labels[:size])
    names = list(judged.labels)
    truth = np.array([names.index(label) for label in pool.labels[:size]])
    texts, of_others = _known(texts, of_others, size)
    counted = _Counted(
        texts.terms[:size], texts.weighed[:size], truth, len(names), model.settings.smoothing.alpha, len(names) == 2
    )
    shares = np.asarray(texts.weighed.sum(axis=0)).ravel()
    known = np.asarray(judged.scores.known, dtype=np.float64)
    if len(names) == 2:
        _check(counted, shares, judged.verdicts.log_scores)
    without = _loss(judged.verdicts.log_scores, truth, known)
    with_pool = _loss(counted.left_out(shares), truth, known)
    right = np.array([names.index(label) if label in names else -1 for label in others.labels])
    found = {
        "without": _accuracy(model, others),
        "with": float((counted.scores(of_others, shares).argmax(axis=1) == right).mean()),
    }
    return {
        "labels": size,
        **found,
        "chosen": found["with" if with_pool < without else "without"],
        "losses": [without, with_pool],
    }


def _known(texts: _Texts, of_others: csr_matrix, size: int) -> tuple[_Texts, csr_matrix]:
    """Only the terms of the labeled texts."""
    places = np.unique(texts.terms[:size].indices)
    return _Texts(texts.part, texts.terms[:, places], texts.weighed[:, places]), of_others[:, places]


def _check(counted: _Counted, shares: Floats, expected: Floats) -> None:
    """What is computed here is leave-one-out as in the library, if the pool adds nothing."""
    found = counted.left_out(None)
    there = np.isfinite(expected).all(axis=1)
    difference = np.diff(found[there], axis=1) - np.diff(expected[there], axis=1)
    assert np.abs(difference).max(initial=0) < CLOSE, np.abs(difference).max()


def _accuracy(model: lk.Model, part: Part) -> float:
    found = model.classify_many(part.texts, threads=1).labels
    return float(np.mean([one == other for one, other in zip(found, part.labels, strict=True)]))


def _loss(scores: Floats, truth: NDArray[np.intp], known: Floats) -> float:
    """The log loss of calibrated scores; documents whose label nobody else has say nothing."""
    usable = np.isfinite(scores[np.arange(len(truth)), truth])
    scores, truth, known = scores[usable], truth[usable], known[usable]
    rule = fit_discount(scores, truth, known)
    found = scores if rule is None else rule.calibrated(scores, range(scores.shape[1]), known=known)
    behind = found - found.max(axis=1, keepdims=True)
    return float((np.log(np.exp(behind).sum(axis=1)) - behind[np.arange(len(truth)), truth]).mean())


class _Counted:
    """Naive Bayes over few texts: (labels, terms), each term once by length."""

    def __init__(
        self, terms: csr_matrix, weighed: csr_matrix, truth: NDArray[np.intp], labels: int, alpha: float, fitted: bool
    ) -> None:
        self.terms, self.weighed, self.truth, self.alpha, self.is_fitted = terms, weighed, truth, alpha, fitted
        member = csr_matrix((np.ones(len(truth)), (truth, np.arange(len(truth)))), shape=(labels, len(truth)))
        self.sums = np.asarray((member @ self.weighed).todense())
        self.texts_with = np.asarray(terms.sum(axis=0)).ravel()
        self.documents = np.bincount(truth, minlength=labels).astype(np.float64)

    def scores(self, terms: csr_matrix, shares: Floats | None) -> Floats:  # (documents, labels)
        """Of other texts; shares: of the terms in the pool, or without it."""
        prior, weights, places = self._weights(self.sums, self.documents, self.texts_with, shares)
        return prior + np.asarray(terms[:, places] @ weights.T)

    def left_out(self, shares: Floats | None) -> Floats:
        """Of its own texts, each without itself."""
        rows = []
        for row, label in enumerate(self.truth.tolist()):
            own, sums, documents = self.terms.getrow(row), self.sums.copy(), self.documents.copy()
            weighed = self.weighed.getrow(row)
            sums[label, weighed.indices] -= weighed.data
            documents[label] -= 1
            others = self.texts_with.copy()
            others[own.indices] -= 1
            prior, weights, places = self._weights(np.maximum(sums, 0), documents, others, shares)
            rows.append(prior + (own[:, places] @ weights.T).ravel())
        return np.array(rows)

    def _weights(
        self, sums: Floats, documents: Floats, texts_with: Floats, shares: Floats | None
    ) -> tuple[Floats, Floats, NDArray[np.intp]]:
        """Of the labels, of (labels, known terms), and which terms these are."""
        places = np.flatnonzero(texts_with > 0)
        smoothed = sums[:, places] + self.alpha
        likelihoods = smoothed / smoothed.sum(axis=1, keepdims=True)
        with np.errstate(divide="ignore"):
            prior = documents / documents.sum()
            logs = np.log(prior)
        weights = np.log(likelihoods)
        if shares is not None:
            joint = prior[:, np.newaxis] * likelihoods
            in_pool = (joint / joint.sum(axis=0)) @ (shares[places] / shares[places].sum())  # Z(c)
            with np.errstate(divide="ignore", invalid="ignore"):
                weights = weights + np.where(prior > 0, logs - np.log(in_pool), 0.0)[:, np.newaxis]
        empty = np.where(documents > 0, 0.0, -np.inf)
        return (logs if self.is_fitted else empty), weights, places
