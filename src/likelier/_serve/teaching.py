"""Endpoints that teach: learn, forget, relabel, undo, changes of the view, another model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from starlette.responses import Response

from likelier._base.errors import error
from likelier._model.exchange import Labeled
from likelier._serve import shapes
from likelier._serve.asking import wanted_documents
from likelier._serve.calls import Call, decoded_as, microseconds
from likelier._serve.drafts import Drafting, changing_view, forgetting, learning, relabeling, undoing
from likelier._serve.lessons import weight_of
from likelier._serve.log import Wanted
from likelier._serve.replies import Reply


async def learn(call: Call) -> Response:
    """Learn documents; all of them, or none."""
    return await _learned_or_forgotten(call, learning)


async def forget(call: Call) -> Response:
    """Forget documents, as if they had never been learned; all of them, or none."""
    return await _learned_or_forgotten(call, forgetting)


async def _learned_or_forgotten(call: Call, drafting: Callable[[Sequence[Labeled]], Drafting]) -> Response:
    body = await call.json_body()
    documents = labeled(call, decoded_as(body, shapes.Teach))
    return await taught(call, drafting(documents), body, len(documents))


def labeled(call: Call, given: shapes.Teach) -> list[Labeled]:
    """The documents of a request, each with its label."""
    documents, is_one = wanted_documents(call, given)
    labels = [given.label] if is_one else given.labels
    if (given.label is None) == is_one or (given.labels is None) != is_one or labels is None:
        raise error("body-shape", reason=f"give {'`label`' if is_one else '`labels`, one for each document'}")
    if len(labels) != len(documents):
        raise error("lengths-differ.request", got=f"{len(documents)} documents and {len(labels)} labels")
    weight = weight_of(given.weight)
    return [Labeled(each, label, weight) for each, label in zip(documents, labels, strict=True) if label is not None]


async def relabel(call: Call) -> Response:
    """Move a document to another label, in one step."""
    body = await call.json_body()
    given = decoded_as(body, shapes.Relabel)
    documents, _ = wanted_documents(call, given)
    drafting = relabeling(documents[0], given.label, given.old, weight_of(given.weight))
    return await taught(call, drafting, body)


async def undo(call: Call) -> Response:
    """Undo lessons: by position, or all of a name or a span of time. Of others only an admin may."""
    body = await call.json_body()
    given = decoded_as(body, shapes.Undo)
    some = [given.position] if given.position is not None else given.positions
    spans = (given.by, given.since, given.until)
    if (some is None) == all(each is None for each in spans) or (given.position is not None and given.positions):
        raise error("undo-wanted")
    since, until = microseconds("since", given.since), microseconds("until", given.until)
    wanted = Wanted(positions=some, name=given.by, since=since, until=until)
    only = None if call.caller.role == "admin" else call.caller.name
    return await taught(call, undoing(call.service.taught(), wanted, only=only), body)


async def change_view(call: Call) -> Response:
    """Change some settings; the others stay."""
    body = await call.json_body()
    changes = decoded_as(body, dict[str, Any])
    return await taught(call, changing_view(lambda model: model.settings.changed_from_dict(changes)), body, 0)


async def reset_view(call: Call) -> Response:
    """Go back to the settings that training chose, or to the textbook's if it did not; those of a labeling suit it."""
    return await taught(call, changing_view(call.service.bench.first_settings), b"", 0)


async def load(call: Call) -> Response:
    """Serve the model file as it is now: a new model is swapped in, and no request is dropped."""
    return Reply(await call.service.load(call.caller, call.header(b"idempotency-key")))


async def taught(call: Call, drafting: Drafting, body: bytes, documents: int = 1) -> Response:
    """Waits until the lessons are written and taught."""
    key = call.header(b"idempotency-key")
    whole = call.scope["method"].encode() + call.scope["path"].encode() + body
    answer = await call.service.teach(call.caller, drafting, documents=documents, key=key, body=whole)
    said = decoded_as(answer, dict[str, Any])
    call.at = said["position"], said["digest"]
    return Reply(answer)
