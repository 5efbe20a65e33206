"""Columns: values that may be missing, out of lists and of everything that speaks Arrow; texts that are counted."""

from __future__ import annotations

import gc
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.generated import PLAIN, QUICK, sentences, texts
from likelier._kernel import Analysis, ArrowReader, Column, Ledger, Table

LONG = "longer than the twelve bytes of a view"
VALUES = ["a", None, "", LONG, "ж", "a", None]

values = st.lists(st.none() | st.text(st.characters(exclude_categories=("Cs",)), max_size=20), max_size=20)


def rows(*numbers: int) -> np.ndarray[Any, Any]:
    return np.array(numbers, np.uint32)


# ---- lists -----------------------------------------------------------------------------------------------------------


@QUICK
@given(values)
def test_a_column_gives_back_its_list(values: list[str | None]) -> None:
    column = Column.from_list(values)
    assert (column.kind, len(column), column.to_list()) == ("text", len(values), values)
    assert column.missing().tolist() == [row for row, value in enumerate(values) if value is None]
    assert column.text_bytes() == sum(len(value.encode()) for value in values if value is not None)


@QUICK
@given(values)
def test_distinct_values_come_in_order_of_first_sight(values: list[str | None]) -> None:
    distinct, which = Column.from_list(values).distinct()
    assert distinct == list(dict.fromkeys(values))
    assert [distinct[place] for place in which] == values


def test_rows_are_kept_in_the_given_order() -> None:
    kept = Column.from_list(VALUES).keep(rows(3, 1, 0, 3))
    assert kept.to_list() == [LONG, None, "a", LONG]
    assert kept.keep(rows(1, 3)).to_list() == [None, LONG]


def test_a_row_that_does_not_exist_is_refused() -> None:
    with pytest.raises(ValueError, match="there is no such row"):
        Column.from_list(["a"]).keep(rows(1))


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        Column.from_list(["a", "\ud800"])


# ---- Arrow -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("type_name", ["string", "large_string", "string_view"])
def test_strings_of_pyarrow_are_read(type_name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    array = pyarrow.array(["dropped", *VALUES], getattr(pyarrow, type_name)())[1:]
    assert Column.from_arrow(array).to_list() == VALUES
    column = Column.from_arrow(pyarrow.chunked_array([array, array[:0], array]))
    assert (column.kind, column.to_list()) == ("text", VALUES * 2)


def test_strings_by_dictionary_are_read() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    array = pyarrow.array(["dropped", *VALUES]).dictionary_encode()[1:]
    assert Column.from_arrow(array).to_list() == VALUES
    pieces = pyarrow.chunked_array([array, pyarrow.array(["z", None]).dictionary_encode()])
    assert Column.from_arrow(pieces).to_list() == [*VALUES, "z", None]
    empty = pyarrow.array([None, None], pyarrow.dictionary(pyarrow.int8(), pyarrow.string()))
    assert (Column.from_arrow(empty).kind, Column.from_arrow(empty).to_list()) == ("text", [None, None])


def test_a_null_in_the_dictionary_is_missing() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    array = pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, 0]), pyarrow.array(["a", None]))
    assert Column.from_arrow(array).to_list() == ["a", None, "a"]


@pytest.mark.parametrize("name", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_whole_numbers_of_any_width_are_read(name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    limits = np.iinfo(name)
    values = [int(limits.max), None, 0, int(limits.min), 0]
    column = Column.from_arrow(pyarrow.array(values, getattr(pyarrow, name)()))
    assert (column.kind, column.to_list(), column.missing().tolist()) == ("int", values, [1])
    assert column.distinct()[0] == list(dict.fromkeys(values))


@pytest.mark.parametrize("name", ["float16", "float32", "float64"])
def test_floats_of_any_width_are_read_and_nan_is_missing(name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    values = np.array([7, 0.5, np.nan, -0.0, np.inf, 0.1, 9], name)
    column = Column.from_arrow(pyarrow.array(values, mask=values == 9)[1:])
    tenth = float(values[5])
    assert (column.kind, column.to_list()) == ("float", [0.5, None, -0.0, np.inf, tenth, None])
    assert (column.missing().tolist(), column.distinct()[0]) == ([1, 5], [0.5, None, -0.0, np.inf, tenth])
    assert column.keep(rows(4, 1)).to_list() == [tenth, None]


@pytest.mark.parametrize("name", ["decimal32", "decimal64", "decimal128", "decimal256"])
def test_decimals_are_the_nearest_floats(name: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    if not hasattr(pyarrow, name):
        pytest.skip("this PyArrow has no such type")
    values = [Decimal("0.10"), None, Decimal("-1234567.89")]
    column = Column.from_arrow(pyarrow.array(values, getattr(pyarrow, name)(9, 2)))
    assert (column.kind, column.to_list()) == ("float", [0.1, None, -1234567.89])


def test_zero_and_minus_zero_are_one_distinct_value() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    distinct, which = Column.from_arrow(pyarrow.array([0.0, -0.0, 1.0])).distinct()
    assert (distinct, which.tolist()) == ([0.0, 1.0], [0, 0, 1])


def test_truth_and_nothing_are_read() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    truth = Column.from_arrow(pyarrow.array([True, None, False, True])[1:])
    assert (truth.kind, truth.to_list()) == ("bool", [None, False, True])
    assert truth.distinct()[0] == [None, False, True]
    nothing = Column.from_arrow(pyarrow.nulls(2))
    assert (nothing.kind, nothing.to_list(), nothing.distinct()[0]) == ("null", [None, None], [None])


def test_of_other_types_there_is_only_the_name_and_the_length() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    column = Column.from_arrow(pyarrow.array([1, None], pyarrow.date32()))
    assert (column.kind, len(column)) == ("date32", 2)
    with pytest.raises(ValueError, match="values of the Arrow type date32 are not read"):
        column.to_list()
    with pytest.raises(ValueError, match="values of the Arrow type date32 are not read"):
        column.numbers([])
    assert Column.from_arrow(pyarrow.array([[1]])).kind == "list"
    assert Column.from_arrow(pyarrow.array([b"a"])).kind == "binary"


def test_a_table_is_no_column_and_a_column_no_table() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="this is a table"):
        Column.from_arrow(pyarrow.table({"a": [1]}))
    with pytest.raises(ValueError, match="this is one column"):
        ArrowReader(pyarrow.array([1]))


@pytest.mark.parametrize("reader", [Column.from_arrow, ArrowReader])
def test_what_does_not_speak_arrow_is_refused(reader: Any) -> None:
    with pytest.raises(TypeError, match="list does not speak the Arrow PyCapsule protocol"):
        reader([1])


def test_strings_that_are_not_utf8_are_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    array = pyarrow.array([b"a", b"caf\xe9"])
    wrong = pyarrow.Array.from_buffers(pyarrow.string(), 2, array.buffers())
    with pytest.raises(ValueError, match=r"(?i)utf-?8"):
        Column.from_arrow(wrong)


def test_a_column_outlives_what_it_came_from() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    before = pyarrow.total_allocated_bytes()
    array = pyarrow.array([LONG] * 10_000)
    column = Column.from_arrow(array).keep(rows(9_999))
    del array
    gc.collect()
    assert column.to_list() == [LONG]
    del column
    gc.collect()
    assert pyarrow.total_allocated_bytes() == before


def test_series_of_polars_and_pandas_are_columns() -> None:
    polars = pytest.importorskip("polars")
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    assert Column.from_arrow(polars.Series(VALUES)).to_list() == VALUES
    assert Column.from_arrow(polars.Series(VALUES, dtype=polars.Categorical)).to_list() == VALUES
    assert Column.from_arrow(polars.concat([polars.Series(VALUES)] * 2, rechunk=False)).to_list() == VALUES * 2
    assert Column.from_arrow(polars.Series([1, None])).to_list() == [1, None]
    assert Column.from_arrow(pandas.Series(VALUES, dtype="string[pyarrow]")).to_list() == VALUES
    assert Column.from_arrow(pandas.Series(VALUES, dtype="category")).to_list() == VALUES


# ---- numbers ---------------------------------------------------------------------------------------------------------

NAN = float("nan")


def numbers_of(column: Column, missing: list[str]) -> tuple[list[float], list[int]]:
    numbers, bad = column.numbers(missing)
    assert (numbers.dtype, bad.dtype) == (np.float64, np.uint32)
    return numbers.tolist(), bad.tolist()


@QUICK
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False)))
def test_a_text_is_the_number_that_python_reads(values: list[float]) -> None:
    texts: list[str | None] = [f"{value!r}" for value in values]
    assert numbers_of(Column.from_list(texts), []) == (values, [])


def test_words_for_missing_are_compared_after_stripping_and_before_reading() -> None:
    column = Column.from_list([" 1.5\t", "?", " NA\n", "-999", None, "1e3", "nan"])
    numbers, bad = numbers_of(column, ["?", "NA", "-999", "nan"])
    assert np.array_equal(numbers, [1.5, NAN, NAN, NAN, NAN, 1000, NAN], equal_nan=True)
    assert bad == []


NO_NUMBERS: list[str | None] = ["nan", "NaN", "INF", "-Infinity", "1e999", "3,5", "1_000", "", " ", "0x1f", "1 2", "١"]


def test_what_is_no_finite_number_is_a_bad_row() -> None:
    numbers, bad = numbers_of(Column.from_list(["1", *NO_NUMBERS, "2"]), [])
    assert bad == [row + 1 for row in range(len(NO_NUMBERS))]
    assert np.array_equal(numbers, [1, *[NAN] * len(NO_NUMBERS), 2], equal_nan=True)


@pytest.mark.parametrize(
    ("values", "numbers", "bad"),
    [
        ([2**53 + 1, None, -999], [2.0**53, NAN, NAN], []),
        ([0.1, None, NAN, -999.0, np.inf], [0.1, NAN, NAN, NAN, NAN], [4]),
        ([True, None, False], [NAN, NAN, NAN], [0, 2]),
        ([None, None], [NAN, NAN], []),
    ],
    ids=["int", "float", "bool", "null"],
)
def test_numbers_of_other_kinds(values: list[Any], numbers: list[float], bad: list[int]) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    found, rows_found = numbers_of(Column.from_arrow(pyarrow.array(values)), ["NA", "-999"])
    assert np.array_equal(found, numbers, equal_nan=True)
    assert rows_found == bad


def test_a_number_beyond_the_signed_ones_is_read_too() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    assert numbers_of(Column.from_arrow(pyarrow.array([2**64 - 1], pyarrow.uint64())), []) == ([2.0**64], [])


# ---- tables of Arrow -------------------------------------------------------------------------------------------------


def all_of(reader: ArrowReader, wanted: list[int]) -> list[list[Any]]:
    columns: list[list[Any]] = [[] for _ in wanted]
    while (batch := reader.next(wanted)) is not None:
        for column, more in zip(columns, batch, strict=True):
            column += more.to_list()
    return columns


def test_a_table_is_read_batch_by_batch() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table({"text": VALUES, "number": range(7), "float": [0.5] * 7})
    reader = ArrowReader(pyarrow.RecordBatchReader.from_batches(table.schema, table.to_batches(max_chunksize=3)))
    assert (reader.names, reader.kinds) == (["text", "number", "float"], ["text", "int", "float"])
    first = reader.next([1, 0])
    assert first is not None
    assert [column.to_list() for column in first] == [[0, 1, 2], VALUES[:3]]
    assert all_of(reader, [0]) == [VALUES[3:]]
    assert reader.next([0]) is None


def test_a_single_batch_is_a_table() -> None:
    pyarrow = pytest.importorskip("pyarrow")

    class OnlyAnArray:
        def __arrow_c_array__(self, requested_schema: object = None) -> object:
            return pyarrow.record_batch({"a": VALUES}).__arrow_c_array__(requested_schema)

    assert all_of(ArrowReader(OnlyAnArray()), [0]) == [VALUES]


def test_frames_of_polars_pandas_and_duckdb_are_tables() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"text": VALUES, "number": range(7)})
    assert all_of(ArrowReader(polars.DataFrame({"text": VALUES})), [0]) == [VALUES]
    assert all_of(ArrowReader(frame), [0, 1]) == [VALUES, list(range(7))]
    with duckdb.connect() as connection:  # it wants the interpreter on its own threads to read `frame`
        connection.register("frame", frame)
        query = "select text, number + i as sum from frame, range(100000) t(i) where text is not null"
        texts, sums = all_of(ArrowReader(connection.sql(query)), [0, 1])
    assert (len(texts), set(texts), max(sums)) == (500_000, set(VALUES) - {None}, 100_004)


def test_an_error_of_the_producer_comes_with_its_message() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    schema = pyarrow.schema({"a": pyarrow.string()})

    def batches() -> Any:
        yield pyarrow.record_batch({"a": ["x"]}, schema=schema)
        raise RuntimeError("the disk is on fire")

    reader = ArrowReader(pyarrow.RecordBatchReader.from_batches(schema, batches()))
    assert reader.next([0]) is not None
    with pytest.raises(ValueError, match="the disk is on fire"):
        reader.next([0])


def test_a_column_that_does_not_exist_is_refused() -> None:
    pyarrow = pytest.importorskip("pyarrow")
    with pytest.raises(ValueError, match="there is no such column"):
        ArrowReader(pyarrow.table({"a": [1]})).next([1])


# ---- counting --------------------------------------------------------------------------------------------------------


@QUICK
@given(st.lists(sentences | texts, max_size=8))
def test_a_column_is_counted_and_scored_as_its_list_is(texts: list[str]) -> None:
    analysis, labels = Analysis(**PLAIN), np.arange(len(texts), dtype=np.uint32) % 2
    column, exports, scores = Column.from_list([*texts]), [], []
    for given_texts in (texts, column):
        table, ledger = Table(), Ledger()
        table.count(given_texts, labels, None, analysis, 1, ledger, ["a", "b"])
        weights, kept = np.arange(table.ids() * 2, dtype=np.float64).reshape(-1, 2) / 7, np.ones(table.ids(), np.uint8)
        scores.append(table.score(given_texts, analysis, weights, kept, np.zeros((1, 2)), "count", 1))
        exports.append((*table.export([0, 1]), *ledger.sorted()))
    for first, second in zip(exports[0] + scores[0], exports[1] + scores[1], strict=True):
        assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize(
    ("values", "message"), [(["a", None], "a text is missing"), ([1, 2], "not a column of kind int")]
)
def test_only_a_column_of_texts_is_counted_and_nothing_of_another(values: list[Any], message: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    table = Table()
    with pytest.raises(ValueError, match=message):
        table.count(Column.from_arrow(pyarrow.array(values)), rows(0, 0), None, Analysis(**PLAIN), 1)
    assert (table.size(), table.totals()[0].tolist()) == (0, [])
