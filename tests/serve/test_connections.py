"""Clients that are slow, or many: they are cut off in the end, and nobody else notices."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from serving import Served
from sockets import Client, chunked, is_well, piece, request

JSON = "Content-Type: application/json"
LINES = "Content-Type: application/x-ndjson"
TEXT = b'{"text": "where is my parcel"}'
HEALTH = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
LARGE = json.dumps({"texts": ["where is my parcel"] * 10_000}).encode()  # and an answer of megabytes
LARGER = json.dumps({"texts": ["where is my parcel"] * 100_000}).encode()  # more than systems keep for a client
SOON = 15.0  # seconds; machines may be busy


@pytest.fixture(scope="module")
def _impatient(models: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("impatient")
    shutil.copy(models / "shop.likelier", folder)
    program = [str(Path(__file__).with_name("impatient.py"))]
    found = Served(folder / "shop.likelier", "--teach-openly", "--max-batch", "100000", program=program)
    yield found
    found.kill()
    assert '"level":"error"' not in found.errors


@pytest.fixture
def impatient(_impatient: Served) -> Iterator[Served]:
    """A server that waits only a second or two; it must be well after each test."""
    yield _impatient
    is_well(_impatient.url)


@pytest.mark.slow
def test_a_connection_that_sends_nothing_is_closed(impatient: Served) -> None:
    with Client(impatient.url) as client:
        assert client.is_closed_within(SOON)


def test_a_head_that_does_not_end_is_refused(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: local")
        found = client.answer()
    assert (found.status, found.code) == (408, "head-slow")


@pytest.mark.slow
def test_a_head_that_trickles_is_refused(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(b"GET /healthz HTTP/1.1\r\n")
        client.trickle(b"a: b\r\n", SOON)
        assert client.answer().status == 408


@pytest.mark.slow
@pytest.mark.parametrize("end", [b"", b"\r\n\r\n", b"GET /"])
def test_a_connection_is_closed_some_time_after_its_last_request(impatient: Served, end: bytes) -> None:
    with Client(impatient.url) as client:
        client.send(HEALTH)
        assert client.answer().status == 200
        client.send(end)
        assert client.is_closed_within(SOON)


@pytest.mark.slow
def test_a_connection_is_closed_some_time_after_its_last_verdict(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(request(TEXT))
        assert client.answer().status == 200
        assert client.is_closed_within(SOON)


@pytest.mark.slow
def test_a_connection_is_not_kept_by_empty_lines(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(HEALTH)
        client.answer()
        client.trickle(b"\r\n", SOON)
        assert client.is_closed_within(1)


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/v1/classify", "/v1/learn"])
@pytest.mark.parametrize("head", [request(TEXT, JSON)[: -len(TEXT)], chunked(JSON)])
def test_a_body_that_does_not_come_is_refused(impatient: Served, head: bytes, path: str) -> None:
    with Client(impatient.url) as client:
        client.send(head.replace(b"/v1/classify", path.encode()))
        found = client.answer()
    assert (found.status, found.code) == (408, "body-slow")


@pytest.mark.slow
def test_a_body_that_trickles_is_refused(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(request(b" " * 10_000, path="/v1/learn")[:-10_000])
        client.trickle(b" ", SOON)
        assert client.answer().status == 408


@pytest.mark.slow
def test_lines_may_come_now_and_then(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(chunked(LINES))
        client.head()
        for _ in range(4):
            client.send(piece(TEXT + b"\n"))
            assert b"delivery" in next(client.chunks())
            time.sleep(0.8)
        client.send(piece(b""))
        assert list(client.chunks()) == []


@pytest.mark.slow
def test_lines_that_do_not_come_any_more_are_cut_off(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(chunked(LINES) + piece(TEXT + b"\n"))
        assert client.is_closed_within(SOON)


@pytest.mark.slow
def test_a_client_that_does_not_read_its_answer_is_cut_off(impatient: Served) -> None:
    with Client(impatient.url, buffer=4096) as client:
        assert _is_connected(client)
        client.send(request(LARGE) * 5)
        assert _within(SOON, lambda: not _is_connected(client))


@pytest.mark.slow
def test_a_client_that_sends_lines_and_does_not_read_is_cut_off(impatient: Served) -> None:
    with Client(impatient.url, buffer=4096) as client:
        client.send(chunked(LINES))
        client.send_as_far_as_possible(piece((TEXT + b"\n") * 1000) * 2000)
        assert client.is_closed_within(SOON)


@pytest.mark.slow
def test_a_client_that_reads_slowly_gets_all(impatient: Served) -> None:
    with Client(impatient.url, buffer=4096) as client:
        client.send(request(LARGER))
        status, headers = client.head()
        size = int(headers["content-length"])
        for _ in range(100):
            client.exactly(size // 100)
            time.sleep(0.05)
        client.exactly(size % 100)
    assert status == 200


def _is_connected(client: Client) -> bool:
    """Whether the side of the server is there; a look at the client's would read what it must not read."""
    ends = f":{client.address[1]:04X}", f":{client.socket.getsockname()[1]:04X}"
    rows = [row.split() for row in Path("/proc/net/tcp").read_text("ascii").splitlines()[1:]]
    return any(row[1].endswith(ends[0]) and row[2].endswith(ends[1]) and row[3] == "01" for row in rows)


def _connections(server: Served) -> int:
    """How many the process has open."""
    return len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))


def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if holds():
            return True
        time.sleep(0.05)
    return False


@pytest.mark.slow
def test_a_body_without_an_end_that_was_refused_is_cut_off(impatient: Served) -> None:
    with Client(impatient.url) as client:
        client.send(chunked("Content-Type: text/plain"))
        assert client.answer().status == 415
        client.trickle(piece(b"a" * 100_000), SOON)
        assert client.is_closed_within(1)


def test_more_connections_than_open_files_are_waited_out(serve: Callable[..., Served]) -> None:
    few = "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (64, 64)); from likelier._cli import main; main()"
    server = serve("shop.likelier", program=["-c", few])
    many = [Client(server.url) for _ in range(200)]
    for each in many:
        each.socket.close()
    assert _within(60, lambda: _answers(server.url))


def _answers(url: str) -> bool:
    """Whether it does; a connection that comes while there is no open file left is reset."""
    with suppress(ConnectionError):
        is_well(url)
        return True
    return False


@pytest.mark.slow
def test_ten_thousand_idle_connections_do_no_harm(impatient: Served) -> None:
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < 11_000:
        pytest.skip(f"needs 11000 open files, and {hard} are allowed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    before = _memory(impatient)
    idle = [Client(impatient.url) for _ in range(10_000)]
    try:
        is_well(impatient.url)
        assert _memory(impatient) - before < 500_000_000
        assert _within(60, lambda: _connections(impatient) < 100)
    finally:
        for each in idle:
            each.socket.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def _memory(server: Served) -> int:
    """Bytes that the process has in memory."""
    pages = int(Path(f"/proc/{server.process.pid}/statm").read_text().split()[1])
    return pages * 4096
