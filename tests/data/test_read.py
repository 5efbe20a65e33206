"""Documents from tables of every kind: the same counts, the columns found, every broken row told with its place."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import weakref
from pathlib import Path

import numpy as np
import pytest

import likelier as lk

ROWS = [
    ("ham", "надо купить молоко"),
    ("spam", "спешите купить виагру"),
    ("ham", 'she said "no, thanks"\nand left'),
    ("ham", ""),
    ("spam", "win; win, win\twin"),
]
PAIRS = [(text, label) for label, text in ROWS]


def as_csv(rows=ROWS, names=("label", "text"), **dialect) -> str:
    out = io.StringIO()
    writer = csv.writer(out, **dialect)
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue()


def as_jsonl(rows=ROWS) -> str:
    return "".join(json.dumps({"id": n, "label": label, "text": text}) + "\n" for n, (label, text) in enumerate(rows))


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def as_parquet(path: Path) -> Path:
    pyarrow = pytest.importorskip("pyarrow", reason="writes the Parquet file")
    table = pyarrow.table({"label": [label for label, _ in ROWS], "text": [text for _, text in ROWS]})
    pytest.importorskip("pyarrow.parquet").write_table(table, path)
    return path


def zstd(content: str) -> bytes:
    module = pytest.importorskip("compression.zstd" if __import__("sys").version_info >= (3, 14) else "backports.zstd")
    return module.compress(content.encode())


MAKE = {
    "csv": lambda d: write(d / "a.csv", as_csv()),
    "csv with semicolons": lambda d: write(d / "a.csv", as_csv(delimiter=";")),
    "csv, everything quoted, LF": lambda d: write(d / "a.csv", as_csv(quoting=csv.QUOTE_ALL, lineterminator="\n")),
    "csv with a byte order mark": lambda d: write(d / "a.csv", "\ufeff" + as_csv()),
    "csv.gz": lambda d: write(d / "a.csv.gz", gzip.compress(as_csv().encode())),
    "csv.zst": lambda d: write(d / "a.csv.zst", zstd(as_csv())),
    "tsv with quotes": lambda d: write(d / "a.tsv", as_csv(delimiter="\t", quoting=csv.QUOTE_ALL)),
    "jsonl": lambda d: write(d / "a.jsonl", as_jsonl()),
    "jsonl.gz": lambda d: write(d / "a.jsonl.gz", gzip.compress(as_jsonl().encode())),
    "parquet": lambda d: as_parquet(d / "a.parquet"),
}


@pytest.mark.parametrize("kind", MAKE)
def test_every_kind_of_file_gives_the_same_counts(kind, tmp_path):
    model = lk.train(MAKE[kind](tmp_path))
    assert model == lk.train(PAIRS)
    assert model.ledger.sorted()[0].tolist() == lk.train(PAIRS).ledger.sorted()[0].tolist()


def test_several_files_are_one_training_set(tmp_path):
    half = len(ROWS) // 2
    write(tmp_path / "1.csv", as_csv(ROWS[:half]))
    write(tmp_path / "2.jsonl", as_jsonl(ROWS[half:]))
    assert lk.train(lk.read([tmp_path / "1.csv", tmp_path / "2.jsonl"])) == lk.train(PAIRS)
    assert lk.train(str(tmp_path / "[12].*")) == lk.train(PAIRS)


def test_another_encoding_is_read_when_it_is_named(tmp_path):
    path = write(tmp_path / "a.csv", as_csv(ROWS[:2]).encode("koi8-r"))
    assert lk.train(lk.read(path, encoding="koi8-r")) == lk.train(PAIRS[:2])


def test_the_hint_guesses_the_encoding(tmp_path):
    path = write(tmp_path / "a.csv", as_csv(ROWS[:2] * 20).encode("koi8-r"))
    with pytest.raises(lk.InputError, match=r"byte 0x.. in .*a\.csv line 2 column 5\n.*perhaps encoding='koi8-r'"):
        lk.train(path)


def test_a_file_without_header_numbers_its_columns(tmp_path):
    path = write(tmp_path / "a.tsv", "ham\tgo until point\nspam\tfree entry now\nham\tok lar then\n")
    model = lk.train(lk.read(path, header=False))
    assert model.counts.documents_per_label == {"ham": 2, "spam": 1}


def test_a_quote_in_a_tsv_is_an_ordinary_character(tmp_path):
    path = write(tmp_path / "a.tsv", 'label\ttext\nham\t"Hello\nham\tshe said "\n')
    assert lk.train(path).counts.documents_per_label == {"ham": 2}


def test_blocks_of_any_size_give_the_same_rows(tmp_path, monkeypatch):
    path = write(tmp_path / "a.csv", as_csv(ROWS * 40))
    monkeypatch.setattr("likelier._read.streams.BLOCK_BYTES", 7)
    assert lk.train(path) == lk.train(PAIRS * 40)


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl"])
@pytest.mark.parametrize(("most", "batches"), [(1 << 20, 1), (1000, 2)])
def test_rows_of_many_blocks_are_one_batch_until_it_is_large_enough(tmp_path, monkeypatch, name, most, batches):
    rows = [f'{{"label": "ham", "text": "go until point {number:04}"}}' for number in range(25)]
    written = "\n".join(rows) if name == "a.jsonl" else as_csv([("ham", "go until point " + "x" * 30)] * 25)
    path = write(tmp_path / name, written)
    monkeypatch.setattr("likelier._read.streams.BLOCK_BYTES", 100)
    monkeypatch.setattr("likelier._read.origins.BATCH_BYTES", most)
    sizes = [len(batch) for batch in lk.read(path)]
    assert (len(sizes), sum(sizes)) == (batches, 25)


def test_some_rows_of_a_batch_do_not_hold_the_others(tmp_path):
    (batch,) = lk.read(write(tmp_path / "a.csv", as_csv(ROWS * 40)))
    some, gone = batch.keep(np.array([3])), weakref.ref(batch)
    del batch
    assert gone() is None
    assert some.where(0).endswith("a.csv line 6")


# ---- which column ------------------------------------------------------------------------------------------------


def notes_of(path, **options):
    documents = lk.read(path, **options)
    lk.train(documents)
    return documents.notes


def test_columns_are_guessed_by_their_names_and_said(tmp_path):
    path = write(tmp_path / "a.csv", as_csv(names=("Category", "Message")))
    assert notes_of(path) == ["text column: 'Message' (guessed)", "label column: 'Category' (guessed)"]


def test_columns_are_guessed_by_what_they_hold(tmp_path):
    rows = [(n, "ham" if n % 3 else "spam", f"these are the words of number {n}", "") for n in range(30)]
    path = write(tmp_path / "a.csv", as_csv(rows, names=("id", "v1", "v2", "")))
    assert notes_of(path) == ["text column: 'v2' (guessed)", "label column: 'v1' (guessed)"]


def test_named_columns_are_not_guessed(tmp_path):
    assert notes_of(write(tmp_path / "a.csv", as_csv()), text="text", label="label") == []


@pytest.mark.parametrize(
    ("code", "content", "options", "match"),
    [
        ("column-unknown", as_csv(), {"text": "txt"}, r"'label', 'text', got 'txt'\nhint: did you mean 'text'"),
        (
            "column-unclear",
            as_csv([(n, f"a b c {n}", f"d e f {n}") for n in range(9)], names="abc"),
            {},
            "which column",
        ),
        ("columns-same", as_csv(), {"text": "label", "label": "label"}, "two columns"),
        ("column-twice", as_csv(names=("text", "text")), {}, "'text' twice"),
        (
            "header-missing",
            "ham,hello you there\nspam,buy this now\nham,see you then\nham,so it is\n",
            {},
            "looks like a row",
        ),
        ("file-empty", "", {}, "nothing to read in .*a.csv"),
        ("delimiter-kind", as_csv(), {"delimiter": "||"}, "one ASCII character"),
        ("quote-kind", as_csv(), {"quote": "''"}, "one ASCII character"),
        ("on-error-unknown", as_csv(), {"on_error": "ignore"}, "'stop' or 'skip'"),
    ],
)
def test_what_cannot_be_guessed_is_asked_for(code, content, options, match, tmp_path):
    with pytest.raises(lk.LikelierError, match=match) as caught:
        lk.train(lk.read(write(tmp_path / "a.csv", content), **options))
    assert caught.value.code == code


# ---- broken rows -------------------------------------------------------------------------------------------------

GOOD = "label,text\nham,one two\n"
BROKEN = {
    "row-fields": ("csv", GOOD + "spam,three,four\nham,five\n", 3, 12),
    "row-quote-unclosed": ("csv", GOOD + 'spam,"three\nham,five\n', 3, 6),
    "row-quote-text": ("csv", GOOD + 'spam,"three" x\nham,five\n', 3, 13),
    "row-encoding": ("csv", GOOD.encode() + b"spam,caf\x81\nham,five\n", 3, 9),
    "row-label-missing": ("csv", GOOD + " ,three\nham,five\n", 3, 0),
    "row-json": (
        "jsonl",
        '{"label":"ham","text":"one two"}\n\n{"label":"spam","te\n{"label":"ham","text":"five"}\n',
        3,
        19,
    ),
    "row-json-object": ("jsonl", '{"label":"ham","text":"one two"}\n\n[1]\n{"label":"ham","text":"five"}\n', 3, 1),
    "row-json-nested": (
        "jsonl",
        '{"label":"ham","text":"one two"}\n\n{"label":"spam","text":["a"]}\n{"label":"ham","text":"five"}\n',
        3,
        None,
    ),
    "row-text-missing": (
        "jsonl",
        '{"label":"ham","text":"one two"}\n\n{"label":"spam","text":null}\n{"label":"ham","text":"five"}\n',
        3,
        0,
    ),
}


@pytest.mark.parametrize("code", BROKEN)
def test_a_broken_row_stops_with_file_line_and_column(code, tmp_path):
    ending, content, line, column = BROKEN[code]
    path = write(tmp_path / f"a.{ending}", content)
    with pytest.raises(
        lk.InputError, match=rf"a\.{ending} line {line}" + (f" column {column}" if column else "")
    ) as caught:
        lk.train(path)
    assert caught.value.code == code


@pytest.mark.parametrize("code", BROKEN)
def test_skipping_keeps_the_good_rows_and_writes_down_the_others(code, tmp_path):
    ending, content, line, column = BROKEN[code]
    path, rejects = write(tmp_path / f"a.{ending}", content), tmp_path / "rejects.csv"
    documents = lk.read(path, on_error="skip", rejects=rejects)
    assert lk.train(documents) == lk.train([("one two", "ham"), ("five", "ham")])
    assert documents.rejected == 1
    with rejects.open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    assert (row["file"], row["line"], row["code"]) == (str(path), str(line), code)
    if column is not None:
        assert row["column"] == str(column)
    assert sorted(each.name for each in tmp_path.iterdir()) == [path.name, "rejects.csv"]


def test_an_unclosed_quote_does_not_swallow_the_rest_of_the_file(tmp_path):
    path = write(tmp_path / "a.csv", 'label,text\nham,"one\n' + "spam,two\n" * 1000)
    documents = lk.read(path, on_error="skip")
    assert lk.train(documents).counts.documents_per_label == {"spam": 1000}
    assert documents.rejected == 1


def test_without_broken_rows_there_is_no_file_of_rejects(tmp_path):
    lk.train(lk.read(write(tmp_path / "a.csv", as_csv()), on_error="skip", rejects=tmp_path / "rejects.csv"))
    assert [each.name for each in tmp_path.iterdir()] == ["a.csv"]


def test_rejects_are_not_written_through_a_link_that_waits_for_them(tmp_path):
    path, foreign = write(tmp_path / "a.csv", BROKEN["row-fields"][1]), write(tmp_path / "foreign", "precious")
    (tmp_path / f".rejects.csv.{os.getpid()}.tmp").symlink_to(foreign)
    lk.train(lk.read(path, on_error="skip", rejects=tmp_path / "rejects.csv"))
    assert foreign.read_text() == "precious"


def test_rejects_that_cannot_be_written_are_an_error(tmp_path):
    path = write(tmp_path / "a.csv", BROKEN["row-fields"][1])
    with pytest.raises(lk.FileError, match=r"cannot be written to .*nowhere.*No such file") as caught:
        lk.train(lk.read(path, on_error="skip", rejects=tmp_path / "nowhere" / "r.csv"))
    assert caught.value.code == "rejects-not-written"


def test_a_row_may_have_64_megabytes_at_most(tmp_path):
    path = write(tmp_path / "a.jsonl", '{"label":"x","text":"' + "a" * (65 << 20) + '"}\n{"label":"x","text":"b"}\n')
    with pytest.raises(lk.InputError, match=r"a row may have 64 MB at most, got more in .*a.jsonl line 1") as caught:
        lk.train(path)
    assert caught.value.code == "row-too-long"


LONG_ROWS = {
    "a.csv": "label,text\nham,short\nspam," + "a" * 2000 + "\nham,short\n",
    "a.tsv": "label\ttext\nham\tshort\nspam\t" + "a" * 2000 + "\nham\tshort\n",
    "a.jsonl": '{"label":"x","text":"b"}\n{"label":"x","text":"' + "a" * 2000 + '"}\n{"label":"x","text":"b"}\n',
}


@pytest.mark.parametrize("name", LONG_ROWS)
def test_how_long_a_row_may_be_can_be_said(tmp_path, name):
    path = write(tmp_path / name, LONG_ROWS[name])
    with pytest.raises(lk.InputError, match=r"a row may have 1 KB at most, got more in .*a\.\w+ line [23]\n"):
        list(lk.read(path, max_document="1KB"))
    documents = lk.read(path, max_document="1KB", on_error="skip")
    assert ([len(batch) for batch in documents], documents.rejected) in (([2], 1), ([1, 1], 1), ([1, 0, 1], 1))
    assert sum(len(batch) for batch in lk.read(path, max_document=2500)) == 3


def test_a_quote_that_is_open_beyond_the_limit_says_so(tmp_path):
    path = write(tmp_path / "a.csv", 'label,text\nham,"' + "a\n" * 2000)
    with pytest.raises(
        lk.InputError, match=r"column 5 is not within 1 KB, the most that a row may have\nhint: allow more"
    ):
        list(lk.read(path, max_document="1 KB"))


@pytest.mark.parametrize("size", [0, -1, True, 1.5, "", "0", "MB", "64TB", "3GB", "1e6", None, 3 << 30])
def test_a_limit_must_be_a_size(tmp_path, size):
    path = write(tmp_path / "a.csv", "label,text\nham,short\n")
    with pytest.raises(lk.SettingError, match=r"`max_document` must be a size from 1 byte to 2 GB, got") as caught:
        lk.read(path, max_document=size)
    assert caught.value.code == "max-document-range"


def test_a_damaged_parquet_file_is_told(tmp_path):
    path = as_parquet(tmp_path / "a.parquet")
    content = path.read_bytes()
    path.write_bytes(content[:100] + b"\0" * 50 + content[150:])
    with pytest.raises(lk.FileError, match=r"a\.parquet cannot be read as Parquet") as caught:
        lk.train(path)
    assert caught.value.code == "parquet-unreadable"


# ---- rows for results --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", "jsonl", "parquet"])
def test_all_columns_are_kept_when_they_are_asked_for(kind, tmp_path):
    documents = lk.read(MAKE[kind](tmp_path), labeled=False, all_columns=True)
    (batch,) = [batch for batch in documents if len(batch)]
    assert [(row["label"], row["text"]) for row in batch.rows()] == ROWS
    assert batch.where(2).endswith(("line 4", "line 3", "row 3"))


def test_the_progress_is_told_in_bytes_and_rows(tmp_path):
    path = MAKE["jsonl.gz"](tmp_path)
    documents = lk.read(path)
    assert documents.total_bytes == path.stat().st_size
    lk.train(documents)
    assert (documents.read_bytes, documents.rows) == (path.stat().st_size, len(ROWS))


def test_stop_words_by_frequency_read_the_file_twice(tmp_path):
    path = MAKE["csv"](tmp_path)
    analyzer = lk.Analyzer(stop_words=2)
    assert lk.train(path, analyzer=analyzer) == lk.train(PAIRS, analyzer=analyzer)


def test_the_first_document_that_was_not_learned_is_named(tmp_path):
    model = lk.train(PAIRS)
    path = write(tmp_path / "a.csv", as_csv([*ROWS[:2], ("ham", "never seen")]))
    with pytest.raises(lk.LearningError, match=r"a\.csv line 4 was not") as caught:
        model.forget_many(path)
    assert caught.value.code == "document-not-learnt"
    assert model == lk.train(PAIRS)


def test_learning_says_how_many_were_there_already(tmp_path):
    model = lk.train(PAIRS[:2])
    assert model.learn_many(MAKE["csv"](tmp_path)) == 2
    model.forget_many(MAKE["jsonl"](tmp_path))
    assert model == lk.train(PAIRS[:2])
    assert [event["what"] for event in model.provenance] == ["train", "learn", "forget"]


# ---- what was found by breaking the rules ------------------------------------------------------------------------


def test_two_columns_with_usual_names_are_both_taken(tmp_path):
    rows = [(f"some words of text {n}", f"other words as long {n}", "ham" if n % 2 else "spam") for n in range(20)]
    path = write(tmp_path / "a.csv", as_csv(rows, names=("text", "message", "label")))
    documents = lk.read(path)
    (batch,) = documents
    assert list(batch.columns) == ["text", "message"]
    assert documents.notes == ["columns (guessed): text, message text", "label column: 'label' (guessed)"]
    with pytest.raises(lk.InputError, match="'text', 'message' could be the text"):
        list(lk.read(path, labeled=False))


def test_a_text_at_the_head_of_a_column_is_no_name(tmp_path):
    rows = [(f"words and more words {n}", "ham" if n % 2 else "spam") for n in range(20)]
    path = write(
        tmp_path / "a.csv", as_csv(rows, names=("a first line that is a document and much longer than names are", "x"))
    )
    with pytest.raises(lk.InputError, match="looks like a row"):
        lk.train(path)


def test_a_number_with_a_point_is_no_name(tmp_path):
    path = write(tmp_path / "a.csv", "5.1,3.5,setosa\n4.9,3.0,setosa\n4.9,3.5,other\n5.1,3.0,other\n")
    with pytest.raises(lk.InputError, match=r"looks like a row: '5.1'\nhint: header=False"):
        lk.train(path)


def test_rows_that_were_skipped_are_counted_once_when_a_file_is_read_twice(tmp_path):
    path, rejects = write(tmp_path / "a.csv", BROKEN["row-fields"][1]), tmp_path / "rejects.csv"
    documents = lk.read(path, on_error="skip", rejects=rejects)
    lk.train(documents, analyzer=lk.Analyzer(stop_words=1))
    assert documents.rejected == 1
    assert len(rejects.read_text().splitlines()) == 2


def test_the_columns_of_the_first_file_hold_for_the_others(tmp_path):
    rows = [("ham" if n % 3 else "spam", f"these are the words of number {n}") for n in range(30)]
    first = write(tmp_path / "1.csv", as_csv(rows, names=("v1", "v2")))
    second = write(tmp_path / "2.csv", as_csv([("one", "ham", "x")], names=("v2", "v1", "v3")))
    assert lk.train(lk.read([first, second])).counts.documents_per_label == {"ham": 21, "spam": 10}
    third = write(tmp_path / "3.csv", as_csv([("one", "ham")], names=("a", "b")))
    with pytest.raises(lk.InputError, match=r"3\.csv has the columns 'a', 'b', got 'v2'"):
        lk.train(lk.read([first, third]))


def test_a_label_before_the_name_of_a_table_holds_for_all_its_rows(tmp_path):
    path = write(tmp_path / "a.csv", as_csv(names=("folder", "text")))
    assert lk.train(f"junk={path}").counts.documents_per_label == {"junk": len(ROWS)}


def test_folders_are_read_in_batches(tmp_path, monkeypatch):
    for n in range(20):
        (tmp_path / "c" / "ham").mkdir(parents=True, exist_ok=True)
        write(tmp_path / "c" / "ham" / f"{n:02}.txt", "a word or two")
    monkeypatch.setattr("likelier._read.origins.BATCH_BYTES", 50)
    batches = list(lk.read(tmp_path / "c"))
    assert len(batches) == 5 + 1  # the last may be empty
    assert sum(map(len, batches)) == 20
    assert batches[1].where(0).endswith("04.txt")


def test_parquet_is_read_in_batches_and_its_rows_are_numbered_through(tmp_path, monkeypatch):
    pyarrow = pytest.importorskip("pyarrow")
    texts = [b"caf\xc3\xa9 au lait"] * 25  # bytes that are not marked as text
    labels = ["x"] * 19 + [None] + ["y"] * 5
    pytest.importorskip("pyarrow.parquet").write_table(
        pyarrow.table({"text": texts, "label": labels}), tmp_path / "a.parquet"
    )
    monkeypatch.setattr("likelier._read.parquet.ROWS", 7)
    with pytest.raises(lk.InputError, match=r"a\.parquet row 20\n"):
        lk.train(tmp_path / "a.parquet")
    model = lk.train(lk.read(tmp_path / "a.parquet", on_error="skip"))
    assert model == lk.train([("café au lait", label) for label in labels if label])
