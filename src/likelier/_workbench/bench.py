"""The labeling of a server: one for all who look at it.

Only the scribe changes it, in the order of the log. A thread behind the scenes does all that takes a while: after a
lesson it judges the pool, fills up the queue, and writes that down; then it judges the model. A question is shown only
once it is written down, so that it is the same one after a crash.

Every change has a new version, and wakes those who wait for one.
"""

from __future__ import annotations

import asyncio
import threading
import time
import webbrowser
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from likelier._base.errors import LikelierError, error
from likelier._documents.labels import Label
from likelier._label import starting
from likelier._label.judging import Accuracy
from likelier._label.labeling import Asked, Labeling
from likelier._label.lessons import Lesson
from likelier._label.queue import AHEAD
from likelier._model.column_view import TopTerm
from likelier._model.models import Model
from likelier._model.view import View
from likelier._serve.drafts import Drafting
from likelier._serve.reports import report
from likelier._serve.requests import Request
from likelier._serve.service import Companion, Service
from likelier._serve.tokens import OPENLY
from likelier._settings.values import Settings
from likelier._workbench import drafts, store

Writes = Callable[[View, Path, Path, str | None], object]  # what is asked, source, target, column with the texts
TELLING = 8  # words of each label
MOST_LABELS = 50  # whose words are shown


@dataclass(frozen=True)
class Beginning:
    """What the command line brings.

    suits  whether the model is new, so that its settings follow the labels and the texts
    opens  whether to open the page in a browser
    """

    texts: Sequence[str] = ()
    labels: Sequence[Label] = ()
    seed: int = 0
    suits: bool = False
    opens: bool = False


@dataclass(frozen=True)
class Judgment:
    """What takes a while to find out."""

    accuracy: Accuracy = field(default_factory=lambda: Accuracy(None, None, None, 0, "too few to judge"))
    enough: str | None = None
    telling: tuple[tuple[Label, list[TopTerm]], ...] = ()


class Workbench(Companion):
    """The labeling of a server."""

    def __init__(self, beginning: Beginning | None = None, *, writes: Writes | None = None) -> None:
        """writes: classifies a file and writes another one, as the command line does."""
        self.beginning, self.writes = beginning or Beginning(), writes
        self.version = time.time_ns() // 1_000_000  # higher than those before a restart
        self.judgment = Judgment()
        self.url = ""
        self._labeling: Labeling | None = None
        self._suits = False
        self._queued: set[int] | None = None  # places that may be shown; None: all
        self._lock = threading.Lock()
        self._waiting: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._due = threading.Event()
        self._changes = self._settled = 0  # how many there were, and how many of them are worked up
        self._stopped = False
        self._thread = threading.Thread(target=self._work, name="likelier workbench", daemon=True)

    @property
    def labeling(self) -> Labeling:
        """The labeling, once there is one."""
        if self.service.log is not None and self.service.log.is_shared:
            raise error("labeling-shared")
        if self._labeling is None:
            raise error("not-ready")
        return self._labeling

    # ---- beginning and end ---------------------------------------------------------------------------------------

    def listens(self, url: str) -> None:
        self.url = url

    def begin(self, service: Service) -> None:
        self.service, log = service, service.log
        if log is None:
            self._labeling = Labeling((), model=service.live.model, refills_later=True)
        elif not log.is_shared:
            store.begin(log, self.beginning.seed, suits=self.beginning.suits)
            self._suits = store.suits(log)
            self._labeling = store.read(log).labeling(service.live.model)
            self._queued = {asked.place for asked in self._labeling.next(AHEAD)}
            if self.beginning.labels:
                self._write(drafts.naming(self, self.beginning.labels))
            if self.beginning.texts:
                self._write(drafts.pooling(self, self.beginning.texts, {}))
            self._refill()  # once: it compares the verdicts with those before it
            self._judge()
        self._due.clear()
        self._settled = self._changes
        self._thread.start()
        if self.beginning.opens:
            threading.Thread(target=webbrowser.open, args=[self.url], daemon=True).start()

    def check_load(self) -> None:
        if self._labeling is not None and self._labeling.lessons:
            raise error("load-labeling")

    def swapped(self) -> None:
        self._suits = False  # a model that comes from elsewhere has its own settings
        if self._labeling is not None:
            self._labeling.model = self.service.live.model
            self._labeling.restore(self._labeling.state(), self._labeling.lessons)
            self.named(self._labeling.model.labels)

    def first_settings(self, model: Model) -> Settings:
        if not self._suits:
            return super().first_settings(model)
        return starting.new_model(self.labeling.texts, len(self.labeling.labels)).settings

    def drain(self) -> None:
        self._stopped = True
        self.wake()

    def stop(self) -> None:
        self._stopped = True
        self._due.set()
        if self._thread.is_alive():
            self._thread.join()

    # ---- versions ------------------------------------------------------------------------------------------------

    def changed(self) -> None:
        """Something is new; what takes a while follows."""
        self._changes += 1
        self.wake()
        self._due.set()

    @property
    def is_settled(self) -> bool:
        """Whether the queue and the judgment are those after the last change."""
        return self._settled == self._changes

    def wake(self) -> None:
        """A new version, for all who wait for one."""
        with self._lock:
            self.version += 1
            waiting, self._waiting = self._waiting, []
        for loop, future in waiting:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_end, future)

    async def wait(self, after: int, seconds: float) -> None:
        """As long as this is the newest version, but not longer than this."""
        loop = asyncio.get_running_loop()
        with self._lock:
            if self.version != after or self._stopped:  # one that is not known belongs to another server
                return
            future = loop.create_future()
            self._waiting.append((loop, future))
        with suppress(TimeoutError):
            await asyncio.wait_for(future, seconds)

    # ---- what was done, called by the scribe ---------------------------------------------------------------------

    def followed(self, lesson: Lesson, queue: Sequence[Any]) -> None:
        """A lesson was taught; the queue before it is written down."""
        self.labeling.follow(lesson)
        self._queued = {place for place, _ in (*queue, *lesson.queue)}
        self.changed()

    def added(self, texts: Sequence[str]) -> None:
        """The pool has more texts."""
        self.labeling.add_texts(texts)
        self.changed()

    def named(self, labels: Sequence[Label]) -> None:
        """There are more labels."""
        for label in labels:
            self.labeling.add_label(label)
        self.changed()

    def kept(self, queue: Sequence[Any]) -> None:
        """The queue is written down."""
        self._queued = {place for place, _ in queue}
        self.wake()

    # ---- settings of a model that was made for the labeling ------------------------------------------------------

    def suited(self, model: Model, labels: Sequence[Label]) -> Settings | None:
        """The settings for these labels, where they should change."""
        before = len(self.labeling.labels)
        return drafts.settings_for(model, before, len({*labels})) if self._suits else None

    def suited_to_texts(self, model: Model, texts: Sequence[str]) -> Settings | None:
        """The settings for these texts, as long as nothing was learned and nobody has changed them."""
        if not self._suits or model.documents:
            return None
        before, after = (
            starting.new_model(some, len(self.labeling.labels)).settings for some in (self.labeling.texts, texts)
        )
        return after if model.settings == before != after else None

    # ---- what takes a while --------------------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            self._due.wait()
            self._due.clear()
            if self._stopped:
                return
            changes = self._changes
            try:
                self._refill()
                self._judge()
                self._settled = changes
                self.wake()
            except LikelierError as failure:
                if failure.code == "counts-changed":  # by a lesson, after which all is judged again
                    continue
                report("error", "labeling-failed", code=failure.code, message=failure.message)
            except Exception as failure:
                report("error", "labeling-failed", error=repr(failure))

    def _refill(self) -> None:
        if self._labeling is None:
            return
        before = self._labeling.state()
        self._labeling.refill()
        if self._labeling.state() != before and self.service.scribe is not None:
            self._write(drafts.keeping(self))

    def _judge(self) -> None:
        if self._labeling is None:
            return
        labeling = self._labeling
        telling = tuple((label, labeling.telling_words(label, TELLING)) for label in labeling.labels[:MOST_LABELS])
        self.judgment = Judgment(labeling.accuracy(), labeling.is_enough(), telling)

    def _write(self, drafting: Drafting) -> None:
        """Has the scribe write something, and waits for it."""
        assert self.service.scribe is not None
        self.service.scribe.ask(Request(OPENLY, drafting, alone=True)).result()

    # ---- what is shown -------------------------------------------------------------------------------------------

    def queue(self) -> list[Asked]:
        """The next questions, as far as they are written down."""
        found, queued = self.labeling.next(AHEAD), self._queued
        return found if queued is None else [each for each in found if each.place in queued]


def _end(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)
