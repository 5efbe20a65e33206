"""Versions of the model file: plain texts, columns, more counts of texts, terms that were lost.

What was written stays readable.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import likelier as lk
from likelier import _storage as storage
from likelier._counts.by_column import pruned
from likelier._documents.kinds import Numeric, Text
from likelier._documents.schema import Schema, plain
from likelier._settings.values import Settings
from storage.models import (
    columns_example,
    content,
    counting_columns_example,
    counting_example,
    file_of,
    header_and_data,
    parts_of,
    stored_of,
)
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
    assert model.learn("cheap wolf", "spam") == 1  # the ledger knows it


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
    newer = file_of(*parts_of(columns_example())).replace(b'"version":"2"', b'"version":"6"')
    assert refusal(tmp_path / "x.likelier", newer) == "model-file-newer"


def metadata_of(stored: storage.Stored) -> dict[str, str]:
    return header_and_data(storage.to_bytes(stored))[0]["__metadata__"]


COUNTING = [
    counting_example,
    lambda: counting_example(weighting=None),
    lambda: counting_example(ngrams=None),
    counting_columns_example,
    lambda: counting_columns_example(weighting=None),
    lambda: counting_columns_example(ngrams=None),
]


@pytest.mark.parametrize("make", COUNTING)
def test_texts_of_which_more_is_counted_are_version_3(make, path):
    stored = make()
    assert metadata_of(stored)["version"] == "3"
    assert content(again(stored, path)) == content(stored)


def test_the_third_version_says_what_is_counted_beside_the_analyzer():
    assert json.loads(metadata_of(counting_example())["counting"]) == {"ngrams": [1, 2], "weighting": "log-length"}
    schema = json.loads(metadata_of(counting_columns_example())["schema"])
    assert (schema["columns"][0]["ngrams"], schema["columns"][0]["weighting"]) == ([1, 2], "once-length")
    assert set(schema["columns"][1]) == {"name", "kind", "analyzer"}


def test_weighted_sums_are_one_array_more():
    plainly = set(parts_of(counting_example(weighting=None))[1])
    assert set(parts_of(counting_example())[1]) - plainly == {"cell_weights"}
    columns = set(parts_of(counting_columns_example(weighting=None))[1])
    assert set(parts_of(counting_columns_example())[1]) - columns == {"0.cell_weights"}


@pytest.mark.parametrize("make", [columns_example, counting_columns_example])
def test_settings_of_terms_are_written_for_columns_only_where_they_are_set(make):
    stored = make()
    assert not {"weighting", "idf", "ngrams", "stop_words"} & set(json.loads(metadata_of(stored)["settings"]))
    stored.settings = stored.settings.changed(stop_words=["goat"])
    assert json.loads(metadata_of(stored)["settings"])["stop_words"] == ["goat"]


def test_settings_of_terms_are_no_reason_for_another_version(path):
    stored = stored_of(lk.train([("goat", "ham")]), settings=Settings(stop_words=["goat"], weighting="once", idf=True))
    assert metadata_of(stored)["version"] == "1"
    assert again(stored, path).settings == stored.settings


def test_digests_of_files_tell_weightings_apart(tmp_path):
    model = lk.Model(schema=plain(lk.Analyzer(), weighting="count-length"))
    other = lk.Model(schema=plain(lk.Analyzer(), weighting="once-length"))
    digests = []
    for number, each in enumerate((model, other)):  # of this text the sums are the same
        each.learn("goat wolf", "ham")
        each.save(tmp_path / f"{number}.likelier")
        digests.append(storage.counts_digest(tmp_path / f"{number}.likelier"))
    assert digests[0] != digests[1]


NONSENSE = {
    "no counting": lambda texts, arrays: texts.pop("counting"),
    "nothing counted": lambda texts, arrays: texts.update(counting="{}"),
    "n-grams that the analyzer makes": lambda texts, arrays: texts.update(counting='{"ngrams":[1,1]}'),
    "n-grams as a number": lambda texts, arrays: texts.update(counting='{"ngrams":2,"weighting":"log-length"}'),
    "another weighting": lambda texts, arrays: texts.update(counting='{"weighting":"tf"}'),
    "a weighting that is always counted": lambda texts, arrays: texts.update(counting='{"weighting":"once"}'),
    "no weighting, and its sums": lambda texts, arrays: texts.update(counting='{"ngrams":[1,2]}'),
    "another name": lambda texts, arrays: texts.update(counting='{"ngrams":[1,2],"idf":true}'),
    "no object": lambda texts, arrays: texts.update(counting="[]"),
    "no sums": lambda texts, arrays: arrays.pop("cell_weights"),
    "too few sums": lambda texts, arrays: arrays.update(cell_weights=arrays["cell_weights"][1:].copy()),
    "sums too large for the counts": lambda texts, arrays: arrays.update(
        cell_weights=arrays["cell_tf"].astype("<u8") * 65536 + np.uint64(1)
    ),
    "sums beyond counting": lambda texts, arrays: arrays.update(
        cell_weights=arrays["cell_weights"].astype("<u8") + np.uint64(2**63)
    ),
    "a table of sums": lambda texts, arrays: arrays.update(cell_weights=arrays["cell_weights"].reshape(1, -1)),
}


@pytest.mark.parametrize("case", NONSENSE)
def test_a_third_version_that_makes_no_sense_is_refused(case, tmp_path):
    texts, arrays = parts_of(counting_example())
    NONSENSE[case](texts, arrays)
    broken = file_of(texts, arrays, version=3)
    assert refusal(tmp_path / "x.likelier", broken) in ("model-file-inconsistent", "model-file-settings")


def test_weighted_sums_that_are_too_large_in_the_unit_of_another_column_are_refused(tmp_path):
    texts, arrays = parts_of(counting_columns_example())
    arrays |= {
        "2.unit": np.array([1_000_000], dtype="<u8"),
        "0.cell_tf": arrays["0.cell_tf"] + np.uint64(2**37),
        "0.cell_weights": arrays["0.cell_weights"] + np.uint64(2**53),
    }
    assert refusal(tmp_path / "x.likelier", file_of(texts, arrays)) == "model-file-inconsistent"
    with pytest.raises(lk.FileError, match="column 'subject': a count is larger than it can be"):
        storage.load(tmp_path / "x.likelier")


@pytest.mark.parametrize(
    ("settings", "match"),
    [
        ({"weighting": "log"}, "these weightings are counted: count, once, log-length; got 'log'"),
        ({"ngrams": [1, 3]}, r"terms of 1 to 2 words are counted, got ngrams=\(1, 3\)"),
    ],
)
def test_a_stored_view_that_reads_what_was_not_counted_is_refused(settings, match, tmp_path):
    texts, arrays = parts_of(counting_example())
    assert refusal(tmp_path / "x.likelier", file_of(texts | {"settings": json.dumps(settings)}, arrays)) == (
        "model-file-settings"
    )
    with pytest.raises(lk.FileError, match=match):
        storage.load(tmp_path / "x.likelier")


def test_a_view_of_what_is_not_counted_cannot_be_stored_in_an_empty_model_either():
    model = lk.Model(schema=Schema({"note": Text(), "body": Text(weighting="log")}))
    model.set_view(columns={"body": {"weighting": "log"}})
    with pytest.raises(lk.SettingError, match="these weightings of 'note' are counted: count, once; got 'log'"):
        model.set_view(weighting="log")


def test_the_view_of_weighted_terms_is_stored_with_the_model(path):
    model = lk.Model(schema=plain(lk.Analyzer(), ngrams=2, weighting="log"))
    model.learn_many([("goat wolf goat", "ham"), ("wolf dwarf", "spam")])
    model.set_view(weighting="log", ngrams=2, idf=True, stop_words=["dwarf"])
    path.unlink(missing_ok=True)
    model.save(path)
    assert lk.load(path).settings == model.settings
    assert lk.load(path).classify("wolf goat").log_scores == model.classify("wolf goat").log_scores


@pytest.mark.parametrize("make", [lambda: storage.load(FIRST), columns_example])
def test_nothing_more_counted_is_no_third_version(make, tmp_path):
    assert refusal(tmp_path / "x.likelier", file_of(*parts_of(make()), version=3)) == "model-file-inconsistent"


def test_weighted_sums_of_0_may_be_written_or_left_out(tmp_path):
    stored = counting_example()
    texts, arrays = parts_of(stored)
    digests = []
    for weights in (arrays["cell_weights"] * 0, arrays["cell_weights"][:0].copy()):
        (tmp_path / "x.likelier").write_bytes(file_of(texts, arrays | {"cell_weights": weights}))
        loaded = storage.load(tmp_path / "x.likelier")
        digests += [loaded.counts.digest()]
        loaded.counts.sizes.settle()
        digests += [loaded.counts.digest()]
    assert len(set(digests)) == 1


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


# ---- version 4: terms were dropped on the way --------------------------------------------------------------------


def pruned_example() -> storage.Stored:
    return stored_of(lk.train([("goat goat wolf", "ham"), ("seven dwarf", "spam")], view="textbook", most_terms=3))


def pruned_columns_example() -> storage.Stored:
    rows = [({"note": "goat goat wolf", "wind": 3}, "ham"), ({"note": "seven dwarf", "wind": 4}, "spam")]
    view = {"columns": {"note": {"weighting": "log"}}}
    return stored_of(lk.train(rows, text=["note"], numeric=["wind"], most_terms=3, view=view))


def pruned_counting_example() -> storage.Stored:
    documents = [("goat goat wolf", "ham"), ("seven dwarf", "spam")]
    return stored_of(lk.train(documents, weights=[0.5, 1], view={"ngrams": 2}, most_terms=3))


PRUNED = [pruned_example, pruned_columns_example, pruned_counting_example]


@pytest.mark.parametrize("make", PRUNED)
def test_counts_that_have_lost_terms_are_version_4(make, path):
    stored = make()
    assert metadata_of(stored)["version"] == "4"
    loaded = again(stored, path)
    assert content(loaded) == content(stored)
    assert pruned(loaded.counts) == pruned(stored.counts) is not None
    with pytest.raises(lk.LearningError, match="rare terms were dropped"):
        lk.load(path).forget({"note": "goat", "wind": 1} if "schema" in metadata_of(stored) else "goat", "ham")


def test_a_limit_that_was_not_reached_is_no_reason_for_another_version(path):
    stored = stored_of(lk.train([("goat", "ham")], view="textbook", most_terms=9))
    assert metadata_of(stored)["version"] == "1"


LOST = {
    "missing": None,
    "no object": "[]",
    "no column": "{}",
    "another column": '{"body":{"terms":1,"tokens":1,"bound":1,"unit":1}}',
    "no numbers": '{"text":1}',
    "too few numbers": '{"text":{"terms":1,"tokens":1,"bound":1}}',
    "a text": '{"text":{"terms":"1","tokens":1,"bound":1,"unit":1}}',
    "nothing": '{"text":{"terms":0,"tokens":0,"bound":0,"unit":1}}',
    "less than nothing": '{"text":{"terms":-1,"tokens":1,"bound":1,"unit":1}}',
    "a bound above the tokens": '{"text":{"terms":1,"tokens":1,"bound":2,"unit":1}}',
    "another unit": '{"text":{"terms":1,"tokens":1,"bound":1,"unit":7}}',
}


@pytest.mark.parametrize("case", LOST)
def test_a_fourth_version_that_makes_no_sense_is_refused(case, tmp_path):
    texts, arrays = parts_of(pruned_example())
    del texts["pruned"]
    texts |= {} if LOST[case] is None else {"pruned": LOST[case]}
    assert refusal(tmp_path / "x.likelier", file_of(texts, arrays, version=4)) == "model-file-inconsistent"
