"""Servers that are killed while they are taught: `python tests/serve/crash.py --kills 50`, or `make crash`.

Eight clients ask, teach, forget, relabel and undo. At random moments a server gets SIGKILL, sometimes while it starts,
and with PostgreSQL sometimes all processes of the database. After each restart every acknowledged lesson must be in the
model once, and no other; in the end the counts must be those of a model that was taught the same lessons by hand.
"""

from __future__ import annotations

import argparse
import platform
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import likelier as lk
from likelier.demo import documents
from postgres import Postgres, program
from serve.clients import Client, Gate, Record, token_of
from serve.replica import Replica, check, replayed_by_hand
from serving import Served

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = 8
ADMIN = "admin"
SNAPSHOTS = ("--snapshot-lessons", "20", "--snapshot-seconds", "1")  # often, so that kills hit them too
RESULT = ROOT / "benchmarks" / "results" / "crash.json"


@dataclass
class Load:
    """Servers on one log, and clients that keep them busy.

    folder  has shop.likelier, the model as it was before the first lesson
    """

    folder: Path
    servers: int = 1
    postgres: Postgres | None = None
    seed: int = 1
    counts: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.chance, self.record = random.Random(self.seed), Record()
        self.original = self.folder / "shop.likelier"
        self.replica = Replica(self.original)
        self._log = [] if self.postgres is None else ["--log", self.postgres.database()]
        names = [f"client{number}" for number in range(CLIENTS)]
        lines = [f"{name} teach {token_of(name)}" for name in names] + [f"{ADMIN} admin {token_of(ADMIN)}"]
        (self.folder / "tokens").write_text("\n".join(lines))
        self.running: list[Served | None] = [None] * self.servers
        for number in range(self.servers):
            (self.folder / str(number)).mkdir()
            shutil.copy(self.original, self._model(number))
            self._start(number)
        self.gate = Gate(CLIENTS)
        self.clients = [
            Client(name, self.seed * 1000 + place, self.gate, self.record, self._address)
            for place, name in enumerate(names)
        ]
        for each in self.clients:
            each.start()

    def _model(self, number: int) -> Path:
        return self.folder / str(number) / "shop.likelier"

    def _start(self, number: int, *, wait: bool = True) -> None:
        options = ["--tokens", str(self.folder / "tokens"), *SNAPSHOTS, *self._log]
        self.running[number] = Served(self._model(number), *options, wait=wait)

    def _address(self) -> str:
        """Of any server that is there; clients choose by chance."""
        there = [each for each in self.running if each is not None]
        return random.choice(there).url if there else "http://127.0.0.1:1"

    # ---- kills ---------------------------------------------------------------------------------------------------

    def kill_server(self) -> None:
        """Lets them work for a moment, kills one server, starts it again and compares."""
        self._work()
        number = self.chance.randrange(self.servers)
        self._kill(number)
        if self.chance.random() < 0.2:  # once more while it starts
            self._start(number, wait=False)
            time.sleep(self.chance.uniform(0, 0.3))
            self._kill(number)
            self.counts["kills while starting"] += 1
        if self.servers > 1:
            time.sleep(self.chance.uniform(0, 0.3))  # the others go on
        self.gate.close()
        self._start(number)
        self._check()

    def _kill(self, number: int) -> None:
        served = self.running[number]
        assert served is not None
        self.running[number] = None
        served.kill()
        self._count(served)
        self.counts["kills"] += 1

    def kill_postgres(self) -> None:
        """The same with the database."""
        assert self.postgres is not None
        self._work()
        self.postgres.kill()
        self.counts["kills of PostgreSQL"] += 1
        time.sleep(self.chance.uniform(0, 0.5))
        self.postgres.start()
        self.gate.close()
        self._check()

    def _work(self) -> None:
        self.gate.open()
        time.sleep(self.chance.uniform(0.05, 1.0))

    def _count(self, served: Served) -> None:
        self.counts["snapshots"] += sum('"event":"snapshot"' in line for line in served.said)
        assert "Traceback" not in served.errors, served.errors

    # ---- comparing -----------------------------------------------------------------------------------------------

    def _check(self) -> None:
        """All servers have what was acknowledged."""
        self.counts["found though not acknowledged"] += self._checked(self.running[0])
        for each in self.running[1:]:
            self._checked(each)

    def _checked(self, served: Served | None) -> int:
        assert not self.record.wrong, self.record.wrong
        assert served is not None
        last = max((each.answer["position"] for each in self.record.acknowledged if each.answer), default=0)
        end = time.monotonic() + 10
        while served.get("/v1/model", token=token_of(ADMIN))["position"] < max(last, len(self.replica.lessons)):
            assert time.monotonic() < end, f"a server does not follow: {served.errors}"
            time.sleep(0.05)
        self.counts["comparisons"] += 1
        return check(served, self.record, self.replica, token_of(ADMIN))

    def finish(self) -> None:
        """Lets every request be answered; compares with a replay by hand, also after a restart without a kill."""
        self.gate.ends = True
        self.gate.open()
        for each in self.clients:
            each.join(60)
            assert not each.is_alive(), f"{each.name} is stuck"
            self.counts += each.counts
        assert not self.record.open
        self._check()
        by_hand = replayed_by_hand(self.original, self.record, self.folder / "by-hand.likelier")
        for number, served in enumerate(self.running):
            assert served is not None
            assert served.get("/v1/model?counts_digest=true", token=token_of(ADMIN))["counts_digest"] == by_hand
            assert served.stop() == 0, served.errors
            self._count(served)
            self._start(number)
        self._check()
        self.counts["requests acknowledged"] = len(self.record.acknowledged)
        self.counts["lessons"] = len(self.replica.lessons)

    def end(self) -> None:
        """Leaves nothing running."""
        self.gate.ends = True
        self.gate.open()
        for each in self.running:
            if each is not None:
                each.kill()
        if self.postgres is not None:
            self.postgres.drop(self._log[1])


@contextmanager
def loaded(folder: Path, **given: Any) -> Iterator[Load]:
    """A load on new servers."""
    lk.train(documents(), view="textbook").save(folder / "shop.likelier")
    load = Load(folder, **given)
    try:
        yield load
    finally:
        load.end()


def run(kills: int, database_kills: int = 0, **given: Any) -> dict[str, int]:
    """So many kills in any order; what happened."""
    with tempfile.TemporaryDirectory() as folder, loaded(Path(folder), **given) as load:
        order = [load.kill_server] * kills + [load.kill_postgres] * database_kills
        load.chance.shuffle(order)
        for number, kill in enumerate(order, 1):
            kill()
            print(f"{number} of {len(order)}: {len(load.replica.lessons)} lessons", file=sys.stderr, flush=True)
        load.finish()
        return dict(sorted(load.counts.items()))


def main() -> int:
    """Kills servers on both databases, and writes what happened."""
    parser = argparse.ArgumentParser(description="Kill servers while they are taught.")
    parser.add_argument("--kills", type=int, default=50, metavar="N", help="of servers, on each database; 50")
    parser.add_argument("--database-kills", type=int, default=10, metavar="N", help="of PostgreSQL; 10")
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--dry", action="store_true", help="write no result file")
    options = parser.parse_args()
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import report
    from environment import environment

    about = environment("httpx", "psycopg", "uvicorn")
    about["versions"] |= {"sqlite": sqlite3.sqlite_version, "system": platform.release()}
    result: dict[str, Any] = {**about, "seed": options.seed, "clients": CLIENTS, "options": " ".join(SNAPSHOTS)}
    begin = time.monotonic()
    result["sqlite"] = run(options.kills, seed=options.seed)
    result["sqlite"]["seconds"] = round(time.monotonic() - begin)
    found = program("postgres")
    if found is None:
        print("there is no PostgreSQL: apt-get install postgresql", file=sys.stderr)
        return 1
    shown = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
    result["versions"]["postgresql"] = shown.split()[2]
    postgres, begin = Postgres(), time.monotonic()
    try:
        result["postgresql"] = run(
            options.kills, options.database_kills, seed=options.seed, servers=2, postgres=postgres
        )
    finally:
        postgres.remove()
    result["postgresql"]["seconds"] = round(time.monotonic() - begin)
    print(result["sqlite"], result["postgresql"], sep="\n")
    if not options.dry:
        report.write(RESULT, result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
