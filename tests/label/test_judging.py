"""How good the model is, likely errors, causes."""

from __future__ import annotations

from threading import Timer

import numpy as np
import pytest

import likelier as lk
from label.made_up import answered, made_up


def random_answers(labeling: lk.Labeling) -> list[int]:
    return [place for place in labeling.labeled if labeling.mark(place).how == "random"]  # type: ignore[union-attr]


def test_under_ten_random_answers_nothing_is_judged():
    texts, truth = made_up(100)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 9)
    found = labeling.accuracy()
    assert (found.share, found.documents, found.reason) == (None, 9, "too few to judge")


def test_before_there_is_a_choice_the_accuracy_is_leave_one_out_over_all_answers():
    texts, truth = made_up(100)
    labeling = answered(lk.Labeling(texts, ("ham", "spam", "news")), truth, 30)
    exact = labeling.model.evaluate(texts=[texts[p] for p in labeling.labeled], labels=[*labeling.labeled.values()])
    found = labeling.accuracy()
    assert (found.share, found.documents) == (exact.figures.accuracy.share, 30)
    assert (found.low, found.high) == tuple(exact.figures.accuracy.interval)[:2]


def test_later_it_is_exact_leave_one_out_over_random_answers_that_had_no_say_in_the_choice():
    texts, truth = made_up(600)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 120)
    apart = [place for place in random_answers(labeling) if labeling.mark(place).apart]  # type: ignore[union-attr]
    assert 20 < len(apart) < len(random_answers(labeling))
    assert [*labeling.random] == apart
    right = []
    for place in apart:
        without = labeling.model.copy()
        without.forget(texts[place], truth[place])
        right.append(without.classify(texts[place]).label == truth[place])
    assert labeling.accuracy().share == pytest.approx(np.mean(right), rel=1e-12)


def test_labels_kept_apart_have_no_say_in_what_is_chosen():
    texts, truth = made_up(600)
    one, other = (answered(lk.Labeling(texts, ("ham", "spam")), truth, 40) for _ in range(2))
    for _ in range(40):
        (asked,) = one.next()
        assert other.next() == [asked]
        one.answer(asked.place, truth[asked.place])
        wrong = {"ham": "spam", "spam": "ham"}[truth[asked.place]]
        other.answer(asked.place, wrong if asked.how == "random" else truth[asked.place])
    assert one.model.counts.digest() != other.model.counts.digest()


def test_found_and_accepted_texts_are_no_part_of_the_accuracy():
    texts, truth = made_up(300)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 60)
    before = labeling.accuracy().documents
    labeling.answer(next(place for place in range(300) if place not in labeling.labeled), "ham")
    labeling.accept(0.9)
    assert labeling.accuracy().documents == before


def test_the_accuracy_of_sure_verdicts_is_that_of_the_random_answers_whose_verdict_is_as_probable():
    texts, truth = made_up(600, own=0.12)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 200)
    rule, right = labeling.evaluation(random=True).calibration().rule, []
    for place in labeling.random:
        without = labeling.model.copy()
        without.forget(texts[place], truth[place])
        verdict = without.view(calibration=rule).classify(texts[place])
        if verdict.probability >= 0.6:
            right.append(verdict.label == truth[place])
    found = labeling.accuracy(at_least=0.6)
    assert 10 <= len(right) < len(labeling.random)
    assert (found.share, found.documents) == (pytest.approx(np.mean(right), rel=1e-12), len(right))
    assert found.low < found.share < found.high
    assert labeling.accuracy().documents == len(labeling.random)


def test_the_accuracy_of_verdicts_that_are_hardly_ever_so_sure_is_not_judged():
    texts, truth = made_up(300)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 60)
    assert labeling.accuracy(at_least=1.0).reason == "too few to judge"
    with pytest.raises(lk.LikelierError, match=r"1\.5"):
        labeling.accuracy(at_least=1.5)


def test_a_relabeled_random_answer_stays_in_the_sample():
    texts, truth = made_up(300)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 80)
    sample = labeling.random
    place, label = next(iter(sample.items()))
    labeling.answer(place, {"ham": "spam", "spam": "ham"}[label])
    assert labeling.random.keys() == sample.keys()


@pytest.mark.slow
def test_in_ninety_of_a_hundred_labelings_the_interval_has_the_true_accuracy():
    covered, shown, true = 0, [], []
    for seed in range(100):
        texts, truth = made_up(1600, seed, own=0.12)
        labeling = answered(lk.Labeling(texts[:600], ("ham", "spam"), seed=seed), truth, 120)
        found = labeling.accuracy()
        others = labeling.model.classify_many(texts[600:]).labels
        true.append(np.mean([one == other for one, other in zip(others, truth[600:], strict=True)]))
        shown.append(found.share)
        covered += found.low <= true[-1] <= found.high
    assert covered >= 90
    assert abs(np.mean(shown) - np.mean(true)) < 0.03


def test_what_is_accepted_is_as_often_right_as_its_threshold_says():
    texts, truth = made_up(3000, own=0.12)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 200)
    free = [place for place in range(3000) if place not in labeling.labeled]
    verdicts = labeling.view().classify_many([texts[place] for place in free])
    pairs = zip(verdicts.labels, (truth[place] for place in free), strict=True)
    right = np.array([one == other for one, other in pairs])
    assert right[verdicts.probability >= 0.9].mean() < 0.87
    lesson = labeling.draft_accept(0.9)
    pairs = zip(lesson.labels, (truth[place] for place in lesson.places), strict=True)
    assert np.mean([one == other for one, other in pairs]) >= 0.9


def test_five_wrong_labels_among_five_hundred_are_among_the_ten_most_suspicious():
    texts, truth = made_up(500, own=0.5)
    labeling = lk.Labeling(texts, ("ham", "spam"), refills_later=True)
    wrong = set(np.random.default_rng(0).choice(500, 5, replace=False).tolist())
    for place in range(500):
        other = {"ham": "spam", "spam": "ham"}[truth[place]]
        labeling.answer(place, other if place in wrong else truth[place])
    found = labeling.suspicious()
    assert wrong <= {each.place for each in found}
    assert all(each.likelier == truth[each.place] for each in found if each.place in wrong)
    assert all(each.log_odds > 0 for each in found)


def test_a_label_that_only_the_model_to_begin_with_knows_can_be_the_likelier_one():
    before = lk.train(
        texts=["cheap pills", "cheap watches", "lunch at noon", "lunch today"] * 5,
        labels=["spam", "spam", "ham", "ham"] * 5,
    )
    labeling = lk.Labeling(["cheap pills today", "lunch tomorrow"], model=before)
    labeling.answer(0, "ham")
    labeling.answer(1, "ham")
    assert [(each.place, each.label, each.likelier) for each in labeling.suspicious()] == [(0, "ham", "spam")]


def test_the_only_document_of_a_label_is_not_suspicious():
    labeling = lk.Labeling(["cheap watches", "cheap pills", "lunch at noon"])
    for place, label in enumerate(["spam", "spam", "ham"]):
        labeling.answer(place, label)
    assert labeling.suspicious() == []


def test_copies_with_different_labels_contradict_each_other():
    labeling = lk.Labeling(["Cheap watches!", "lunch at noon", "cheap  watches", "cheap watches"])
    for place, label in enumerate(["spam", "ham", "ham", "spam"]):
        labeling.answer(place, label)
    assert labeling.contradictions() == [((0, 2, 3), ("spam", "ham", "spam"))]


def test_mistakes_have_their_places():
    texts, truth = made_up(200, own=0.1)
    labeling = lk.Labeling(texts, ("ham", "spam"), refills_later=True)
    for place in range(50, 150):
        labeling.answer(place, truth[place])
    found = labeling.mistakes(3)
    assert len(found) == 3
    assert all(mistake.label == truth[place] for place, mistake in found)


# ---- what changes, and when to stop ----------------------------------------------------------------------------------


def test_flipped_verdicts_are_counted():
    texts, truth = made_up(300, own=0.15)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 30)
    before = labeling.model.classify_many(texts).labels
    answered(labeling, truth, 1)
    after = labeling.model.classify_many(texts).labels
    free = [place for place in range(300) if place not in labeling.labeled]
    assert labeling.changed == (sum(before[place] != after[place] for place in free), len(free))


def test_asking_for_more_leaves_what_the_last_lesson_changed():
    texts, truth = made_up(300, own=0.1)
    labeling = lk.Labeling(texts, ("ham", "spam"))
    while labeling.changed is None or not labeling.changed.flipped:
        answered(labeling, truth, 1)
    changed = labeling.changed
    labeling.next(20)
    assert labeling.changed == changed


def test_it_is_enough_when_nothing_is_left():
    labeling = lk.Labeling(["cheap watches"])
    assert labeling.is_enough() is None
    labeling.answer(0, "spam")
    assert labeling.is_enough() == "nothing is left to ask"


def test_it_is_enough_when_the_interval_is_narrow_and_hardly_a_verdict_flips():
    texts, truth = made_up(1500, own=0.6)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 60)
    assert labeling.is_enough() is None
    answered(labeling, truth, 140)
    assert str(labeling.is_enough()).startswith("accuracy is ")


# ---- causes ----------------------------------------------------------------------------------------------------------


def test_without_its_causes_a_verdict_falls():
    texts, truth = made_up(200, own=0.15)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 40)
    (asked,) = labeling.next()
    found = labeling.causes(asked.place, k=40)
    model = labeling.model.copy()
    assert (model.classify(asked.text).label, found.falls) == (found.label, True)
    for cause in found.lessons:
        (place,) = cause.lesson.places
        model.forget(texts[place], truth[place])
    assert model.classify(asked.text).label == found.instead != found.label


def test_looking_for_causes_changes_nothing():
    texts, truth = made_up(100)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 30)
    labeling.teach("any1", "ham")
    labeling.untaught("any1", "ham")
    digest = labeling.model.counts.digest()
    labeling.causes("spam1 ham2")
    assert labeling.model.counts.digest() == digest


def test_a_taught_word_is_a_cause():
    texts, truth = made_up(100)
    labeling = answered(lk.Labeling(texts, ("ham", "spam")), truth, 30)
    lesson = labeling.teach("refund", "spam")
    found = labeling.causes("refund")
    assert found.label == "spam"
    assert found.lessons[0].lesson == lesson


def test_a_verdict_of_an_empty_model_has_no_causes():
    found = lk.Labeling(["cheap watches"]).causes(0)
    assert (found.label, found.lessons, found.falls) == (None, (), False)


# ---- looking up ------------------------------------------------------------------------------------------------------


def test_search_does_not_care_about_case():
    labeling = lk.Labeling(["Straße nach Rom", "lunch", "STRASSE"])
    assert labeling.search("strasse") == [0, 2]
    labeling.add_texts(["Hauptstraße"])
    assert labeling.search("STRASSE") == [0, 2, 3]


def test_telling_words_are_those_of_the_view():
    texts, truth = made_up(100)
    labeling = lk.Labeling(texts, ("ham", "spam"))
    assert labeling.telling_words("ham") == []
    answered(labeling, truth, 30)
    assert labeling.telling_words("ham", 3) == labeling.view().top_terms("ham", 3)


def test_a_judgment_waits_for_a_state_that_is_behind_the_model():
    texts, truth = made_up(100)
    labeling = answered(lk.Labeling(texts, ("ham", "spam", "news")), truth, 30)
    undo = labeling.draft_undo()
    assert undo is not None
    (forgotten,) = labeling.documents(undo)[1]
    labeling.model.forget(forgotten.document, forgotten.label)  # as a server does before it follows
    timer = Timer(0.06, labeling.follow, (undo,))
    timer.start()
    assert len(labeling.evaluation()) == 29
    timer.join()
