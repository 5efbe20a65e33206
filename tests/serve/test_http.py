"""What is no HTTP, what HTTP allows besides the usual, and pages of other sites."""

from __future__ import annotations

import json

import pytest

from serving import Served
from sockets import Client, chunked, request

JSON = "Content-Type: application/json"
TEXT = b'{"text": "where is my parcel"}'
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /v1/classify HTTP/1.1\r\nHost: localhost\r\n"
SOON = 15.0  # seconds; machines may be busy


# ---- no HTTP -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 100,
        b"hello\r\n\r\n",
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost : localhost\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nHost: a\x00b\r\n\r\n",
        b"FROB /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        POST + b"Content-Length: -1\r\n\r\n",
        POST + b"Content-Length: 1e3\r\n\r\n",
        POST + b"Content-Length: %s\r\n\r\n" % (b"9" * 100),
        POST + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        POST + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        POST + b"Transfer-Encoding: gzip\r\n\r\n",
        chunked(JSON) + b"zz\r\n",
        chunked(JSON) + b"ffffffffffffffffff\r\n",
    ],
)
def test_what_is_no_http_is_refused(tough: Served, data: bytes) -> None:
    with Client(tough.url) as client:
        client.send(data)
        found = client.answer()
        assert (found.status, found.code) == (400, "http-malformed")
        assert client.is_closed_within(SOON)


def test_one_header_of_a_megabyte_is_refused(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send_as_far_as_possible(
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\na: %s\r\n\r\n" % (b"b" * 1_000_000)
        )
        assert client.read_all()[:12] in (b"HTTP/1.1 431", b"")


def test_a_hundred_thousand_headers_are_refused(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send_as_far_as_possible(
            b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n" + b"a: b\r\n" * 100_000 + b"\r\n"
        )
        assert client.read_all()[:12] in (b"HTTP/1.1 431", b"")


def test_an_address_of_a_megabyte_is_refused(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send_as_far_as_possible(b"GET /%s HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"a" * 1_000_000))
        assert client.read_all()[:12] in (b"HTTP/1.1 431", b"")


# ---- methods, and what HTTP allows besides -----------------------------------------------------------------------


def test_head_has_the_headers_of_get_and_no_body(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(b"HEAD /v1/model HTTP/1.1\r\nHost: localhost\r\n\r\n")
        found = client.answer(without_body=True)
        assert (found.status, int(found.headers["content-length"]) > 100) == (200, True)
        client.send(HEALTH)
        assert client.answer().json() == {"status": "alive"}


@pytest.mark.parametrize("method", ["OPTIONS", "PUT", "DELETE", "TRACE", "PROPFIND", "GET", "HEAD"])
def test_another_method_is_refused_and_the_answer_says_which_there_are(tough: Served, method: str) -> None:
    with Client(tough.url) as client:
        client.send(request(b"", method=method))
        found = client.answer(without_body=method == "HEAD")
    assert (found.status, found.headers["allow"]) == (405, "POST")


def test_a_body_that_waits_for_permission_gets_it(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT, JSON, "Expect: 100-continue")[: -len(TEXT)])
        assert client.head()[0] == 100
        client.send(TEXT)
        assert client.answer().json()["label"] == "delivery"


def test_a_body_that_is_too_large_does_not_get_permission(tough: Served) -> None:
    with Client(tough.url) as client:
        head = request(b"", JSON, "Expect: 100-continue").replace(b"Content-Length: 0", b"Content-Length: 99999999")
        client.send(head)
        assert client.answer().status == 413


def test_requests_in_one_go_are_answered_in_order(tough: Served) -> None:
    labels = [json.dumps({"texts": ["parcel"] * number}).encode() for number in range(20)]
    with Client(tough.url) as client:
        client.send(b"".join(request(body) + HEALTH for body in labels))
        for number in range(20):
            assert len(client.answer().json()["verdicts"]) == number
            assert client.answer().json() == {"status": "alive"}


def test_what_is_no_http_does_not_take_the_place_of_the_answer_before_it(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT, path="/v1/explain") + b"no http\r\n\r\n")
        assert client.read_all()[:12] in (b"HTTP/1.1 200", b"")


def test_a_body_that_was_refused_is_skipped_and_the_connection_goes_on(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(b"a" * 1_500_000) + HEALTH)
        assert client.answer().status == 413
        assert client.answer().json() == {"status": "alive"}


def test_a_client_that_wants_its_connection_closed_gets_the_answer_to_a_body_that_was_refused(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(b"a" * 20_000_000, JSON, "Connection: close"))  # far more than the system takes in
        assert client.answer().code == "body-too-large"
        assert client.is_closed_within(10)


def test_a_request_that_arrives_byte_by_byte_is_answered(tough: Served) -> None:
    with Client(tough.url) as client:
        for each in request(TEXT):
            client.send(bytes([each]))
        assert client.answer().json()["label"] == "delivery"


def test_an_upgrade_is_not_made(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
        assert client.answer().status == 200


def test_a_request_that_would_rather_speak_http_2_is_answered(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(
            request(TEXT, JSON, "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk")
        )
        assert client.answer().json()["label"] == "delivery"


@pytest.mark.parametrize("version", [b"HTTP/1.0", b"HTTP/1.1\r\nConnection: close"])
def test_a_client_that_wants_no_more_is_answered_and_let_go(tough: Served, version: bytes) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT).replace(b"HTTP/1.1", version))
        assert client.answer().json()["label"] == "delivery"
        assert client.is_closed_within(SOON)


# ---- other sites -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://[::1", "http://localhost:1", "a b", ""])
def test_a_page_of_another_site_is_refused(tough: Served, origin: str) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT, JSON, f"Origin: {origin}"))
        found = client.answer()
    assert (found.status, found.code) == (403, "cross-origin")


def test_a_page_of_the_server_itself_is_answered(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT, JSON, "Origin: http://localhost"))
        assert client.answer().status == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "", "0.0.0.0", "[::1"])
def test_another_name_for_this_machine_is_refused(tough: Served, host: str) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT, JSON, host=host))
        found = client.answer()
    assert (found.status, found.code) == (403, "host-refused")
