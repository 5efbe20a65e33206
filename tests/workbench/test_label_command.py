"""`likelier label`: from files to a page, and on where it was left."""

from __future__ import annotations

import csv
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import likelier as lk
from serving import Labeled


def refused(folder: Path, *words: str) -> str:
    """What a command that fails says."""
    command = [sys.executable, "-m", "likelier", "label", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    return done.stderr


def test_the_model_is_an_ordinary_one_with_settings_for_texts(start: Callable[..., Labeled], pool: Path) -> None:
    shop = start(pool, "--labels", "billing,delivery,praise")
    shop.stop()
    model = lk.load(pool.with_name("shop.likelier"))
    assert model.settings.event == "complement"
    assert model.settings == lk.Labeling(shop_texts(pool), ("a", "b", "c")).model.settings


def shop_texts(pool: Path) -> list[str]:
    """The texts of the file."""
    with pool.open(encoding="utf-8", newline="") as file:
        return [row["message"] for row in csv.DictReader(file)]


def test_the_settings_follow_texts_that_come_later(start: Callable[..., Labeled]) -> None:
    shop = start("--labels", "spam,ham")
    texts = ["cheap watches", "lunch at noon", "one two three four five six seven eight"]
    shop.post("/v1/labeling/pool?name=pasted.txt", {"texts": texts})
    shop.stop()
    model = lk.load(_model(shop))
    assert model.settings == lk.Labeling(texts, ("spam", "ham")).model.settings


def _model(shop: Labeled) -> Path:
    words = shop.process.args
    assert isinstance(words, list)
    return Path(words[words.index("-o") + 1])


def test_a_text_file_has_a_text_in_each_line(start: Callable[..., Labeled], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes("\ufeffgrün\r\n\r\nчай\r\n".encode())
    found = start(tmp_path / "notes.txt").get("/v1/labeling/search?text=")["found"]
    assert [each["text"] for each in found] == ["grün", "чай"]


def test_a_file_is_read_in_the_encoding_that_is_named(start: Callable[..., Labeled], tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_bytes("чай\nмолоко\n".encode("cp1251"))
    found = start(tmp_path / "notes.txt", "--encoding", "cp1251").get("/v1/labeling/search?text=")["found"]
    assert [each["text"] for each in found] == ["чай", "молоко"]


def test_in_a_folder_every_file_is_a_text(start: Callable[..., Labeled], tmp_path: Path) -> None:
    folder = tmp_path / "mails"
    folder.mkdir()
    (folder / "1.eml").write_text("From: a@example.org\nSubject: late\n\nwhere is it\n")
    (folder / "2.eml").write_text("From: b@example.org\nSubject: bill\n\npaid twice\n")
    found = start(folder).get("/v1/labeling/search?text=")["found"]
    assert len(found) == 2
    assert "where is it" in found[0]["text"]


def test_the_seed_decides_the_order(start: Callable[..., Labeled], pool: Path) -> None:
    orders = [
        [each["place"] for each in start(pool, "--seed", seed, model=f"{seed}.likelier").state()["queue"]]
        for seed in ("1", "2")
    ]
    assert orders[0] != orders[1]
    assert orders[0] == [each.place for each in lk.Labeling(shop_texts(pool), seed=1).next(5)]


def test_texts_that_are_new_in_the_file_are_added(start: Callable[..., Labeled], pool: Path) -> None:
    start(pool).stop()
    with pool.open("a", encoding="utf-8") as file:
        file.write("240,one more\n")
    assert start(pool).state()["progress"]["pool"] == 241


def test_a_model_that_was_trained_goes_on_learning(start: Callable[..., Labeled], pool: Path) -> None:
    path = pool.with_name("shop.likelier")
    lk.train([("cheap watches", "spam"), ("lunch at noon", "ham")], view="textbook").save(path)
    shop = start(pool)
    assert shop.state()["labels"] == ["ham", "spam"]
    assert shop.state()["queue"][0]["verdict"] is not None
    shop.do("labels", label="praise")
    assert shop.get("/v1/view")["settings"]["event"] == "multinomial"  # its settings are not ours


def test_two_labelings_of_one_model_at_once_are_refused(start: Callable[..., Labeled], pool: Path) -> None:
    start(pool)
    assert "another process is using the log" in refused(pool.parent, str(pool), "-o", "shop.likelier", "--no-browser")


def test_a_file_without_texts_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("\n\n")
    assert "found no text in empty.txt" in refused(tmp_path, "empty.txt", "--no-browser")
    assert not list(tmp_path.glob("*.likelier"))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    assert "no file" in refused(tmp_path, "missing.csv", "--no-browser")
    assert not list(tmp_path.glob("*.likelier"))


def first_line(folder: Path, *words: str) -> str:
    """What a labeling reports when it starts."""
    command = [sys.executable, "-m", "likelier", "label", *words, "--no-browser"]
    process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        return process.stderr.readline()
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_the_model_is_named_like_the_file(pool: Path) -> None:
    assert first_line(pool.parent, pool.name).startswith("serving messages.likelier at http://127.0.0.1:")


def test_the_column_the_port_and_the_model_can_be_given(pool: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    words = ("--column", "message", "--port", str(port), "--output", "mine.likelier")
    assert f"serving mine.likelier at http://127.0.0.1:{port} " in first_line(pool.parent, pool.name, *words)


def test_a_column_that_is_not_there_is_refused(pool: Path) -> None:
    assert "'subject'" in refused(pool.parent, pool.name, "--column", "subject", "--no-browser")
