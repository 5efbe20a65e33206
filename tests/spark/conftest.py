"""A Spark cluster of our own, and a session on it. One test at a time uses one, whatever process it runs in."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from filelock import FileLock

from cluster import Cluster, why_not


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """A master and two workers; without Java the tests are skipped, except where CI=true."""
    if reason := why_not():
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)(reason)
    with pytest.MonkeyPatch.context() as patch:
        started = Cluster(tmp_path_factory.mktemp("cluster"))
        for name, value in started.environment.items():
            patch.setenv(name, value)
        yield started
        started.stop()


@pytest.fixture(scope="session")
def _session(cluster: Cluster) -> Iterator[Any]:
    session = cluster.session()
    yield session
    from pyspark import SparkContext

    gateway = SparkContext._gateway
    session.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()  # then its Java ends
    gateway.proc.wait(60)


@pytest.fixture(autouse=True)
def _one_at_a_time(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Several clusters that work at the same time would wait for each other's memory."""
    if not {"cluster", "spark"} & {*request.fixturenames}:
        yield
        return
    root = tmp_path_factory.getbasetemp()
    root = root.parent if "PYTEST_XDIST_WORKER" in os.environ else root
    with FileLock(root / "spark.lock"):
        yield


@pytest.fixture
def spark(_one_at_a_time: None, _session: Any) -> Any:
    """The session."""
    return _session
