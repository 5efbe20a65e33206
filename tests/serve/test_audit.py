"""Whose lessons contradict those of the others far more than chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from likelier._serve.audit import Audit, audited
from likelier.demo import documents
from school import School

PAIRS = documents()


@pytest.fixture
def school(folder: Path) -> Iterator[School]:
    found = School(folder / "shop.likelier")
    yield found
    found.close()


def teach(school: School, name: str, number: int, *, wrong: bool) -> None:
    """Documents like those of the model, with their labels or with others."""
    labels = school.live.model.labels
    for text, label in PAIRS[:: len(PAIRS) // number][:number]:
        other = labels[(labels.index(label) + 1) % len(labels)]
        school.learn(f"{text} again by {name}", other if wrong else label, name)


def test_somebody_who_teaches_the_wrong_labels_stands_out(school: School) -> None:
    teach(school, "anna", 30, wrong=False)
    teach(school, "mallory", 30, wrong=True)
    found = {each.name: each for each in audited(school.live.model.copy(), school.log, school.live.position)}
    assert (found["mallory"].suspicious, found["anna"].suspicious) == (True, False)
    assert found["mallory"].contradictions > 20


def test_few_lessons_are_no_reason_for_a_warning(school: School) -> None:
    teach(school, "mallory", 5, wrong=True)
    (found,) = audited(school.live.model.copy(), school.log, school.live.position)
    assert not found.suspicious


def test_lessons_that_were_undone_do_not_count(school: School) -> None:
    teach(school, "mallory", 30, wrong=True)
    school.undo(name="mallory")
    assert audited(school.live.model.copy(), school.log, school.live.position) == []


def test_an_audit_leaves_the_model_as_it_is(school: School) -> None:
    teach(school, "mallory", 12, wrong=True)
    model = school.live.model.copy()
    before = model.to_bytes()
    audited(model, school.log, school.live.position)
    assert model.to_bytes() == before


def test_a_warning_is_reported_once(school: School, capsys: pytest.CaptureFixture[str]) -> None:
    teach(school, "mallory", 30, wrong=True)
    audit = Audit()
    audit.made(school.live, school.log)
    school.learn("one more", "spam", "anna")
    audit.made(school.live, school.log)
    said = [line for line in capsys.readouterr().err.splitlines() if "teacher-suspicious" in line]
    assert len(said) == 1
    assert audit.suspicious == 1
