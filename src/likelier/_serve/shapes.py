"""The forms of requests. The OpenAPI document is made from them, and so are the errors of bodies with other forms."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import Meta

from likelier._settings.table import SETTINGS

LAST = (1 << 53) - 1  # the highest position, which every reader of JSON can tell from its neighbors
MOST_POSITIONS = 10_000  # in one request; databases limit the number of values
Value = str | int | float | bool | None
Document = Annotated[dict[str, Value], Meta(description="A document with columns: their names and values.")]
Label = str | int | bool
Labels = Annotated[list[Label], Meta(min_length=1)]
Text = Annotated[str, Meta(description="The text of a document.")]
Position = Annotated[int, Meta(ge=1, le=LAST)]
_TIME = {"format": "date-time"}


class Form(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request body.

    ways  the fields that are needed together, and with a question mark those that may go with them. A request has the
          fields of one way, and of the others none, or null
    """

    ways: ClassVar[tuple[tuple[str, ...], ...]] = ()


class Classify(Form, kw_only=True):
    """Give one of `text`, `texts`, `document`, `documents`."""

    ways = ("text",), ("texts",), ("document",), ("documents",)
    text: Text | None = None
    texts: list[str] | None = None
    document: Document | None = None
    documents: list[Document] | None = None
    top: Annotated[int, Meta(ge=1, description="Only the most probable labels in `probabilities`.")] | None = None


class Line(Form, kw_only=True):
    """One line of JSON Lines; `id` is given back."""

    ways = ("text",), ("document",)
    text: Text | None = None
    document: Document | None = None
    id: Value = None


class Explain(Form, kw_only=True):
    """Give `text` or `document`."""

    ways = ("text",), ("document",)
    text: Text | None = None
    document: Document | None = None
    against: Annotated[Label, Meta(description="The label to compare with. Default: the runner-up.")] | None = None


class Teach(Form, kw_only=True):
    """Give `text` or `document` with `label`, or `texts` or `documents` with `labels`."""

    ways = ("text", "label"), ("texts", "labels"), ("document", "label"), ("documents", "labels")
    text: Text | None = None
    texts: Annotated[list[str], Meta(min_length=1)] | None = None
    document: Document | None = None
    documents: Annotated[list[Document], Meta(min_length=1)] | None = None
    label: Label | None = None
    labels: Annotated[Labels, Meta(description="As many as there are documents.")] | None = None
    weight: Annotated[int | float, Meta(description="The weight of each document.")] = 1


class Relabel(Form, kw_only=True):
    """Give `text` or `document`; `old` is needed only for models without a ledger and for texts with several labels."""

    ways = ("text",), ("document",)
    text: Text | None = None
    document: Document | None = None
    label: Label
    old: Label | None = None
    weight: int | float = 1


class Undo(Form, kw_only=True):
    """Give `position` or `positions`; or `by`, `since` and `until` for all lessons of a name or a span of time."""

    ways = (
        ("position",),
        ("positions",),
        ("by", "since?", "until?"),
        ("since", "until?", "by?"),
        ("until", "by?", "since?"),
    )
    position: Position | None = None
    positions: Annotated[list[Position], Meta(min_length=1, max_length=MOST_POSITIONS)] | None = None
    by: Annotated[str, Meta(pattern=r"^[^\x00]*$")] | None = None
    since: Annotated[str, Meta(description="These lessons and later ones.", extra_json_schema=_TIME)] | None = None
    until: Annotated[str, Meta(description="Lessons before this time.", extra_json_schema=_TIME)] | None = None


def settings() -> dict[str, Any]:
    """The settings of a view, as JSON Schema; those that are not given stay as they are."""
    found: dict[str, Any] = {}
    for name, setting in SETTINGS.items():
        is_enumerated = isinstance(setting.values, tuple)
        found[name] = {"description": setting.help, **({"enum": list(setting.values)} if is_enumerated else {})}
        if setting.short:
            found[setting.short] = {"description": f"Short for `{name}`."}
    return {"title": "Settings", "type": "object", "properties": found, "additionalProperties": False}
