"""Where documents are copies of each other or share passages, leave-one-out is too kind, and the selection says so."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import likelier as lk
from likelier._cli.commands import likelier as program
from likelier._train.copies import note

WORDS = [f"word{place}" for place in range(400)]


def passage(chance: random.Random, number: int) -> str:
    return " ".join(chance.choices(WORDS, k=number))


def alone(number: int, seed: int = 0) -> list[tuple[str, str]]:
    """Documents that have nothing to do with each other."""
    chance = random.Random(seed)
    return [(passage(chance, 40), chance.choice(["x", "y", "z"])) for _ in range(number)]


def answered(number: int, quoted: int) -> list[tuple[str, str]]:
    """Documents, and replies that quote some words of them."""
    chance = random.Random(1)
    found = []
    for text, label in alone(number // 2):
        reply = " ".join([passage(chance, 20), *text.split()[5 : 5 + quoted], passage(chance, 20)])
        found += [(text, label), (reply, label)]
    return found


def noted(documents: list[tuple[str, str]], **options: object) -> str | None:
    selection = lk.train(documents, **options).selection  # type: ignore[arg-type]
    assert selection is not None
    return selection.note


def test_documents_of_their_own_need_no_note() -> None:
    assert noted(alone(400)) is None


def test_replies_that_quote_are_counted_with_what_they_quote() -> None:
    found = noted(answered(400, 20))
    assert found is not None
    assert found.startswith(
        "400 of 400 judged documents are copies of another one or share passages with it, as replies do:"
    )
    assert "on the others" not in found


def test_a_few_words_in_common_are_no_passage() -> None:
    assert noted(answered(400, 6)) is None


@pytest.mark.parametrize(("copies", "is_noted"), [(30, False), (90, True)])
def test_copies_are_noted_where_there_are_many(copies: int, is_noted: bool) -> None:
    documents = alone(400)
    found = noted([*documents, *documents[:copies]])
    assert (found is not None) == is_noted
    if found is not None:
        assert found.startswith(f"{2 * copies} of {400 + copies} judged documents are copies")


def test_copies_in_hundreds_are_found_and_so_are_those_without_a_pair() -> None:
    found = noted([*alone(150), *[("hello", "x")] * 150])
    assert found is not None
    assert found.startswith("150 of 300 judged documents")


def test_copies_are_found_without_pairs_of_words() -> None:
    documents = alone(200)
    assert noted([*documents, *documents], analyzer=lk.Analyzer(char_ngrams=3)) is not None


def test_the_order_of_documents_does_not_matter() -> None:
    documents = answered(400, 20) + alone(200, seed=5)
    mixed = random.Random(3).sample(documents, len(documents))
    assert noted(documents) == noted(mixed) is not None


def test_the_accuracy_on_the_other_documents_is_part_of_the_note() -> None:
    found, right = np.arange(200) < 100, (np.arange(200) < 150).astype(np.uint8)
    assert note(found, right) == (
        "100 of 200 judged documents are copies of another one or share passages with it, as replies do: on new"
        " documents, expect a lower accuracy than 75.0 %; it is 50.0 % on the others"
    )
    assert note(found[:99], right[:99]) is None  # where most pairs of words are rare


def test_the_note_is_printed_and_the_command_warns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    documents = answered(400, 20)
    model = lk.train(documents)
    assert model.selection is not None
    assert str(model.selection).endswith(f"{model.selection.why}\n{model.selection.note}")
    Path("posts.tsv").write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in documents))
    result = CliRunner().invoke(program, ["train", "posts.tsv", "-o", "posts.likelier"])
    assert f"warning: {model.selection.note}" in result.stderr
    assert lk.load("posts.likelier").selection == model.selection
