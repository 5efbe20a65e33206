"""One request on its way through an endpoint: who asks, the body, the parameters."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import msgspec
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope

from likelier._base.errors import error
from likelier._serve.replies import JSON, LINES
from likelier._serve.service import Service
from likelier._serve.tokens import Caller

Form = TypeVar("Form")
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
        self.service, self.scope, self.receive, self.headers = service, scope, receive, headers
        self.caller: Caller = Caller("", "nobody")
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
        return self._media() in (LINES, "application/jsonl", "application/x-jsonlines")

    def _media(self) -> str:
        return self.headers.get(b"content-type", b"").partition(b";")[0].strip().lower().decode("latin-1")

    async def form(self, form: type[Form]) -> Form:
        """The body, which must be JSON of this form."""
        return decoded_as(await self.json_body(), form)

    async def json_body(self) -> bytes:
        """The body, which must be JSON."""
        if self._media() != JSON:
            raise error("body-kind", wanted=JSON, got=self.header(b"content-type") or "")
        return await self.body()

    async def body(self) -> bytes:
        """All of the body, decompressed."""
        most = self.service.limits.body
        length = self.headers.get(b"content-length", b"0")
        if length.isdigit() and int(length) > most:
            raise error("body-too-large", most=most)
        try:
            async with asyncio.timeout(self.service.limits.seconds):
                message = await self.receive()
                found = _piece(message)
                if message.get("more_body"):
                    found = await self._rest(found, most)
        except TimeoutError:
            raise error("body-slow", seconds=self.service.limits.seconds) from None
        zipped = self._is_zipped()
        return _unzipped(found, most) if zipped else found

    async def _rest(self, begin: bytes, most: int) -> bytes:
        pieces, size, more = [begin], len(begin), True
        while more:
            message = await self.receive()
            pieces.append(_piece(message))
            size, more = size + len(pieces[-1]), message.get("more_body", False)
            if size > most:
                raise error("body-too-large", most=most)
        return b"".join(pieces)

    def _is_zipped(self) -> bool:
        encoding = self.headers.get(b"content-encoding", b"identity").strip().lower()
        if encoding not in (b"gzip", b"identity", b""):
            raise error("body-encoding", got=encoding.decode("latin-1"))
        return encoding == b"gzip"

    async def lines(self) -> AsyncIterator[list[bytes]]:
        """The lines of the body, as they arrive; some at a time."""
        most, unzip = self.service.limits.body, zlib.decompressobj(31) if self._is_zipped() else None
        left, more = b"", True
        while more:
            try:
                async with asyncio.timeout(self.service.limits.seconds):
                    message = await self.receive()
            except TimeoutError:
                raise error("body-slow", seconds=self.service.limits.seconds) from None
            more = message.get("more_body", False)
            piece = _piece(message)
            while piece or not more:
                if unzip is not None:
                    try:
                        text, piece = unzip.decompress(piece, most), unzip.unconsumed_tail
                    except zlib.error:
                        raise error("body-gzip") from None
                else:
                    text, piece = piece, b""
                *whole, left = (left + text).split(b"\n")
                if len(left) > most:
                    raise error("body-too-large", most=most)
                if whole:
                    yield whole
                if not piece:
                    break
        if left.strip():
            yield [left]

    # ---- parameters ----------------------------------------------------------------------------------------------

    def parameters(self, *known: str) -> dict[str, str]:
        """The parameters of the address; one that is not known is an error."""
        found = dict(parse_qsl(self.scope["query_string"].decode("latin-1"), keep_blank_values=True))
        for name, value in found.items():
            if name not in known:
                rule = (
                    f"is not known here; there are {', '.join(known)}" if known else "is not known here; there are none"
                )
                raise error("parameter-wrong", name=name, rule=rule, got=value)
            if "\0" in value or not _is_text(value):
                raise error("parameter-wrong", name=name, rule="must be text", got=value)
        return found


def whole_number(given: dict[str, str], name: str, default: int, least: int, most: int) -> int:
    """A parameter that is an integer."""
    text = given.get(name)
    if text is None:
        return default
    if not text.isascii() or not text.isdigit() or len(text) > 18 or not least <= int(text) <= most:
        raise error("parameter-wrong", name=name, rule=f"must be an integer from {least} to {most}", got=text)
    return int(text)


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


def _piece(message: Message) -> bytes:
    if message["type"] == "http.disconnect":
        raise ClientDisconnect
    found: bytes = message.get("body", b"")
    return found


def _unzipped(body: bytes, most: int) -> bytes:
    found, size = [], 0
    while body:
        unzip = zlib.decompressobj(31)
        try:
            found.append(unzip.decompress(body, most - size + 1))
        except zlib.error:
            raise error("body-gzip") from None
        size += len(found[-1])
        if size > most or unzip.unconsumed_tail:
            raise error("body-too-large", most=most)
        if not unzip.eof:
            raise error("body-gzip")
        body = unzip.unused_data
    return b"".join(found)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
