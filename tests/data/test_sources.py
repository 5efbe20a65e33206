"""From what was typed to what is read: names, patterns, folders, labels, kinds, and what is refused."""

from __future__ import annotations

import gzip
import io
import os
import threading
from pathlib import Path

import pytest

from likelier._base.errors import FileError, InputError, SettingError
from likelier._read.sources import find
from likelier._read.streams import TextBlocks
from permissions import as_nobody, open_folder

MAIL = b"From: Ann <a@b.c>\nSubject: hello\n\nwords\n"
BOX = b"From a@b.c Thu Aug 22 12:36:23 2002\n" + MAIL + b"\n"


@pytest.fixture
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def put(name: str, content: bytes | str = "label,text\nham,words\n") -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def found(*typed: str, **settings) -> list[tuple[str, str, str | None]]:
    return [(source.path, source.kind, source.label) for source in find(list(typed), **settings)]


# Names and patterns


def test_a_pattern_gives_its_files_in_order(here):
    for name in ("b.csv", "a.csv", "sub/c.csv", "x.txt"):
        put(name)
    assert [path for path, *_ in found("*.csv")] == ["a.csv", "b.csv"]
    assert [path for path, *_ in found("**/*.csv")] == ["a.csv", "b.csv", "sub/c.csv"]


def test_a_file_that_is_named_like_a_pattern_is_that_file(here):
    put("a[1].csv")
    assert found("a[1].csv") == [("a[1].csv", "csv", None)]


def test_a_label_can_be_given_to_a_file_and_a_pattern(here):
    put("junk.txt")
    put("more.txt")
    assert found("spam=*.txt") == [("junk.txt", "txt", "spam"), ("more.txt", "txt", "spam")]


def test_a_file_with_an_equals_sign_in_its_name_is_that_file(here):
    put("year=2020/a.csv")
    assert found("year=2020/a.csv") == [("year=2020/a.csv", "csv", None)]
    assert found("year=*/a.csv") == [("year=2020/a.csv", "csv", None)]


def test_the_home_folder_is_found_behind_a_label(here, monkeypatch):
    monkeypatch.setenv("HOME", str(here))
    put("a.txt")
    assert found("spam=~/a.txt") == [(str(here / "a.txt"), "txt", "spam")]


def test_a_missing_file_is_told_with_names_like_it(here):
    put("mails.csv")
    with pytest.raises(FileError, match=r"no file or folder 'mials\.csv'[^?]*did you mean 'mails\.csv'\?"):
        find("mials.csv")
    with pytest.raises(FileError, match=r"did you mean 'mails\.csv'"):
        find("mails")
    with pytest.raises(FileError, match=r"'spam=gone\.csv'"):
        find("spam=gone.csv")
    with pytest.raises(FileError, match="folder 'nowhere' does not exist"):
        find("nowhere/a.csv")


def test_a_pattern_without_files_is_an_error(here):
    with pytest.raises(FileError, match=r"no file matches the pattern '\*\.csv'"):
        find("*.csv")


def test_a_file_that_is_named_twice_is_refused(here):
    put("a.csv")
    with pytest.raises(InputError, match="named twice"):
        find(["a.csv", "*.csv"])
    with pytest.raises(InputError, match="named twice"):
        find(["ham=a.csv", "spam=a.csv"])


@pytest.mark.parametrize("sources", [3, None, [3], "", "a\0b", b"a.csv", [b"a.csv"]])
def test_what_is_no_path_is_refused(sources):
    with pytest.raises(InputError, match="a source is a path"):
        find(sources)


def test_no_source_at_all_is_refused():
    with pytest.raises(InputError, match="nothing to read"):
        find([])


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_file_that_may_not_be_read_is_told():
    with open_folder() as folder:
        (folder / "a.csv").write_bytes(b"label,text\n")
        (folder / "a.csv").chmod(0)
        with as_nobody(), pytest.raises(FileError, match="may not be read") as caught:
            find(str(folder / "a.csv"))
    assert caught.value.code == "file-permission"


def test_an_unknown_kind_is_refused_with_the_closest():
    with pytest.raises(SettingError, match=r"must be one of csv.*\nhint: did you mean 'mbox'"):
        find("a", kind="mbx")


def test_a_name_that_cannot_be_printed_is_shown_in_escapes(here):
    put("a\nb.csv")
    assert find("a\nb.csv")[0].name_shown == "a\\nb.csv"


# Kinds


@pytest.mark.parametrize(
    ("name", "kind"),
    [("a.CSV", "csv"), ("a.tab", "tsv"), ("a.ndjson", "jsonl"), ("a.eml", "mail"), ("a.txt", "txt"), ("a.htm", "html")],
)
def test_the_name_says_the_kind(here, name, kind):
    put(name, "")
    assert find(name)[0].kind == kind


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (BOX, "mbox"),
        (MAIL, "mail"),
        (b'{"text": "a"}\n', "jsonl"),
        (b"label\ttext\nham\ta, b\n", "tsv"),
        (b"label,text\nham,words\n", "csv"),
        (b"From the team, with love.\nSee you soon\n", "txt"),
        (b"Note: this is text\nNo: it is\n", "txt"),
        ("label\ttext\nham\twords\n".encode("utf-16"), "tsv"),
        (b"", "txt"),
    ],
)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_the_content_says_the_kind_where_the_name_does_not(here, content, kind, pack):
    put("data", pack(content))
    (source,) = find("data")
    assert source.kind == kind
    assert source.note == f"data is read as {kind} (guessed by its content)"


def test_parquet_is_told_by_its_first_bytes(here):
    put("data", b"PAR1....")
    assert found("data") == [("data", "parquet", None)]


def test_the_kind_can_be_given(here):
    put("data", b"a,b\n")
    assert found("data", kind="txt") == [("data", "txt", None)]
    assert found("data", kind="eml") == [("data", "mail", None)]


def test_json_lines_under_the_name_of_a_csv_file_are_read_as_what_they_are(here):
    put("a.csv", '{"text": "a", "label": "b"}\n')
    (source,) = find("a.csv")
    assert (source.kind, source.note) == ("jsonl", "a.csv is read as jsonl, which it is in spite of its name")


@pytest.mark.parametrize(
    ("name", "content", "hint"),
    [
        ("a.numbers", b"PK\x03\x04\0", "export it as .xlsx or CSV"),
        ("a.csv", b"PK\x03\x04\0", "the name of a spreadsheet ends with .xlsx"),
        ("a.csv", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0", "the name of a spreadsheet ends with .xlsx"),
        ("a.zip", b"", "unpack"),
        ("a.tar.gz", b"", "unpack"),
        ("a.csv.gz", gzip.compress(bytes(257) + b"ustar", mtime=0), "unpack"),
        ("a.txt", b"%PDF-1.4", "plain text"),
        ("a.docx", b"", "plain text"),
        ("m.likelier", b"", "likelier inspect"),
    ],
)
def test_a_foreign_file_is_refused_with_what_to_do(here, name, content, hint):
    put(name, content)
    with pytest.raises(FileError, match=f"does not read\nhint: .*{hint}"):
        find(name)


def test_a_text_that_begins_like_a_foreign_file_is_a_text(here):
    put("a.txt", "GIF8 and ORC are words here")
    assert find("a.txt")[0].kind == "txt"


def test_a_file_that_is_compressed_twice_is_refused(here):
    put("a.csv.gz", gzip.compress(gzip.compress(b"a,b\n", mtime=0)))
    with pytest.raises(FileError, match="compressed twice"):
        find("a.csv.gz")


def test_what_is_named_parquet_and_is_none_is_refused(here):
    put("a.parquet", "label,text\n")
    with pytest.raises(FileError, match="not a Parquet file"):
        find("a.parquet")


def test_parquet_cannot_be_read_from_a_pipe(monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"PAR1....")))
    with pytest.raises(FileError, match="cannot be read from a pipe"):
        find("-")


def test_what_is_named_mbox_and_is_none_is_refused(here):
    put("a.mbox", "words\n")
    with pytest.raises(FileError, match="not an mbox"):
        find("a.mbox")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_json_array_is_told_from_lines(here, pack):
    put("a.json", pack(b'[{"text": "x"},\n {"text": "y"}]'))
    put("b.json", pack(b'{"text": "x"}\n{"text": "y"}\n'))
    assert [source.kind for source in find(["a.json", "b.json"])] == ["json", "jsonl"]


def test_a_json_object_over_several_lines_is_refused(here):
    put("a.json", '{\n  "text": "x"\n}\n')
    with pytest.raises(FileError, match="over several lines"):
        find("a.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_with_a_name_is_looked_into_and_read_whole(here):
    os.mkfifo("pipe")
    writer = threading.Thread(target=put, args=("pipe", "label,text\n" + "ham,words\n" * 20_000))
    writer.start()
    (source,) = find("pipe", kind="csv")
    assert sum(map(len, TextBlocks(source))) == 11 + 10 * 20_000
    writer.join()


# Folders


def test_sub_folders_are_labels(here):
    for name in ("c/spam/1.txt", "c/ham/deep/2", "c/README", "c/.git/x", "c/empty/.hidden"):
        put(name, "words")
    assert found("c", labeled=True) == [("c/ham", "texts", "ham"), ("c/spam", "texts", "spam")]
    left = "left out: 1 file beside the sub-folders"
    assert find("c", labeled=True)[0].note == f"c: 2 sub-folders are the labels (ham, spam); {left}"
    assert find("c")[0].note == f"c: 2 sub-folders are read; {left}"


def test_files_with_mail_headers_are_mails_in_all_folders_alike(here):
    for name in ("c/spam/0001.bfc8", "c/spam/0002.aa", "c/ham/0001.cc"):
        put(name, MAIL)
    put("c/ham/cmds", "mv 1 2")
    assert [kind for _, kind, _ in found("c")] == ["mails", "mails"]
    assert "read as mails" in str(find("c")[0].note)
    assert [kind for _, kind, _ in found("c", kind="txt")] == ["txt", "txt"]


def test_a_line_of_blanks_among_the_headers_does_not_make_a_mail_a_text(here):
    put("c/spam/1", "To: a@b.c,\n \t\n\tc@d.e\nSubject: Cheap pills\n\nbuy")
    assert [kind for _, kind, _ in found("c")] == ["mails"]


def test_a_folder_with_cur_and_new_is_a_maildir(here):
    put("m/cur/1:2,S", MAIL)
    Path("m/new").mkdir()
    assert found("m") == [("m", "maildir", "m")]
    assert found("spam=m") == [("m", "maildir", "spam")]


def test_maildirs_as_sub_folders_are_labels(here):
    for part in ("b/spam/cur", "b/spam/new", "b/ham/cur", "b/ham/new"):
        put(f"{part}/1", MAIL)
    assert found("b") == [("b/ham", "maildir", "ham"), ("b/spam", "maildir", "spam")]


def test_mail_boxes_in_a_folder_are_labels_by_their_names(here):
    put("b/spam.mbox", BOX)
    put("b/ham.mbox.gz", gzip.compress(BOX))
    put("b/Inbox", BOX + BOX)
    assert found("b") == [
        ("b/Inbox", "mbox", "Inbox"),
        ("b/ham.mbox.gz", "mbox", "ham"),
        ("b/spam.mbox", "mbox", "spam"),
    ]


def test_a_mail_box_has_its_name_as_label(here):
    put("spam.mbox", BOX)
    assert found("spam.mbox") == [("spam.mbox", "mbox", "spam")]
    assert found("junk=spam.mbox") == [("spam.mbox", "mbox", "junk")]


def test_all_tables_of_a_folder_are_read_and_the_rest_is_counted(here):
    for name in ("d/b.csv", "d/a.jsonl", "d/deep/c.csv", "d/README.txt"):
        put(name, '{"a": 1}\n' if name.endswith("jsonl") else "label,text\n")
    assert found("d") == [("d/a.jsonl", "jsonl", None), ("d/b.csv", "csv", None), ("d/deep/c.csv", "csv", None)]
    assert find("d")[0].note == "left out: 1 file in d"


def test_a_label_holds_for_all_of_a_folder(here):
    put("c/one/1.txt", "words")
    put("c/2.txt", "words")
    assert found("spam=c") == [("c", "texts", "spam")]


def test_texts_without_labels_will_do_unless_labels_are_needed(here):
    put("c/1.txt", "words")
    put("one.txt", "words")
    assert found("c", "one.txt") == [("c", "texts", None), ("one.txt", "txt", None)]
    with pytest.raises(InputError, match=r"c have no labels.*\nhint: .*sub-folder"):
        find("c", labeled=True)
    with pytest.raises(InputError, match=r"one\.txt is read as one txt without a label\nhint: .*spam=one\.txt"):
        find("one.txt", labeled=True)


@pytest.mark.parametrize("name", ["c/.hidden", "c/a/.hidden"])
def test_a_folder_with_nothing_to_read_is_refused(here, name):
    put(name)
    with pytest.raises(FileError, match="nothing to read in the folder c"):
        find("c")


def test_what_must_be_a_folder_is_refused_otherwise(here):
    put("a.csv")
    put("c/1.txt", "words")
    with pytest.raises(FileError, match="must be a folder"):
        find("a.csv", kind="maildir")
    with pytest.raises(FileError, match="no sub-folders cur and new"):
        find("c", kind="maildir")


def test_a_decomposed_folder_name_is_the_composed_label(here):
    put("c/Mu\u0308ll/1.txt", "words")
    assert found("c")[0][2] == "Müll"
