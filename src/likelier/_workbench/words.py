"""Endpoints about words and texts: ratios, the derivation of a verdict, a file with its labels, the report."""

from __future__ import annotations

import math
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._base.errors import error
from likelier._evaluate.report.page import report as report_page
from likelier._explain.derivation import readable_form
from likelier._serve.asking import label_named, stands
from likelier._serve.calls import Call
from likelier._serve.replies import HTML, Reply, json_reply
from likelier._workbench import files
from likelier._workbench.doing import bench_of

MOST_RATIOS = 1000
_POLICY = b"default-src 'none'; style-src 'unsafe-inline'; img-src data:"
MEDIA = {
    ".csv": "text/csv; charset=utf-8",
    ".tsv": "text/tab-separated-values; charset=utf-8",
    ".json": "application/json",
    ".jsonl": "application/x-ndjson",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_OTHERS = {".ndjson": ".jsonl", ".tab": ".tsv", **dict.fromkeys([".xls", ".xlsm", ".xlsb", ".ods"], ".xlsx")}


async def ratios(call: Call) -> Response:
    """The terms that speak most for a label against another one, and in how many documents of each they occur."""
    return json_reply(await run_in_threadpool(_ratios, call))


def _ratios(call: Call) -> dict[str, Any]:
    live, given = call.service.current(), call.given
    with live.reading() as call.at:
        view = live.model.view()
        label, against = (label_named(view, given[name]) for name in ("label", "against"))
        wanted = (given["search"] or "").casefold()
        found = view.log_ratios(label, against, k=None if wanted else given["k"])
        terms = [term for term in found if wanted in term.casefold()][: given["k"]]
        counts = view.column().counts
        return {
            "label": label,
            "against": against,
            "ratios": [
                {
                    "term": term,
                    "log_odds": found[term] if math.isfinite(found[term]) else None,
                    "times": [float(counts.of(term, each, "df")) for each in (label, against)],
                }
                for term in terms
            ],
            **stands(call),
        }


async def derivation(call: Call) -> Response:
    """The verdict on a text derived as on a board, as a piece of HTML."""
    text = call.given["text"]
    call.service.check_text(text)
    return await run_in_threadpool(_derived, call, text)


def _derived(call: Call, text: str) -> Response:
    live = call.service.current()
    with live.reading() as call.at:
        view = live.model.view()
        found = view.derivation(text, form=readable_form(view.explain(text)))
        return Reply(found.to_html().encode(), HTML)


# ---- files -------------------------------------------------------------------------------------------------------


async def file(call: Call) -> Response:
    """Classify the rows of a file: the same file comes back, with columns for label and probability."""
    body, name = await call.body(), call.given["name"]
    async with call.service.evaluating:
        return await run_in_threadpool(_filed, call, name, body, call.given["column"])


def _filed(call: Call, name: str, content: bytes, column: str | None) -> Response:
    bench, live = bench_of(call), call.service.current()
    if bench.writes is None:
        raise error("route-missing", path=call.scope["path"])
    with files.uploaded(name, content) as given:
        source = files.as_table(given)
        suffix = source.suffix.lower()
        target = given.with_name(f"{given.stem}-labeled{suffix if suffix in MEDIA else _OTHERS.get(suffix, '.csv')}")
        with live.reading() as call.at:
            view = live.model.view()
        text = files.text_column(str(source), column) if view.schema.is_plain else None
        bench.writes(view, source, target, text)
        return attachment(target.name, target.read_bytes(), MEDIA[target.suffix])


def attachment(name: str, content: bytes, media: str) -> Reply:
    """A file to be saved under this name."""
    reply = Reply(content, media)
    plain = "".join(each if each.isascii() and (each.isalnum() or each in "-_.") else "_" for each in name)
    reply.add(
        b"content-disposition", f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}".encode()
    )
    return reply


async def report(call: Call) -> Response:
    """The report of the library over all labeled texts, each judged by the model without it."""
    async with call.service.evaluating:
        return await run_in_threadpool(_reported, call)


def _reported(call: Call) -> Response:
    found = report_page(bench_of(call).labeling.evaluation(), title=f"{call.service.name}: labeled texts")
    reply = Reply(found.encode(), HTML)
    reply.add(b"content-security-policy", _POLICY)
    return reply
