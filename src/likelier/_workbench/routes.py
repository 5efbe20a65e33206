"""Every address of the workbench, and all of the server's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from likelier._serve import answers
from likelier._serve.door import Endpoint, Handler, Routes
from likelier._serve.parameters import Parameter, integer, needed, text
from likelier._serve.replies import BYTES, HTML, JSON
from likelier._serve.routes import described
from likelier._serve.routes import routes as server_routes
from likelier._serve.shapes import LAST
from likelier._workbench import doing, forms, looking, pages, words

_SHARED = {409: answers.Problem}
MOST_FOUND, MOST_LESSONS = 1000, 500


def every() -> Routes:
    """Those of the server, of the workbench, and its pages."""
    own = {**server_routes(), **routes()}
    shown = {path: {**own.get(path, {}), **methods} for path, methods in pages.routes().items()}
    return described({**own, **shown})


def routes() -> Routes:
    """Those of the workbench."""
    return {**_doing(), **_looking(), **_words()}


def _optional(name: str, description: str) -> Parameter:
    found = integer(name, description, 0, 0, LAST)
    schema = {key: value for key, value in found.schema.items() if key != "default"}
    return replace(found, default=None, schema=schema)


def _doing() -> Routes:
    name = needed(text("name", "Name of the file, whose ending says what it is."))
    column = text("column", "Column with the texts. Default: guessed.")
    encoding = text("encoding", "Text encoding, e.g. cp1251. Default: UTF-8; else detected.")
    taught = {
        "answer": _taught(doing.answer, forms.Give),
        "skip": _taught(doing.skip, forms.Skip),
        "undo": _taught(doing.undo, forms.TakeBack, {404: answers.Problem}),
        "word": _taught(doing.word, forms.TeachWord),
        "accept": _taught(doing.accept, forms.Accept),
        "labels": _taught(doing.labels, forms.NewLabel),
    }
    pooled: dict[str, Any] = {"role": "teach", "answers": {JSON: forms.Pooled}, "keyed": True}
    return {
        **{f"/v1/labeling/{path}": {"POST": each} for path, each in taught.items()},
        "/v1/labeling/pool": {
            "POST": Endpoint(
                doing.pool, parameters=(name, column, encoding), bodies={BYTES: None, JSON: forms.Texts}, **pooled
            )
        },
        "/v1/labeling/sample": {"POST": Endpoint(doing.sample, parameters=(), **pooled)},
        "/v1/labeling/model": {
            "POST": Endpoint(
                doing.model, "admin", parameters=(), bodies={BYTES: None}, answers={JSON: forms.State}, others=_SHARED
            )
        },
        "/v1/labeling/file": {
            "POST": Endpoint(
                words.file,
                "read",
                parameters=(name, column),
                bodies={BYTES: None},
                answers=dict.fromkeys(words.MEDIA.values()),
                others=_SHARED,
            )
        },
    }


def _taught(handler: Handler, body: Any, others: Mapping[int, Any] | None = None) -> Endpoint:
    return Endpoint(
        handler,
        "teach",
        parameters=(),
        bodies={JSON: body},
        answers={JSON: forms.State},
        others=others or {},
        keyed=True,
    )


def _looking() -> Routes:
    place = _optional("place", "Index of a text in the pool.")
    asked = {
        "": (looking.state, forms.State, (_optional("after", "Wait for a version after this one, at most 25 s."),)),
        "/question": (looking.question, forms.Question, (needed(place),)),
        "/search": (
            looking.search,
            forms.Search,
            (needed(text("text", "What to look for.")), integer("limit", "How many at most.", 50, 1, MOST_FOUND)),
        ),
        "/check": (looking.check, forms.Check, ()),
        "/history": (
            looking.history,
            forms.History,
            (
                _optional("before", "Only lessons before this number."),
                integer("limit", "How many at most.", 50, 1, MOST_LESSONS),
            ),
        ),
        "/causes": (looking.causes, forms.Causes, (place, text("text", "A text; it takes precedence over `place`."))),
    }
    return {
        f"/v1/labeling{path}": {"GET": Endpoint(handler, "read", parameters, answers={JSON: form}, others=_SHARED)}
        for path, (handler, form, parameters) in asked.items()
    }


def _words() -> Routes:
    pair = (
        needed(text("label", "The label that terms speak for.")),
        needed(text("against", "The label to compare with.")),
        integer("k", "How many at most.", 100, 1, words.MOST_RATIOS),
        text("search", "Only terms that contain this."),
    )
    page = {HTML: None}
    return {
        "/v1/ratios": {"GET": Endpoint(words.ratios, "public", pair, answers={JSON: forms.Ratios})},
        "/v1/derivation": {
            "GET": Endpoint(words.derivation, "public", (needed(text("text", "The text.")),), answers=page)
        },
        "/v1/labeling/report": {"GET": Endpoint(words.report, "read", (), answers=page, others=_SHARED)},
    }
