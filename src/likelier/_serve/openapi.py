"""The OpenAPI document: what `routes` says about every endpoint, in the form of OpenAPI 3.1."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from likelier._base.version import VERSION
from likelier._serve import answers
from likelier._serve.door import Endpoint, Routes
from likelier._serve.replies import BYTES, JSON, LINES, PROBLEM
from likelier._serve.service import LONGEST_KEY
from likelier._serve.tokens import ROLES

Plain = dict[str, Any]
_REFERENCE = "#/components/schemas/{name}"
_ANYWHERE = (400, 403, 408, 431, 500)  # an HTTP request that is none, another site's page, headers: slow, large
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "A request that is sent again with the same key counts once, and is answered as the first time.",
    "schema": {"type": "string", "pattern": f"^[!-~]([ -~]{{0,{LONGEST_KEY - 2}}}[!-~])?$"},
}
_HEADERS = {
    "Likelier-Position": {
        "description": "Position in the log of the last lesson before this answer.",
        "required": True,
        "schema": {"type": "integer", "minimum": 0},
    },
    "Likelier-Digest": {
        "description": "Digest of the model that answered.",
        "required": True,
        "schema": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
    },
}


def document(openly: str, routes: Routes) -> Plain:
    """The document.

    openly: the role of whoever sends no token.
    """
    return _Writer(openly).document(routes)


class _Writer:
    def __init__(self, openly: str) -> None:
        self._openly = openly
        self._schemas: Plain = {}
        self._names: set[str] = set()
        self._tags: dict[str, str] = {}

    def document(self, routes: Routes) -> Plain:
        paths: Plain = {}
        for path, methods in routes.items():
            shown = f"{path[:-1]}{{rest}}" if path.endswith("*") else path
            paths[shown] = {method.lower(): self._operation(path, method, each) for method, each in methods.items()}
        return {
            "openapi": "3.1.0",
            "info": {"title": "likelier", "version": VERSION, "description": _ABOUT},
            "servers": [{"url": "/"}],
            "tags": [{"name": name, "description": text} for name, text in self._tags.items()],
            "paths": paths,
            "components": {
                "schemas": self._schemas,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
        }

    def _operation(self, path: str, method: str, endpoint: Endpoint) -> Plain:
        first, _, more = (endpoint.handler.__doc__ or path).strip().partition("\n")
        parameters = list(_parameters(path, endpoint))
        return {
            "operationId": self._name(endpoint, method),
            "tags": [self._tag(endpoint.handler.__module__)],
            "summary": first,
            "description": "\n\n".join(filter(None, [_role_in_words(endpoint.role), " ".join(more.split())])),
            "security": self._security(endpoint),
            **({"parameters": parameters} if parameters else {}),
            **(
                {"requestBody": {"required": True, "content": self._content(endpoint.bodies)}}
                if endpoint.bodies
                else {}
            ),
            "responses": self._responses(endpoint),
        }

    def _tag(self, module: str) -> str:
        """Endpoints of one module go together, and its docstring says what they have in common."""
        name = module.rpartition(".")[2]
        self._tags[name] = (sys.modules[module].__doc__ or name).strip().partition("\n")[0]
        return name

    def _name(self, endpoint: Endpoint, method: str) -> str:
        name = endpoint.handler.__name__
        name = f"{name}_{method.lower()}" if name in self._names else name
        self._names.add(name)
        return name

    def _security(self, endpoint: Endpoint) -> list[Plain]:
        if endpoint.role == "nobody":
            return []
        return [{"token": []}, {}] if ROLES.index(self._openly) >= ROLES.index(endpoint.role) else [{"token": []}]

    # ---- bodies and answers --------------------------------------------------------------------------------------

    def _responses(self, endpoint: Endpoint) -> Plain:
        content = self._content(endpoint.answers) if endpoint.answers else {"*/*": {}}
        found: Plain = {"200": {"description": "Done.", "headers": _HEADERS, "content": content}}
        if not endpoint.answers:
            return found | {"default": self._problem("An error.")}
        for status in sorted({*_statuses(endpoint)} - {*endpoint.others}):
            found[str(status)] = self._problem(HTTPStatus(status).phrase)
        for status, form in endpoint.others.items():
            media = PROBLEM if form is answers.Problem else JSON
            found[str(status)] = {"description": HTTPStatus(status).phrase, "content": self._content({media: form})}
        return found

    def _problem(self, description: str) -> Plain:
        return {"description": description, "content": self._content({PROBLEM: answers.Problem})}

    def _content(self, forms: Mapping[str, Any]) -> Plain:
        return {media.partition(";")[0]: self._media(media, form) for media, form in forms.items()}

    def _media(self, media: str, form: Any) -> Plain:
        if media == LINES and form is not None:
            text = "One JSON object a line"
            return {"schema": {"type": "string", "description": f"{text}: {self._in_words(form)}."}}
        if form is None:
            return {} if media in (BYTES, JSON) else {"schema": {"type": "string"}}
        return {"schema": self._schema(form)}

    def _schema(self, form: Any) -> Plain:
        if isinstance(form, tuple):
            return {"anyOf": [self._schema(each) for each in form]}
        if isinstance(form, dict):
            return form
        (found,), schemas = msgspec.json.schema_components([form], ref_template=_REFERENCE)
        if getattr(form, "ways", ()) and form.__name__ not in self._schemas:
            schemas[form.__name__] |= _one_way(schemas[form.__name__]["properties"], form.ways)
        self._schemas |= {name: each for name, each in schemas.items() if name not in self._schemas}
        return found

    def _in_words(self, form: Any) -> str:
        """The names of the forms of lines, which are among the schemas."""
        several = form if isinstance(form, tuple) else (form,)
        for each in several:
            self._schema(each)
        return " or ".join(each.__name__ for each in several)


def _one_way(properties: Plain, ways: tuple[tuple[str, ...], ...]) -> Plain:
    """The rule of `Form.ways` as JSON Schema."""
    every = dict.fromkeys(name.rstrip("?") for way in ways for name in way)
    rules = []
    for way in ways:
        needed = [name for name in way if not name.endswith("?")]
        barred = [name for name in every if name not in way and f"{name}?" not in way]
        shown = {name: _not_null(properties[name]) for name in needed} | {name: {"type": "null"} for name in barred}
        rules.append({"required": needed, "properties": shown})
    return {"anyOf": rules}


def _not_null(schema: Plain) -> Plain:
    others = [each for each in schema["anyOf"] if each != {"type": "null"}]
    return others[0] if len(others) == 1 else {"anyOf": others}


def _statuses(endpoint: Endpoint) -> Iterator[int]:
    yield from _ANYWHERE
    if endpoint.role != "nobody":
        yield from (401, 503)
    if endpoint.parameters is not None:
        yield 422
    if endpoint.bodies:
        yield from (413, 415, 422)
    if endpoint.role in ("teach", "admin"):
        yield from (409, 422, 429, 507)


def _parameters(path: str, endpoint: Endpoint) -> Iterator[Plain]:
    if path.endswith("*"):
        yield {"name": "rest", "in": "path", "required": True, "schema": {"type": "string"}}
    for each in endpoint.parameters or ():
        shown = {"name": each.name, "in": "query", "description": each.description, "schema": each.schema}
        yield {**shown, "required": True} if each.required else shown
    if endpoint.keyed:
        yield _KEY


def _role_in_words(role: str) -> str:
    return "Needs no role." if role == "nobody" else f"Needs the role {role}."


_ABOUT = """\
A naive Bayes model that is asked and taught over HTTP. Lessons are on the disk before they are acknowledged.

Errors are `application/problem+json` with a stable `code`, a `message` and a `hint`. A request needs a role: public,
read, teach or admin; each may also do what those before it may. Tokens have roles, and requests without a token have
the role that the server was started with.
"""
