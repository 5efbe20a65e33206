"""What lessons do to a model, and what undoing them leaves: nothing."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier._model.exchange import Labeled, prints
from likelier._serve.drafts import learning
from likelier._serve.log import Wanted
from likelier._serve.spans import net
from likelier.demo import documents
from school import School


@pytest.fixture
def school(folder: Path) -> Iterator[School]:
    found = School(folder / "shop.likelier")
    yield found
    found.close()


def refused(code: str) -> Any:
    """The error with this code; its message has other words."""
    return pytest.raises(lk.LikelierError, check=lambda failure: failure.code == code, match=r".")


# ---- one lesson --------------------------------------------------------------------------------------------------


def test_a_lesson_is_in_the_model_and_in_the_log(school: School) -> None:
    answer = school.learn("my kettle leaks", "returns")
    assert answer["position"] == school.live.position == 1
    assert school.live.model.learned("my kettle leaks", "returns")
    (lesson,) = school.log.lessons(Wanted())
    assert (lesson.kind, lesson.name, lesson.document) == ("learn", "anna", '"my kettle leaks"')


def test_a_refused_lesson_changes_neither_model_nor_log(school: School) -> None:
    before = school.live.model.to_bytes()
    with refused("document-not-learnt"):
        school.forget("never learned", "spam")
    assert school.live.model.to_bytes() == before
    assert school.log.position() == 0


def test_the_digest_is_that_of_the_documents_whatever_the_way_there(school: School) -> None:
    begin = school.live.hex
    school.learn("one", "spam")
    once = school.live.hex
    school.learn("two", "spam")
    school.forget("two", "spam")
    assert school.live.hex == once != begin
    school.relabel("one", "praise")
    school.forget("one", "praise")
    assert school.live.hex == begin


def test_a_relabel_finds_the_label_before(school: School) -> None:
    school.learn("one", "spam")
    assert school.relabel("one", "praise")["old"] == "spam"
    assert school.live.model.learned("one", "praise")
    assert not school.live.model.learned("one", "spam")


def test_a_relabel_to_the_same_label_is_no_lesson(school: School) -> None:
    school.learn("one", "spam")
    assert school.relabel("one", "spam")["lessons"] == 0
    assert school.live.position == 1


def test_many_documents_are_learned_or_none(school: School) -> None:
    with refused("label-kinds-mixed"):
        school.teach(learning([Labeled("one", "spam"), Labeled("two", 2)]))
    assert school.live.position == 0
    assert school.live.model.documents == 240


def test_a_change_of_view_is_a_lesson_too(school: School) -> None:
    school.change(alpha=0.5)
    assert school.live.model.settings.smoothing == lk.Additive(0.5)
    school.undo(1)
    assert school.live.model.settings.smoothing == lk.Additive(1)


def test_a_view_that_does_not_fit_is_refused(school: School) -> None:
    with refused("setting-unknown"):
        school.change(alfa=0.5)


# ---- keys --------------------------------------------------------------------------------------------------------


def test_the_same_key_is_answered_as_the_first_time_and_counts_once(school: School) -> None:
    first = school.learn("one", "spam", key="a", body=b"same")
    school.learn("two", "spam")
    assert school.learn("one", "spam", key="a", body=b"same") == first
    assert school.live.position == 2


def test_a_key_for_another_request_is_refused(school: School) -> None:
    school.learn("one", "spam", key="a", body=b"one")
    with refused("key-reused"):
        school.learn("two", "spam", key="a", body=b"two")


def test_keys_of_different_names_are_different(school: School) -> None:
    school.learn("one", "spam", "anna", key="a", body=b"same")
    school.learn("one", "spam", "bob", key="a", body=b"same")
    assert school.live.position == 2


def test_a_key_is_known_after_a_restart(folder: Path) -> None:
    school = School(folder / "shop.likelier")
    first = school.learn("one", "spam", key="a", body=b"same")
    school.close()
    again = School(folder / "shop.likelier")
    assert again.learn("one", "spam", key="a", body=b"same") == first
    assert again.live.position == 1
    again.close()


# ---- undo --------------------------------------------------------------------------------------------------------


def counted(school: School) -> tuple[str, bytes]:
    """The digest and all counts."""
    counts = lk.Model(school.live.model.counts.copy(), schema=school.live.model.schema, ledger=False)
    return school.live.hex, counts.to_bytes()


def test_undoing_everything_of_one_name_leaves_the_others(school: School) -> None:
    school.learn("one", "spam", "anna")
    before = counted(school)
    for number in range(5):
        school.learn(f"poison {number}", "praise", "mallory")
    school.relabel("poison 1", "spam", "mallory")
    school.forget("poison 2", "praise", "mallory")
    school.change("mallory", alpha=9)
    school.undo(name="mallory")
    assert counted(school) == before
    assert school.live.model.settings.smoothing == lk.Additive(1)


def test_undoing_a_span_of_time_leaves_what_was_before_and_after(school: School) -> None:
    school.learn("before", "spam")
    school.learn("within", "spam")
    school.learn("after", "spam")
    times = [each.at for each in school.log.lessons(Wanted())]
    school.undo(since=times[1], until=times[2])
    known = [school.live.model.learned(text, "spam") for text in ("before", "within", "after")]
    assert known == [True, False, True]


def test_an_undo_can_be_undone(school: School) -> None:
    school.learn("one", "spam")
    before = counted(school)
    school.undo(1)
    school.undo(2)
    assert counted(school) == before


def test_a_lesson_is_undone_once(school: School) -> None:
    school.learn("one", "spam")
    school.undo(1)
    with refused("lesson-undone"):
        school.undo(1)


def test_undoing_what_others_have_built_on_is_refused_and_changes_nothing(school: School) -> None:
    school.learn("one", "spam", "mallory")
    school.relabel("one", "praise", "anna")
    before = counted(school)
    with refused("document-not-learnt"):
        school.undo(name="mallory")
    assert counted(school) == before


def test_undoing_all_names_that_touched_a_document_works(school: School) -> None:
    before = counted(school)
    school.learn("one", "spam", "mallory")
    school.relabel("one", "praise", "anna")
    school.undo(1, 2)
    assert counted(school) == before


def test_only_an_admin_undoes_the_lessons_of_others(school: School) -> None:
    school.learn("one", "spam", "anna")
    with refused("undo-others"):
        school.undo(1, who="bob", only="bob")
    school.undo(1, who="anna", only="anna")


def test_there_is_nothing_to_undo_at_a_position_without_a_lesson(school: School) -> None:
    with refused("lesson-unknown"):
        school.undo(7)


def test_undoing_nothing_is_no_lesson(school: School) -> None:
    assert school.undo(name="nobody")["lessons"] == 0
    assert school.live.position == 0


# ---- what is still there -----------------------------------------------------------------------------------------


def active(school: School) -> list[tuple[str | None, str | None]]:
    found = school.log.lessons(Wanted(active=school.live.position, limit=10_000))
    return sorted((each.document, each.learned) for each in found)


def test_documents_are_those_that_were_taught_and_are_still_in_the_model(school: School) -> None:
    school.learn("one", "spam")
    school.learn("two", "spam")
    school.learn("two", "spam")
    school.forget("two", "spam")
    school.relabel("one", "praise")
    assert active(school) == [('"one"', '"praise"'), ('"two"', '"spam"')]


def test_documents_can_be_listed_as_they_were_at_a_position(school: School) -> None:
    school.learn("one", "spam")
    school.forget("one", "spam")
    assert [each.document for each in school.log.lessons(Wanted(active=1))] == ['"one"']


def test_a_search_ignores_case_in_any_script(school: School) -> None:
    school.learn("Молоко купить", "spam")
    school.learn('say "cheese" 100%', "spam")
    assert [each.position for each in school.log.lessons(Wanted(search="МОЛОКО"))] == [1]
    assert [each.position for each in school.log.lessons(Wanted(search='"CHEESE" 100%'))] == [2]


# ---- restarts ----------------------------------------------------------------------------------------------------


def test_a_restart_without_a_snapshot_replays_the_log(folder: Path) -> None:
    copy = folder / "copy.likelier"
    shutil.copy(folder / "shop.likelier", copy)
    school = School(folder / "shop.likelier")
    school.learn("one", "spam")
    school.change(alpha=0.5)
    expected = counted(school)
    school.close()
    shutil.copy(copy, folder / "shop.likelier")  # as if there had been no snapshot
    again = School(folder / "shop.likelier")
    assert counted(again) == expected
    assert again.live.model.settings.smoothing == lk.Additive(0.5)
    again.close()


def test_a_snapshot_is_an_ordinary_model_file(folder: Path) -> None:
    school = School(folder / "shop.likelier")
    school.learn("one", "spam")
    school.close()
    found = lk.load(folder / "shop.likelier")
    assert found.learned("one", "spam")
    assert found.provenance[-1]["what"] == "serve"


def test_without_texts_only_fingerprints_stay_after_a_snapshot(folder: Path) -> None:
    school = School(folder / "shop.likelier", texts=False)
    school.learn("a very secret text", "spam")
    school.close()
    again = School(folder / "shop.likelier", texts=False)
    (lesson,) = again.log.lessons(Wanted())
    assert (lesson.document, lesson.put is None) == (None, False)
    assert b"very secret" not in Path(f"{folder / 'shop.likelier'}.log.sqlite").read_bytes()
    with refused("texts-not-kept"):
        again.undo(1)
    again.forget("a very secret text", "spam")
    again.close()


def test_a_log_without_texts_needs_the_latest_snapshot(folder: Path) -> None:
    copy = folder / "copy.likelier"
    shutil.copy(folder / "shop.likelier", copy)
    school = School(folder / "shop.likelier", texts=False)
    school.learn("one", "spam")
    school.close()
    shutil.copy(copy, folder / "shop.likelier")
    with refused("log-erased"):
        School(folder / "shop.likelier")


# ---- models of all kinds -----------------------------------------------------------------------------------------


def test_refined_weights_say_by_how_many_documents_they_are_behind_also_after_a_crash(folder: Path) -> None:
    path = folder / "refined.likelier"
    lk.train(documents(), view="textbook", refine=True).save(path)
    shutil.copy(path, copy := folder / "copy.likelier")
    school = School(path)
    school.learn("cheap lunch", "spam")
    school.learn("two of it", "ham", weight=2)
    school.relabel("cheap lunch", "ham")
    school.undo(3)
    school.learn("gone again", "ham")
    school.change(decide={"kind": "most-probable"})
    assert school.live.model.layer is not None
    assert school.live.model.layer.behind == 1 + 2 + 1 + 1 + 1
    school.close()
    assert str(lk.load(path).layer).endswith(", 6 documents behind")
    shutil.copy(copy, path)  # all is replayed
    again = School(path)
    assert again.live.model.layer is not None
    assert again.live.model.layer.behind == 6
    again.close()


def test_a_model_without_a_ledger_can_be_taught(folder: Path) -> None:
    lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")], view="textbook", ledger=False).save(
        folder / "plain.likelier"
    )
    school = School(folder / "plain.likelier")
    school.learn("cheap pills", "spam")
    school.relabel("cheap pills", "ham", old="spam")
    with refused("counts-not-held"):
        school.forget("never learned", "spam")
    school.forget("cheap pills", "ham")
    assert school.live.model.documents == 2
    school.close()


def test_a_pruned_model_learns_and_cannot_forget(folder: Path) -> None:
    pairs = [(f"word{number} common", "ab"[number % 2]) for number in range(200)]
    lk.train(pairs, view="textbook", most_terms=20).save(folder / "pruned.likelier")
    school = School(folder / "pruned.likelier")
    school.learn("common words", "a")
    assert school.live.model.documents == 201
    with refused("counts-pruned"):
        school.forget("common words", "a")
    with refused("label-kinds-mixed"):
        school.learn("common words", 7)
    school.close()


def test_documents_with_columns_are_lessons_like_texts(folder: Path) -> None:
    school = School(folder / "tickets.likelier")
    begin = counted(school)
    row = {"subject": "parcel lost", "channel": "mail", "days": 3}
    school.learn(row, "delivery")
    school.relabel({"days": 3, "subject": "parcel lost", "channel": "mail"}, "billing")
    assert active(school)[0][1] == '"billing"'
    school.undo(1, 2)
    assert counted(school) == begin
    school.close()


def test_labels_of_a_model_that_cleans_them_are_spelled_as_it_does(folder: Path) -> None:
    lk.train([("cheap watches", "Spam"), ("lunch", "Ham")], view="textbook", clean_labels=True).save(
        folder / "clean.likelier"
    )
    school = School(folder / "clean.likelier")
    school.learn("cheap pills", " SPAM ")
    assert school.live.model.learned("cheap pills", "Spam")
    assert school.log.lessons(Wanted())[0].learned == '"Spam"'
    school.close()


# ---- as if it had never been -------------------------------------------------------------------------------------

NAMES = ("anna", "bob", "mallory")
STEPS = st.one_of(
    st.tuples(st.just("learn"), st.sampled_from("xyz"), st.sampled_from("ab"), st.sampled_from(NAMES)),
    st.tuples(st.just("forget"), st.sampled_from("xyz"), st.sampled_from("ab"), st.sampled_from(NAMES)),
    st.tuples(st.just("relabel"), st.sampled_from("xyz"), st.sampled_from("ab"), st.sampled_from(NAMES)),
    st.tuples(st.just("undo"), st.integers(1, 12), st.just(""), st.sampled_from(NAMES)),
    st.tuples(st.just("undo-name"), st.sampled_from(NAMES), st.just(""), st.sampled_from(NAMES)),
)


def in_effect(lessons: list[Any], removed: set[int]) -> Counter[tuple[str, str]]:
    """By definition: what the lessons come to without the removed ones; an undo of a removed lesson does nothing."""
    left = [each for each in lessons if each.position not in removed]
    undone = {each.refers: each.position for each in left if each.refers is not None}

    def is_active(position: int) -> bool:
        return position not in undone or not is_active(undone[position])

    found: Counter[tuple[str, str]] = Counter()
    for each in left:
        if each.refers is None and is_active(each.position):
            learned, forgotten = net([each])
            found.update((str(one.document), str(one.label)) for one in learned)
            found.subtract((str(one.document), str(one.label)) for one in forgotten)
    return Counter({key: number for key, number in found.items() if number})


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, max_size=14))
def test_undoing_a_name_is_as_if_its_lessons_had_never_been(tmp_path_factory: Any, steps: list[Any]) -> None:
    path = tmp_path_factory.mktemp("school") / "model.likelier"
    lk.Model().save(path)
    school = School(path)
    for what, one, label, name in steps:
        before = school.log.lessons(Wanted(limit=1000))
        try:
            if what == "undo":
                school.undo(one, who=name)
            elif what == "undo-name":
                school.undo(name=one, who=name)
                removed = {each.position for each in before if each.name == one}
                expected = in_effect(before, removed)
                assert in_effect(school.log.lessons(Wanted(limit=1000)), set()) == expected
            else:
                getattr(school, what)(one, label, name)
        except lk.LikelierError:
            assert school.log.lessons(Wanted(limit=1000)) == before
    lessons = school.log.lessons(Wanted(limit=1000))
    counts = in_effect(lessons, set())
    twin = lk.Model()
    twin.learn_many([key for key, number in counts.items() for _ in range(number)])
    assert school.live.model.counts == twin.counts
    assert Counter((str(document)[1:-1], str(label)[1:-1]) for document, label in active(school)) == counts
    expected = counted(school)
    school.close()
    again = School(path)
    assert counted(again) == expected
    again.close()


@given(
    st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["spam", "ham", "new", 1, True]),
    st.sampled_from([1, 3, 0.5, 0, 2.0]),
)
def test_the_fingerprint_of_one_text_is_that_of_a_text_among_others(text: str, label: Any, weight: float) -> None:
    model = lk.Model()
    model.learn_many([("cheap watches", "spam"), ("lunch at noon", "ham")])
    if not isinstance(label, str):
        model = lk.Model()
        model.learn("one", 1)
    one, other = Labeled(text, label, weight), Labeled("another one", label)
    assert prints(model, [one]) + prints(model, [other]) == prints(model, [one, other])
