"""Files that cannot be read get an error with its code, naming the file, and a hint."""

from __future__ import annotations

import gzip
import io
import os
from pathlib import Path
from zlib import crc32

import pytest

import likelier as lk

TABLE = b"label,text\nham,one two\nspam,three\n"


def put(name: str, content: bytes = TABLE) -> str:
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_bytes(content)
    return name


def unreadable(monkeypatch) -> str:
    def fail(*_, **__):
        raise OSError(5, "Input/output error")

    put("a.csv")
    monkeypatch.setattr("builtins.open", fail)
    return "a.csv"


def no_input(monkeypatch) -> str:
    monkeypatch.setattr("sys.stdin", None)
    return "-"


def piped_parquet(monkeypatch) -> str:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PAR1" + bytes(100))))
    return "-"


def with_sum(raw: bytes) -> bytes:
    return raw + crc32(raw).to_bytes(4, "little")


# The beginnings of files that ask for a dictionary of 1 GB.
GREEDY_XZ = b"\xfd7zXZ\0" + with_sum(b"\0\1") + with_sum(b"\2\0\x21\1\x24\0\0\0") + b"\1\0\0a\0"
GREEDY_ZSTD = b"\x28\xb5\x2f\xfd\x00\xa0\x09\x00\x00a"

CASES = {
    "document-without-label": lambda _: put("one.txt", b"some words"),
    "file-damaged": lambda _: put("a.csv.gz", gzip.compress(TABLE)[:-8] + bytes(8)),
    "file-foreign": lambda _: put("a.docx", b"PK\x03\x04"),
    "file-missing": lambda _: "gone.csv",
    "file-packed-twice": lambda _: put("a.csv.gz", gzip.compress(gzip.compress(TABLE))),
    "file-truncated": lambda _: put("a.csv.gz", gzip.compress(TABLE * 1000)[:40]),
    "file-unreadable": unreadable,
    "file-window": lambda _: put("a.csv.xz", GREEDY_XZ),
    "folder-empty": lambda _: os.mkdir("empty") or "empty",
    "folder-without-labels": lambda _: os.path.dirname(put("loose/one.txt", b"words")),
    "json-array": lambda _: put("a.json", b'[{"label": "ham", "text": "one"}'),
    "json-not-lines": lambda _: put("a.json", b'{"label": "ham",\n "text": "one"}'.replace(b'{"', b'{\n"', 1)),
    "spreadsheet-foreign": lambda _: put("a.xlsx", b"<html>"),
    "spreadsheet-unreadable": lambda _: put("a.xlsx", b"PK\x03\x04"),
    "encoding-wide": lambda _: put("a.csv", TABLE.decode().encode("utf-16-le")),
    "parquet-foreign": lambda _: put("a.parquet", TABLE),
    "parquet-packed": lambda _: put("a.parquet.gz", gzip.compress(b"PAR1" + bytes(100))),
    "parquet-piped": piped_parquet,
    "pattern-empty": lambda _: "gone*.csv",
    "source-twice": lambda _: [put("a.csv"), "a.csv"],
    "sources-none": lambda _: [],
    "stdin-missing": no_input,
    "encoding-unknown": lambda _: (put("a.csv"), {"encoding": "latin-99"}),
    "encoding-invalid": lambda _: (put("a.csv", TABLE + b"ham,\x81\n"), {"encoding": "cp1252"}),
    "folder-expected": lambda _: (put("a.csv"), {"kind": "maildir"}),
    "maildir-foreign": lambda _: (os.path.dirname(put("box/one.txt")), {"kind": "maildir"}),
    "mbox-foreign": lambda _: (put("a.mbox"), {}),
    "kind-unknown": lambda _: (put("a.csv"), {"kind": "mbx"}),
}


@pytest.mark.parametrize("code", CASES)
def test_a_file_that_cannot_be_read_is_told_with_code_message_and_hint(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    made = CASES[code](monkeypatch)
    source, options = made if isinstance(made, tuple) else (made, {})
    with pytest.raises(lk.LikelierError, match=r".") as caught:
        lk.train(lk.read(source, **options))
    monkeypatch.undo()
    assert caught.value.code == code
    assert len(caught.value.message) > 20
    assert caught.value.hint


def test_a_file_that_asks_for_much_memory_to_unpack_is_not_called_damaged(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(lk.FileError, match=r"128 MB of memory to unpack, but a\.csv\.zst needs more") as caught:
        lk.train(put("a.csv.zst", GREEDY_ZSTD))
    assert caught.value.code == "file-window"
