"""Where scikit-learn defines a figure in the same way, it is the same figure."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn import metrics

from likelier._evaluate.figures.curves import label_curves
from likelier._evaluate.figures.figures import Figures
from likelier._evaluate.figures.losses import log_loss
from likelier._evaluate.figures.reliability import reliability

approx = pytest.approx
LABELS = ("ham", "spam", "news", "rare")


def judged(
    documents: int = 400, labels: int = 4, seed: int = 0, *, ties: bool = False, weighted: bool = False
) -> Figures:
    random = np.random.default_rng(seed)
    truth = random.choice(labels, size=documents, p=np.arange(labels, 0, -1) / sum(range(labels + 1)))
    scores = random.normal(size=(documents, labels)) * 2
    scores[np.arange(documents), truth] += 1.5
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    if ties:
        probabilities = np.round(probabilities * 8) + 1e-3
        probabilities = np.round(probabilities / probabilities.sum(axis=1, keepdims=True), 12)  # theirs see last bits
    weights = random.integers(1, 5, size=documents) / 2 if weighted else None
    return Figures(truth, probabilities.argmax(axis=1), probabilities, LABELS[:labels], weights)


CASES = {
    "four labels": judged(),
    "two labels": judged(labels=2, seed=1),
    "many ties": judged(seed=2, ties=True),
    "weights": judged(seed=3, weighted=True),
    "ties and weights": judged(seed=4, ties=True, weighted=True),
}


@pytest.fixture(params=CASES.values(), ids=CASES.keys())
def figures(request: pytest.FixtureRequest) -> Figures:
    return request.param


def test_accuracy(figures: Figures) -> None:
    expected = metrics.accuracy_score(figures.truth, figures.decided, sample_weight=figures.weights)
    assert figures.accuracy.share == approx(expected, rel=1e-12)


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_precision_recall_f_and_support_of_each_label(figures: Figures, beta: float) -> None:
    expected = metrics.precision_recall_fscore_support(
        figures.truth,
        figures.decided,
        beta=beta,
        labels=range(len(figures.labels)),
        sample_weight=figures.weights,
        zero_division=0,
    )
    for column, one in enumerate(figures.per_label.all(beta=beta)):
        found = (one.precision or 0, one.recall, one.f, one.support)
        assert found == approx(tuple(figure[column] for figure in expected), rel=1e-12)


@pytest.mark.parametrize("average", ["macro", "weighted", "micro"])
@pytest.mark.parametrize("beta", [0.5, 1.0, 2.0])
def test_averages(figures: Figures, average: str, beta: float) -> None:
    expected = metrics.precision_recall_fscore_support(
        figures.truth,
        figures.decided,
        beta=beta,
        average=average,
        sample_weight=figures.weights,
        zero_division=0,
    )
    assert tuple(getattr(figures.per_label, average)(beta=beta)) == approx(expected[:3], rel=1e-12)


def test_averages_leave_out_labels_that_are_nowhere() -> None:
    truth, decided = np.array([0, 0, 1, 1]), np.array([0, 1, 1, 1])
    found = Figures(truth, decided, np.full((4, 3), 1 / 3), ("a", "b", "c")).per_label
    expected = metrics.precision_recall_fscore_support(truth, decided, average="macro")
    assert tuple(found.macro()) == approx(expected[:3], rel=1e-12)


def test_confusion(figures: Figures) -> None:
    labels = len(figures.labels)
    expected = metrics.confusion_matrix(
        figures.truth, figures.decided, labels=range(labels), sample_weight=figures.weights
    )
    assert figures.confusion.matrix[:labels, :labels].tolist() == expected.tolist()


def test_confusion_with_documents_without_label_and_of_unknown_label() -> None:
    truth, decided = np.array([0, 1, 2, -1, -1, 1]), np.array([0, -1, 1, 2, -1, 1])
    found = Figures(truth, decided, np.full((6, 3), 1 / 3), ("a", "b", "c")).confusion
    assert found.matrix.tolist() == metrics.confusion_matrix(truth % 4, decided % 4, labels=range(4)).tolist()


def test_log_loss(figures: Figures) -> None:
    expected = metrics.log_loss(
        figures.truth, figures.probabilities, sample_weight=figures.weights, labels=range(len(figures.labels))
    )
    assert figures.log_loss.loss == approx(expected, rel=1e-12)
    assert figures.log_loss.exact == approx(expected, rel=1e-12)


def test_log_loss_with_impossible_true_labels() -> None:
    truth, probabilities = np.array([0, 1, 1]), np.array([[1.0, 0.0], [1.0, 0.0], [0.25, 0.75]])
    found = log_loss(truth, probabilities)
    assert found.loss == approx(metrics.log_loss(truth, probabilities), rel=1e-12)
    assert (found.exact, found.impossible, found.floored) == (None, 1, 1)


def test_brier_score(figures: Figures) -> None:
    expected = metrics.brier_score_loss(
        figures.truth,
        figures.probabilities,
        sample_weight=figures.weights,
        labels=range(len(figures.labels)),
        scale_by_half=False,
    )
    assert figures.brier == approx(expected, rel=1e-12)


def test_area_under_the_roc_curve(figures: Figures) -> None:
    for column, label in enumerate(figures.labels):
        expected = metrics.roc_auc_score(
            figures.truth == column, figures.probabilities[:, column], sample_weight=figures.weights
        )
        assert figures.area(label) == approx(expected, rel=1e-12)


def test_average_precision(figures: Figures) -> None:
    for column, label in enumerate(figures.labels):
        expected = metrics.average_precision_score(
            figures.truth == column, figures.probabilities[:, column], sample_weight=figures.weights
        )
        assert figures.average_precision(label) == approx(expected, rel=1e-12)


def test_points_of_the_roc_curve(figures: Figures) -> None:
    found = _all_points(figures).roc
    x, y, thresholds = metrics.roc_curve(
        figures.truth == 1, figures.probabilities[:, 1], sample_weight=figures.weights, drop_intermediate=False
    )
    for mine, expected in ((found.x, x), (found.y, y), (found.thresholds, thresholds)):
        assert mine == approx(expected, rel=1e-12)


def test_points_of_the_precision_recall_curve(figures: Figures) -> None:
    found = _all_points(figures).precision_recall
    precision, recall, thresholds = metrics.precision_recall_curve(
        figures.truth == 1, figures.probabilities[:, 1], sample_weight=figures.weights
    )
    assert found.x == approx(recall[::-1], rel=1e-12)
    assert found.y == approx(precision[::-1], rel=1e-12)
    assert found.thresholds[1:] == approx(thresholds[::-1], rel=1e-12)


def _all_points(figures: Figures):
    return label_curves(
        figures.truth, figures.probabilities, figures.labels, "spam", weights=figures.weights, points=None
    )


@pytest.mark.parametrize("binning", ["width", "mass"])
def test_points_of_the_reliability_diagram(binning: str) -> None:
    from sklearn.calibration import calibration_curve

    figures = CASES["four labels"]
    top = figures.probabilities.max(axis=1)
    strategy = {"width": "uniform", "mass": "quantile"}[binning]
    accuracy, confidence = calibration_curve(figures.right, top, n_bins=10, strategy=strategy)
    found = reliability(figures.truth, figures.probabilities, bins=10, binning=binning)
    assert [point.accuracy for point in found.bins] == approx(accuracy, rel=1e-12)
    assert [point.confidence for point in found.bins] == approx(confidence, rel=1e-12)
