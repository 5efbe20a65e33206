"""All surfaces have all settings: the table, the typed arguments, the command line and scikit-learn's class."""

from __future__ import annotations

import inspect
from typing import Any, get_type_hints

import click
import numpy as np
import pytest
from sklearn.base import clone

import likelier as lk
from likelier._answer.calibration import Temperature
from likelier._cli.commands import likelier as program
from likelier._settings.table import NAMES, SETTINGS, Declared, Setting, ViewSettings
from likelier._settings.values import Settings
from likelier.sklearn import NaiveBayesClassifier

ALL = list(SETTINGS.values())
VIEWING = ("view", "classify", "explain", "inspect", "evaluate", "train")  # commands that take settings
DOCUMENTS = [("good fun film", "+"), ("fun and fun", "+"), ("dull plot", "-"), ("dull and bad", "-")]
OTHER: dict[str, Any] = {  # a value that is not the textbook's
    "event": "complement",
    "smoothing": lk.JelinekMercer(0.5),
    "alpha": 0.5,
    "prior": "uniform",
    "unknown": "smooth",
    "min_count": 2,
    "decide": lk.Thresholds({"+": 0.9}),
    "without_evidence": "none",
    "normalize": True,
    "numeric": "information",
    "missing": "refuse",
    "calibration": Temperature(2.0),
    "weighting": "log",
    "idf": True,
    "ngrams": (1, 2),
    "stop_words": ("and",),
    "columns": {"text": {"event": "binary"}},
}


def options(command: str) -> dict[str, click.Option]:
    found = program.get_command(click.Context(program), command)
    assert found is not None
    return {name: each for each in found.params if isinstance(each, click.Option) for name in each.opts}


def test_the_typed_arguments_are_the_settings_of_the_table():
    assert list(ViewSettings.__annotations__) == NAMES
    fields, arguments = get_type_hints(Declared), get_type_hints(ViewSettings)
    assert {name for name in SETTINGS if fields[name] != arguments[name]} == {"numeric"}  # which has more forms


def test_the_settings_have_the_fields_of_the_table_and_the_textbooks_defaults():
    textbook = Settings()
    assert list(textbook.to_dict()) == list(SETTINGS)
    assert {name: getattr(textbook, name) for name in SETTINGS} == {each.name: each.default for each in ALL}


def test_settings_of_single_columns_are_for_kinds_that_there_are():
    assert {kind for each in ALL for kind in each.kinds} == {"text", "categorical", "binary", "bound", "numeric"}


@pytest.mark.parametrize("setting", ALL, ids=SETTINGS)
def test_every_setting_can_be_set_on_the_command_line(setting: Setting):
    assert setting.options or setting.command
    for each in setting.options:
        for command in VIEWING:
            assert each.name in options(command)
            assert command == "train" or options(command)[each.name].help == each.help


@pytest.mark.parametrize("name", NAMES)
def test_every_setting_is_a_parameter_of_the_classifier(name: str):
    parameter = "numeric_rule" if name == "numeric" else name
    assert inspect.signature(NaiveBayesClassifier).parameters[parameter].default is None
    given = {parameter: OTHER[name]}
    assert clone(NaiveBayesClassifier(**given)).get_params()[parameter] == OTHER[name]


@pytest.mark.parametrize("name", [name for name in NAMES if name != "columns"])
def test_a_setting_means_the_same_in_training_and_in_scikit_learn(name: str):
    given = {"event": "complement", name: OTHER[name]}
    parameters = {"numeric_rule" if each == "numeric" else each: value for each, value in given.items()}
    texts, labels = zip(*DOCUMENTS, strict=True)
    trained = lk.train(DOCUMENTS, view=given)
    fitted = NaiveBayesClassifier(**parameters).fit(list(texts), list(labels))
    assert fitted.model_.settings == trained.settings == Settings().changed(**given)
    assert fitted.model_.settings != Settings(event="complement") or name == "event"
    assert fitted.model_.explain("fun film") == trained.explain("fun film")


def test_the_classifier_refuses_what_is_no_parameter():
    with pytest.raises(TypeError, match="unexpected keyword argument 'spam'"):
        NaiveBayesClassifier(spam=1)


def many(documents: int) -> tuple[list[str], list[str]]:
    random = np.random.default_rng(0)
    labels = ["+" if each % 2 else "-" for each in range(documents)]
    words = {"+": ["good", "fun", "film", "the"], "-": ["bad", "dull", "film", "the"]}
    return [" ".join(random.choice(words[label], 5)) for label in labels], labels


def test_the_classifier_chooses_settings_as_training_does():
    texts, labels = many(150)
    trained = lk.train(texts=texts, labels=labels)
    fitted = NaiveBayesClassifier().fit(texts, labels)
    assert fitted.model_.settings == trained.settings != Settings()
    assert str(fitted.model_.selection) == str(trained.selection)
    assert fitted.predict_proba(texts).tolist() == trained.classify_many(texts).probabilities.tolist()


def test_settings_are_changes_of_those_that_were_chosen():
    texts, labels = many(150)
    chosen = NaiveBayesClassifier().fit(texts, labels).model_.settings
    classifier = NaiveBayesClassifier(decide=lk.Thresholds({"+": 0.9})).fit(texts, labels)
    assert classifier.model_.settings == chosen.changed(decide=lk.Thresholds({"+": 0.9}))
    classifier.set_params(decide=None).partial_fit(["good"], ["+"])
    assert classifier.model_.settings == chosen


def test_a_setting_that_changes_scores_is_a_change_of_the_textbook():
    texts, labels = many(150)
    classifier = NaiveBayesClassifier(alpha=0.5).fit(texts, labels)
    assert classifier.model_.settings == Settings(smoothing=lk.Additive(0.5))
    assert classifier.model_.selection is None
    with pytest.raises(lk.SettingError, match="`view` must be"):
        NaiveBayesClassifier(view="best", alpha=0.5).fit(texts, labels)


def test_a_setting_that_changes_scores_replaces_those_that_were_chosen():
    texts, labels = many(150)
    classifier = NaiveBayesClassifier().fit(texts, labels)
    chosen = classifier.model_.settings
    classifier.set_params(event="bernoulli").partial_fit(["good"], ["+"])
    assert classifier.model_.settings == Settings(event="bernoulli")
    classifier.set_params(event=None).partial_fit(["good"], ["+"])
    assert classifier.model_.settings == chosen


def test_the_first_part_chooses_and_later_ones_keep_it():
    texts, labels = many(300)
    trained = lk.train(texts=texts[:150], labels=labels[:150])
    trained.learn_many(texts=texts[150:], labels=labels[150:])
    parts = NaiveBayesClassifier().partial_fit(texts[:150], labels[:150]).partial_fit(texts[150:], labels[150:])
    assert parts.model_.settings == trained.settings != Settings()
    assert parts.predict_proba(texts).tolist() == trained.classify_many(texts).probabilities.tolist()


@pytest.mark.parametrize("numeric", [("size",), {"size": "equal-frequency:4"}])
def test_a_frame_gets_the_settings_and_answers_of_training(numeric):
    pd = pytest.importorskip("pandas")
    texts, labels = many(150)
    random = np.random.default_rng(1)
    frame = pd.DataFrame({"note": texts, "size": random.normal([3.0 * (label == "+") for label in labels])})
    trained = lk.train(frame, labels=labels, text=["note"], numeric=numeric)
    fitted = NaiveBayesClassifier(text=["note"], numeric=numeric).fit(frame, labels)
    assert fitted.model_.settings == trained.settings
    assert fitted.predict_proba(frame).tolist() == trained.classify_many(frame).probabilities.tolist()
    assert clone(fitted).get_params()["view"] == "auto"
