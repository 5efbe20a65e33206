"""JSON Lines: answered while they come in, also if they are compressed, broken or cut off."""

from __future__ import annotations

import gzip
import json

from serving import Served
from sockets import Client, chunked, piece, request

LINES = "Content-Type: application/x-ndjson"
TEXT = b'{"text": "where is my parcel"}'


def test_lines_are_answered_while_more_of_them_are_sent(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(chunked(LINES))
        assert client.head()[0] == 200
        for _ in range(3):
            client.send(piece(TEXT + b"\n"))
            assert json.loads(next(client.chunks()))["label"] == "delivery"
        client.send(piece(b""))
        assert list(client.chunks()) == []


def test_lines_are_answered_at_once_also_if_the_answer_is_compressed(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(chunked(LINES, "Accept-Encoding: gzip") + piece(TEXT + b"\n"))
        assert client.head()[1]["content-encoding"] == "gzip"
        assert next(client.chunks())


def test_compressed_lines_are_read_whatever_their_members(tough: Served) -> None:
    members = gzip.compress(TEXT + b"\n" + TEXT[:9]) + gzip.compress(TEXT[9:])
    with Client(tough.url) as client:
        client.send(request(members, LINES, "Content-Encoding: gzip"))
        assert len(client.answer().body.splitlines()) == 2


def test_compressed_lines_that_end_too_early_are_cut_off_and_the_last_line_says_why(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(gzip.compress((TEXT + b"\n") * 9)[:-9], LINES, "Content-Encoding: gzip"))
        client.head()
        found = client.read_all()
    assert (b"body-gzip" in found, found.endswith(b"0\r\n\r\n")) == (True, False)


def test_a_line_without_an_end_is_cut_off(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send_as_far_as_possible(chunked(LINES) + piece(b"a" * 20_000_000))
        assert b"body-too-large" in client.read_all()


def test_a_bad_line_gets_an_error_and_the_others_go_on(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(request(TEXT + b"\n\xff\n\n[]\n" + b"[" * 100_000 + b"\n" + TEXT, LINES))
        found = [json.loads(line) for line in client.answer().body.splitlines()]
    assert [each.get("line") for each in found] == [None, 2, 4, 5, None]


def test_a_stream_that_breaks_off_is_forgotten(tough: Served) -> None:
    with Client(tough.url) as client:
        client.send(chunked(LINES) + piece(TEXT + b"\n" + TEXT[:5]))
        assert client.head()[0] == 200
