"""Which log an address means; psycopg is imported only where there is PostgreSQL."""

from __future__ import annotations

from pathlib import Path

from likelier._base.errors import error
from likelier._serve.log import Log


def opened(address: str | None, model: Path) -> Log:
    """The log at this address; by default beside the model file."""
    if address is not None and address.startswith(("postgresql://", "postgres://")):
        try:
            from likelier._serve.postgres_log import PostgresLog
        except ImportError as failure:
            raise error("serve-extra", package="psycopg", extra="postgres") from failure
        return PostgresLog(address)
    from likelier._serve.sqlite_log import SqliteLog

    return SqliteLog(Path(f"{model}.log.sqlite") if address is None else Path(address))
