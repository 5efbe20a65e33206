"""The door: every request comes in here. It finds the endpoint, checks who may, answers, and counts.

An ASGI application. An address has an endpoint for each method; `Endpoint.role` is what it needs.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from likelier._base.errors import LikelierError, error
from likelier._serve.calls import Call
from likelier._serve.parameters import Parameter, given_for
from likelier._serve.replies import Reply, problem_reply
from likelier._serve.reports import report
from likelier._serve.service import Service

Handler = Callable[[Call], Awaitable[Response]]
ZIPPED_FROM = 1024  # bytes of an answer
_ALWAYS = (b"x-content-type-options", b"nosniff")


@dataclass(frozen=True)
class Endpoint:
    """What answers one method of one address.

    All but `handler` and `role` may be left out; then /openapi.json describes the endpoint in general terms. The
    summary there is the first line of the handler's docstring.

    parameters  of the address, see `parameters`; the door reads and checks them, and `call.given` has their values.
                None: the handler looks at the address itself
    bodies      media type → form of the request's body
    answers     media type → form of the answer with status 200
    others      status → form of other answers, beside the errors that follow from the rest
    keyed       whether an Idempotency-Key is taken
    at_once     answers a small request from its body, without waiting for anything; see `connections`

    A form is a class of `shapes` or `answers`, several of them in a tuple, or JSON Schema in a dict. That of JSON Lines
    is the form of a line. None: text or bytes.
    """

    handler: Handler
    role: str
    parameters: tuple[Parameter, ...] | None = None
    bodies: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[str, Any] = field(default_factory=dict)
    others: Mapping[int, Any] = field(default_factory=dict)
    keyed: bool = False
    at_once: Callable[[Call, bytes], Reply] | None = None

    def given(self, query: bytes) -> Mapping[str, Any]:
        """The values of its parameters, by name."""
        known = self.parameters
        return given_for(query, known) if known is not None and (query or self._needs) else self._defaults

    @cached_property
    def _needs(self) -> bool:
        return any(each.required for each in self.parameters or ())

    @cached_property
    def _defaults(self) -> Mapping[str, Any]:
        return {each.name: each.default for each in self.parameters or ()}


# path → method → endpoint; a path that ends in * stands for all that follow
Routes = Mapping[str, Mapping[str, Endpoint]]


class Door:
    """The application."""

    def __init__(self, service: Service, routes: Routes, *, reports_all: bool = False) -> None:
        """reports_all: a line in the report for every request."""
        self.service = service
        self.routes = routes
        self._open_ended = sorted((path for path in routes if path.endswith("*")), key=len, reverse=True)
        self._reports_all = reports_all
        self.quick = {path.encode() for path, methods in routes.items() for each in methods.values() if each.at_once}
        self._zipped = GZipMiddleware(self._answer, minimum_size=ZIPPED_FROM, compresslevel=1)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await _lifespan(receive, send)
        elif scope["type"] == "http":
            headers = scope.get("likelier") or scope.setdefault("likelier", dict(scope["headers"]))
            zipped = b"gzip" in headers.get(b"accept-encoding", b"")
            await (self._zipped if zipped else self._answer)(scope, receive, send)
        else:
            await send({"type": "websocket.close"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        call = Call(self.service, scope, receive, scope["likelier"])
        try:
            reply = await self._admitted(call).handler(call)
        except ClientDisconnect:
            return
        except Exception as failure:
            reply = self._failed(call, failure)
        if scope["method"] == "HEAD" and isinstance(reply, Reply):
            reply.body = b""
        self._place(call, reply)
        try:
            await reply(scope, receive, send)
        except (ClientDisconnect, OSError):
            pass
        except LikelierError as failure:  # in the middle of a stream: the connection is cut, so nobody takes it for all
            report("warning", "stream-cut", route=call.route, code=failure.code)
            raise
        finally:
            self._count(call, reply)

    def at_once(self, scope: Scope, headers: dict[bytes, bytes], body: bytes) -> Reply:
        """The answer to a small request that waits for nothing."""
        call = Call(self.service, scope, _received_all, headers)
        try:
            quick = self._admitted(call).at_once
            assert quick is not None
            reply = quick(call, body)
        except Exception as failure:
            reply = self._failed(call, failure)
        self._place(call, reply)
        self._count(call, reply)
        return reply

    def _admitted(self, call: Call) -> Endpoint:
        """The endpoint, if the caller may ask it."""
        call.route, endpoint = self._found(call)
        self._check(call, endpoint)
        call.given = endpoint.given(call.scope["query_string"])
        return endpoint

    def _place(self, call: Call, reply: Response) -> None:
        live = self.service.live
        reply.raw_headers += _headers(*(call.at or (live.position, live.hex)))

    def _count(self, call: Call, reply: Response) -> None:
        seconds = time.perf_counter() - call.began
        method = call.scope["method"] if call.scope["method"] in _METHODS else "other"
        self.service.metrics.answered(call.route, method, reply.status_code, seconds)
        if self._reports_all:
            report("info", "request", route=call.route, method=method, status=reply.status_code,
                   name=call.caller.name, seconds=round(seconds, 6))  # fmt: skip

    def _found(self, call: Call) -> tuple[str, Endpoint]:
        path, method = call.scope["path"], call.scope["method"]
        methods, route = self.routes.get(path), path
        if methods is None:
            route = next((each for each in self._open_ended if path.startswith(each[:-1])), "")
            if not route:
                raise error("route-missing", path=path)
            methods, call.rest = self.routes[route], path[len(route) - 1 :]
        endpoint = methods.get("GET" if method == "HEAD" else method)
        if endpoint is None:
            raise error("method-wrong", path=path, got=method, allowed=allowed(methods))
        return route, endpoint

    def _check(self, call: Call, endpoint: Endpoint) -> None:
        """Who asks, whether they may, and whether it is no page of another site that asks in their name."""
        host = call.header(b"host") or ""
        origin = call.header(b"origin")
        if origin is not None and origin.partition("://")[2] != host:
            raise error("cross-origin", got=origin)
        if endpoint.role == "nobody":
            return
        forwarded = not _FORWARDED.isdisjoint(call.headers)
        call.caller = self.service.access.caller(call.header(b"authorization"), host, forwarded=forwarded)
        self.service.access.check(call.caller, endpoint.role)

    def _failed(self, call: Call, failure: Exception) -> Reply:
        if not isinstance(failure, LikelierError):
            report("error", "request-failed", route=call.route, error=type(failure).__name__, trace=_trace(failure))
            return problem_reply(error("server-failed"))
        reply = problem_reply(failure)
        if failure.code == "method-wrong":
            methods = (
                self.routes.get(call.scope["path"])
                or self.routes[next(each for each in self._open_ended if call.scope["path"].startswith(each[:-1]))]
            )
            reply.add(b"allow", allowed(methods).encode())
        if reply.status_code >= 500 and failure.code not in _EXPECTED:
            report("error", failure.code, message=failure.message)
        if reply.status_code in (401, 403):
            report("warning", "refused", code=failure.code, path=call.scope["path"][:100], name=call.caller.name)
        return reply


_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
_FORWARDED = {b"forwarded", b"x-forwarded-for", b"x-forwarded-host", b"x-real-ip", b"via"}
_EXPECTED = {"not-ready", "server-busy", "server-stopping", "log-unavailable"}


@lru_cache(maxsize=256)
def _headers(position: int, digest: str) -> tuple[tuple[bytes, bytes], ...]:
    """What every answer has: where it belongs in the log."""
    return (b"likelier-position", b"%d" % position), (b"likelier-digest", digest.encode()), _ALWAYS


def allowed(methods: Mapping[str, Endpoint]) -> str:
    """The methods of an address, as the header Allow has them."""
    return ", ".join(sorted({*methods, *({"HEAD"} if "GET" in methods else ())}))


def _trace(failure: BaseException) -> list[str]:
    """Where it happened: files and lines, and no values."""
    import traceback

    return [
        f"{each.filename.rpartition('likelier/')[2]}:{each.lineno}"
        for each in traceback.extract_tb(failure.__traceback__)
    ]


async def _received_all() -> Message:
    """The body was there already."""
    return {"type": "http.disconnect"}


async def _lifespan(receive: Receive, send: Send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return
