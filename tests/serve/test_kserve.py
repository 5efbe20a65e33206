"""KServe's protocol, version 1."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import likelier as lk
from serving import Served

TEXT = "where is my parcel"
PREDICT, EXPLAIN = "/v1/models/shop:predict", "/v1/models/shop:explain"


@pytest.fixture(scope="module")
def server(models: Path) -> Iterator[Served]:
    """Nobody teaches it, so one is enough for all of these tests."""
    found = Served(models / "shop.likelier", "--read-only")
    yield found
    found.kill()


def test_the_model_has_the_name_of_its_file(server: Served) -> None:
    assert server.get("/v1/models") == {"models": ["shop"]}


def test_the_model_is_ready(server: Served) -> None:
    assert server.get("/v1/models/shop") == {"name": "shop", "ready": True}


def test_predictions_are_those_of_the_library(server: Served, models: Path) -> None:
    answer = server.post(PREDICT, {"instances": [TEXT, "win a prize"]})
    expected = lk.load(models / "shop.likelier").classify_many([TEXT, "win a prize"])
    assert [each["label"] for each in answer["predictions"]] == ["delivery", "spam"]
    assert [each["probabilities"] for each in answer["predictions"]] == [each.probabilities for each in expected]


@pytest.mark.parametrize("body", [{"instances": [{"text": TEXT}]}, {"inputs": [TEXT]}])
def test_texts_may_be_objects_and_instances_may_be_inputs(server: Served, body: object) -> None:
    assert server.post(PREDICT, body) == server.post(PREDICT, {"instances": [TEXT]})


def test_no_instances_have_no_predictions(server: Served) -> None:
    assert server.post(PREDICT, {"instances": []})["predictions"] == []


def test_the_type_of_a_form_is_taken_as_json_as_curl_sends_it(server: Served) -> None:
    headers = {"content-type": "application/x-www-form-urlencoded"}
    answer = server.client.post(PREDICT, content=b'{"instances": ["win a prize"]}', headers=headers)
    assert answer.json()["predictions"][0]["label"] == "spam"


def test_explanations_are_those_of_the_library_beside_the_predictions(server: Served, models: Path) -> None:
    answer = server.post(EXPLAIN, {"instances": [TEXT]})
    assert answer["explanations"] == [lk.load(models / "shop.likelier").explain(TEXT).to_dict()]
    assert answer["predictions"] == server.post(PREDICT, {"instances": [TEXT]})["predictions"]


def test_a_request_has_few_explanations(server: Served) -> None:
    assert server.refused("POST", EXPLAIN, {"instances": ["a"] * 101}) == (413, "batch-too-large")


@pytest.mark.parametrize(
    ("method", "path", "code"),
    [
        ("GET", "/v1/models/other", "model-name"),
        ("GET", "/v1/models/shop:predict", "model-name"),
        ("POST", "/v1/models/other:predict", "model-name"),
        ("POST", "/v1/models/:predict", "model-name"),
        ("POST", "/v1/models/shop", "route-missing"),
        ("POST", "/v1/models/shop:train", "route-missing"),
    ],
)
def test_what_is_not_there_is_not_found(server: Served, method: str, path: str, code: str) -> None:
    assert server.refused(method, path, {"instances": []} if method == "POST" else None) == (404, code)


@pytest.mark.parametrize("path", [PREDICT, EXPLAIN])
@pytest.mark.parametrize("body", [{}, {"instances": TEXT}, {"instances": [5]}, {"instances": ["a"], "inputs": ["a"]}])
def test_another_form_is_refused(server: Served, path: str, body: object) -> None:
    assert server.refused("POST", path, body) == (422, "body-shape")


def test_what_is_no_json_is_refused_with_the_field_that_clients_show(server: Served) -> None:
    answer = server.client.post(PREDICT, content=b"{")
    assert (answer.status_code, answer.json()["code"]) == (400, "body-json")
    assert answer.json()["error"].startswith("the body is not valid JSON")


def test_a_text_model_refuses_columns(server: Served) -> None:
    status, _ = server.refused("POST", PREDICT, {"instances": [{"subject": TEXT}]})
    assert status == 422


def test_a_model_with_columns_is_asked_with_objects(serve: Callable[..., Served], folder: Path) -> None:
    row = {"subject": "parcel is late", "channel": "chat", "days": 5}
    server = serve("tickets.likelier")
    predicted = server.post("/v1/models/tickets:predict", {"instances": [row]})["predictions"]
    explained = server.post("/v1/models/tickets:explain", {"instances": [row]})["explanations"]
    model = lk.load(folder / "tickets.likelier")
    assert predicted[0]["probabilities"] == model.classify(row).probabilities
    assert explained == [model.explain(row).to_dict()]


def test_a_column_that_the_model_does_not_know_is_noted(serve: Callable[..., Served]) -> None:
    row = {"subject": "parcel is late", "channel": "chat", "days": 5, "color": "red"}
    (note,) = serve("tickets.likelier").post("/v1/models/tickets:predict", {"instances": [row]})["notes"]
    assert "color" in note


def test_without_a_token_nothing_is_said_where_one_is_needed(serve: Callable[..., Served], folder: Path) -> None:
    (folder / "tokens").write_text("kim read kim-secret\n", "utf-8")
    server = serve("shop.likelier", "--tokens", "tokens", "--host", "0.0.0.0")
    for method, path in [("GET", "/v1/models"), ("GET", "/v1/models/shop"), ("POST", PREDICT), ("POST", EXPLAIN)]:
        body = {"instances": [TEXT]} if method == "POST" else None
        assert server.refused(method, path, body) == (401, "token-missing")
        assert server.ask(method, path, body, token="kim-secret").status_code == 200
