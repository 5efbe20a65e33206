"""Data frames and Arrow columns of every library are read like lists."""

from __future__ import annotations

import sys

import pytest

import likelier as lk

TEXTS = ["надо купить молоко", "спешите купить виагру", "", "win win"]
LABELS = ["ham", "spam", "ham", "spam"]
PAIRS = list(zip(TEXTS, LABELS, strict=True))
COLUMNS = {"message": TEXTS, "folder": LABELS, "size": [1.5, 2.5, 3.5, 4.5]}


def pandas_frame(columns=COLUMNS):
    return pytest.importorskip("pandas").DataFrame(columns)


def polars_frame(columns=COLUMNS):
    return pytest.importorskip("polars").DataFrame(columns)


def pyarrow_table(columns=COLUMNS):
    return pytest.importorskip("pyarrow").table(columns)


def duckdb_relation(columns=COLUMNS):
    duckdb = pytest.importorskip("duckdb")
    frame = pyarrow_table(columns)
    return duckdb.connect().from_arrow(frame)


FRAMES = [pandas_frame, polars_frame, pyarrow_table, duckdb_relation]


@pytest.mark.parametrize("frame", FRAMES)
def test_a_frame_is_trained_on_by_the_names_of_its_columns(frame):
    assert lk.train(frame(), text="message", label="folder") == lk.train(PAIRS)


@pytest.mark.parametrize("frame", FRAMES)
def test_the_columns_of_a_frame_are_guessed_too(frame):
    documents = lk.read(frame({name: COLUMNS[name] for name in ("message", "folder")}))
    assert lk.train(documents) == lk.train(PAIRS)
    assert documents.notes == ["text column: 'message' (guessed)", "label column: 'folder' (guessed)"]


@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, pyarrow_table])
def test_columns_of_a_frame_are_texts_and_labels(frame):
    table = frame()
    assert lk.train(texts=table["message"], labels=table["folder"]) == lk.train(PAIRS)
    verdicts = lk.train(PAIRS).classify_many(table["message"])
    assert verdicts.labels == lk.train(PAIRS).classify_many(TEXTS).labels


@pytest.mark.parametrize("frame", FRAMES)
def test_labels_of_a_frame_may_be_numbers_or_truth_values(frame):
    for labels in ([3, 7, 3, 7], [True, False, True, False]):
        model = lk.train(frame({"text": TEXTS, "label": labels}))
        assert model.labels == tuple(sorted(set(labels)))
        assert type(model.labels[0]) is type(labels[0])


@pytest.mark.parametrize("frame", FRAMES)
@pytest.mark.parametrize(("column", "code"), [("text", "row-text-missing"), ("label", "row-label-missing")])
def test_missing_values_are_named_by_row(frame, column, code):
    columns = {"text": list(TEXTS), "label": list(LABELS)}
    columns[column][2] = None
    with pytest.raises(lk.InputError, match=r"row 2\b") as caught:
        lk.train(frame(columns))
    assert caught.value.code == code
    documents = lk.read(frame(columns), on_error="skip")
    assert lk.train(documents) == lk.train([pair for row, pair in enumerate(PAIRS) if row != 2])
    assert documents.rejected == 1


@pytest.mark.parametrize("frame", FRAMES)
def test_numbers_are_no_texts(frame):
    with pytest.raises(lk.InputError, match=r"column 'size' of .* holds (float|double)") as caught:
        lk.train(frame(), text="size", label="folder")
    assert caught.value.code == "column-values"


def test_weights_go_with_the_rows_of_a_frame():
    weighted = lk.train(polars_frame(), text="message", label="folder", weights=[2, 1, 0.5, 1])
    assert weighted == lk.train(PAIRS, weights=[2, 1, 0.5, 1])
    with pytest.raises(lk.InputError, match="4 texts, 1 weights"):
        lk.train(polars_frame(), text="message", label="folder", weights=[2])


def test_pandas_without_pyarrow_is_read_column_by_column(monkeypatch):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({name: pandas.Series(values, dtype=object) for name, values in COLUMNS.items()})

    def unavailable(*_):
        raise ImportError("no pyarrow")

    monkeypatch.setattr(pandas.DataFrame, "__arrow_c_stream__", unavailable)
    monkeypatch.setattr(pandas.Series, "__arrow_c_stream__", unavailable, raising=False)
    assert lk.train(frame, text="message", label="folder") == lk.train(PAIRS)
    assert lk.train(texts=frame["message"], labels=frame["folder"]) == lk.train(PAIRS)
    frame.loc[1, "folder"] = None
    with pytest.raises(lk.InputError, match="row 1"):
        lk.train(frame, text="message", label="folder")


def test_a_reader_is_read_once():
    documents = lk.read(pyarrow_table().to_reader(), text="message", label="folder")
    assert lk.train(documents) == lk.train(PAIRS)
    with pytest.raises(lk.InputError, match="can be read only once") as caught:
        lk.train(documents)
    assert caught.value.code == "read-once"


def test_names_of_columns_are_for_files_and_frames():
    with pytest.raises(lk.InputError, match="`text` names a column of a file or a data frame, got list") as caught:
        lk.train(PAIRS, text="message")
    assert caught.value.code == "columns-without-names"


def test_importing_likelier_imports_no_data_frame_library():
    import subprocess

    heavy = ["pandas", "polars", "pyarrow", "duckdb", "click", "email", "zstd"]
    code = f"import sys, likelier; print([name for name in {heavy!r} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def chunked(columns, size=2):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(columns)
    return pyarrow.concat_tables([table.slice(start, size) for start in range(0, len(table), size)])


def test_the_rows_of_a_frame_in_pieces_are_numbered_through():
    columns = {"text": [*TEXTS[:3], None], "label": LABELS}
    with pytest.raises(lk.InputError, match="row 3"):
        lk.train(chunked(columns))
    documents = lk.read(chunked(columns), on_error="skip")
    assert [batch.where(len(batch) - 1) for batch in documents] == ["the Table row 1", "the Table row 2"]


def test_weights_of_a_frame_in_pieces_may_be_whole_in_one_and_not_in_another():
    for weights in ([1, 2, 0.5, 0.25], [0.5, 0.25, 1, 2]):
        frame = chunked({"text": TEXTS, "label": LABELS})
        assert lk.train(frame, weights=weights) == lk.train(PAIRS, weights=weights)
