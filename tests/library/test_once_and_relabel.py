"""Learning a document only once, moving it to another label, and the history of both."""

from __future__ import annotations

import threading

import pytest

import likelier as lk

PAIRS = [("cheap watches", "spam"), ("lunch at noon", "ham"), ("minutes of the meeting", "ham")]
ROWS = [({"color": "red", "size": 3}, "a"), ({"color": "blue", "size": 5}, "b"), ({"color": "blue", "size": 6}, "b")]
KINDS = [(PAIRS, {}), (ROWS, {"categorical": ["color"], "numeric": ["size"]})]


@pytest.mark.parametrize(("pairs", "columns"), KINDS, ids=["texts", "rows"])
def test_documents_that_were_learned_do_not_count_again(pairs, columns):
    model = lk.train(pairs[:2], **columns)
    assert model.learn_many(pairs, once=True) == 2
    assert model == lk.train(pairs, **columns)
    assert model.learn_many(pairs, once=True) == 3
    assert model.learn(*pairs[0], once=True) == 1
    assert model == lk.train(pairs, **columns)


def test_copies_among_new_documents_count_once():
    model = lk.train(PAIRS)
    assert model.learn_many([("new mail", "ham"), ("new mail", "ham"), ("new mail", "spam")], once=True) == 1
    assert model.documents == 5


def test_the_weight_is_part_of_what_was_learned():
    model = lk.train(PAIRS, weights=[0.5, 1, 1])
    assert model.learn(*PAIRS[0], weight=0.5, once=True) == 1
    assert model.learn(*PAIRS[0], weight=2, once=True) == 0


def test_once_needs_a_ledger():
    with pytest.raises(lk.LearningError, match="ledger, and this one has none"):
        lk.train(PAIRS, ledger=False).learn_many(PAIRS, once=True)


def test_nothing_new_is_no_event():
    model = lk.train(PAIRS)
    model.learn_many(PAIRS, once=True)
    assert [event["what"] for event in model.provenance] == ["train"]


def test_threads_that_learn_the_same_once_count_it_once():
    model = lk.train(PAIRS)
    new = [(f"mail number {number}", "ham") for number in range(300)]
    threads = [threading.Thread(target=model.learn_many, args=(new,), kwargs={"once": True}) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert model.documents == 303


# ---- relabel -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("pairs", "columns"), KINDS, ids=["texts", "rows"])
@pytest.mark.parametrize("is_given", [False, True])
def test_relabeling_is_forgetting_and_learning(pairs, columns, is_given):
    model, wanted = lk.train(pairs, **columns), lk.train(pairs, **columns)
    (document, old), new = pairs[1], pairs[0][1]
    assert model.relabel(document, new, old=old if is_given else None) == old
    wanted.forget(document, old)
    wanted.learn(document, new)
    assert model == wanted
    assert model.learned(document, new)
    assert not model.learned(document, old)
    assert [event["what"] for event in model.provenance] == ["train", "relabel"]


def test_the_last_document_of_a_label_can_be_moved_to_a_new_one():
    model = lk.train(PAIRS)
    assert model.relabel("cheap watches", "junk") == "spam"
    assert model.labels == ("ham", "junk")


def test_documents_that_have_the_label_stay():
    model = lk.train(PAIRS)
    before = model.to_bytes()
    assert model.relabel_many(["lunch at noon", "minutes of the meeting"], "ham") == 0
    assert model.to_bytes() == before
    assert model.relabel_many(["lunch at noon", "cheap watches"], "ham") == 1


@pytest.mark.parametrize(
    ("texts", "options", "message"),
    [
        (["cheap watches", "never learned"], {}, "document 1 was not; nothing was changed"),
        (["cheap watches", "cheap watches"], {}, "document 1 was not; nothing was changed"),
        (["lunch at noon"], {"old": "spam"}, "document 0 was not; nothing was changed"),
    ],
)
def test_all_documents_are_relabeled_or_none(texts, options, message):
    model = lk.train(PAIRS)
    before = model.to_bytes()
    with pytest.raises(lk.LearningError, match=message):
        model.relabel_many(texts, "news", **options)
    assert model.to_bytes() == before


def test_a_label_that_cannot_be_learned_changes_nothing():
    model = lk.train(PAIRS)
    before = model.to_bytes()
    with pytest.raises(lk.InputError, match="labels"):
        model.relabel("cheap watches", 5)
    assert model.to_bytes() == before


def test_of_several_labels_one_must_be_named():
    model = lk.train([*PAIRS, ("cheap watches", "offers")])
    with pytest.raises(lk.LearningError, match="several labels, 'offers' and 'spam'") as caught:
        model.relabel("cheap watches", "ham")
    assert caught.value.hint == "say which one to replace: old='offers'"
    assert model.relabel("cheap watches", "ham", old="offers") == "offers"


def test_without_a_ledger_the_old_label_must_be_given():
    model = lk.train(PAIRS, ledger=False)
    with pytest.raises(lk.LearningError, match="this model has none"):
        model.relabel("cheap watches", "ham")
    model.relabel("cheap watches", "ham", old="spam")
    assert model.labels == ("ham",)


def test_a_pruned_model_cannot_relabel():
    model = lk.train(PAIRS, most_terms=3)
    with pytest.raises(lk.LearningError, match="relabeling"):
        model.relabel("cheap watches", "ham")


# ---- history -----------------------------------------------------------------------------------------------------


def test_every_change_is_an_event_with_who_made_it():
    model = lk.train(PAIRS)
    model.learn("a b", "ham", by="Anna")
    model.learn("c d", "ham", by="Bob")
    model.learn("c d", "ham")
    model.relabel("a b", "spam", by="Anna")
    model.forget("c d", "ham", by="Bob")
    told = [(event["what"], event["documents"], event.get("by")) for event in model.provenance]
    assert told == [
        ("train", 3, None),
        ("learn", 1, "Anna"),
        ("learn", 1, "Bob"),
        ("learn", 1, None),
        ("relabel", 1, "Anna"),
        ("forget", 1, "Bob"),
    ]
    assert lk.Model.from_bytes(model.to_bytes()).provenance == model.provenance


def test_old_events_are_combined_and_the_last_thousand_kept():
    model = lk.train(PAIRS)
    for number in range(2500):
        model.learn("a b", "ham", by="Anna")
        if number < 10:
            model.forget("a b", "ham", by=f"Bob {number}")
    first, *combined, last = model.provenance[0], *model.provenance[1:3], model.provenance[-1]
    assert first["what"] == "train"
    assert [(event["what"], event.get("by")) for event in combined] == [("learn", "Anna"), ("forget", None)]
    assert combined[1]["documents"] == 10
    assert 1000 <= len(model.provenance) <= 1100
    assert last["documents"] == 1
    assert sum(event["documents"] for event in model.provenance if event["what"] == "learn") == 2500
    assert lk.Model.from_bytes(model.to_bytes()).provenance == model.provenance


@pytest.mark.parametrize("by", ["", " ", 5, "\ud800"])
def test_who_makes_a_change_is_a_name(by):
    model = lk.train(PAIRS)
    with pytest.raises(lk.SettingError, match="name of a person"):
        model.learn_many([("a b", "ham")], by=by)
