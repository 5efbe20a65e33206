"""Documents that are gone through several times are read once, if they fit into memory."""

from __future__ import annotations

import builtins
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import likelier as lk
from likelier._cli.commands import likelier
from likelier._read import kept
from likelier._read.kept import KeptDocuments

ROWS = [(f"word{n % 7} word{n % 3}", "xy"[n % 2], f"writer{n % 4}") for n in range(60)]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mails.csv"
    path.write_text("text,label,writer\n" + "".join(f"{','.join(row)}\n" for row in ROWS))
    return path


LOOK = 1  # whether there is such a file


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each file was opened, by its name: once for a look at it, and once for each pass."""
    found: Counter[str] = Counter()
    real = builtins.open

    def noted(path: Any, *arguments: Any, **named: Any) -> Any:
        found[Path(str(path)).name] += 1
        return real(path, *arguments, **named)

    monkeypatch.setattr(builtins, "open", noted)
    return found


@pytest.fixture
def model(file: Path) -> lk.Model:
    return lk.train(file, text="text", label="label", view="textbook")


@pytest.mark.parametrize("method", ["leave-one-out", "folds", "held-out", "time-ordered"])
def test_an_evaluation_with_its_mistakes_reads_a_file_once(
    model: lk.Model, file: Path, opened: Counter[str], method: Any
) -> None:
    opened.clear()
    found = model.evaluate(file, text="text", label="label", method=method)
    assert [each.explanation for each in found.mistakes(3)]
    assert opened["mails.csv"] == LOOK + 1


@pytest.mark.parametrize(
    "options", [[], ["--folds", "3"], ["--group", "writer"], ["--mistakes", "3"], ["--method", "time-ordered"]]
)
def test_the_command_evaluate_reads_a_file_once(
    model: lk.Model, file: Path, opened: Counter[str], options: list[str], tmp_path: Path
) -> None:
    model.save(tmp_path / "model.likelier")
    opened.clear()
    command = ["evaluate", str(tmp_path / "model.likelier"), str(file), "--text", "text", "--label", "label", *options]
    assert CliRunner().invoke(likelier, command).exit_code == 0
    assert opened["mails.csv"] == LOOK + 1


def test_too_many_documents_are_read_in_each_pass_with_the_same_result(
    model: lk.Model, file: Path, opened: Counter[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options: dict[str, Any] = {"text": "text", "label": "label", "method": "folds"}
    expected = model.evaluate(file, **options)
    monkeypatch.setattr(kept, "MOST_DOCUMENTS", len(ROWS) - 1)
    opened.clear()
    assert str(model.evaluate(file, **options)) == str(expected)
    assert opened["mails.csv"] == LOOK + 3


def test_bytes_of_text_are_bounded_too(file: Path, opened: Counter[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "MOST_BYTES", 100)
    documents = KeptDocuments(lk.read(file, text="text", label="label"))
    assert [sum(map(len, documents)) for _ in range(2)] == [len(ROWS)] * 2
    assert opened["mails.csv"] == LOOK + 2


def test_a_pass_that_was_broken_off_keeps_nothing(file: Path) -> None:
    documents = KeptDocuments(lk.read(file, text="text", label="label"))
    next(iter(documents))
    assert sum(map(len, documents)) == len(ROWS)


def test_documents_are_read_again_for_a_model_that_reads_other_columns(file: Path, opened: Counter[str]) -> None:
    one = lk.train(file, label="label", categorical=["writer"], view="textbook")
    two = lk.train(file, label="label", text=["text", "writer"], view="textbook")
    opened.clear()
    documents = KeptDocuments(lk.read(file, label="label"))
    assert one.learned_many(documents).every
    assert one.learned_many(documents).every
    assert opened["mails.csv"] == LOOK + 1
    assert two.learned_many(documents).every
    assert opened["mails.csv"] == LOOK + 2


def test_the_rows_of_the_first_pass_are_looked_at_once(file: Path) -> None:
    seen: list[dict[str, Any]] = []
    documents = KeptDocuments(
        lk.read(file, text="text", label="label", all_columns=True), look=lambda b: seen.extend(b.rows())
    )
    for _ in range(2):
        list(documents)
    assert [row["writer"] for row in seen] == [row[2] for row in ROWS]


def test_every_batch_comes_again_in_the_second_pass(file: Path, opened: Counter[str]) -> None:
    more = file.with_name("more.csv")
    more.write_text(file.read_text())
    documents = KeptDocuments(lk.read([file, more], text="text", label="label"))
    opened.clear()
    first, second = ([batch.texts.to_list() for batch in documents] for _ in range(2))
    assert first == second == [[text for text, _, _ in ROWS]] * 2
    assert (opened["mails.csv"], opened["more.csv"]) == (1, 1)
