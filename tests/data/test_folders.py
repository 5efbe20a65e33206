"""Documents from folders, mailboxes and single files, and what is wrong with those that cannot be read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import random
import sys
import tracemalloc
from pathlib import Path

import pytest

import likelier as lk
from likelier._base.errors import FileError, InputError, SettingError
from likelier._read.entries import Entries, TextEntry
from likelier._read.sources import find

FROM = b"From a@b.c Thu Aug 22 12:36:23 2002\n"


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def read(path: Path | str, *, kind: str | None = None, **settings) -> list[TextEntry]:
    return [document for source in find(path, kind=kind) for document in Entries(source, **settings)]


def odd_mail(chance: random.Random) -> bytes:
    """A small mail of one of many shapes."""
    body = chance.choice([b"plain words", b"From here on\n\n>From there\n\nFrom me", "größe".encode(), b"caf\xe9", b""])
    headers = chance.sample(
        [
            b"Subject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=",
            b"From: Ann <a@b.c>",
            b"Received: from x\n\tby y",
            b"Content-Type: text/plain; charset=koi8-r",
            b"Content-Type: text/html",
            b"Content-Type: multipart/mixed; boundary=cut",
            b"Content-Transfer-Encoding: quoted-printable",
        ],
        chance.randint(2, 5),
    )
    parts = (
        b"--cut\n\none\n--cut\nContent-Disposition: attachment\n\nfile\n--cut--"
        if b"cut" in b"".join(headers)
        else body
    )
    return b"X-Number: %d\n" % chance.randrange(10**6) + b"\n".join(headers) + b"\n\n" + parts


def test_a_mail_has_the_same_text_as_file_in_an_mbox_and_in_a_maildir(tmp_path):
    chance = random.Random(5)
    mails = [odd_mail(chance) for _ in range(300)]
    for number, raw in enumerate(mails):
        put(tmp_path / f"files/ham/{number:03}.eml", raw)
        put(tmp_path / f"maildir/ham/cur/{number:03}:2,S", raw)
    (tmp_path / "maildir/ham/new").mkdir()
    escaped = (
        "".join(
            f"{'>' * line.lstrip('>').startswith('From ')}{line}" for line in raw.decode("latin-1").splitlines(True)
        )
        for raw in mails
    )
    box = "".join(f"From a@b Thu Aug 22 12:36:23 2002\n{raw}\n\n" for raw in escaped)
    put(tmp_path / "boxes/ham.mbox.gz", gzip.compress(box.encode("latin-1")))
    files, maildir, boxes = (
        [(document.text, document.label) for document in read(tmp_path / name)]
        for name in ("files", "maildir", "boxes")
    )
    assert len(files) == 300
    assert files == maildir == boxes


def test_a_file_is_read_as_its_name_says_and_the_others_as_most_are(tmp_path):
    mail = b"From: a@b.c\nSubject: hello\nReceived: x\n\nwords"
    for name in ("1", "2", "3.txt", "4.eml"):
        put(tmp_path / "c/ham" / name, mail)
    put(tmp_path / "c/ham/5.html", b"<p>rich")
    assert [document.text.count("Received") for document in read(tmp_path / "c")] == [0, 0, 1, 0, 0]
    assert read(tmp_path / "c")[4].text == "rich"
    assert [document.text.count("Received") for document in read(tmp_path / "c", kind="txt")] == [1, 1, 1, 1, 0]


def test_a_document_knows_its_label_and_its_file(tmp_path):
    path = put(tmp_path / "c/spam/deep/1.txt", b"\xef\xbb\xbfwords\n")
    assert read(tmp_path / "c") == [TextEntry("words\n", "spam", str(path), None)]


def test_a_mail_of_a_box_knows_its_line(tmp_path):
    path = put(tmp_path / "spam.mbox", b"From a\nA: b\n\none\n\nFrom a\nA: b\n\ntwo\n")
    assert [document.where for document in read(path)] == [f"{path} line 1", f"{path} line 6"]


def test_an_mbox_in_the_folder_of_a_label_has_that_label(tmp_path):
    put(tmp_path / "c/spam/old.mbox", b"From a\nA: b\n\none\n\nFrom a\nA: b\n\ntwo\n")
    put(tmp_path / "c/ham/1.txt", b"three")
    assert [(document.text, document.label) for document in read(tmp_path / "c")] == [
        ("three", "ham"),
        ("one", "spam"),
        ("two", "spam"),
    ]


def test_compressed_documents_are_read(tmp_path):
    put(tmp_path / "c/spam/1.txt.gz", gzip.compress(b"words"))
    assert read(tmp_path / "c")[0].text == "words"


def test_a_damaged_document_is_an_error_with_its_name(tmp_path):
    put(tmp_path / "c/spam/1.txt.gz", gzip.compress(b"words")[:-3])
    with pytest.raises(FileError, match=r"1\.txt\.gz ends too early"):
        read(tmp_path / "c")


def test_another_encoding_holds_for_texts_and_for_mails_that_name_none(tmp_path):
    put(tmp_path / "c/spam/1.txt", "привет".encode("cp1251"))
    put(tmp_path / "c/spam/2.eml", "Subject: x\n\nпривет".encode("cp1251"))
    assert [document.text for document in read(tmp_path / "c", encoding="cp1251")] == ["привет", "x\nпривет"]


def test_an_unknown_encoding_is_refused_before_anything_is_read(tmp_path):
    put(tmp_path / "c/spam/1.txt", b"words")
    with pytest.raises(SettingError, match="must be a text encoding"):
        read(tmp_path / "c", encoding="utf-9")


# Faults


def fault_of(path: Path):
    (document,) = read(path)
    assert document.fault is not None
    assert document.text == ""
    return document.fault


def test_a_text_in_another_encoding_is_a_fault_with_line_column_and_a_guess(tmp_path):
    fault = fault_of(put(tmp_path / "1.txt", b"one\nr\xc3\xb6t caf\xe9 x\n"))
    assert (fault.line, fault.character, fault.error.code) == (2, 8, "text-encoding")
    assert "byte 0xE9 is not valid in utf-8" in fault.error.message
    assert "encoding='cp1252'" in fault.error.hint


def test_a_text_in_utf_16_without_a_mark_is_a_fault_that_names_it(tmp_path):
    fault = fault_of(put(tmp_path / "1.txt", "plain words".encode("utf-16-le")))
    assert "encoding='utf-16-le'" in fault.error.hint


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "cp1252"])
def test_the_encoding_of_a_text_is_detected(tmp_path, encoding):
    (entry,) = read(put(tmp_path / "1.txt", "Schöne Grüße".encode(encoding)))
    assert (entry.text, entry.fault) == ("Schöne Grüße", None)


def test_zero_bytes_are_a_fault(tmp_path):
    fault = fault_of(put(tmp_path / "1.txt", b"words\0\0\0 and more words"))
    assert (fault.error.code, "zero bytes" in fault.error.message) == ("text-binary", True)


def test_an_image_among_the_texts_is_a_fault_that_says_so(tmp_path):
    put(tmp_path / "c/spam/1", b"\x89PNG\r\n\x1a\n\0\0\0\xff")
    assert "is an image" in read(tmp_path / "c")[0].fault.error.message


def test_a_binary_file_among_mails_is_a_fault_and_a_mail_with_a_zero_byte_is_none(tmp_path):
    put(tmp_path / "c/spam/1.eml", b"From: a@b.c\nSubject: x\n\nwo\0rds")
    put(tmp_path / "c/spam/2.eml", b"\x01\x02\0\0")
    first, second = read(tmp_path / "c")
    assert (first.text, first.fault) == ("x\na@b.c\nwords", None)
    assert second.fault.error.code == "text-binary"


def test_a_link_that_leads_nowhere_is_told(tmp_path):
    put(tmp_path / "c/spam/1.txt", b"words")
    os.symlink(tmp_path / "gone", tmp_path / "c/spam/2.txt")
    with pytest.raises(FileError, match=r"2\.txt cannot be read"):
        read(tmp_path / "c")


# Progress


def test_the_position_goes_up_to_the_size_of_all_files(tmp_path):
    put(tmp_path / "c/spam/1.txt.gz", gzip.compress(b"words"))
    put(tmp_path / "c/spam/2.txt", b"words")
    put(tmp_path / "c/spam/3.mbox", b"From a\nA: b\n\none\n")
    (source,) = find(tmp_path / "c")
    walk = Entries(source)
    assert walk.total == sum(file.stat().st_size for file in (tmp_path / "c/spam").iterdir())
    assert len(list(walk)) == 3
    assert walk.position == walk.total


# Documents that are too long

ZEROS = 50 << 20


def zstd(raw: bytes) -> bytes:
    packed: bytes = pytest.importorskip(
        "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd"
    ).compress(raw)
    return packed


PACKS = {
    "": lambda raw: raw,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lambda raw: lzma.compress(raw, preset=0),
    ".zst": zstd,
}


def peak_of(run) -> int:
    """Bytes that were held at most."""
    tracemalloc.start()
    try:
        run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("packed", PACKS)
@pytest.mark.parametrize("name", ["c/spam/a.txt", "c/spam/a.html", "c/spam/a.eml", "a.txt", "a.eml", "spam.mbox"])
def test_a_document_that_unpacks_to_too_much_is_read_no_further(tmp_path, name, packed):
    content = FROM + bytes(ZEROS) if name == "spam.mbox" else bytes(ZEROS)
    path = put(tmp_path / (name + packed), PACKS[packed](content))
    del content
    sources = str(tmp_path / "c") if "/" in name else f"spam={path}"

    def run() -> None:
        with pytest.raises(InputError, match=r"a document may have 1 MB at most, got more in .*(spam|a)\.") as caught:
            list(lk.read(sources, max_document="1MB"))
        assert caught.value.code == "document-too-long"

    assert peak_of(run) < 12 << 20  # 50 MB are never there at once


@pytest.mark.parametrize("kind", ["txt", "html", "mail"])
def test_a_document_may_have_as_many_bytes_as_the_limit(tmp_path, kind):
    path = put(tmp_path / "a.txt.gz", gzip.compress(b"a" * 100))
    assert read(path, kind=kind, limit=100)[0].text == "a" * 100
    assert read(path, kind=kind, limit=99)[0].fault is not None


def test_documents_that_are_too_long_can_be_skipped(tmp_path):
    put(tmp_path / "c/ham/1.txt", b"short")
    put(tmp_path / "c/ham/2.txt.gz", gzip.compress(b"long " * 1000))
    put(tmp_path / "c/spam/cur/1", b"Subject: long\n\n" + b"long " * 1000)
    put(tmp_path / "c/spam/new/2", b"Subject: short\n\nshort")
    documents = lk.read(tmp_path / "c", max_document="1KB", on_error="skip", rejects=tmp_path / "rejects.csv")
    assert [text for batch in documents for text in batch.texts] == ["short", "short\nshort"]
    assert documents.rejected == 2
    assert (tmp_path / "rejects.csv").read_text().count("document-too-long") == 2


@pytest.mark.parametrize("line", [b"long words\n", b"long words "])
def test_a_mail_of_a_box_that_is_too_long_can_be_skipped(tmp_path, line):
    box = (
        FROM
        + b"Subject: one\n\n\n"
        + FROM
        + b"Subject: long\n\n"
        + line * 200_000
        + b"\n\n"
        + FROM
        + b"Subject: two\n\n"
    )
    path = put(tmp_path / "ham.mbox.gz", gzip.compress(box))
    with pytest.raises(InputError, match=r"64 KB at most, got more in .*ham.mbox.gz line 5\n"):
        list(lk.read(path, max_document="64KB"))
    documents = lk.read(path, max_document="64KB", on_error="skip")
    assert [text for batch in documents for text in batch.texts] == ["one", "two"]


def test_a_compressed_mail_box_in_a_folder_of_a_label_is_unpacked(tmp_path):
    put(tmp_path / "c/ham/a.mbox.gz", gzip.compress(FROM + b"Subject: one\n\nwords\n\n" + FROM + b"Subject: two\n\n"))
    assert [document.text for document in read(tmp_path / "c")] == ["one\nwords", "two"]


def test_mutated_mails_are_read_or_refused_by_an_error_of_ours(tmp_path):
    chance = random.Random(7)
    pieces = [
        b"\n\n",
        b"\n \n",
        b"--cut",
        b"=?utf-8?b?",
        b"\0",
        b"\r",
        b'"',
        b"*0*=",
        FROM,
        b"<!--",
        b"&#",
        b"\xff\xfe",
    ]
    for number in range(300):
        raw = bytearray(odd_mail(chance) * chance.randint(1, 3))
        for _ in range(chance.randint(1, 9)):
            place = chance.randrange(len(raw) + 1)
            raw[place : place + chance.randint(0, 9)] = chance.choice([*pieces, chance.randbytes(3)])
        put(tmp_path / f"c/ham/{number}.eml", bytes(raw))
        put(tmp_path / f"c/spam/{number}.mbox", FROM + bytes(raw))
    documents = lk.read(tmp_path / "c", on_error="skip", max_document=300)
    assert sum(len(batch) for batch in documents) + documents.rejected >= 600
