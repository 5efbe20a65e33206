"""The scores of columns are those of scikit-learn on real tables too; without the tables these tests are left out."""

from __future__ import annotations

import pytest

from against_scikit_learn import as_categories, as_numbers, as_truths
from real_tables import table


def test_mushrooms() -> None:
    as_categories(*table("mushroom"))


def test_votes_with_the_missing_ones_as_a_third_value() -> None:
    as_categories(*table("house_votes_84"))


def test_votes_of_those_who_voted_on_everything() -> None:
    rows, labels = table("house_votes_84")
    full = [(row, label) for row, label in zip(rows, labels, strict=True) if "?" not in row]
    as_truths([[int(vote == "y") for vote in row] for row, _ in full], [label for _, label in full])


@pytest.mark.parametrize("name", ["iris", "spambase"])
def test_tables_of_numbers(name: str) -> None:
    rows, labels = table(name)
    as_numbers([[float(value) for value in row] for row in rows], labels)


def test_the_numbers_of_the_census() -> None:
    rows, labels = table("adult.train")
    as_numbers([[float(row[place]) for place in (0, 2, 4, 10, 11, 12)] for row in rows], labels)
