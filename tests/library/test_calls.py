"""Calls as people write them first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import likelier as lk

TEXTS = ["cheap watches", "lunch at noon"]
LABELS = ["spam", "ham"]


@pytest.mark.parametrize("form", [list, tuple, iter, np.array, pd.Series], ids=lambda form: form.__name__)
def test_texts_and_labels_can_be_given_by_position(form: Callable[[list[str]], Any]) -> None:
    assert lk.train(form(TEXTS), form(LABELS)) == lk.train(list(zip(TEXTS, LABELS, strict=True)))


def test_learning_and_forgetting_take_them_by_position_too() -> None:
    model = lk.train(TEXTS, LABELS)
    assert model.learn_many(TEXTS, LABELS) == 2
    assert model.learned_many(TEXTS, LABELS).every
    model.forget_many(TEXTS, LABELS)
    assert model == lk.train(TEXTS, LABELS)


def test_a_name_for_a_column_of_texts_without_names_is_refused() -> None:
    with pytest.raises(lk.InputError, match="text"):
        lk.train(TEXTS, LABELS, text="body")


def test_texts_without_labels_say_how_to_give_them() -> None:
    with pytest.raises(lk.InputError, match=r"train\(texts, labels\)"):
        lk.train(TEXTS)


@pytest.mark.parametrize("setting", [{"alpha": 0.5}, {"weighting": "log"}, {"smoothing": lk.Additive(2)}], ids=str)
def test_a_setting_given_to_train_says_what_to_write(setting: dict[str, Any]) -> None:
    with pytest.raises(lk.SettingError, match="is a setting of the view") as caught:
        lk.train(TEXTS, LABELS, **setting)
    ((name, value),) = setting.items()
    assert caught.value.hint == f"train(documents, view={{{name!r}: {value!r}}})"
    assert lk.train(TEXTS, LABELS, view=setting).settings == lk.Settings().changed(**setting)


def test_an_argument_that_does_not_exist_is_an_error_of_python() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        lk.train(TEXTS, LABELS, speed=3)  # type: ignore[call-arg]


def test_a_model_is_loaded_by_its_class(tmp_path: Path) -> None:
    model = lk.train(TEXTS, LABELS)
    model.save(tmp_path / "mail.likelier")
    assert lk.Model.load(tmp_path / "mail.likelier") == model
