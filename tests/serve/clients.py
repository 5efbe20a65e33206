"""Clients that ask and teach a server all at once, and keep a record of what it has acknowledged.

Each has texts of its own, so it knows what the server must say; and some that all of them teach and forget, where the
server may refuse. A request that gets no answer is sent again with its key, until there is one.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import httpx

WORDS = [f"word{number}" for number in range(200)]
SHARED = [f"shared text {number}" for number in range(4)]
LABELS = ["billing", "delivery", "praise", "new1", "new2"]
WEIGHTS = [1, 1, 1, 2, 0.5]
SECONDS = 60.0  # until a request must be answered
CUT = 599  # in place of a status, where there was no answer
AGAIN = (500, 503, CUT)  # after these a request is sent again


@dataclass
class Request:
    """Something that was sent, perhaps several times."""

    client: str
    key: str
    path: str
    body: dict[str, Any]
    answer: dict[str, Any] | None = None  # what was acknowledged
    sent: int = 0

    @property
    def positions(self) -> range:
        """Where its lessons are in the log."""
        assert self.answer is not None
        return range(self.answer["position"] - self.answer["lessons"] + 1, self.answer["position"] + 1)


@dataclass
class Text:
    """A text of one client: its label now, and before the last lesson about it; None: not learned."""

    weight: float
    label: str | None
    before: str | None
    last: int  # position of that lesson


class Gate:
    """Lets clients send, or holds them all back."""

    def __init__(self, clients: int) -> None:
        self._changed, self._clients = threading.Condition(), clients
        self._is_open, self._held, self.ends = False, 0, False

    def open(self) -> None:
        """Everybody may send."""
        with self._changed:
            self._is_open = True
            self._changed.notify_all()

    def close(self) -> None:
        """Waits until nobody has a request under way."""
        with self._changed:
            self._is_open = False
            assert self._changed.wait_for(lambda: self._held == self._clients, SECONDS), "a client is stuck"

    def leave(self) -> None:
        """A client is done."""
        with self._changed:
            self._clients -= 1
            self._changed.notify_all()

    def wait(self) -> None:
        """Until sending is allowed."""
        with self._changed:
            self._held += 1
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._is_open)
            self._held -= 1


@dataclass
class Record:
    """What all clients have sent."""

    acknowledged: list[Request] = field(default_factory=list)
    open: dict[str, Request] = field(default_factory=dict)  # client → what has no answer yet
    wrong: list[str] = field(default_factory=list)


class Client(threading.Thread):
    """One client, with a token of its own."""

    def __init__(self, name: str, seed: int, gate: Gate, record: Record, address: Callable[[], str]) -> None:
        """address: of a server, which may change at any time."""
        super().__init__(name=name, daemon=True)
        self._chance, self._gate, self._record, self._address = random.Random(seed), gate, record, address
        self._texts: dict[str, Text] = {}
        self._done: list[Request] = []
        self._number = 0
        self.counts: Counter[str] = Counter()
        self._http = httpx.Client(
            timeout=SECONDS, trust_env=False, headers={"authorization": f"Bearer {token_of(name)}"}
        )

    def run(self) -> None:
        """Until the gate says that it ends."""
        actions = [
            self.ask,
            self.learn,
            self.learn_several,
            self.forget,
            self.relabel,
            self.undo,
            self.contest,
            self.repeat,
        ]
        weights = [6, 8, 2, 3, 3, 3, 2, 2]
        try:
            while not self._gate.ends:
                self._chance.choices(actions, weights)[0]()
        except Exception as failure:
            self._record.wrong.append(f"{self.name}: {failure!r}")
        finally:
            self._http.close()
            self._gate.leave()

    # ---- what it does --------------------------------------------------------------------------------------------

    def ask(self) -> None:
        """Classifies a text."""
        found = self._sent("/v1/classify", {"text": self._words()}, None)
        if found.status_code == 200:
            self.counts["classified"] += 1

    def learn(self) -> None:
        """Learns a new text."""
        text, label, weight = self._new(), self._chance.choice(LABELS), self._chance.choice(WEIGHTS)
        position = self._taught("/v1/learn", {"text": text, "label": label, "weight": weight})["position"]
        self._texts[text] = Text(weight, label, None, position)

    def learn_several(self) -> None:
        """Learns new texts in one request."""
        texts = [self._new() for _ in range(self._chance.randint(2, 5))]
        labels = [self._chance.choice(LABELS) for _ in texts]
        last = self._taught("/v1/learn", {"texts": texts, "labels": labels})["position"]
        for place, (text, label) in enumerate(zip(texts, labels, strict=True)):
            self._texts[text] = Text(1, label, None, last - len(texts) + 1 + place)

    def forget(self) -> None:
        """Forgets one of its texts."""
        if (text := self._one()) is not None:
            has = self._texts[text]
            body = {"text": text, "label": has.label, "weight": has.weight}
            has.last = self._taught("/v1/forget", body)["position"]
            has.label, has.before = None, has.label

    def relabel(self) -> None:
        """Gives one of its texts another label."""
        if (text := self._one()) is not None:
            has = self._texts[text]
            label = self._chance.choice([each for each in LABELS if each != has.label])
            answer = self._taught("/v1/relabel", {"text": text, "label": label, "weight": has.weight})
            if answer["old"] != has.label:
                self._record.wrong.append(f"{text!r} was {has.label}, and the server says {answer['old']}")
            has.label, has.before, has.last = label, has.label, answer["position"]

    def undo(self) -> None:
        """Undoes the last lesson about one of its texts; again, and it is done again."""
        if self._texts:
            has = self._texts[self._chance.choice(list(self._texts))]
            answer = self._taught("/v1/undo", {"position": has.last})
            if answer["undone"] != [has.last]:
                self._record.wrong.append(f"undone: {answer['undone']} instead of {has.last}")
            has.label, has.before, has.last = has.before, has.label, answer["position"]

    def contest(self) -> None:
        """Learns or forgets what others learn and forget too, and may be refused."""
        path = self._chance.choice(["/v1/learn", "/v1/forget"])
        request = self._request(path, {"text": self._chance.choice(SHARED), "label": "praise"})
        if not self._done_with(request):
            self.counts["refused"] += 1

    def repeat(self) -> None:
        """Sends again what was acknowledged, with its key: the answer is the same, and it counts once."""
        if self._done:
            request = self._chance.choice(self._done)
            found = self._sent(request.path, request.body, request.key)
            if found.status_code == 200:
                self.counts["repeated"] += 1
                if found.json() != request.answer:
                    self._record.wrong.append(f"{request} was answered otherwise: {found.text}")

    # ---- how -----------------------------------------------------------------------------------------------------

    def _words(self) -> str:
        return " ".join(self._chance.choices(WORDS, k=self._chance.randint(1, 12)))

    def _new(self) -> str:
        self._number += 1
        return f"{self.name} text{self._number} {self._words()}"

    def _one(self) -> str | None:
        learned = [text for text, has in self._texts.items() if has.label is not None]
        return self._chance.choice(learned) if learned else None

    def _request(self, path: str, body: dict[str, Any]) -> Request:
        self._number += 1
        return Request(self.name, f"key-{self._number}", path, body)

    def _taught(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = self._request(path, body)
        assert self._done_with(request), f"refused: {request}"
        assert request.answer is not None
        return request.answer

    def _done_with(self, request: Request) -> bool:
        """Sends it until it is acknowledged, or refused."""
        self._record.open[self.name] = request
        while True:
            found = self._sent(request.path, request.body, request.key)
            request.sent += 1
            if found.status_code == 200:
                break
            if found.status_code not in AGAIN:
                del self._record.open[self.name]
                return False
            self.counts["cut" if found.status_code == CUT else f"answered {found.status_code}"] += 1
        request.answer = found.json()
        self._record.acknowledged.append(request)
        del self._record.open[self.name]
        self._done.append(request)
        self.counts["sent again"] += request.sent - 1
        return True

    def _sent(self, path: str, body: dict[str, Any], key: str | None) -> httpx.Response:
        """The answer to this, once sending is allowed."""
        self._gate.wait()
        try:
            headers = {} if key is None else {"idempotency-key": key}
            return self._http.post(f"{self._address()}{path}", json=body, headers=headers)
        except httpx.TransportError as failure:
            time.sleep(0.02)
            return httpx.Response(CUT, text=repr(failure))


def token_of(name: str) -> str:
    """The token of a client."""
    return f"token-of-{name}"
