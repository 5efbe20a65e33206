"""What is sent back: JSON, problems, streams."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from likelier._base.errors import LikelierError, catalog, status_of
from likelier._serve.lessons import encoded

JSON = "application/json"
PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"
HTML = "text/html; charset=utf-8"
CSV = "text/csv; charset=utf-8"
BYTES = "application/octet-stream"
LONGEST = 1000  # characters of a message: some quote what was given


class Reply(Response):
    """A response whose content is bytes already."""

    def __init__(self, content: bytes, media: str = JSON, status: int = 200) -> None:
        self.status_code, self.body, self.background = status, content, None
        self.raw_headers = [(b"content-length", str(len(content)).encode()), (b"content-type", media.encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body})

    def add(self, name: bytes, value: bytes) -> None:
        """One more header."""
        self.raw_headers.append((name, value))


class Stream(Response):
    """A response that is sent while the request is still being read.

    Starlette's own stream reads the request to see whether the client is gone, and so would take it away.
    """

    def __init__(self, pieces: AsyncIterator[bytes], media: str) -> None:
        self.status_code, self.background, self._pieces = 200, None, pieces
        self.raw_headers = [(b"content-type", media.encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        async for piece in self._pieces:
            await send({"type": "http.response.body", "body": piece, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def json_reply(value: Any, status: int = 200) -> Reply:
    """The value as JSON."""
    return Reply(encoded(value), JSON, status)


def problem(failure: LikelierError, **more: Any) -> dict[str, Any]:
    """An error as RFC 9457 has it, with the code and the message of the library, and a hint for clients."""
    status, message = status_of(failure), _cut(failure.message)
    hint = _cut(catalog()[failure.code].get("server") or failure.hint)
    return {
        "type": f"urn:likelier:{failure.code}",
        "title": failure.code.replace("-", " "),
        "status": status,
        "detail": message,
        "code": failure.code,
        "message": message,
        "hint": hint,
        "error": f"{message}\nhint: {hint}",  # where clients of Hugging Face and KServe look for it
        **more,
    }


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def problem_reply(failure: LikelierError) -> Reply:
    """The response for an error."""
    found = problem(failure)
    reply = Reply(encoded(found), PROBLEM, found["status"])
    if found["status"] == 401:
        reply.add(b"www-authenticate", b"Bearer")
    if found["status"] in (429, 503):
        reply.add(b"retry-after", b"%d" % failure.retry_after)
    return reply
