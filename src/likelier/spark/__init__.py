"""Spark's interface: DataFrames in, an ordinary `Model` or DataFrames out. Spark moves rows; the library computes.

ml           stages for pipelines of MLlib
_training    train, learn: the way of the rows, and what comes back
_choosing    which columns are read, and as what
_counting    what a worker does with a partition, and what Spark adds up
_partition   the rows of a partition as documents
_rows        counts as rows of a table
_gathered    sums as counts
_limits      the rarest terms are dropped before they reach the driver
_classifying classify: rows with verdicts
_evaluating  evaluate: exact leave-one-out and folds
_judging     what a worker does for it
_shipping    a model as a file that every worker has
_streams     learning from a stream, each batch once
_sample      the documents that settings are chosen on
_frames      a DataFrame: its columns, its first rows
_failures    errors of workers, where Spark was called
_progress    how far Spark has come
_version     workers have the library of the driver
"""

from likelier._base.errors import error

try:
    import pyarrow as _pyarrow  # noqa: F401
    import pyspark as _pyspark  # noqa: F401
except ImportError as missing:
    raise error("spark-missing", reason=missing) from None

from likelier.spark._classifying import classify
from likelier.spark._evaluating import evaluate
from likelier.spark._streams import stream_learner
from likelier.spark._training import learn, train

__all__ = ["classify", "evaluate", "learn", "stream_learner", "train"]

for _public in (classify, evaluate, learn, stream_learner, train):
    _public.__module__ = __name__
