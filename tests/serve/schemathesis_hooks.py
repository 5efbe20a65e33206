"""What schemathesis loads: JSON Lines to send, and one more check."""

from __future__ import annotations

import json
from typing import Any

import schemathesis
from hypothesis import strategies as st

FORMS = ("body-json", "body-kind", "body-shape", "key-kind", "parameter-wrong")
NICETIES = (  # of JSON Schema, which calls 1.0 an integer, and knows dates that Python does not
    "Expected `int",
    "Invalid RFC3339",
    "must be a time",
)

_texts = st.fixed_dictionaries({"text": st.text()}, optional={"id": st.none() | st.booleans() | st.integers()})
_values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_rows = st.fixed_dictionaries({"document": st.dictionaries(st.sampled_from(["subject", "days", "x"]), _values)})
_lines = st.one_of(_texts, _rows).map(lambda line: json.dumps(line).encode()) | st.binary(max_size=50)
schemathesis.openapi.media_type("application/x-ndjson", st.lists(_lines).map(b"\n".join))


@schemathesis.check
def described_forms_are_taken(ctx: Any, response: Any, case: Any) -> None:
    """A request that fits the document may be refused for what it says, and not for its form."""
    if case.meta is None or not case.meta.generation.mode.is_positive or response.status_code == 200:
        return
    found = response.json()
    is_nicety = any(each in found["message"] for each in NICETIES)
    assert found["code"] not in FORMS or is_nicety, f"the document allows this request: {found['message']}"


@schemathesis.check
def lines_are_as_described(ctx: Any, response: Any, case: Any) -> None:
    """Every line is a verdict or a problem."""
    if response.status_code == 200 and response.headers.get("content-type") == ["application/x-ndjson"]:
        for line in response.content.splitlines():
            assert {"position"} <= json.loads(line).keys() or {"code", "line"} <= json.loads(line).keys()
