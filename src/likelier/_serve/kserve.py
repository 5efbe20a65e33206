"""KServe's protocol, version 1: `GET /v1/models/NAME`, `POST /v1/models/NAME:predict` and `:explain`.

The name of the model is that of its file, without the ending.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._base.errors import error
from likelier._read.intake import asked
from likelier._serve import foreign
from likelier._serve.asking import SHORT, said, stands, verdicts_on
from likelier._serve.calls import Call, decoded_as
from likelier._serve.replies import json_reply

MOST_EXPLAINED = 100  # documents of one request


async def models(call: Call) -> Response:
    """The models of this server: one."""
    return json_reply({"models": [call.service.name]})


async def ready(call: Call) -> Response:
    """Whether the model is ready to be asked."""
    _check_name(call, call.rest)
    if not call.service.is_ready:
        raise error("not-ready")
    return json_reply({"name": call.rest, "ready": True})


async def predict_or_explain(call: Call) -> Response:
    """Predict or explain, by the end of the address."""
    name, _, what = call.rest.rpartition(":")
    if what not in ("predict", "explain"):
        raise error("route-missing", path=call.scope["path"])
    _check_name(call, name)
    body = await call.body()  # whatever its type: curl -d sends that of a form
    given = _given(decoded_as(body, foreign.Instances))
    if what == "explain":
        return await run_in_threadpool(_explained, call, given)
    return _predicted(call, given) if len(body) < SHORT else await run_in_threadpool(_predicted, call, given)


def _check_name(call: Call, name: str) -> None:
    call.service.current()
    if name != call.service.name:
        raise error("model-name", known=call.service.name, got=name)


def _given(body: foreign.Instances) -> list[foreign.Instance]:
    if (body.instances is None) == (body.inputs is None):
        raise error("body-shape", reason="give `instances` or `inputs`")
    return body.instances or body.inputs or []


def _predicted(call: Call, given: Sequence[foreign.Instance]) -> Response:
    live = call.service.current()
    verdicts, notes = verdicts_on(call, live, foreign.documents(call, live, given))
    more = {"notes": notes} if notes else {}
    return json_reply({"predictions": said(verdicts), **more, **stands(call)})


def _explained(call: Call, given: Sequence[foreign.Instance]) -> Response:
    live = call.service.current()
    if len(given) > MOST_EXPLAINED:
        raise error("batch-too-large", most=MOST_EXPLAINED, got=len(given))
    several = foreign.documents(call, live, given)
    batch = asked(live.model.schema, several)
    with live.reading() as call.at:
        view = live.model.view()
        answer: dict[str, Any] = {
            "predictions": said(view.classify_many(batch)),
            "explanations": [view.explain(each).to_dict() for each in several],
        }
    return json_reply(answer | stands(call))
