"""The scribe: one thread that writes lessons down and then teaches them. Whoever asks for a lesson waits for it.

Requests that wait at the same time share a turn, and so a commit. In a turn the scribe

1. follows what other servers have appended,
2. rehearses: makes the changes and takes them back, inside the gate, so that nobody sees them; what fails is refused,
3. appends the lessons and commits,
4. changes the model, and only then answers.

So the log holds only lessons that can be replayed, the model only lessons that are on the disk, and if writing fails
there is nothing to take back. After a lost connection the next turn finds by its ticket whether a request was written.
"""

from __future__ import annotations

import queue
import threading
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from itertools import groupby

from likelier._base.errors import LikelierError, error
from likelier._serve.lessons import NOTHING, encoded, moved
from likelier._serve.live import Live
from likelier._serve.log import Log, Rows, append, last, note_snapshot, tail, with_key
from likelier._serve.reports import report
from likelier._serve.requests import Request
from likelier._serve.snapshots import Snapshots
from likelier._serve.spans import Span, taught

TOGETHER = 500  # requests that share a turn
PATIENCE = 10  # seconds to try again while the log cannot be reached


class Scribe:
    """Writes lessons, one turn after the other."""

    def __init__(self, log: Log, live: Live, snapshots: Snapshots, failed: Callable[[BaseException], object]) -> None:
        """failed: called when the model no longer is what the log says, after which nothing can be taught."""
        self.log, self.live, self.snapshots = log, live, snapshots
        self._failed = failed
        self._waiting: queue.SimpleQueue[Request | None] = queue.SimpleQueue()
        self._looks = threading.Event()  # a look at the log is waiting already
        self._stops = False
        self._ended = False
        self._under_way: Sequence[Request] = ()
        self._thread = threading.Thread(target=self._work, name="likelier scribe", daemon=True)
        self.taught: Counter[str] = Counter()  # lessons by kind, those of others too
        self.problem: LikelierError | None = None  # why the log could not be written last time

    def start(self) -> None:
        """Begins to write."""
        self._thread.start()

    def ask(self, request: Request) -> Future[bytes]:
        """Lessons to be written and taught."""
        self._waiting.put(request)
        if self._ended:  # nobody would look at it
            self._refuse_rest()
        return request.future

    def look(self) -> None:
        """Others may have appended lessons."""
        if not self._looks.is_set():
            self._looks.set()
            self._waiting.put(None)

    def stop(self) -> None:
        """Ends when what waits is done, with a snapshot."""
        self._stops = True
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join()
        self._ended = True

    # ---- turns ---------------------------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            while True:
                self._under_way = self._taken()
                if self._under_way or self._looks.is_set():
                    self._looks.clear()
                    for some in _turns(self._under_way):
                        self._turn_until_done(some)
                self.snapshots.take_if_due(self.live, self.log, final=self._stops and self._waiting.empty())
                if self._stops and self._waiting.empty():
                    return
        except BaseException as failure:
            report("critical", "scribe-failed", error=repr(failure))
            self._failed(failure)
            for each in self._under_way:
                each.refuse(error("server-failed"))
        finally:
            self._ended = True
            self._refuse_rest()

    def _refuse_rest(self) -> None:
        with suppress(queue.Empty):
            while True:
                if (request := self._waiting.get_nowait()) is not None:
                    request.refuse(error("server-stopping"))

    def _taken(self) -> list[Request]:
        """What waits; after a while nothing, so that snapshots are taken by time too."""
        try:
            found = [self._waiting.get(timeout=self.snapshots.wait())]
        except queue.Empty:
            return []
        most = 1 if self.live.model.pruned is not None else TOGETHER  # those cannot rehearse
        while len(found) < most and not self._waiting.empty():
            found.append(self._waiting.get())
        return [each for each in found if each is not None and each.future.set_running_or_notify_cancel()]

    def _turn_until_done(self, requests: Sequence[Request]) -> None:
        """A turn, and others if the log could not be reached; what was written is not written again."""
        open_ones = list(requests)
        while True:
            try:
                self._turn(open_ones)
                self.problem = None
                return
            except LikelierError as failure:
                if failure.code != self.problem_code:
                    report("error", failure.code, message=failure.message)
                self.problem = failure
                now = time.monotonic()
                if failure.code == "log-unavailable" and not self._stops:
                    for each in open_ones:
                        if now - each.began > PATIENCE:
                            each.refuse(failure)
                    open_ones = [each for each in open_ones if not each.future.done()]
                    if open_ones:
                        time.sleep(0.2)
                        continue
                for each in open_ones:
                    each.refuse(failure)
                return

    @property
    def problem_code(self) -> str | None:
        """The code of the last problem with the log."""
        return None if self.problem is None else self.problem.code

    def _turn(self, requests: Sequence[Request]) -> None:
        with self.log.turn() as rows:
            while span := tail(rows, self.live.position):
                self.follow(span, requests)
            fresh = [each for each in requests if not each.future.done()]
            drafted = self._drafted(rows, fresh)
            ready = self._rehearsed(drafted)
            self._number(rows, ready)
            for each in ready:
                append(rows, each.lessons)
                if each.draft is not None and each.draft.also is not None:
                    each.draft.also(rows, each.lessons)
                if each.draft is not None and each.loads:
                    note_snapshot(rows, each.draft.checksum, each.lessons[-1].position, each.lessons[-1].at)
        with _apart():
            for each in ready:
                self._teach(each)

    def follow(self, span: Span, requests: Sequence[Request] = ()) -> None:
        """Teaches what is in the log already, perhaps also what was asked for here before the connection broke."""
        if "load" in span.kind:
            loads = [position for position, kind in zip(span.position, span.kind, strict=True) if kind == "load"]
            self.live = self.snapshots.loaded_by_others(loads[-1], self.log)
        rest = span.part(bisect_right(span.position, self.live.position))
        self.live.replay(rest, self.log.name)
        self.snapshots.count(len(rest))
        self.taught.update(span.kind)
        written = set(span.ticket)
        for request in requests:
            if request.ticket in written:
                request.accept()

    def _drafted(self, rows: Rows, requests: Sequence[Request]) -> list[Request]:
        """The requests for which there are lessons to write. A key that was there before is answered as then."""
        found, keys, refers = [], dict[tuple[str, str], Request](), set[int]()
        for request in requests:
            try:
                if request.key is not None and self._answered_before(rows, request, keys):
                    continue
                request.draft = request.drafting(rows, self.live)
                undone = {each.refers for each in request.draft.lessons if each.refers is not None}
                if undone & refers:
                    raise error("lesson-undone", position=min(undone & refers), by="another request")
                refers |= undone
                found.append(request)
            except self.log.failure:
                raise
            except Exception as failure:
                request.refuse(failure)
        return sorted(found, key=lambda each: each.loads)  # the others were drafted for the model as it is

    def _answered_before(self, rows: Rows, request: Request, keys: dict[tuple[str, str], Request]) -> bool:
        assert request.key is not None
        name = (request.name, request.key)
        if name in keys:  # twice at the same moment: one is enough, and both get its answer
            first = keys[name]
            if first.digest != request.digest:
                raise error("key-reused", key=request.key)
            request.answer_as(first)
            return True
        before = with_key(rows, *name)
        if before is None:
            keys[name] = request
            return False
        if before.request != request.digest:
            raise error("key-reused", key=request.key)
        request.answer = bytes(before.answer or b"")
        request.accept()
        return True

    def _rehearsed(self, requests: Sequence[Request]) -> list[Request]:
        """The requests whose changes the model takes, one after the other; it is as before at the end."""
        found, made = [], []
        with self.live.model.gate.writing:
            try:
                for request in requests:
                    exchange = request.draft.exchange if request.draft else None
                    try:
                        if exchange is not None and self.live.model.pruned is not None:
                            exchange.check()
                        elif exchange is not None:
                            self.live.rehearse(exchange)
                            made.append(exchange)
                        found.append(request)
                    except LikelierError as failure:
                        request.refuse(failure)
            finally:
                with _apart():
                    for each in reversed(made):
                        each.take_back()
        return found

    def _number(self, rows: Rows, requests: Sequence[Request]) -> None:
        """Gives the lessons their positions, times and digests, and prepares what is answered."""
        position, before = last(rows)
        digest = self.live.digest
        at = max(time.time_ns() // 1000, before)  # also when the clock goes backwards
        for request in requests:
            assert request.draft is not None
            numbered, drafted = [], request.draft.lessons
            if request.key is not None and not drafted:
                drafted = [NOTHING]  # a place for the key
            for each in drafted:
                position += 1
                digest = each.digest or moved(digest, [each.put], [each.took])
                numbered.append(
                    each._replace(position=position, at=at, name=request.name, digest=digest, ticket=request.ticket)
                )
            said = {"lessons": len(request.draft.lessons), "position": position, "digest": digest.hex()}
            request.answer = encoded(said | request.draft.said)
            if request.key is not None:
                numbered[0] = numbered[0]._replace(key=request.key, request=request.digest, answer=request.answer)
            request.lessons = numbered

    def _teach(self, request: Request) -> None:
        draft = request.draft
        assert draft is not None
        if draft.model is not None:
            self.live = Live(draft.model, request.lessons[-1].position, request.lessons[-1].digest)
            self.snapshots.is_new(draft.checksum)
        elif request.lessons:
            with self.live.model.gate.writing:
                if draft.exchange is not None:
                    draft.exchange.make()
                if draft.settings is not None:
                    self.live.use(draft.settings)
                documents = taught((each.put, each.took, each.weight) for each in request.lessons)
                self.live.move(request.lessons[-1].position, request.lessons[-1].digest, documents)
            self.snapshots.count(len(request.lessons))
        self.taught.update(each.kind for each in request.lessons)
        request.accept()


def _turns(requests: Sequence[Request]) -> Iterator[Sequence[Request]]:
    """Requests that share a turn; at least one, because a look at the log is a turn too."""
    if not requests:
        yield []
    for _, some in groupby(enumerate(requests), lambda each: each[0] if each[1].alone else -1):
        yield [request for _, request in some]


class _Apart(Exception):
    """The model is not what the log says: loading both again is the way out."""


@contextmanager
def _apart() -> Iterator[None]:
    """What fails in here leaves a model that is not what the log says."""
    try:
        yield
    except BaseException as failure:
        raise _Apart(repr(failure)) from failure
