"""What annotations do to a model, in whatever order they are heard of, and however often."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import likelier as lk
from likelier._model.exchange import Labeled, prints
from likelier._serve.annotations import State, following, key_of
from likelier._serve.lessons import moved
from school import School

PROJECTS = count(1)


@pytest.fixture
def school(folder: Path) -> Iterator[School]:
    found = School(folder / "shop.likelier")
    yield found
    found.close()


class Said(NamedTuple):
    """What an annotation says after so many updates; None: nothing, and "deleted": it is gone."""

    number: int
    update: int
    text: str
    choice: str | None

    def state(self, project: int) -> State:
        key = key_of("team", str(project), self.number)
        if self.choice == "deleted":
            return State(key, deleted=True)
        return State(key, self.text, self.choice, self.update, self.update > 0)


@st.composite
def histories(draw: st.DrawFn) -> list[list[Said]]:
    """Of each annotation all that it says; several may say the same."""
    found = []
    for number in range(draw(st.integers(1, 3))):
        said = draw(
            st.lists(
                st.tuples(st.sampled_from(["one", "two"]), st.sampled_from(["spam", "new", None])),
                min_size=1,
                max_size=4,
            )
        )
        history = [Said(number, update, *each) for update, each in enumerate(said)]
        found.append(history + [Said(number, len(said), "", "deleted")] * draw(st.integers(0, 1)))
    return found


def last_words(histories: list[list[Said]]) -> list[Labeled]:
    ends = [history[-1] for history in histories]
    return [Labeled(end.text, end.choice) for end in ends if end.choice not in (None, "deleted")]


@given(data=st.data())
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_only_the_last_words_are_learned_in_whatever_order_and_however_often_they_come(
    school: School, data: st.DataObject
) -> None:
    written = data.draw(histories())
    heard = [each for history in written for each in history]
    heard += data.draw(st.lists(st.sampled_from(heard), max_size=4))
    project, before = next(PROJECTS), school.live.digest
    for each in data.draw(st.permutations(heard)):
        school.teach(following([each.state(project)]), f"team/{each.number}")
    model = school.live.model
    expected = moved(before, [prints(model, [each])[0] for each in last_words(written)], [])
    assert school.live.digest == expected


def test_several_annotations_of_one_request_are_followed_together(school: School) -> None:
    first = [Said(1, 0, "one", "spam"), Said(2, 0, "two", "billing"), Said(3, 0, "three", None)]
    assert school.teach(following([each.state(1) for each in first]))["lessons"] == 2
    then = [Said(1, 1, "one", "billing"), Said(2, 1, "two", "deleted"), Said(3, 1, "three", "new")]
    assert school.teach(following([each.state(1) for each in then]))["lessons"] == 3
    model = school.live.model
    assert [model.learned(text, label) for text, label in [("one", "billing"), ("three", "new")]] == [1, 1]
    assert not model.learned("two", "billing")


def test_of_an_annotation_that_comes_twice_in_a_request_the_last_counts(school: School) -> None:
    states = [Said(1, 0, "one", "spam").state(1), Said(1, 1, "one", "billing").state(1)]
    assert school.teach(following(states))["lessons"] == 1
    assert school.live.model.learned("one", "billing")


def test_a_model_without_a_ledger_follows_too(folder: Path) -> None:
    model = lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")], ledger=False, view="textbook")
    model.save(folder / "plain.likelier")
    school = School(folder / "plain.likelier")
    for each in [Said(1, 1, "cheap lunch", "spam"), Said(1, 2, "cheap lunch", "ham")]:
        school.teach(following([each.state(1)]))
    assert school.live.model.counts.documents_per_label == {"spam": 1, "ham": 2}
    school.teach(following([Said(1, 3, "", "deleted").state(1)]))
    assert school.live.model.counts.documents_per_label == {"spam": 1, "ham": 1}
    school.close()


def test_what_a_replaced_model_had_learned_is_not_forgotten_by_the_new_one(school: School, folder: Path) -> None:
    school.teach(following([Said(1, 0, "one", "spam").state(1)]))
    school.close()
    path = folder / "shop.likelier"
    lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")], view="textbook").save(path)
    again = School(path, adopt=True)
    again.teach(following([Said(1, 1, "one", "ham").state(1)]))
    assert again.live.model.counts.documents_per_label == {"spam": 1, "ham": 2}
    again.close()
