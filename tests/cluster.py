"""A Spark cluster of our own: a master and two workers on loopback, from pip's package.

A session has one core of each worker, so that two partitions are counted by two of them. Nothing is reached from
outside, and nothing is left when it ends.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from postgres import free_port

PATIENCE = 120.0  # seconds until it must be there
OF_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"  # it starts sooner
VERSION = re.compile(r'version "(\d+)')
LEAST_JAVA = 17


def why_not() -> str | None:
    """Why there can be no cluster, if so."""
    java = shutil.which("java", path=os.pathsep.join([f"{os.environ.get('JAVA_HOME', '')}/bin", os.environ["PATH"]]))
    if java is None:
        return "there is no Java: apt-get install openjdk-17-jre-headless"
    shown = subprocess.run([java, "-version"], capture_output=True, text=True, check=False).stderr
    found = VERSION.search(shown)
    if not found or int(found[1]) < LEAST_JAVA:
        return "Spark needs Java 17 or later: apt-get install openjdk-17-jre-headless"
    return None


class Cluster:
    """A master and two workers; a worker can be killed, and is started again."""

    def __init__(self, folder: Path) -> None:
        import pyspark

        self.folder = folder
        self.home = Path(pyspark.__file__).parent
        self.port = free_port()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        try:
            self._start("master", "org.apache.spark.deploy.master.Master", "--port", str(self.port))
            self._wait("master", "I have been elected leader")
            for name in ("one", "two"):
                self.start_worker(name)
        except BaseException:
            self.stop()
            raise

    @property
    def master(self) -> str:
        """The address of the master."""
        return f"spark://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """What its processes, and a driver, need to know."""
        return {
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_HOME": str(self.home),
            "SPARK_DAEMON_MEMORY": "192m",
            "SPARK_EXECUTOR_MEMORY": "512m",
            "SPARK_DAEMON_JAVA_OPTS": OF_JAVA,
            "SPARK_LOCAL_DIRS": str(self.folder / "local"),
            "PYSPARK_PYTHON": sys.executable,
            "PYTHONHASHSEED": "0",
        }

    def start_worker(self, name: str) -> None:
        """Starts a worker, which has a core for the session and one for a command."""
        work = str(self.folder / f"work-{name}")
        options = ("--cores", "2", "--memory", "2g", "--work-dir", work, self.master)
        self._start(name, "org.apache.spark.deploy.worker.Worker", *options)
        self._wait(name, "Successfully registered with master")

    def _start(self, name: str, kind: str, *options: str) -> None:
        (self.folder / "local").mkdir(parents=True, exist_ok=True)
        with self._report(name).open("wb") as report:
            self._processes[name] = subprocess.Popen(
                [self.home / "bin" / "spark-class", kind, "--host", "127.0.0.1", "--webui-port", "0", *options],
                stdout=report, stderr=report, cwd=self.folder, start_new_session=True,
                env={**os.environ, **self.environment},
            )  # fmt: skip

    def _report(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def _wait(self, name: str, words: str) -> None:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._processes[name].poll() is None:
            if words in self._report(name).read_text("utf-8", "replace"):
                return
            time.sleep(0.1)
        raise AssertionError(f"no {name}: {self._report(name).read_text('utf-8', 'replace')[-2000:]}")

    def session(self, **settings: str) -> Any:
        """The session of a driver in this process. There is one at a time."""
        os.environ.update(self.environment)
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master(self.master).appName("likelier")
        usual = {
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "512m",
            "spark.driver.extraJavaOptions": OF_JAVA,
            "spark.executor.extraJavaOptions": OF_JAVA,
            "spark.cores.max": "2",
            "spark.executor.cores": "1",
            "spark.executor.memory": "512m",
            "spark.local.dir": str(self.folder / "local"),
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.warehouse.dir": str(self.folder / "warehouse"),
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.log.level": "OFF",
        }
        for name, value in {**usual, **settings}.items():
            builder = builder.config(name, value)
        return builder.getOrCreate()

    def kill_worker(self, name: str) -> None:
        """Ends a worker and all that it has started as a power failure does, and starts another one in its place."""
        os.killpg(self._processes[name].pid, signal.SIGKILL)
        self._processes[name].wait(PATIENCE)
        self.start_worker(name)

    def stop(self) -> None:
        """Ends all of it."""
        for process in reversed(self._processes.values()):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait(PATIENCE)
