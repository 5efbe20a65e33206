"""The service: one model, its log, and the thread that writes it. Endpoints ask it, and compute nothing themselves."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._base.files import replacing, write_all
from likelier._model.models import Model
from likelier._serve.audit import Audit
from likelier._serve.drafts import Drafting, loading
from likelier._serve.live import Live
from likelier._serve.log import Log
from likelier._serve.metrics import Metrics
from likelier._serve.reports import report
from likelier._serve.requests import Request
from likelier._serve.scribe import Scribe
from likelier._serve.snapshots import Snapshots, read_model
from likelier._serve.spans import Span
from likelier._serve.tokens import Access, Caller, Rate
from likelier._settings.values import TEXTBOOK, Settings

LONGEST_KEY = 255
AUDITS = 60.0  # seconds between two looks at the lessons of each name


@dataclass(frozen=True)
class Limits:
    """How much one request may be."""

    body: int = 16 << 20  # bytes
    text: int = 1_000_000  # characters
    batch: int = 10_000  # documents


def check_key(key: str | None) -> None:
    """Whether this can be an Idempotency-Key."""
    if key is not None and not (0 < len(key) <= LONGEST_KEY and key.isascii() and key.isprintable()):
        raise error("key-kind", most=LONGEST_KEY)


class Companion:
    """What else goes along with the model, such as a labeling; here nothing."""

    def listens(self, url: str) -> None:
        """Called when the server listens."""

    def begin(self, service: Service) -> None:
        """Called once all of the log is replayed, and before anybody can ask."""

    def check_load(self) -> None:
        """Raises why another model cannot be swapped in."""

    def swapped(self) -> None:
        """Called when another model was swapped in."""

    def first_settings(self, model: Model) -> Settings:
        """Those that a reset goes back to: what training chose, or the textbook's if it did not."""
        return TEXTBOOK if model.chosen is None else model.chosen.settings

    def drain(self) -> None:
        """Called when the server is about to stop: nobody should wait for news any more."""

    def stop(self) -> None:
        """Called at the end, while lessons can still be written."""


class Service:
    """What is served.

    log    None: nothing can be taught
    bench  what goes along with the model
    """

    def __init__(
        self,
        live: Live,
        log: Log | None,
        snapshots: Snapshots,
        *,
        access: Access,
        limits: Limits,
        rate: Rate,
        failed: Callable[[BaseException], object],
        bench: Companion | None = None,
    ) -> None:
        self.bench = bench or Companion()
        self.log, self.snapshots, self.access, self.limits, self.rate = log, snapshots, access, limits, rate
        self._live, self._failed = live, failed
        self.scribe = None if log is None else Scribe(log, live, snapshots, failed)
        self.is_replayed = log is None
        self.is_stopping = False
        self.audit = Audit()
        self.evaluating = asyncio.Lock()  # one evaluation at a time: it copies the model
        self.held = 0  # bytes of bodies that are on their way
        self._stopped = threading.Event()
        self._replaying = threading.Thread(target=self._replay, name="likelier replay", daemon=True)
        self.metrics = Metrics(self)

    @property
    def live(self) -> Live:
        """The model as it is now."""
        return self._live if self.scribe is None else self.scribe.live

    @property
    def name(self) -> str:
        """The name of the model: that of its file, without the ending."""
        return Path(self.snapshots.path).stem

    @property
    def is_ready(self) -> bool:
        """Whether answers are those of the whole log, and more requests are welcome."""
        waits = self.scribe is not None and self.scribe.problem_code == "model-file-awaited"
        return self.is_replayed and not self.is_stopping and not waits

    def current(self) -> Live:
        """The model, once it is all that the log says."""
        if not self.is_replayed:
            raise error("not-ready")
        return self.live

    # ---- beginning and end ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Replays the log in a thread, and then begins to write it."""
        if self.scribe is None:
            self.bench.begin(self)
        else:
            self._replaying.start()

    def _replay(self) -> None:
        assert self.log is not None
        assert self.scribe is not None
        try:
            begin = self.live.position
            with _uncollected():
                for span in self.log.spans(begin):
                    self._follow(span, self.scribe)
                    if self._stopped.is_set():
                        return
            self.scribe.start()
            self.bench.begin(self)
            self.is_replayed = True
            self.log.follow(self.scribe.look)
            threading.Thread(target=self._audit, name="likelier audit", daemon=True).start()
            report("info", "ready", position=self.live.position, replayed=self.live.position - begin)
        except BaseException as failure:
            self._failed(failure)

    def _follow(self, span: Span, scribe: Scribe) -> None:
        """Replays lessons; where another server has loaded a model, once its file is here."""
        waits = False
        while not self._stopped.is_set():
            try:
                scribe.follow(span)
                return
            except LikelierError as failure:
                if failure.code != "model-file-awaited" or not scribe.log.is_shared:
                    raise
                if not waits:
                    report("error", failure.code, message=failure.message)
                waits = not self._stopped.wait(1)

    def _audit(self) -> None:
        """Looks now and then whether somebody's lessons stand out."""
        assert self.log is not None
        while not self._stopped.wait(max(AUDITS, self.audit.rest)):
            try:
                self.audit.made(self.live, self.log)
            except Exception as failure:
                report("error", "audit-failed", error=repr(failure))

    def stop(self) -> None:
        """Finishes what waits, takes a snapshot, and closes the log."""
        self.is_stopping = True
        self._stopped.set()
        if self._replaying.is_alive():
            self._replaying.join()
        self.bench.stop()
        if self.scribe is not None:
            self.scribe.stop()
        if self.log is not None:
            self.log.close()

    # ---- teaching ------------------------------------------------------------------------------------------------

    async def teach(
        self,
        caller: Caller,
        drafting: Drafting,
        *,
        documents: int = 1,
        key: str | None = None,
        body: bytes = b"",
        name: str | None = None,
        alone: bool = False,
    ) -> bytes:
        """Writes lessons and teaches them; what is answered.

        key, body: the Idempotency-Key of the request, and what tells it from others.
        name: of whoever teaches, if the caller does it for others.
        alone: in a turn of its own.
        """
        self.current()
        if self.scribe is None:
            raise error("server-read-only")
        check_key(key)
        self.rate.check(caller, documents)
        digest = None if key is None else hashlib.sha256(body).digest()
        request = Request(name or caller.name, drafting, key, digest, alone)
        return await asyncio.wrap_future(self.scribe.ask(request))

    async def load(self, caller: Caller, key: str | None = None) -> bytes:
        """Serves the model file as it is now, in place of the model that is served."""
        model, checksum, base = await asyncio.to_thread(read_model, self.snapshots.path)
        if self.scribe is None:
            self._live = Live(model, 0, bytes.fromhex(base))
            self.bench.swapped()
            return b'{"lessons":0}'
        known, bench = (lambda: self.snapshots.checksum), self.bench
        drafting = loading(model, checksum, base, known, check=bench.check_load, done=bench.swapped)
        return await self.teach(caller, drafting, documents=0, key=key, body=b"load")

    async def begin_with(self, caller: Caller, content: bytes) -> bytes:
        """Serves this model file in place of an empty model, whose file it replaces."""
        path, documents = self.snapshots.path, self.live.model.documents
        if documents:
            raise error("begin-not-empty", documents=f"{float(documents):,g}")
        self.bench.check_load()
        before = Path(path).read_bytes()
        _replace(path, content)
        try:
            return await self.load(caller)
        except LikelierError:
            _replace(path, before)
            raise

    # ---- what was taught -----------------------------------------------------------------------------------------

    def taught(self) -> Log:
        """The log, where there is one."""
        if self.log is None:
            raise error("server-read-only")
        return self.log

    def check_texts(self, texts: Sequence[str]) -> None:
        """Whether there are few enough, and each is short enough."""
        if len(texts) > self.limits.batch:
            raise error("batch-too-large", most=self.limits.batch, got=len(texts))
        if texts:
            self.check_text(max(texts, key=len))

    def check_text(self, text: str) -> None:
        """Whether a text is short enough."""
        if len(text) > self.limits.text:
            raise error("text-too-long", most=self.limits.text, got=len(text))

    def check_rows(self, rows: Sequence[dict[str, Any]]) -> None:
        """Whether there are few enough documents with columns, and their texts are short enough."""
        if len(rows) > self.limits.batch:
            raise error("batch-too-large", most=self.limits.batch, got=len(rows))
        for row in rows:
            for value in row.values():
                if isinstance(value, str):
                    self.check_text(value)


def _replace(path: str, content: bytes) -> None:
    with replacing(path) as file:
        write_all(file, content)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the garbage collector: replay makes millions of objects and no cycles, which is all that it looks for."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
