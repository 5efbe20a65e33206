"""The forms of other people's requests: Hugging Face, KServe, Label Studio.

Their clients send more than is needed here, so fields that are not named are ignored.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from likelier._serve.answers import Answer, OneOfThem
from likelier._serve.calls import Call
from likelier._serve.live import Live
from likelier._serve.shapes import LAST, Document

Instance = str | Document
Number = Annotated[int, Meta(ge=0, le=LAST)]
Name = Number | Annotated[str, Meta(pattern=r"^[A-Za-z0-9_.-]{1,64}$")]
Person = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x20\x7f]*$")]


class Theirs(msgspec.Struct, kw_only=True):
    """A request body, or a part of one; `ways` as in `shapes`."""

    ways: ClassVar[tuple[tuple[str, ...], ...]] = ()


def documents(call: Call, live: Live, given: Sequence[Instance]) -> list[Any]:
    """The documents of a request. {"text": ...} is a text too, where documents are plain texts."""
    call.service.check_rows([{"": each} if isinstance(each, str) else each for each in given])
    if not live.model.schema.is_plain:
        return list(given)
    return [each["text"] if isinstance(each, dict) and each.keys() == {"text"} else each for each in given]


# ---- Hugging Face ------------------------------------------------------------------------------------------------


class Options(Theirs):
    """Parameters of a text classification."""

    top_k: Annotated[int, Meta(ge=1, description="Only the most probable labels.")] | None = None
    function_to_apply: Annotated[Literal["softmax"], Meta(description="Scores are probabilities.")] | None = None


class Inputs(Theirs):
    """Text classification as Hugging Face has it. Fields that are not listed are ignored."""

    inputs: Instance | list[Instance]
    parameters: Options | None = None


class Score(Theirs):
    """A label and its probability."""

    label: str
    score: Annotated[float, Meta(ge=0, le=1)]


# ---- KServe ------------------------------------------------------------------------------------------------------


class Instances(Theirs):
    """Give `instances`, or `inputs`: texts, or objects of columns. Fields that are not listed are ignored."""

    ways = ("instances",), ("inputs",)
    instances: list[Instance] | None = None
    inputs: list[Instance] | None = None


class Models(Theirs):
    """The names of all models."""

    models: list[str]


class Ready(Theirs):
    """A model that can be asked."""

    name: str
    ready: bool


class Predictions(Answer, kw_only=True):
    """The verdict on each instance, and if they were asked for, the explanations."""

    predictions: list[OneOfThem]
    explanations: list[dict[str, Any]] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


# ---- Label Studio ------------------------------------------------------------------------------------------------


def microseconds(time: datetime | None) -> int | None:
    """A time as the log has it."""
    if time is None:
        return None
    return round((time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp() * 1_000_000)


class Project(Theirs):
    """A project, as a webhook has it."""

    id: Name
    label_config: str | None = None
    created_at: datetime | None = None

    @property
    def unique(self) -> str:
        """Its name in other requests of Label Studio: the number, and the second in which it was made."""
        at = microseconds(self.created_at)
        return str(self.id) if at is None else f"{self.id}.{at // 1_000_000}"


class User(Theirs):
    """Who annotated, where it is more than a number."""

    id: Number | None = None
    email: Person | None = None


class Chosen(Theirs):
    """One line of a result."""

    from_name: str = ""
    type: str = ""
    value: dict[str, Any] = msgspec.field(default_factory=dict)


class Annotation(Theirs):
    """What somebody says about a task."""

    id: Name
    result: list[Chosen] = msgspec.field(default_factory=list)
    skipped: bool | None = msgspec.field(name="was_cancelled", default=False)
    completed_by: Number | Person | User | None = None
    updated_at: datetime | None = None

    @property
    def by(self) -> str | None:
        """The number of the annotator, which is all that webhooks have; else the address."""
        who = self.completed_by
        if isinstance(who, User):
            who = who.email if who.id is None else who.id
        return None if who is None else str(who)


class Deleted(Theirs):
    """An annotation that is gone; only its number is known."""

    id: Name


class Task(Theirs):
    """A document to label, perhaps with annotations."""

    data: dict[str, Any]
    annotations: list[Annotation] = msgspec.field(default_factory=list)


class Setup(Theirs):
    """A project that will ask for predictions."""

    project: Name
    schema: Annotated[str, Meta(description="The labeling configuration, XML.")]


class Predict(Theirs):
    """Tasks to predict."""

    tasks: list[Task]
    project: Name | None = None
    label_config: str | None = None


class Train(Theirs):
    """Tasks with their annotations."""

    annotations: list[Task]
    project: Name | None = None
    label_config: str | None = None


class Event(Theirs):
    """Something happened."""

    action: str


class Webhook(Theirs):
    """Something happened to annotations."""

    project: Project | None = None
    task: Task | list[Task] | None = None
    annotation: Annotation | list[Annotation] | None = None
    annotations: list[Deleted] | None = None
