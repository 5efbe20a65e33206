"""Where the work is done: here, or on a Spark cluster (`--engine spark --master URL`)."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from likelier._base.errors import error
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ReadingOptions
from likelier._cli.shared.hints import in_options
from likelier._cli.shared.options import option_group
from likelier._cli.shared.output import Screen, painted
from likelier._cli.shared.program import option
from likelier._show.progress import Progress, Report, silent
from likelier._show.words import listed

PACKED = (".gz", ".bz2", ".zst", ".zstd", ".xz")
KINDS = {".parquet": "parquet", ".csv": "csv", ".tsv": "tsv", ".tab": "tsv"}
KINDS |= {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl"}
ONLY_HERE = ("encoding", "sheet")  # options of reading that Spark has no use for
EXAMPLE = "likelier train --engine spark --master spark://HOST:7077 'file:///mail/*.parquet' -o mail.likelier"


@dataclass(frozen=True)
class Engine:
    """Where the work is done; with Spark, by which master."""

    name: str
    master: str | None

    @property
    def is_spark(self) -> bool:
        return self.name == "spark"


def _engine(engine: str, master: str | None) -> Engine:
    if master is not None and engine != "spark":
        raise Misuse("--master requires --engine spark", hint=EXAMPLE)
    return Engine(engine, master)


engine_options = option_group(
    "engine",
    _engine,
    option(
        "--engine",
        type=click.Choice(["local", "spark"]),
        default="local",
        help="Where the work is done: here, or on a Spark cluster. Default: local.",
    ),
    option(
        "--master", metavar="URL", help="Master of the Spark cluster. Default: local[*], all cores of this machine."
    ),
    group="Engine",
)


@contextmanager
def spark_session(engine: Engine) -> Iterator[Any]:
    """A session on the cluster, which is stopped at the end."""
    from pyspark.sql import SparkSession

    import likelier.spark  # noqa: F401 - says what is missing

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.appName("likelier").master(engine.master or "local[*]")
    # What fails is one line of ours at the end; Spark's log would have pages of it before that.
    quiet: dict[str, Any] = {"spark.ui.showConsoleProgress": "false", "spark.log.level": "FATAL"}
    # A driver whose Java runs out of memory would wait forever for the thread that this ended.
    quiet["spark.driver.defaultJavaOptions"] = "-XX:+ExitOnOutOfMemoryError"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of PySpark, about libraries that it imports
        session = builder.config(map=quiet).getOrCreate()
        try:
            with _failures_in_words():
                yield session
        finally:
            session.stop()


@contextmanager
def _failures_in_words() -> Iterator[None]:
    """What Spark cannot do, such as reading a file that is not there, as an error with one line."""
    from pyspark.errors import PySparkException

    from likelier.spark._failures import told

    try:
        with told():
            yield
    except PySparkException as failure:
        raise error("spark-failed", reason=str(failure).strip().partition("\n")[0]) from None


def frame_of(session: Any, files: Sequence[str], reading: ReadingOptions) -> Any:
    """The rows of files that all workers can read, as a DataFrame."""
    kind = check_files(files, reading)
    paths = [os.path.abspath(file) if "://" not in file and os.path.exists(file) else file for file in files]
    if kind == "parquet":
        return session.read.parquet(*paths)
    if kind == "jsonl":
        return session.read.json(paths)
    given = reading.given
    delimiter = given["delimiter"] or ("\t" if kind == "tsv" else ",")
    quote = ('"' if kind == "csv" else "") if given["quote"] is None else given["quote"]
    options = {"header": given["header"], "sep": delimiter, "quote": quote, "escape": quote, "multiLine": True}
    return session.read.options(**options).csv(paths)


def check_files(files: Sequence[str], reading: ReadingOptions) -> str:
    """The kind of all files, if Spark can read them so."""
    given = reading.given["kind"]
    used = [name for name in ONLY_HERE if reading.given[name] is not None]
    if used or reading.rejects is not None:
        name = f"--{used[0]}" if used else "--rejects"
        raise Misuse(f"{name} does not work with --engine spark", hint=f"omit {name}, or omit --engine")
    kinds = {given} if given else {_kind_by_name(file) for file in files}
    if len(kinds) == 1 and kinds <= {*KINDS.values()}:
        return str(kinds.pop())
    raise Misuse(
        f"--engine spark reads files of one kind, {listed(sorted({*KINDS.values()}), 'or')}, got {', '.join(files)}",
        hint="name the kind: --kind parquet",
    )


def _kind_by_name(file: str) -> str | None:
    path = Path(file)
    suffixes = [each.lower() for each in path.suffixes]
    while suffixes and suffixes[-1] in PACKED:
        suffixes.pop()
    return KINDS.get(suffixes[-1]) if suffixes else None


@contextmanager
def cluster_bar(screen: Screen) -> Iterator[Report]:
    """While the block runs: how far the cluster has come; only in a terminal."""
    if screen.quiet or not sys.stderr.isatty():
        yield silent
        return
    with Progress(painted(sys.stderr)) as shown:
        yield shown


@contextmanager
def warned(screen: Screen) -> Iterator[None]:
    """Warnings of the library, such as of rows that were skipped, in the words of the command line."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always", UserWarning)
        yield
    for each in found:
        if str(each.message).startswith("skipped "):
            screen.warning(in_options(str(each.message)))
