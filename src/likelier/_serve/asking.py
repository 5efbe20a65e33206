"""Endpoints that ask the model: classify, explain, model, view, terms."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec.structs import astuple
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._answer.verdict import Verdict, Verdicts
from likelier._base.errors import LikelierError, error
from likelier._base.version import VERSION
from likelier._documents.labels import Label
from likelier._explain.sentences import decision
from likelier._model.column_view import TopTerm
from likelier._model.view import View
from likelier._read.intake import asked, asked_one
from likelier._serve import answers, shapes
from likelier._serve.calls import Call, decoded_as
from likelier._serve.lessons import encoded, weight_of
from likelier._serve.live import Live
from likelier._serve.replies import HTML, LINES, Reply, Stream, json_reply, problem
from likelier._settings.in_words import settings_rows
from likelier._show.html_words import page

SHORT = 1 << 15  # bytes of a body that is answered at once; a longer one is answered by another thread
MANY = 1000  # documents for which it is worth its time to use several threads
MOST_TERMS, MOST_LABELS = 1000, 100


# ---- classify ----------------------------------------------------------------------------------------------------


def said_once(verdict: Verdict, position: int, digest: str, top: int | None) -> answers.Verdict:
    """A verdict as JSON has it; labels are text in `probabilities`."""
    label, probabilities = verdict.label, verdict.probabilities
    probability = verdict.probability if label is None else probabilities[label]
    named = shortened({str(each): number for each, number in probabilities.items()}, top)
    shares = (probability, named, verdict.unknown_share)
    return answers.Verdict(label, *shares, verdict.reason, position=position, digest=digest)


def shortened(probabilities: dict[str, float], top: int | None) -> dict[str, float]:
    """All of them, or the highest ones first."""
    return probabilities if top is None else dict(sorted(probabilities.items(), key=lambda each: -each[1])[:top])


def said(verdicts: Verdicts, top: int | None = None) -> list[answers.OneOfThem]:
    """Many verdicts, likewise."""
    names, every = tuple(map(str, verdicts.all_labels)), verdicts.probabilities
    named: list[Any]
    if top is None and len(names) <= MOST_LABELS and (form := _by_label(names)) is not None:
        named = list(map(form, *every.T.tolist()))
    else:
        named = [shortened(dict(zip(names, each, strict=True)), top) for each in every.tolist()]
    one, unknown = verdicts.probability.tolist(), verdicts.unknown_share.tolist()
    return list(map(answers.OneOfThem, verdicts.labels, one, named, unknown, verdicts.reasons))


@lru_cache(maxsize=16)
def _by_label(names: tuple[str, ...]) -> type[msgspec.Struct] | None:
    """An object with a number for each label, which is made in half the time of a dict; None if it cannot be."""
    fields = [f"label_{place}" for place in range(len(names))]
    try:
        return msgspec.defstruct(
            "ByLabel", [(each, float) for each in fields], rename=dict(zip(fields, names, strict=True)), gc=False
        )
    except ValueError:  # one has a quotation mark, say
        return None


async def classify(call: Call) -> Response:
    """Classify one document, several, or JSON Lines as they arrive."""
    call.service.current()
    if call.is_lines:
        return Stream(_answered_lines(call, call.lines()), LINES)
    body = await call.json_body()
    given = decoded_as(body, shapes.Classify)
    return _classified(call, given) if len(body) < SHORT else await run_in_threadpool(_classified, call, given)


def classify_at_once(call: Call, body: bytes) -> Reply:
    """The same for a small body that is there already."""
    call.check_size(len(body))
    return _classified(call, decoded_as(body, shapes.Classify))


def _classified(call: Call, given: shapes.Classify) -> Reply:
    live = call.service.current()
    text = given.text
    if text is not None and given.texts is None and given.document is None and given.documents is None:
        call.service.check_text(text)
        with live.model.gate.reading:
            verdict, position, digest = live.model.classify(text), live.position, live.hex
        call.at = position, digest
        return Reply(encoded(said_once(verdict, position, digest, given.top)))
    documents, is_one = wanted_documents(call, given)
    verdicts, notes = verdicts_on(call, live, documents)
    at, found = {**stands(call), "notes": notes or msgspec.UNSET}, said(verdicts, given.top)
    return json_reply(answers.Verdict(*astuple(found[0]), **at) if is_one else answers.Verdicts(verdicts=found, **at))


def wanted_documents(call: Call, given: Any) -> tuple[Sequence[Any], bool]:
    """The documents of a request, and whether it is one."""
    there = [name for name in ("text", "texts", "document", "documents") if getattr(given, name, None) is not None]
    if len(there) != 1:
        raise error(
            "body-shape", reason=f"give one of text, texts, document, documents; got {', '.join(there) or 'none'}"
        )
    (name,) = there
    if name.startswith("document") and call.service.live.model.schema.is_plain:
        raise error("document-kind.plain")
    found = getattr(given, name)
    several = found if name.endswith("s") else [found]
    (call.service.check_texts if name.startswith("text") else call.service.check_rows)(several)
    return several, not name.endswith("s")


def verdicts_on(call: Call, live: Live, documents: Sequence[Any]) -> tuple[Verdicts, list[str]]:
    """The verdicts of one state, and notes such as columns that the model does not know."""
    batch = asked(live.model.schema, list(documents))
    with live.reading() as at:
        found = live.model.view().classify_many(batch, threads=1 if len(batch) < MANY else None)
        call.at = at
    return found, list(batch.notes)


def stands(call: Call) -> dict[str, Any]:
    """Where the answer belongs in the log."""
    assert call.at is not None
    return {"position": call.at[0], "digest": call.at[1]}


async def _answered_lines(call: Call, given: AsyncIterator[list[bytes]]) -> AsyncIterator[bytes]:
    """A line of JSON for each line; a line that cannot be used gets an error, and the others go on."""
    number = 0
    try:
        async for lines in given:
            for start in range(0, len(lines), call.service.limits.batch):
                some = lines[start : start + call.service.limits.batch]
                yield await run_in_threadpool(_lines_answered, call, some, number)
                number += len(some)
    except LikelierError as failure:  # there are no lines to go on with: the last one says why
        yield encoded(problem(failure, line=number + 1)) + b"\n"
        raise


def _lines_answered(call: Call, lines: Sequence[bytes], before: int) -> bytes:
    found: list[Any] = [None] * len(lines)
    asked_for: list[tuple[int, Any, Any]] = []
    for place, line in enumerate(lines):
        if not line.strip():
            continue
        try:
            given = decoded_as(line, shapes.Line)
            documents, _ = wanted_documents(call, given)
            asked_one(call.service.live.model.schema, documents[0])  # says what is wrong with this one
            asked_for.append((place, documents[0], given.id))
        except LikelierError as failure:
            found[place] = problem(failure, line=before + place + 1)
    if asked_for:
        verdicts, _ = verdicts_on(call, call.service.current(), [each for _, each, _ in asked_for])
        for (place, _, name), verdict in zip(asked_for, said(verdicts), strict=True):
            found[place] = answers.LineVerdict(
                *astuple(verdict), **stands(call), id=msgspec.UNSET if name is None else name
            )
    return b"".join(encoded(each) + b"\n" for each in found if each is not None)


# ---- explain -----------------------------------------------------------------------------------------------------


async def explain(call: Call) -> Response:
    """Explain the verdict on a document: as JSON, or as a page."""
    given = await call.form(shapes.Explain)
    documents, _ = wanted_documents(call, given)
    return await run_in_threadpool(_explained, call, documents[0], given.against)


def _explained(call: Call, document: Any, against: Label | None) -> Response:
    live = call.service.current()
    with live.reading() as call.at:
        found = live.model.explain(document, against=against)
        if call.wants_html:
            below = f"{call.service.name}, position {call.at[0]}, digest {call.at[1]}"
            return Reply(page(found.to_html(), title=f"{decision(found, str)}: explained", below=below).encode(), HTML)
        return json_reply(found.to_dict() | stands(call))


# ---- the model and its view --------------------------------------------------------------------------------------


async def model(call: Call) -> Response:
    """What is served: labels, sizes, view, digest; with `counts_digest=true` also the SHA-256 of the counts."""
    return await run_in_threadpool(_model, call, call.given["counts_digest"])


def _model(call: Call, with_digest: bool) -> Response:
    live = call.service.current()
    with live.reading() as call.at:
        found, counts = live.model, live.model.counts
        documents = counts.documents_per_label
        return json_reply(
            {
                "labels": [{"label": label, "documents": float(number)} for label, number in documents.items()],
                "documents": float(found.documents),
                "terms": sum(len(each.vocabulary) for each in counts.columns.values()),
                "columns": {name: kind.name for name, kind in found.schema.columns.items()},
                "view": found.settings.to_dict(),
                "has_ledger": found.ledger is not None,
                "likelier": VERSION,
                **({"counts_digest": found.counts.digest()} if with_digest else {}),
                **stands(call),
            }
        )


async def view(call: Call) -> Response:
    """The settings that the model answers by."""
    live = call.service.current()
    with live.reading() as call.at:
        return json_reply(view_as_plain(live) | stands(call))


def view_as_plain(live: Live) -> dict[str, Any]:
    """Settings as they are stored, and in words."""
    rows = settings_rows(live.model.settings, live.model.schema)
    words = [{"setting": name, "value": value, "textbook": usual or value} for name, value, usual in rows]
    return {"settings": live.model.settings.to_dict(), "in_words": words}


async def terms(call: Call) -> Response:
    """The terms and values that best distinguish each label, or one label."""
    return await run_in_threadpool(_terms, call, call.given["label"], call.given["k"], call.given["column"])


def _terms(call: Call, name: str | None, k: int, column: str | None) -> Response:
    live = call.service.current()
    with live.reading() as call.at:
        found: View = live.model.view()
        labels = found.labels[:MOST_LABELS] if name is None else [label_named(found, name)]
        listed = [
            {"label": label, "terms": [_term(each) for each in found.top_terms(label, k, column=column)]}
            for label in labels
        ]
    return Reply(encoded({"labels": listed, **stands(call)}))


def _term(one: TopTerm) -> dict[str, Any]:
    return {"term": one.term, "telling": one.telling, "times": weight_of(float(one.times))}


def label_named(found: View, name: str) -> Label:
    """The label that is written like this."""
    for label in found.labels:
        if str(label) == name:
            return label
    return name  # which is an error that lists the labels
