"""The server: throughput beside a constant of the same framework, reading while it learns, memory, and replay.

    classify  requests a second and latencies of one text and of batches of 100, against `serve_constant.py` in turns
    reading   the p99 of reading alone, beside two clients that ask, and beside the same two when they teach
    memory    of a server over ten minutes of reading, and of one that is also taught: documents are learned and
              forgotten, so that the counts end as they began, and what the process grows by is not what it has learned
    replay    seconds until a log of a million lessons is replayed

Needs wrk (apt-get install wrk), which loads the server; without it this suite is left out.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, nullcontext
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import corpora
import likelier as lk
import report
from corpora import DATA
from environment import environment
from likelier._model.exchange import Labeled, prints
from likelier._serve.lessons import Lesson, dumped, moved
from likelier._serve.log import append, digest_at
from likelier._serve.snapshots import Snapshots, read_model
from likelier._serve.sqlite_log import SqliteLog

FOLDER = Path(__file__).resolve().parent
RESULT = FOLDER / "results" / "serve.json"
NO_DATA = 2
CONNECTIONS = 8


def main() -> int:
    """Measures everything, and writes the result file."""
    options = _options()
    if shutil.which("wrk") is None:
        print("wrk was not found, which loads the server. hint: apt-get install wrk", file=sys.stderr)
        return NO_DATA
    about = environment("starlette", "uvicorn", "msgspec")
    part = corpora.load("sms", options.data, quick=options.quick).train
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sms.likelier"
        lk.train(part.texts, part.labels).save(path)
        parts: dict[str, Callable[[], Any]] = {
            "classify": lambda: [_throughput(path, part.texts, number, options) for number in (1, 100)],
            "reading": lambda: _reading(path, part, options),
            "memory": lambda: _memory(path, part, options),
            "replay": lambda: _replay(path, part, 2_000 if options.quick else 1_000_000),
        }
        found = {name: measure() for name, measure in parts.items() if name in (options.only or parts)}
    print(json.dumps(found, indent=2))
    if not (options.dry or options.quick):
        before = json.loads(RESULT.read_text("utf-8")) if options.only and RESULT.exists() else {}
        report.write(RESULT, {**before, **about, "corpus": {"name": "sms", **part.facts()}, **found})
    return 0


# ---- processes ---------------------------------------------------------------------------------------------------


@contextmanager
def served(path: Path, *more: str) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """`likelier serve`, with its port."""
    command = [sys.executable, "-m", "likelier", "serve", str(path), "--port", "0", "--teach-openly", *more]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        port = next(int(found[1]) for line in process.stderr if (found := re.search(r"at http://\S+:(\d+)", line)))
        threading.Thread(target=lambda: list(process.stderr or ()), daemon=True).start()
        _wait(port, "/readyz")
        yield port, process
    finally:
        process.terminate()
        process.wait(60)


@contextmanager
def constant() -> Iterator[int]:
    """The peer, with its port."""
    port = 8599
    command = [sys.executable, "-m", "uvicorn", "serve_constant:app", "--port", str(port), "--log-level", "critical"]
    process = subprocess.Popen([*command, "--no-access-log", "--loop", "uvloop", "--http", "httptools"], cwd=FOLDER)
    try:
        _wait(port, "/")
        yield port
    finally:
        process.terminate()
        process.wait(60)


def _wait(port: int, path: str) -> None:
    for _ in range(6000):
        try:
            connection = HTTPConnection("127.0.0.1", port, timeout=5)
            connection.request("GET", path)
            if connection.getresponse().status != 503:
                return
        except OSError:
            pass
        time.sleep(0.05)
    raise RuntimeError(f"nothing answers at port {port}")


def _wrk(port: int, path: str, body: str, seconds: float) -> dict[str, float]:
    """Requests a second, and latencies in milliseconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".lua") as script:
        script.write(f'wrk.method="POST"\nwrk.headers["Content-Type"]="application/json"\nwrk.body={_lua(body)}\n')
        script.flush()
        url = f"http://127.0.0.1:{port}{path}"
        command = ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds:g}s", "--latency", "-s", script.name, url]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    if "Non-2xx" in text:
        raise RuntimeError(text)
    scale = {"us": 0.001, "ms": 1.0, "s": 1000.0}
    times = {
        name: float(value) * scale[unit] for name, value, unit in re.findall(r"(50|99)%\s+([\d.]+)(us|ms|s)", text)
    }
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    assert rate is not None
    return {"per_second": float(rate[1]), "p50": times["50"], "p99": times["99"]}


def _lua(text: str) -> str:
    return "[==[" + text + "]==]"


# ---- throughput --------------------------------------------------------------------------------------------------


def _throughput(path: Path, texts: Any, number: int, options: argparse.Namespace) -> dict[str, Any]:
    """In turns, and the best of each; the ratio is that of the best."""
    sent = list(texts[:100])
    body = json.dumps({"text": sent[2]} if number == 1 else {"texts": sent})
    rounds: dict[str, list[dict[str, float]]] = {"likelier": [], "constant": []}
    with served(path) as (port, _), constant() as peer:
        for _ in range(1 if options.quick else options.repeat):
            rounds["constant"].append(_wrk(peer, "/v1/classify" if number == 1 else "/v1/batch", body, options.seconds))
            rounds["likelier"].append(_wrk(port, "/v1/classify", body, options.seconds))
    best = {name: max(found, key=lambda each: each["per_second"]) for name, found in rounds.items()}
    ratio = best["likelier"]["per_second"] / best["constant"]["per_second"]
    return {"texts": number, **best, "ratio": round(ratio, 3)}


# ---- reading while it learns -------------------------------------------------------------------------------------


def _reading(path: Path, part: Any, options: argparse.Namespace) -> dict[str, Any]:
    """p99 of reading: alone, beside two clients that ask, and beside the same two when they teach, in turns.

    The load, its clients and the server share two cores, so two more clients alone make answers later. The ratio is
    that of teaching to asking, which is what learning does; the medians of each.
    """
    body = json.dumps({"text": part.texts[2]})
    phases: dict[str, tuple[str, str] | None] = {
        "alone": None,
        "beside_asking": ("classify", "classify"),
        "while_learning": ("learn", "forget"),
    }
    found: dict[str, list[dict[str, float]]] = {name: [] for name in phases}
    with served(path) as (port, _):
        for _ in range(1 if options.quick else options.repeat):
            for name, what in phases.items():
                with teaching(port, part, options.rate, what) if what else nullcontext(lambda: 0) as sent:
                    row = _wrk(port, "/v1/classify", body, options.seconds)
                found[name].append(row | {"others": sent() / options.seconds})
    rows = {
        name: {key: round(statistics.median(each[key] for each in rows), 3) for key in ("p99", "per_second", "others")}
        for name, rows in found.items()
    }
    return {**rows, "ratio": round(rows["while_learning"]["p99"] / rows["beside_asking"]["p99"], 3)}


@contextmanager
def teaching(
    port: int, part: Any, rate: float, what: tuple[str, str] = ("learn", "forget")
) -> Iterator[Callable[[], int]]:
    """Two clients that learn and forget, together that many lessons a second at the most."""
    done = threading.Event()
    counts = [0, 0]

    def teach(number: int) -> None:
        connection = HTTPConnection("127.0.0.1", port, timeout=60)
        choice = random.Random(number)
        while not done.is_set():
            text, label = f"{choice.choice(part.texts)} {counts[number]}", str(choice.choice(part.labels))
            for path in what:
                _send(connection, f"/v1/{path}", {"text": text, **({} if path == "classify" else {"label": label})})
                counts[number] += 1
                done.wait(2 / rate)

    threads = [threading.Thread(target=teach, args=(number,)) for number in range(2)]
    for each in threads:
        each.start()
    try:
        yield lambda: sum(counts)
    finally:
        done.set()
        for each in threads:
            each.join()


def _send(connection: HTTPConnection, path: str, body: dict[str, Any]) -> None:
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json"})
    answer = connection.getresponse()
    content = answer.read()
    if answer.status != 200:
        raise RuntimeError(content.decode())


# ---- memory ------------------------------------------------------------------------------------------------------


def _memory(path: Path, part: Any, options: argparse.Namespace) -> dict[str, Any]:
    """Resident megabytes of a server that is read, and of one that is also taught, at the same time."""
    span = 1.0 if options.quick else options.minutes * 60 / 10
    names = ("reading", "teaching")
    with ThreadPoolExecutor(2) as both:
        found = list(both.map(lambda name: _resident(path, part, options, span, name), names))
    return {"minutes": span * 10 / 60, **dict(zip(names, found, strict=True))}


def _resident(path: Path, part: Any, options: argparse.Namespace, span: float, what: str) -> dict[str, Any]:
    """The least and the most of each tenth, after a span in which caches fill.

    Copies of the model come and go, for audits and snapshots; `grows_by` is that of the least: from the median of the
    first three to that of the last.
    """
    copy, body = path.with_name(f"{what}.likelier"), json.dumps({"texts": list(part.texts[:20])})
    shutil.copy(path, copy)
    with served(copy) as (port, process):
        before = _asked(port, "/v1/model?counts_digest=true")
        with teaching(port, part, options.rate) if what == "teaching" else nullcontext():
            _send(HTTPConnection("127.0.0.1", port), "/v1/classify", {"texts": list(part.texts)})
            found = [_sampled(process.pid, lambda: _wrk(port, "/v1/classify", body, span)) for _ in range(11)][1:]
        after = _asked(port, "/v1/model?counts_digest=true")
    least = [min(each) for each in found]
    return {
        "megabytes": least,
        "peaks": [max(each) for each in found],
        "grows_by": round(statistics.median(least[-3:]) - statistics.median(least[:3]), 1),
        "lessons": after["position"] - before["position"],
        "counts_as_before": after["counts_digest"] == before["counts_digest"],
    }


def _sampled(process: int, work: Callable[[], object]) -> list[float]:
    """The resident megabytes of a process while something is done."""
    found, status = [], Path(f"/proc/{process}/status")
    with ThreadPoolExecutor(1) as worker:
        done = worker.submit(work)
        while True:
            found.append(round(int(re.findall(r"VmRSS:\s+(\d+)", status.read_text())[0]) / 1024, 1))
            if wait([done], 0.25).done:
                break
    done.result()
    return found


def _asked(port: int, path: str) -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("GET", path)
    found: dict[str, Any] = json.load(connection.getresponse())
    return found


# ---- replay ------------------------------------------------------------------------------------------------------


def _replay(path: Path, part: Any, lessons: int) -> dict[str, Any]:
    """Seconds from the start of the process until it is ready; and without lessons, for comparison."""
    copy = path.with_name("replayed.likelier")
    shutil.copy(path, copy)
    log = SqliteLog(Path(f"{copy}.log.sqlite"))
    _fill(copy, log, part, lessons)
    log.close()
    size = Path(log.name).stat().st_size
    times = []
    for name in (path, copy):
        start = time.perf_counter()
        with served(name):
            times.append(time.perf_counter() - start)
            if name == copy:
                break  # before the snapshot at its end
    return {
        "lessons": lessons,
        "seconds": round(times[1], 2),
        "seconds_without": round(times[0], 2),
        "log_megabytes": round(size / 1e6, 1),
    }


def _recombined(texts: Any, choice: random.Random) -> str:
    """A message that nobody wrote, of words that somebody did: half of one and half of another."""
    one, two = choice.choice(texts).split(), choice.choice(texts).split()
    return " ".join([*one[: len(one) // 2 + 1], *two[len(two) // 2 :]])


def _fill(path: Path, log: SqliteLog, part: Any, lessons: int) -> None:
    """Writes that many lessons: documents that are learned, of which every fourth is forgotten again."""
    model, checksum, base = read_model(path)
    Snapshots(str(path)).begin(model, checksum, base, log)
    choice, position = random.Random(0), 0
    with log.turn() as rows:
        digest = digest_at(rows, 0)
    while position < lessons:
        fresh = [Labeled(_recombined(part.texts, choice), choice.choice(part.labels)) for _ in range(10_000)]
        marks, written = prints(model, fresh), []
        for each, mark in zip(fresh, marks, strict=True):
            for kind in ("learn", "forget") if choice.random() < 0.25 else ("learn",):
                if position == lessons:
                    break
                position += 1
                put, took = (mark, None) if kind == "learn" else (None, mark)
                digest = moved(digest, [put], [took])
                label = dumped(each.label)
                learned, forgot = (label, None) if kind == "learn" else (None, label)
                written.append(
                    Lesson(
                        position, kind, position, "bench", dumped(each.document), 1, learned, forgot, put, took,
                        digest=digest, ticket="t",
                    )
                )  # fmt: skip
        with log.turn() as rows:
            append(rows, written)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--quick", action="store_true", help="does it run? on a small corpus; writes nothing")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    parser.add_argument("--only", nargs="+", help="some parts, which take the place of theirs in the result file")
    parser.add_argument("--repeat", type=int, default=7, help="rounds of each measurement")
    parser.add_argument("--seconds", type=float, default=3, help="of each round")
    parser.add_argument("--rate", type=float, default=100, help="lessons a second while reading is measured")
    parser.add_argument("--minutes", type=float, default=10, help="of the measurement of memory")
    found = parser.parse_args()
    if found.quick:
        found.seconds = 1
    return found


if __name__ == "__main__":
    raise SystemExit(main())
