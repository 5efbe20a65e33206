"""A server in a process of its own, as a user starts it, and a client for it."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 60.0  # seconds until a server must be there; machines may be busy


class Served:
    """`likelier serve MODEL OPTIONS --port 0`, ready to be asked."""

    def __init__(
        self,
        model: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
        wait: bool = True,
        program: Sequence[str] = ("-m", "likelier"),
    ) -> None:
        """A server.

        wait: until it is ready; else only until it listens.
        program: what Python runs; another one to change constants first.
        """
        self.process = subprocess.Popen(
            [sys.executable, *program, *self.command(model), "--port", "0", *options],
            stderr=subprocess.PIPE,
            text=True,
            cwd=model.parent,
            env={**os.environ, **(environment or {})},
        )
        self.said: list[str] = []
        self._there = threading.Event()
        self.url = ""
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        if not self._there.wait(PATIENCE) or not self.url:
            self.kill()
            raise AssertionError(f"no server: {self.errors}")
        self.client = httpx.Client(base_url=self.url, timeout=PATIENCE, trust_env=False)
        if wait:
            try:
                self.wait_until_ready()
            except BaseException:
                self.kill()
                raise

    def command(self, model: Path) -> list[str]:
        """What is run, without options."""
        return ["serve", str(model)]

    def _listen(self) -> None:
        assert self.process.stderr is not None
        with self.process.stderr as lines:
            for line in lines:
                self.said.append(line.rstrip("\n"))
                if not self.url and (found := re.search(r"at (http://\S+)", line)):
                    self.url = found[1]
                    self._there.set()
        self._there.set()

    @property
    def errors(self) -> str:
        """What it wrote to standard error."""
        return "\n".join(self.said)

    def wait_until_ready(self) -> None:
        """Until `/readyz` says so."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                if self.client.get("/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                if self.process.poll() is not None:
                    break
            time.sleep(0.02)
        raise AssertionError(f"not ready: {self.errors}")

    def wait_for(self, event: str) -> None:
        """Until it has reported this."""
        end = time.monotonic() + PATIENCE
        while f'"event":"{event}"' not in self.errors:
            assert time.monotonic() < end, f"no {event}: {self.errors}"
            time.sleep(0.02)

    # ---- asking --------------------------------------------------------------------------------------------------

    def ask(
        self, method: str, path: str, body: Any = None, *, token: str | None = None, **headers: str
    ) -> httpx.Response:
        """Any answer. Underscores in the names of headers are dashes."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        return self.client.request(method, path, json=body, headers=sent)

    def get(self, path: str, **given: Any) -> Any:
        """The JSON of an answer that is well."""
        return _well(self.ask("GET", path, **given))

    def post(self, path: str, body: Any, **given: Any) -> Any:
        """The JSON of an answer that is well."""
        return _well(self.ask("POST", path, body, **given))

    def refused(self, method: str, path: str, body: Any = None, **given: Any) -> tuple[int, str]:
        """Status and code of a problem."""
        answer = self.ask(method, path, body, **given)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        found = answer.json()
        assert found["message"]
        assert found["hint"]
        assert found["status"] == answer.status_code
        return answer.status_code, found["code"]

    # ---- ending --------------------------------------------------------------------------------------------------

    def stop(self, number: int = signal.SIGTERM) -> int:
        """Ends it by a signal; its exit status."""
        self.process.send_signal(number)
        status = self.process.wait(PATIENCE)
        self._listener.join(PATIENCE)
        self.client.close()
        return status

    def kill(self) -> None:
        """Ends it as a power failure does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._listener.join(PATIENCE)
        if hasattr(self, "client"):
            self.client.close()


class Labeled(Served):
    """`likelier label -o MODEL OPTIONS --port 0 --no-browser`, ready to be asked; options may name files."""

    def command(self, model: Path) -> list[str]:
        return ["label", "-o", str(model), "--no-browser"]

    def state(self) -> Any:
        """The labeling, once everything that goes on behind the scenes is done."""
        found = self.get("/v1/labeling")
        while not found["settled"]:
            found = self.get(f"/v1/labeling?after={found['version']}")
        return found

    def do(self, what: str, **body: Any) -> Any:
        """Changes the labeling; the state right after it."""
        return self.post(f"/v1/labeling/{what}", body)


def _well(answer: httpx.Response) -> Any:
    assert answer.status_code == 200, f"{answer.status_code} {answer.text}"
    return answer.json()


def stand(served: Served) -> tuple[Any, ...]:
    """Where a server stands, and its counts bit for bit."""
    found = served.get("/v1/model?counts_digest=true")
    return found["position"], found["digest"], found["counts_digest"]


def not_served(model: Path, *options: str, **environment: str) -> str:
    """What `likelier serve` says when it refuses to start: an error and a hint, and no traceback."""
    command = [sys.executable, "-m", "likelier", "serve", str(model), "--port", "0", *options]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment}, cwd=model.parent
    )
    assert done.returncode == 2, done.stderr
    assert "error: " in done.stderr
    assert "hint: " in done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr
