"""The forms of answers, for the OpenAPI document; what the endpoints say is tested against them, or made of them."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from likelier._serve.audit import Teacher
from likelier._serve.shapes import Document, Label

Position = Annotated[int, Meta(ge=0, description="Position in the log of the lesson before this answer; 0: none.")]
Digest = Annotated[
    str, Meta(pattern="^[0-9a-f]{64}$", description="Names the documents of the model: equal if they are equal.")
]
Share = Annotated[float, Meta(ge=0, le=1)]
Time = Annotated[str, Meta(description="ISO 8601, UTC.", extra_json_schema={"format": "date-time"})]
Weight = int | float
Infinite = Annotated[float | None, Meta(description="null: infinite.")]


class Answer(msgspec.Struct, kw_only=True):
    """An answer, and where it belongs in the log."""

    position: Position
    digest: Digest


# ---- asking ------------------------------------------------------------------------------------------------------


class OneOfThem(msgspec.Struct, gc=False):
    """The verdict on one document."""

    label: Annotated[Label | None, Meta(description="null: no label; `reason` says why.")]
    probability: Share
    probabilities: Annotated[dict[str, Share], Meta(description="By label, which is text here.")]
    unknown_share: Annotated[float, Meta(ge=0, le=1, description="Share of terms that the model does not know.")]
    reason: str | None


class Verdict(OneOfThem, kw_only=True, gc=False):
    """The verdict on `text` or `document`."""

    position: Position
    digest: Digest
    notes: list[str] | UnsetType = UNSET


class Verdicts(Answer, kw_only=True):
    """The verdicts on `texts` or `documents`, in their order."""

    verdicts: list[OneOfThem]
    notes: list[str] | UnsetType = UNSET


class Span(msgspec.Struct):
    """Where a term is in the text, in characters."""

    term: str
    start: int
    end: int


class Reading(msgspec.Struct, kw_only=True):
    """How a text was read."""

    text: str
    spans: list[Span]
    event: str
    weighting: str
    idf: bool


class Brief(msgspec.Struct):
    """The verdict without the probabilities of all labels."""

    label: Label | None
    probability: Share
    unknown_share: Share
    reason: str | None


class Explanation(Answer, kw_only=True):
    """A verdict and every factor of it. A text has `text` and what belongs to it, a document with columns `texts`."""

    text: str | UnsetType = UNSET
    spans: list[Span] | UnsetType = UNSET
    event: str | UnsetType = UNSET
    weighting: str | UnsetType = UNSET
    idf: bool | UnsetType = UNSET
    document: Document | UnsetType = UNSET
    texts: dict[str, Reading] | UnsetType = UNSET
    calibration: Any
    verdict: Brief
    winner: Label | None
    runner_up: Label | None
    against: Label | None
    steps: list[dict[str, Any]]
    log_odds: Infinite
    labels: Annotated[list[dict[str, Any]], Meta(description="Sum, log score and probability of each label.")]
    items: Annotated[
        list[dict[str, Any]], Meta(description="Every factor, in the order of the sum, with its part in each label.")
    ]


class LabelSize(msgspec.Struct):
    """A label, and how many documents it has, by weight."""

    label: Label
    documents: float


class ModelFacts(Answer, kw_only=True):
    """What is served."""

    labels: list[LabelSize]
    documents: float
    terms: int
    columns: Annotated[dict[str, str], Meta(description="Name and kind of each column.")]
    view: Annotated[dict[str, Any], Meta(description="The settings, as docs/settings.md explains them.")]
    has_ledger: Annotated[bool, Meta(description="Whether the model knows which documents it has learned.")]
    likelier: Annotated[str, Meta(description="The version of likelier.")]
    counts_digest: (
        Annotated[str, Meta(description="SHA-256 of the counts: `model.counts.digest()` in Python.")] | UnsetType
    ) = UNSET


class SettingInWords(msgspec.Struct):
    """One setting, for readers."""

    setting: str
    value: str
    textbook: str


class ViewFacts(Answer, kw_only=True):
    """The settings that the model answers by."""

    settings: dict[str, Any]
    in_words: list[SettingInWords]


class Term(msgspec.Struct):
    """A term, how well it tells its label from the others (log-likelihood ratio), and how often it occurs there."""

    term: str
    telling: Infinite
    times: Weight


class LabelTerms(msgspec.Struct):
    """The most telling terms of a label, best first."""

    label: Label
    terms: list[Term]


class Terms(Answer, kw_only=True):
    """The most telling terms of each label."""

    labels: list[LabelTerms]


# ---- teaching ----------------------------------------------------------------------------------------------------


class Taught(Answer, kw_only=True):
    """How many lessons were written; position and digest are those after the last of them."""

    lessons: int
    new_labels: Annotated[list[Label], Meta(description="Labels that the model did not have.")] | UnsetType = UNSET
    notes: list[str] | UnsetType = UNSET


class Relabeled(Taught, kw_only=True):
    """One lesson, or none if the document has that label already."""

    old: Annotated[Label, Meta(description="The label before.")]


class Undone(Taught, kw_only=True):
    """The lessons that undo others."""

    undone: Annotated[list[int], Meta(description="The positions of the lessons that were undone.")]


# ---- what was taught ---------------------------------------------------------------------------------------------


class OneLesson(msgspec.Struct, kw_only=True):
    """A line of the log."""

    position: Position
    kind: str
    at: Time
    by: str
    digest: Digest
    document: Annotated[str | Document | None, Meta(description="null: erased.")] | UnsetType = UNSET
    weight: Weight | UnsetType = UNSET
    learned: Label | UnsetType = UNSET
    forgot: Label | UnsetType = UNSET
    settings: dict[str, Any] | UnsetType = UNSET
    undoes: int | UnsetType = UNSET


class Lessons(Answer, kw_only=True):
    """Some lessons; with `next` there may be more: give it as `after`."""

    lessons: list[OneLesson]
    next: int | UnsetType = UNSET


class OneDocument(msgspec.Struct, kw_only=True):
    """A document that was taught and is in the model; text null: erased."""

    position: Position
    text: str | UnsetType | None = UNSET
    document: Document | UnsetType = UNSET
    label: Label
    weight: Weight
    by: str
    at: Time


class Documents(Answer, kw_only=True):
    """Some documents; with `next` there may be more: give it as `after`."""

    documents: list[OneDocument]
    next: int | UnsetType = UNSET


class Teachers(Answer, kw_only=True):
    """Who taught, the most contradicted first."""

    teachers: list[Teacher]


class Evaluated(Answer, kw_only=True):
    """An evaluation, as `Evaluation.to_dict()` gives it."""

    evaluation: dict[str, Any]


# ---- operations --------------------------------------------------------------------------------------------------


class Status(msgspec.Struct):
    """How the server is."""

    status: str


class Problem(msgspec.Struct, kw_only=True):
    """An error, as RFC 9457 has it; docs/errors.md explains every code."""

    type: str
    title: str
    status: int
    detail: str
    code: Annotated[str, Meta(description="Never changes, so programs can rely on it.")]
    message: str
    hint: Annotated[str, Meta(description="What works.")]
    error: Annotated[str, Meta(description="Message and hint, for clients of Hugging Face and KServe.")]


class LineProblem(Problem, kw_only=True):
    """The error of one line, in place of its verdict."""

    line: Annotated[int, Meta(ge=1)]


class LineVerdict(Verdict, kw_only=True):
    """The verdict on one line."""

    id: str | int | float | bool | UnsetType = UNSET
