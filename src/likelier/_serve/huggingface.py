"""Text classification as Hugging Face has it, for `InferenceClient.text_classification` and its like.

    {"inputs": "win a prize", "parameters": {"top_k": 2}}   →   [[{"label": "spam", "score": 0.98}, ...]]

There is a list for each text, also if there is only one: the clients take the first. Scores are probabilities, the
highest first.
"""

from __future__ import annotations

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from likelier._answer.verdict import Verdict
from likelier._serve import foreign
from likelier._serve.asking import SHORT, verdicts_on
from likelier._serve.calls import Call, decoded_as
from likelier._serve.replies import json_reply


async def text_classification(call: Call) -> Response:
    """Classify one text, or several."""
    call.service.current()
    body = await call.body()  # whatever its type: many clients send none
    given = decoded_as(body, foreign.Inputs)
    return _classified(call, given) if len(body) < SHORT else await run_in_threadpool(_classified, call, given)


def _classified(call: Call, given: foreign.Inputs) -> Response:
    live, options = call.service.current(), given.parameters or foreign.Options()
    several = given.inputs if isinstance(given.inputs, list) else [given.inputs]
    verdicts, _ = verdicts_on(call, live, foreign.documents(call, live, several))
    return json_reply([_scores(each, options.top_k) for each in verdicts])


def _scores(verdict: Verdict, top: int | None) -> list[dict[str, Any]]:
    highest = sorted(verdict.probabilities.items(), key=lambda each: -each[1])[:top]
    return [{"label": str(label), "score": probability} for label, probability in highest]
