"""Servers that share a log in PostgreSQL."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

import likelier as lk
from postgres import PASSWORD, Postgres
from serving import Served, not_served, stand

Start = Callable[..., Served]
TEXT = {"text": "the gadget hums", "label": "technical"}


@pytest.fixture
def join(serve: Start, folder: Path, database: str) -> Callable[..., Served]:
    """Starts one more server on the same log, with a model file of its own."""
    number = 0

    def start(model: Path | None = None, *options: str, **given: Any) -> Served:
        nonlocal number
        number += 1
        (folder / str(number)).mkdir()
        shutil.copy(model or folder / "shop.likelier", folder / str(number) / "shop.likelier")
        return serve(f"{number}/shop.likelier", "--teach-openly", "--log", database, *options, **given)

    return start


def wait_for(fact: Callable[[], bool], seconds: float = 20) -> None:
    """Until it is so."""
    end = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < end, "it never was"
        time.sleep(0.05)


def taught_at_once(*servers: Served) -> list[dict[str, Any]]:
    """Many mixed lessons, each to any server; their answers."""

    def some(number: int) -> list[dict[str, Any]]:
        served = servers[number % len(servers)]
        other = servers[(number + 1) % len(servers)]
        text = {"text": f"text {number} of many", "weight": 1 + number % 2}
        learned = served.post("/v1/learn", text | {"label": "billing"})
        moved = other.post("/v1/relabel", text | {"label": "praise"})
        undone = served.post("/v1/undo", {"position": moved["position"]})
        several = other.post("/v1/learn", {"texts": [f"{number} a", f"{number} b"], "labels": ["spam", "new"]})
        gone = served.post("/v1/forget", {"text": f"{number} a", "label": "spam"})
        return [learned, moved, undone, several, gone]

    with ThreadPoolExecutor(8) as pool:
        return [each for found in pool.map(some, range(24)) for each in found]


# ---- the same model ----------------------------------------------------------------------------------------------


def test_servers_that_are_taught_at_once_have_the_same_counts_bit_for_bit(join: Start):
    one, other = join(), join()
    taught_at_once(one, other)
    wait_for(lambda: stand(one) == stand(other))
    assert stand(one)[0] == 24 * 6


def test_positions_have_no_gaps_and_none_is_given_twice(join: Start):
    answers = taught_at_once(join(), join())
    given = [each["position"] - back for each in answers for back in range(each["lessons"])]
    assert sorted(given) == list(range(1, 24 * 6 + 1))


def test_both_servers_list_the_same_lessons(join: Start):
    one, other = join(), join()
    taught_at_once(one, other)
    lessons = one.get("/v1/lessons?limit=1000")["lessons"]
    assert lessons == other.get("/v1/lessons?limit=1000")["lessons"]
    assert [each["position"] for each in lessons] == list(range(1, 24 * 6 + 1))


def test_a_server_that_joins_later_with_the_first_model_file_catches_up(join: Start):
    one = join()
    taught_at_once(one)
    assert stand(join()) == stand(one)


def test_a_server_that_joins_later_with_a_snapshot_catches_up(join: Start, folder: Path):
    one = join(None, "--snapshot-lessons", "10")
    taught_at_once(one)
    wait_for(lambda: '"event":"snapshot"' in one.errors)
    assert stand(join(folder / "1" / "shop.likelier")) == stand(one)


def test_a_lesson_is_known_to_the_other_server_at_once(join: Start):
    one, other = join(), join()
    one.post("/v1/learn", TEXT)
    assert other.post("/v1/forget", TEXT)["position"] == 2
    assert one.refused("POST", "/v1/forget", TEXT) == (409, "document-not-learnt")


def test_a_server_that_is_not_taught_itself_follows(join: Start):
    one, other = join(), join()
    one.post("/v1/learn", {"text": "quuxing quux", "label": "quux"})
    wait_for(lambda: "quux" in other.post("/v1/classify", {"text": "quux quuxing"})["probabilities"], seconds=2)


def test_a_server_follows_more_lessons_than_it_reads_at_a_time(join: Start):
    one, other = join(), join()
    one.post("/v1/learn", {"texts": [f"text {number}" for number in range(6000)], "labels": ["spam"] * 6000})
    wait_for(lambda: stand(other) == stand(one))
    assert stand(other)[0] == 6000


def test_another_view_is_followed(join: Start):
    one, other = join(), join()
    one.ask("PATCH", "/v1/view", {"alpha": 0.5})
    wait_for(lambda: other.get("/v1/view")["settings"] == one.get("/v1/view")["settings"], seconds=2)


def test_servers_that_nobody_teaches_are_quiet(join: Start, database: str):
    join(), join()
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("LISTEN likelier_lessons")
        assert list(connection.notifies(timeout=1.5)) == []


# ---- keys --------------------------------------------------------------------------------------------------------


def test_a_key_counts_once_whichever_server_it_is_sent_to(join: Start):
    one, other = join(), join()
    first = one.post("/v1/learn", TEXT, idempotency_key="k1")
    assert other.post("/v1/learn", TEXT, idempotency_key="k1") == first
    assert other.get("/v1/model")["position"] == 1


def test_a_key_that_is_sent_to_both_servers_at_the_same_moment_counts_once(join: Start):
    servers = [join(), join()]
    with ThreadPoolExecutor(8) as pool:
        sent = [
            pool.submit(servers[place % 2].post, "/v1/learn", TEXT, idempotency_key=f"k{place // 8}")
            for place in range(80)
        ]
        answers = {each.result()["position"] for each in sent}
    assert answers == set(range(1, 11))


def test_a_key_with_another_request_is_refused_by_the_other_server_too(join: Start):
    one, other = join(), join()
    one.post("/v1/learn", TEXT, idempotency_key="k1")
    changed = TEXT | {"label": "praise"}
    assert other.refused("POST", "/v1/learn", changed, idempotency_key="k1") == (422, "key-reused")


# ---- PostgreSQL is away ------------------------------------------------------------------------------------------


def test_a_lesson_waits_for_postgresql_to_come_back(join: Start, postgres: Postgres):
    served = join()
    served.post("/v1/learn", TEXT)
    postgres.stop()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(served.post, "/v1/learn", TEXT)
        time.sleep(0.5)
        postgres.start()
        assert waiting.result()["position"] == 2


@pytest.mark.slow
def test_without_postgresql_lessons_are_refused_after_a_while_and_go_on_when_it_is_back(
    join: Start, postgres: Postgres
):
    served = join()
    postgres.stop()
    begin = time.monotonic()
    assert served.refused("POST", "/v1/learn", TEXT) == (503, "log-unavailable")
    assert 9 < time.monotonic() - begin < 20
    postgres.start()
    assert served.post("/v1/learn", TEXT)["position"] == 1
    assert PASSWORD not in served.errors


def test_without_postgresql_reading_goes_on(join: Start, postgres: Postgres):
    served = join()
    postgres.stop()
    assert served.post("/v1/classify", {"text": "refund"})["label"] == "returns"
    assert served.refused("GET", "/v1/lessons") == (503, "log-unavailable")
    postgres.start()
    assert served.get("/v1/lessons")["lessons"] == []


def test_a_server_stops_in_time_though_postgresql_is_away(join: Start, postgres: Postgres):
    served = join()
    served.post("/v1/learn", TEXT)
    postgres.stop()
    assert served.stop() == 0
    assert '"code":"log-unavailable"' in served.errors


def test_the_password_is_in_no_line_of_the_report(join: Start, postgres: Postgres):
    served = join()
    postgres.kill()
    served.refused("GET", "/v1/lessons")
    postgres.start()
    served.post("/v1/learn", TEXT)
    assert served.stop() == 0
    assert "log postgresql://127.0.0.1/" in served.errors
    assert PASSWORD not in served.errors


# ---- another model -----------------------------------------------------------------------------------------------


def new_model(folder: Path) -> Path:
    """Another model file, which no log knows."""
    lk.train([("good", "yes"), ("bad", "no")], view="textbook").save(folder / "new.likelier")
    return folder / "new.likelier"


def test_a_server_waits_for_the_file_of_a_model_that_another_has_loaded(join: Start, folder: Path):
    one, other = join(), join()
    shutil.copy(new_model(folder), folder / "1" / "shop.likelier")
    one.post("/v1/load", None)
    assert other.refused("POST", "/v1/learn", TEXT) == (503, "model-file-awaited")
    assert other.ask("GET", "/readyz").status_code == 503


def test_a_server_follows_when_it_gets_the_file(join: Start, folder: Path):
    one, other = join(), join()
    shutil.copy(new_model(folder), folder / "1" / "shop.likelier")
    one.post("/v1/load", None)
    one.post("/v1/learn", {"text": "fine", "label": "yes"})
    shutil.copy(folder / "new.likelier", folder / "2" / "shop.likelier")
    wait_for(lambda: stand(other) == stand(one))
    assert other.post("/v1/learn", {"text": "poor", "label": "no"})["position"] == 3


def test_a_server_that_starts_without_the_file_of_the_model_waits_for_it(join: Start, folder: Path):
    one = join()
    shutil.copy(new_model(folder), folder / "1" / "shop.likelier")
    one.post("/v1/load", None)
    other = join(wait=False)
    other.wait_for("model-file-awaited")
    assert other.ask("GET", "/readyz").status_code == 503
    shutil.copy(folder / "new.likelier", folder / "2" / "shop.likelier")
    wait_for(lambda: other.ask("GET", "/readyz").status_code == 200)
    assert stand(other) == stand(one)


def test_a_server_follows_also_with_a_later_snapshot_of_the_model(join: Start, folder: Path):
    one, other = join(None, "--snapshot-lessons", "2"), join()
    shutil.copy(new_model(folder), folder / "1" / "shop.likelier")
    one.post("/v1/load", None)
    one.post("/v1/learn", {"texts": ["fine", "poor"], "labels": ["yes", "no"]})
    wait_for(lambda: '"event":"snapshot"' in one.errors)
    shutil.copy(folder / "1" / "shop.likelier", folder / "2" / "shop.likelier")
    wait_for(lambda: stand(other) == stand(one))


def test_a_model_file_that_the_shared_log_does_not_know_is_refused(join: Start, folder: Path, database: str):
    join()
    said = not_served(new_model(folder), "--log", database)
    assert "does not know the model file" in said


def test_a_log_of_a_later_version_is_refused(join: Start, folder: Path, database: str):
    join()
    with psycopg.connect(database) as connection:
        connection.execute("UPDATE about SET value = '99' WHERE name = 'version'")
    assert "has version 99" in not_served(folder / "shop.likelier", "--log", database)


# ---- a labeling --------------------------------------------------------------------------------------------------


def test_a_labeling_needs_a_log_of_its_own(serve: Callable[..., Served], database: str) -> None:
    served = serve("shop.likelier", "--teach-openly", "--log", database)
    assert served.refused("GET", "/v1/labeling") == (409, "labeling-shared")
    assert served.refused("POST", "/v1/labeling/answer", {"place": 0, "label": "billing"}) == (409, "labeling-shared")
    assert served.post("/v1/learn", {"text": "late", "label": "delivery"})["position"] == 1
