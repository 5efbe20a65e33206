"""Somebody who waits for lessons, and what becomes of it on the way: a draft, numbered lessons, an answer."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field

from likelier._serve.drafts import Draft, Drafting
from likelier._serve.lessons import Lesson


@dataclass
class Request:
    """Somebody who waits for lessons."""

    name: str
    drafting: Drafting
    key: str | None = None
    digest: bytes | None = None  # of the request, to tell whether a key comes with the same one again
    alone: bool = False  # in a turn of its own: what it drafts depends on what was done before
    ticket: str = field(default_factory=lambda: uuid.uuid4().hex)
    future: Future[bytes] = field(default_factory=Future)  # of the answer
    began: float = field(default_factory=time.monotonic)
    draft: Draft | None = None
    lessons: Sequence[Lesson] = ()
    answer: bytes = b""

    def refuse(self, failure: BaseException) -> None:
        """Answers with an error."""
        if not self.future.done():
            self.future.set_exception(failure)

    def accept(self) -> None:
        """Answers that it is done."""
        if self.draft is not None and self.draft.done is not None:
            self.draft.done()
        if not self.future.done():
            self.future.set_result(self.answer)

    def answer_as(self, other: Request) -> None:
        """Gets the same answer as another request, when that has one."""

        def copy(done: Future[bytes]) -> None:
            failure = done.exception()
            if failure is not None:
                self.refuse(failure)
            elif not self.future.done():
                self.future.set_result(done.result())

        other.future.add_done_callback(copy)

    @property
    def loads(self) -> bool:
        """Whether it puts another model in place of the one that is served."""
        return self.draft is not None and self.draft.model is not None
