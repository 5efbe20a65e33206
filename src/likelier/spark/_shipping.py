"""A model as a file that every worker has: shipped once, and loaded once by each process that uses it.

The file is called by its checksum, so the same model is not shipped twice, and a worker that was started anew, after
the last one died, fetches it again by itself.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import OrderedDict
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession

from likelier._base.errors import error
from likelier._model.models import Model
from likelier._model.view import View

LOADED = 12  # models that one process keeps
ENDING = "likelier"
_folder: Any = None  # with the files that were shipped, as long as this process lives
_shipped: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()  # by session
_loaded: OrderedDict[str, Model] = OrderedDict()  # in a worker
_lock = Lock()


def ship_model(session: SparkSession, asked: Model | View) -> str:
    """Makes a model with its settings known to all workers, under the name that is returned."""
    return ship(session, _content(asked), ENDING)


def model_of_stream(frame: DataFrame, asked: Model | View) -> tuple[str, bytes]:
    """The same for verdicts on a DataFrame; if that is a stream of Spark Connect, the model goes with the plan.

    The files that a session of Spark Connect adds are not there for its streams.
    """
    if not frame.isStreaming or context_of(frame.sparkSession) is not None:
        return ship_model(frame.sparkSession, asked), b""
    content = _content(asked)
    return _name(content, ENDING), content


def _content(asked: Model | View) -> bytes:
    shipped = Model(asked.counts, schema=asked.schema, ledger=False)
    shipped.layer = asked.layer
    shipped.use_settings(asked.settings)
    return shipped.to_bytes()


def _name(content: bytes, ending: str) -> str:
    return f"likelier-{hashlib.sha256(content).hexdigest()[:32]}.{ending}"


def context_of(session: SparkSession) -> Any:
    """Spark's context; None through Spark Connect."""
    return getattr(session, "_sc", None)


def checked_model(asked: object) -> Model | View:
    """The model or view, if it is one."""
    if not isinstance(asked, Model | View):
        raise error("spark-model-kind", got=asked)
    return asked


def ship(session: SparkSession, content: bytes, ending: str) -> str:
    """Makes a file with this content known to all workers, under the name that is returned."""
    global _folder
    name, context = _name(content, ending), context_of(session)
    with _lock:
        known = _shipped.setdefault(session if context is None else context, set())
        if name not in known:
            _folder = _folder or tempfile.TemporaryDirectory(prefix="likelier-spark-")
            path = os.path.join(_folder.name, name)
            with open(path, "wb") as file:
                file.write(content)
            if context is None:
                session.addArtifacts(path, file=True)
            else:
                context.addFile(path)
            known.add(name)
    return name


def shipped_path(name: str) -> str:
    """In a worker: where a file is that was shipped."""
    return SparkFiles.get(name)


def shipped_model(name: str, content: bytes = b"") -> Model:
    """In a worker: a model that was shipped, or that came with the plan."""
    with _lock:
        if name not in _loaded:
            _loaded[name] = Model.from_bytes(content) if content else Model.load(shipped_path(name))
            while len(_loaded) > LOADED:
                _loaded.popitem(last=False)
        _loaded.move_to_end(name)
        return _loaded[name]
