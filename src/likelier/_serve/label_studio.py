"""A machine learning backend of Label Studio: it predicts, and learns what the annotators choose.

    GET  health    whether it is there
    POST setup     a project says which configuration it has
    POST predict   predictions for tasks
    POST webhook   an annotation was created, updated or deleted: learn, relabel, forget
    POST train     tasks with all their annotations, which are learned unless they are already

A webhook about anything else is answered as well and changes nothing, as Label Studio switches off webhooks that fail.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._base.errors import error
from likelier._model.view import Document
from likelier._serve import foreign
from likelier._serve.annotations import State, following, key_of, taught_by
from likelier._serve.asking import verdicts_on
from likelier._serve.calls import Call, decoded_as
from likelier._serve.label_config import Control, control_of
from likelier._serve.live import Live
from likelier._serve.replies import json_reply

MOST_PROJECTS = 100  # whose configurations are remembered
LEARNED = ("ANNOTATION_CREATED", "ANNOTATIONS_CREATED", "ANNOTATION_UPDATED")
FORGOTTEN = ("ANNOTATION_DELETED", "ANNOTATIONS_DELETED")
Taught = list[tuple[str, State]]  # names, and what they say


class Backend:
    """The endpoints, with the configurations of the projects that introduced themselves."""

    def __init__(self) -> None:
        self._by_teachers: dict[str, str] = {}  # project → configuration
        self._by_others: dict[str, str] = {}
        self._turn = asyncio.Lock()  # one webhook at a time: it depends on what the log holds of its annotation

    async def health(self, call: Call) -> Response:
        """Whether the server is there and ready."""
        call.service.current()
        return json_reply({"status": "UP", "model_class": "likelier", "model": call.service.name})

    async def setup(self, call: Call) -> Response:
        """A project's configuration; it is remembered for requests that come without."""
        given = await call.form(foreign.Setup)
        live = call.service.current()
        control_of(given.schema, live.model.labels)
        self._remember(call, given.project, given.schema)
        with live.reading() as call.at:
            return json_reply({"model_version": version(*call.at)})

    async def predict(self, call: Call) -> Response:
        """A prediction for each task."""
        given = await call.form(foreign.Predict)
        config = self._config(given.label_config, given.project, self._by_others | self._by_teachers)
        return await run_in_threadpool(_predicted, call, given.tasks, config)

    async def train(self, call: Call) -> Response:
        """Learn tasks with their annotations, apart from what is learned already."""
        given = await call.form(foreign.Train)
        config = self._config(given.label_config, given.project, self._by_teachers)
        reading = _Annotated(call, config, str(given.project or ""))
        return await self._taught(
            call, [reading.said(task, each) for task in given.annotations for each in task.annotations]
        )

    async def webhook(self, call: Call) -> Response:
        """Follow what happens to annotations."""
        body = await call.json_body()
        action = decoded_as(body, foreign.Event).action
        call.service.taught()
        if action not in LEARNED + FORGOTTEN:
            return json_reply({"status": "ignored"})
        given = decoded_as(body, foreign.Webhook)
        if action in FORGOTTEN:
            return await self._taught(call, await run_in_threadpool(_deleted, call, given))
        return await self._taught(call, self._said(call, given, action == "ANNOTATION_UPDATED"))

    def _said(self, call: Call, given: foreign.Webhook, changed: bool) -> Taught:
        project, annotations, tasks = given.project, _listed(given.annotation), _listed(given.task)
        if project is None or not annotations or len(annotations) != len(tasks):
            raise error(
                "body-shape", reason="project, annotation or task is missing; the webhook must send its payload"
            )
        config = self._config(project.label_config, project.id, self._by_teachers)
        reading = _Annotated(call, config, project.unique, changed)
        return [reading.said(task, each) for task, each in zip(tasks, annotations, strict=True)]

    async def _taught(self, call: Call, taught: Taught) -> Response:
        """The lessons of each name, one name after the other; what fails in between can be sent again."""
        if len(taught) > call.service.limits.batch:
            raise error("batch-too-large", most=call.service.limits.batch, got=len(taught))
        by_name: dict[str, list[State]] = {}
        for name, state in taught:
            by_name.setdefault(name, []).append(state)
        number = 0
        for name, states in by_name.items():
            async with self._turn:
                answer = await call.service.teach(call.caller, following(states), documents=len(states), name=name)
            said = decoded_as(answer, dict[str, Any])
            call.at, number = (said["position"], said["digest"]), number + said["lessons"]
        return json_reply({"status": "ok", "lessons": number}, 201 if number else 200)

    # ---- configurations ------------------------------------------------------------------------------------------

    def _remember(self, call: Call, project: foreign.Name, config: str) -> None:
        """What others say about a project has no effect on what is taught."""
        known = self._by_teachers if call.caller.may("teach") else self._by_others
        known.pop(_number(project), None)
        known[_number(project)] = config
        while len(known) > MOST_PROJECTS:
            del known[next(iter(known))]

    def _config(self, given: str | None, project: foreign.Name | None, known: dict[str, str]) -> str:
        found = given or known.get(_number(project))
        if not found:
            raise error("label-config.missing", project=project)
        return found


def _number(project: foreign.Name | None) -> str:
    """The number of a project, which some requests have with the second in which it was made: 12.1700000000."""
    return str(project).partition(".")[0]


def version(position: int, digest: str) -> str:
    """The version of the model: another one after every lesson."""
    return f"{position}-{digest[:8]}"


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [] if given is None else [given]


# ---- tasks -------------------------------------------------------------------------------------------------------


def document_of(live: Live, task: foreign.Task, control: Control) -> Document | None:
    """The text of a task, or its columns; None if it has none."""
    if not live.model.schema.is_plain:
        found = {name: task.data[name] for name in live.model.schema.read if name in task.data}
        is_flat = all(each is None or isinstance(each, str | int | float) for each in found.values())
        return found if found and is_flat else None
    text = task.data.get(control.variable)
    if isinstance(text, int | float) and not isinstance(text, bool):
        return str(text)
    return text if isinstance(text, str) else None


def _predicted(call: Call, tasks: Sequence[foreign.Task], config: str) -> Response:
    live = call.service.current()
    control = control_of(config, live.model.labels)
    found = [document_of(live, each, control) for each in tasks]
    documents = [each for each in found if each is not None]
    if tasks and not documents:
        wanted = control.variable if live.model.schema.is_plain else ", ".join(live.model.schema.read)
        raise error("body-shape", reason=f"no task has {wanted} in its data")
    call.service.check_rows([each if isinstance(each, dict) else {"": each} for each in documents])
    verdicts, _ = verdicts_on(call, live, documents)
    choice, left = cache(control.choice), iter(verdicts)
    results = []
    for each in found:
        verdict = None if each is None else next(left)
        chosen = None if verdict is None or verdict.label is None else choice(verdict.label)
        results.append(_result(control, chosen, verdict.probability if verdict is not None and chosen else 0.0))
    assert call.at is not None
    same = {"model_version": version(*call.at)}
    return json_reply({"results": [each | same for each in results], **same})


def _result(control: Control, choice: str | None, score: float) -> dict[str, Any]:
    """A prediction; without a result where the model has no label, or the question does not have its label."""
    if choice is None:
        return {"result": [], "score": 0.0}
    names = {"from_name": control.name, "to_name": control.asks_about, "type": "choices"}
    return {"result": [{**names, "value": {"choices": [choice]}, "score": score}], "score": score}


# ---- annotations -------------------------------------------------------------------------------------------------


class _Annotated:
    """Reads annotations of one project."""

    def __init__(self, call: Call, config: str, project: str, changed: bool = False) -> None:
        self._call, self._live = call, call.service.current()
        self._control = control_of(config, self._live.model.labels)
        self._project, self._changed = project, changed

    def said(self, task: foreign.Task, annotation: foreign.Annotation) -> tuple[str, State]:
        """Who says it, and what."""
        caller, by = self._call.caller.name, annotation.by
        document = document_of(self._live, task, self._control)
        self._call.service.check_rows([document if isinstance(document, dict) else {"": document}])
        key, at = key_of(caller, self._project, annotation.id), foreign.microseconds(annotation.updated_at)
        state = State(key, document, self._choice(annotation), at, self._changed)
        return caller if by is None else f"{caller}/{by}", state

    def _choice(self, annotation: foreign.Annotation) -> str | None:
        """The only choice; a skipped task and several choices are no label."""
        chosen = [
            choice
            for each in annotation.result
            if each.from_name == self._control.name and each.type == "choices"
            for choice in _listed(each.value.get("choices"))
        ]
        is_one = len(chosen) == 1 and isinstance(chosen[0], str) and not annotation.skipped
        return chosen[0] if is_one else None


def _deleted(call: Call, given: foreign.Webhook) -> Taught:
    """The annotations, each under the name of its annotator if the log has one."""
    gone = [*(given.annotations or ()), *_listed(given.annotation)]
    if given.project is None or not gone:
        raise error("body-shape", reason="project or annotations is missing; the webhook must send its payload")
    caller, project = call.caller.name, given.project.unique
    keys = [key_of(caller, project, each.id) for each in gone]
    with call.service.taught().reading() as rows:
        return [(taught_by(rows, key) or caller, State(key, deleted=True)) for key in keys]
