"""What is saved is loaded; equal counts are equal bytes, however they came."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likelier as lk
from corpora import documents, labels, model_of, texts, weights
from likelier import _storage as storage
from likelier._documents.schema import plain
from likelier._settings.values import Settings
from likelier._storage import layout
from likelier._storage.provenance import trimmed
from storage.models import content, example, header_and_data, stored_of
from storage.test_settings import settings

analyzers = st.sampled_from(
    [lk.Analyzer(), lk.Analyzer(ngrams=2, stop_words=["goat"]), lk.Analyzer(char_ngrams=(2, 3), replace={"a": "B"})]
)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("models") / "model.likelier"


def again(stored: storage.Stored, path: Path) -> storage.Stored:
    path.unlink(missing_ok=True)  # some file systems wait for the disk when a file is replaced
    storage.save(path, stored)
    return storage.load(path)


def counts_bytes(model: lk.Model, path: Path) -> dict[str, object]:
    """The arrays of the counts as they stand in the file, with their types; and the labels."""
    path.unlink(missing_ok=True)
    storage.save(path, stored_of(model))
    header, data = header_and_data(path.read_bytes())
    metadata = header.pop("__metadata__")
    arrays = {
        name: (entry["dtype"], entry["shape"], data[slice(*entry["data_offsets"])])
        for name, entry in header.items()
        if not name.startswith("ledger")
    }
    return arrays | {"labels": metadata["labels"], "digest": storage.counts_digest(path)}


@given(documents, st.lists(weights, min_size=12, max_size=12), analyzers, settings(counted=True), st.booleans())
def test_everything_that_is_saved_is_loaded(path, pairs, some_weights, analyzer, some_settings, ledger):
    columns = {"texts": [text for text, _ in pairs], "labels": [label for _, label in pairs]}
    model = lk.train(**columns, weights=some_weights[: len(pairs)], analyzer=analyzer, ledger=ledger)
    stored = stored_of(model, settings=some_settings, provenance=[storage.event("train", ["a.csv", "b\udcff"], 3)])
    assert content(again(stored, path)) == content(stored)


@pytest.mark.parametrize("names", [["ham", "spam"], [0, 1], [-(10**30), 7], [False, True], ["", "\x00\u2028é"]])
def test_labels_keep_their_kind(path, names):
    model = lk.train([("goat", names[0]), ("wolf", names[1])])
    loaded = again(stored_of(model), path).counts.labels
    assert [(type(label), label) for label in loaded] == [(type(name), name) for name in names]


def test_an_empty_model_can_be_saved(path):
    loaded = again(stored_of(lk.Model()), path)
    assert loaded.counts.labels == ()
    assert loaded.counts.vocabulary_size == 0
    assert len(lk.load(path).ledger) == 0


def test_counts_from_a_table_keep_that_they_have_no_document_frequencies(path):
    counts = lk.Counts.from_table({"happy": {"pos": 2, "neg": 1}, "": {"pos": 1}})
    loaded = again(storage.Stored(counts, plain(lk.Analyzer())), path)
    assert loaded.counts == counts
    assert not loaded.counts.sizes.has_df


@pytest.mark.parametrize("highest", [2**8 - 1, 2**8, 2**16 - 1, 2**16, 2**32 - 1, 2**32, 10**15])
def test_numbers_of_every_width_come_back(path, highest):
    counts = lk.Counts.from_table({"a": {"x": highest}, "b": {"x": 1, "y": 3}}, {"x": highest, "y": 3})
    assert again(storage.Stored(counts, plain(lk.Analyzer())), path).counts == counts


def test_a_number_is_stored_in_the_narrowest_type_that_holds_it():
    for highest, dtype in ((255, "|u1"), (256, "<u2"), (65535, "<u2"), (65536, "<u4"), (2**32, "<u8")):
        assert layout.narrow(np.array([0, highest], dtype=np.uint64)).dtype.str == dtype


def test_a_loaded_model_learns_forgets_and_answers_like_the_one_that_was_saved(path):
    stored = example()
    storage.save(path, stored)
    model = lk.load(path)
    assert model.learn("goat wolf goat", "ham") == 1
    model.forget("goat wolf goat", "ham")
    assert model.counts == stored.counts
    with pytest.raises(lk.LearningError, match="only a document that was learned can be forgotten"):
        model.forget("goat", "ham")


# ---- equal counts, equal bytes -----------------------------------------------------------------------------------


@given(documents, documents)
def test_learning_later_gives_the_same_bytes_as_training_at_once(path, first, second):
    later = model_of(first)
    later.learn_many(second)
    assert counts_bytes(later, path) == counts_bytes(model_of(first + second), path)


@given(documents, documents)
def test_merging_gives_the_same_bytes_as_training_at_once(path, first, second):
    assert counts_bytes(model_of(first) + model_of(second), path) == counts_bytes(model_of(second + first), path)


@given(documents, documents)
def test_forgetting_brings_the_bytes_back(path, first, second):
    model = model_of(first + second)
    model.forget_many(second)
    assert counts_bytes(model, path) == counts_bytes(model_of(first), path)


@given(documents, texts, labels, weights)
def test_learning_into_a_loaded_model_gives_the_same_bytes(path, pairs, text, label, weight):
    loaded = again(stored_of(model_of(pairs)), path)
    model = lk.Model(loaded.counts, schema=loaded.schema, ledger=False)
    model.learn(text, label, weight=weight)
    direct = model_of(pairs)
    direct.learn(text, label, weight=weight)
    assert counts_bytes(model, path) == counts_bytes(direct, path)


@given(documents, texts, labels)
def test_other_counts_have_another_digest(path, pairs, text, label):
    before = counts_bytes(model_of(pairs), path)["digest"]
    assert counts_bytes(model_of([*pairs, (text, label)]), path)["digest"] != before


def test_the_view_the_ledger_and_the_provenance_do_not_change_the_digest(path):
    model = model_of([("goat", "ham")])
    storage.save(path, stored_of(model))
    digest = storage.counts_digest(path)
    event = storage.event("train", ["a.csv"], 1)
    storage.save(path, stored_of(model, ledger=None, settings=Settings(event="binary"), provenance=[event]))
    assert storage.counts_digest(path) == digest


# ---- other tools -------------------------------------------------------------------------------------------------


def test_the_safetensors_package_opens_a_model(path):
    numpy_side = pytest.importorskip("safetensors.numpy")
    safetensors = pytest.importorskip("safetensors")
    stored = example()
    storage.save(path, stored)
    arrays = numpy_side.load_file(path)
    for name, array in stored.counts.sizes.arrays().items():
        assert arrays[name].tolist() == array.tolist()
    with safetensors.safe_open(path, "numpy") as file:
        metadata = file.metadata()
    assert (metadata["format"], metadata["version"]) == ("likelier", "1")
    assert json.loads(metadata["labels"]) == ["ham", "spam"]


def test_every_array_is_aligned(path):
    storage.save(path, example())
    header, _ = header_and_data(path.read_bytes())
    assert int.from_bytes(path.read_bytes()[:8], "little") % 8 == 0
    del header["__metadata__"]
    assert all(entry["data_offsets"][0] % (int(entry["dtype"][1:]) // 8) == 0 for entry in header.values())


# ---- provenance --------------------------------------------------------------------------------------------------


def test_of_many_events_the_first_and_the_last_thousand_are_kept_and_the_others_combined():
    events = trimmed([storage.event("learn", [f"{number}.csv"], number) for number in range(2000)])
    assert [event["documents"] for event in events] == [0, sum(range(1, 1000)), *range(1000, 2000)]


def test_of_many_sources_the_first_are_named_and_the_rest_counted():
    sources = storage.event("train", [f"{number}.eml" for number in range(1000)], 1000)["sources"]
    assert (len(sources), sources[-1]) == (20, "and 981 more")


def test_an_event_says_when_in_universal_time():
    assert storage.event("train")["when"].endswith("+00:00")


@pytest.mark.parametrize("documents", [[("goat wolf", "ham")], [({"age": 3, "color": "red"}, "ham")]])
def test_a_model_is_its_bytes_without_a_file(documents, tmp_path):
    model = lk.train(documents)
    model.save(tmp_path / "a.likelier")
    assert model.to_bytes() == (tmp_path / "a.likelier").read_bytes()
    assert lk.Model.from_bytes(model.to_bytes()) == model
    with pytest.raises(lk.FileError, match="the content is a likelier model, but it was cut short"):
        lk.Model.from_bytes(model.to_bytes()[:-1])
