"""The same documents from everywhere: mappings, pairs, data frames, Arrow, files."""

from __future__ import annotations

import json

import numpy as np
import pytest

import likelier as lk
from likelier._documents.kinds import Categorical, Numeric, Text
from likelier._documents.labels import distinct_labels
from likelier._documents.schema import Schema, plain
from likelier._read.intake import asked, labeled
from likelier._read.reader import read

ROWS = [
    {"note": "likes tea with milk", "color": "red", "happy": True, "size": 1.5, "count": 3, "label": "x"},
    {"note": "has two big dogs", "color": None, "happy": False, "size": None, "count": 1, "label": "y"},
    {"note": "", "color": "blue", "happy": None, "size": -2.0, "count": None, "label": "x"},
    {"note": "sings in the bath", "color": "red", "happy": True, "size": 1e-3, "count": 4, "label": "y"},
]
NAMES = list(ROWS[0])
COLUMNS = {name: [row[name] for row in ROWS] for name in NAMES}


def pandas_frame(columns=COLUMNS):
    return pytest.importorskip("pandas").DataFrame(columns)


def pandas_nullable(columns=COLUMNS):
    return pandas_frame(columns).convert_dtypes()


def pandas_objects(columns=COLUMNS):
    pandas = pytest.importorskip("pandas")
    return pandas.DataFrame({name: pandas.Series(values, dtype=object) for name, values in columns.items()})


def polars_frame(columns=COLUMNS):
    return pytest.importorskip("polars").DataFrame(columns)


def pyarrow_table(columns=COLUMNS):
    return pytest.importorskip("pyarrow").table(columns)


def pyarrow_pieces(columns=COLUMNS):
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow_table(columns)
    return pyarrow.concat_tables([table.slice(0, 1), table.slice(1, 0), table.slice(1)])


def duckdb_relation(columns=COLUMNS):
    return pytest.importorskip("duckdb").connect().from_arrow(pyarrow_table(columns))


FRAMES = [
    pandas_frame, pandas_nullable, pandas_objects, polars_frame, pyarrow_table, pyarrow_pieces, duckdb_relation,
]  # fmt: skip


def csv_file(folder):
    spelled = [["" if value is None else str(value) for value in row.values()] for row in ROWS]
    (folder / "a.csv").write_text("\n".join(map(",".join, [NAMES, *spelled])))
    return folder / "a.csv"


def jsonl_file(folder):
    (folder / "a.jsonl").write_text("\n".join(map(json.dumps, ROWS)))
    return folder / "a.jsonl"


def parquet_file(folder):
    pytest.importorskip("pyarrow.parquet").write_table(pyarrow_table(), folder / "a.parquet")
    return folder / "a.parquet"


def plain_values(batch):
    """The prepared columns as Python has them, None for what is missing."""
    found = {}
    for name, column in batch.columns.items():
        if hasattr(column, "numbers"):
            found[name] = [None if np.isnan(number) else number for number in column.numbers.tolist()]
        elif hasattr(column, "which"):
            found[name] = [None if place < 0 else column.values[place] for place in column.which]
        else:
            texts = column.texts if isinstance(column.texts, list) else column.texts.to_list()
            found[name] = [None if row in column.missing else text for row, text in enumerate(texts)]
    return found


def together(batches):
    parts = [plain_values(batch) for batch in batches]
    return {name: [value for part in parts for value in part[name]] for name in parts[0]}


def labels_of(batches):
    listed = [distinct_labels(batch.labels) for batch in batches]
    return [values[place] for values, which in listed for place in which]


EXPECTED = {
    "note": COLUMNS["note"],
    "color": COLUMNS["color"],
    "happy": ["yes", "no", None, "yes"],
    "size": [1.5, None, -2.0, 0.001],
    "count": [3.0, 1.0, None, 4.0],
}
KINDS = ["text", "categorical", "binary", "numeric", "numeric"]


def check(batches):
    batches = [batch for batch in batches if len(batch)]
    assert together(batches) == EXPECTED
    assert [kind.name for kind in batches[0].schema.columns.values()] == KINDS
    assert labels_of(batches) == COLUMNS["label"]


# ---- the same from everywhere ------------------------------------------------------------------------------------


def test_mappings_that_hold_their_labels():
    check(labeled(ROWS))


def test_pairs_of_mapping_and_label():
    rows = [({name: row[name] for name in NAMES[:-1]}, row["label"]) for row in ROWS]
    check(labeled(rows))


@pytest.mark.parametrize("frame", FRAMES)
def test_data_frames(frame):
    check(labeled(frame()))


@pytest.mark.parametrize("frame", FRAMES)
def test_data_frames_with_labels_apart(frame):
    check(labeled(frame({name: COLUMNS[name] for name in NAMES[:-1]}), labels=COLUMNS["label"]))


def test_mappings_with_labels_apart():
    rows = [{name: row[name] for name in NAMES[:-1]} for row in ROWS]
    check(labeled(rows, labels=np.array(COLUMNS["label"])))


@pytest.mark.parametrize("file", [csv_file, jsonl_file, parquet_file])
def test_files(file, tmp_path):
    check(read(file(tmp_path)))


def test_a_pandas_frame_of_which_rows_were_taken_has_no_column_for_its_index():
    frame = pandas_frame().set_index(np.array([7, 3, 5, 4]))
    check(labeled(frame))


def test_a_key_that_a_row_does_not_have_is_missing():
    (batch,) = labeled([{"a": 1, "label": "x"}, {"b": "u", "label": "y"}])
    assert plain_values(batch) == {"a": [1.0, None], "b": [None, "u"]}


def test_mappings_stay_rows_though_they_have_only_text():
    (batch,) = labeled([{"text": "a b c", "label": "x"}, {"text": "c d e", "label": "y"}])
    assert batch.schema.in_words() == "text text"
    assert plain_values(batch) == {"text": ["a b c", "c d e"]}


def test_columns_of_mappings_can_be_named():
    (batch,) = labeled(ROWS, label="label", numeric=["count"], text=["note"])
    assert list(batch.columns) == ["note", "count"]
    assert batch.notes == ("left out: 'color', 'happy', 'size'",)


def test_weights_go_with_rows_and_frames():
    for documents in (ROWS, pyarrow_pieces()):
        batches = labeled(documents, weights=[1, 2, 3, 4])
        assert [weight for batch in batches for weight in batch.weights] == [1, 2, 3, 4]
        with pytest.raises(lk.InputError, match=r"4 .*1 weights"):
            labeled(documents, weights=[1])


def test_the_first_batch_of_a_frame_with_labels_apart_has_the_notes():
    (batch,) = labeled(pyarrow_table({"a": [1, 2], "b": ["u", "v"]}), labels=[0, 1])
    assert batch.notes == ("columns (guessed): b categorical; a numeric",)


def test_one_document_of_a_batch_is_a_batch():
    (batch,) = labeled(ROWS, weights=[1, 2, 3, 4])
    for row in range(4):
        one = batch.one(row)
        assert (plain_values(one), len(one)) == ({name: [values[row]] for name, values in EXPECTED.items()}, 1)
        assert (one.labels, one.weights, one.where(0)) == ([ROWS[row]["label"]], [row + 1], f"document {row}")


# ---- labels ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("labels", [["a", "b"], [1, 0], [True, False], [np.int64(3), np.int64(4)]])
def test_labels_of_mappings_are_text_whole_numbers_or_truth_values(labels):
    (batch,) = labeled([{"a": 1, "label": labels[0]}, {"a": 2, "label": labels[1]}])
    assert batch.labels == labels
    assert type(batch.labels[0]) in (str, int, bool)


@pytest.mark.parametrize(
    ("label", "code"), [(None, "label-missing"), (float("nan"), "label-missing"), (0.5, "label-kind")]
)
def test_labels_of_mappings_that_cannot_be_used_are_told(label, code):
    with pytest.raises(lk.InputError, match="for document 1") as caught:
        labeled([{"a": 1, "label": "x"}, {"a": 2, "label": label}])
    assert caught.value.code == code


def test_the_missing_value_of_pandas_is_no_label():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(lk.InputError, match="every document needs a label") as caught:
        labeled([{"a": 1, "label": pandas.NA}])
    assert caught.value.code == "label-missing"


@pytest.mark.parametrize("frame", [pandas_frame, polars_frame, pyarrow_table])
def test_floating_point_numbers_are_no_labels_of_a_frame(frame):
    with pytest.raises(lk.InputError, match=r"column 'label' of the .* holds floating-point numbers") as caught:
        list(labeled(frame({"a": [1, 2], "label": [1.0, 0.0]})))
    assert caught.value.code == "label-kind"


# ---- what is no row ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "documents", "match"),
    [
        ("documents-mapping", {"a": 1, "label": "x"}, r"got one mapping with 'a', 'label'\nhint: .*\[row\]"),
        ("row-keys", [{3: 1, "label": "x"}], "names that are text, got 3"),
        ("document-kind", [{"a": 1, "label": "x"}, 3], "a document is a row, got int 3 as document 1"),
        ("document-kind", [({"a": 1}, "x"), ("text", "y")], "a document is a row, got str 'text' as document 1"),
        ("document-not-a-pair", [3], "got 3 as document 0"),
        ("columns-unusable", [{}], "no column of the data"),
        ("columns-unusable", [{"label": "x"}], "no column of the data"),
        ("value-kind", [{"a": "u", "b": 1, "label": "x"}, {"a": [1], "b": 2, "label": "x"}, {"a": "v", "label": "y"}],
         r"got list \[1\] in column 'a' of document 1"),
    ],
)  # fmt: skip
def test_what_is_no_row_is_told(code, documents, match):
    with pytest.raises(lk.InputError, match=match) as caught:
        labeled(documents)
    assert caught.value.code == code


def test_a_label_beside_pairs_is_refused():
    with pytest.raises(lk.InputError, match="`label` names a column") as caught:
        labeled([({"a": 1}, "x")], label="a")
    assert caught.value.code == "columns-without-names"


@pytest.mark.parametrize("documents", [[("a", "x")], "a.csv", []])
def test_labels_apart_are_for_rows_and_frames(documents):
    with pytest.raises(lk.InputError, match="not both, and not only one of the two"):
        labeled(documents, labels=["x"])


def test_labels_apart_must_be_as_many_as_the_documents():
    for documents in ([{"a": 1}, {"a": 2}], pyarrow_table({"a": [1, 2], "b": [3, 5]})):
        with pytest.raises(lk.InputError, match=r"2 .*1 labels") as caught:
            labeled(documents, labels=["x"])
        assert caught.value.code == "lengths-differ"


@pytest.mark.parametrize("frame", [pandas_frame, pandas_objects, polars_frame, pyarrow_table])
def test_a_frame_without_rows_has_no_documents(frame):
    assert list(labeled(frame({"a": [], "label": []}))) == []
    assert len(asked(SCHEMA, frame({"size": []}))) == 0


def test_a_frame_with_two_columns_of_one_name_is_refused():
    pandas = pytest.importorskip("pandas")
    with pytest.raises(lk.InputError, match="'a' twice in the DataFrame") as caught:
        list(labeled(pandas.DataFrame([[1, 2]], columns=["a", "a"])))
    assert caught.value.code == "column-twice"


def test_a_column_of_nothing_but_nulls_is_missing():
    for frame in (pandas_frame, polars_frame, pyarrow_table):
        (batch,) = labeled(
            frame({"a": [None, None], "b": [1, 3], "label": ["x", "y"]}), numeric=["a", "b"], label="label"
        )
        assert plain_values(batch) == {"a": [None, None], "b": [1.0, 3.0]}


def test_columns_are_guessed_from_more_than_the_first_piece_of_a_frame():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow_table({"a": ["1", "x"], "b": [1, 3], "label": ["x", "y"]})
    first, second = labeled(pyarrow.concat_tables([table.slice(0, 1), table.slice(1)]))
    assert (plain_values(first)["a"], plain_values(second)["a"]) == (["1"], ["x"])


def test_texts_that_are_missing_in_a_later_piece_of_a_frame_are_known_by_their_rows():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow_table({"note": ["a", "b", None]})
    batch = asked(SCHEMA, pyarrow.concat_tables([table.slice(0, 2), table.slice(2)]))
    assert plain_values(batch)["note"] == ["a", "b", None]


def test_truth_values_of_a_frame_are_binary_even_if_all_are_alike():
    for frame in (pandas_frame, pandas_objects, polars_frame, pyarrow_table):
        (batch,) = labeled(frame({"a": [True, True], "b": [1, 3], "label": ["x", "y"]}))
        assert plain_values(batch)["a"] == ["yes", "yes"]


@pytest.mark.filterwarnings("ignore:Determining the column names")
def test_a_lazy_frame_is_refused():
    with pytest.raises(lk.InputError, match=r"got LazyFrame\nhint: .*collect\(\)") as caught:
        list(labeled(polars_frame().lazy()))
    assert caught.value.code == "frame-kind"


@pytest.mark.parametrize("kind", ["categorical", "numeric", "binary", "text"])
def test_a_column_of_dates_in_a_frame_is_left_out_or_refused(kind):
    import datetime

    frame = pyarrow_table({"day": [datetime.date(2026, 11, 2)] * 2, "a": ["u", "v"], "b": [1, 3], "label": ["x", "y"]})
    assert [list(batch.columns) for batch in labeled(frame)] == [["a", "b"]]
    with pytest.raises(lk.InputError, match=r"column 'day' of the Table holds date") as caught:
        list(labeled(frame, **{kind: ["day"]}))
    assert caught.value.code == "column-values"


# ---- questions ---------------------------------------------------------------------------------------------------

SCHEMA = Schema({"note": Text(), "color": Categorical(), "size": Numeric()})


def test_rows_are_asked_about():
    batch = asked(SCHEMA, [{"size": 3, "color": "red"}, {"note": "a b", "hat": 1, "shoe": 2, "label": "x"}])
    assert plain_values(batch) == {"note": [None, "a b"], "color": ["red", None], "size": [3.0, None]}
    assert batch.notes == ("ignored: columns 'hat', 'shoe'",)
    assert batch.labels is None


@pytest.mark.parametrize("frame", FRAMES)
def test_frames_are_asked_about(frame):
    batch = asked(SCHEMA, frame())
    assert plain_values(batch) == {name: EXPECTED[name] for name in ("note", "color", "size")}
    assert batch.notes == ("ignored: columns 'happy', 'count'",)


def test_what_a_row_lacks_is_missing_and_nothing_is_said():
    assert asked(SCHEMA, [{"size": 3}]).notes == ()


def test_a_column_that_a_frame_lacks_is_said():
    pandas = pytest.importorskip("pandas")
    notes = asked(SCHEMA, pandas.DataFrame({"size": [3]})).notes
    assert notes == ("columns 'note', 'color' are not in the DataFrame: taken as missing",)


def test_a_string_fills_the_only_text_column():
    pandas = pytest.importorskip("pandas")
    for texts in (["a b", "c"], pandas.Series(["a b", "c"]), [{"note": "a b"}, "c"]):
        assert plain_values(asked(SCHEMA, texts))["note"] == ["a b", "c"]


@pytest.mark.parametrize("columns", [{"size": Numeric()}, {"a": Text(), "b": Text()}])
def test_a_string_is_no_document_where_there_is_not_one_text_column(columns):
    with pytest.raises(lk.InputError, match="got str 'a b' as document 0") as caught:
        asked(Schema(columns), ["a b"])
    assert caught.value.code == "document-kind"


def test_nothing_is_asked_about():
    assert len(asked(SCHEMA, [])) == 0
    assert plain_values(asked(SCHEMA, [{}])) == {"note": [None], "color": [None], "size": [None]}


def test_rows_with_none_of_the_columns_are_refused():
    with pytest.raises(lk.InputError, match="the data has none of the columns 'note', 'color', 'size'") as caught:
        asked(SCHEMA, [{"Size": 3}])
    assert caught.value.code == "columns-none"


def test_one_mapping_is_not_several_documents():
    with pytest.raises(lk.InputError, match=r"put one row into a list: \[row\]") as caught:
        asked(SCHEMA, {"size": 3})
    assert caught.value.code == "documents-mapping"


def test_plain_texts_are_asked_about_as_a_list_a_column_or_a_frame():
    pandas = pytest.importorskip("pandas")
    schema = plain(lk.Analyzer())
    for texts in (["a b", "c"], pandas.Series(["a b", "c"]), pandas.DataFrame({"text": ["a b", "c"], "n": [1, 2]})):
        batch = asked(schema, texts)
        assert plain_values(batch) == {"text": ["a b", "c"]}
        assert batch.schema is None


def test_labeled_documents_are_read_under_the_schema_of_a_model(tmp_path):
    documents = read(csv_file(tmp_path))
    for schema, columns in ((SCHEMA, list(SCHEMA.columns)), (None, list(EXPECTED))):
        (batch,) = labeled(documents, schema=schema)
        assert list(batch.columns) == columns
    (batch,) = labeled(ROWS, schema=SCHEMA)
    assert list(batch.columns) == list(SCHEMA.columns)


def test_pairs_of_text_and_label_fill_the_only_text_column_of_a_model():
    (batch,) = labeled([("a b", "x"), ({"size": 2}, "y")], schema=SCHEMA)
    assert plain_values(batch) == {"note": ["a b", None], "color": [None, None], "size": [None, 2.0]}
    (batch,) = labeled([("a b", "x")], schema=SCHEMA)
    assert plain_values(batch) == {"note": ["a b"], "color": [None], "size": [None]}
    assert batch.labels == ["x"]
