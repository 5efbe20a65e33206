"""Versions of the model file: plain texts are the first, columns the second, and what was written stays readable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import likelier as lk
from likelier import storage
from likelier.schema import Numeric, Schema, Text
from likelier.settings import Settings
from storage.models import columns_example, file_of, header_and_data, parts_of, stored_of
from storage.test_damage import refusal


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "model.likelier"


def again(stored: storage.Stored, path: Path) -> storage.Stored:
    path.unlink(missing_ok=True)  # some file systems wait for the disk when a file is replaced
    storage.save(path, stored)
    return storage.load(path)


FIRST = Path(__file__).with_name("version-1.likelier")  # written by likelier 0.1.0 before there were columns


def test_a_file_of_the_first_version_is_loaded_as_it_was():
    model = lk.load(FIRST)
    verdict = model.classify("goat zwerg wolf the yeti")
    assert verdict.label == "spam"
    assert verdict.probabilities["spam"] == pytest.approx(0.8900339962240019, rel=1e-12)
    assert model.counts.digest() == "ec9a4131df916f6da218b2c282e97a22ff51bc885458c653fcd209b5ad3e4fd5"
    assert storage.counts_digest(FIRST) == "e5ade07d5b2cb7d83c5beb3a1070ba8a25a04d06209da133bf2d03fa5c792f9a"
    assert not model.learn("cheap wolf", "spam")  # the ledger knows it


def test_a_model_of_plain_texts_is_written_as_the_first_version_was(path):
    path.unlink(missing_ok=True)
    lk.load(FIRST).save(path)
    assert path.read_bytes() == FIRST.read_bytes()


def test_only_settings_that_the_first_version_had_are_written_for_plain_texts_unless_others_are_set(path):
    plain = lk.train([("goat", "ham"), ("wolf", "spam")])
    for view, later in ((Settings(event="binary"), set()), (Settings(missing="refuse"), {"missing"})):
        again(stored_of(plain, settings=view), path)
        metadata = header_and_data(path.read_bytes())[0]["__metadata__"]
        assert set(json.loads(metadata["settings"])) & {"numeric", "missing", "columns"} == later
        assert metadata["version"] == "1"
        assert storage.load(path).settings == view


def test_columns_are_version_2(path):
    again(columns_example(), path)
    assert header_and_data(path.read_bytes())[0]["__metadata__"]["version"] == "2"
    assert storage.is_model(path)


def test_a_newer_version_says_how_to_update(tmp_path):
    newer = file_of(*parts_of(columns_example())).replace(b'"version":"2"', b'"version":"3"')
    assert refusal(tmp_path / "x.likelier", newer) == "model-file-newer"


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_is_read_as_the_version_that_it_says(version, tmp_path):
    parts = parts_of(columns_example() if version == 1 else storage.load(FIRST))
    assert refusal(tmp_path / "x.likelier", file_of(*parts, version=version)) == "model-file-inconsistent"


def test_plain_texts_are_no_second_version(tmp_path):
    model = lk.Model(schema=Schema({"text": Text(), "age": Numeric()}))
    texts, arrays = parts_of(stored_of(model, ledger=None))
    schema = json.loads(texts["schema"])
    del schema["columns"][1]
    arrays = {name: array for name, array in arrays.items() if not name.startswith("1.")}
    broken = file_of(texts | {"schema": json.dumps(schema), "has_df": "[true]"}, arrays)
    assert refusal(tmp_path / "x.likelier", broken) == "model-file-inconsistent"
