"""Judging learned documents in the workers: each by the counts without it, or without its fold.

Documents stay where they are. Their log scores go to the driver, as arrays in Arrow's bytes, so the verdicts
and all figures are made by the same code as where everything is read here.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from likelier._answer.scores import Scores
from likelier._base.errors import error
from likelier._base.version import VERSION
from likelier._documents.batch import Batch
from likelier._documents.labels import key
from likelier._evaluate import splits
from likelier._evaluate.run import noted as labels_of
from likelier._evaluate.splits import Judge
from likelier._model.view import View
from likelier.spark._counting import Counting, partition_name
from likelier.spark._failures import noted
from likelier.spark._partition import Frames, Reading
from likelier.spark._rows import rows_of
from likelier.spark._sample import partition
from likelier.spark._shipping import shipped_model, shipped_path
from likelier.spark._version import check_version

PART = "number int, part binary"
BATCH = 4 << 20  # bytes of text that are judged at a time
SCORES = 1 << 18  # of all labels that are one row of a DataFrame: 4 MB
Arrays = dict[str, NDArray[Any]]


@dataclass(frozen=True)
class Folds:
    """The fold of every document, in the order of the partitions.

    name    under which they were shipped, one number for each document
    starts  by partition, where those of its documents begin and end
    """

    name: str
    starts: dict[int, tuple[int, int]]

    def of(self, batches: Iterable[Batch]) -> Iterator[tuple[Batch, NDArray[Any]]]:
        """The batches of this worker's partition, with the folds of their documents."""
        start, end = self.starts.get(partition(), (0, 0))
        folds = np.load(shipped_path(self.name), mmap_mode="r")
        for batch in batches:
            mine = folds[start : min(start + len(batch), end)]
            if len(mine) < len(batch):
                raise error("spark-frame-changed")
            yield batch, np.asarray(mine)
            start += len(batch)
        if start != end:
            raise error("spark-frame-changed")


@dataclass(frozen=True)
class Judging:
    """Judges the documents of a partition; Spark calls it in a worker.

    model   the name under which the model was shipped
    method  leave-one-out, folds or held-out; "labels" gives the labels alone
    rests   for folds, the models without each of them
    """

    model: str
    reading: Reading
    method: str
    folds: Folds | None = None
    rests: tuple[str, ...] = ()
    version: str = VERSION

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        check_version(self.version)
        with noted():
            view, rejects = shipped_model(self.model).view(), self.reading.rejects()
            most = max(SCORES // len(view.labels), 1)
            batches = self.reading.batches(frames, partition_name(), rejects, size=BATCH, most=most)
            number = -1
            for number, arrays in enumerate(self.judged(batches, view)):
                yield packed(number, arrays)
            reasons = np.frombuffer(json.dumps(rejects.reasons).encode(), dtype=np.uint8)
            yield packed(number + 1, {"reasons": reasons})

    def judged(self, batches: Iterable[Batch], view: View) -> Iterator[Arrays]:
        """For some documents at a time their labels, their weights and, unless only these are wanted, their scores."""
        judge = Judge(view, view.labels, 1)
        for batch, scores in self._scores(batches, judge):
            names, truth, weights = labels_of(batch, view.labels)
            strange = [key(name) for name, place in zip(names, truth.tolist(), strict=True) if place < 0]
            found: Arrays = {"truth": truth, "strange": np.array(strange, dtype=np.str_)}
            found |= {} if weights is None else {"weights": weights}
            yield found if scores is None else found | arrays_of(scores)

    def _scores(self, batches: Iterable[Batch], judge: Judge) -> Iterator[tuple[Batch, Scores | None]]:
        if self.method == "labels":
            yield from ((batch, None) for batch in batches)
        elif self.method == "folds":
            assert self.folds is not None
            rests = [shipped_model(name).view() if name else None for name in self.rests]
            for batch, mine in self.folds.of(batches):
                views = [(np.flatnonzero(mine == fold), rests[fold]) for fold in np.unique(mine).tolist()]
                some = [(rows, view) for rows, view in views if view is not None]
                yield batch, splits.put_together(batch, some, judge)
        else:
            way = splits.held_out if self.method == "held-out" else splits.one_by_one
            for batch in batches:
                (scores,) = way(judge, [batch])
                yield batch, scores


@dataclass(frozen=True)
class FoldCounting:
    """Counts the documents of a partition, those of each fold apart; Spark calls it in a worker."""

    counting: Counting
    folds: Folds
    number: int

    def __call__(self, frames: Frames) -> Iterator[pa.RecordBatch]:
        check_version(self.counting.version)
        with noted():
            rejects = self.counting.reading.rejects()
            batches = self.counting.reading.batches(frames, partition_name(), rejects)
            models = [self.counting.empty() for _ in range(self.number)]
            for batch, mine in self.folds.of(batches):
                for fold in np.unique(mine).tolist():
                    models[fold].count(batch.keep(np.flatnonzero(mine == fold)), threads=1)
                    if self.counting.is_full(models[fold], self.number):
                        yield from self._rows(fold, models[fold].counts)
                        models[fold] = self.counting.empty()
            for fold, model in enumerate(models):
                yield from self._rows(fold, model.counts)

    def _rows(self, fold: int, counts: Any) -> Iterator[pa.RecordBatch]:
        for rows in rows_of(counts, self.counting.unit):
            yield rows.append_column("fold", pa.array(np.full(rows.num_rows, fold, dtype=np.int32)))


def packed(number: int, arrays: Arrays) -> pa.RecordBatch:
    """Arrays as one row of a DataFrame, with its place in the partition."""
    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    row = {"number": pa.array([number], pa.int32()), "part": pa.array([buffer.getvalue()], pa.binary())}
    return pa.RecordBatch.from_pydict(row)


def unpacked(part: bytes) -> Arrays:
    """The arrays of a row."""
    with np.load(io.BytesIO(part), allow_pickle=False) as found:
        return dict(found)


def arrays_of(scores: Scores) -> Arrays:
    """Scores as arrays."""
    assert scores.log_prior is not None
    shape = scores.values.shape
    return {
        "values": scores.values,
        "known": scores.known,
        "unknown": scores.unknown,
        "log_prior": np.broadcast_to(scores.log_prior, shape),
    }


def scores_of(arrays: Arrays) -> Scores:
    """The scores that arrays stand for."""
    return Scores(arrays["values"], arrays["known"], arrays["unknown"], arrays["log_prior"])
