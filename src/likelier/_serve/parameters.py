"""Parameters of an address: each is declared once, and by that it is read, checked and described."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any
from urllib.parse import parse_qsl

from likelier._base.errors import error
from likelier._serve.calls import microseconds
from likelier._show.words import listed

DIGITS = 18  # of an integer


@dataclass(frozen=True)
class Parameter:
    """One parameter.

    read    the value from its text, or a ValueError
    rule    what the text must be, for messages
    schema  the same as JSON Schema, for /openapi.json
    """

    name: str
    description: str
    read: Callable[[str], Any]
    rule: str
    schema: Mapping[str, Any]
    default: Any = None
    required: bool = False


def needed(one: Parameter) -> Parameter:
    """The same parameter, without which there is no answer."""
    schema = {name: value for name, value in one.schema.items() if name != "default"}
    return replace(one, required=True, schema=schema)


def text(name: str, description: str) -> Parameter:
    """Any text without a null character."""
    return Parameter(name, description, _text, "must be text", {"type": "string", "pattern": r"^[^\u0000]*$"})


def integer(name: str, description: str, default: int, least: int, most: int) -> Parameter:
    """An integer between two others."""

    def read(given: str) -> int:
        if not given.isascii() or not given.isdigit() or len(given) > DIGITS or not least <= int(given) <= most:
            raise ValueError
        return int(given)

    schema = {"type": "integer", "minimum": least, "maximum": most, "default": default}
    return Parameter(name, description, read, f"must be an integer from {least} to {most}", schema, default)


def flag(name: str, description: str) -> Parameter:
    """A switch, which is off if it is not given."""
    schema = {"type": "boolean", "default": False}
    return Parameter(name, description, ["false", "true"].index, "must be true or false", schema, False)


def choice(name: str, description: str, *choices: str, default: str | None = None) -> Parameter:
    """One of these."""

    def read(given: str) -> str:
        return choices[choices.index(given)]

    schema = {"type": "string", "enum": list(choices)} | ({} if default is None else {"default": default})
    return Parameter(name, description, read, f"must be {listed(choices, 'or')}", schema, default)


def time(name: str, description: str) -> Parameter:
    """A time, which is read as microseconds since 1970."""
    schema = {"type": "string", "format": "date-time"}
    return Parameter(name, description, partial(microseconds, name), "", schema)


def given_for(query: bytes, known: Sequence[Parameter]) -> dict[str, Any]:
    """The values of all parameters, by name; one that is not known, or is given twice, is an error."""
    found = {each.name: each.default for each in known}
    by_name = {each.name: each for each in known}
    seen: set[str] = set()
    for name, value in parse_qsl(query.decode("latin-1"), keep_blank_values=True):
        if name not in by_name:
            rule = f"is not known here; there are {', '.join(by_name) or 'none'}"
            raise error("parameter-wrong", name=name, rule=rule, got=value)
        if name in seen:
            raise error("parameter-wrong", name=name, rule="can be given once only", got=value)
        seen.add(name)
        try:
            found[name] = by_name[name].read(value)
        except ValueError:
            raise error("parameter-wrong", name=name, rule=by_name[name].rule, got=value) from None
    for each in known:
        if each.required and each.name not in seen:
            raise error("parameter-wrong", name=each.name, rule="is needed", got="")
    return found


def _text(given: str) -> str:
    given.encode()  # a lone surrogate is an error, which is a ValueError
    if "\0" in given:
        raise ValueError
    return given
