"""The forms of requests. The OpenAPI document is made from them, and so are the errors of a body that has another form."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Value = str | int | float | bool | None
Document = Annotated[dict[str, Value], Meta(description="A document with columns: their names and values.")]
Label = str | int | bool
Text = Annotated[str, Meta(description="The text of a document.")]


class Form(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A request body."""


class Classify(Form, kw_only=True):
    """Give one of `text`, `texts`, `document`, `documents`."""

    text: Text | None = None
    texts: list[str] | None = None
    document: Document | None = None
    documents: list[Document] | None = None
    top: Annotated[int, Meta(ge=1, description="Only the most probable labels in `probabilities`.")] | None = None


class Line(Form, kw_only=True):
    """One line of JSON Lines; `id` is given back."""

    text: Text | None = None
    document: Document | None = None
    id: Value = None


class Explain(Form, kw_only=True):
    """Give `text` or `document`."""

    text: Text | None = None
    document: Document | None = None
    against: Annotated[Label, Meta(description="The label to compare with. Default: the runner-up.")] | None = None


class Teach(Form, kw_only=True):
    """Give `text` or `document` with `label`, or `texts` or `documents` with `labels`."""

    text: Text | None = None
    texts: list[str] | None = None
    document: Document | None = None
    documents: list[Document] | None = None
    label: Label | None = None
    labels: list[Label] | None = None
    weight: Annotated[int | float, Meta(description="The weight of each document.")] = 1


class Relabel(Form, kw_only=True):
    """Give `text` or `document`; `old` is needed only for models without a ledger and for texts with several labels."""

    text: Text | None = None
    document: Document | None = None
    label: Label
    old: Label | None = None
    weight: int | float = 1


class Undo(Form, kw_only=True):
    """Give `position` or `positions`; or `by`, `since` and `until` for all lessons of a name or a span of time."""

    position: Annotated[int, Meta(ge=1)] | None = None
    positions: Annotated[list[Annotated[int, Meta(ge=1)]], Meta(min_length=1)] | None = None
    by: str | None = None
    since: Annotated[str, Meta(description="ISO 8601; these lessons and later ones.")] | None = None
    until: Annotated[str, Meta(description="ISO 8601; lessons before this time.")] | None = None


class Nothing(Form, kw_only=True):
    """No body is needed."""
