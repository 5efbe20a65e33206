"""Starting, stopping, swapping the model, and what is said about the server."""

from __future__ import annotations

import gzip
import json
import shutil
import signal
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

import likelier as lk
from serving import Served, not_served

LESSON = {"text": "my kettle leaks", "label": "returns"}


def metrics(server: Served) -> dict[tuple[str, ...], float]:
    text = server.ask("GET", "/metrics").text
    return {
        (each.name, *dict(sorted(each.labels.items())).values()): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


# ---- the end -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_server_with_a_snapshot(shop: Served, folder: Path, number: int) -> None:
    shop.post("/v1/learn", LESSON)
    assert shop.stop(number) == 0
    assert lk.load(folder / "shop.likelier").learned(*LESSON.values())


def test_while_it_stops_it_is_not_ready_and_finishes_what_is_under_way(shop: Served) -> None:
    sent, go_on = threading.Event(), threading.Event()

    def lines() -> object:
        yield b'{"text": "where is my parcel"}\n'
        sent.set()
        go_on.wait(30)
        yield b'{"text": "the invoice is wrong"}\n'

    answers: list[str] = []

    def ask() -> None:
        with httpx.Client(base_url=shop.url, timeout=60, trust_env=False) as client:
            headers = {"content-type": "application/x-ndjson"}
            found = client.post("/v1/classify", content=lines(), headers=headers)
            answers.extend(json.loads(line)["label"] for line in found.text.splitlines())

    asking = threading.Thread(target=ask)
    asking.start()
    assert sent.wait(30)
    time.sleep(0.2)
    shop.process.send_signal(signal.SIGTERM)
    end = time.monotonic() + 30
    while shop.client.get("/readyz").status_code != 503:
        assert time.monotonic() < end
    assert shop.client.get("/healthz").status_code == 200
    assert shop.process.poll() is None
    go_on.set()
    asking.join(30)
    assert answers == ["delivery", "billing"]
    assert shop.process.wait(30) == 0


def test_a_server_without_lessons_leaves_the_model_file_alone(serve: Callable[..., Served], folder: Path) -> None:
    before = folder.joinpath("shop.likelier").read_bytes()
    serve("shop.likelier").stop()
    assert folder.joinpath("shop.likelier").read_bytes() == before


# ---- another model -----------------------------------------------------------------------------------------------


def swap(folder: Path) -> None:
    """Another model takes the place of the file."""
    lk.train([("where is my parcel", "lost"), ("thank you", "fine")], view="textbook").save(folder / "new.likelier")
    shutil.move(folder / "new.likelier", folder / "shop.likelier")


def test_a_signal_loads_a_new_model_file(shop: Served, folder: Path) -> None:
    swap(folder)
    shop.process.send_signal(signal.SIGHUP)
    end = time.monotonic() + 30
    while shop.post("/v1/classify", {"text": "where is my parcel"})["label"] != "lost":
        assert time.monotonic() < end
    assert shop.get("/v1/lessons")["lessons"][-1]["kind"] == "load"


def test_a_file_from_before_the_last_load_is_refused(shop: Served, folder: Path) -> None:
    before = folder.joinpath("shop.likelier").read_bytes()
    swap(folder)
    shop.post("/v1/load", None)
    shop.stop()
    folder.joinpath("shop.likelier").write_bytes(before)
    assert "the log has loaded a later model (lesson 1)" in not_served(folder / "shop.likelier")


def test_no_request_is_dropped_while_a_model_is_swapped_in(shop: Served, folder: Path) -> None:
    labels: list[str] = []
    done = threading.Event()

    def ask() -> None:
        with httpx.Client(base_url=shop.url, timeout=60, trust_env=False) as client:
            while not done.is_set():
                answer = client.post("/v1/classify", json={"text": "where is my parcel"})
                labels.append(answer.json()["label"])

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for each in threads:
        each.start()
    _wait_for_more(labels)
    swap(folder)
    shop.post("/v1/load", None)
    _wait_for_more(labels)
    done.set()
    for each in threads:
        each.join()
    assert set(labels) == {"delivery", "lost"}


def _wait_for_more(labels: list[str]) -> None:
    """Until there are some labels more."""
    end, before = time.monotonic() + 60, len(labels)
    while len(labels) < before + 20:
        assert time.monotonic() < end
        time.sleep(0.01)


def test_lessons_before_a_new_model_cannot_be_undone(shop: Served, folder: Path) -> None:
    shop.post("/v1/learn", LESSON)
    swap(folder)
    shop.post("/v1/load", None)
    assert shop.refused("POST", "/v1/undo", {"position": 1}) == (409, "undo-before-load")


def test_after_a_restart_the_new_model_is_served(serve: Callable[..., Served], folder: Path) -> None:
    first = serve("shop.likelier", "--teach-openly")
    swap(folder)
    first.post("/v1/load", None)
    first.post("/v1/learn", {"text": "broken kettle", "label": "lost"})
    digest = first.get("/v1/model")["digest"]
    first.kill()
    again = serve("shop.likelier")
    assert again.get("/v1/model")["digest"] == digest
    assert [each["label"] for each in again.get("/v1/model")["labels"]] == ["fine", "lost"]


# ---- what is said ------------------------------------------------------------------------------------------------


def test_metrics_count_requests_lessons_and_documents(shop: Served) -> None:
    shop.post("/v1/classify", {"text": "x"})
    shop.post("/v1/learn", LESSON)
    found = metrics(shop)
    assert found["likelier_requests_total", "POST", "/v1/classify", "200"] == 1
    assert found["likelier_request_seconds_count", "/v1/classify"] == 1
    assert found["likelier_lessons_total", "learn"] == 1
    assert found["likelier_documents",] == 241
    assert found["likelier_log_position",] == 1
    assert found["likelier_build_info", lk.__version__] == 1


def test_no_address_that_somebody_makes_up_is_a_label_of_a_metric(shop: Served) -> None:
    shop.client.get("/made-up-address")
    shop.client.request("BREW", "/v1/classify")
    assert "made-up" not in shop.client.get("/metrics").text
    assert "BREW" not in shop.client.get("/metrics").text


def test_the_buckets_of_a_histogram_rise_to_the_number_of_requests(shop: Served) -> None:
    for _ in range(5):
        shop.post("/v1/classify", {"text": "x"})
    buckets = [
        value
        for key, value in metrics(shop).items()
        if (key[0], key[-1]) == ("likelier_request_seconds_bucket", "/v1/classify")
    ]
    assert buckets == sorted(buckets)
    assert buckets[-1] == 5


def test_every_answer_names_the_digest_and_the_position(shop: Served) -> None:
    shop.post("/v1/learn", LESSON)
    digest = shop.get("/v1/model")["digest"]
    for method, path in (("GET", "/healthz"), ("GET", "/v1/export/model"), ("GET", "/nowhere"), ("GET", "/metrics")):
        answer = shop.ask(method, path)
        assert (answer.headers["likelier-position"], answer.headers["likelier-digest"]) == ("1", digest)


def test_requests_are_reported_if_that_is_asked_for(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--report-requests")
    server.post("/v1/classify", {"text": "a secret text"})
    server.stop()
    said = [json.loads(line) for line in server.said if line.startswith("{")]
    found = [each for each in said if each["event"] == "request" and each["route"] == "/v1/classify"]
    assert [each["status"] for each in found] == [200]
    assert "secret" not in server.errors


def test_the_digest_of_the_counts_is_that_of_the_model_file(shop: Served, folder: Path) -> None:
    shop.post("/v1/learn", LESSON)
    digest = shop.get("/v1/model?counts_digest=true")["counts_digest"]
    shop.stop()
    assert lk.load(folder / "shop.likelier").counts.digest() == digest


# ---- gzip and snapshots ------------------------------------------------------------------------------------------


def test_bodies_may_be_compressed_in_both_directions(shop: Served) -> None:
    body = gzip.compress(json.dumps({"texts": ["where is my parcel"] * 50}).encode())
    headers = {"content-type": "application/json", "content-encoding": "gzip", "accept-encoding": "gzip"}
    answer = shop.client.post("/v1/classify", content=body, headers=headers)
    assert answer.headers["content-encoding"] == "gzip"
    assert [each["label"] for each in answer.json()["verdicts"]] == ["delivery"] * 50


def test_snapshots_are_taken_by_number(serve: Callable[..., Served], folder: Path) -> None:
    server = serve("shop.likelier", "--teach-openly", "--snapshot-lessons", "2")
    for number in range(4):
        server.post("/v1/learn", {"text": f"text {number}", "label": "spam"})
    end = time.monotonic() + 30
    while lk.load(folder / "shop.likelier").documents != 244:
        assert time.monotonic() < end


def test_snapshots_are_taken_by_time(serve: Callable[..., Served], folder: Path) -> None:
    server = serve("shop.likelier", "--teach-openly", "--snapshot-seconds", "0.3")
    server.post("/v1/learn", LESSON)
    end = time.monotonic() + 30
    while lk.load(folder / "shop.likelier").documents != 241:
        assert time.monotonic() < end


def test_the_write_ahead_log_does_not_grow(serve: Callable[..., Served], folder: Path) -> None:
    server = serve("shop.likelier", "--teach-openly", "--snapshot-lessons", "300")
    long = "word " * 2000
    for number in range(0, 900, 100):
        texts = [f"{long} {number + each}" for each in range(100)]
        server.post("/v1/learn", {"texts": texts, "labels": ["spam"] * 100})
    wal = folder / "shop.likelier.log.sqlite-wal"
    assert wal.stat().st_size < 40 << 20
    server.stop()
    with sqlite3.connect(folder / "shop.likelier.log.sqlite") as log:
        assert log.execute("SELECT count(*) FROM lessons").fetchone() == (900,)


# ---- limits ------------------------------------------------------------------------------------------------------


def test_limits_can_be_set(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--max-text", "10", "--max-batch", "2", "--max-body", "200")
    assert server.refused("POST", "/v1/classify", {"text": "x" * 11}) == (413, "text-too-long")
    assert server.refused("POST", "/v1/classify", {"texts": ["x"] * 3}) == (413, "batch-too-large")
    assert server.refused("POST", "/v1/classify", {"text": "x" * 300}) == (413, "body-too-large")


def test_a_label_that_the_model_did_not_have_is_pointed_out(shop: Served) -> None:
    assert shop.post("/v1/learn", {"text": "my kettle leaks", "label": "retruns"})["new_labels"] == ["retruns"]
    assert "new_labels" not in shop.post("/v1/learn", LESSON)


def test_documents_taught_before_a_new_model_are_not_listed(shop: Served, folder: Path) -> None:
    shop.post("/v1/learn", LESSON)
    swap(folder)
    shop.post("/v1/load", None)
    assert shop.get("/v1/documents")["documents"] == []
    assert shop.get("/v1/teachers")["teachers"] == []


def test_documents_cannot_be_exported_without_their_texts(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--teach-openly", "--without-texts", "--snapshot-lessons", "1")
    server.post("/v1/learn", LESSON)
    server.wait_for("snapshot")
    time.sleep(0.2)
    assert server.refused("GET", "/v1/export/documents") == (409, "texts-not-kept")


# ---- what is said beside the answer ------------------------------------------------------------------------------


def test_learning_says_which_columns_the_model_does_not_know(serve: Callable[..., Served]) -> None:
    server = serve("tickets.likelier", "--teach-openly")
    answer = server.post("/v1/learn", {"document": {"subjct": "parcel", "days": 3}, "label": "delivery"})
    assert answer["notes"] == ["ignored: column 'subjct'"]
    assert "notes" not in server.post("/v1/learn", {"document": {"days": 3}, "label": "delivery"})


def test_a_label_that_nothing_is_learned_of_is_not_new(shop: Served) -> None:
    answer = shop.post("/v1/learn", {"text": "bubble", "label": "unheard of", "weight": 0})
    assert "new_labels" not in answer
    assert "unheard of" not in [each["label"] for each in shop.get("/v1/model")["labels"]]


def test_a_huge_weight_is_refused_in_few_words(shop: Served) -> None:
    answer = shop.ask("POST", "/v1/learn", {"text": "bubble", "label": "spam", "weight": 1e300})
    assert answer.status_code == 422
    assert "got 1e+300 for" in answer.json()["message"]


def test_hints_are_in_terms_of_requests(shop: Served) -> None:
    answer = shop.ask("PATCH", "/v1/view", {"smoothing": {"kind": "nope"}})
    assert answer.json()["hint"] == "GET /v1/view shows the form of every setting"
    answer = shop.ask("POST", "/v1/learn", {"text": "a", "label": 1})
    assert answer.json()["hint"] == '1, true and "1" are three labels; send all as text'


def test_an_explanation_is_a_whole_page(shop: Served) -> None:
    answer = shop.ask("POST", "/v1/explain", {"text": "where is my <b>parcel</b>, Zoë?"}, accept="text/html")
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.text.startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in answer.text
    assert "<b>parcel" not in answer.text
    assert answer.headers["likelier-digest"] in answer.text
