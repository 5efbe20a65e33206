"""What users may import: `__all__` of five modules. Everything else is private by name, and the docs do without it."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import likelier as lk

ROOT = Path(__file__).parents[1]
PUBLIC = ["likelier", "likelier.demo", "likelier.sklearn", "likelier.spark", "likelier.spark.ml"]
PAGES = sorted(
    page.relative_to(ROOT).as_posix()
    for page in (*ROOT.joinpath("docs").rglob("*.md"), ROOT / "README.md", ROOT / "PACKAGE.md")
)
MOST_NAMES = 57
FENCE = re.compile(r"^```(?:pycon|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def public_names() -> list[tuple[str, str]]:
    return [(module, name) for module in PUBLIC for name in importlib.import_module(module).__all__]


@pytest.mark.parametrize(("module", "name"), public_names())
def test_every_public_name_can_be_imported_and_is_explained(module: str, name: str) -> None:
    value = getattr(importlib.import_module(module), name)
    assert inspect.getdoc(value)
    assert name in dir(importlib.import_module(module))


@pytest.mark.parametrize("module", PUBLIC)
def test_public_names_are_sorted_and_few(module: str) -> None:
    names = importlib.import_module(module).__all__
    assert names == sorted(set(names))
    assert len(names) <= MOST_NAMES


@pytest.mark.parametrize("module", PUBLIC)
def test_every_public_function_and_class_of_a_public_module_is_listed(module: str) -> None:
    inside = "likelier" if module == "likelier" else module  # everything in `likelier` comes from a private module
    found = importlib.import_module(module)
    named = {name for name, value in vars(found).items() if str(getattr(value, "__module__", "")).startswith(inside)}
    assert {name for name in named if not name.startswith("_")} <= set(found.__all__)


def test_no_other_module_has_a_public_name() -> None:
    found = {each.name for each in pkgutil.walk_packages(lk.__path__, "likelier.")}
    assert {name for name in found if not re.search(r"\._", name)} == set(PUBLIC) - {"likelier"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'likelier' has no attribute 'guess'"):
        lk.guess  # noqa: B018


def test_importing_likelier_leaves_out_what_evaluates() -> None:
    code = "import sys, likelier; print([name for name in sys.modules if name.startswith('likelier._evaluate')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_type_checkers_see_the_names_that_are_imported_later() -> None:
    tree = ast.parse(Path(lk.__file__).read_text("utf-8"))
    (checked,) = [node for node in tree.body if isinstance(node, ast.If)]
    imported = {
        name.name: each.module for each in checked.body if isinstance(each, ast.ImportFrom) for name in each.names
    }
    assert imported == lk._LATER


@pytest.mark.parametrize("page", PAGES)
def test_the_documentation_imports_public_names_only(page: str) -> None:
    code = "\n".join(FENCE.findall(ROOT.joinpath(page).read_text("utf-8")))
    assert re.findall(r"^.*\b(?:likelier|lk)\.(?:\w+\.)*_[a-z].*$", code, re.MULTILINE) == []
    for module, names in re.findall(r"from (likelier[\w.]*) import ([\w, ]+)", code):
        assert module in PUBLIC
        assert {name.strip() for name in names.split(",")} <= set(importlib.import_module(module).__all__)


def test_tracebacks_and_pickles_name_errors_as_they_are_imported() -> None:
    assert {error.__module__ for error in (lk.LikelierError, *lk.LikelierError.__subclasses__())} == {"likelier"}
