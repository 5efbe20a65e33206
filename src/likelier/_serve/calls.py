"""One request on its way through an endpoint: who asks, the body, the parameters."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Mapping
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope

from likelier._base.errors import error
from likelier._serve.gunzip import Gunzip
from likelier._serve.replies import JSON, LINES
from likelier._serve.service import Service
from likelier._serve.tokens import Caller

BODIES = 16  # of the largest size that may be on their way at once; smaller ones are more
Form = TypeVar("Form")
_NOBODY = Caller("", "nobody")
_DECODERS: dict[Any, msgspec.json.Decoder[Any]] = {}


def decoded_as(body: bytes, form: type[Form]) -> Form:
    """The body as this form, or an error that says what is wrong."""
    decoder = _DECODERS.get(form)
    if decoder is None:
        decoder = _DECODERS[form] = msgspec.json.Decoder(form)
    try:
        found: Form = decoder.decode(body)
    except msgspec.ValidationError as failure:
        raise error("body-shape", reason=failure) from None
    except msgspec.DecodeError as failure:
        raise error("body-json", reason=failure) from None
    except UnicodeDecodeError:
        raise error("body-json", reason="it is not UTF-8") from None
    except RecursionError:
        raise error("body-json.deep") from None
    return found


class Call:
    """A request, and what its endpoint needs."""

    def __init__(self, service: Service, scope: Scope, receive: Receive, headers: dict[bytes, bytes]) -> None:
        self.began = time.perf_counter()
        self.service, self.scope, self.receive, self.headers = service, scope, receive, headers
        self.route = "other"  # its address, as the metrics have it
        self.caller = _NOBODY
        self.given: Mapping[str, Any] = {}  # the parameters of the address
        self.at: tuple[int, str] | None = None  # position and digest that the answer belongs to
        self.rest = ""  # of the path, where an address stands for several

    def header(self, name: bytes) -> str | None:
        """A header as text."""
        found = self.headers.get(name)
        return None if found is None else found.decode("latin-1")

    @property
    def wants_html(self) -> bool:
        """Whether the answer should be a page."""
        accepted = self.headers.get(b"accept", b"")
        return b"text/html" in accepted and b"application/json" not in accepted.partition(b"text/html")[0]

    # ---- the body ------------------------------------------------------------------------------------------------

    @property
    def is_lines(self) -> bool:
        """Whether the body is JSON Lines."""
        return self.media in (LINES, "application/jsonl", "application/x-jsonlines")

    @property
    def media(self) -> str:
        """The media type of the body."""
        return media_in(self.headers.get(b"content-type", b""))

    async def form(self, form: type[Form]) -> Form:
        """The body, which must be JSON of this form."""
        return decoded_as(await self.json_body(), form)

    async def json_body(self) -> bytes:
        """The body, which must be JSON."""
        if self.media != JSON:
            raise error("body-kind", wanted=JSON, got=self.header(b"content-type") or "")
        return await self.body()

    async def body(self) -> bytes:
        """All of the body, decompressed."""
        most = self.service.limits.body
        length = self.headers.get(b"content-length", b"0")
        if length.isdigit():
            self.check_size(int(length))
        is_zipped = self._is_zipped()
        message = await self.receive()
        found = _piece(message)
        if message.get("more_body"):
            found = await self._rest(found, most)
        self.check_size(len(found))
        return await run_in_threadpool(_unzipped, found, most) if is_zipped else found

    def check_size(self, size: int) -> None:
        """Whether a body may have that many bytes."""
        if size > self.service.limits.body:
            raise error("body-too-large", most=self.service.limits.body)

    async def _rest(self, begin: bytes, most: int) -> bytes:
        pieces, size, more, service = [begin], len(begin), True, self.service
        try:
            while more and size <= most:
                message = await self.receive()
                pieces.append(_piece(message))
                size, more = size + len(pieces[-1]), message.get("more_body", False)
                service.held += len(pieces[-1])
                if service.held > most * BODIES:
                    raise error("server-busy")
            return b"".join(pieces)
        finally:
            service.held -= size - len(begin)

    def _is_zipped(self) -> bool:
        encoding = self.headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"gzip", b"identity", b""):
            raise error("body-encoding", got=encoding.decode("latin-1"))
        return encoding == b"gzip"

    def lines(self) -> AsyncIterator[list[bytes]]:
        """The lines of the body, as they arrive; some at a time."""
        return self._lines(Gunzip() if self._is_zipped() else None)

    async def _lines(self, unzip: Gunzip | None) -> AsyncIterator[list[bytes]]:
        most, left, size, more = self.service.limits.body, list[bytes](), 0, True
        while more:
            message = await self.receive()
            piece, more = _piece(message), message.get("more_body", False)
            for text in [piece] if unzip is None else unzip.pieces(piece):
                first, *others = text.split(b"\n")
                left.append(first)
                size += len(first)
                if size > most:
                    raise error("body-too-large", most=most)
                if others:
                    whole = [b"".join(left), *others[:-1]]
                    left, size = [others[-1]], len(others[-1])
                    yield whole
        if unzip is not None:
            unzip.end()
        if size:
            yield [b"".join(left)]


def microseconds(name: str, text: str | None) -> int | None:
    """A time as the log has it.

    >>> microseconds("since", "1970-01-01T00:00:01Z"), microseconds("since", None)
    (1000000, None)
    """
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        found = found.replace(tzinfo=UTC) if found.tzinfo is None else found
        return round(found.timestamp() * 1_000_000)
    except (ValueError, OverflowError):
        rule = "must be a time such as 2026-11-18T09:00:00Z"
        raise error("parameter-wrong", name=name, rule=rule, got=text) from None


def in_iso(at: int) -> str:
    """A time of the log.

    >>> in_iso(1_000_000)
    '1970-01-01T00:00:01.000000Z'
    """
    return datetime.fromtimestamp(at / 1_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


@lru_cache(maxsize=256)
def media_in(header: bytes) -> str:
    """The media type of a Content-Type, without its parameters."""
    return header.partition(b";")[0].strip().lower().decode("latin-1")


def _piece(message: Message) -> bytes:
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    found: bytes = message.get("body", b"")
    return found


def _unzipped(body: bytes, most: int) -> bytes:
    unzip, found, size = Gunzip(), [], 0
    for text in unzip.pieces(body):
        found.append(text)
        size += len(text)
        if size > most:
            raise error("body-too-large", most=most)
    unzip.end()
    return b"".join(found)
