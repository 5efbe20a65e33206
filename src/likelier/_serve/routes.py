"""Every address of the server: its methods, what answers them, the role they need, and how they are described."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from likelier._serve import answers, asking, foreign, huggingface, kserve, operations, shapes, taught, teaching
from likelier._serve.door import Endpoint, Handler, Routes
from likelier._serve.label_studio import Backend
from likelier._serve.lessons import KINDS
from likelier._serve.metrics import MEDIA
from likelier._serve.parameters import Parameter, choice, flag, integer, text, time
from likelier._serve.replies import BYTES, CSV, HTML, JSON, LINES
from likelier._serve.shapes import LAST

_NONE: Mapping[int, Any] = {}
_CONFLICT = {409: answers.Problem}


def routes() -> Routes:
    """All of them."""
    return described({**_asking(), **_teaching(), **_taught(), **_operations(), **_foreign(), **_label_studio()})


def described(found: Routes) -> Routes:
    """These, and an address with their description."""
    every: dict[str, Mapping[str, Endpoint]] = {**found}
    description = operations.Description(every)
    every["/openapi.json"] = {"GET": Endpoint(description.openapi, "nobody", answers={JSON: {"type": "object"}})}
    return every


def _asking() -> Routes:
    return {
        "/v1/classify": {
            "POST": Endpoint(
                asking.classify,
                "public",
                parameters=(),
                at_once=asking.classify_at_once,
                bodies={JSON: shapes.Classify, LINES: shapes.Line},
                answers={
                    JSON: (answers.Verdict, answers.Verdicts),
                    LINES: (answers.LineVerdict, answers.LineProblem),
                },
            )
        },
        "/v1/explain": {
            "POST": Endpoint(
                asking.explain,
                "public",
                parameters=(),
                bodies={JSON: shapes.Explain},
                answers={JSON: answers.Explanation, HTML: None},
            )
        },
        "/v1/model": {
            "GET": Endpoint(
                asking.model,
                "public",
                parameters=(flag("counts_digest", "Also the SHA-256 of the counts, which takes a while."),),
                answers={JSON: answers.ModelFacts},
            )
        },
        "/v1/terms": {
            "GET": Endpoint(
                asking.terms,
                "public",
                parameters=(
                    text("label", "Only this label. Default: the first 100."),
                    integer("k", "Terms for each label.", 20, 1, asking.MOST_TERMS),
                    text("column", "Only this column. Default: all."),
                ),
                answers={JSON: answers.Terms},
            )
        },
    }


# ---- teaching ----------------------------------------------------------------------------------------------------


def _teaching() -> Routes:
    done = {JSON: answers.Taught}
    change = Endpoint(
        teaching.change_view, "admin", parameters=(), bodies={JSON: shapes.settings()}, answers=done, keyed=True
    )
    return {
        "/v1/view": {
            "GET": Endpoint(asking.view, "public", parameters=(), answers={JSON: answers.ViewFacts}),
            "PATCH": change,
            "POST": change,
            "DELETE": Endpoint(teaching.reset_view, "admin", parameters=(), answers=done, keyed=True),
        },
        "/v1/learn": {"POST": _lesson(teaching.learn, shapes.Teach)},
        "/v1/forget": {"POST": _lesson(teaching.forget, shapes.Teach)},
        "/v1/relabel": {"POST": _lesson(teaching.relabel, shapes.Relabel, answers.Relabeled)},
        "/v1/undo": {"POST": _lesson(teaching.undo, shapes.Undo, answers.Undone, {404: answers.Problem})},
        "/v1/load": {"POST": Endpoint(teaching.load, "admin", parameters=(), answers=done)},
    }


def _lesson(handler: Handler, body: Any, answer: Any = answers.Taught, others: Mapping[int, Any] = _NONE) -> Endpoint:
    return Endpoint(
        handler, "teach", parameters=(), bodies={JSON: body}, answers={JSON: answer}, others=others, keyed=True
    )


# ---- what was taught ---------------------------------------------------------------------------------------------


def _taught() -> Routes:
    filters = (
        text("by", "Only what this name taught."),
        text("label", "Only this label."),
        time("since", "Lessons of this time and later."),
        time("until", "Lessons before this time."),
        text("search", "Only documents that contain this text, whatever its case."),
    )
    evaluate = Endpoint(taught.evaluate, "read", parameters=(), answers={JSON: answers.Evaluated}, others=_CONFLICT)
    return {
        "/v1/documents": {
            "GET": Endpoint(
                taught.documents,
                "read",
                parameters=(*_page(), *filters),
                answers={JSON: answers.Documents},
                others=_CONFLICT,
            )
        },
        "/v1/lessons": {
            "GET": Endpoint(
                taught.lessons,
                "read",
                parameters=(
                    *_page(),
                    choice("kind", "Only lessons of this kind.", *KINDS),
                    flag("newest_first", "The newest first."),
                    *filters,
                ),
                answers={JSON: answers.Lessons},
                others=_CONFLICT,
            )
        },
        "/v1/teachers": {"GET": Endpoint(taught.teachers, "read", parameters=(), answers={JSON: answers.Teachers})},
        "/v1/evaluate": {"GET": evaluate, "POST": evaluate},
        "/v1/export/model": {"GET": Endpoint(taught.export_model, "read", parameters=(), answers={BYTES: None})},
        "/v1/export/documents": {
            "GET": Endpoint(
                taught.export_documents,
                "read",
                parameters=(choice("format", "JSON Lines or CSV.", "jsonl", "csv", default="jsonl"), *filters),
                answers={LINES: answers.OneDocument, CSV: None},
                others=_CONFLICT,
            )
        },
    }


def _page() -> tuple[Parameter, ...]:
    return (
        integer("after", "Only lessons after this position; newest first: before it.", 0, 0, LAST),
        integer("limit", "How many at most.", 100, 1, taught.MOST),
    )


def _operations() -> Routes:
    status = {JSON: answers.Status}
    return {
        "/healthz": {"GET": Endpoint(operations.healthz, "nobody", answers=status)},
        "/readyz": {"GET": Endpoint(operations.readyz, "nobody", answers=status, others={503: answers.Status})},
        "/metrics": {"GET": Endpoint(operations.metrics, "read", answers={MEDIA: None})},
    }


# ---- other people's protocols ------------------------------------------------------------------------------------


def _foreign() -> Routes:
    scores = list[list[foreign.Score]]
    hugging = Endpoint(huggingface.text_classification, "public", bodies={JSON: foreign.Inputs}, answers={JSON: scores})
    unknown = {404: answers.Problem}
    return {
        "/": {"POST": hugging},
        "/huggingface": {"POST": hugging},
        "/v1/models": {"GET": Endpoint(kserve.models, "public", answers={JSON: foreign.Models})},
        "/v1/models/*": {
            "GET": Endpoint(kserve.ready, "public", answers={JSON: foreign.Ready}, others=unknown),
            "POST": Endpoint(
                kserve.predict_or_explain,
                "public",
                bodies={JSON: foreign.Instances},
                answers={JSON: foreign.Predictions},
                others=unknown,
            ),
        },
    }


def _label_studio() -> Routes:
    backend = Backend()
    health = {"GET": Endpoint(backend.health, "nobody")}
    return {
        "/label-studio/": health,
        "/label-studio/health": health,
        "/label-studio/setup": {"POST": Endpoint(backend.setup, "public", bodies={JSON: foreign.Setup})},
        "/label-studio/predict": {"POST": Endpoint(backend.predict, "public", bodies={JSON: foreign.Predict})},
        "/label-studio/train": {"POST": Endpoint(backend.train, "teach", bodies={JSON: foreign.Train})},
        "/label-studio/webhook": {"POST": Endpoint(backend.webhook, "teach", bodies={JSON: foreign.Event})},
    }
