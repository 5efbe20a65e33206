"""Learning from a stream, each batch exactly once.

Spark repeats a batch if the driver ends after the batch was learned and before Spark has noted that. So the model file
says in its provenance which batch of which stream it learned last. Counts and provenance are one file, which is
replaced all at once: a batch is either in both or in neither. A stream is known by the id in its checkpoint.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from pyspark.sql import DataFrame

from likelier._base.errors import error
from likelier._model.models import Path, updating
from likelier._storage.provenance import check_name, of_stream
from likelier.spark._training import learn_from

_QUERY = "sql.streaming.queryId"  # the local property under which Spark has the id


def stream_learner(
    path: Path,
    *,
    label: str | None = None,
    text: str | None = None,
    weights: str | None = None,
    on_error: Literal["stop", "skip"] = "stop",
    by: str | None = None,
) -> Callable[[DataFrame, int], None]:
    """A function for `foreachBatch` that teaches the model in a file each batch of a stream, exactly once.

    path: the model file, on a disk of the driver. It is replaced after each batch.
    label, text, weights, on_error, by: as for `learn`.

    >>> (folder / "mail").mkdir()  # doctest: +SKIP
    >>> model.save(folder / "mail.likelier")  # doctest: +SKIP
    >>> stream = spark.readStream.schema("text string, label string").json(str(folder / "mail"))  # doctest: +SKIP
    >>> learning = stream.writeStream.foreachBatch(stream_learner(folder / "mail.likelier"))  # doctest: +SKIP
    >>> learning = learning.option("checkpointLocation", str(folder / "checkpoint"))  # doctest: +SKIP
    >>> learning.trigger(availableNow=True).start().awaitTermination(60)  # doctest: +SKIP
    True
    """
    check_name(by)
    name = os.fspath(path)
    options: dict[str, Any] = {"label": label, "text": text, "weights": weights, "on_error": on_error, "by": by}

    def learn_batch(frame: DataFrame, batch: int) -> None:
        stream = _stream_of(frame)
        if frame.isEmpty():
            return
        with updating(name) as model:
            if last_batch(model.provenance, stream) < batch:
                learn_from(model, frame, f"{of_stream(stream)}{batch}", **options)

    return learn_batch


def _stream_of(frame: DataFrame) -> str:
    """The id of the stream that a batch belongs to."""
    context: Any = getattr(frame.sparkSession, "_sc", None)
    found = None if context is None else context.getLocalProperty(_QUERY)
    if found is None:
        raise error("spark-stream-unknown")
    return str(found)


def last_batch(events: Iterable[Mapping[str, Any]], stream: str) -> int:
    """The number of the last batch of a stream that was learned; -1 before the first.

    >>> last_batch([{"sources": ["stream a batch 3"]}, {"sources": ["stream b batch 9"]}, {"sources": []}], "a")
    3
    """
    beginning = of_stream(stream)
    sources = [source for event in events for source in event["sources"] if source.startswith(beginning)]
    return max((int(source.removeprefix(beginning)) for source in sources), default=-1)
