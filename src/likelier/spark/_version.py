"""Whether a worker has the library of the driver: counts of one version may not be what another one counts."""

from __future__ import annotations

from likelier._base.errors import error
from likelier._base.version import VERSION


def check_version(of_driver: str) -> None:
    """Raises where the worker has another version."""
    if of_driver != VERSION:
        raise error("spark-worker-version", driver=of_driver, worker=VERSION)
