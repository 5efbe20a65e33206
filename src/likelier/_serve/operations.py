"""Endpoints for those who run the server: health, readiness, metrics, the OpenAPI document."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._serve.calls import Call
from likelier._serve.metrics import MEDIA
from likelier._serve.openapi import document_json
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


async def openapi(call: Call) -> Response:
    """The OpenAPI document of this server."""
    return Reply(document_json(call.service.access.openly))
