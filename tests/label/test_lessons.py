"""Lessons change the model at once, and undoing them brings everything back."""

from __future__ import annotations

import json
from threading import Thread
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likelier as lk
from label.made_up import answered, made_up
from likelier._label.lessons import Lesson
from likelier._model.exchange import Exchange

TEXTS, TRUTH = made_up(700)


def started(count: int = 40, **options: object) -> lk.Labeling:
    return answered(lk.Labeling(TEXTS, ("ham", "spam"), **options), TRUTH, count)  # type: ignore[arg-type]


def test_an_answer_is_learned_at_once():
    labeling = lk.Labeling(["cheap watches", "lunch at noon"])
    labeling.answer(0, "spam")
    labeling.answer(1, "ham")
    assert labeling.model.counts.documents_per_label == {"ham": 1, "spam": 1}
    assert labeling.labels == ("spam", "ham")


def test_a_text_that_was_not_asked_is_found():
    labeling = lk.Labeling(TEXTS)
    place = next(place for place in range(len(TEXTS)) if place not in {asked.place for asked in labeling.next(5)})
    assert labeling.answer(place, "ham").how == "found"


def test_answering_again_moves_the_document():
    labeling = started()
    place = labeling.lessons[0].places[0]
    other = {"ham": "spam", "spam": "ham"}[TRUTH[place]]
    before = labeling.model.documents
    lesson = labeling.answer(place, other)
    assert (lesson.labels_before, lesson.labels, lesson.how) == ((TRUTH[place],), (other,), "random")
    assert labeling.model.documents == before
    assert labeling.model.learned(TEXTS[place], other)


@pytest.mark.parametrize(
    "teach",
    [
        lambda labeling: labeling.answer(labeling.next()[0].place, "spam"),
        lambda labeling: labeling.answer(labeling.lessons[0].places[0], "news"),
        lambda labeling: labeling.skip(labeling.next()[0].place),
        lambda labeling: labeling.skip(labeling.lessons[0].places[0]),
        lambda labeling: labeling.teach("any1", "spam"),
        lambda labeling: labeling.teach("spam1", "spam", weight=0.3),
        lambda labeling: labeling.accept(0.5),
    ],
)
def test_undo_brings_back_counts_and_queue(teach):
    labeling = started()
    digest, queue, progress = labeling.model.counts.digest(), labeling.next(5), labeling.progress()
    teach(labeling)
    labeling.undo()
    assert (labeling.model.counts.digest(), labeling.next(5)) == (digest, queue)
    assert labeling.progress().labeled == progress.labeled


def test_five_hundred_accepted_at_once_are_taken_back_at_once():
    labeling = started()
    digest = labeling.model.counts.digest()
    lesson = labeling.accept(0.5)
    assert len(lesson.places) >= 500
    assert {labeling.mark(place).how for place in lesson.places} == {"bulk"}  # type: ignore[union-attr]
    labeling.undo()
    assert labeling.model.counts.digest() == digest
    assert labeling.progress().labeled == 40


def test_accepting_takes_verdicts_that_are_probable_enough_and_no_others():
    labeling = started()
    verdicts = labeling.model.classify_many(TEXTS)
    labeled = set(labeling.labeled)
    lesson = labeling.accept(0.97)
    sure = {place for place in range(len(TEXTS)) if verdicts.probability[place] >= 0.97} - labeled
    assert set(lesson.places) == sure
    assert list(lesson.labels) == [verdicts.labels[place] for place in lesson.places]


def test_accepting_nothing_is_no_lesson():
    labeling = lk.Labeling(TEXTS[:10])
    assert labeling.accept(0.9).places == ()
    assert labeling.undo() is None


def test_a_taught_word_is_taken_back_exactly():
    labeling = started()
    digest = labeling.model.counts.digest()
    lesson = labeling.teach("any1", "spam")
    assert labeling.words == {("any1", "spam"): lesson.weight}
    assert labeling.model.counts.digest() != digest
    labeling.untaught("any1", "spam")
    assert (labeling.model.counts.digest(), labeling.words) == (digest, {})


def test_taking_a_word_back_can_be_undone():
    labeling = started()
    labeling.teach("any1", "spam")
    digest = labeling.model.counts.digest()
    labeling.untaught("any1", "spam")
    labeling.undo()
    assert labeling.model.counts.digest() == digest


def test_teaching_a_word_again_replaces_its_weight():
    labeling = started()
    labeling.teach("any1", "spam", weight=3)
    once = labeling.model.documents
    labeling.teach("any1", "spam", weight=1)
    assert labeling.model.documents == once - 2


def test_the_weight_of_a_word_has_the_least_log_loss():
    labeling = started(120)
    lesson = labeling.teach("spam1", "spam")
    losses = {}
    for weight in (0.25, 0.5, 1, 2, 4, 8):
        labeling.teach("spam1", "spam", weight=weight)
        losses[weight] = round(labeling.evaluation().figures.log_loss.loss, 9)
    assert losses[lesson.weight] == min(losses.values())


def test_a_word_that_contradicts_the_labels_counts_little():
    labeling = started(120)
    assert labeling.teach("spam1", "ham").weight == 0.25


def test_a_word_that_hardly_a_document_has_counts_as_one():
    assert started().teach("unheard", "spam").weight == 1


@settings(max_examples=30)
@given(st.data())
def test_undoing_all_lessons_brings_back_the_start(data: st.DataObject):
    labeling = lk.Labeling(TEXTS[:30], ("ham", "spam"))
    digest, queue = labeling.model.counts.digest(), labeling.next(5)
    chooser = labeling._chooser.counts.digest()
    for _ in range(data.draw(st.integers(1, 12))):
        place = data.draw(st.integers(0, 29))
        kind = data.draw(st.sampled_from(["next", "answer", "skip", "word", "untaught", "accept", "undo"]))
        label = data.draw(st.sampled_from(["ham", "spam", "news"]))
        if kind == "next" and labeling.next():
            labeling.answer(labeling.next()[0].place, label)
        elif kind == "answer":
            labeling.answer(place, label)
        elif kind == "skip":
            labeling.skip(place)
        elif kind == "word":
            labeling.teach(f"any{place}", label, weight=data.draw(st.sampled_from([0.25, 1, 3])))
        elif kind == "untaught" and labeling.words:
            labeling.untaught(*next(iter(labeling.words)))
        elif kind == "accept":
            labeling.accept(0.6)
        elif kind == "undo":
            labeling.undo()
    while labeling.undo():
        pass
    assert (labeling.model.counts.digest(), labeling.next(5), labeling.lessons) == (digest, queue, ())
    assert labeling._chooser.counts.digest() == chooser


def test_undoing_an_older_lesson_leaves_what_later_ones_changed():
    labeling = started()
    first, second = labeling.lessons[:2]
    labeling.answer(first.places[0], "news")
    for lesson in (first, second):
        undo = labeling.draft_undo(lesson.number)
        assert undo is not None
        Exchange(labeling.model, *labeling.documents(undo)).make()
        labeling.follow(undo)
    assert labeling.labeled[first.places[0]] == "news"
    assert second.places[0] not in labeling.labeled


def test_nothing_to_undo_is_no_lesson():
    assert lk.Labeling(TEXTS[:5]).undo() is None


# ---- a model that is changed elsewhere -----------------------------------------------------------------------------


def test_following_lessons_is_like_teaching_them():
    taught = lk.Labeling(TEXTS, ("ham", "spam"))
    followed = lk.Labeling(TEXTS, ("ham", "spam"))
    for _ in range(40):
        (asked,) = followed.next()
        lesson = followed.draft_answer(asked.place, TRUTH[asked.place])
        Exchange(followed.model, *followed.documents(lesson)).make()
        followed.follow(lesson)
        assert taught.answer(taught.next()[0].place, TRUTH[asked.place]) == lesson
    assert taught.next(5) == followed.next(5)


def test_a_queue_that_is_refilled_later_only_gets_shorter():
    labeling = lk.Labeling(TEXTS, refills_later=True)
    five = labeling.next(5)
    labeling.answer(five[0].place, "ham")
    assert labeling.next(5) == five[1:]
    labeling.refill()
    assert labeling.next(5)[:4] == five[1:]
    assert len(labeling.next(5)) == 5


def test_a_restored_labeling_goes_on_where_it_was():
    labeling = started(60)
    labeling.teach("any1", "spam")
    labeling.answer(labeling.next()[0].place, "news")
    labeling.undo()
    stored = json.loads(json.dumps([labeling.state(), [lesson.to_dict() for lesson in labeling.lessons]]))
    again = lk.Labeling(TEXTS, model=labeling.model.copy())
    again.restore(stored[0], [Lesson.from_dict(each) for each in stored[1]])
    assert again.next(5) == labeling.next(5)
    assert (again.labels, again.labeled, again.words) == (labeling.labels, labeling.labeled, labeling.words)
    assert again.accuracy() == labeling.accuracy()
    for each in (again, labeling):
        answered(each, TRUTH, 12)
    assert again.next(5) == labeling.next(5)
    assert again.undo() == labeling.undo()


@pytest.mark.parametrize("behind", [1, 2, 3, 4])
def test_a_state_of_earlier_is_brought_up_to_date_by_the_lessons_since_then(behind: int):
    labeling, states, lessons = started(60), list[dict[str, Any]](), list[Lesson]()
    lessons += labeling.lessons
    for step in (
        lambda: labeling.answer(labeling.next()[0].place, "news"),
        lambda: labeling.accept(0.6),
        lambda: labeling.undo(),
        lambda: labeling.undo(),
    ):
        states.append(labeling.state())
        lessons.append(step())  # type: ignore[no-untyped-call]
    assert len(lessons[-3].places) > 10
    again = lk.Labeling(TEXTS, model=labeling.model.copy())
    again.restore(states[-behind], lessons)
    assert (again.labeled, again.lessons, again.progress()) == (labeling.labeled, labeling.lessons, labeling.progress())
    assert again.state()["number"] == labeling.state()["number"]
    for each in (again, labeling):
        answered(each, TRUTH, 12)
    assert again.next(5) == labeling.next(5)


def test_a_model_to_go_on_with_keeps_its_settings_and_labels():
    model = lk.train(list(zip(TEXTS[:50], TRUTH[:50], strict=True)), view="textbook")
    before = model.settings
    labeling = lk.Labeling(TEXTS[50:], ("news",), model=model)
    labeling.answer(0, "news")
    assert labeling.labels == ("news", "ham", "spam")
    assert model.settings == before


def test_a_third_label_changes_the_event_model_of_a_new_model():
    labeling = lk.Labeling(TEXTS, ("ham", "spam"))
    assert labeling.model.settings.event == "multinomial"
    labeling.add_label("news")
    assert labeling.model.settings.event == "complement"


def test_two_threads_that_answer_lose_nothing():
    labeling = lk.Labeling(TEXTS[:200], ("ham", "spam"))

    def answer(places: range) -> None:
        for place in places:
            labeling.answer(place, TRUTH[place])

    threads = [Thread(target=answer, args=(range(start, 200, 2),)) for start in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(labeling.lessons) == len({lesson.number for lesson in labeling.lessons}) == 200
    expected = lk.Labeling(TEXTS[:200], ("ham", "spam"))
    expected.model.learn_many(texts=TEXTS[:200], labels=TRUTH[:200])
    assert labeling.model.counts.digest() == expected.model.counts.digest()


def test_a_queue_is_refilled_while_others_answer():
    labeling = lk.Labeling(TEXTS, ("ham", "spam"), refills_later=True)
    refills = Thread(target=lambda: [labeling.refill() for _ in range(30)])
    refills.start()
    for place in range(100):
        labeling.answer(place, TRUTH[place])
    refills.join()
    labeling.refill()
    assert len(labeling.next(5)) == 5
    assert not {asked.place for asked in labeling.next(5)} & set(range(100))


# ---- what cannot be taught -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "code", "message"),
    [
        (lambda labeling: labeling.answer(700, "ham"), "place-range", "700 texts, got 700"),
        (lambda labeling: labeling.skip(-1), "place-range", "got -1"),
        (lambda labeling: labeling.answer(3, None), "label-missing", "needs a label"),
        (lambda labeling: labeling.answer(3, 7), "label-kinds-mixed", "int and str"),
        (lambda labeling: labeling.accept(1.5), "accept-range", "from 0 to 1, got 1.5"),
        (lambda labeling: labeling.teach("?!", "ham"), "word-empty", "got '\\?!'"),
        (lambda labeling: labeling.untaught("any1", "ham"), "word-not-taught", "'any1' for 'ham'"),
        (lambda labeling: labeling.restore({}), "stored-labeling", "not the state of a labeling"),
        (lambda labeling: Lesson.from_dict({"kind": "answer"}), "stored-lesson", "not a lesson"),
        (lambda labeling: lk.Labeling(["\ud800"]), "text-surrogate", "Unicode"),
        (lambda labeling: lk.Labeling(TEXTS[:3]).evaluation(), "labeling-empty", "no place has a label"),
    ],
)
def test_what_cannot_be_taught_is_refused_and_nothing_changes(call, code, message):
    labeling = started(12)
    state, digest = labeling.state(), labeling.model.counts.digest()
    with pytest.raises(lk.LikelierError, match=message) as failure:
        call(labeling)
    assert failure.value.code == code
    assert (labeling.state(), labeling.model.counts.digest()) == (state, digest)
