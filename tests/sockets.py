"""A client that sends bytes, as no library would send them."""

from __future__ import annotations

import json
import select
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlsplit

PATIENCE = 30.0  # seconds


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def code(self) -> str:
        """That of a problem; empty if it is none."""
        is_problem = self.headers.get("content-type") == "application/problem+json"
        return str(json.loads(self.body)["code"]) if is_problem else ""

    def json(self) -> Any:
        """The body."""
        return json.loads(self.body)


class Client:
    """One connection."""

    def __init__(self, url: str, *, buffer: int | None = None) -> None:
        """buffer: bytes that the system takes in before somebody reads them."""
        self.address = (urlsplit(url).hostname, urlsplit(url).port)
        self.socket = socket.socket()
        if buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(self.address)
        self._left = b""

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        """Bytes, as they are."""
        self.socket.sendall(data)

    def send_as_far_as_possible(self, data: bytes) -> None:
        """Bytes, until the server hangs up."""
        with suppress(OSError):
            self.socket.sendall(data)

    def read_all(self) -> bytes:
        """Everything until the server hangs up."""
        found = [self._left]
        try:
            while piece := self.socket.recv(1 << 20):
                found.append(piece)
        except ConnectionError:
            pass
        return b"".join(found)

    def answer(self, *, without_body: bool = False) -> Answer:
        """The next answer."""
        status, headers = self.head()
        if without_body:
            return Answer(status, headers, b"")
        if headers.get("transfer-encoding") == "chunked":
            return Answer(status, headers, b"".join(self.chunks()))
        return Answer(status, headers, self.exactly(int(headers.get("content-length", 0))))

    def head(self) -> tuple[int, dict[str, str]]:
        """Status and headers of the next answer."""
        lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        pairs = (line.split(": ", 1) for line in lines[1:] if line)
        return int(lines[0].split()[1]), {name.lower(): value for name, value in pairs}

    def chunks(self) -> Iterator[bytes]:
        """The pieces of an answer, as they come."""
        while size := int(self._until(b"\r\n"), 16):
            yield self.exactly(size + 2)[:-2]
        self.exactly(2)

    def is_closed_within(self, seconds: float) -> bool:
        """Whether the server hangs up in that time."""
        end = time.monotonic() + seconds
        while (rest := end - time.monotonic()) > 0:
            self.socket.settimeout(rest)
            try:
                if not self.socket.recv(1 << 16):
                    return True
            except ConnectionError:
                return True
            except TimeoutError:
                break
        return False

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._left:
            self._more()
        found, _, self._left = self._left.partition(mark)
        return found

    def trickle(self, data: bytes, seconds: float) -> None:
        """The same bytes again and again, until something comes back."""
        end = time.monotonic() + seconds
        while time.monotonic() < end and not select.select([self.socket], [], [], 0.1)[0]:
            self.send_as_far_as_possible(data)

    def exactly(self, size: int) -> bytes:
        """So many bytes."""
        while len(self._left) < size:
            self._more()
        found, self._left = self._left[:size], self._left[size:]
        return found

    def _more(self) -> None:
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise ConnectionError("the server has hung up")
        self._left += piece


def request(
    body: bytes = b"", *headers: str, method: str = "POST", path: str = "/v1/classify", host: str = "localhost"
) -> bytes:
    """A request with a length; `headers` take the place of Content-Type."""
    named = headers or ("Content-Type: application/json",)
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host}", *named, f"Content-Length: {len(body)}", "", ""]
    return "\r\n".join(lines).encode("latin-1") + body


def chunked(*headers: str, path: str = "/v1/classify") -> bytes:
    """The head of a request whose body comes in pieces."""
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", *headers, "Transfer-Encoding: chunked", "", ""]
    return "\r\n".join(lines).encode()


def piece(data: bytes) -> bytes:
    """A piece of such a body; an empty one is the last."""
    return b"%x\r\n%s\r\n" % (len(data), data)


def is_well(url: str) -> dict[str, float]:
    """Whether a server with the shop's model is alive and still knows a parcel; the probabilities that it gives."""
    with Client(url) as client:
        client.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.answer().json() == {"status": "alive"}
        client.send(request(b'{"text": "where is my parcel"}'))
        found = client.answer().json()
    assert found["label"] == "delivery"
    return dict(found["probabilities"])
