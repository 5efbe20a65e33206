"""The workbench: how long an answer takes over HTTP, and how long until the queue and the accuracy have followed.

    press    milliseconds from the key press to the next text on the screen, in chromium; if it is there
    answer   milliseconds of the request, of answers one after the other
    settled  milliseconds until the pool is judged, the queue refilled and the accuracy known
    accept   seconds to label all sure texts in one step, and to undo it
    restart  seconds until a server that was killed is ready again

The pool is made up of messages to a shop, each mixed with some words of another one.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import numpy as np

import report
from environment import environment
from likelier.demo import documents

RESULT = Path(__file__).resolve().parent / "results" / "workbench.json"
PATIENCE = 120.0  # seconds
CHROMIUM = Path("/usr/bin/chromium")
PRESSED, THINKING = 60, 300  # answers by key; milliseconds that a quick reader needs for a text
SURE = 0.4  # from which probability verdicts are accepted; made-up texts have few that are surer
# From the key event until the frame after the text has changed.
WATCH = """() => {
  window.took = null;
  let start = 0;
  document.addEventListener("keydown", () => (start = performance.now()), { capture: true });
  new MutationObserver(() => {
    if (start) requestAnimationFrame(() => setTimeout(() => {
      if (start) window.took = performance.now() - start;
      start = 0;
    }));
  }).observe(document.querySelector("#text"), { childList: true, characterData: true, subtree: true });
}"""


def main() -> int:
    """Measures everything, and writes the result file."""
    options = _options()
    sizes = (2_000,) if options.quick else options.sizes
    found = [_measured(size, 30 if options.quick else options.answers) for size in sizes]
    print(json.dumps(found, indent=2))
    if not (options.dry or options.quick):
        report.write(RESULT, {**environment("starlette", "uvicorn", "msgspec"), "pools": found})
    return 0


def _pool(size: int) -> dict[str, str]:
    """Texts with their labels."""
    chance, every, found = random.Random(0), documents(), dict[str, str]()
    while len(found) < size:
        (text, label), (other, _) = chance.choice(every), chance.choice(every)
        found[f"{text} {' '.join(chance.sample(other.split(), 3))} {len(found)}"] = label
    return found


def _measured(size: int, answers: int) -> dict[str, Any]:
    truth = _pool(size)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "pool.txt")
        path.write_text("\n".join(truth), encoding="utf-8")
        with labeled(path) as (client, process):
            figures = {"press_ms": _pressed(str(client.base_url), min(answers, PRESSED))}
            figures |= _answered(client, truth, answers)
            accepted, seconds = _timed(lambda: _post(client, "accept", threshold=SURE)["accepted"])
            _, undone = _timed(lambda: _post(client, "undo"))
            figures |= {"accept": {"documents": accepted, "seconds": seconds, "undo_seconds": undone}}
            process.kill()
        start = time.perf_counter()
        with labeled(path):
            return {"texts": size, **figures, "restart_seconds": time.perf_counter() - start}


def _answered(client: httpx.Client, truth: dict[str, str], answers: int) -> dict[str, Any]:
    """Every second answer waits for all that follows; the others come while that is still under way."""
    took, settled, state = list[float](), list[float](), _settled(client)
    for number in range(answers):
        question = state["queue"][0]
        start = time.perf_counter()
        state = _post(client, "answer", place=question["place"], label=truth[question["text"]])
        took.append(time.perf_counter() - start)
        if number % 2 or not state["queue"]:
            state = _settled(client)
            settled.append(time.perf_counter() - start)
    return {"answers": answers, "answer_ms": _shares(took), "settled_ms": _shares(settled)}


def _pressed(url: str, presses: int) -> dict[str, float] | None:
    """Keys pressed on the page, as soon as the queue is full again; the time is that of the page itself."""
    if not (CHROMIUM.exists() and find_spec("playwright")):
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page(bypass_csp=True)  # the driver evaluates the conditions that it waits for
        page.set_default_timeout(1000 * PATIENCE)
        page.goto(f"{url}/label")
        page.evaluate(WATCH)
        took = []
        for number in range(presses):
            page.wait_for_function("document.querySelector('#text').textContent && window.took === null")
            page.keyboard.press("12"[number % 2])
            page.wait_for_function("window.took !== null")
            took.append(page.evaluate("const took = window.took; window.took = null; took") / 1000)
            page.wait_for_timeout(THINKING)
        return _shares(took)


def _shares(seconds: Sequence[float]) -> dict[str, float]:
    return {f"p{share}": round(1000 * float(np.percentile(seconds, share)), 2) for share in (50, 90, 99, 100)}


def _timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    return work(), time.perf_counter() - start


def _post(client: httpx.Client, what: str, **body: Any) -> Any:
    return client.post(f"/v1/labeling/{what}", json=body).raise_for_status().json()


def _settled(client: httpx.Client) -> Any:
    found = client.get("/v1/labeling").json()
    while not found["settled"]:
        found = client.get("/v1/labeling", params={"after": found["version"]}).json()
    return found


@contextmanager
def labeled(path: Path) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    """`likelier label`, ready to be asked."""
    model = path.with_suffix(".likelier")
    words = ["label", str(path), "-o", str(model), "--labels", "billing,delivery", "--no-browser"]
    process = subprocess.Popen([sys.executable, "-m", "likelier", *words], stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        url = next(found[1] for line in process.stderr if (found := re.search(r"at (http://\S+)", line)))
        threading.Thread(target=lambda: list(process.stderr or ()), daemon=True).start()
        with httpx.Client(base_url=url, timeout=PATIENCE, trust_env=False) as client:
            while client.get("/readyz").status_code != 200:
                time.sleep(0.02)
            yield client, process
    finally:
        process.kill()
        process.wait(60)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="does it run? on a small pool; writes nothing")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 50_000, 100_000], help="texts of the pools")
    parser.add_argument("--answers", type=int, default=200, help="answers to each pool")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
