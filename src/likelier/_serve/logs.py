"""Which log an address means; psycopg is imported only where there is PostgreSQL."""

from __future__ import annotations

import re
from pathlib import Path

from likelier._base.errors import error
from likelier._serve.log import Log


def opened(address: str | None, model: Path) -> Log:
    """The log at this address; by default beside the model file."""
    scheme = "" if address is None else re.match(r"([a-z][a-z+]+:)?", address)[0]  # type: ignore[index]  # C: is a disk
    if address is not None and scheme:
        if not address.startswith(("postgresql://", "postgres://")):
            raise error("log-address.scheme", got=scheme)
        try:
            from likelier._serve.postgres_log import PostgresLog
        except ImportError as failure:
            raise error("serve-extra", package="psycopg", extra="postgres") from failure
        return PostgresLog(address)
    from likelier._serve.sqlite_log import SqliteLog

    return SqliteLog(Path(f"{model}.log.sqlite") if address is None else Path(address))
