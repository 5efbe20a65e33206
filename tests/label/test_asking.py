"""What is asked next."""

from __future__ import annotations

import numpy as np
import pytest

import likelier as lk
from label.made_up import answered, made_up
from likelier._label.queue import EACH, PATIENCE, Judged, at_random


def hows(labeling: lk.Labeling) -> list[str | None]:
    return [lesson.how for lesson in labeling.lessons]


def test_until_each_label_has_five_documents_everything_is_asked_at_random():
    texts, truth = made_up(300)
    labeling = lk.Labeling(texts, ("ham", "spam"))
    while min(labeling.progress().by_label.values()) < EACH:
        answered(labeling, truth, 1)
    assert set(hows(labeling)) == {"random"}


def test_later_three_of_ten_are_random():
    texts, truth = made_up(600)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 150)
    assert hows(labeling)[50:150].count("random") == 30


def test_a_label_that_never_comes_is_not_waited_for():
    texts, truth = made_up(PATIENCE + 60)
    labeling = answered(lk.Labeling(texts, ("ham", "spam", "news")), truth, PATIENCE + 20)
    assert "chosen" in hows(labeling)


def test_the_random_order_has_nothing_to_do_with_the_answers():
    texts, truth = made_up(100)
    first = [answered(lk.Labeling(texts, labels, seed=3), truth, 9).lessons for labels in ((), ("ham", "spam"))]
    assert [each.places for each in first[0]] == [each.places for each in first[1]]


def test_another_seed_asks_in_another_order():
    texts, _ = made_up(100)
    assert lk.Labeling(texts, seed=1).next(5) != lk.Labeling(texts, seed=2).next(5)


def test_the_next_ones_stay_as_they_are():
    texts, truth = made_up(300)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 40)
    five = labeling.next(5)
    assert labeling.next(5) == five
    answered(labeling, truth, 1)
    assert labeling.next(4) == five[1:]


def test_more_than_five_can_be_asked_for():
    labeling = lk.Labeling(made_up(20)[0])
    assert len({asked.place for asked in labeling.next(12)}) == 12


def test_all_texts_are_asked_once_and_then_none():
    texts, truth = made_up(120)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 120)
    assert labeling.next() == []
    assert len({lesson.places for lesson in labeling.lessons}) == 120


def test_added_texts_do_not_disturb_the_random_order_of_the_others():
    texts, _ = made_up(200)
    all_at_once, in_two = lk.Labeling(texts), lk.Labeling(texts[:150])
    before = [asked.place for asked in lk.Labeling(texts[:150]).next(150)]
    in_two.add_texts(texts[150:])
    assert [asked.place for asked in all_at_once.next(200) if asked.place < 150] == before
    assert {asked.place for asked in in_two.next(200)} == set(range(200))


def test_a_text_with_hardly_a_known_word_is_not_chosen():
    known, truth = made_up(120)
    strange = [f"never{place} seen{place} before{place} at{place} all{place}" for place in range(120)]
    labeling = lk.Labeling([*known, *strange], ("ham", "spam"))
    for place in range(30):
        labeling.answer(place, truth[place])
    chosen = []
    for _ in range(30):
        (asked,) = labeling.next()
        chosen += [asked.place] * (asked.how == "chosen")
        labeling.answer(asked.place, truth[asked.place] if asked.place < 120 else "ham")
    assert chosen
    assert max(chosen[:10]) < 120


def test_near_duplicates_are_put_off():
    texts, truth = made_up(100)
    unsure = [f"ham1 ham2 spam1 spam2 any1 any2 any3 any4 extra{place}" for place in range(30)]
    labeling = lk.Labeling([*texts, *unsure], ("ham", "spam"))
    for place in range(60):
        labeling.answer(place, truth[place])
    queued = [asked.place for asked in labeling.next(10) if asked.how == "chosen"]
    assert sum(place >= 100 for place in queued) <= 1


def test_the_least_certain_comes_first_and_long_texts_are_not_certain_because_they_are_long():
    labels = ("ham", "spam")
    judged = Judged(np.arange(3), np.zeros(3, dtype=np.intp), np.array([0.5, 0.1, 2.0]), np.zeros(3), labels)
    assert judged.least_certain(np.zeros(3, dtype=np.uint64)).tolist() == [1, 0, 2]


def test_of_equally_uncertain_texts_chance_decides():
    judged = Judged(np.arange(3), np.zeros(3, dtype=np.intp), np.zeros(3), np.zeros(3), ("ham", "spam"))
    assert judged.least_certain(np.array([7, 1, 4], dtype=np.uint64)).tolist() == [1, 2, 0]


def test_no_place_is_left_to_draw():
    assert at_random(np.zeros(3, dtype=bool), np.zeros(3, dtype=np.uint64)) is None


def test_a_skipped_text_is_not_asked_again():
    texts, _ = made_up(10)
    labeling = lk.Labeling(texts)
    (asked,) = labeling.next()
    labeling.skip(asked.place)
    assert asked.place not in {each.place for each in labeling.next(10)}
    assert labeling.progress().skipped == 1


def test_large_pools_are_looked_at_in_part(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("likelier._label.pool.MOST_TEXTS", 50)
    texts, truth = made_up(400)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 60)
    assert labeling.changed is not None
    assert labeling.changed.of <= 50


@pytest.mark.parametrize("later", [True, False])
def test_the_same_labeling_asks_the_same_questions(later: bool):
    texts, truth = made_up(300)
    places = []
    for _ in range(2):
        labeling = lk.Labeling(texts, ("ham", "spam"), refills_later=later)
        for _ in range(60):
            (asked,) = labeling.next()
            labeling.answer(asked.place, truth[asked.place])
            labeling.refill()
        places.append([lesson.places for lesson in labeling.lessons])
    assert places[0] == places[1]
