"""The Rust kernel: text to integers and sums. It knows no formula. See rust/src/lib.rs."""

from collections.abc import Callable
from typing import Any, Literal, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Analysis",
    "ArrowReader",
    "Bags",
    "Column",
    "CsvReader",
    "Gate",
    "JsonReader",
    "Ledger",
    "Memory",
    "PanicException",
    "Reading",
    "Rows",
    "Table",
    "TermRows",
    "Writing",
    "after_fork",
    "all_str",
    "before_fork",
    "check_arrays",
    "csv_record",
    "distinct_str",
    "exact_sums",
    "find_all",
    "forget_one",
    "learn_one",
    "mixed_rows",
    "rounded_sums",
    "score_postings",
    "vocabulary_frequencies",
    "vocabulary_spread",
    "vocabulary_sums",
    "weigh",
    "words",
]

_Value = str | int | float | bool | None
_Whole = NDArray[np.uint8] | NDArray[np.uint16] | NDArray[np.uint32] | NDArray[np.uint64]
_Values = (  # one column of documents that have several
    tuple[Literal["text"], list[str] | Column, NDArray[np.int64]]  # the texts, and the rows that are missing
    | tuple[Literal["choices"], list[str], NDArray[np.int64]]  # the values, and which of them each row has; -1: none
    | NDArray[np.float64]  # NaN: missing
)
_Statistic = Literal["tf", "df", "weighted"]
_Weighting = Literal["log", "count-length", "once-length", "log-length"]
_Scale = Literal["count", "once", "log"]
_Fault = tuple[int, int, str, str, str]  # line, column in characters from 1 (0: none), kind, detail, raw text

def words(text: str, lowercase: bool, keep_punctuation: bool) -> list[str]: ...
def all_str(list: list[Any]) -> bool:
    """Whether everything in the list is a `str`, and of no class derived from it."""

def distinct_str(list: list[Any]) -> tuple[list[str], NDArray[np.uint32]] | None:
    """The different strings in order of first sight, and for each place which; None if something else is in it."""

def check_arrays(
    documents: NDArray[np.uint64],
    terms: NDArray[np.uint8],
    term_ends: _Whole,
    cell_ends: _Whole,
    cell_labels: _Whole,
    cell_tf: _Whole,
    cell_df: _Whole,
    cell_weights: _Whole | None = None,  # None or empty: nothing is weighted
) -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """By label: sums of tf and df, distinct terms, sum of weighted. ValueError says what is wrong with the arrays."""

def exact_sums(
    numbers: NDArray[np.float64], labels: NDArray[np.uint32], weights: NDArray[np.uint64] | None, label_count: int
) -> list[tuple[int, bytes, bytes]]:
    """For each label, over the rows whose number is not NaN: Σ weight, Σ weight·number and Σ weight·number².

    The last two are exact: times 2^1074 and 2^2148, as `int.from_bytes(..., "little", signed=True)` reads them.
    """

def rounded_sums(
    numbers: NDArray[np.float64],  # finite
    which: NDArray[np.uint32],  # the sum that each belongs to, rising
    times: NDArray[np.uint64],  # how often it is added, below 2^32
    count: int,
) -> NDArray[np.float64]:
    """So many sums, each rounded once."""

def score_postings(
    table: Table,
    texts: list[str] | Column,
    analysis: Analysis,
    terms: tuple[NDArray[np.float64], NDArray[np.float64]],  # both by id
    labels: tuple[NDArray[np.float64], NDArray[np.float64]],
    postings: tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.float64]],  # ends by id, columns, corrections
    kept: NDArray[np.uint8],
    base: NDArray[np.float64],
    scale: _Scale,
    threads: int,
) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
    """As `Table.score`, where term t adds to column c  terms[0][t] * labels[0][c] + terms[1][t] * labels[1][c].

    A posting's correction is added to that.
    """

def weigh(times: NDArray[np.uint32], scale: _Scale) -> NDArray[np.float64]:
    """What a term that stands so often in a question is multiplied by: bit for bit as in `Table.score`."""

def learn_one(
    table: Table,
    text: str,
    label: int,
    weight: int,  # in units
    analysis: Analysis,
    ledger: Ledger | None,
    name: str,  # of the label
    millionths: int,  # what a unit is
) -> bool:
    """`Table.count` for one text; whether the ledger had it before."""

def forget_one(
    table: Table,
    text: str,
    label: int,
    weight: int,
    analysis: Analysis,
    ledger: Ledger | None,
    name: str,
    millionths: int,
) -> bool | None:
    """Takes one text out. True: the ledger does not have it; False: the table does not; then nothing has changed."""

def mixed_rows(texts: list[str] | Column, labels: NDArray[np.uint32], names: list[str]) -> NDArray[np.uint32]: ...
def find_all(table: Table, terms: list[str]) -> NDArray[np.uint32]:
    """The ids of those terms that are in the vocabulary."""

def vocabulary_sums(
    table: Table,
    statistic: _Statistic,
    least: int,  # tf in all that a term must have
    orders: tuple[int, int] | None,  # the fewest and the most words of a term; None: any
    without: NDArray[np.uint32],  # different terms to be left out
    labels: list[int],
) -> tuple[int, NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64], NDArray[np.uint64]]:
    """How many terms; by label their sums, how many are seen there, how many elsewhere, and the sums of rare ones.

    The table keeps these numbers up from now on; so with the next two.
    """

def vocabulary_spread(
    table: Table,
    statistic: _Statistic,
    by: Literal["own", "elsewhere", "both"],
    least: int,
    orders: tuple[int, int] | None,
    without: NDArray[np.uint32],
    labels: list[int],
) -> tuple[NDArray[np.uint32], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """The label's place, a count, a total, and how many terms have these; label by label.

    The count is that under the label, or that under all others; by "both" the total is the count in all, else 0.
    """

def vocabulary_frequencies(
    table: Table,
    statistic: _Statistic,
    least: int,
    orders: tuple[int, int] | None,
    without: NDArray[np.uint32],
    labels: list[int],
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The document frequencies in increasing order; by label the sums of the counts of the terms with each of them."""

@final
class Analysis:
    def __new__(
        cls,
        *,
        lowercase: bool,
        keep_punctuation: bool,
        words: bool,
        ngrams: tuple[int, int],
        char_ngrams: tuple[int, int] | None,
        phrases: list[tuple[list[str], str]],
        map_tokens: Callable[[list[str]], list[str | None]] | None,
        weighting: _Weighting | None = None,  # what `weighted` is the sum of; None: it stays 0
        own: tuple[int, int] | None = None,  # n-grams that a document's length is made of; None: all
    ) -> Analysis: ...
    def locate(self, text: str) -> tuple[str, list[tuple[str, int, int]]]: ...

@final
class Bags:
    """Labeled documents as bags of term ids, on which many settings can be judged."""

    def __new__(
        cls,
        texts: list[str] | Column,  # of text, and nothing is missing
        labels: NDArray[np.uint32],
        names: list[str],  # of the labels, as the ledger notes them
        analysis: Analysis,
        own: tuple[int, int],  # the analyzer's own n-grams: the first layer; others are the second, pieces the third
        threads: int,
    ) -> Bags: ...
    def layers(self) -> list[tuple[int, float]]: ...
    def mean_weight(self, layers: list[int], scale: str, length: list[int] | None = None) -> float: ...
    def leave_one_out(
        self,
        rows: NDArray[np.uint32],
        event: str,
        scale: str,
        length: list[int] | None,
        alphas: list[float],  # four
        together: list[list[int]],
        right: bool,
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint8]]: ...
    def shared(
        self, rows: NDArray[np.uint32], layer: int, rare: int
    ) -> tuple[NDArray[np.uint32], NDArray[np.uint32], NDArray[np.bool_]]: ...
    def table(
        self,
        labels: list[int],
        weighting: str | None = None,
        length: list[int] | None = None,
        ledger: Ledger | None = None,
    ) -> Table: ...

@final
class TermRows:
    """Documents as rows of distinct terms, and linear support vector machines that are fitted to them."""

    def __new__(
        cls,
        texts: list[str] | Column,  # of text, and nothing is missing
        analysis: Analysis,
        least: int,  # documents that a term must have
        most: int,  # terms
        threads: int,
    ) -> TermRows: ...
    def __len__(self) -> int: ...
    def entries(self) -> int: ...
    def names(self) -> list[str]: ...
    def fit(
        self,
        labels: NDArray[np.uint32],
        count: int,
        *,
        folds: NDArray[np.uint32] | None = None,
        judged: int = 0,  # folds; documents of the others have no margins
        costs: NDArray[np.float64] | None = None,
        cost: float = 1.0,
        tolerance: float = 0.05,
        epochs: int = 30,
        whole: bool = True,
        threads: int = 1,
        report: Callable[[int, int], object] | None = None,
    ) -> tuple[NDArray[np.float64], NDArray[np.float32], NDArray[np.float64], NDArray[np.float32]]:
        """Margins (documents, machines), weights (terms, machines), biases (machines,), scales (terms,)."""

@final
class Table:
    """No sum gets larger than 2^62: what would make it so is refused with an OverflowError.

    Then nothing has changed, except that `count` has counted the texts before the 64 MB in which it came up.
    """

    def __new__(cls) -> Table: ...
    def count(
        self,
        texts: list[str] | Column,  # of text, and nothing is missing
        labels: NDArray[np.uint32],
        weights: NDArray[np.uint64] | None,
        analysis: Analysis,
        threads: int,
        ledger: Ledger | None = None,
        names: list[str] = ...,
        millionths: int = 1,
    ) -> None: ...
    def put(
        self, terms: list[str], label: int, tf: list[int], df: list[int], weighted: list[int] | None = None
    ) -> None: ...
    def put_documents(self, label: int, documents: int) -> None: ...
    def merge(self, other: Table, labels: list[int]) -> None: ...
    def subtract(self, other: Table, labels: list[int]) -> bool: ...
    def scale(self, factor: int) -> None: ...
    def copy(self) -> Table: ...
    def fail(self, when: Literal["read", "before", "during"]) -> None:
        """Panics, as a defect in the kernel would: for tests of what happens then."""

    def prune(self, keep: int, errors: list[tuple[int, int]]) -> tuple[int, int, list[tuple[int, int]]]:
        """Keeps the `keep` most frequent terms; among equally frequent ones their texts alone decide.

        All terms get new ids.

        `errors`: from which id on a count may be too low, and by how much; sorted, and the first is of 0. Gives how
        many terms and tokens were dropped, and the errors by the new ids, of which the last is that of terms to come.
        """
    def size(self) -> int: ...
    def ids(self) -> int: ...
    def totals(
        self,
    ) -> tuple[
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint64],
    ]:
        """By label: documents, sum of tf, sum of df, distinct terms, sum of weighted."""
    def find(self, term: str) -> int | None: ...
    def texts(self, ids: NDArray[np.uint32]) -> list[str]: ...
    def orders(self, ids: NDArray[np.uint32]) -> NDArray[np.uint8]:
        """How many words each term has, 1 + its spaces; 255 means 255 or more."""
    def rows(self, ids: NDArray[np.uint32], labels: list[int], statistic: _Statistic) -> NDArray[np.uint64]: ...
    def postings(
        self, ids: NDArray[np.uint32], labels: list[int], statistic: _Statistic
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint64]]:
        """What `rows` has where it is not 0: where each id ends; columns and numbers of all ids, end to end."""
    def sums_of_terms(self, ids: NDArray[np.uint32], statistic: _Statistic) -> NDArray[np.uint64]:
        """Over all labels."""
    def export(
        self, places: list[int]
    ) -> tuple[
        NDArray[np.uint8],
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint32],
        NDArray[np.uint64],
        NDArray[np.uint64],
        NDArray[np.uint64],
    ]:
        """The arrays that `load` takes, `cell_weights` last: empty if nothing is weighted."""
    @staticmethod
    def load(
        documents: NDArray[np.uint64],
        terms: NDArray[np.uint8],
        term_ends: _Whole,
        cell_ends: _Whole,
        cell_labels: _Whole,
        cell_tf: _Whole,
        cell_df: _Whole,
        cell_weights: _Whole | None = None,
    ) -> Table: ...
    def bag(self, text: str, analysis: Analysis) -> tuple[NDArray[np.uint32], NDArray[np.uint32], list[str]]: ...
    def bags(
        self, texts: list[str] | Column, analysis: Analysis, threads: int, learn: bool, marked: bool = False
    ) -> tuple[NDArray[np.uint64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint64]]:
        """Where each text ends, then ids and how often, each text's terms in order of first sight.

        Last what `count` adds to `weighted` for each of them if the text has the weight 1; empty without a weighting.

        learn: the texts are counted under label 0. New terms are numbered in order of first sight, behind the words
        that they are made of, the same on any number of threads. Otherwise what is not in the vocabulary is left
        out, or marked with the id 2**32 - 1.
        """
    def score(
        self,
        texts: list[str] | Column,
        analysis: Analysis,
        rows: NDArray[np.float64],
        kept: NDArray[np.uint8],  # by id. 1: has a weight; 0: counts as unknown; 2: is skipped, as if it were not there
        base: NDArray[np.float64],  # (1, labels), or (texts, labels)
        scale: _Scale,
        threads: int,
    ) -> tuple[NDArray[np.float64], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.uint32], NDArray[np.float64]]:
        """By text: sums; known, unknown and distinct unknown terms; the sum of `weigh` over the unknown ones."""

class PanicException(BaseException):
    """What a panic is before a gate, or the call that caused it, turns it into a `KernelError`."""

@final
class Gate:
    """What guards one model: any number of threads inside `reading`, or one inside `writing`."""

    def __new__(cls) -> Gate: ...
    @property
    def number(self) -> int:
        """Who needs two gates enters them in this order."""

    @property
    def reading(self) -> Reading: ...
    @property
    def writing(self) -> Writing: ...

@final
class Reading:
    """Inside, nobody writes. A thread that reads or writes already enters at once."""

    def __enter__(self) -> None: ...
    def __exit__(self, kind: object, error: object, _at: object) -> None: ...

@final
class Writing:
    """Inside, nobody else reads or writes. A thread that reads is refused: it would wait for itself."""

    def __enter__(self) -> None: ...
    def __exit__(self, kind: object, error: object, _at: object) -> None: ...

def before_fork() -> None:
    """Waits until no other thread is inside a gate, 10 seconds at most, and keeps them out."""

def after_fork(is_child: bool) -> None:
    """Opens the gates again. In the new process those that were not left in time stay shut, with an error."""

@final
class Memory:
    """Weights of terms, remembered for one state of a table."""

    def __new__(cls, table: Table, columns: int, scale: _Scale) -> Memory: ...
    def open(self) -> None:
        """Makes room for all terms."""
    def put(self, ids: NDArray[np.uint32], states: NDArray[np.uint8], rows: NDArray[np.float64]) -> None:
        """Remembers terms: 0 in `states` is unknown, 2 skipped; `rows` is (kept, columns)."""
    def score(
        self,
        table: Table,
        text: str,
        analysis: Analysis,
        base: NDArray[np.float64],  # (columns,)
        unknown: NDArray[np.float64] | None,  # what one unknown term adds, if anything
        gate: Reading,
    ) -> tuple[NDArray[np.float64], int, int, int, float, int, float, float] | NDArray[np.uint32] | None:
        """The sums of one text, bit for bit as `Table.score` has them; or the ids that are not remembered yet.

        None if the table is not as it was when this was made, or the gate cannot be entered at once.

        With how many terms are known and unknown, how many different ones are unknown and what these weigh; then the
        place of the highest sum, that sum, and the next one.
        """
    def __len__(self) -> int:
        """How many numbers it holds."""

@final
class Ledger:
    def __new__(cls) -> Ledger: ...
    @staticmethod
    def load(halves: NDArray[np.uint64], times: NDArray[np.uint32]) -> Ledger: ...
    def add(
        self,
        columns: list[_Values],
        labels: NDArray[np.uint32],
        weights: NDArray[np.uint64] | None,
        names: list[str],
        millionths: int,
    ) -> None:
        """Notes documents that have several columns, all or none. A document is hashed as these bytes, end to end:

        missing: 0; text and chosen value: 1, its length in UTF-8 in 8 bytes, its UTF-8; number: 2, its 8 bytes (-0.0 is
        0.0); all little-endian.
        """
    def merge(self, other: Ledger) -> None: ...
    def subtract(self, other: Ledger) -> bool: ...
    def holds(self, other: Ledger) -> bool: ...
    def common(self, other: Ledger) -> int: ...
    def copy(self) -> Ledger: ...
    def __len__(self) -> int: ...
    def sorted(self) -> tuple[NDArray[np.uint64], NDArray[np.uint32]]: ...

@final
class Column:
    """A column of values that may be missing. It never changes; threads share it.

    kind is "text", "int", "float", "bool", "null", or the name of an Arrow type that is not read, such as "list"; of
    such a column there is only the length. NaN is missing; decimals are the nearest floats.
    """

    @staticmethod
    def from_list(values: list[str | None]) -> Column: ...
    @staticmethod
    def from_arrow(source: object) -> Column: ...
    @property
    def kind(self) -> str: ...
    def __len__(self) -> int: ...
    def missing(self) -> NDArray[np.uint32]: ...
    def distinct(self) -> tuple[list[_Value], NDArray[np.uint32]]: ...
    def to_list(self) -> list[_Value]: ...
    def numbers(self, missing: list[str]) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
        """A number for each row, NaN where it is missing; and the rows with something else than a finite number.

        `missing`: texts, without white space around them, that stand for a missing value; a number that is spelt so is
        missing too.
        """
    def keep(self, rows: NDArray[np.uint32]) -> Column: ...
    def text_bytes(self) -> int: ...
    def text_sizes(self) -> NDArray[np.uint64]:
        """The bytes of each text; 0 where there is none."""

@final
class Rows:
    """What was read. Kinds of faults, and what is dropped with them:

    CSV:  "fields", "utf8" (the record), "quote-text", "quote-unclosed", "record-too-long" (its first line)
    JSON: "json", "json-object", "json-nested", "utf8", "record-too-long" (the line)
    """

    @property
    def columns(self) -> list[Column]: ...
    @property
    def lines(self) -> NDArray[np.uint64]: ...
    @property
    def faults(self) -> list[_Fault]: ...

@final
class CsvReader:
    def __new__(
        cls, *, delimiter: int, quote: int | None, width: int, wanted: list[int], limit: int, line: int = 1
    ) -> CsvReader: ...
    def feed(self, block: bytes, last: bool) -> tuple[int, int]:
        """Reads rows and keeps them: the bytes of all blocks since rows were taken, and how many faults there are."""
    def take(self) -> Rows: ...
    def push(self, block: bytes, last: bool) -> Rows:
        """`feed` and `take`."""

@final
class JsonReader:
    def __new__(cls, *, wanted: list[str], raw: bool, limit: int, line: int = 1) -> JsonReader: ...
    def feed(self, block: bytes, last: bool) -> tuple[int, int]:
        """Reads rows and keeps them: the bytes of all blocks since rows were taken, and how many faults there are."""
    def take(self) -> Rows: ...
    def push(self, block: bytes, last: bool) -> Rows:
        """`feed` and `take`."""
    def keys(self) -> list[str]: ...

@final
class ArrowReader:
    def __new__(cls, source: object) -> ArrowReader: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def kinds(self) -> list[str]: ...
    def next(self, wanted: list[int]) -> list[Column] | None: ...

def csv_record(
    block: bytes, delimiter: int, quote: int | None, last: bool, limit: int
) -> tuple[list[str], int, int] | _Fault | None:
    """The first record: fields, bytes used, line of the next record; its fault; None if the block does not hold it."""
