"""The OpenAPI document is valid, it has every endpoint, and schemathesis finds no server that does anything else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis

from likelier._serve.openapi import document as described
from likelier._workbench.routes import every as routes
from serving import Served

TOKEN = "SECRETTOKEN"
HOOKS = Path(__file__).with_name("schemathesis_hooks.py")
CONFIGURATION = f"""
hooks = "{HOOKS}"

[checks.positive_data_acceptance]
expected-statuses = ["2xx", 401, 403, 404, 409, 413, 422, 429]
"""
KINDS = {  # of servers: the model, its options, and whether schemathesis has a token
    "texts": ("shop.likelier", ["--teach-openly"], False),
    "columns": ("tickets.likelier", ["--teach-openly"], False),
    "token": ("tickets.likelier", ["--tokens", "tokens.txt"], True),
    "read-only": ("shop.likelier", ["--read-only"], False),
}


# ---- the document ------------------------------------------------------------------------------------------------


def document(openly: str = "nobody") -> Any:
    """The document of a server."""
    return described(openly, routes())


def test_the_document_is_valid() -> None:
    schemathesis.openapi.from_dict(document()).validate()


def test_every_endpoint_is_in_the_document() -> None:
    paths = document()["paths"]
    shown = {(path, method.upper()) for path, methods in paths.items() for method in methods}
    assert shown == {
        (f"{path[:-1]}{{rest}}" if path.endswith("*") else path, method)
        for path, methods in routes().items()
        for method in methods
    }


def test_every_operation_has_a_name_of_its_own_and_a_summary() -> None:
    operations = [each for methods in document()["paths"].values() for each in methods.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    assert all(each["summary"] and each["description"] for each in operations)


def test_a_token_is_optional_where_none_is_needed() -> None:
    paths = document("read")["paths"]
    assert paths["/v1/model"]["get"]["security"] == [{"token": []}, {}]
    assert paths["/v1/learn"]["post"]["security"] == [{"token": []}]
    assert paths["/healthz"]["get"]["security"] == []


def test_a_server_sends_the_document(shop: Served) -> None:
    assert shop.get("/openapi.json") == document("admin")


# ---- whether it holds --------------------------------------------------------------------------------------------


def test_schemathesis_finds_nothing_at_first_sight(serve: Callable[..., Served], folder: Path) -> None:
    _try(serve, folder, "columns", "--phases=fuzzing", "--max-examples=3")


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(KINDS))
def test_schemathesis_finds_nothing(serve: Callable[..., Served], folder: Path, kind: str) -> None:
    _try(serve, folder, kind, "--max-examples=50")


def _try(serve: Callable[..., Served], folder: Path, kind: str, *options: str) -> None:
    model, given, has_token = KINDS[kind]
    (folder / "tokens.txt").write_text(f"anna admin {TOKEN}\n")
    (folder / "schemathesis.toml").write_text(CONFIGURATION)
    server = serve(model, *given)
    (folder / "openapi.json").write_text(json.dumps(_closed(server.get("/openapi.json"))))
    token = [f"--header=Authorization: Bearer {TOKEN}"] if has_token else []
    command = ["run", "openapi.json", f"--url={server.url}", "--checks=all", "--no-color", "--generation-database=none"]
    program = Path(sys.executable).with_name("schemathesis")
    done = subprocess.run(
        [program, *command, *token, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout
    assert '"level":"error"' not in server.errors


def _closed(found: dict[str, Any]) -> dict[str, Any]:
    """The document with answers that have no fields but those that it names."""
    schemas = found["components"]["schemas"]
    operations = [each for methods in found["paths"].values() for each in methods.values()]
    asked = _reached(schemas, _references([each.get("requestBody") for each in operations]))
    for name in _reached(schemas, _references([each["responses"] for each in operations])) - asked:
        if "properties" in schemas[name]:
            schemas[name].setdefault("additionalProperties", False)
    return found


def _reached(schemas: dict[str, Any], names: Iterator[str]) -> set[str]:
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        found.add(name := waiting.pop())
        waiting |= {*_references(schemas[name])} - found
    return found


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "$ref" in value:
            yield value["$ref"].rpartition("/")[2]
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from _references(each)
