"""After `kill -9` and a restart every acknowledged lesson is in the model, none twice, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from postgres import Postgres
from serve.crash import loaded


def test_a_killed_server_has_every_acknowledged_lesson_once(tmp_path: Path):
    with loaded(tmp_path, seed=1) as load:
        for _ in range(4):
            load.kill_server()
        load.finish()
    assert load.counts["snapshots"] > 0
    assert load.counts["answered 500"] == 0


def test_servers_that_share_a_log_have_every_acknowledged_lesson_once_when_one_is_killed(
    tmp_path: Path, postgres: Postgres
):
    postgres.start()
    with loaded(tmp_path, seed=2, servers=2, postgres=postgres) as load:
        for _ in range(3):
            load.kill_server()
        load.finish()
    assert load.counts["snapshots"] > 0
    assert load.counts["answered 500"] == 0


def test_servers_survive_that_their_database_is_killed(tmp_path: Path, postgres: Postgres):
    postgres.start()
    with loaded(tmp_path, seed=3, servers=2, postgres=postgres) as load:
        for _ in range(3):
            load.kill_postgres()
        load.finish()
    assert load.counts["lessons"] > 0
    assert load.counts["answered 500"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4, 5])
def test_many_kills_lose_nothing(tmp_path: Path, seed: int):
    with loaded(tmp_path, seed=seed) as load:
        for _ in range(12):
            load.kill_server()
        load.finish()
    assert load.counts["found though not acknowledged"] > 0


@pytest.mark.slow
def test_many_kills_of_servers_and_database_lose_nothing(tmp_path: Path, postgres: Postgres):
    postgres.start()
    with loaded(tmp_path, seed=6, servers=2, postgres=postgres) as load:
        for kill in [load.kill_server, load.kill_server, load.kill_postgres] * 4:
            kill()
        load.finish()
    assert load.counts["kills of PostgreSQL"] == 4
