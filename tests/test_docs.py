"""The documentation names what likelier has, and nothing else.

Its examples are run: Python by pytest as doctests, commands by `test_walkthrough.py`.
"""

from __future__ import annotations

import dataclasses
import inspect
import re
import runpy
from pathlib import Path

import click
import pytest

import likelier as lk
import likelier.demo
import likelier.sklearn
import likelier.spark
import likelier.spark.ml
from likelier._cli.commands import likelier as program
from likelier._settings.reference import page as settings_page
from likelier._text.languages import known_languages

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = {page.relative_to(DOCS).as_posix(): page.read_text("utf-8") for page in sorted(DOCS.rglob("*.md"))}
EXPLAINED = [name for name in PAGES if name.startswith(("guides/", "concepts/", "lectures/"))]  # with executed examples
LISTS = ["README.md", "errors.md"]
WALKTHROUGH = "guides/command-line.md"
# with a terminal, see `test_walkthrough.py`
SESSIONS = [WALKTHROUGH, "guides/deployment.md", "guides/server.md", "guides/server-clients.md"]
CONFIGURED = {
    "guides/deployment.md": {"dockerfile", "ini", "nginx", "sh", "yaml"},
    "guides/spark.md": {"sh"},
}  # see `serve/test_deployment.py`
LONGEST_LINE = 110

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\[[^\]]+\]\(([^)\s]+)\)")


def prose(page: str) -> str:
    """The page without its fenced blocks, and without tables of stored figures."""
    return re.sub(r"<!-- ([\w-]+) -->.*?<!-- end of \1 -->", "", FENCE.sub("", PAGES[page]), flags=re.DOTALL)


def examples(page: str) -> str:
    """The executed blocks of a page."""
    return "\n".join(body for language, body in FENCE.findall(PAGES[page]) if language in ("pycon", "console"))


# ---- names -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", lk.__all__)
def test_every_public_name_is_documented(name: str) -> None:
    assert any(re.search(rf"\b{name}\b", PAGES[page]) for page in EXPLAINED)


def parameters(function: object) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_the_page_of_settings_is_what_their_table_says() -> None:
    assert PAGES["settings.md"] == settings_page(), "python -m likelier._settings.reference > docs/settings.md"


def test_the_api_reference_is_what_the_docstrings_say() -> None:
    made = runpy.run_path(str(ROOT / "tools" / "api.py"))["page"]()
    assert PAGES["api.md"] == made, "python tools/api.py"


def test_the_api_reference_has_every_public_name_once_with_an_example() -> None:
    entries = re.split(r"^### ", PAGES["api.md"], flags=re.MULTILINE)[1:]
    names = [entry.partition("\n")[0].strip("`") for entry in entries]
    assert sorted(names) == sorted(
        [
            *lk.__all__,
            *likelier.demo.__all__,
            *likelier.sklearn.__all__,
            *likelier.spark.__all__,
            *likelier.spark.ml.__all__,
        ]
    )
    assert [entry for entry in entries if ">>> " not in entry] == []


@pytest.mark.parametrize("setting", [field.name for field in dataclasses.fields(lk.Analyzer)])
def test_every_setting_of_an_analyzer_is_in_the_table_of_settings(setting: str) -> None:
    assert f"| `{setting}` |" in PAGES["guides/preparing-text.md"]


@pytest.mark.parametrize("field", [field.name for field in dataclasses.fields(lk.Verdict)])
def test_every_field_of_a_verdict_is_explained(field: str) -> None:
    assert f"| `{field}` |" in PAGES["guides/first-classifier.md"]


def methods(kind: type) -> list[str]:
    return [f"{kind.__name__}.{name}" for name, value in vars(kind).items() if callable(value) and name[0] != "_"]


@pytest.mark.parametrize("method", [*methods(lk.Model), *methods(lk.View), *methods(lk.Explanation)])
def test_every_method_of_model_view_and_explanation_is_used_in_an_example(method: str) -> None:
    name = method.partition(".")[2]
    assert any(f".{name}(" in examples(page) for page in EXPLAINED)


@pytest.mark.parametrize("option", parameters(lk.read))
def test_every_option_of_read_is_in_the_table_of_options(option: str) -> None:
    assert f"| `{option}` |" in PAGES["guides/reading-data.md"]


def of_documents() -> list[str]:
    """What its docstring promises, and its properties."""
    promised = re.findall(r"^    (\w+)  +\w", str(lk.Documents.__doc__), re.MULTILINE)
    return sorted({*promised, *(name for name, value in vars(lk.Documents).items() if isinstance(value, property))})


@pytest.mark.parametrize("name", of_documents())
def test_everything_that_documents_can_tell_is_explained(name: str) -> None:
    assert f"| `{name}` |" in PAGES["guides/reading-data.md"]


@pytest.mark.parametrize("name", program.list_commands(click.Context(program)))
def test_every_command_is_named_in_the_walk_through(name: str) -> None:
    assert f"likelier {name}" in PAGES[WALKTHROUGH]


# ---- errors ------------------------------------------------------------------------------------------------------


def test_the_page_of_errors_is_what_the_catalog_says() -> None:
    page = runpy.run_path(str(ROOT / "tools" / "errors_page.py"))["page"]()
    assert PAGES["errors.md"] == page, "python tools/errors_page.py > docs/errors.md"


def test_the_guide_to_bad_input_lists_every_kind_of_error() -> None:
    kinds = {kind.__name__ for kind in (lk.LikelierError, *lk.LikelierError.__subclasses__())}
    assert kinds == set(re.findall(r"^\| `(\w+Error)` \|", PAGES["guides/bad-input.md"], re.MULTILINE))


# ---- languages ---------------------------------------------------------------------------------------------------


def test_the_table_of_languages_is_what_there_is() -> None:
    page = PAGES["guides/preparing-text.md"]
    heading, _, *rows = re.findall(r"^\|.*\|$", page.split("<!-- languages:")[1].split("<!-- end")[0], re.MULTILINE)
    columns = [cell.strip() for cell in heading.strip("|").split("|")]
    found = {}
    for row in rows:
        cells = dict(zip(columns, (cell.strip() for cell in row.strip("|").split("|")), strict=True))
        found[cells.pop("code").strip("`")] = {name for name, cell in cells.items() if cell == "yes"}
        assert cells["language"]
    assert found == known_languages()


# ---- pages -------------------------------------------------------------------------------------------------------


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_every_relative_link_leads_somewhere(page: str) -> None:
    for link in LINK.findall(prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (DOCS / page).parent / path if path else DOCS / page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_index_names_every_page() -> None:
    assert set(LINK.findall(PAGES["README.md"])) == set(PAGES) - {"README.md"}


@pytest.mark.parametrize("page", EXPLAINED)
def test_every_page_has_an_executed_example(page: str) -> None:
    assert re.search(r"^(>>>|\$) ", examples(page), re.MULTILINE)


@pytest.mark.parametrize("page", EXPLAINED)
def test_prompts_stand_only_in_executed_blocks_that_end_with_an_empty_line(page: str) -> None:
    assert ">>> " not in prose(page)
    for language, body in FENCE.findall(PAGES[page]):
        allowed = {"pycon", "text", "math", *CONFIGURED.get(page, ()), *(["console"] if page in SESSIONS else ())}
        assert language in allowed
        assert (language == "pycon") == (">>> " in body)
        assert language != "pycon" or body.endswith("\n\n")  # otherwise the fence counts as output


@pytest.mark.parametrize("page", EXPLAINED)
def test_decimals_and_fractions_in_the_prose_stand_in_an_example_too(page: str) -> None:
    executed = re.sub(r"(?:F|Fraction)\((\d+), (\d+)\)", r"\1/\2", examples(page)).replace(" / ", "/")
    for number in re.findall(r"(?<![\w.])\d+(?:\.\d+|/\d+)(?![\w/]|\.\d)", prose(page)):  # 127.0.0.1 is none
        assert re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", executed), number


@pytest.mark.parametrize("page", [*EXPLAINED, *LISTS])
def test_lines_are_not_too_long(page: str) -> None:
    without_screens = re.sub(r"^```console\n.*?^```$", "", PAGES[page], flags=re.MULTILINE | re.DOTALL)
    assert max(map(len, without_screens.splitlines())) <= LONGEST_LINE
