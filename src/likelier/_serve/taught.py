"""Endpoints about what was taught: documents, lessons, teachers, evaluation, exports."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import asdict, replace
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from likelier._base.errors import error
from likelier._serve.asking import stands
from likelier._serve.calls import Call, in_iso
from likelier._serve.lessons import Lesson, decoded, dumped, encoded, loaded_document, loaded_label, weight_of
from likelier._serve.log import Log, Wanted
from likelier._serve.replies import BYTES, CSV, LINES, Reply, json_reply

MOST = 1000  # lessons on one page


def wanted(call: Call, **more: Any) -> Wanted:
    """Which lessons the parameters ask for."""
    given = call.given
    label = given["label"]
    return Wanted(
        after=given.get("after", 0),
        limit=given.get("limit", MOST),
        name=given["by"],
        label=None if label is None else _label_as_stored(call, label),
        since=given["since"],
        until=given["until"],
        search=given["search"],
        **more,
    )


def _label_as_stored(call: Call, name: str) -> str:
    labels = call.service.current().model.labels
    return dumped(next((label for label in labels if str(label) == name), name))


def lesson_as_plain(lesson: Lesson) -> dict[str, Any]:
    """A lesson as JSON has it."""
    found: dict[str, Any] = {
        "position": lesson.position,
        "kind": lesson.kind,
        "at": in_iso(lesson.at),
        "by": lesson.name,
        "digest": bytes(lesson.digest).hex(),
    }
    if lesson.put is not None or lesson.took is not None:
        found |= {"document": None if lesson.document is None else loaded_document(lesson)}
        found |= {"weight": weight_of(lesson.weight)}
        found |= {"learned": loaded_label(lesson.learned)} if lesson.learned is not None else {}
        found |= {"forgot": loaded_label(lesson.forgot)} if lesson.forgot is not None else {}
    found |= {"settings": decoded(lesson.settings)} if lesson.settings is not None else {}
    return found | ({"undoes": lesson.refers} if lesson.refers is not None else {})


async def lessons(call: Call) -> Response:
    """The log: every lesson, who taught it, and when."""
    which = wanted(call, kind=call.given["kind"], newest_first=call.given["newest_first"])
    return await _listed(call, which, "lessons")


async def documents(call: Call) -> Response:
    """The documents that were taught and are in the model, by whom, and when."""
    return await _listed(call, wanted(call, active=call.service.current().position), "documents")


async def _listed(call: Call, which: Wanted, name: str) -> Response:
    log, live = call.service.taught(), call.service.current()
    call.at = live.position, live.hex
    if which.newest_first and which.after:
        which = replace(which, after=0, before=which.after)
    if which.search is not None:
        await _check_texts(log, which)
    found = await run_in_threadpool(log.lessons, which)
    shown = [lesson_as_plain(each) if name == "lessons" else document_as_plain(each) for each in found]
    more = {"next": found[-1].position} if len(found) == which.limit else {}
    return json_reply({name: shown, **more, **stands(call)})


async def _check_texts(log: Log, which: Wanted) -> None:
    """Whether the documents of these lessons are all there, whatever is searched for in them."""
    erased = await run_in_threadpool(log.lessons, replace(which, search=None, erased=True, limit=1))
    if erased:
        raise error("texts-not-kept", position=f": lesson {erased[0].position}")


def document_as_plain(lesson: Lesson) -> dict[str, Any]:
    """A document that is in the model."""
    assert lesson.learned is not None
    document = None if lesson.document is None else loaded_document(lesson)
    return {
        "position": lesson.position,
        **({"text": document} if document is None or isinstance(document, str) else {"document": document}),
        "label": loaded_label(lesson.learned),
        "weight": weight_of(lesson.weight),
        "by": lesson.name,
        "at": in_iso(lesson.at),
    }


async def teachers(call: Call) -> Response:
    """Who taught how much, and whose lessons contradict those of the others far more than chance."""
    log, live = call.service.taught(), call.service.current()
    found, call.at = await run_in_threadpool(call.service.audit.made, live, log)
    return json_reply({"teachers": [asdict(each) for each in found], **stands(call)})


# ---- evaluation --------------------------------------------------------------------------------------------------


async def evaluate(call: Call) -> Response:
    """Exact leave-one-out of what was taught: each document is judged by the model without it."""
    async with call.service.evaluating:
        return await run_in_threadpool(_evaluated, call)


def _evaluated(call: Call) -> Response:
    log, live = call.service.taught(), call.service.current()
    with live.reading() as call.at:
        model = live.model.copy()
    pairs, weights = [], []
    for chunk in log.every(Wanted(active=call.at[0])):
        for each in chunk:
            if each.document is None:
                raise error("texts-not-kept", position=f": lesson {each.position}")
            assert each.learned is not None
            pairs.append((loaded_document(each), loaded_label(each.learned)))
            weights.append(weight_of(each.weight))
    if not pairs:
        raise error("evaluate-nothing")
    return json_reply({"evaluation": model.evaluate(pairs, weights=weights).to_dict(), **stands(call)})


# ---- exports -----------------------------------------------------------------------------------------------------


async def export_model(call: Call) -> Response:
    """The model file, as it is now."""
    return await run_in_threadpool(_exported, call)


def _exported(call: Call) -> Response:
    live = call.service.current()
    with live.reading() as call.at:
        content = live.model.to_bytes()
    found = Reply(content, BYTES)
    found.add(b"content-disposition", b'attachment; filename="model.likelier"')
    return found


async def export_documents(call: Call) -> Response:
    """The documents that were taught and are in the model: as JSON Lines, or as CSV."""
    form = call.given["format"]
    live, log = call.service.current(), call.service.taught()
    which = wanted(call, active=live.position)
    await _check_texts(log, which)
    columns = None if live.model.schema.is_plain else list(live.model.schema.read)
    pieces = _as_lines(call, which) if form == "jsonl" else _as_csv(call, which, columns)
    found = StreamingResponse(pieces, media_type=LINES if form == "jsonl" else CSV)
    found.headers["content-disposition"] = f'attachment; filename="documents.{form}"'
    return found


def _as_lines(call: Call, which: Wanted) -> Iterator[bytes]:
    for chunk in call.service.taught().every(which):
        yield b"".join(encoded(document_as_plain(each)) + b"\n" for each in chunk)


def _as_csv(call: Call, which: Wanted, columns: list[str] | None) -> Iterator[bytes]:
    names = ["text"] if columns is None else columns
    yield _csv([[*names, "label", "weight", "by", "at"]])
    for chunk in call.service.taught().every(which):
        rows = []
        for each in chunk:
            document = loaded_document(each)
            row = {"text": document} if isinstance(document, str) else document
            ends = [decoded(each.learned or "null"), weight_of(each.weight), each.name, in_iso(each.at)]
            rows.append([*(row.get(name) for name in names), *ends])
        yield _csv(rows)


def _csv(rows: list[list[Any]]) -> bytes:
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows(rows)
    return written.getvalue().encode()
