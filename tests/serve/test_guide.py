"""The guide to the server says what the server does. Its sessions run in `test_walkthrough.py`."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from likelier._base.errors import catalog
from likelier._cli.commands import likelier as program
from likelier._serve import connections, drafts
from likelier._serve.lessons import KINDS
from likelier._serve.run import Options
from likelier._workbench.routes import every as routes
from serving import Served

GUIDES = Path(__file__).parents[2] / "docs" / "guides"
GUIDE = (GUIDES / "server.md").read_text("utf-8")
OTHERS = re.compile(
    r"^/(huggingface|label-studio|v1/models|static)"
)  # addresses of other protocols have a guide of their own, and static files need none


def rows(heading: str) -> list[list[str]]:
    """The rows of the first table under a heading that has these columns."""
    table = re.search(rf"^\| {re.escape(heading)} \|\n\|[-|]+\|\n((?:\|.*\|\n)+)", GUIDE, re.MULTILINE)
    assert table is not None
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table[1].splitlines()]


def test_the_table_of_addresses_is_what_there_is() -> None:
    listed = {
        (address.strip("`"), method): role
        for address, methods, role, _ in rows("address | method | role | purpose")
        for method in methods.split(", ")
    }
    there = {
        (path, method): endpoint.role
        for path, methods in routes().items()
        for method, endpoint in methods.items()
        if not OTHERS.match(path) and (path, method) != ("/", "POST")
    }
    assert listed == there


def test_every_status_in_the_table_of_errors_is_that_of_its_codes() -> None:
    by_class = {"LearningError": 409}
    for status, codes, _ in rows("status | code | meaning"):
        for code in re.findall(r"`([\w-]+)`", codes):
            entry = catalog()[code]
            assert int(status) == (entry.get("status") or by_class[entry["class"]]), code


def test_the_table_of_limits_has_the_defaults() -> None:
    limits = Options(Path("model")).limits
    listed = {name: default for name, default, *_ in rows("limit | default | option")}
    assert listed == {
        "body, after decompression": f"{limits.body >> 20} MiB; JSON Lines: each line",
        "text": f"{limits.text:,} characters",
        "documents in a request": f"{limits.batch:,}; JSON Lines: any number",
        "documents that one name teaches in a minute": f"{Options(Path('model')).lessons_per_minute:,}",
        "lessons that one request undoes": f"{drafts.MOST_UNDONE:,}",
        "request line and headers": f"{connections.LONGEST_HEAD >> 10} KiB",
    }


def test_the_table_of_parameters_has_every_parameter_and_kind() -> None:
    listed = {name: meaning for names, meaning in rows("parameter | meaning") for name in re.findall(r"`(\w+)`", names)}
    paths = ("/v1/documents", "/v1/lessons")
    assert listed.keys() == {each.name for path in paths for each in routes()[path]["GET"].parameters or ()}
    assert listed["kind"] == f"of a lesson: {', '.join(KINDS)}"


def options() -> list[str]:
    command = program.get_command(click.Context(program), "serve")
    assert command is not None
    return [name for each in command.params for name in each.opts if name.startswith("--") and name != "--help"]


@pytest.mark.parametrize("option", options())
def test_every_option_is_explained(option: str) -> None:
    pages = GUIDE + (GUIDES / "deployment.md").read_text("utf-8")
    assert re.search(rf"{option}(?![\w-])", pages)


ROLES = {  # row of the table "role without a token" → options, and what a request without a token may do
    "`read`, for requests to `localhost`, `127.0.0.1` or `[::1]`; others get 403": ([], "read"),
    "`admin`; with `--tokens` too, `teach`": (["--teach-openly"], "admin"),
    "none": (["--host", "0.0.0.0", "--tokens", "tokens.txt"], "nobody"),
    "`public`": (["--host", "0.0.0.0", "--public"], "public"),
}


@pytest.mark.parametrize(("said", "started"), ROLES.items())
def test_a_request_without_a_token_has_the_role_that_the_guide_says(
    said: str, started: tuple[list[str], str], serve: Callable[..., Served], folder: Path
) -> None:
    assert said in [cell for _, cell in rows("started with | role without a token")]
    given, role = started
    (folder / "tokens.txt").write_text("anna teach correct-horse\n")
    server = serve("shop.likelier", *given)
    asked = {
        "public": ("GET", "/v1/model", None),
        "read": ("GET", "/v1/documents", None),
        "teach": ("POST", "/v1/learn", {"text": "kettle", "label": "returns"}),
        "admin": ("PATCH", "/v1/view", {"alpha": 1}),
    }
    allowed = [name for name, (method, path, body) in asked.items() if server.ask(method, path, body).status_code < 400]
    assert allowed == (list(asked)[: list(asked).index(role) + 1] if role in asked else [])


def test_a_request_to_another_host_without_a_token_is_refused(shop: Served) -> None:
    assert shop.refused("GET", "/v1/model", host="likelier.example.org") == (403, "host-refused")


def test_loading_a_file_that_was_not_replaced_does_nothing(shop: Served) -> None:
    learned = shop.post("/v1/learn", {"text": "The kettle leaks", "label": "returns"})
    shop.post("/v1/load", None)
    assert shop.get("/v1/model")["digest"] == learned["digest"]


def test_without_texts_the_guide_names_what_is_not_possible(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--teach-openly", "--without-texts", "--snapshot-lessons", "1")
    server.post("/v1/learn", {"text": "The kettle leaks", "label": "returns"})
    server.wait_for("snapshot")
    assert server.refused("POST", "/v1/undo", {"position": 1}) == (409, "texts-not-kept")
    assert server.refused("GET", "/v1/evaluate") == (409, "texts-not-kept")
    assert [each["text"] for each in server.get("/v1/documents")["documents"]] == [None]
    assert server.refused("GET", "/v1/documents?search=kettle") == (409, "texts-not-kept")
    assert server.refused("GET", "/v1/lessons?search=kettle") == (409, "texts-not-kept")
    assert server.get("/v1/teachers")["teachers"][0]["judged"] == 0
    assert server.post("/v1/forget", {"text": "The kettle leaks", "label": "returns"})["position"] == 2
