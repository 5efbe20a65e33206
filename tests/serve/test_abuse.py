"""Bodies that are broken, huge or strange: each gets an answer with a code, and the server goes on."""

from __future__ import annotations

import gzip
import json
import select
from collections.abc import Callable

import pytest

from serving import Served
from sockets import Answer, Client, chunked, piece, request

JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
GZIP = "Content-Encoding: gzip"


def sent(tough: Served, data: bytes) -> Answer:
    with Client(tough.url) as client:
        client.send(data)
        return client.answer()


def classified(tough: Served, body: bytes, *headers: str) -> tuple[int, str]:
    """Status and code of the answer to a body."""
    found = sent(tough, request(body, *headers))
    return found.status, found.code


# ---- JSON --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b'{"text": "a"',
        b'{"text": "a"}}',
        b"{'text': 'a'}",
        b'{"text": NaN}',
        b'\xef\xbb\xbf{"text": "a"}',
        b'{"text": "\xff"}',
        b'{"text": "\xed\xa0\x80"}',
        b'{"text": "\\ud800"}',
        b'{"text": "a\x00b"}',
        b"\x00" * 1000,
    ],
)
def test_a_body_that_is_no_json_is_refused(tough: Served, body: bytes) -> None:
    assert classified(tough, body) == (400, "body-json")


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b"null",
        b'"text"',
        b"1e999",
        b"{}",
        b'{"text": null}',
        b'{"text": 5}',
        b'{"text": ["a"]}',
        b'{"text": "a", "texts": ["b"]}',
        b'{"text": "a", "top": 1e999}',
        b'{"text": "a", "top": 0}',
        b'{"text": "a", "unknown": 1}',
    ],
)
def test_a_body_of_another_form_is_refused(tough: Served, body: bytes) -> None:
    assert classified(tough, body) == (422, "body-shape")


@pytest.mark.parametrize("field", ["text", "document", "texts", "unknown"])
def test_json_of_a_hundred_thousand_levels_is_refused(tough: Served, field: str) -> None:
    status, code = classified(tough, b'{"%s": %s' % (field.encode(), b"[" * 100_000))
    assert (status, code) in ((422, "body-shape"), (400, "body-json"))


def test_settings_of_a_hundred_thousand_levels_are_refused(tough: Served) -> None:
    body = b'{"decide": %s' % (b'{"a":' * 100_000)
    found = sent(tough, request(body, JSON, method="PATCH", path="/v1/view"))
    assert (found.status, found.code) == (400, "body-json")


def test_settings_of_as_many_levels_as_json_can_have_are_refused(tough: Served) -> None:
    body = b'{"decide": %s1%s}' % (b'{"a":' * 900, b"}" * 900)
    found = sent(tough, request(body, JSON, method="PATCH", path="/v1/view"))
    assert (found.status, found.code) == (422, "stored-kind")


@pytest.mark.parametrize("number", [b"1e999", b"-1e999", b"1" + b"0" * 400, b"1" + b"0" * 5000, b"-1", b"NaN", b"true"])
def test_a_weight_that_is_no_weight_is_refused(tough: Served, number: bytes) -> None:
    found = sent(tough, request(b'{"text": "a", "label": "spam", "weight": %s}' % number, path="/v1/learn"))
    assert found.status in (400, 422)


@pytest.mark.parametrize("label", [b"true", b"1", b"1.5", b"null", b"[]", b"1" + b"0" * 400])
def test_a_label_of_another_kind_is_refused(tough: Served, label: bytes) -> None:
    found = sent(tough, request(b'{"text": "a", "label": %s}' % label, path="/v1/learn"))
    assert found.status == 422


def test_a_position_beyond_every_database_is_refused(tough: Served) -> None:
    found = sent(tough, request(b'{"position": 1%s}' % (b"0" * 400), path="/v1/undo"))
    assert (found.status, found.code) == (422, "body-shape")


@pytest.mark.parametrize("text", ["", " ", "\0", "\u202e", "\U0010ffff", "a" * 100_000])
def test_a_strange_text_gets_a_verdict(tough: Served, text: str) -> None:
    found = sent(tough, request(json.dumps({"text": text}).encode()))
    assert found.status == 200
    assert sum(found.json()["probabilities"].values()) == pytest.approx(1)


def test_a_message_that_quotes_what_was_given_is_cut(tough: Served) -> None:
    body = json.dumps({"prior": {"a" * 500_000: 2}}).encode()
    found = sent(tough, request(body, JSON, method="PATCH", path="/v1/view"))
    assert found.status == 422
    assert len(found.body) < 10_000


# ---- kinds of content --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/xml", "application/x-www-form-urlencoded", "", "json", "a/b;"]
)
def test_another_content_type_is_refused(tough: Served, kind: str) -> None:
    assert classified(tough, b'{"text": "a"}', f"Content-Type: {kind}") == (415, "body-kind")


@pytest.mark.parametrize("kind", ["application/json; charset=utf-8", "APPLICATION/JSON", "application/json;"])
def test_json_may_be_called_by_other_names(tough: Served, kind: str) -> None:
    assert classified(tough, b'{"text": "a"}', f"Content-Type: {kind}") == (200, "")


@pytest.mark.parametrize("kind", [JSON, LINES])
def test_another_content_encoding_is_refused(tough: Served, kind: str) -> None:
    assert classified(tough, b'{"text": "a"}', kind, "Content-Encoding: br") == (415, "body-encoding")


# ---- sizes -------------------------------------------------------------------------------------------------------


def test_a_length_that_is_too_large_is_refused_before_the_body_comes(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(
            b"POST /v1/classify HTTP/1.1\r\nHost: localhost\r\n%s\r\nContent-Length: 99999999999\r\n\r\n"
            % JSON.encode()
        )
        found = client.answer()
    assert (found.status, found.code) == (413, "body-too-large")


def test_a_body_that_is_too_large_is_refused_and_the_answer_arrives(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send_as_far_as_possible(request(b'{"text": "%s"}' % (b"a" * 10_000_000)))
        found = client.answer()
    assert (found.status, found.code) == (413, "body-too-large")


def test_pieces_that_are_too_large_together_are_refused(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(chunked(JSON))
        for _ in range(100):
            client.send_as_far_as_possible(piece(b"a" * 50_000))
        found = client.answer()
    assert (found.status, found.code) == (413, "body-too-large")


def test_pieces_that_are_too_large_for_a_small_limit_are_refused(serve: Callable[..., Served]) -> None:
    server = serve("shop.likelier", "--max-body", "1000")
    with Client(server.url) as client:
        client.send(chunked(JSON) + piece(b" " * 1000) + piece(b'{"text": "a"}') + piece(b""))
        found = client.answer()
    assert (found.status, found.code) == (413, "body-too-large")


def test_so_many_large_bodies_at_once_that_memory_could_run_out_are_refused(tough: Served) -> None:
    clients = [Client(tough.url) for _ in range(20)]
    for each in clients:
        each.send(request(b" " * 999_999, path="/v1/learn")[:-1])
    answered = select.select([each.socket for each in clients], [], [], 15)[0]
    codes = {each.answer().code for each in clients if each.socket in answered}
    for each in clients:
        each.socket.close()
    assert codes == {"server-busy"}
    assert len(answered) < 5


def test_too_many_texts_are_refused(tough: Served) -> None:
    assert classified(tough, json.dumps({"texts": [""] * 10_001}).encode()) == (413, "batch-too-large")


def test_a_body_that_ends_too_early_is_forgotten(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(b'{"text": "a"}')[:-5])


# ---- gzip --------------------------------------------------------------------------------------------------------


def test_a_compressed_body_is_read(tough: Served) -> None:
    assert classified(tough, gzip.compress(b'{"text": "a"}'), JSON, GZIP) == (200, "")


def test_a_compressed_body_may_have_several_members(tough: Served) -> None:
    body = gzip.compress(b'{"text":') + gzip.compress(b' "a"}')
    assert classified(tough, body, JSON, GZIP) == (200, "")


@pytest.mark.parametrize(
    "body",
    [gzip.compress(b'{"text": "a"}')[:-9], b"no gzip", gzip.compress(b"{}") + b"x"],
    ids=["cut off", "no gzip", "more behind"],  # a gzip file has the time in it, and names must be the same everywhere
)
def test_a_body_that_is_no_gzip_is_refused(tough: Served, body: bytes) -> None:
    assert classified(tough, body, JSON, GZIP) == (400, "body-gzip")


def test_a_gzip_bomb_is_refused(tough: Served) -> None:
    assert classified(tough, gzip.compress(b" " * 100_000_000), JSON, GZIP) == (413, "body-too-large")


def test_a_gzip_bomb_of_many_members_is_refused(tough: Served) -> None:
    assert classified(tough, gzip.compress(b" " * 100_000) * 1000, JSON, GZIP) == (413, "body-too-large")


def test_too_many_members_are_refused(tough: Served) -> None:
    assert classified(tough, gzip.compress(b"", 9) * 45_000, JSON, GZIP) == (400, "body-gzip")
