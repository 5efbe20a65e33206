"""`likelier classify --engine spark`: rows of files that a cluster reads, and verdicts in files that it writes."""

from __future__ import annotations

import os
from pathlib import Path

from likelier._cli.shared.engines import Engine, check_files, frame_of, spark_session
from likelier._cli.shared.failures import Misuse
from likelier._cli.shared.file_options import ReadingOptions
from likelier._cli.shared.output import Screen
from likelier._model.view import View

WRITERS = {"": "parquet", ".csv": "csv", ".tsv": "tsv", ".json": "json", ".jsonl": "json"}  # by the folder's name
_EXAMPLE = "likelier classify MODEL --engine spark --input 'file:///mail/*.parquet' --output answers"


def classify_on_spark(
    engine: Engine,
    view: View,
    inputs: tuple[str, ...],
    output: Path | None,
    reading: ReadingOptions,
    screen: Screen,
    *,
    probabilities: bool,
) -> None:
    """Classifies the rows of files, and writes them with verdicts into a folder."""
    if not inputs or output is None:
        raise Misuse("--engine spark requires --input FILE and --output FOLDER", hint=_EXAMPLE)
    if output.suffix.lower() not in WRITERS:
        raise Misuse(f"the workers of Spark write Parquet, CSV, TSV or JSON Lines, got {output}", hint=_EXAMPLE)
    if output.exists():
        raise Misuse(f"{output} exists already", hint="name a new folder with --output")
    kind = WRITERS[output.suffix.lower()]
    if kind in ("csv", "tsv") and probabilities:
        raise Misuse(f"{kind} has no column for the probabilities of all labels", hint="--output answers.jsonl")
    check_files(inputs, reading)
    with spark_session(engine) as session:
        from likelier.spark import classify

        frame, given = frame_of(session, inputs, reading), reading.given
        found = classify(view, frame, text=given["text"], probabilities=probabilities, on_error=given["on_error"])
        options = {"header": True, "sep": "\t"} if kind == "tsv" else {"header": True} if kind == "csv" else {}
        found.write.format("csv" if kind == "tsv" else kind).options(**options).save(os.path.abspath(output))
    screen.done(f"{output}: a folder of {kind} files")
