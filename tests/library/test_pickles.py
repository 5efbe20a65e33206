"""What users hold can be pickled and copied, and answers afterwards as it did before: for processes, joblib, caches."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier._answer.calibration import Discount, NoCalibration, Platt, Temperature
from likelier._answer.isotonic import Isotonic, TopLabel
from likelier._evaluate.evaluation import Evaluation
from likelier._model.view import View
from likelier._read import kept

PAIRS = [(f"a{i % 3} b{i % 2} c{i % 5} word{i}", "x" if i % 7 < 3 else "y") for i in range(40)]
ROWS = [
    (
        {"t": f"a{i % 3} b{i % 2}", "c": "rgb"[i % 3], "n": None if i % 9 == 0 else i * 1.5, "b": bool(i % 2)},
        "yes" * (i % 4 < 2) or "no",
    )
    for i in range(40)
]
twins = pytest.mark.parametrize(
    "twin", [lambda each: pickle.loads(pickle.dumps(each)), copy.deepcopy], ids=["pickle", "deepcopy"]
)


def texts(**settings: Any) -> View:
    return lk.train(PAIRS, view="textbook").view(**settings)


def rows(**settings: Any) -> View:
    return lk.train(ROWS, text="t", categorical="c", numeric="n", binary="b", view="textbook").view(**settings)


VIEWS: dict[str, Callable[[], View]] = {
    "textbook": texts,
    "bernoulli": lambda: texts(event="bernoulli", unknown="unk", prior="uniform"),
    "complement": lambda: texts(event="complement", normalize=True),
    "unknown words": lambda: texts(unknown="grow", min_count=2),
    "no smoothing": lambda: texts(alpha=0),
    "thresholds": lambda: texts(decide=lk.Thresholds({"x": 0.9}, otherwise="y")),
    "least cost": lambda: texts(decide=lk.LeastCost({"x": {"y": 10}, "y": {"x": 1}})),
    "calibrated": lambda: texts(calibration=Temperature(2)),
    "columns": rows,
    "intervals": lambda: rows(numeric="information", unknown="smooth", without_evidence="none"),
}
views = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


def asked(view: View) -> list[Any]:
    if view.schema.is_plain:
        return ["a1 b1 word3", "zzz", "", "a0 word0 word1 new new", "c4"]
    return [ROWS[0][0], ROWS[5][0], {"t": "new", "c": "violet"}, {"n": 3.5}]


def all_forms(view: View, document: Any) -> list[Any]:
    return forms(view.explain(document))


def forms(explanation: lk.Explanation) -> list[Any]:
    shown = [explanation.to_text(color=True), explanation.to_html(), explanation.to_dict()]
    if "bernoulli" not in explanation.events.values():  # whose absent terms are in the order of the table
        shown.append(explanation.to_latex())
    return [*shown, str(explanation), joint(explanation)]


def joint(explanation: lk.Explanation) -> Any:
    try:
        return explanation.joint, explanation.posterior
    except lk.SettingError as error:
        return error.code


@views
@twins
def test_a_view_answers_as_before(view, twin):
    view = view()
    other = twin(view)
    assert repr(other) == repr(view)
    assert other.classify_many(asked(view)) == view.classify_many(asked(view))
    for document in asked(view):
        assert other.classify(document) == view.classify(document)
        assert all_forms(other, document) == all_forms(view, document)


def test_the_copy_of_a_view_has_counts_of_its_own():
    view = texts()
    other = copy.deepcopy(view)
    view.counts.model().learn("a1 a1 a1", "y")
    assert other.counts != view.counts


@views
@twins
def test_verdicts_are_equal_with_their_reasons(view, twin):
    verdicts = view().classify_many(asked(view()))
    other = twin(verdicts)
    assert other == verdicts
    assert other.reasons == verdicts.reasons
    assert list(other) == list(verdicts)
    assert [repr(each) for each in other] == [repr(each) for each in verdicts]


def test_verdicts_with_other_answers_are_not_equal():
    one, two = texts().classify_many(["word1"]), texts().classify_many(["word5"])
    assert one != two
    assert one != [one[0]]


@views
@twins
def test_a_verdict_is_equal_whether_or_not_it_was_looked_at(view, twin):
    for document in asked(view()):
        fresh = twin(view().classify(document))
        verdict = view().classify(document)
        assert repr(verdict) == repr(fresh)
        assert twin(verdict) == fresh == verdict


@views
@twins
def test_an_explanation_shows_the_same_in_all_forms(view, twin):
    for document in asked(view()):
        explanation = view().explain(document)
        other = twin(explanation)
        assert other == explanation
        assert forms(other) == forms(view().explain(document))


def test_the_product_of_an_explanation_is_not_worked_out_to_be_pickled():
    explanation = texts(event="bernoulli").explain("a1")
    other = pickle.loads(pickle.dumps(explanation))
    assert "joint" not in vars(other)
    assert other.joint == explanation.joint


# ---- evaluations -------------------------------------------------------------------------------------------------


def mistakes_of(evaluation: Evaluation) -> list[Any]:
    return [
        (each, forms(each.explanation)) for each in (*evaluation.mistakes(5), *evaluation.label_errors(5, at_least=0))
    ]


WAYS: dict[str, dict[str, Any]] = {
    "leave-one-out": {},
    "copies": {"copies": "together"},
    "folds": {"method": "folds", "folds": 3},
    "groups": {"method": "folds", "folds": 3, "groups": [i % 6 for i in range(40)]},
    "held-out": {"method": "held-out"},
    "time-ordered": {"method": "time-ordered", "every": 4},
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize(("view", "documents"), [(texts, PAIRS), (rows, ROWS)], ids=["texts", "rows"])
@twins
def test_an_evaluation_has_the_same_figures_and_mistakes(view, documents, way, twin):
    evaluation = view().evaluate(documents, **way)
    other = twin(evaluation)
    assert str(other) == str(evaluation)
    assert repr(other) == repr(evaluation)
    assert other.to_dict() == evaluation.to_dict()
    assert other.verdicts == evaluation.verdicts
    assert np.array_equal(other.figures.truth, evaluation.figures.truth)
    assert mistakes_of(other) == mistakes_of(evaluation)
    undecided = lk.Thresholds({"*": 1.0})
    assert other.under(decide=undecided).verdicts == evaluation.under(decide=undecided).verdicts


@twins
def test_a_mistake_keeps_its_explanation(twin):
    mistake = texts().evaluate(PAIRS).mistakes(1)[0]
    other = twin(mistake)
    assert other == mistake
    assert forms(other.explanation) == forms(mistake.explanation)


@pytest.mark.parametrize("name", ["mistakes.csv", "mistakes.jsonl"])
def test_an_evaluation_of_a_file_has_the_documents_with_it(tmp_path: Path, name: str):
    path = tmp_path / name
    if path.suffix == ".csv":
        path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in PAIRS))
    else:
        path.write_text("".join(f'{{"text": "{text}", "label": "{label}"}}\n' for text, label in PAIRS))
    evaluation = lk.train(path, view="textbook").evaluate(lk.read(path))
    data, before = pickle.dumps(evaluation), mistakes_of(evaluation)
    path.unlink()
    assert mistakes_of(pickle.loads(data)) == before


def test_an_evaluation_of_a_large_file_that_is_gone_still_has_its_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", 0)  # it would be kept otherwise
    path = tmp_path / "documents.csv"
    path.write_text("text,label\n" + "".join(f"{text},{label}\n" for text, label in PAIRS))
    evaluation = lk.train(path, view="textbook").evaluate(lk.read(path))
    path.unlink()
    other = pickle.loads(pickle.dumps(evaluation))
    assert str(other) == str(evaluation)
    with pytest.raises(lk.FileError, match="cannot be read"):
        other.mistakes()


# ---- the rest ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        Temperature(2),
        NoCalibration(),
        Platt(0.5, {"x": 1.0}),
        lk.MostProbable(),
        lk.Thresholds({"x": 0.5}, otherwise="y"),
        lk.LeastCost({"x": {"y": 2}, "y": {"x": 1}}),
        lk.Analyzer(language="de", stop_words="de", stem=True, ngrams=2, replace={"new york": "ny"}),
        lk.AbsoluteDiscounting(0.5),
        lk.MEstimate(2, {"a": 0.5}),
        lk.EqualWidth(3),
        lk.train(PAIRS).selection,
        lk.train(PAIRS).settings,
        lk.train(ROWS, text="t", categorical=["c"], binary="b", numeric="n", bind=[("c", "b")]).schema,
        lk.train(ROWS, text="t", categorical="c", numeric="n").counts,
        lk.Counts.from_table({"happy": {"pos": 2.5}}),
    ],
    ids=lambda value: type(value).__name__,
)
@twins
def test_settings_schemas_selections_and_counts_are_equal(value, twin):
    assert twin(value) == value
    assert repr(twin(value)) == repr(value)


MAP = ((-1.0, 0.2), (3.0, 0.8))


@pytest.mark.parametrize(
    "fitted", [TopLabel(Platt(1, {}), MAP), Isotonic({}, MAP), Discount(0.5, -0.5, 4, bend=0.5, without_prior=True)]
)
@twins
def test_fitted_calibrations_give_the_same(fitted, twin):
    evaluation = texts().evaluate(PAIRS)
    one, two = (each.calibrated(evaluation.verdicts.log_scores, evaluation.labels) for each in (fitted, twin(fitted)))
    assert np.array_equal(one, two)


def _work(given: tuple[View, str]) -> tuple[Any, Any]:
    view, text = given
    return view.classify_many([text]), view.explain(text)


def test_another_process_answers_the_same():
    view, text = texts(), "a1 zzz word3"
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        verdicts, explanation = pool.map(_work, [(view, text)])[0]
    assert verdicts == view.classify_many([text])
    assert forms(explanation) == forms(view.explain(text))
