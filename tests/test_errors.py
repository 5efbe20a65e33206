"""Every error is written once: the catalog has what the source raises, and nothing else."""

from __future__ import annotations

import ast
import json
import pickle
import re
import string
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

import likelier as lk
from likelier._base.errors import LikelierError, catalog, error
from likelier._settings.values import Settings

MODULES = {path: ast.parse(path.read_text("utf-8")) for path in sorted(Path(lk.__file__).parent.rglob("*.py"))}
MAKERS = {  # functions that make an error: which argument names it, and the values that they give it
    "error": (0, set()),
    "check_one_of": (0, {"known", "got"}),
    "checked_integer": (0, {"got"}),
    "check_setting": (1, {"got"}),
}


def names() -> dict[str, dict[str, Any]]:
    """Every code and every case of one, as they are asked for, with what they say."""
    found = {}
    for code, entry in catalog().items():
        cases = {key: case for key, case in entry.items() if isinstance(case, dict)}
        found |= {code: entry, **{f"{code}.{key}": entry | case for key, case in cases.items()}}
    return found


def placeholders(entry: dict[str, Any]) -> set[str]:
    fields = [field for key in ("message", "hint") for _, field, _, _ in string.Formatter().parse(entry[key])]
    return {field.replace("[", ".").partition(".")[0] for field in fields if field}


def calls() -> Iterator[tuple[str, str, set[str]]]:
    """Where an error is made, its name and the names of its values, for every call that names it."""
    for path, tree in MODULES.items():
        for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
            assigned = variables([*tree.body, *ast.walk(function)])
            for node in ast.walk(function):
                if isinstance(node, ast.Call) and ast.unparse(node.func) in MAKERS:
                    place, own = MAKERS[ast.unparse(node.func)]
                    given = own | {str(keyword.arg) for keyword in node.keywords}
                    for name in named(node.args[place], assigned):
                        yield f"{path.name}:{node.lineno}", name, given


def variables(nodes: Iterable[ast.AST]) -> dict[str, ast.expr]:
    found = {}
    for node in nodes:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and node.value:
            found[target.id] = node.value
    return found


def named(code: ast.expr, assigned: dict[str, ast.expr]) -> set[str]:
    """The names that an expression can have: one, either of two, those of a variable or of a table."""
    match code:
        case ast.Constant():
            return {code.value}
        case ast.IfExp():
            return named(code.body, assigned) | named(code.orelse, assigned)
        case ast.Name() if code.id in assigned:
            return named(assigned[code.id], assigned)
        case ast.Dict():
            return {name for value in code.values for name in named(value, assigned)}
        case ast.Subscript():
            return named(code.value, assigned)
        case ast.Call(func=ast.Attribute(attr="get", value=table)):
            return {name for each in (table, *code.args[1:]) for name in named(each, assigned)}
        case _:
            return set()


def test_every_error_that_is_made_is_in_the_catalog_and_gets_its_values() -> None:
    for place, name, given in calls():
        assert name in names(), place
        assert placeholders(names()[name]) <= given, place


def test_every_entry_of_the_catalog_is_used() -> None:
    constants = {node.value for tree in MODULES.values() for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert set(names()) - constants == set()


def test_errors_are_made_of_the_catalog_only() -> None:
    kinds = {kind.__name__ for kind in LikelierError.__subclasses__()}
    for path, tree in MODULES.items():
        made = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) in kinds]
        assert not made, f"{path}:{made[0].lineno}"


@pytest.mark.parametrize("code", catalog())
def test_an_entry_says_what_it_must(code: str) -> None:
    entry = catalog()[code]
    fields = {key for key, value in entry.items() if isinstance(value, str)}
    assert 400 <= entry.get("status", 400) < 600
    assert {"class", "message", "hint"} <= fields <= {"class", "group", "message", "hint", "command", "server"}
    assert entry["class"] in {kind.__name__ for kind in LikelierError.__subclasses__()}
    for case in (value for key, value in entry.items() if key != "status"):
        assert isinstance(case, str) or (case and case.keys() <= {"message", "hint"})


EXAMPLE = re.compile(r'"\w+": (?:\{.*\}|"[^"]*"|true|false)')


@pytest.mark.parametrize(
    "example", [each for entry in catalog().values() for each in EXAMPLE.findall(entry.get("server", ""))]
)
def test_a_setting_in_the_hint_of_a_server_can_be_sent(example: str) -> None:
    assert Settings().changed_from_dict(json.loads(f"{{{example}}}")) is not None


def test_an_error_has_the_words_of_its_case_and_survives_pickling() -> None:
    made = error("kind-unknown.near", known="csv, tsv", got="cvs", near=["csv"])
    assert isinstance(made, lk.SettingError)
    again = pickle.loads(pickle.dumps(made))
    for each in (made, again):
        assert (each.code, each.hint) == ("kind-unknown", "did you mean 'csv'?")
        assert str(each) == "`kind` must be one of csv, tsv, got 'cvs'\nhint: did you mean 'csv'?"
