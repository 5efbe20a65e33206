"""How settings were chosen stands in the file, and what stands there is checked."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from typing import Any

import pytest

from likelier import Model, SettingError, Thresholds, train
from likelier._settings.selection import Selection, TriedSettings
from likelier._storage.layout import Nonsense
from likelier._storage.parts import Stored, arrays_of, stored_from, texts_of
from likelier._storage.provenance import checked_events, event, with_selection, without_selection

TRIED = {"settings": "binary", "accuracy": 0.9, "log_loss": None, "documents": 100, "chosen": True}
CHOSEN = {"why": "the best", "documents": 100, "judged": 100, "tried": [TRIED]}


def events_with(selection: Any) -> list[dict[str, Any]]:
    return [{**event("train", ["mails.csv"], 3), "selection": selection}]


@pytest.mark.parametrize("selection", [CHOSEN, {**CHOSEN, "note": "many copies"}])
def test_a_choice_that_is_right_is_read(selection: Any) -> None:
    events = events_with(selection)
    assert checked_events(events) == events


@pytest.mark.parametrize(
    "selection",
    [
        None,
        5,
        {**CHOSEN, "why": 5},
        {**CHOSEN, "judged": True},
        {**CHOSEN, "more": 1},
        {**CHOSEN, "note": None},
        {**CHOSEN, "tried": [5]},
        {**CHOSEN, "tried": [{**TRIED, "chosen": 1}]},
        {**CHOSEN, "tried": [{**TRIED, "accuracy": "high"}]},
        {name: value for name, value in CHOSEN.items() if name != "tried"},
    ],
)
def test_a_choice_that_is_damaged_is_refused(selection: Any) -> None:
    with pytest.raises(Nonsense, match="not a list of events"):
        checked_events(events_with(selection))


def model() -> Model:
    found = train([("a b", "x"), ("c d", "y")], view="textbook")
    tried = (TriedSettings("binary", 0.9, 0.25, 100, chosen=True), TriedSettings("complement", 0.8, None, 100))
    found.selection = Selection("the best", 100, 100, tried)
    return found


@pytest.mark.parametrize("note", [None, "many copies"])
def test_the_selection_of_a_model_is_kept_by_files_pickles_and_copies(note: str | None) -> None:
    chosen = model()
    assert chosen.selection is not None
    chosen.selection = replace(chosen.selection, note=note)
    for other in (Model.from_bytes(chosen.to_bytes()), pickle.loads(pickle.dumps(chosen)), chosen.copy()):
        assert other.selection == chosen.selection
        assert other.provenance == chosen.provenance


def test_in_a_file_the_event_of_the_training_has_the_selection_and_in_memory_none_has() -> None:
    chosen = model()
    chosen.learn("e f", "x")
    stored = with_selection(chosen.provenance, chosen.selection)
    assert [("selection" in each) for each in stored] == [True, False]
    assert without_selection(stored) == (chosen.provenance, chosen.selection)
    assert Model.from_bytes(chosen.to_bytes()).to_bytes() == chosen.to_bytes()


def test_a_sum_of_models_has_the_settings_and_the_selection_of_the_first() -> None:
    chosen, other = model(), train([("a b", "x")], view="textbook")
    assert (chosen + other).selection == chosen.selection
    assert (other + chosen).selection is None


def test_other_settings_drop_the_selection_but_another_decision_does_not() -> None:
    chosen = model()
    chosen.set_view(decide=Thresholds({"x": 0.9}))
    assert chosen.selection is not None
    chosen.set_view(event="binary")
    assert chosen.selection is None
    assert Model.from_bytes(chosen.to_bytes()).selection is None


def test_the_chosen_settings_are_kept_beside_others() -> None:
    chosen = model()
    first = chosen.settings
    chosen.set_view(event="binary")
    for other in (Model.from_bytes(chosen.to_bytes()), pickle.loads(pickle.dumps(chosen)), chosen.copy()):
        assert other.selection is None
        other.use_chosen()
        assert other.settings == first
        assert other.selection == model().selection


def test_chosen_settings_take_no_room_while_they_are_used() -> None:
    chosen = model()
    before = chosen.to_bytes()
    assert b'"chosen":"{' not in before
    chosen.set_view(event="binary")
    assert b'"chosen":"{' in chosen.to_bytes()
    chosen.use_chosen()
    assert chosen.to_bytes() == before


def test_a_model_without_chosen_settings_says_so() -> None:
    with pytest.raises(SettingError, match="no chosen settings to go back to"):
        train([("a b", "x")], view="textbook").use_chosen()


@pytest.mark.parametrize(
    "stored",
    [5, {}, {"settings": {}}, {"settings": {}, "selection": 5}, {"settings": 5, "selection": CHOSEN}],
)
def test_chosen_settings_that_are_damaged_are_refused(stored: Any) -> None:
    counts = train([("a b", "x")], view="textbook")
    texts = texts_of(Stored(counts.counts, counts.schema)) | {"version": "1", "chosen": json.dumps(stored)}
    with pytest.raises(Nonsense, match="'chosen' is not an object"):
        stored_from(texts, arrays_of(Stored(counts.counts, counts.schema)))


@pytest.mark.parametrize("stored", [5, None, ["text"]])
def test_the_name_of_a_text_column_is_a_text(stored: Any) -> None:
    counts = train([("a b", "x")], view="textbook")
    texts = texts_of(Stored(counts.counts, counts.schema)) | {"version": "1", "text_column": json.dumps(stored)}
    with pytest.raises(Nonsense, match="the name of the text column"):
        stored_from(texts, arrays_of(Stored(counts.counts, counts.schema)))


@pytest.mark.parametrize("stored", ["false", "1", "null"])
def test_whether_labels_are_cleaned_is_true_or_absent(stored: str) -> None:
    counts = train([("a b", "x")], view="textbook")
    texts = texts_of(Stored(counts.counts, counts.schema)) | {"version": "1", "clean_labels": stored}
    with pytest.raises(Nonsense, match="neither absent nor true"):
        stored_from(texts, arrays_of(Stored(counts.counts, counts.schema)))
