"""Connections that do not get stuck: a limit for headers, and for the time that a client may take.

uvicorn waits forever for the rest of a request's head, and for a client that does not read its answer.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from likelier._base.errors import error
from likelier._serve.replies import PROBLEM, problem_reply

LONGEST_HEAD = 1 << 16  # bytes of the request line and all headers
SLOWEST_HEAD = 20.0  # seconds
SLOWEST_READER = 60.0  # seconds without reading anything of an answer


class Guarded(HttpToolsProtocol):
    """One connection."""

    _timer: asyncio.TimerHandle | None = None
    _writing: asyncio.TimerHandle | None = None
    _in_head = True
    _head = 0  # bytes of the head so far

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait_for_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel()
        self.resume_writing_timer()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._in_head:
            self._head += len(data)
            if self._head > LONGEST_HEAD + len(data):  # what came before was all head
                self._refuse("head-too-large")
                return
        super().data_received(data)
        if self._in_head and self._head > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse("head-too-large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head, self._head = True, 0
        self._wait_for_head()

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._cancel()
        super().on_headers_complete()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._in_head, self._head = True, 0

    def send_400_response(self, msg: str) -> None:
        self._refuse("http-malformed")

    def pause_writing(self) -> None:
        super().pause_writing()
        self._writing = self.loop.call_later(SLOWEST_READER, self.transport.abort)

    def resume_writing(self) -> None:
        self.resume_writing_timer()
        super().resume_writing()

    def resume_writing_timer(self) -> None:
        """The client reads again."""
        if self._writing is not None:
            self._writing.cancel()
            self._writing = None

    def _wait_for_head(self) -> None:
        if self._timer is None:
            self._timer = self.loop.call_later(SLOWEST_HEAD, self._too_slow)

    def _cancel(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        if self.cycle is None or self.cycle.response_complete:
            self._refuse("head-slow") if self._head else self.transport.close()

    def _refuse(self, code: str) -> None:
        reply: Any = problem_reply(error(code))
        lines = [
            f"HTTP/1.1 {reply.status_code} refused", f"content-type: {PROBLEM}",
            f"content-length: {len(reply.body)}", "connection: close", "", "",
        ]  # fmt: skip
        if not self.transport.is_closing():
            self.transport.write("\r\n".join(lines).encode() + reply.body)
            self.transport.close()
