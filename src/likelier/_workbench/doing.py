"""Endpoints that change the labeling: answers, skipped texts, words, undo, labels, the pool."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._base.errors import error
from likelier._serve.calls import Call, decoded_as
from likelier._serve.drafts import Drafting
from likelier._serve.lessons import weight_of
from likelier._serve.replies import JSON, json_reply
from likelier._serve.service import Service, check_key
from likelier._serve.snapshots import read_model
from likelier._workbench import drafts, files, forms, shown
from likelier._workbench.bench import Workbench
from likelier.demo import documents

_JSON_NAMES = (".json", ".jsonl", ".ndjson")


def bench_of(call: Call) -> Workbench:
    """The labeling of this server."""
    call.service.current()
    bench = call.service.bench
    assert isinstance(bench, Workbench)
    return bench


def writing_bench(call: Call) -> Workbench:
    """The same, where it can be changed."""
    bench = bench_of(call)
    call.service.taught()
    _ = bench.labeling
    return bench


async def answer(call: Call) -> Response:
    """Label a text, or relabel it; the model learns it at once."""
    body = await call.json_body()
    given = decoded_as(body, forms.Give)
    return await _taught(call, drafts.answer(given.place, given.label), body)


async def skip(call: Call) -> Response:
    """Do not ask for a text again; if it has a label, the model forgets it."""
    body = await call.json_body()
    return await _taught(call, drafts.skip(decoded_as(body, forms.Skip).place), body)


async def undo(call: Call) -> Response:
    """Take the last lesson of the labeling back, exactly; or another one by its number. Of others only an admin may."""
    body = await call.json_body()
    only = None if call.caller.role == "admin" else call.caller.name
    return await _taught(call, drafts.undo(decoded_as(body, forms.TakeBack).number, only), body)


async def word(call: Call) -> Response:
    """Teach that a word speaks for a label; how much it counts is chosen by evidence. The weight 0 takes it back."""
    body = await call.json_body()
    given, bench = decoded_as(body, forms.TeachWord), writing_bench(call)
    weight = None if given.weight is None else weight_of(given.weight)
    if weight is None:  # which takes a while, and is no work for the scribe
        label = drafts.spelled(call.service.current().model, given.label)
        weight = (await run_in_threadpool(bench.labeling.draft_word, given.word, label)).weight
    return await _taught(call, drafts.word(given.word, given.label, weight), body)


async def accept(call: Call) -> Response:
    """Label all texts whose verdict is probable enough, in one lesson; or only count them."""
    body = await call.json_body()
    given, bench = decoded_as(body, forms.Accept), bench_of(call)
    check_key(call.header(b"idempotency-key"))
    if given.only_count:
        lesson = await run_in_threadpool(bench.labeling.draft_accept, given.threshold)
        found = await run_in_threadpool(partial(bench.labeling.accuracy, at_least=given.threshold))
        return await _state(call, {"accepted": len(lesson.places), "sure": shown.accuracy(found)})
    return await _taught(call, drafts.accept(given.threshold), body)


async def labels(call: Call) -> Response:
    """Add a label."""
    body = await call.json_body()
    given, bench = decoded_as(body, forms.NewLabel), writing_bench(call)
    await _written(call, drafts.naming(bench, [given.label]), body)
    return await _state(call)


async def _taught(call: Call, make: drafts.Making, body: bytes) -> Response:
    bench = writing_bench(call)
    said = await _written(call, drafts.teaching(bench, call.caller.name, make), body)
    return await _state(call, {"accepted": said["accepted"]} if "accepted" in said else {})


async def _written(call: Call, drafting: Drafting, body: bytes, documents: int = 1) -> dict[str, Any]:
    """Waits until it is written and taught; the answer."""
    key, service = call.header(b"idempotency-key"), call.service
    whole = call.scope["path"].encode() + call.scope["query_string"] + body
    said = await service.teach(call.caller, drafting, documents=documents, key=key, body=whole, alone=True)
    return decoded_as(said, dict[str, Any])


async def _state(call: Call, more: dict[str, Any] | None = None) -> Response:
    found = await run_in_threadpool(shown.state, bench_of(call))
    call.at = found["position"], found["digest"]
    return json_reply({**found, **(more or {})})


async def model(call: Call) -> Response:
    """Begin with a model that is there already: its file takes the place of one that has learned nothing yet."""
    writing_bench(call)
    content = await call.body()
    await run_in_threadpool(_check_model, content)
    await call.service.begin_with(call.caller, content)
    return await _state(call)


def _check_model(content: bytes) -> None:
    with files.uploaded("model.likelier", content) as path:
        read_model(path)


# ---- the pool ----------------------------------------------------------------------------------------------------


async def pool(call: Call) -> Response:
    """Add the texts of a file to the pool, or a list of texts; those that it has already are left out."""
    body, name = await call.body(), call.given["name"]
    if call.media == JSON and Path(name).suffix.lower() not in _JSON_NAMES:
        found = files.Texts([each for each in decoded_as(body, forms.Texts).texts if each.strip()], [], None)
    else:
        found = await run_in_threadpool(texts_in, name, body, call.given["column"], call.given["encoding"])
    return await _pooled(call, found, name, body)


def texts_in(name: str, content: bytes, column: str | None, encoding: str | None) -> files.Texts:
    """The texts of a file that a request brought."""
    with files.uploaded(name, content) as path:
        return files.texts_of([str(path)], column, encoding)


async def sample(call: Call) -> Response:
    """Add a sample to the pool: messages to a shop."""
    return await _pooled(call, files.Texts([text for text, _ in documents()], [], None), "sample", b"")


async def _pooled(call: Call, found: files.Texts, name: str, body: bytes) -> Response:
    bench = writing_bench(call)
    if not found.texts:
        raise error("pool-empty", name=name)
    await run_in_threadpool(check_lengths, call.service, found.texts)
    said = {"columns": found.columns, "column": found.column}
    answer = await _written(call, drafts.pooling(bench, found.texts, said), body, documents=0)
    call.at = answer["position"], answer["digest"]
    return json_reply(answer)


def check_lengths(service: Service, texts: list[str]) -> None:
    """Whether each text is short enough, and can be stored."""
    service.check_text(max(texts, key=len))
    for place, text in enumerate(texts):
        try:
            text.encode()
        except UnicodeEncodeError:
            raise error("body-json", reason=f"text {place} has half of a surrogate pair") from None
