"""Endpoints for those who run the server: health, readiness, metrics, the OpenAPI document."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._serve.calls import Call
from likelier._serve.door import Routes
from likelier._serve.lessons import encoded
from likelier._serve.metrics import MEDIA
from likelier._serve.openapi import document
from likelier._serve.replies import Reply, json_reply


async def healthz(call: Call) -> Response:
    """Whether the process is alive."""
    return json_reply({"status": "alive"})


async def readyz(call: Call) -> Response:
    """Whether the server wants requests: not while it replays the log, and not while it stops."""
    service = call.service
    status = "ready" if service.is_ready else "stopping" if service.is_stopping else "starting"
    return json_reply({"status": status}, 200 if service.is_ready else 503)


async def metrics(call: Call) -> Response:
    """Metrics in Prometheus' text format."""
    return Reply(await run_in_threadpool(call.service.metrics.text), MEDIA)


class Description:
    """Describes the addresses of a server."""

    def __init__(self, routes: Routes) -> None:
        self._routes = routes
        self._made: dict[str, bytes] = {}  # by the role of whoever sends no token

    async def openapi(self, call: Call) -> Response:
        """The OpenAPI document of this server."""
        openly = call.service.access.openly
        if openly not in self._made:
            self._made[openly] = encoded(document(openly, self._routes))
        return Reply(self._made[openly])
