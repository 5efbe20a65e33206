"""Bad input gets an error with a code, a message that names the value, and a hint. Nothing else happens."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likelier as lk
from likelier._documents.schema import Schema, plain
from likelier._estimate.smoothing import smoothing_named

PAIRS = [("goat goat wolf", "ham"), ("wolf seven", "spam")]
NEW_YORK = lk.Analyzer(ngrams=2, replace={"nyc": "new york"})
JOINT = {"x": {(0, 0): 3, (1, 1): 1}}
TABLE = {"happy": {"pos": 2, "neg": 0}}


def model() -> lk.Model:
    return lk.train(PAIRS)


def text_file() -> Path:
    path = Path(tempfile.mkdtemp(), "texts.csv")
    path.write_text("a,b,c\nred,one,x\nblue,two,y\n")
    return path


ROWS = [({"color": "red", "age": 20, "note": "a"}, "x"), ({"color": "blue", "age": 30, "note": "b"}, "y")]


def table(**options: Any) -> lk.Model:
    return lk.train(ROWS, categorical=["color"], numeric=["age"], text=["note"], **options)


CASES = {
    "column-empty": lambda: lk.train([({"a": 1, "b": None}, "x")], numeric=["a", "b"]),
    "column-without-terms": lambda: table().view().likelihood("20", "x", column="age"),
    "column-without-cuts": lambda: table().view().column("age").cuts,
    "column-without-mean": lambda: table().view().column("color").mean("x"),
    "column-unknown": lambda: table().view().likelihood("red", "x"),
    "text-column-needed": lambda: lk.train([({"a": 1}, "x")], numeric=["a"]).analyzer,
    "schemas-differ": lambda: table() + model(),
    "value-missing": lambda: table().view(missing="refuse").classify({"color": "red"}),
    "missing-policy": lambda: table().view(missing="drop"),
    "others-unknown": lambda: lk.train(ROWS, numeric=["age"], others="keep"),
    "columns-kind": lambda: table().view(columns=["age"]),
    "column-setting-unknown": lambda: table().view(columns={"age": {"bins": 3}}),
    "column-setting-kind": lambda: table().view(columns={"age": {"event": "bernoulli"}}),
    "settings-column-unknown": lambda: table().view(columns={"Age": {"numeric": [3]}}),
    "numeric-unknown": lambda: table().view(numeric="uniform"),
    "bins-range": lambda: table().view(numeric="equal-width:1"),
    "cuts-kind": lambda: table().view(numeric=[]),
    "cuts-not-rising": lambda: table().view(numeric=[30, 20]),
    "floor-range": lambda: lk.Gaussian(floor=0),
    "bind-columns": lambda: table(bind=[("color", "age")]),
    "schema-kind": lambda: lk.Model(schema="color"),  # type: ignore[arg-type]
    "schema-of-other-counts": lambda: lk.Model(table().counts, schema=model().schema),
    "analyzer-and-schema": lambda: lk.Model(table().counts, analyzer=lk.Analyzer()),
    "counts-unlike": lambda: table().counts.add({}),  # type: ignore[arg-type]
    "content-kind": lambda: lk.Model.from_bytes("text"),  # type: ignore[arg-type]
    "ledger-missing": lambda: table(ledger=False).learned("a", "x"),
    "progress-kind": lambda: lk.train(PAIRS, progress="yes"),  # type: ignore[arg-type]
    "text-analyzers": lambda: lk.train(ROWS, text={"note": "de"}, numeric=["age"]),
    "density-not-exact": lambda: table().explain({"age": 3}).joint,
    "no-documents": lambda: lk.train([]),
    "documents-or-columns": lambda: lk.train(PAIRS, texts=["a"], labels=["x"]),
    "document-not-a-pair": lambda: lk.train(["goat"]),
    "texts-not-a-list": lambda: lk.train(texts="goat", labels=["x"]),
    "lengths-differ": lambda: lk.train(texts=["a", "b"], labels=["x"]),
    "text-kind": lambda: lk.train([("a", "x"), (None, "y")]),
    "text-surrogate": lambda: lk.train([("a", "x"), ("ab\ud800", "y")]),
    "label-missing": lambda: lk.train([("a", math.nan)]),
    "label-kind": lambda: lk.train([("a", 1.5)]),
    "label-kinds-mixed": lambda: lk.train([("a", 1), ("b", "1")]),
    "label-surrogate": lambda: lk.train([("a", "\udfff")]),
    "label-unknown": lambda: model().view().likelihood("goat", "Ham"),
    "weight-range": lambda: lk.train(PAIRS, weights=[1, -1]),
    "weight-too-small": lambda: lk.train(PAIRS, weights=[1, 1e-9]),
    "threads-range": lambda: lk.train(PAIRS, threads=0),
    "stop-words-open": lambda: lk.Model(analyzer=lk.Analyzer(stop_words=3)),
    "model-empty": lambda: lk.Model().classify("goat"),
    "document-not-learnt": lambda: model().forget("goat", "ham"),
    "counts-not-held": lambda: lk.train(PAIRS, ledger=False).forget("yeti", "ham"),
    "analyzers-differ": lambda: model() + lk.train(PAIRS, analyzer=lk.Analyzer(ngrams=2)),
    "count-range": lambda: lk.Counts.from_table({"a": {"x": -1}}),
    "term-without-counts": lambda: lk.Counts.from_table({"a": {"x": 0}}),
    "documents-exceed-tokens": lambda: lk.Counts.from_table({"a": {"x": 1}}, document_frequencies={"a": {"x": 2}}),
    "documents-exceed-label": lambda: lk.Counts.from_table(
        {"a": {"x": 5}}, {"x": 1}, document_frequencies={"a": {"x": 5}}
    ),
    "documents-missing": lambda: lk.Counts.from_table({"a": {"x": 5, "y": 1}}, {"x": 1}),
    "documents-kind": lambda: lk.Counts.from_table({"a": {"x": 5}}, 3),
    "table-kind": lambda: lk.Counts.from_table({"a": 3}),
    "statistic-unknown": lambda: model().counts.of("goat", "ham", "idf"),
    "term-kind": lambda: model().view().likelihood(3, "ham"),
    "k-range": lambda: model().view().top_terms("ham", -1),
    "labels-not-a-list": lambda: lk.train(texts=["a", "b"], labels="xy"),
    "column-kind": lambda: lk.train(PAIRS, weights=0.5),
    "counts-kind": lambda: lk.Model({"a": 1}),
    "analyzer-kind": lambda: lk.train(PAIRS, analyzer="de"),
    "thresholds-kind": lambda: lk.Thresholds(0.8),
    "costs-kind": lambda: lk.LeastCost({"spam": 1}),
    "setting-unknown": lambda: model().view(unknwon="smooth"),
    "document-frequencies-missing": lambda: lk.Counts.from_table(TABLE, {"pos": 1, "neg": 1}).view(event="bernoulli"),
    "prior-without-documents": lambda: lk.Counts.from_table(TABLE).view(),
    "prior-unknown": lambda: model().view(prior="flat"),
    "prior-range": lambda: model().view(prior={"ham": 1.5, "spam": -0.5}),
    "prior-sum": lambda: model().view(prior={"ham": 0.5, "spam": 0.6}),
    "prior-labels": lambda: model().view(prior={"ham": 0.5, "eggs": 0.5}),
    "event-unknown": lambda: model().view(event="poisson"),
    "alpha-negative": lambda: model().view(alpha=-0.1),
    "alpha-and-smoothing": lambda: model().view(alpha=1, smoothing=lk.MEstimate()),
    "smoothing-kind": lambda: model().view(smoothing="laplace"),
    "smoothing-name": lambda: smoothing_named("laplace:1"),
    "m-negative": lambda: lk.MEstimate(-1),
    "p-unknown": lambda: lk.MEstimate(1, p="corpus"),
    "p-range": lambda: lk.MEstimate(1, p={"goat": 2}),
    "p-sum": lambda: model().view(smoothing=lk.MEstimate(1, p={"goat": 0.5})),
    "p-missing": lambda: model().view(smoothing=lk.MEstimate(1, p={"goat": 1})).classify("wolf"),
    "weight-of-label-range": lambda: lk.JelinekMercer(1.1),
    "discount-range": lambda: lk.AbsoluteDiscounting(-0.1),
    "discount-needs-whole-counts": lambda: lk.train(PAIRS, weights=[1, 0.5]).view(smoothing=lk.AbsoluteDiscounting()),
    "complement-needs-smoothing": lambda: model().view(event="complement", alpha=0),
    "normalized-not-exact": lambda: model().view(event="complement", normalize=True).explain("goat").joint,
    "normalize-needs-complement": lambda: model().view(normalize=True),
    "weighting-unknown": lambda: model().view(weighting="tf"),
    "weighting-needs-multinomial": lambda: model().view(event="binary", weighting="log"),
    "weighting-not-counted": lambda: model().view(weighting="log"),
    "idf-needs-multinomial": lambda: model().view(event="bernoulli", idf=True),
    "idf-with-unk": lambda: model().view(idf=True, unknown="unk"),
    "ngrams-not-counted": lambda: model().view(ngrams=2),
    "ngrams-cannot-choose": lambda: lk.train(PAIRS, analyzer=NEW_YORK).view(ngrams=1),
    "ngrams-cannot-widen": lambda: plain(NEW_YORK, ngrams=3),
    "stop-words-of-view": lambda: model().view(stop_words="goat"),
    "nothing-weighted": lambda: model().counts.of("goat", "ham", "weighted"),
    "counts-weighting": lambda: lk.Model(model().counts, schema=plain(lk.Analyzer(), weighting="log")),
    "weightings-differ": lambda: model().counts + lk.Counts(plain(lk.Analyzer(), weighting="log")),
    "counting-differs": lambda: lk.Counts(lk.Schema({"a": lk.Text()})) + lk.Counts(lk.Schema({"a": lk.Text(ngrams=2)})),
    "counts-too-large": lambda: lk.train(PAIRS, weights=[1e9, 0.5]).counts.sizes.use_unit(10**15),
    "unknown-policy": lambda: model().view(unknown="skip"),
    "unk-needs-documents": lambda: model().view(event="bernoulli", unknown="unk", min_count=2),
    "min-count-range": lambda: model().view(min_count=True),
    "without-evidence-unknown": lambda: model().view(without_evidence="maybe"),
    "decide-kind": lambda: model().view(decide={"spam": 0.8}),
    "threshold-range": lambda: lk.Thresholds({"spam": 1.2}),
    "decision-label-unknown": lambda: model().view(decide=lk.Thresholds({"Spam": 0.8})),
    "cost-range": lambda: lk.LeastCost({"spam": {"ham": -1}}),
    "cost-missing": lambda: model().view(decide=lk.LeastCost({"spam": {}, "ham": {"spam": 1}})),
    "term-unknown": lambda: model().view().likelihood("yeti", "ham"),
    "odds-undefined": lambda: model().view(alpha=0).classify("goat seven").log_odds("ham", "spam"),
    "probability-range": lambda: lk.bayes_rule(prior=80, likelihood=0.5, evidence=0.5),
    "evidence-zero": lambda: lk.bayes_rule(joint=0, evidence=0),
    "joint-exceeds-evidence": lambda: lk.bayes_rule(prior=0.5, likelihood=0.5, evidence=0.1),
    "rule-incomplete": lambda: lk.bayes_rule(prior=0.5),
    "rule-contradiction": lambda: lk.rule(prior=0.5, likelihood=0.5, joint=0.2, evidence=0.5),
    "rule-count": lambda: lk.rule(count_a=3.5, total=10),  # type: ignore[arg-type]
    "rule-counts": lambda: lk.rule(count_a=3, count_both=4, total=10),
    "rule-exceeds-one": lambda: lk.rule(prior=0.8, evidence=0.8, joint=0.5),
    "rule-mixed": lambda: lk.rule(prior=0.5, count_b=3, total=10),
    "two-names": lambda: lk.rule(("rain", " rain "), joint=0.1, evidence=0.2),
    "rule-without-picture": lambda: lk.rule(joint=0.1, evidence=0.2).to_svg(),
    "joint-asked": lambda: lk.joint_table(JOINT, asked=1),  # type: ignore[arg-type]
    "joint-column": lambda: lk.joint_table(lk.read(text_file(), text=["a", "b"], label="c"), ("a", "b")),
    "joint-distribution": lambda: lk.joint_table({"x": {(0, 0): -1}}),
    "joint-values": lambda: lk.joint_table({"x": {(n, 0): 1 for n in range(21)}}),
}


@pytest.mark.parametrize("code", CASES)
def test_bad_input_is_refused_with_code_message_and_hint(code):
    with pytest.raises(lk.LikelierError, match=r".") as caught:
        CASES[code]()
    assert caught.value.code == code
    assert len(caught.value.message) > 20
    assert caught.value.hint
    assert "Traceback" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "call"),
    {
        "label-unknown": lambda: model().classify("goat").log_odds("ham", "Spam"),
        "prior-range": lambda: model().view(prior={"ham": True, "spam": False}),
        "smoothing-kind": lambda: model().view(smoothing=lk.MEstimate),
        "decide-kind": lambda: model().view(decide=lk.MostProbable),
        "decision-label-unknown": lambda: model().view(decide=lk.Thresholds({"spam": 0.9}, otherwise="*")),
        "cost-missing": lambda: model().view(decide=lk.LeastCost({"spam": {"ham": 1}})),
        "column-kind": lambda: lk.train(5),
        "documents-exceed-tokens": lambda: lk.Counts.from_table(
            {"a": {"x": 1}}, {"x": 1}, document_frequencies={"b": {"x": 1}}
        ),
    }.items(),
)
def test_another_way_to_the_same_error(code, call):
    with pytest.raises(lk.LikelierError, match=r".") as caught:
        call()
    assert caught.value.code == code


@pytest.mark.parametrize("group", [("a",), ("a", "a"), ("a", "c"), ("a", "age"), "ab", ()])
def test_columns_that_cannot_be_bound_are_refused(group):
    rows = [({"a": "1", "b": "2", "age": 3}, "x")]
    with pytest.raises(lk.SettingError, match="groups of two or more categorical or binary columns"):
        lk.train(rows, categorical=["a", "b"], numeric=["age"], bind=[group])


@pytest.mark.parametrize("digits", [0, 18, True, 2.0, "5", None])
def test_digits_that_are_no_digits_are_refused(digits):
    with pytest.raises(lk.SettingError, match="a number of digits from 1 to 17"):
        Schema.from_dict({"columns": [{"name": "x", "kind": "numeric", "digits": digits}], "missing": []})


def test_plain_texts_have_no_columns_to_bind():
    with pytest.raises(lk.SettingError, match="there is none"):
        lk.train(PAIRS, bind=[("goat", "wolf")])


def test_a_misspelt_setting_is_recognized():
    with pytest.raises(lk.SettingError, match="did you mean 'unknown'"):
        model().view(unknwon="smooth")


def codes_in_source() -> set[str]:
    source = Path(lk.__file__).parent
    return {
        code for path in source.rglob("*.py") for code in re.findall(r'code=f?"([a-z{}-]+)"', path.read_text("utf-8"))
    }


def test_every_code_of_the_library_is_reached_by_a_test():
    here = Path(__file__).parents[1]
    reached = set(CASES) | {
        code for path in here.rglob("*.py") for code in re.findall(r'"([a-z]+(?:-[a-z]+)+)"', path.read_text("utf-8"))
    }
    composed = {"{name}-range", "{name}-kind"}  # their parts are cases above
    assert codes_in_source() - composed <= reached


@pytest.mark.parametrize("text", [None, b"goat", 7, 1.5, ["goat"], math.nan, np.nan])
def test_what_is_not_a_text_is_refused_everywhere(text):
    for call in (
        model().classify,
        model().explain,
        lambda text: model().classify_many(["goat", text]),
        lambda text: model().learn(text, "ham"),
        lambda text: model().forget(text, "ham"),
        lambda text: lk.train([(text, "ham")]),
        lk.Analyzer().terms,
    ):
        with pytest.raises(lk.InputError, match="a text must be a `str`"):
            call(text)


def test_a_lone_surrogate_is_refused_everywhere_and_located():
    for call in (
        model().classify,
        model().explain,
        lambda text: model().classify_many(["goat", text]),
        lambda text: model().learn(text, "ham"),
        lk.Analyzer().terms,
    ):
        with pytest.raises(lk.InputError, match=r"lone surrogate .* at character 2 of document"):
            call("ab\ud800c")


@pytest.mark.parametrize("weight", [-1, math.nan, math.inf, None, "1", 1e10])
def test_weights_that_are_no_weights_are_refused(weight):
    with pytest.raises(lk.InputError, match="a weight must be a number from 0"):
        lk.train(PAIRS, weights=[1, weight])


@pytest.mark.parametrize("alpha", [-1, math.nan, math.inf, "1", True])
def test_alphas_that_are_no_alphas_are_refused(alpha):
    with pytest.raises(lk.SettingError, match="`alpha` must be a number of 0 or more"):
        model().view(alpha=alpha)


def test_the_row_of_the_bad_document_is_named():
    with pytest.raises(lk.InputError, match="got NoneType None as document 1"):
        lk.train([("a", "x"), (None, "y")])
    with pytest.raises(lk.InputError, match="got nan for document 1"):
        lk.train([("a", "x"), ("b", math.nan)])


def test_an_unknown_language_lists_the_known_ones():
    with pytest.raises(lk.SettingError, match=r"\bde\b.*\ben\b.*\bru\b"):
        lk.Analyzer(language="xx", lemmatize=True)


def test_a_refused_change_leaves_the_model_usable():
    learned = model()
    before = learned.counts.digest()
    for text, label in [(None, "ham"), ("goat", None), ("goat", 1), ("x\ud800", "ham")]:
        with pytest.raises(lk.InputError, match=r"."):
            learned.learn(text, label)
    assert learned.counts.digest() == before
    assert learned.classify("goat").label == "ham"


def test_subclasses_of_str_are_texts():
    class Subject(str):
        pass

    assert model().classify(Subject("goat")).label == "ham"
    assert model().classify_many([Subject("goat")]).labels == ["ham"]
