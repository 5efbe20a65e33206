"""Runs the server: from its options to the end of the process.

The listening socket is opened first, the log is replayed while it is open already (`/readyz` says 503 until then).
SIGTERM and Ctrl-C: not ready any more; what is under way is finished; the last snapshot is taken; the end. SIGHUP: the
tokens are read and the model file is loaded again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import uvicorn

from likelier._base.errors import LikelierError, error
from likelier._serve.connections import Guarded
from likelier._serve.door import Door, Routes
from likelier._serve.live import Live
from likelier._serve.log import Log
from likelier._serve.logs import opened
from likelier._serve.reports import report
from likelier._serve.routes import routes
from likelier._serve.service import Companion, Limits, Service
from likelier._serve.snapshots import LESSONS, SECONDS, Snapshots, read_model
from likelier._serve.tokens import VARIABLE, Access, Caller, Rate, read_tokens
from likelier._storage import checksum_of

GRACE = 30.0  # seconds to finish what is under way
PATIENCE = 0.0005  # seconds that one thread waits for another one that computes; Python's own 0.005 is a long answer
KEEP_ALIVE = 30  # seconds that a connection may be idle


@dataclass(frozen=True)
class Options:
    """What the command line says."""

    model: Path
    host: str = "127.0.0.1"
    port: int = 8000
    log: str | None = None
    tokens: Path | None = None
    public: bool = False
    teach_openly: bool = False
    read_only: bool = False
    without_texts: bool = False
    adopt: bool = False
    snapshot_lessons: int = LESSONS
    snapshot_seconds: float = SECONDS
    lessons_per_minute: int = 60_000
    limits: Limits = field(default_factory=Limits)
    report_requests: bool = False
    notes: bool = True  # on standard error, about who may do what


class Server(uvicorn.Server):
    """uvicorn's server with another end: not at once, and by our signals."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.service: Service | None = None
        self.access: Callable[[], Access] | None = None  # reads the tokens again
        self.failure: BaseException | None = None
        self.loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        self.loop = asyncio.get_running_loop()
        for name, action in (("SIGTERM", self.drain), ("SIGINT", self.drain), ("SIGHUP", self.load_again)):
            if hasattr(signal, name):
                with suppress(NotImplementedError):  # Windows
                    self.loop.add_signal_handler(getattr(signal, name), action)
        assert self.service is not None
        self.service.start()
        yield

    async def on_tick(self, counter: int) -> bool:
        """Every tenth of a second: ends connections whose clients take too long."""
        if counter % 10 == 0:
            now = asyncio.get_running_loop().time()
            for each in list(self.server_state.connections):
                if isinstance(each, Guarded):
                    each.look(now)
        return await super().on_tick(counter)

    def drain(self) -> None:
        """Ends when the requests that are under way now are answered. A second signal ends it at once."""
        assert self.service is not None
        if self.service.is_stopping:
            self.should_exit = self.force_exit = True
            return
        self.service.is_stopping = True
        self.service.bench.drain()
        report("info", "stopping", position=self.service.live.position)
        self._run(self._drained(set(self.server_state.tasks)))

    async def _drained(self, under_way: set[asyncio.Task[None]]) -> None:
        if under_way:
            await asyncio.wait(under_way, timeout=GRACE)
        self.should_exit = True

    def load_again(self) -> None:
        """Reads the tokens again, and serves the model file as it is now."""
        self._run(self._loaded())

    async def _loaded(self) -> None:
        assert self.service is not None
        try:
            if self.access is not None:
                self.service.access = self.access()
            await self.service.load(Caller("signal", "admin"))
            report("info", "loaded", position=self.service.live.position, digest=self.service.live.hex)
        except LikelierError as failure:
            report("error", "load-failed", code=failure.code, message=failure.message, hint=failure.hint)

    def _run(self, work: object) -> None:
        task = asyncio.ensure_future(work)  # type: ignore[call-overload]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def fail(self, failure: BaseException) -> None:
        """Ends the server because of an error, from any thread."""
        self.failure = self.failure or failure
        if self.loop is not None:
            with suppress(RuntimeError):  # it has ended already
                self.loop.call_soon_threadsafe(setattr, self, "should_exit", True)


def serve(options: Options, found: Routes | None = None, bench: Companion | None = None) -> None:
    """Serves until a signal ends it.

    found: the addresses; those of `routes` if not given.
    bench: what goes along with the model.
    """
    warnings.simplefilter("ignore")  # notes are in the answers
    access = _access(options)
    _raise_limit()
    sys.setswitchinterval(PATIENCE)
    snapshots = Snapshots(
        str(options.model), options.snapshot_lessons, options.snapshot_seconds, texts=not options.without_texts
    )
    model, checksum, base = read_model(options.model)  # before there is a log for a model that cannot be read
    with closing(_listening(options.host, options.port)) as listener:
        if options.read_only:
            _serve(options, Live(model, 0, bytes.fromhex(base)), None, snapshots, access, listener, found, bench)
            return
        with _log(options) as log:
            if checksum_of(options.model) != checksum:  # by the server that had the log until now
                model, checksum, base = read_model(options.model)
            live = snapshots.begin(model, checksum, base, log, adopt=options.adopt)
            _serve(options, live, log, snapshots, access, listener, found, bench)


def _access(options: Options) -> Access:
    tokens = read_tokens(options.tokens, os.environ.get(VARIABLE))
    return Access.of(options.host, tokens, public=options.public, teach_openly=options.teach_openly)


def _log(options: Options) -> Log:
    log = opened(options.log, options.model)
    if options.without_texts and log.is_shared:
        log.close()
        raise error("texts-shared")
    return log


def _serve(
    options: Options,
    live: Live,
    log: Log | None,
    snapshots: Snapshots,
    access: Access,
    listener: socket.socket,
    found: Routes | None,
    bench: Companion | None,
) -> None:
    server = Server(uvicorn.Config(app=_nothing, log_config=None))
    service = Service(
        live,
        log,
        snapshots,
        access=access,
        limits=options.limits,
        rate=Rate(options.lessons_per_minute),
        failed=server.fail,
        bench=bench,
    )
    server.config = uvicorn.Config(
        app=Door(service, found or routes(), reports_all=options.report_requests),
        http=Guarded,
        loop="uvloop" if _has_uvloop() else "asyncio",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=KEEP_ALIVE,
        timeout_graceful_shutdown=int(GRACE),
    )
    server.service, server.access = service, partial(_access, options)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    where = "no log" if log is None else f"log {log.name}"
    print(f"serving {options.model} at http://{shown}:{port} ({where})", file=sys.stderr, flush=True)
    service.bench.listens(f"http://{shown}:{port}")
    if access.openly == "public":
        print("note: everybody who reaches this address can classify and explain (--public)", file=sys.stderr)
    if access.openly in ("teach", "admin") and log is not None and options.notes:
        print("note: everybody on this machine can teach the model (--teach-openly)", file=sys.stderr)
    with asyncio.Runner(loop_factory=server.config.get_loop_factory()) as runner:
        runner.run(server.serve(sockets=[listener]))
    service.stop()
    if isinstance(server.failure, LikelierError):
        raise server.failure
    if server.failure is not None:
        raise error("server-failed") from server.failure
    report("info", "stopped", position=service.live.position)


async def _nothing(*_: object) -> None:
    """Stands in until there is a service."""


def _listening(host: str, port: int) -> socket.socket:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
            listener.listen(4096)
            listener.setblocking(False)
        except BaseException:
            listener.close()
            raise
    except OSError as failure:
        raise error("port-unavailable", host=host, port=port, reason=failure.strerror or failure) from failure
    return listener


def _has_uvloop() -> bool:
    from importlib.util import find_spec

    return find_spec("uvloop") is not None


def _raise_limit() -> None:
    """As many connections as this process may have."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
