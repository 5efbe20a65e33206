"""Refined weights: a layer beside the counts, whose scores are still sums."""

from __future__ import annotations

import math
import pickle
import random
import threading
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier import demo
from likelier._refine.factors import LEAST, bounded, fitted_factors, log_loss

DOCUMENTS = demo.documents()
TEXTS, LABELS = [text for text, _ in DOCUMENTS], [label for _, label in DOCUMENTS]
ASKED = [*TEXTS[:30], "", "yeti", "refund refund yeti", "Straße, 漢字 и слова", "invoice charged twice"]


@pytest.fixture(scope="module")
def refined() -> lk.Model:
    return lk.train(TEXTS, LABELS, refine=True)


def rows(count: int = 120) -> list[tuple[dict[str, Any], str]]:
    """Two text columns and a number, some of them missing."""
    chance = random.Random(3)
    return [
        (
            {
                "subject": None if chance.random() < 0.1 else " ".join(text.split()[:5]),
                "body": " ".join(text.split()[5:]),
                "days": chance.gauss(len(label), 2) if chance.random() < 0.9 else None,
            },
            label,
        )
        for text, label in DOCUMENTS[:count]
    ]


# ---- the layer and the counts ----------------------------------------------------------------------------------------


def test_the_counts_are_those_of_a_model_without(refined: lk.Model) -> None:
    plain = lk.train(TEXTS, LABELS)
    assert refined.counts.digest() == plain.counts.digest()
    assert refined.settings == plain.settings
    assert refined.layer is not None
    assert refined.layer.digest == plain.counts.digest()


def test_neither_threads_nor_the_order_of_documents_change_a_bit(refined: lk.Model) -> None:
    order = random.Random(0).sample(range(len(TEXTS)), len(TEXTS))
    other = lk.train([TEXTS[row] for row in order], [LABELS[row] for row in order], refine=True, threads=1)
    assert other.layer is not None
    assert refined.layer is not None
    assert other.classify_many(ASKED) == refined.classify_many(ASKED)
    assert [each.factor for each in other.layer.machines] == [each.factor for each in refined.layer.machines]


def test_it_says_by_how_many_documents_it_is_behind(refined: lk.Model) -> None:
    model = refined.copy()
    model.learn("charged twice", LABELS[0])
    model.learn_many([("refund please", LABELS[0]), ("broken parcel", LABELS[1])])
    model.forget("charged twice", LABELS[0])
    assert model.layer is not None
    assert model.layer.behind == 4
    assert str(model.layer).endswith("4 documents behind")
    assert refined.layer is not None
    assert refined.layer.behind == 0  # the copy has its own
    model.refine([*DOCUMENTS, ("refund please", LABELS[0]), ("broken parcel", LABELS[1])])
    assert model.layer.behind == 0


def test_learning_changes_the_naive_bayes_part_at_once(refined: lk.Model) -> None:
    model = refined.copy()
    before = model.classify("zzz refund").probabilities
    for _ in range(5):
        model.learn("zzz zzz", LABELS[0])
    after = model.classify("zzz refund").probabilities
    assert after[LABELS[0]] > before[LABELS[0]]


def test_a_new_label_puts_it_out_of_use(refined: lk.Model) -> None:
    model = refined.copy()
    model.learn("moon landing", "space")
    assert model.classify_many(ASKED) == model.view(refined=False).classify_many(ASKED)
    model.forget("moon landing", "space")
    assert model.classify_many(ASKED) == refined.classify_many(ASKED)


def test_merging_drops_it_and_says_so(refined: lk.Model) -> None:
    with pytest.warns(UserWarning, match="the refined weights were dropped"):
        both = refined + refined
    assert both.layer is None


def test_documents_that_were_not_learned_are_refused(refined: lk.Model) -> None:
    with pytest.raises(lk.LikelierError, match="only a document that was learned can be left out"):
        refined.copy().refine([*DOCUMENTS, ("nobody learned these words", LABELS[0])])


# ---- views -----------------------------------------------------------------------------------------------------------


def test_other_decisions_keep_it_and_other_scores_do_not(refined: lk.Model) -> None:
    of_model = refined.classify_many(ASKED).probabilities
    decided = refined.view(decide=lk.Thresholds(dict.fromkeys(refined.labels, 0.9)))
    assert (decided.classify_many(ASKED).probabilities == of_model).all()
    naive = refined.view(refined=False)
    assert (naive.classify_many(ASKED).probabilities != of_model).any()
    for changes in ({"alpha": 3.0}, {"event": "bernoulli"}, {"calibration": lk.Temperature(2)}):
        settings = refined.settings.changed(**changes)
        plain = lk.train(TEXTS, LABELS)
        plain.use_settings(settings)
        assert refined.view(**changes).classify_many(ASKED) == plain.classify_many(ASKED)
    assert refined.textbook().classify_many(ASKED) == lk.train(TEXTS, LABELS).textbook().classify_many(ASKED)


def test_a_text_alone_and_in_a_batch_have_the_same_bits(refined: lk.Model) -> None:
    verdicts = refined.classify_many(ASKED)
    for repeat in range(2):  # weights are remembered meanwhile
        assert [refined.classify(text) for text in ASKED] == list(verdicts), repeat
    assert list(refined.classify_many(ASKED * 20))[: len(ASKED)] == list(verdicts)
    assert np.isfinite(verdicts.probabilities).all()


# ---- explanations ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ASKED)
def test_explanations_add_up(refined: lk.Model, text: str) -> None:
    explanation = refined.explain(text)
    assert explanation.naive is not None
    assert explanation.verdict == refined.classify(text)
    for label in refined.labels:
        added = math.fsum(item.refined.get(label, 0.0) for item in explanation.items)
        expected = explanation.naive_factor * explanation.naive.log_scores[label] + added
        assert explanation.log_scores[label] == pytest.approx(expected, abs=1e-9)
        assert explanation.sums[label] == explanation.naive.sums[label]


def test_naive_bayes_and_refinement_are_two_columns_of_one_row(refined: lk.Model) -> None:
    explanation = refined.explain(TEXTS[0])
    shown = str(explanation)
    assert "refined" in shown
    assert "beside refined weights" in shown
    both = [item for item in explanation.items if item.kind == "term" and item.refined]
    assert both
    assert explanation.to_dict()["items"][1]["labels"][0].keys() >= {"contribution", "refined"}
    assert explanation.to_dict()["steps"][-1]["value"] == explanation.log_odds
    for form in (explanation.to_html(), explanation.to_text(full=True), explanation.to_html(full=True)):
        assert "refined" in form


def test_derivations_and_pictures_are_of_naive_bayes_alone(refined: lk.Model) -> None:
    naive = refined.view(refined=False)
    assert str(refined.derivation(TEXTS[0])) == str(naive.derivation(TEXTS[0]))
    assert refined.explain(TEXTS[0]).to_svg() == naive.explain(TEXTS[0]).to_svg()
    assert refined.explain(TEXTS[0]).to_latex() == naive.explain(TEXTS[0]).to_latex()


def test_a_model_without_explains_as_before() -> None:
    explanation = lk.train(TEXTS, LABELS).explain(TEXTS[0])
    assert explanation.naive is None
    assert "refined" not in str(explanation)
    assert "refined" not in repr(explanation.to_dict())


# ---- evaluation ------------------------------------------------------------------------------------------------------


def test_leave_one_out_has_seen_no_document(refined: lk.Model) -> None:
    evaluation = refined.evaluate(DOCUMENTS)
    assert evaluation.how.endswith("refined weights by machines fitted without its fold")
    seen = refined.evaluate(DOCUMENTS, method="held-out")
    assert evaluation.figures.log_loss.loss > seen.figures.log_loss.loss
    assert (seen.verdicts.probabilities == refined.classify_many(TEXTS).probabilities).all()
    folds = refined.evaluate(DOCUMENTS, method="folds", folds=4)
    assert np.isfinite(folds.verdicts.probabilities).all()
    assert "refined" not in refined.evaluate(DOCUMENTS, method="time-ordered", every=50).how


def test_labels_that_mean_nothing_are_not_learned_by_heart() -> None:
    chance = random.Random(1)
    labels = [chance.choice("ab") for _ in TEXTS]
    model = lk.train(TEXTS, labels, refine=True)
    assert model.evaluate(TEXTS, labels=labels).figures.log_loss.loss < 0.75


# ---- columns ---------------------------------------------------------------------------------------------------------


def test_rows_have_weights_for_each_text_column() -> None:
    documents = rows()
    model = lk.train(documents, text=["subject", "body"], numeric="days", refine=True)
    assert model.layer is not None
    assert {each.column for each in model.layer.machines} == {"subject", "body"}
    for row, _ in documents[:20]:
        explanation = model.explain(row)
        assert explanation.naive is not None
        for label in model.labels:
            added = explanation.refined_sums[label]
            expected = explanation.naive_factor * explanation.naive.log_scores[label] + added
            assert explanation.log_scores[label] == pytest.approx(expected, abs=1e-9)
    again = lk.Model.from_bytes(model.to_bytes())
    asked = [row for row, _ in documents]
    assert again.classify_many(asked) == model.classify_many(asked)
    assert [model.classify(row) for row in asked[:9]] == list(model.classify_many(asked))[:9]


def test_rows_without_text_are_refused() -> None:
    documents = [({"days": float(place), "city": "Bonn"}, "ab"[place % 2]) for place in range(60)]
    with pytest.raises(lk.LikelierError, match="refined weights need a text column"):
        lk.train(documents, numeric="days", categorical="city", refine=True)


# ---- files and pickles -----------------------------------------------------------------------------------------------


def test_a_file_keeps_it_and_one_without_is_as_before(refined: lk.Model) -> None:
    content = refined.to_bytes()
    assert b'"version":"5"' in content[:100]
    again = lk.Model.from_bytes(content)
    assert again.classify_many(ASKED) == refined.classify_many(ASKED)
    assert again.to_bytes() == content
    plain = refined.copy()
    plain.layer = None
    assert b'"version":"5"' not in plain.to_bytes()[:100]
    assert pickle.loads(pickle.dumps(refined)).classify_many(ASKED) == refined.classify_many(ASKED)


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("documents", "message"),
    [
        ([(f"one {place}", "a") for place in range(50)], "refined weights need 2 to 1,000 labels, got 1"),
        ([("a b", "a"), ("b c", "b")] * 5, "refined weights need at least 20 documents"),
        ([(f"word{place}", f"label{place}") for place in range(1100)], "refined weights need 2 to 1,000 labels"),
        ([(f"word{place}", f"label{place}") for place in range(60)], "refined weights need at least 20 documents"),
    ],
)
def test_what_cannot_be_refined_is_refused(documents: list[tuple[str, str]], message: str) -> None:
    with pytest.raises(lk.LikelierError, match=message):
        lk.train(documents, refine=True)


@pytest.mark.parametrize(
    "documents",
    [
        [("", "a"), ("", "b")] * 20,
        [("same words here", "a"), ("same words here", "b")] * 20,
        [*([("spam here", "a"), ("ham there", "b")] * 15), ("alone", "c")],
        [*([("spam here", "a"), ("ham there", "b")] * 15), ("", "c"), ("", "c")],
    ],
)
def test_odd_documents_give_no_nan(documents: list[tuple[str, str]]) -> None:
    model = lk.train(documents, refine=True)
    assert model.layer is not None
    found = model.classify_many(["", "spam", "unseen", "same words"])
    assert not np.isnan(found.probabilities).any()
    model.evaluate(documents)


def test_refine_is_a_flag_and_pruned_counts_cannot_be_refined() -> None:
    with pytest.raises(lk.LikelierError, match="`refine` must be"):
        lk.train(DOCUMENTS, refine="yes")  # type: ignore[arg-type]
    with pytest.raises(lk.LikelierError, match="refining"):
        lk.train(DOCUMENTS, most_terms=50, refine=True)


def test_weights_of_documents_count() -> None:
    weights = [3.0 if label == LABELS[0] else 0.5 for label in LABELS]
    model = lk.train(TEXTS, LABELS, weights=weights, refine=True)
    assert (model.classify_many(TEXTS).probabilities.sum(axis=1) == pytest.approx(1)) is True


# ---- threads ---------------------------------------------------------------------------------------------------------


def test_others_classify_while_it_is_fitted_again(refined: lk.Model) -> None:
    model, failures = refined.copy(), list[BaseException]()
    before = model.classify_many(ASKED)
    done = threading.Event()

    def ask() -> None:
        try:
            while not done.is_set():
                assert model.classify_many(ASKED) == before
                assert model.classify(ASKED[0]) == before[0]
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    model.refine(DOCUMENTS)
    done.set()
    for thread in threads:
        thread.join()
    assert not failures


# ---- factors ---------------------------------------------------------------------------------------------------------


def test_the_factors_have_the_least_log_loss() -> None:
    chance = np.random.default_rng(0)
    truth = chance.integers(0, 3, 2000)
    parts = [chance.normal(size=(2000, 3)) * 2 + scale * np.eye(3)[truth] for scale in (1.0, 3.0)]
    weights = np.ones(2000)
    factors = fitted_factors(parts, truth, weights)

    def loss(one: float, two: float) -> float:
        return log_loss(one * parts[0] + two * parts[1], truth, weights)

    for step in (-0.02, 0.02):
        assert loss(factors[0] + step, factors[1]) > loss(*factors)
        assert loss(factors[0], factors[1] + step) > loss(*factors)


def test_a_part_that_says_nothing_or_the_contrary_has_the_least_factor() -> None:
    truth = np.arange(300) % 2
    good = 2.0 * np.eye(2)[truth]
    factors = fitted_factors([good, -good, np.zeros((300, 2))], truth, np.ones(300))
    assert factors[1:] == (LEAST, LEAST)


def test_infinities_are_bounded() -> None:
    assert bounded(np.array([[0.0, -np.inf, -3.0]])).tolist() == [[0.0, -50.0, -3.0]]
