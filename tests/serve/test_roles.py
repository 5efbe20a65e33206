"""Who may do what, and who is refused."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import likelier as lk
from likelier._serve.tokens import Access, Caller, Rate, read_tokens
from serving import Served

TOKENS = """\
# name role token
vera  read  vera-secret
anna  teach anna-secret

root  admin root-secret
"""
LESSON = {"text": "my kettle leaks", "label": "returns"}


@pytest.fixture
def tokens(folder: Path) -> Path:
    folder.joinpath("tokens.txt").write_text(TOKENS)
    return folder / "tokens.txt"


@pytest.fixture
def guarded(serve: Callable[..., Served], tokens: Path) -> Served:
    return serve("shop.likelier", "--tokens", str(tokens))


def test_on_loopback_reading_needs_no_token(guarded: Served) -> None:
    assert guarded.post("/v1/classify", {"text": "where is my parcel"})["label"] == "delivery"
    assert guarded.get("/v1/documents")["documents"] == []


def test_on_loopback_teaching_needs_a_token(guarded: Served) -> None:
    assert guarded.refused("POST", "/v1/learn", LESSON) == (401, "token-missing")


def test_a_refusal_without_a_token_names_the_scheme(guarded: Served) -> None:
    assert guarded.ask("POST", "/v1/learn", LESSON).headers["www-authenticate"].startswith("Bearer")


def test_a_wrong_token_is_refused_even_for_reading(guarded: Served) -> None:
    assert guarded.refused("POST", "/v1/classify", {"text": "x"}, token="wrong-secret") == (401, "token-wrong")


def test_a_reader_does_not_teach(guarded: Served) -> None:
    assert guarded.refused("POST", "/v1/learn", LESSON, token="vera-secret") == (403, "role-too-low")


def test_a_teacher_teaches_under_their_name(guarded: Served) -> None:
    guarded.post("/v1/learn", LESSON, token="anna-secret")
    assert [each["by"] for each in guarded.get("/v1/documents")["documents"]] == ["anna"]


@pytest.mark.parametrize(("method", "path"), [("PATCH", "/v1/view"), ("DELETE", "/v1/view"), ("POST", "/v1/load")])
def test_only_an_admin_changes_the_view_and_loads_models(guarded: Served, method: str, path: str) -> None:
    assert guarded.refused(method, path, {"alpha": 1}, token="anna-secret") == (403, "role-too-low")
    assert guarded.ask(method, path, {"alpha": 1}, token="root-secret").status_code == 200


def test_a_teacher_undoes_their_own_lessons_only(guarded: Served) -> None:
    guarded.post("/v1/learn", LESSON, token="root-secret")
    assert guarded.refused("POST", "/v1/undo", {"position": 1}, token="anna-secret") == (403, "undo-others")
    guarded.post("/v1/learn", LESSON, token="anna-secret")
    assert guarded.post("/v1/undo", {"by": "anna"}, token="anna-secret")["undone"] == [2]


def test_tokens_come_from_the_environment_too(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", environment={"LIKELIER_TOKENS": TOKENS})
    assert server.post("/v1/learn", LESSON, token="anna-secret")["position"] == 1


def test_no_token_is_ever_reported(guarded: Served) -> None:
    guarded.refused("POST", "/v1/learn", LESSON, token="not-a-known-secret")
    guarded.post("/v1/learn", LESSON, token="anna-secret")
    guarded.stop()
    assert "secret" not in guarded.errors
    assert "kettle" not in guarded.errors


def test_teach_openly_without_tokens_allows_everything_on_this_machine(shop: Served) -> None:
    shop.post("/v1/learn", LESSON)
    assert shop.ask("PATCH", "/v1/view", {"alpha": 0.5}).status_code == 200
    assert [each["by"] for each in shop.get("/v1/lessons")["lessons"]] == ["local", "local"]


def test_teach_openly_beside_tokens_allows_teaching_and_no_more(serve: Callable[..., Served], tokens: Path) -> None:
    server = serve("shop.likelier", "--teach-openly", "--tokens", str(tokens))
    server.post("/v1/learn", LESSON)
    assert server.refused("DELETE", "/v1/view") == (401, "token-missing")


def test_a_server_that_does_not_learn_says_so(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--read-only", "--teach-openly")
    assert server.refused("POST", "/v1/learn", LESSON) == (403, "server-read-only")
    assert server.post("/v1/classify", {"text": "where is my parcel"})["position"] == 0


def test_other_addresses_need_tokens_or_public() -> None:
    with pytest.raises(lk.ServerError, match="can be reached from other machines"):
        Access.of("0.0.0.0", [], public=False, teach_openly=True)


def test_publicly_everybody_classifies_and_nobody_sees_what_was_taught(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--public", "--host", "0.0.0.0", "--teach-openly")
    server.client.base_url = server.url.replace("0.0.0.0", "127.0.0.1")
    assert server.post("/v1/classify", {"text": "where is my parcel"})["label"] == "delivery"
    for path in ("/v1/documents", "/v1/lessons", "/v1/teachers", "/v1/export/documents", "/metrics"):
        assert server.refused("GET", path) == (401, "token-missing")
    assert server.refused("POST", "/v1/learn", LESSON) == (401, "token-missing")
    assert "--public" in server.errors


def test_behind_other_addresses_a_reader_needs_a_token() -> None:
    access = Access.of("0.0.0.0", read_tokens(None, TOKENS), public=False, teach_openly=False)
    with pytest.raises(lk.LikelierError, match="no token was sent"):
        access.check(access.caller(None, "example.org"), "public")
    access.check(access.caller("Bearer vera-secret", "example.org"), "read")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("anna teach", "got 2 words"),
        ("anna boss anna-secret", "the role must be"),
        ("anna teach short", "at least 8"),
        ("local teach anna-secret", "taken"),
        ("anna teach one-secret\nbob teach one-secret", "line 2: the token is there twice"),
    ],
)
def test_a_line_of_tokens_that_cannot_be_used_is_an_error_without_the_token(line: str, reason: str) -> None:
    with pytest.raises(lk.LikelierError, match=reason) as found:
        read_tokens(None, line)
    assert "secret" not in str(found.value)


def test_a_missing_file_of_tokens_ends_the_command(folder: Path) -> None:
    command = [sys.executable, "-m", "likelier", "serve", str(folder / "shop.likelier"), "--tokens", "missing.txt"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
    assert done.returncode == 2
    assert "missing.txt" in done.stderr
    assert "Traceback" not in done.stderr


# ---- how much ----------------------------------------------------------------------------------------------------


def test_a_name_may_teach_so_much_a_minute(serve: Callable[..., Served], tokens: Path) -> None:
    server = serve("shop.likelier", "--tokens", str(tokens), "--lessons-per-minute", "3")
    many = {"texts": ["a", "b", "c"], "labels": ["spam"] * 3}
    server.post("/v1/learn", many, token="anna-secret")
    assert server.refused("POST", "/v1/learn", LESSON, token="anna-secret") == (429, "rate-limited")
    server.post("/v1/learn", LESSON, token="root-secret")


def test_the_bucket_fills_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("likelier._serve.tokens.time.monotonic", lambda: now[0])
    rate, anna = Rate(60), Caller("anna", "teach")
    rate.check(anna, 60)
    with pytest.raises(lk.LikelierError, match="60 documents a minute"):
        rate.check(anna, 1)
    now[0] = 2.0
    rate.check(anna, 2)


# ---- proxies -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("header", ["X_Forwarded_For", "X_Real_IP", "Forwarded", "Via"])
def test_what_a_proxy_passes_on_is_not_from_this_machine(guarded: Served, header: str) -> None:
    asked = {"text": "where is my parcel"}
    assert guarded.refused("POST", "/v1/classify", asked, **{header: "10.0.0.7"}) == (401, "token-missing")
    assert guarded.ask("POST", "/v1/classify", asked, token="vera-secret", **{header: "10.0.0.7"}).status_code == 200


def test_tokens_are_read_again_at_a_signal(guarded: Served, tokens: Path) -> None:
    tokens.write_text(TOKENS.replace("anna-secret", "fresh-secret"))
    guarded.process.send_signal(signal.SIGHUP)
    guarded.wait_for("loaded")
    assert guarded.refused("POST", "/v1/learn", LESSON, token="anna-secret") == (401, "token-wrong")
    guarded.post("/v1/learn", LESSON, token="fresh-secret")


def test_too_much_teaching_is_told_when_to_come_back(serve: Callable[..., Served], tokens: Path) -> None:
    server = serve("shop.likelier", "--tokens", str(tokens), "--lessons-per-minute", "1")
    server.post("/v1/learn", LESSON, token="anna-secret")
    assert int(server.ask("POST", "/v1/learn", LESSON, token="anna-secret").headers["retry-after"]) > 30
