"""What a clumsy caller gives is used, or refused with an error of likelier: no traceback from inside, no NaN."""

from __future__ import annotations

import datetime
import decimal
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likelier as lk
from likelier._documents.kinds import Text
from likelier._documents.schema import Schema

PAIRS = [("a b c", "x"), ("a d", "y"), ("e f a", "x"), ("b d", "y")]
ROWS = [
    ({"t": "a b", "c": "red", "n": 1.5, "b": True}, "x"),
    ({"t": "a d", "c": "blue", "n": 2.5, "b": False}, "y"),
    ({"t": "e", "c": "red", "n": 1.0, "b": True}, "x"),
    ({"t": "b", "c": "blue", "n": 9, "b": False}, "y"),
]
ODD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "True": lambda: True,
    "-1": lambda: -1,
    "10**400": lambda: 10**400,
    "2**64": lambda: 2**64,
    "nan": lambda: math.nan,
    "1.5": lambda: 1.5,
    "1e308": lambda: 1e308,
    "1j": lambda: 1j,
    "Decimal": lambda: decimal.Decimal("sNaN"),
    "empty text": lambda: "",
    "NUL": lambda: "a\0b",
    "surrogate": lambda: "\ud800",
    "bytes": lambda: b"x",
    "empty list": list,
    "[None]": lambda: [None],
    "nested": lambda: [["x"]],
    "[('x', ['y'])]": lambda: [("x", ["y"])],
    "empty dict": dict,
    "{1: 2}": lambda: {1: 2},
    "{'x': None}": lambda: {"x": None},
    "{'x': nan}": lambda: {"x": math.nan},
    "generator": lambda: (each for each in ("x", "y")),
    "no generator": lambda: (each for each in ()),
    "object": object,
    "type": lambda: int,
    "date": lambda: datetime.date(2020, 1, 1),
    "path": lambda: Path("/nonexistent/file"),
    "np.int64": lambda: np.int64(3),
    "array()": lambda: np.array(5),
    "array": lambda: np.array([1, 2]),
    "matrix": lambda: np.eye(2),
    "no array": lambda: np.zeros(0),
    "texts in an array": lambda: np.array(["x", "y"]),
    "series": lambda: pd.Series(["x", "y"]),
    "frame": lambda: pd.DataFrame({"x": [1, 2]}),
    "empty frame": pd.DataFrame,
    "NA": lambda: pd.NA,
}
MODEL = lk.train(PAIRS, view="textbook")
MIXED = lk.train(ROWS, text="t", categorical="c", numeric="n", binary="b", view="textbook")
EVALUATION = MODEL.evaluate(PAIRS)
PLAIN_DOCUMENTS, DOCUMENTS = {"documents": PAIRS, "view": "textbook"}, {"documents": ROWS, "view": "textbook"}


def trained(**given: Any) -> Any:
    return lk.train(**{"threads": 1, **given}).settings.to_dict()


def viewed(model: lk.Model, question: Any) -> Callable[..., Any]:
    def ask(**settings: Any) -> Any:
        view = model.view(**settings)
        return view.settings.to_dict(), view.classify(question)

    return ask


def changed(do: str) -> Callable[..., Any]:
    return lambda **given: getattr(MODEL.copy(), do)(**given)


def changed_mixed(do: str) -> Callable[..., Any]:
    return lambda **given: getattr(MIXED.copy(), do)(**given)


def decided(rule: Any) -> Callable[..., Any]:
    return lambda **given: MODEL.view(decide=rule(**given)).classify_many(["a", "zz"]).reasons


def smoothed(rule: Any) -> Callable[..., Any]:
    return lambda **given: MODEL.view(smoothing=rule(**given)).classify("a zz")


SETTINGS = [
    "event",
    "alpha",
    "smoothing",
    "prior",
    "unknown",
    "min_count",
    "decide",
    "without_evidence",
    "normalize",
    "numeric",
    "missing",
    "calibration",
    "weighting",
    "idf",
    "ngrams",
    "stop_words",
    "columns",
]
COLUMNS = ["text", "categorical", "binary", "numeric", "ignore", "bind", "label", "others", "missing_values"]
LEARN = ["documents", "labels", "weights", "text", "label", "threads"]
EVALUATE = [
    "documents",
    "labels",
    "weights",
    "text",
    "label",
    "method",
    "folds",
    "groups",
    "copies",
    "every",
    "seed",
    "threads",
]
CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any], list[str]]] = {
    "train": (trained, PLAIN_DOCUMENTS, [*COLUMNS, *LEARN, "ledger", "most_terms", "analyzer", "view", "choose_by"]),
    "train rows": (trained, {**DOCUMENTS, "text": "t"}, [*COLUMNS, *LEARN]),
    "train texts": (trained, {"texts": ["a", "b"], "labels": ["x", "y"], "view": "textbook"}, ["texts", *LEARN]),
    "view": (viewed(MODEL, "a b zz"), {}, SETTINGS),
    "view of columns": (viewed(MIXED, ROWS[0][0]), {}, SETTINGS),
    "View": (lk.View, {"counts": MODEL.counts, "schema": MODEL.schema}, ["counts", "schema"]),
    "Model": (lk.Model, {}, ["counts", "analyzer", "schema", "ledger"]),
    "set_view": (changed("set_view"), {}, SETTINGS),
    "evaluate": (MODEL.evaluate, {"documents": PAIRS}, EVALUATE),
    "evaluate folds": (MODEL.evaluate, {"documents": PAIRS, "method": "folds", "folds": 2}, EVALUATE),
    "evaluate in order": (MODEL.evaluate, {"documents": PAIRS, "method": "time-ordered"}, EVALUATE),
    "mistakes": (EVALUATION.mistakes, {}, ["k"]),
    "label_errors": (EVALUATION.label_errors, {}, ["k", "at_least"]),
    "under": (EVALUATION.under, {}, ["calibration", "decide", "without_evidence"]),
    "figures": (EVALUATION.figures.to_dict, {}, ["curves"]),
    "curves": (EVALUATION.figures.curves, {}, ["label"]),
    "compare": (EVALUATION.figures.compare, {"other": EVALUATION.figures}, ["other"]),
    "classify": (MODEL.classify, {}, ["document"]),
    "classify row": (MIXED.classify, {}, ["document"]),
    "classify_many": (MODEL.classify_many, {"documents": ["a"]}, ["documents", "threads"]),
    "classify_many rows": (MIXED.classify_many, {"documents": [ROWS[0][0]]}, ["documents", "threads"]),
    "explain": (MODEL.explain, {}, ["document"]),
    "explain row": (MIXED.explain, {}, ["document"]),
    "to_text": (MODEL.explain("a").to_text, {}, ["color", "width"]),
    "learn": (changed("learn"), {"document": "a", "label": "x"}, ["document", "label", "weight"]),
    "learn row": (changed_mixed("learn"), {"document": ROWS[0][0], "label": "x"}, ["document", "label", "weight"]),
    "forget": (changed("forget"), {"document": "a d", "label": "y"}, ["document", "label", "weight"]),
    "learned": (MODEL.learned, {"document": "a d", "label": "y"}, ["document", "label"]),
    "learn_many": (changed("learn_many"), {"documents": PAIRS}, LEARN),
    "learn_many rows": (changed_mixed("learn_many"), {"documents": ROWS}, LEARN),
    "likelihood": (MODEL.view().likelihood, {"term": "a", "label": "x"}, ["term", "label", "column"]),
    "log_ratios": (MODEL.view().log_ratios, {"label": "x", "against": "y"}, ["label", "against", "column"]),
    "top_terms": (MIXED.view().top_terms, {"label": "x"}, ["label", "k", "column"]),
    "prior": (MODEL.view().prior, {}, ["label"]),
    "log_odds": (MODEL.classify("a").log_odds, {"label": "x", "against": "y"}, ["label", "against"]),
    "counts.of": (MODEL.counts.of, {"term": "a", "label": "x"}, ["term", "label", "statistic"]),
    "counts.missing": (MIXED.counts.missing, {}, ["column"]),
    "from_table": (
        lk.Counts.from_table,
        {"table": {"a": {"x": 1}}},
        ["table", "documents", "document_frequencies"],
    ),
    "Analyzer": (
        lk.Analyzer,
        {},
        [
            "language",
            "lowercase",
            "punctuation",
            "min_length",
            "stop_words",
            "lemmatize",
            "stem",
            "replace",
            "ngrams",
            "char_ngrams",
            "words",
        ],
    ),
    "Analyzer.from_dict": (lk.Analyzer.from_dict, {}, ["settings"]),
    "Additive": (smoothed(lk.Additive), {}, ["alpha"]),
    "MEstimate": (smoothed(lk.MEstimate), {}, ["m", "p"]),
    "Thresholds": (decided(lk.Thresholds), {"at_least": {"x": 0.5}}, ["at_least", "otherwise"]),
    "LeastCost": (decided(lk.LeastCost), {}, ["costs"]),
    "Schema": (Schema, {"columns": {"t": Text()}}, ["columns", "missing", "label"]),
    "Text": (Text, {}, ["analyzer", "ngrams", "weighting"]),
    "bayes_rule": (
        lk.bayes_rule,
        {"prior": 0.1, "likelihood": 0.5, "evidence": 0.2},
        ["prior", "likelihood", "evidence"],
    ),
    "rule": (
        lk.rule,
        {"names": ("a", "b"), "prior": 0.1, "likelihood": 0.5, "evidence": 0.2},
        ["names", "prior", "likelihood", "evidence", "joint", "likelihood_otherwise", "count_a", "total"],
    ),
    "joint_table": (
        lk.joint_table,
        {"data": {"x": {(0, 0): 3, (1, 1): 1}, "y": {(0, 1): 2}}, "names": ("a", "b")},
        ["data", "names", "asked", "prior", "label", "labels", "weights"],
    ),
    "dependence": (
        lk.dependence,
        {"model_or_data": ROWS * 5},
        [
            "model_or_data",
            "documents",
            "label",
            "text",
            "categorical",
            "weights",
            "view",
            "most",
            "threads",
        ],
    ),
    "load": (lk.load, {}, ["path"]),
    "from_bytes": (lk.Model.from_bytes, {}, ["content"]),
}
READ = [
    "sources",
    "text",
    "label",
    "categorical",
    "binary",
    "numeric",
    "ignore",
    "others",
    "schema",
    "missing_values",
    "labeled",
    "all_columns",
    "kind",
    "encoding",
    "delimiter",
    "quote",
    "header",
    "on_error",
]


def has_nan(value: Any) -> bool:
    if isinstance(value, lk.Verdict):
        return has_nan(value.probabilities)
    if isinstance(value, lk.Verdicts):
        return bool(np.isnan(value.probabilities).any())
    if isinstance(value, dict):
        return any(map(has_nan, value.values()))
    return any(map(has_nan, value)) if isinstance(value, list | tuple) else isinstance(value, float) and value != value


def answer(call: Callable[[], Any]) -> Any:
    """What comes out, or None where likelier refuses it; any other error fails the test."""
    try:
        return call()
    except lk.LikelierError:
        return None


@pytest.mark.parametrize(
    ("name", "option"), [(name, option) for name, (_, _, options) in CALLS.items() for option in options]
)
@pytest.mark.filterwarnings("ignore")
def test_an_odd_value_is_used_or_refused(name, option):
    call, given, _ = CALLS[name]
    for value in ODD.values():
        assert not has_nan(answer(lambda: call(**{**given, option: value()})))  # noqa: B023


@pytest.mark.parametrize("option", READ)
@pytest.mark.filterwarnings("ignore")
def test_an_odd_value_for_reading_is_used_or_refused(option, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("d.csv").write_text("text,label\na b,x\nc d,y\n")
    for value in ODD.values():
        answer(lambda: list(lk.read(**{"sources": "d.csv", option: value()})))  # noqa: B023


@pytest.mark.parametrize("column", "tcnb")
@pytest.mark.filterwarnings("ignore")
def test_an_odd_value_in_a_row_is_used_or_refused(column):
    kinds: dict[str, Any] = {"text": "t", "categorical": "c", "numeric": "n", "binary": "b", "view": "textbook"}
    for value in ODD.values():
        row = {**ROWS[0][0], column: value()}
        for call in (
            MIXED.classify,
            lambda row: MIXED.copy().learn(row, "x"),
            lambda row: lk.train([*ROWS, (row, "x")], **kinds).classify(ROWS[0][0]),
        ):
            assert not has_nan(answer(lambda: call(row)))  # noqa: B023


# ---- each by its code --------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, Callable[[], Any]]] = [
    ("labels-not-a-list", lambda: lk.train(texts=["a"], labels=5)),  # type: ignore[arg-type]
    ("column-kind", lambda: lk.train(texts=["a"], labels=pd.DataFrame({"label": ["x"]}))),
    ("texts-not-a-list", lambda: MODEL.classify_many(None)),
    ("column-kind", lambda: MIXED.classify_many(None)),
    ("flag-kind", lambda: lk.train(PAIRS, ledger="no")),  # type: ignore[arg-type]
    ("setting-unknown", lambda: lk.train(PAIRS, view={1: 2})),  # type: ignore[dict-item]
    ("text-surrogate", lambda: lk.train([({"t": "a\ud800", "n": 1}, "x"), *ROWS], text="t", numeric="n")),
    ("counts-kind", lambda: lk.View("counts", MODEL.schema)),  # type: ignore[arg-type]
    ("decide-kind", lambda: MODEL.view(decide=np.int64(3))),  # type: ignore[arg-type]
    ("alpha-negative", lambda: MODEL.view(alpha=10**400)),
    ("weight-range", lambda: lk.train(PAIRS, weights=[1, 1, 1, 10**400])),
    ("evaluation-empty", lambda: MODEL.evaluate([], method="time-ordered")),
    ("groups-kind", lambda: MODEL.evaluate(PAIRS, method="folds", groups=5)),
    ("groups-kind", lambda: MODEL.evaluate(PAIRS, method="folds", groups=[[1], [1], [2], [2]])),
    ("chance-range", lambda: MODEL.evaluate(PAIRS, method="folds", seed=-1)),
    ("k-range", lambda: EVALUATION.mistakes(1.5)),  # type: ignore[arg-type]
    ("width-kind", lambda: MODEL.explain("a").to_text(width="80")),  # type: ignore[arg-type]
    ("label-kind", lambda: MODEL.classify("a").log_odds(["x"], "y")),  # type: ignore[arg-type]
    ("replace-kind", lambda: lk.Analyzer(replace={"\ud800": "x"})),
    ("stored-kind", lambda: lk.Analyzer.from_dict(None)),  # type: ignore[arg-type]
    ("analyzer-kind", lambda: Text("words")),  # type: ignore[arg-type]
    ("stored-columns", lambda: Schema({"t": "text"})),  # type: ignore[dict-item]
    ("stored-columns", lambda: Schema.from_dict({"columns": [{"kind": "binary"}], "missing": []})),
    ("stored-columns", lambda: Schema.from_dict({"columns": [{"kind": "numeric", "name": "x"}], "missing": []})),
    ("column-name-kind", lambda: lk.read("d.csv", label=3)),  # type: ignore[arg-type]
    ("source-kind", lambda: lk.read([("text", "label")])),
    ("source-kind", lambda: lk.read(None)),
    ("schema-kind", lambda: lk.read("d.csv", schema="text")),  # type: ignore[arg-type]
    ("rejects-kind", lambda: lk.read("d.csv", on_error="skip", rejects=1.5)),  # type: ignore[arg-type]
    ("rejects-kind", lambda: lk.read("d.csv", on_error="skip", rejects="a\0b")),
]


@pytest.mark.parametrize(("code", "call"), REFUSED, ids=[f"{code}-{place}" for place, (code, _) in enumerate(REFUSED)])
def test_it_is_refused_with_a_code(code, call):
    with pytest.raises(lk.LikelierError, match=r"\nhint: ") as caught:
        call()
    assert caught.value.code == code


# ---- what works --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [pd.Index, pd.Series, np.array, iter, tuple], ids=lambda form: form.__name__)
def test_names_of_columns_come_in_every_form(form):
    found = lk.train(ROWS, text=form(["t"]), categorical=form(["c"]), numeric=form(["n"]), view="textbook")
    assert found.schema.in_words() == "t text; c categorical; n numeric"


def test_more_folds_than_documents_are_as_many_as_there_are_documents():
    many, few = (MODEL.evaluate(PAIRS, method="folds", folds=folds) for folds in (10**30, 4))
    assert many.verdicts == few.verdicts


def test_groups_may_come_from_a_generator():
    grouped = MODEL.evaluate(PAIRS, method="folds", folds=2, groups=(each for each in "aabb"))
    assert grouped.folds is not None
    assert grouped.folds[0] == grouped.folds[1] != grouped.folds[2] == grouped.folds[3]


def test_a_term_that_is_no_unicode_was_never_seen():
    assert MODEL.counts.of("\ud800", "x") == 0


def test_a_min_count_above_all_counts_leaves_no_term():
    assert MODEL.view(min_count=1e300).vocabulary_size == 0


def test_more_threads_than_anyone_has_are_no_error():
    assert MODEL.classify_many(["a"], threads=2**70).labels == MODEL.classify_many(["a"]).labels


def test_settings_are_not_those_that_are_changed_later():
    prior, at_least, costs, p = {"x": 0.5, "y": 0.5}, {"x": 0.5}, {"x": {"y": 1.0}, "y": {"x": 1.0}}, {"a": 0.5}
    settings = MODEL.view(prior=prior).settings
    rules = lk.Thresholds(at_least), lk.LeastCost(costs), lk.MEstimate(1, p)  # type: ignore[arg-type]
    before = repr((settings, rules))
    prior["x"], at_least["x"], costs["x"]["y"], p["a"] = 9, 9, math.nan, -1
    assert repr((settings, rules)) == before
