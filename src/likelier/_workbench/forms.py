"""The forms of requests to the workbench, and of its answers."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from likelier._serve.answers import Answer, OneOfThem, Share, Time
from likelier._serve.shapes import LAST, Form, Label

Place = Annotated[int, Meta(ge=0, le=LAST, description="Index of a text in the pool.")]
Number = Annotated[int, Meta(ge=0, le=LAST, description="Number of a lesson of the labeling.")]
How = Annotated[str, Meta(description="random, chosen, found, bulk or skipped.")]
Word = Annotated[str, Meta(description="A word, or several.")]


# ---- requests ----------------------------------------------------------------------------------------------------


class Give(Form, kw_only=True):
    """A label for a place."""

    place: Place
    label: Label


class Skip(Form, kw_only=True):
    """A place that is not to be asked again."""

    place: Place


class TakeBack(Form, kw_only=True):
    """Take back the lesson with this number; without it the last one."""

    number: Number | None = None


class TeachWord(Form, kw_only=True):
    """A word that speaks for a label; the weight 0 takes it back. Default: the weight is chosen by leave-one-out."""

    word: Word
    label: Label
    weight: Annotated[float, Meta(ge=0)] | None = None


class Accept(Form, kw_only=True):
    """Label all places whose verdict is at least this probable; or only count them."""

    threshold: Annotated[float, Meta(ge=0, le=1)]
    only_count: bool = False


class NewLabel(Form, kw_only=True):
    """One more label."""

    label: Label


class Texts(Form, kw_only=True):
    """Texts for the pool."""

    texts: Annotated[list[str], Meta(min_length=1)]


# ---- answers -----------------------------------------------------------------------------------------------------


class Part(msgspec.Struct):
    """A part of a text, in characters, and what its terms say: for which label, and the log odds."""

    start: int
    end: int
    term: str
    label: Label
    weight: float


class Question(msgspec.Struct, kw_only=True):
    """A text of the pool; `label` is the one that somebody gave it."""

    place: int
    text: str
    how: How
    label: Label | None
    verdict: OneOfThem | None
    parts: list[Part]


class Progress(msgspec.Struct):
    """How far the labeling is; `random` is the size of the sample that the accuracy is taken over."""

    pool: int
    labeled: int
    skipped: int
    random: int
    by_label: dict[str, int]


class Accuracy(msgspec.Struct):
    """The accuracy by leave-one-out over the random sample, with its 95 % interval; or why there is none."""

    share: Share | None
    low: Share | None
    high: Share | None
    documents: int
    reason: str | None


class Changed(msgspec.Struct):
    """How many verdicts of the pool the last lesson flipped."""

    flipped: int
    of: int


class Last(msgspec.Struct):
    """The lesson that an undo would take back."""

    number: int
    kind: str
    text: str | None
    label: Label | None


class TaughtWord(msgspec.Struct):
    """A word that somebody taught, and what it counts."""

    word: str
    label: Label
    weight: float


class Telling(msgspec.Struct):
    """A telling term of a label."""

    term: str
    times: float


class State(Answer, kw_only=True):
    """The labeling as it is; a change has a higher version."""

    version: int
    settled: Annotated[bool, Meta(description="Whether queue and accuracy are those after the last change.")]
    labels: list[Label]
    queue: list[Question]
    progress: Progress
    accuracy: Accuracy
    changed: Changed | None
    enough: Annotated[str | None, Meta(description="Why it is time to stop.")]
    last: Last | None
    words: list[TaughtWord]
    telling: dict[str, list[Telling]]
    accepted: Annotated[int, Meta(description="Places that were labeled, or would be.")] | UnsetType = UNSET
    sure: Annotated[Accuracy, Meta(description="Of verdicts this probable.")] | UnsetType = UNSET


class Pooled(Answer, kw_only=True):
    """How many texts are new in the pool, and which column they come from."""

    added: int
    total: int
    columns: list[str]
    column: str | None
    lessons: int


class Found(msgspec.Struct):
    """A text of the pool."""

    place: int
    text: str
    label: Label | None
    how: How | None


class Search(msgspec.Struct):
    """Texts of the pool; `total` is how many there are."""

    found: list[Found]
    total: int


class Confusion(msgspec.Struct):
    """How often a label (row) was taken for another (column)."""

    labels: list[Label]
    counts: list[list[float]]


class Bin(msgspec.Struct, rename={"start": "from", "end": "to"}):
    """Verdicts of about the same probability, and the share of those that were right."""

    start: float
    end: float
    documents: float
    mean: float
    share: float


class Wrong(msgspec.Struct):
    """A label that leave-one-out contradicts."""

    place: int
    text: str
    label: Label
    likelier: Label | None
    probability: float


class Suspicious(msgspec.Struct):
    """A label that may be an error."""

    place: int
    text: str
    label: Label
    likelier: Label
    log_odds: Annotated[float | None, Meta(description="null: infinite.")]


class Contradiction(msgspec.Struct):
    """Places with the same words and different labels."""

    places: list[int]
    text: str
    labels: list[Label]


class Check(msgspec.Struct):
    """How good the model is, and which labels may be wrong."""

    accuracy: Accuracy
    confusion: Confusion
    calibration: list[Bin]
    mistakes: list[Wrong]
    suspicious: list[Suspicious]
    contradictions: list[Contradiction]


class LabelingLesson(msgspec.Struct):
    """A lesson of the labeling; `places` is how many texts it is about."""

    number: int
    kind: str
    at: Time
    by: str
    text: str | None
    label: Label | None
    before: Label | None
    how: How | None
    places: int
    weight: float
    undoes: int | None
    undone: bool


class History(msgspec.Struct):
    """Lessons, the newest first."""

    lessons: list[LabelingLesson]


class Cause(msgspec.Struct):
    """A lesson that a verdict depends on."""

    number: int
    text: str | None
    label: Label | None


class Causes(msgspec.Struct):
    """The lessons without which a verdict would fall; complete: without all of them it does."""

    verdict: OneOfThem | None
    causes: list[Cause]
    falls_to: Label | None
    complete: bool


class Ratio(msgspec.Struct):
    """A term, what it says for one label against the other, and how often it occurs in the documents of each."""

    term: str
    log_odds: Annotated[float | None, Meta(description="null: infinite.")]
    times: list[float]


class Ratios(Answer, kw_only=True):
    """The terms that speak most for a label against another one."""

    label: Label
    against: Label
    ratios: list[Ratio]


RAW: dict[str, Any] = {"type": "string", "description": "A file."}
