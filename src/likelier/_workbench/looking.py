"""Endpoints that look at the labeling: its state, single texts, search, checks, history, causes."""

from __future__ import annotations

import math
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._label.labeling import Labeling
from likelier._serve.calls import Call
from likelier._serve.replies import json_reply
from likelier._workbench import shown, store
from likelier._workbench.bench import Workbench
from likelier._workbench.doing import bench_of

WAIT = 25.0  # seconds at most for news
BINS = 10  # of the calibration
MOST = 20  # mistakes, suspicious labels, contradictions
CAUSES = 8


async def state(call: Call) -> Response:
    """The labeling as it is: the next questions, progress, accuracy; with `after` once it is newer than that."""
    bench = bench_of(call)
    _ = bench.labeling
    if call.given["after"] is not None:
        await bench.wait(call.given["after"], WAIT)
    found = await run_in_threadpool(shown.state, bench)
    call.at = found["position"], found["digest"]
    return json_reply(found)


async def question(call: Call) -> Response:
    """One text of the pool with its verdict, and what its words say."""
    labeling, model = bench_of(call).labeling, call.service.current().model
    return json_reply(await run_in_threadpool(shown.question, labeling, model, call.given["place"]))


async def search(call: Call) -> Response:
    """The texts of the pool that contain something, in upper or lower case."""
    return json_reply(await run_in_threadpool(_found, bench_of(call), call.given["text"], call.given["limit"]))


def _found(bench: Workbench, text: str, limit: int) -> dict[str, Any]:
    labeling = bench.labeling
    places = labeling.search(text)
    return {"found": [_one(labeling, place) for place in places[:limit]], "total": len(places)}


def _one(labeling: Labeling, place: int) -> dict[str, Any]:
    mark = labeling.mark(place)
    label, how = (None, None) if mark is None else (mark.label, mark.how)
    return {"place": place, "text": shown.short(labeling.texts[place]), "label": label, "how": how}


# ---- checks ------------------------------------------------------------------------------------------------------


async def check(call: Call) -> Response:
    """How good the model is by leave-one-out, and which labels may be wrong."""
    async with call.service.evaluating:
        return json_reply(await run_in_threadpool(_checked, bench_of(call)))


def _checked(bench: Workbench) -> dict[str, Any]:
    labeling = bench.labeling
    return {
        "accuracy": shown.accuracy(labeling.accuracy()),
        **_evaluated(labeling),
        "suspicious": [
            {**each._asdict(), "text": labeling.texts[each.place], "log_odds": _finite(each.log_odds)}
            for each in labeling.suspicious(MOST)
        ],
        "contradictions": [
            {"places": list(each.places), "text": labeling.texts[each.places[0]], "labels": list(each.labels)}
            for each in labeling.contradictions()[:MOST]
        ],
    }


def _evaluated(labeling: Labeling) -> dict[str, Any]:
    if len({*labeling.labeled.values()}) < 2:
        return {"confusion": {"labels": [], "counts": []}, "calibration": [], "mistakes": []}
    found = labeling.evaluation()
    labels = list(found.labels)
    bins, counts = found.figures.reliability_in(bins=BINS).bins, found.figures.confusion.matrix
    return {
        "confusion": {"labels": labels, "counts": counts[: len(labels), : len(labels)].tolist()},
        "calibration": [
            {"from": each.low, "to": each.high, "documents": each.documents, "mean": each.confidence,
             "share": each.accuracy}
            for each in bins
        ],
        "mistakes": [
            {"place": place, "text": labeling.texts[place], "label": each.label, "likelier": each.verdict.label,
             "probability": each.verdict.probability}
            for place, each in labeling.mistakes(MOST)
        ],
    }  # fmt: skip


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None


# ---- lessons -----------------------------------------------------------------------------------------------------


async def history(call: Call) -> Response:
    """The lessons of the labeling, the newest first; those that were undone too."""
    bench = bench_of(call)
    if call.service.log is None:
        return json_reply({"lessons": []})
    return json_reply(await run_in_threadpool(_history, bench, call.given["before"], call.given["limit"]))


def _history(bench: Workbench, before: int | None, limit: int) -> dict[str, Any]:
    labeling, log = bench.labeling, bench.service.taught()
    lines = store.lines(log, before, limit)
    undone = store.undone(log, [each.number for each in lines])
    return {"lessons": [shown.history(labeling, each, undone=each.number in undone) for each in lines]}


async def causes(call: Call) -> Response:
    """The lessons without which a verdict would fall, found by forgetting them and asking again."""
    place, text = call.given["place"], call.given["text"]
    asked = text if text is not None else "" if place is None else place
    async with call.service.evaluating:
        return json_reply(await run_in_threadpool(_caused, bench_of(call), asked))


def _caused(bench: Workbench, document: int | str) -> dict[str, Any]:
    labeling = bench.labeling
    found = labeling.causes(document, CAUSES)
    text = document if isinstance(document, str) else labeling.texts[document]
    return {
        "verdict": shown.verdict(bench.service.live.model, text)["verdict"],
        "causes": [shown.named(labeling, each.lesson) for each in found.lessons],
        "falls_to": found.instead,
        "complete": found.falls,
    }
