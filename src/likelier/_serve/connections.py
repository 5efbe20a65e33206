"""Connections that do not get stuck: a limit for headers, and for the time that a client may take.

uvicorn waits forever for the rest of a request, and for a client that does not read its answer. A timer for each
request would cost as much as a tenth of an answer, so connections only note since when they wait, and are looked at
every second.

A small request to an address that never waits for anything (`Endpoint.at_once`) is answered where it is read, by the
same rules; but there is no task for it, and the answer is written at once. That halves the cost of a verdict.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from likelier._base.errors import error
from likelier._serve.asking import SHORT
from likelier._serve.calls import media_in
from likelier._serve.door import ZIPPED_FROM
from likelier._serve.replies import JSON, PROBLEM, problem_reply

LONGEST_HEAD = 1 << 16  # bytes of the request line and all headers
SLOWEST_HEAD = 20.0  # seconds
SLOWEST_BODY = 30.0  # seconds without a byte; and a body that takes longer must have that many bytes a second:
LEAST_RATE = 1000
SLOWEST_READER = 60.0  # seconds without reading anything of an answer
_UPGRADE = re.compile(rb"\r\nupgrade:", re.IGNORECASE)


def _without_upgrade(data: bytes) -> bytes:
    """A head without the wish for another protocol, with which the parser leaves out the body; Java's client has it."""
    head, end, body = data.partition(b"\r\n\r\n")
    return _UPGRADE.sub(b"\r\nno-upgrade:", head) + end + body


class Patient:
    """The way back to a client that wants its connection closed: not before it has sent all of its request.

    A client that sends first and reads then, such as Python's urllib, would lose the answer to a body that is refused.
    """

    def __init__(self, connection: Guarded) -> None:
        self._connection = connection
        self.write, self.is_closing = connection.transport.write, connection.transport.is_closing

    def close(self) -> None:
        """Closes now, or at the end of the request, whose rest nobody reads any more."""
        if self._connection._is_answered:
            self._connection.ends = True
        else:
            self._connection.transport.close()


class Guarded(HttpToolsProtocol):
    """One connection, and what it waits for."""

    waits_for = "next"  # the next request, the rest of its head, its body, or nothing
    began = 0.0  # when it began to wait for that
    heard = 0.0  # when the last bytes came
    size = 0  # bytes since it began
    whole: bytearray | None = None  # the body of a request that is answered where it is read
    fields: Mapping[bytes, bytes] = {}  # its headers
    stuck = 0.0  # since when the client does not read; 0 if it does
    ends = False  # at the end of the request that is under way
    unread = 0  # bytes that it had not read when it was looked at last

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait("next")

    def data_received(self, data: bytes) -> None:
        self.heard = self.loop.time()
        self.size += len(data)
        if b"pgrade:" in data and self.waits_for != "body":
            data = _without_upgrade(data)
        if self.waits_for == "head" and self.size > LONGEST_HEAD + len(data):  # what came before was all head
            self.refuse("head-too-large")
            return
        super().data_received(data)
        if self.waits_for == "head" and self.size > LONGEST_HEAD:
            self.refuse("head-too-large")

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._wait("head")

    def on_headers_complete(self) -> None:
        self.whole = bytearray() if self._is_quick() else None
        if self.whole is None:
            super().on_headers_complete()
            if not self.cycle.keep_alive:
                self.cycle.transport = Patient(self)  # type: ignore[assignment]
        self._wait("body")

    def on_body(self, body: bytes) -> None:
        if self.whole is None:
            super().on_body(body)
        else:
            self.whole += body

    def on_message_complete(self) -> None:
        self.waits_for = "nothing"
        if self.whole is None:
            super().on_message_complete()
            if self.ends:
                self.transport.close()
            elif self.cycle.response_complete:  # it was refused before it was complete
                self._wait("next")
        else:
            self._answer_at_once(bytes(self.whole))

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.waits_for == "nothing":
            self._wait("next")

    def send_400_response(self, msg: str) -> None:
        self.refuse("http-malformed")

    def pause_writing(self) -> None:
        super().pause_writing()
        self.stuck = self.loop.time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self.stuck = 0.0

    def _wait(self, what: str) -> None:
        self.waits_for, self.size = what, 0
        self.began = self.heard = self.loop.time()

    # ---- answered where it is read -------------------------------------------------------------------------------

    def _is_quick(self) -> bool:
        if self.url not in self.app.quick or self.parser.get_method() != b"POST" or self.expect_100_continue:
            return False
        if self.cycle is not None and not self.cycle.response_complete:
            return False  # an answer before this one is not finished
        headers = self.fields = dict(self.headers)
        length = headers.get(b"content-length", b"")
        return (
            length.isdigit()
            and int(length) < (ZIPPED_FROM if b"gzip" in headers.get(b"accept-encoding", b"") else SHORT)
            and media_in(headers.get(b"content-type", b"")) == JSON
            and b"content-encoding" not in headers
            and self.parser.get_http_version() == "1.1"
        )

    def _answer_at_once(self, body: bytes) -> None:
        scope: Any = self.scope
        scope.update(method="POST", path=self.url.decode("ascii"), raw_path=self.url, query_string=b"")
        reply = self.app.at_once(scope, self.fields, body)
        keeps = self.parser.should_keep_alive()
        lines = [STATUS_LINE[reply.status_code]]
        for name, value in (*self.server_state.default_headers, *reply.raw_headers):
            lines += (name, b": ", value, b"\r\n")
        lines += (b"\r\n" if keeps else b"connection: close\r\n\r\n", reply.body)
        self.transport.write(b"".join(lines))
        if keeps:
            self.server_state.total_requests += 1
            self._wait("next")
        else:
            self.transport.close()

    # ---- looked at every second ----------------------------------------------------------------------------------

    def look(self, now: float) -> None:
        """Ends the connection if its client takes too long."""
        waited = now - self.began
        if self.stuck or self.transport.is_closing():
            self._look_at_reader(now)
        elif self.flow.read_paused:  # it is not the client who is slow
            self.heard = now
        elif self.waits_for == "head" and waited > SLOWEST_HEAD:
            self.refuse("head-slow")
        elif self.waits_for == "next" and waited > self.timeout_keep_alive:
            self.transport.close()
        elif self.waits_for == "body" and waited > SLOWEST_BODY and self._is_slow(now, waited):
            self.refuse("body-slow")

    def _look_at_reader(self, now: float) -> None:
        left = self.transport.get_write_buffer_size()
        if left < self.unread or not self.stuck:
            self.stuck = now
        self.unread = left
        if now - self.stuck > SLOWEST_READER:
            self.transport.abort()

    def _is_slow(self, now: float, waited: float) -> bool:
        """JSON Lines may come now and then; anything else is to be sent in one go."""
        if now - self.heard > SLOWEST_BODY or self._is_answered:
            return True
        media = dict(self.headers).get(b"content-type", b"").partition(b";")[0]
        return media == b"application/json" and self.size < waited * LEAST_RATE

    @property
    def _is_answered(self) -> bool:
        """Whether the request is answered although its body is not complete."""
        return self.whole is None and self.waits_for == "body" and bool(self.cycle.response_complete)

    def refuse(self, code: str) -> None:
        """Answers with an error and ends the connection; only ends it if another answer is due or has begun."""
        if self.transport.is_closing():
            return
        if self._is_answered:
            self.transport.close()
            return
        is_busy = self.cycle is not None and not self.cycle.response_complete
        if is_busy and (self.cycle.response_started or self.waits_for != "body" or self.pipeline):
            self.transport.abort()  # an answer to this request would be taken for that to the one before
            return
        reply: Any = problem_reply(error(code))
        lines = [
            f"HTTP/1.1 {reply.status_code} refused", f"content-type: {PROBLEM}",
            f"content-length: {len(reply.body)}", "connection: close", "", "",
        ]  # fmt: skip
        self.transport.write("\r\n".join(lines).encode() + reply.body)
        self.transport.close()
