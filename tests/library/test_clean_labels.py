"""Labels that differ only in case or blanks are reported, and joined on request."""

from __future__ import annotations

import warnings
from pathlib import Path

import pandas as pd
import pytest

import likelier as lk

TEXTS = ["a b", "c d", "e f", "g h", "i j", "k l"]
LABELS = ["Login", "login", "login", "login ", " re  fund", "re fund"]


def test_train_warns_of_them():
    with pytest.warns(UserWarning, match=r"5 labels differ only in case or blanks: .*; clean_labels=True joins"):
        lk.train(TEXTS, LABELS)


def test_other_labels_are_fine():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        lk.train(["a", "b", "c"], ["topic 1", "topic 10", "TOPIC 2"])
        lk.train(["a", "b"], [1, 2], clean_labels=True)


@pytest.mark.parametrize("view", ["auto", "textbook"])
def test_they_are_joined_under_the_most_frequent_spelling(view):
    model = lk.train(TEXTS, LABELS, clean_labels=True, view=view)
    assert model == lk.train(TEXTS, ["login"] * 4 + ["re fund"] * 2)
    assert model.learned("a b", "login")


def test_weights_and_data_frames_keep_their_documents():
    frame = pd.DataFrame({"text": TEXTS, "label": LABELS})
    weights = [1, 2, 3, 4, 5, 6]
    model = lk.train(frame, clean_labels=True, weights=weights)
    assert model.counts.documents_per_label == {"login": 10, "re fund": 11}


def test_the_flag_must_be_one():
    with pytest.raises(lk.SettingError, match="clean_labels"):
        lk.train(TEXTS, LABELS, clean_labels="yes")


def test_a_file_is_joined_and_the_notes_say_what(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + "".join(f'{text},"{label}"\n' for text, label in zip(TEXTS, LABELS, strict=True)))
    documents = lk.read(path)
    model = lk.train(documents, clean_labels=True)
    assert model.labels == ("login", "re fund")
    assert documents.notes[-1] == "cleaned labels: 'Login' → 'login', 'login ' → 'login', ' re  fund' → 're fund'"


def test_a_model_with_cleaned_labels_knows_the_other_spellings(tmp_path: Path):
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + "".join(f'{text},"{label}"\n' for text, label in zip(TEXTS, LABELS, strict=True)))
    trained = lk.train(path, clean_labels=True)
    for model in (trained, lk.Model.from_bytes(trained.to_bytes()), trained.copy()):
        assert model.learned_many(path).every
        assert model.learned("a b", " LOGIN")
        assert len(model.evaluate(path)) == 6
        assert model.learn("new", "LOGIN ") == 0
        assert model.learn_many([("newer", "LoGin"), ("newest", "re  fund")]) == 0
        assert model.labels == ("login", "re fund")
        assert model.relabel("new", "Re Fund") == "login"
        model.forget("new", "RE fund")
        model.forget_many([("newer", "login"), ("newest", "re fund")])
        assert model == trained


def test_a_new_label_is_cleaned_too():
    model = lk.train(TEXTS, LABELS, clean_labels=True)
    model.learn_many(["x", "y"], [" New  label", "NEW LABEL"])
    assert model.labels == ("New label", "login", "re fund")


def test_other_models_take_labels_as_they_are():
    model = lk.train(["a b", "c d"], ["login", "refund"])
    model.learn("e f", "Login")
    assert model.labels == ("Login", "login", "refund")
    assert b"clean_labels" not in model.to_bytes()


def test_a_model_like_one_with_cleaned_labels_spells_them_the_same():
    one = lk.train(TEXTS, LABELS, clean_labels=True)
    two = lk.train(["m n", "o p"], ["LOGIN", "LOGIN"], like=one)
    assert two.labels == ("login",)
    assert (one + two).labels == one.labels
