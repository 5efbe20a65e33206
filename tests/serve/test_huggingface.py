"""Hugging Face's own client, pointed at a server of ours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from huggingface_hub import InferenceClient, close_session
from huggingface_hub.errors import HfHubHTTPError

import likelier as lk
from serving import Served

TEXT = "where is my parcel"


@pytest.fixture(scope="module")
def server(models: Path) -> Iterator[Served]:
    """Nobody teaches it, so one is enough for all of these tests."""
    found = Served(models / "shop.likelier", "--read-only")
    yield found
    found.kill()


@pytest.fixture(autouse=True)
def no_connections_left() -> Iterator[None]:
    """The clients share connections, and keep them."""
    yield
    close_session()


@pytest.mark.parametrize("path", ["", "/", "/huggingface"])
def test_the_client_gets_all_labels_with_their_probabilities_the_highest_first(
    server: Served, models: Path, path: str
) -> None:
    answer = InferenceClient(model=server.url + path).text_classification(TEXT)
    expected = lk.load(models / "shop.likelier").classify(TEXT).probabilities
    assert {each.label: each.score for each in answer} == expected
    assert [each.score for each in answer] == sorted(expected.values(), reverse=True)


def test_top_k_limits_the_labels(server: Served) -> None:
    client = InferenceClient(model=server.url)
    assert client.text_classification(TEXT, top_k=2) == client.text_classification(TEXT)[:2]


def test_softmax_is_what_scores_are(server: Served) -> None:
    client = InferenceClient(model=server.url)
    assert client.text_classification(TEXT, function_to_apply="softmax") == client.text_classification(TEXT)


def test_the_client_shows_the_message_and_the_hint_of_an_error(server: Served) -> None:
    with pytest.raises(HfHubHTTPError, match="Invalid enum value 'sigmoid'") as failure:
        InferenceClient(model=server.url).text_classification(TEXT, function_to_apply="sigmoid")
    assert failure.value.server_message is not None
    assert "hint: " in failure.value.server_message


def test_several_texts_get_a_list_each(server: Served) -> None:
    answer = server.post("/huggingface", {"inputs": [TEXT, "win a prize"], "parameters": {"top_k": 1}})
    assert [[each["label"] for each in scores] for scores in answer] == [["delivery"], ["spam"]]


def test_one_text_gets_a_list_in_a_list_as_the_clients_expect(server: Served) -> None:
    assert server.post("/huggingface", {"inputs": TEXT}) == server.post("/huggingface", {"inputs": [TEXT]})


def test_no_texts_get_no_lists(server: Served) -> None:
    assert server.post("/huggingface", {"inputs": []}) == []


def test_fields_of_other_models_are_ignored(server: Served) -> None:
    more = {"options": {"wait_for_model": True}, "parameters": {"truncation": True, "top_k": None}}
    assert server.post("/huggingface", {"inputs": TEXT, **more}) == server.post("/huggingface", {"inputs": TEXT})


def test_a_body_without_a_content_type_is_taken_as_json(server: Served) -> None:
    answer = server.client.post("/huggingface", content=b'{"inputs": "win a prize"}')
    assert answer.json() == server.post("/huggingface", {"inputs": "win a prize"})


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"inputs": 5},
        {"inputs": [["a"]]},
        {"inputs": None},
        {"inputs": TEXT, "parameters": {"top_k": 0}},
        {"inputs": TEXT, "parameters": "top_k"},
    ],
)
def test_another_form_is_refused(server: Served, body: object) -> None:
    assert server.refused("POST", "/huggingface", body) == (422, "body-shape")


def test_what_is_no_json_is_refused(server: Served) -> None:
    answer = server.client.post("/huggingface", content=b"where is my parcel")
    assert (answer.status_code, answer.json()["code"]) == (400, "body-json")
    assert answer.json()["error"].startswith("the body is not valid JSON")


def test_people_get_a_page_at_the_same_address(server: Served) -> None:
    assert server.ask("GET", "/").headers["content-type"].startswith("text/html")


def test_a_model_with_columns_is_asked_with_objects(serve: Callable[..., Served]) -> None:
    server = serve("tickets.likelier")
    row = {"subject": "parcel is late", "channel": "chat", "days": 5}
    answer = InferenceClient(model=server.url).text_classification(row, top_k=1)  # type: ignore[arg-type]
    assert [each.label for each in answer] == ["delivery"]


# ---- tokens ------------------------------------------------------------------------------------------------------


@pytest.fixture
def locked(serve: Callable[..., Served], folder: Path) -> Served:
    """A server that answers to whoever has a token, and listens everywhere."""
    (folder / "tokens").write_text("bert read bert-secret\n", "utf-8")
    server = serve("shop.likelier", "--tokens", "tokens", "--host", "0.0.0.0")
    server.url = server.url.replace("0.0.0.0", "127.0.0.1")
    return server


def test_the_token_of_the_client_is_the_token_of_the_server(locked: Served) -> None:
    answer = InferenceClient(model=locked.url, token="bert-secret").text_classification(TEXT)
    assert answer[0].label == "delivery"


@pytest.mark.parametrize("token", ["hf_of_another_place", "wrong-secret"])
def test_another_token_is_refused_with_a_message(locked: Served, token: str) -> None:
    with pytest.raises(HfHubHTTPError, match="token") as failure:
        InferenceClient(model=locked.url, token=token).text_classification(TEXT)
    assert failure.value.response.status_code == 401


def test_who_is_logged_in_at_hugging_face_needs_no_token_where_nobody_does(server: Served) -> None:
    answer = InferenceClient(model=server.url, token="hf_of_another_place").text_classification(TEXT)
    assert answer[0].label == "delivery"


def test_a_token_of_another_place_does_not_open_the_server_to_other_hosts(server: Served) -> None:
    headers = {"host": "evil.example", "authorization": "Bearer hf_of_another_place"}
    assert server.refused("POST", "/huggingface", {"inputs": TEXT}, **headers) == (403, "host-refused")
