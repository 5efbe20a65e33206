"""From files to texts, without a server."""

from __future__ import annotations

from pathlib import Path

import pytest

from likelier import InputError, ServerError
from likelier._workbench import files


def test_a_pool_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "MOST_TEXTS", 2)
    path = tmp_path / "many.txt"
    path.write_text("one\ntwo\nthree\n")
    with pytest.raises(ServerError, match="a pool has at most 2 texts"):
        files.texts_of([str(path)])


def test_the_texts_of_several_files_come_one_after_the_other(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("id,text\n1,late parcel\n")
    (tmp_path / "two.txt").write_text("too expensive\n")
    found = files.texts_of([str(tmp_path / name) for name in ("one.csv", "two.txt")])
    assert found == (["late parcel", "too expensive"], ["id", "text"], "text")


@pytest.mark.parametrize("name", ["../../etc/passwd", "..", "", "a/b\\c.csv", "\u202e\n.csv", "x" * 5000])
def test_the_name_of_an_upload_never_leaves_its_folder(name: str) -> None:
    with files.uploaded(name, b"text\nlate\n") as path:
        assert path.read_bytes() == b"text\nlate\n"
        assert path.parent.name.startswith("likelier-")


def test_a_file_in_another_encoding_says_which_one_it_may_be_and_is_read_in_it(tmp_path: Path) -> None:
    path = tmp_path / "messages.csv"
    path.write_bytes("id;text\n1;Где моя посылка? Жду уже три недели\n2;Верните деньги\n".encode("cp1251"))
    with pytest.raises(InputError, match="must be UTF-8"):
        files.texts_of([str(path)])
    found = files.texts_of([str(path)], encoding="cp1251")
    assert found.texts == ["Где моя посылка? Жду уже три недели", "Верните деньги"]
