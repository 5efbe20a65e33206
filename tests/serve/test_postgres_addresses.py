"""What a server says about a PostgreSQL that it cannot use; never the password."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from postgres import Postgres, free_port
from serving import not_served


def test_texts_cannot_be_dropped_from_a_shared_log(folder: Path, database: str):
    assert "--without-texts" in not_served(folder / "shop.likelier", "--log", database, "--without-texts")


def test_a_database_that_cannot_hold_every_text_is_refused(postgres: Postgres, folder: Path):
    postgres.start()
    with psycopg.connect(postgres.url("postgres"), autocommit=True) as connection:
        connection.execute("CREATE DATABASE narrow ENCODING 'SQL_ASCII' TEMPLATE template0")
    assert "UTF8" in not_served(folder / "shop.likelier", "--log", postgres.url("narrow"))


def test_a_wrong_password_is_not_shown(postgres: Postgres, folder: Path):
    postgres.start()
    said = not_served(folder / "shop.likelier", "--log", postgres.url("postgres", "hunter2-secret"))
    assert "password authentication failed" in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://likelier:hunter2%zz@127.0.0.1/shop",
        "postgresql://likelier:hunter2@hunter2@127.0.0.1/shop",
        "postgresql://likelier:hunter2@127.0.0.1:port/shop",
        "postgresql://likelier:hunter2@127.0.0.1/shop?hunter2",
        "postgresql://likelier:hunter2@[127.0.0.1/shop",
        "postgresql://likelier:pass/hunter2@127.0.0.1/shop",
    ],
)
def test_an_address_that_makes_no_sense_is_refused_and_its_password_not_shown(folder: Path, url: str):
    said = not_served(folder / "shop.likelier", "--log", url)
    assert "hunter2" not in said


def test_a_database_of_another_kind_is_refused_by_its_scheme(folder: Path):
    said = not_served(folder / "shop.likelier", "--log", "mysql://likelier:hunter2@127.0.0.1/shop")
    assert "postgresql://..., got 'mysql:'" in said
    assert "hunter2" not in said


def test_a_postgresql_that_is_not_there_is_said_at_the_start(folder: Path):
    said = not_served(folder / "shop.likelier", "--log", f"postgresql://likelier:hunter2@127.0.0.1:{free_port()}/shop")
    assert "Connection refused" in said
    assert "hunter2" not in said


def test_a_database_that_is_not_there_is_said_at_the_start(postgres: Postgres, folder: Path):
    postgres.start()
    assert '"nowhere" does not exist' in not_served(folder / "shop.likelier", "--log", postgres.url("nowhere"))
